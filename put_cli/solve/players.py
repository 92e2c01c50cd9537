"""Strategies as policies: what they do at every information set, luck integrated.

`Encounter` lets two players meet over one hand at one score. A player is a strategy in any tier,
or None for whoever plays what the policy says already.
"""

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import cached_property

import numpy as np
import numpy.typing as npt

from put_cli.engine import lanes as ln
from put_cli.engine import reach as code
from put_cli.engine import tables as tb
from put_cli.engine.asking import ask_batch, interpret
from put_cli.engine.players import BATCH, LEARNING, Contestant
from put_cli.engine.view import ASK_WIDTH
from put_cli.engine.views import Views
from put_cli.errors import PutError, UsageError
from put_cli.rules.machine import DEALER, ELDEST, Act
from put_cli.solve import meeting
from put_cli.solve.chain import Score
from put_cli.solve.downward import ALIVE, FORGOTTEN
from put_cli.solve.hand import Board
from put_cli.solve.pack import Floats
from put_cli.solve.tree import ACTOR, PLAYS, PUBLIC, REACH_E, SIZE_E, STATE, WORDS
from put_cli.strategy import PUT, SEE, THROW, View

Ints = npt.NDArray[np.int64]
Seats = tuple[Contestant | None, Contestant | None]
"""Who sits as eldest and as the dealer."""

_ACTIONS = {Act.PUT: PUT, Act.SEE: SEE, Act.THROW: THROW}
_UNNAMED = {
    "consult",
    "getattr",
    "attrgetter",
    "_asdict",
    "_fields",
    "_replace",
    "__getattribute__",
}
"""Names by which code can get at fields of View that it does not name."""


class NotPlayable(PutError):
    """A strategy did what the rules do not allow, so what it plays is not defined."""


def check_memoryless(contestant: Contestant) -> None:
    """Refuse a strategy whose decisions depend on more than the hand and the score.

    Raises:
        UsageError: it has a memory or learns, or decides elsewhere.
    """
    if contestant.remote is not None:
        raise UsageError(
            f"{contestant.name} decides in a process of its own, which can be asked in games only: "
            "expected a strategy that this program calls. 'put match' plays it."
        )
    if contestant.remembers or contestant.tier == LEARNING:
        what = "learns during a match" if contestant.tier == LEARNING else "reads the record"
        raise UsageError(
            f"{contestant.name} {what}, so what it does depends on the hands before: expected a "
            "strategy without memory. 'put match' plays it."
        )


def reads(contestant: Contestant | None, *fields: str) -> bool:
    """Whether a strategy's code names one of these fields of View, or might get at it unnamed."""
    if contestant is None:
        return False
    return bool(code.names(contestant.strategy) & ({*fields} | _UNNAMED))


@dataclass(frozen=True, eq=False)
class _Desk:
    """What one thread needs to let two players meet."""

    reach: Floats
    live: npt.NDArray[np.int8]
    now: Floats
    digits: npt.NDArray[np.int64]
    lane: npt.NDArray[np.int64]
    values: Floats
    rows: Floats
    endings: Floats


