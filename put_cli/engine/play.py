"""Playing a set of matches: lanes set up, the kernel called, Python players answered in between.

The result does not depend on the tiers of the players: the same Views in the same order of each
match give the same games, and rows come back in the order of the fixtures.
"""

from collections.abc import Sequence
from dataclasses import dataclass, field

import numpy as np
import numpy.typing as npt

from put_cli.engine import compiled, kernel
from put_cli.engine import lanes as ln
from put_cli.engine.decode import triples, utterances
from put_cli.engine.lanes import NONSENSE
from put_cli.engine.luck import luck_of_match, subkey
from put_cli.engine.players import (
    BATCH,
    CAUGHT,
    INTERPRETED,
    LEARNING,
    NATIVE,
    Answers,
    Contestant,
    Fault,
    Views,
    ask_batch,
    decide,
    illegal,
    interpret,
    is_legal,
    raised,
)
from put_cli.engine.tables import ACTOR, POINTS, TAKERS, TOP, WINNER, Tables
from put_cli.engine.view import ASK_CHAIR, ASK_LANE, ASK_STATUS, ASK_WIDTH
from put_cli.rules.ruleset import GAME
from put_cli.strategy import HandRecord, Match, Player, View

FIRST_CAPACITY = 40_960 + 64  # rows; not a power of two, which would share cache lines


@dataclass(frozen=True)
class Fixture:
    """One match: contestants a and b (positions in the list) at one block and mirror.

    a has chair 0 in mirror 0 and chair 1 in mirror 1; cards and cuts belong to the chairs.
    """

    pairing: int
    block: int
    mirror: int
    games: int
    a: int
    b: int

    @property
    def chairs(self) -> tuple[int, int]:
        """Positions of the contestants in chair 0 and chair 1."""
        return (self.b, self.a) if self.mirror else (self.a, self.b)


@dataclass(eq=False)
class Buffers:
    """The hands buffer of one process, kept between calls and grown when it is too small."""

    keys: npt.NDArray[np.int32] = field(
        default_factory=lambda: np.empty((len(ln.HAND_KEYS), FIRST_CAPACITY), np.int32)
    )
    hands: npt.NDArray[np.int16] = field(
        default_factory=lambda: np.empty((len(ln.HAND_COLUMNS), FIRST_CAPACITY), np.int16)
    )
    words: npt.NDArray[np.int64] = field(default_factory=lambda: np.empty(FIRST_CAPACITY, np.int64))

    def grow(self) -> None:
        """Double the capacity, keeping the rows."""
        old = self.words.shape[0]
        for name in ("keys", "hands", "words"):
            array = getattr(self, name)
            bigger = np.empty((*array.shape[:-1], 2 * old + 64), array.dtype)
            bigger[..., :old] = array
            setattr(self, name, bigger)


@dataclass(frozen=True, eq=False)
class Played:
    """What a set of matches came to, in the order of the fixtures.

    `keys` (3, N) int32: fixture, game, hand. `hands` (18, N) int16: HAND_COLUMNS. `words` (N,)
    int64. `games` (13, G) int32: GAME_COLUMNS. `tallies` (F, 21) int64: TALLY_COLUMNS. The arrays
    of hands are views of the buffers: use them before the next call. `reasons` tells of a fault
    by row of `games`; `differences` of native decisions that the interpreter took otherwise.
    """

    fixtures: Sequence[Fixture]
    keys: npt.NDArray[np.int32]
    hands: npt.NDArray[np.int16]
    words: npt.NDArray[np.int64]
    games: npt.NDArray[np.int32]
    tallies: npt.NDArray[np.int64]
    reasons: dict[int, str]
    differences: list[str]


def prepare_kernel(store: compiled.Store) -> None:
    """Give the kernel its disk cache; the first call then compiles or loads it."""
    kernel.advance._cache = compiled.Cache(store, compiled.kernel_digest("advance"))


def play(
    tables: Tables,
    contestants: Sequence[Contestant],
    fixtures: Sequence[Fixture],
    seed: int,
    *,
    keep_hands: bool = True,
    buffers: Buffers | None = None,
) -> Played:
    """Play all fixtures to the end."""
    return _Session(tables, contestants, fixtures, seed, keep_hands, buffers or Buffers()).run()


