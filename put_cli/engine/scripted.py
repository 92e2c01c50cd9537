"""Hands that were played already, played again by the rules: every act is read from a script.

The kernel cuts, deals, asks and scores as ever; the players are compiled functions that say and
lay what the script has at that place. So what comes out is what the rules make of those acts and
of the seed, and can be compared with what was written down. Nothing here knows a rule.

A script the rules cannot follow costs the game in which that happens: the kernel leaves it there
and goes on with the next game of the match, which begins with a cut of its own.
"""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from put_cli.engine import kernel
from put_cli.engine import lanes as ln
from put_cli.engine import tables as tb
from put_cli.engine.forfeits import rest_of_match
from put_cli.engine.lanes import FIRST_ROW, GAME, GIFT, HAND, LAY_OUT, MAX_CHAIRS
from put_cli.engine.luck import subkey
from put_cli.engine.matches import Buffers, Fixture, Played
from put_cli.engine.native import Native
from put_cli.engine.script_reader import cut_all
from put_cli.engine.tables import ACTOR, ASKED, PLACE, RULED
from put_cli.engine.view import ASK_LANE, ASK_WIDTH


@dataclass(frozen=True, eq=False)
class Script:
    """The acts of the games of some fixtures, one row a hand, in the order of the games.

    `starts` (G + 1,) int64: the rows of game g are starts[g] to starts[g + 1]. `acts` (N, ACTS)
    int8: between two sides lead and reply of trick t at 2 t and 2 t + 1 (t from 0), else the card
    of seat s at MAX_CHAIRS t + s; 0 where none was laid; then as named above. `words` (N,) int64:
    as the kernel packs them. `forfeit` (N,) int8: the kind of fault that ended the hand, or 0.
    """

    starts: npt.NDArray[np.int64]
    acts: npt.NDArray[np.int8]
    words: npt.NDArray[np.int64]
    forfeit: npt.NDArray[np.int8]


@dataclass(frozen=True)
class Stopped:
    """Where a game was left because the rules do not allow what the script has there."""

    game: int
    """Row of the games table."""
    hand: int
    place: str
    """Of PLACES; empty before the tricks."""
    missing: bool
    """Whether the script has no such hand."""
    action: int
    """The act it has there; 0 for none."""
    allowed: str
    """What would have been legal, in words."""


@dataclass(frozen=True)
class Lost:
    """A fault the script has: by which chair, and when."""

    fixture: int
    game: int
    hand: int
    chair: int
    decision: int
    """Of this chair in the hand, from 0."""
    kind: int


@dataclass(frozen=True, eq=False)
class Replayed:
    """What the rules make of a script."""

    played: Played
    """Reasons of faults are those given, and for games lost unplayed the words for them."""
    stopped: list[Stopped]
    lost: list[Lost]
    out: dict[int, tuple[int, int]]
    """By fixture: game and hand in which the rest of the match was forfeited."""


def replay(
    tables: tb.Tables,
    fixtures: Sequence[Fixture],
    seed: int,
    script: Script,
    reads: Native,
    buffers: Buffers | None = None,
) -> Replayed:
    """Play the fixtures as the script has them; `reads` is `script_reader.reader` for the rules.

    `buffers` hold the hands of the result until the next call with them.
    """
    return _Session(tables, fixtures, seed, script, reads, buffers or Buffers()).run()