class Encounter:
    """Two players at one table, hand by hand; `board` is of a tree with `classes=False`."""

    def __init__(self, board: Board, seats: Seats) -> None:
        if board.tree.classes:
            raise ValueError("the board must tell all cards apart: grow(rules, classes=False)")
        for each in seats:
            if each is not None:
                check_memoryless(each)
        self.board, self.seats = board, seats
        tree = board.tree
        self._codes = np.zeros(2, np.int64)
        self._parameters = np.zeros(2, np.int64)
        self._lucky = np.array([reads(each, "luck") for each in seats])
        self._changes = [
            reads(each, "score", "their_score", "legs", "their_legs") for each in seats
        ]
        for seat, each in enumerate(seats):
            if each is not None:
                native = each.native.get(ln.ACT)
                self._codes[seat] = 1 if native is None else native.code
                if native is not None:
                    self._parameters[seat] = native.parameters.ctypes.data
        self._in_python = bool((self._codes == 1).any())
        rooms = max(int((row[SIZE_E : SIZE_E + 2] * row[PUBLIC]).max()) for row in tree.nodes)
        room = rooms if self._in_python else 1
        self._asks = np.zeros((ASK_WIDTH, room), np.int64)
        self._lucks = np.zeros(room)
        self._found = np.zeros((room, 2), np.int64)
        self._top = self._desk(max(tree.parts[0].width), rooms)
        width = max(max(part.width) for part in tree.parts)
        self._desks = [self._desk(width, rooms) for _ in range(board.threads)]

    def _desk(self, width: int, rooms: int) -> _Desk:
        tree = self.board.tree
        actions = int((tree.nodes[:, WORDS] + tree.nodes[:, PLAYS]).max())
        return _Desk(
            reach=np.zeros((2, width)),
            live=np.zeros((2, len(tree.nodes)), np.int8),
            now=np.zeros(tree.top),
            digits=np.zeros(meeting.MOST_CARDS, np.int64),
            lane=np.zeros(ln.WIDTH, np.int64),
            values=np.zeros(rooms),
            rows=np.zeros(actions * rooms),
            endings=np.zeros(len(tree.endings)),
        )

    @property
    def depends_on_score(self) -> bool:
        """Whether either strategy looks at the score."""
        return any(self._changes)

    @cached_property
    def _views(self) -> Views:
        return Views(self.board.tree.tables)

    def meet(self, score: Score, policy: Floats, *, counting: bool = True) -> Floats:
        """Let them play a hand at this score: the probability of each ending.

        `policy` gets what they do wherever both can get to; a player None does what it says
        already, and so does one who has been asked before and does not look at the score. All 0
        is nobody's policy: he is asked.

        Raises:
            NotPlayable: a strategy's answer is not allowed, or it raises.
        """
        tree, top = self.board.tree, self._top
        for node, block, _ in self.board.blocks(policy):
            if self._changes[int(tree.nodes[node, ACTOR])]:
                block[:] = 0
        for desk in (top, *self._desks):
            desk.endings[:] = 0
            for seat, (points, legs) in enumerate(
                ((score.eldest, score.eldest_legs), (score.dealer, score.dealer_legs))
            ):
                desk.lane[ln.SCORE + seat] = points
                desk.lane[ln.LEGS + seat] = legs
        root = tree.nodes[0]
        for seat in (ELDEST, DEALER):
            start = int(root[REACH_E + seat])
            top.reach[seat, start : start + len(self.board.share)] = self.board.share
        top.live[:] = FORGOTTEN
        top.live[:, 0] = ALIVE
        block = policy[: tree.parts[0].block]
        self._play(top, 0, (-1, -1), block, counting)
        chunks = iter(range(1, len(tree.chunks)))

        def work(desk: _Desk) -> None:
            for chunk in chunks:
                self._chunk(desk, chunk, policy, counting)

        if self.board.pool is None or self._in_python:
            work(self._desks[0])
        else:
            list(self.board.pool.map(work, self._desks))
        endings: Floats = top.endings + sum(desk.endings for desk in self._desks)
        return endings / self.board.deals

    def _chunk(self, desk: _Desk, chunk: int, policy: Floats, counting: bool) -> None:
        tree = self.board.tree
        number, i = (int(n) for n in tree.chunks[chunk])
        part = tree.parts[number]
        leaf = tree.nodes[tree.parents[part.first][0]]
        if (self._top.live[:, tree.parents[part.first][0]] != ALIVE).any():
            return
        root, positions = tree.nodes[part.first], int(leaf[PUBLIC])
        for seat in (ELDEST, DEALER):
            size = int(leaf[SIZE_E + seat])
            q, r = int(leaf[REACH_E + seat]), int(root[REACH_E + seat])
            whole = self._top.reach[seat, q : q + size * positions].reshape(size, positions)
            desk.reach[seat, r : r + size] = whole[:, i]
        desk.live[:] = FORGOTTEN
        desk.live[:, part.first] = ALIVE
        lead, reply = (int(card) for card in self.board.pack.pairs[part.pattern, i])
        at = part.policy + i * part.block
        self._play(desk, number, (lead, reply), policy[at : at + part.block], counting)

    def _play(
        self, desk: _Desk, number: int, trick: tuple[int, int], block: Floats, counting: bool
    ) -> None:
        part = self.board.tree.parts[number]
        if not self._in_python:
            self._meet(desk, part.first, part.end, trick, block, True, True, counting)
            return
        for node in range(part.first, part.end):
            waiting = self._meet(desk, node, node + 1, trick, block, True, False, False)
            if waiting:
                self._ask(node, waiting, block)
            self._meet(desk, node, node + 1, trick, block, False, True, False)
        if counting:
            self._meet(desk, part.first, part.end, trick, block, False, False, True)

    def _meet(
        self,
        desk: _Desk,
        first: int,
        end: int,
        trick: tuple[int, int],
        block: Floats,
        asking: bool,
        going: bool,
        counting: bool,
    ) -> int:
        board = self.board
        waiting: int = meeting.meet(
            board.pack,
            board.tree.nodes,
            first,
            end,
            asking,
            going,
            counting,
            *trick,
            board.tree.tables.states,
            desk.reach,
            desk.live,
            desk.now,
            desk.digits,
            desk.lane,
            desk.values,
            desk.rows,
            block,
            self._codes,
            self._parameters,
            self._lucky,
            self._asks,
            self._lucks,
            self._found,
            desk.endings,
        )
        if waiting < 0:
            raise _undefined(self._name(-1 - waiting), "faults at some information sets")
        return waiting

    def _name(self, node: int) -> str:
        asked = self.seats[int(self.board.tree.nodes[node, ACTOR])]
        return asked.name if asked else "the policy"

    def _ask(self, node: int, waiting: int, block: Floats) -> None:
        """Answers in Python to what waits at a node, into the block of the policy."""
        row = self.board.tree.nodes[node]
        seat = int(row[ACTOR])
        contestant = self.seats[seat]
        assert contestant is not None
        asks, places = self._asks[:, :waiting], self._found[:waiting]
        state = self.board.tree.tables.states[int(row[STATE])]
        words = [word for act, word in _ACTIONS.items() if state[tb.NEXT + act] >= 0]

        def answers(bits: Ints, which: Ints) -> Ints:
            return self._answers(contestant, asks[:, which], bits / meeting.WHOLE, words)

        for which, place, share in integrated(answers, waiting, bool(self._lucky[seat])):
            np.add.at(block, places[which, 0] + place * places[which, 1], share)

    def _answers(self, contestant: Contestant, asks: Ints, luck: Floats, words: list[int]) -> Ints:
        """The place of each answer among the actions of the node."""

        def singles() -> Iterator[View]:
            return self._views.single(asks, luck.astype(np.float64), False)

        if contestant.tier == BATCH:
            batch = self._views.batch(asks, luck.astype(np.float64), False)
            actions, faults = ask_batch(contestant.strategy, batch, len(luck), singles)
        else:
            acts = [contestant.strategy.act] * len(luck)
            actions, faults = interpret(acts, singles)
        if faults:
            raise _undefined(contestant.name, str(next(iter(faults.values()))))
        places = np.full(len(actions), meeting.WRONG)
        cards = np.array([view.cards for view in singles()]).reshape(-1, 3)
        for slot in (2, 1, 0):  # of equals the first counts
            hit = (cards[:, slot] > 0) & (cards[:, slot] == actions)
            places[hit] = len(words) + (cards[hit, :slot] > 0).sum(axis=1)
        for number, word in enumerate(words):
            places[actions == word] = number
        if (places == meeting.WRONG).any():
            raise _undefined(contestant.name, "does something that is not allowed")
        return places