class _Session:
    """One call of `play`."""

    def __init__(
        self,
        tables: Tables,
        contestants: Sequence[Contestant],
        fixtures: Sequence[Fixture],
        seed: int,
        keep_hands: bool,
        buffers: Buffers,
    ) -> None:
        self.tables = tables
        self.contestants = contestants
        self.fixtures = fixtures
        self.buffers = buffers
        self.lanes = np.zeros((len(fixtures), ln.WIDTH), np.int64)
        self.seats = np.array([f.chairs for f in fixtures], np.int64).reshape(-1, 2)
        self.games = np.zeros((len(ln.GAME_COLUMNS), sum(f.games for f in fixtures)), np.int32)
        self.tallies = np.zeros((len(fixtures), len(ln.TALLY_COLUMNS)), np.int64)
        self.asks = np.zeros((ASK_WIDTH, len(fixtures)), np.int64)
        self.lucks = np.zeros(len(fixtures))
        self.subkeys = np.array([subkey(seed, "cut"), subkey(seed, "deal")])
        self.views = Views(tables)
        self.in_batches = [i for i, each in enumerate(contestants) if each.tier == BATCH]
        self.acts = np.empty((len(fixtures), 2), object)  # of interpreted and learning players
        self.memory = np.array([c.memory and c.native is None for c in contestants], bool)
        self.remembers = bool(self.memory.any())
        self.learners: dict[tuple[int, int], Player] = {}
        self.reasons: dict[int, str] = {}
        self.differences: list[str] = []
        self._set_up(seed)
        # A learning player hears of every hand, and the hand is told from its row.
        self.keep = keep_hands or bool(self.learners)
        self.keep_hands = keep_hands

    def _set_up(self, seed: int) -> None:
        keys: dict[tuple[int, int], int] = {}
        row = 0
        for number, fixture in enumerate(self.fixtures):
            lane = self.lanes[number]
            lane[ln.BLOCK] = fixture.block
            lane[ln.MIRROR] = fixture.mirror
            lane[ln.GAMES] = fixture.games
            lane[ln.FIRST_ROW] = row
            lane[ln.STATUS] = ln.NEW_GAME if fixture.games else ln.FINISHED
            row += fixture.games
            for chair, (own, other) in enumerate((fixture.chairs, fixture.chairs[::-1])):
                player = self.contestants[own]
                if (own, other) not in keys:
                    opponent = self.contestants[other]
                    keys[own, other] = subkey(seed, "luck", player.name, opponent.name)
                lane[ln.LUCK_OF_MATCH + chair] = luck_of_match(keys[own, other], fixture.block)
                if player.native is not None:
                    lane[ln.CODE + chair] = player.native.code
                    lane[ln.PARAMETERS + chair] = player.native.parameters.ctypes.data
                if player.tier == INTERPRETED:
                    self.acts[number, chair] = player.strategy.act
                if player.tier == LEARNING:
                    self._begin_match(number, chair, player, self.contestants[other])

    def _begin_match(self, number: int, chair: int, own: Contestant, other: Contestant) -> None:
        rules = self.tables.rules
        games = self.fixtures[number].games
        match = Match(rules.name, rules.target, rules.cards.ranks, games, own.name, other.name)
        self.lanes[number, ln.LEARNS + chair] = 1
        try:
            player = own.strategy.begin_match(match)
        except CAUGHT as error:
            player = _Absent(raised(error))
        if not callable(getattr(player, "act", None)):
            reason = f"begin_match returned {repr(player)[:80]}, which is no Player"
            player = _Absent(Fault(NONSENSE, reason))
        self.learners[number, chair] = player
        # Looked up at every decision: a player may change its `act`, or be gone by then.
        self.acts[number, chair] = lambda view: self.learners[number, chair].act(view)

    def run(self) -> Played:
        buffers = self.buffers
        scratch = np.zeros(8, np.int64)
        first = rows = 0
        while True:
            status, rows, waiting, first = kernel.advance(
                first,
                self.lanes,
                self.tables.states,
                self.tables.knobs,
                self.subkeys,
                buffers.keys,
                buffers.hands,
                buffers.words,
                rows,
                self.keep,
                self.games,
                self.tallies,
                self.asks,
                self.lucks,
                scratch,
            )
            if status == kernel.DONE:
                return self._played(rows if self.keep_hands else 0)
            if status == kernel.FULL:
                buffers.grow()
            if waiting:
                self._answer_all(waiting)

    def _played(self, rows: int) -> Played:
        buffers = self.buffers
        keys, hands, words = buffers.keys[:, :rows], buffers.hands[:, :rows], buffers.words[:rows]
        if (np.diff(keys[0]) < 0).any():  # lanes took turns: back into the order of the fixtures
            order = np.argsort(keys[0], kind="stable")
            keys, hands, words = keys[:, order], hands[:, order], words[order]
        return Played(
            self.fixtures,
            keys,
            hands,
            words,
            self.games,
            self.tallies,
            self.reasons,
            self.differences,
        )

    def _answer_all(self, waiting: int) -> None:
        """Take every waiting lane's decision and write it into the lane."""
        asks, lucks = self.asks[:, :waiting], self.lucks[:waiting]
        status = asks[ASK_STATUS]
        if (status != ln.ASK).any():
            for number, row in asks[:2, status == ln.HAND_OVER].T.tolist():
                self._tell(number, row)
            for position in np.flatnonzero(status == ln.JUDGE).tolist():
                self._judge(asks[:, position : position + 1], lucks[position : position + 1])
            asks, lucks = asks[:, status == ln.ASK], lucks[status == ln.ASK]
        for player in self.in_batches:
            mine = self.seats[asks[ASK_LANE], asks[ASK_CHAIR]] == player
            if mine.any():
                self._ask_batch(self.contestants[player], asks[:, mine], lucks[mine])
                asks, lucks = asks[:, ~mine], lucks[~mine]
        if lucks.size:
            self._ask(asks, lucks)

    def _ask(self, asks: npt.NDArray[np.int64], lucks: npt.NDArray[np.float64]) -> None:
        """One call of `act` for each decision, whoever is to take it."""
        numbers, chairs = asks[ASK_LANE], asks[ASK_CHAIR]
        memory = self.remembers and self.memory[self.seats[numbers, chairs]]
        acts = self.acts[numbers, chairs].tolist()
        self._write(numbers, interpret(acts, lambda: self.views.single(asks, lucks, memory)))

    def _ask_batch(
        self, player: Contestant, asks: npt.NDArray[np.int64], lucks: npt.NDArray[np.float64]
    ) -> None:
        """One call of `act_batch` for all decisions of a player."""
        views, memory = self.views, player.memory
        batch = views.batch(asks, lucks, memory)
        answers = ask_batch(
            player.strategy, batch, lucks.size, lambda: views.single(asks, lucks, memory)
        )
        self._write(asks[ASK_LANE], answers)

    def _write(self, numbers: npt.NDArray[np.int64], answers: Answers) -> None:
        """Write answers into their lanes."""
        actions, faults = answers
        self.lanes[numbers, ln.ANSWER] = actions
        for position, fault in faults.items():
            self._forfeit(int(numbers[position]), fault)

    def _forfeit(self, number: int, fault: Fault) -> None:
        lane = self.lanes[number]
        lane[ln.ANSWER] = -fault.kind
        self.reasons[int(lane[ln.FIRST_ROW] + lane[ln.GAME])] = fault.reason

    def _judge(self, ask: npt.NDArray[np.int64], luck: npt.NDArray[np.float64]) -> None:
        """Rule on an answer the kernel refused.

        A compiled act that faulted is asked again through the interpreter: the author's Python is
        what counts, and it alone can say what went wrong.
        """
        number, chair = int(ask[ASK_LANE, 0]), int(ask[ASK_CHAIR, 0])
        player = self.contestants[int(self.seats[number, chair])]
        view = next(self.views.single(ask, luck, player.memory))
        action = int(self.lanes[number, ln.ANSWER])
        try:
            if player.tier != NATIVE:
                raise illegal(view, action)
            again = decide(player.strategy.act, view)
            if not is_legal(view, again):
                raise illegal(view, again)
        except Fault as fault:
            self._forfeit(number, fault)
            return
        self.differences.append(
            f"{player.name}: compiled, act gave {action}; interpreted, it gives {again} for {view}"
        )
        self.lanes[number, ln.ANSWER] = again

    def _tell(self, number: int, row: int) -> None:
        """Tell the learning players of a lane about the hand in a row of the buffer."""
        for chair in (0, 1):
            if (number, chair) in self.learners:
                record = hand_record(self.tables, self.buffers, row, chair)
                try:
                    self.learners[number, chair].hand_over(record)
                except CAUGHT as error:
                    # It played the hand; what it cannot learn from costs it the next decision.
                    self.learners[number, chair] = _Absent(raised(error))