class _Session:
    def __init__(
        self,
        tables: tb.Tables,
        fixtures: Sequence[Fixture],
        seed: int,
        script: Script,
        reads: Native,
        buffers: Buffers,
    ) -> None:
        self.tables, self.rules, self.script = tables, tables.rules, script
        self.fixtures, self.buffers = fixtures, buffers
        buffers.fit(len(ln.hand_columns(self.rules)))
        self.lanes = _lanes(fixtures)
        arrays = script.starts, script.acts, script.words
        self.parameters = np.array([each.ctypes.data for each in arrays], np.int64)
        chairs = range(self.rules.chairs)
        for chair in chairs:
            self.lanes[:, ln.PARAMETERS + chair] = self.parameters.ctypes.data
            for method in range(len(ln.METHODS)):
                self.lanes[:, ln.CODE + MAX_CHAIRS * method + chair] = reads.code
        self.reads = reads  # its code must outlive the lanes
        self.subkeys = _subkeys(seed)
        games = len(script.starts) - 1
        self.games = np.zeros((len(ln.GAME_COLUMNS), games), np.int32)
        self.tallies = np.zeros((len(fixtures), len(ln.TALLY_COLUMNS)), np.int64)
        self.stopped: list[Stopped] = []
        self.lost: list[Lost] = []

    def run(self) -> Replayed:
        buffers, waits = self.buffers, len(self.fixtures)
        asks, lucks = np.zeros((ASK_WIDTH, waits), np.int64), np.zeros(waits)
        scratch = np.zeros(kernel.SCRATCH, np.int64)
        advance = kernel.kernel_of(self.rules)
        first = rows = 0
        while True:
            status, rows, waiting, first = advance(
                first,
                self.lanes,
                self.tables.states,
                self.tables.knobs,
                self.subkeys,
                buffers.keys,
                buffers.hands,
                buffers.words,
                rows,
                True,
                self.games,
                self.tallies,
                asks,
                lucks,
                scratch,
            )
            if status == kernel.DONE:
                return self._replayed(rows)
            if status == kernel.FULL:
                buffers.grow()
            for number in asks[ASK_LANE, :waiting].tolist():
                self._judge(number)

    def _judge(self, number: int) -> None:
        """A player had no act that the rules allow: a fault that the script has, or a wrong one."""
        lane, script = self.lanes[number], self.script
        game, hand = int(lane[FIRST_ROW] + lane[GAME]), int(lane[HAND])
        row = int(script.starts[game]) + hand
        missing = row >= script.starts[game + 1]
        kind = 0 if missing else int(script.forfeit[row])
        state = self.tables.states[lane[ln.STATE]]
        chair = int(lane[ln.PLAYER + state[ACTOR]])
        action = int(lane[ln.ANSWER])
        if kind and action == 0:
            decision = int(lane[ln.DECISION + chair])
            game_of_match = int(lane[GAME])
            self.lost.append(Lost(number, game_of_match, hand, chair, decision, kind))
            lane[ln.ANSWER] = -kind
            return
        place = tb.PLACES[state[PLACE] - 1] if state[PLACE] else ""
        allowed = _allowed(self.tables, lane, state, chair)
        self.stopped.append(Stopped(game, hand, place, missing, action, allowed))
        lane[GAME] += 1
        lane[ln.STATUS] = ln.NEW_GAME if lane[GAME] < lane[ln.GAMES] else ln.FINISHED

    def _replayed(self, rows: int) -> Replayed:
        buffers = self.buffers
        keys, hands, words = buffers.keys[:, :rows], buffers.hands[:, :rows], buffers.words[:rows]
        if (np.diff(keys[0]) < 0).any():
            order = np.argsort(keys[0], kind="stable")
            keys, hands, words = keys[:, order], hands[:, order], words[order]
        played = Played(
            self.fixtures, keys, hands, words, self.games, self.tallies, {}, differences=[]
        )
        last = {each.fixture: (each.game, each.hand) for each in self.lost}
        out = {n: last[n] for n in np.flatnonzero(self.lanes[:, ln.OUT]).tolist()}
        return Replayed(played, self.stopped, self.lost, out)


def explain_unplayed(replayed: Replayed, reasons: dict[int, str]) -> dict[int, str]:
    """`reasons` (by row of the games table), and those of the games lost unplayed."""
    explained = dict(reasons)
    starts = np.cumsum([0, *(each.games for each in replayed.played.fixtures)])
    for number, (game, _hand) in replayed.out.items():
        first, end = int(starts[number]), int(starts[number + 1])
        why = rest_of_match(game, reasons.get(first + game, ""))
        explained |= dict.fromkeys(range(first + game + 1, end), why)
    return explained


def cuts(tables: tb.Tables, fixtures: Sequence[Fixture], seed: int) -> npt.NDArray[np.int32]:
    """(columns, G) int32, as GAME_COLUMNS: every game's cut and first dealer; the rest is 0."""
    lanes = _lanes(fixtures)
    games = np.zeros((len(ln.GAME_COLUMNS), int(lanes[:, ln.GAMES].sum())), np.int32)
    rules = tables.rules
    cut_all(
        lanes, tables.knobs, _subkeys(seed)[0], games, rules.chairs, rules.players > 2,
        rules.partners,
    )  # fmt: skip
    return games


def _lanes(fixtures: Sequence[Fixture]) -> npt.NDArray[np.int64]:
    """(F, WIDTH): every match at its beginning, nobody in the chairs."""
    lanes = np.zeros((len(fixtures), ln.WIDTH), np.int64)
    matches = np.array([(f.block, f.mirror, f.games) for f in fixtures], np.int64).reshape(-1, 3)
    lanes[:, ln.BLOCK], lanes[:, ln.MIRROR], lanes[:, ln.GAMES] = matches.T
    lanes[:, FIRST_ROW] = np.cumsum(matches[:, 2]) - matches[:, 2]
    lanes[:, ln.STATUS] = np.where(matches[:, 2] > 0, ln.NEW_GAME, ln.FINISHED)
    return lanes


def _subkeys(seed: int) -> npt.NDArray[np.int64]:
    return np.array([subkey(seed, purpose) for purpose in ("cut", "deal", "misdeal")])


def _allowed(
    tables: tb.Tables, lane: npt.NDArray[np.int64], state: npt.NDArray[np.int32], chair: int
) -> str:
    """What the rules allow in a lane, in words."""
    method = int(state[tb.METHOD])
    rules = tables.rules
    held = [int(card) for card in lane[ln.CARDS + 3 * chair : ln.CARDS + 3 * chair + 3] if card]
    if method == GIFT:
        return "give, receive or keep" if state[tb.MAY_KEEP] else "give or receive"
    if method == LAY_OUT:
        fourth = [] if state[tb.MUST_SWAP] else [int(lane[ln.FOURTH + chair])]
        return f"a lay-out of {rules.cards.text((*held, *fourth))}"
    if method == ln.MISDEAL_RULING:
        return "stand or redeal" if state[RULED] == 1 else "draw or redeal"
    words = [
        word
        for word, may in (("put", tb.MAY_PUT), ("see", ASKED), ("throw", tb.MAY_THROW))
        if state[may]
    ]
    cards = [f"a card of {rules.cards.text(tuple(held))}"] if state[tb.MAY_PLAY] else []
    return " or ".join([*words, *cards])