def _undefined(name: str, fault: str) -> NotPlayable:
    return NotPlayable(f"{name} {fault}, so what it plays is not defined. 'put check' says where.")


def integrated(
    answers: Callable[[Ints, Ints], Ints], count: int, lucky: bool
) -> Iterator[tuple[Ints, Ints, Floats]]:
    """The answers of `count` askers with the share of luck that gives each: see `meeting`.

    `answers(bits, which)` are the answers of some of them to luck bits * 2^-53. Yields who, what,
    and shares in [0, 1] that are to be added up.
    """
    everybody = np.arange(count)
    low = np.zeros(count, np.int64)
    here = answers(low, everybody)
    if not lucky:
        yield everybody, here, np.ones(count)
        return
    step = meeting.WHOLE // meeting.GRID
    for target in range(step, meeting.WHOLE + 1, step):
        till = np.full(count, min(target, meeting.WHOLE - 1))
        end = answers(till, everybody)
        while (changing := np.flatnonzero(here != end)).size:
            same, other, there = low[changing], till[changing], end[changing]
            while (wide := np.flatnonzero(other - same > 1)).size:
                middle = (same[wide] + other[wide]) // 2
                found = answers(middle, changing[wide])
                keeps = found == here[changing[wide]]
                same[wide[keeps]] = middle[keeps]
                other[wide[~keeps]] = middle[~keeps]
                there[wide[~keeps]] = found[~keeps]
            yield changing, here[changing], (other - low[changing]) / meeting.WHOLE
            low[changing], here[changing] = other, there
        yield everybody, here, (till - low) / meeting.WHOLE
        low = till
    yield everybody, here, np.full(count, 1 / meeting.WHOLE)