class _Absent(Player):
    """Stands for a learning player that could not begin or broke down between hands."""

    def __init__(self, fault: Fault) -> None:
        self._fault = fault

    def act(self, view: View) -> int:
        raise self._fault


def hand_record(tables: Tables, buffers: Buffers, row: int, chair: int) -> HandRecord:
    """The hand in a row of the buffers as one chair saw it."""
    _, game, number = buffers.keys[:, row].tolist()
    hand = dict(zip(ln.HAND_COLUMNS, buffers.hands[:, row].tolist(), strict=True))
    state = tables.states[hand["state"]]
    me = 0 if hand["eldest_chair"] == chair else 1
    own, other = ("eldest", "dealer") if me == 0 else ("dealer", "eldest")
    played: tuple[list[int], list[int]] = ([], [])
    leader = 0
    for trick in (1, 2, 3):
        played[leader].append(hand[f"lead{trick}"])
        played[1 - leader].append(hand[f"reply{trick}"])
        if state[TAKERS + trick - 1] < 2:
            leader = int(state[TAKERS + trick - 1])
    points = {"own": hand[f"{own}_points"], "other": hand[f"{other}_points"]}
    winner = 1 - int(state[ACTOR]) if hand["forfeit"] else int(state[WINNER])
    if not hand["forfeit"] and state[POINTS] == GAME:
        points["own" if winner == me else "other"] = GAME
    return HandRecord(
        game=game,
        hand=number,
        is_dealer=me == 1,
        cards=triples(int(tables.knobs[TOP]))[hand[f"{own}_cards"]],
        played=(played[me][0], played[me][1], played[me][2]),
        their_played=(played[1 - me][0], played[1 - me][1], played[1 - me][2]),
        words=tuple((u.place, u.seat == me, u.word) for u in utterances(int(buffers.words[row]))),
        score=hand[f"{own}_score"],
        their_score=hand[f"{other}_score"],
        points=points["own"],
        their_points=points["other"],
        won=winner == me,
        lost=winner == 1 - me,
        game_over=bool(hand["game_over"]),
    )
