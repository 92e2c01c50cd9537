"""Playing a set of matches: lanes set up, the kernel called, Python players answered in between.

The result does not depend on the tiers of the players: the same Views in the same order of each
match give the same games, and rows come back in the order of the fixtures.
"""

import traceback
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import AbstractContextManager
from dataclasses import replace
from functools import cached_property, partial
from typing import Any

import numpy as np
import numpy.typing as npt

from put_cli.engine import compiled, kernel
from put_cli.engine import lanes as ln
from put_cli.engine.asking import (
    Answers,
    Fault,
    Watched,
    ask_batch,
    decide,
    illegal,
    interpret,
    is_legal,
    raised,
)
from put_cli.engine.forfeits import BEGIN_MATCH, HAND_OVER, STRIKES, Forfeit, Moment, at
from put_cli.engine.hearing import hand_record
from put_cli.engine.lanes import NONSENSE
from put_cli.engine.luck import subkey
from put_cli.engine.matches import Buffers, Fixture, Played
from put_cli.engine.players import BATCH, INTERPRETED, LEARNING, Contestant
from put_cli.engine.tables import METHOD, Tables
from put_cli.engine.view import ASK_CHAIR, ASK_LANE, ASK_STATE, ASK_STATUS, ASK_WIDTH
from put_cli.engine.views import Views
from put_cli.engine.watch import OutOfTime, Watch
from put_cli.strategy import HandRecord, Match, Player, View

Witness = Callable[[Moment, str], None]
"""Is told of every call of a player, by its name, before it is made."""


def prepare_kernel(store: compiled.Store) -> None:
    """Give the kernels their disk cache; the first call of each then compiles or loads it."""
    for name, advance in kernel.all_kernels().items():
        advance._cache = compiled.Cache(store, compiled.kernel_digest(name))


def play(
    tables: Tables,
    contestants: Sequence[Contestant],
    fixtures: Sequence[Fixture],
    seed: int,
    *,
    keep_hands: bool = True,
    buffers: Buffers | None = None,
    forfeits: Sequence[Forfeit] = (),
    strikes: Sequence[Forfeit] = (),
    watch: Watch | None = None,
    witness: Witness | None = None,
) -> Played:
    """Play all fixtures to the end.

    `forfeits` are known from playing the same matches before, and `strikes` are those of them that
    count towards STRIKES, as new ones do. `watch` has a clock over the calls of players.
    """
    session = _Session(
        tables,
        contestants,
        fixtures,
        seed,
        keep_hands,
        buffers or Buffers(),
        forfeits,
        strikes,
        watch or Watch(),
        witness,
    )
    return session.run()


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
        forfeits: Sequence[Forfeit],
        strikes: Sequence[Forfeit],
        watch: Watch,
        witness: Witness | None,
    ) -> None:
        self.watch = watch
        self.witness = witness
        self.tables = tables
        self.rules = tables.rules
        self.advance = kernel.kernel_of(self.rules)
        self.fixtures = fixtures
        self.buffers = buffers
        buffers.fit(len(ln.hand_columns(self.rules)))
        # With partners a contestant has a member in each chair of its side.
        seats_a_side = self.rules.chairs // self.rules.players
        self.members = [member for each in contestants for member in each.members[:seats_a_side]]
        self.contestants = contestants
        count, sides = len(fixtures), self.rules.players
        self.lanes = np.zeros((count, ln.WIDTH), np.int64)
        matches = np.array(
            [(f.block, f.mirror, f.games, *f.chairs) for f in fixtures], np.int64
        ).reshape(count, 3 + sides)
        # Contestants by side, and members by chair: the partners sit after the captains.
        self.sides = matches[:, 3:]
        self.chairs = np.hstack(
            [seats_a_side * self.sides + second for second in range(seats_a_side)]
        )
        self.games = np.zeros((len(ln.GAME_COLUMNS), int(matches[:, 2].sum())), np.int32)
        self.tallies = np.zeros((count, len(ln.TALLY_COLUMNS)), np.int64)
        self.asks = np.zeros((ASK_WIDTH, count), np.int64)
        self.lucks = np.zeros(count)
        purposes = ("cut", "deal", "misdeal")
        self.subkeys = np.array([subkey(seed, purpose) for purpose in purposes])
        self.in_batches = [i for i, each in enumerate(self.members) if each.tier == BATCH]
        self.acts = np.empty(self.chairs.shape, object)  # `act` of all that are asked one by one
        self.memory = np.array([m.remembers and ln.ACT not in m.native for m in self.members])
        self.remembers = bool(self.memory.any())
        self.learners: dict[tuple[int, int], Player] = {}
        self.reasons: dict[int, str] = {}
        self.differences: list[str] = []
        self.tracebacks: dict[tuple[str, str], str] = {}
        self.found: list[Forfeit] = []
        self.strikes: Counter[int] = Counter()
        self.struck = np.zeros(len(self.members), np.int64)  # by member: kind, or 0 for not yet
        self.known = self._by_lane(forfeits)
        self.marked = np.zeros(count, bool)  # lanes with a known forfeit
        self.marked[list(self.known)] = True
        for number, known in self.known.items():
            for each in known:
                if each in strikes:
                    self._strike(number, each)
        self._set_up(seed, *matches[:, :3].T)
        # A learning player hears of every hand, and the hand is told from its row.
        self.keep = keep_hands or bool(self.learners)
        self.keep_hands = keep_hands

    @cached_property
    def views(self) -> Views:
        """Made when Python is asked for the first time."""
        return Views(self.tables)

    def _by_lane(self, forfeits: Sequence[Forfeit]) -> dict[int, list[Forfeit]]:
        if not forfeits:
            return {}
        keys = {(f.pairing, f.block, f.mirror): n for n, f in enumerate(self.fixtures)}
        known: dict[int, list[Forfeit]] = {}
        for each in forfeits:
            if each.match in keys:
                known.setdefault(keys[each.match], []).append(each)
        return known

    def _set_up(
        self,
        seed: int,
        block: npt.NDArray[np.int64],
        mirror: npt.NDArray[np.int64],
        games: npt.NDArray[np.int64],
    ) -> None:
        """Write every match into its lane, all at once: a match may be one game long."""
        lanes, members = self.lanes, self.members
        lanes[:, ln.BLOCK] = block
        lanes[:, ln.MIRROR] = mirror
        lanes[:, ln.GAMES] = games
        lanes[:, ln.FIRST_ROW] = np.cumsum(games) - games
        lanes[:, ln.STATUS] = np.where(games > 0, ln.NEW_GAME, ln.FINISHED)
        meetings, which = np.unique(self.sides, axis=0, return_inverse=True)
        chairs = range(self.rules.chairs)
        keys = [
            [subkey(seed, *self._luck_purpose(sides, chair)) for chair in chairs]
            for sides in meetings.tolist()
        ]
        parameters = [
            each.native[ln.ACT].parameters.ctypes.data if ln.ACT in each.native else 0
            for each in members
        ]
        learns = np.array([each.tier == LEARNING for each in members])
        for first, values in (
            (ln.LUCK_KEY, np.array(keys, np.int64)[which.ravel()]),
            (ln.PARAMETERS, np.array(parameters, np.int64)[self.chairs]),
            (ln.LEARNS, learns[self.chairs]),
            *(
                (ln.CODE + ln.MAX_CHAIRS * method, self._code(method)[self.chairs])
                for method in self.tables.methods
            ),
        ):
            lanes[:, first : first + len(chairs)] = values
        lanes[:, ln.ANY_LEARNS] = learns[self.chairs].any(axis=1)
        for number, member in enumerate(members):
            if member.tier == INTERPRETED:
                self.acts[self.chairs == number] = member.strategy.act
        for number, forfeits in self.known.items():  # their players are asked, to be refused
            for chair in {each.chair for each in forfeits}:
                lanes[number, ln.CODE + chair : ln.PARAMETERS : ln.MAX_CHAIRS] = 0
                self.acts[number, chair] = members[self.chairs[number, chair]].strategy.act
        for number, chair in np.argwhere(learns[self.chairs]).tolist():
            self._begin_match(number, chair, members[self.chairs[number, chair]])

    def _code(self, method: int) -> npt.NDArray[np.int64]:
        """Addresses of the members' compiled code for a method; 0 where Python decides."""
        natives = [each.native.get(method) for each in self.members]
        return np.array([native.code if native else 0 for native in natives], np.int64)

    def _luck_purpose(self, sides: Sequence[int], chair: int) -> tuple[str, ...]:
        """Whose luck, and against whom: the names clockwise from the player's own."""
        side = chair % len(sides)
        names = [self.contestants[each].name for each in (*sides[side:], *sides[:side])]
        return ("luck", *names, *(("partner",) if chair >= len(sides) else ()))

    def _begin_match(self, number: int, chair: int, player: Contestant) -> None:
        rules, fixture = self.rules, self.fixtures[number]
        own, *others = self._luck_purpose(fixture.chairs, chair)[1 : 1 + rules.players]
        match = Match(
            rules=rules.name,
            target=rules.target,
            ranks=rules.cards.ranks,
            games=fixture.games,
            name=own,
            opponent=" and ".join(others),
            players=rules.players,
        )
        learner = self._told(
            Moment(
                pairing=fixture.pairing,
                block=fixture.block,
                mirror=fixture.mirror,
                chair=chair,
                game=0,
                hand=0,
                decision=BEGIN_MATCH,
            ),
            number,
            player.name,
            lambda: player.strategy.begin_match(match),
        )
        if not callable(getattr(learner, "act", None)):
            reason = f"begin_match returned {repr(learner)[:80]}, which is no Player"
            learner = _Absent(Fault(NONSENSE, reason))
        self.learners[number, chair] = learner
        # Looked up at every decision: a player may change its `act`, or be gone by then.
        self.acts[number, chair] = lambda view: self.learners[number, chair].act(view)

    def run(self) -> Played:
        buffers = self.buffers
        scratch = np.zeros(kernel.SCRATCH, np.int64)
        first = rows = 0
        while True:
            status, rows, waiting, first = self.advance(
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
        self._explain_unplayed()
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
            self.tracebacks,
            tuple(self.found),
        )

    def _explain_unplayed(self) -> None:
        """Why games were lost without a hand: for the last fault before them."""
        hands = self.games[ln.GAME_COLUMNS.index("hands")]
        for lane in self.lanes[self.lanes[:, ln.OUT] > 0]:
            first = int(lane[ln.FIRST_ROW])
            rows = range(first, first + int(lane[ln.GAMES]))
            last = max(row for row in rows if hands[row])
            why = f"forfeited the rest of the match: in game {last - first} it {self.reasons[last]}"
            self.reasons |= dict.fromkeys(range(last + 1, rows.stop), why)

    def _moment(self, number: int, chair: int) -> Moment:
        """The decision that a lane waits for."""
        fixture, lane = self.fixtures[number], self.lanes[number]
        return Moment(
            pairing=fixture.pairing,
            block=fixture.block,
            mirror=fixture.mirror,
            chair=chair,
            game=int(lane[ln.GAME]),
            hand=int(lane[ln.HAND]),
            decision=int(lane[ln.DECISION + chair]),
        )

    def _forfeit_known(self, asks: npt.NDArray[np.int64]) -> npt.NDArray[np.bool_]:
        """Forfeit what is due by now; which asks are left."""
        numbers, chairs = asks[ASK_LANE], asks[ASK_CHAIR]
        members = self.chairs[numbers, chairs]
        left = np.ones(numbers.shape, bool)
        suspected = self.marked[numbers] | (self.struck[members] > 0)
        for position in np.flatnonzero(suspected).tolist():
            number, chair, member = (int(each[position]) for each in (numbers, chairs, members))
            moment = self._moment(number, chair)
            due = self._due(number, moment)
            if due is None and not self.marked[number] and self.struck[member]:
                kind = int(self.struck[member])
                done = "took too long" if kind == ln.SLOW else "ended its process"
                due = at(moment, kind, f"{done} in {STRIKES} other matches")
                self.found.append(due)
            if due:
                self._forfeit(number, chair, Fault(due.kind, due.reason))
                left[position] = False
        return left

    def _due(self, number: int, moment: Moment) -> Forfeit | None:
        """The known forfeit of this moment."""
        known = self.known.get(number, ())
        return next((each for each in known if at(moment, each.kind, each.reason) == each), None)

    def _found(self, number: int, moment: Moment, fault: Fault) -> None:
        """Note a fault that another time might not be."""
        if isinstance(fault.__cause__, OutOfTime):
            self.found.append(at(moment, fault.kind, fault.reason))
            self._strike(number, self.found[-1])

    def _strike(self, number: int, forfeit: Forfeit) -> None:
        """A player that has enough of them forfeits all its other matches here."""
        member = int(self.chairs[number, forfeit.chair])
        self.strikes[member] += 1
        if self.strikes[member] >= STRIKES:
            self.struck[member] = forfeit.kind

    def _told(self, moment: Moment, number: int, name: str, tell: Callable[[], Any]) -> Any:
        """What a learning player answers to `tell`, or the player that stands for it then.

        It has played the hand; what it cannot learn from costs it the next decision.
        """
        if due := self._due(number, moment):
            return _Absent(Fault(due.kind, due.reason))
        if self.witness:
            self.witness(moment, name)
        try:
            with self.watch.over(lambda _call: name):
                return tell()
        except BaseException as error:
            fault = raised(error)
            self._keep_traceback(name, fault)
            self._found(number, moment, fault)
            return _Absent(Fault(fault.kind, fault.reason))

    def _watched(self, asks: npt.NDArray[np.int64]) -> Watched:
        """The watch over calls for these decisions."""
        last = asks.shape[1] - 1

        def who(call: int) -> str:
            number, chair = asks[:, min(call, last)][[ASK_LANE, ASK_CHAIR]].tolist()
            name: str = self.members[self.chairs[number, chair]].name
            return name

        def over(done: Any, decisions: int) -> AbstractContextManager[None]:
            return self.watch.over(who, done, decisions)

        return over

    def _witnessed(self, asks: npt.NDArray[np.int64], calls: Iterable[Any]) -> Iterator[Any]:
        """The same calls; the witness hears of each when it is fetched."""
        for (number, chair), call in zip(
            asks[[ASK_LANE, ASK_CHAIR]].T.tolist(), calls, strict=True
        ):
            if self.witness:
                name = self.members[self.chairs[number, chair]].name
                self.witness(self._moment(number, chair), name)
            yield call

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
        if self.known or self.found:
            left = self._forfeit_known(asks)
            asks, lucks = asks[:, left], lucks[left]
        for method in self.tables.methods[1:]:
            mine = self.tables.states[asks[ASK_STATE], METHOD] == method
            if mine.any():
                self._ask_before(method, asks[:, mine], lucks[mine])
                asks, lucks = asks[:, ~mine], lucks[~mine]
        for player in self.in_batches:
            mine = self.chairs[asks[ASK_LANE], asks[ASK_CHAIR]] == player
            if mine.any():
                self._ask_batch(self.members[player], asks[:, mine], lucks[mine])
                asks, lucks = asks[:, ~mine], lucks[~mine]
        if lucks.size:
            self._ask(asks, lucks)

    def _ask(self, asks: npt.NDArray[np.int64], lucks: npt.NDArray[np.float64]) -> None:
        """One call of `act` for each decision, whoever is to take it."""
        numbers, chairs = asks[ASK_LANE], asks[ASK_CHAIR]
        memory = self.remembers and self.memory[self.chairs[numbers, chairs]]
        acts = self.acts[numbers, chairs].tolist()
        if self.witness:
            acts = self._witnessed(asks, acts)
        answers = interpret(
            acts, lambda: self.views.single(asks, lucks, memory), watched=self._watched(asks)
        )
        self._write(asks, answers)

    def _ask_batch(
        self, player: Contestant, asks: npt.NDArray[np.int64], lucks: npt.NDArray[np.float64]
    ) -> None:
        """One call of `act_batch` for all decisions of a player."""
        views, memory = self.views, player.remembers
        batch = views.batch(asks, lucks, memory)
        next(self._witnessed(asks[:, :1], [None]))
        answers = ask_batch(
            player.strategy,
            batch,
            lucks.size,
            lambda: views.single(asks, lucks, memory),
            self._watched(asks),
        )
        self._write(asks, answers)

    def _ask_before(
        self, method: int, asks: npt.NDArray[np.int64], lucks: npt.NDArray[np.float64]
    ) -> None:
        """One call for each decision before the tricks; these are few."""
        numbers, name = asks[ASK_LANE], ln.METHODS[method]
        members = self.chairs[numbers, asks[ASK_CHAIR]].tolist()
        memory = np.array([self.members[member].remembers for member in members])
        keys = zip(numbers.tolist(), asks[ASK_CHAIR].tolist(), strict=True)
        acts = [
            getattr(self.learners.get(key), name, None)
            or getattr(self.members[member].strategy, name)
            for key, member in zip(keys, members, strict=True)
        ]
        answers = interpret(
            self._witnessed(asks, acts),
            lambda: self.views.single(asks, lucks, memory),
            name,
            self._watched(asks),
        )
        self._write(asks, answers)

    def _write(self, asks: npt.NDArray[np.int64], answers: Answers) -> None:
        """Write answers into their lanes."""
        actions, faults = answers
        self.lanes[asks[ASK_LANE], ln.ANSWER] = actions
        for position, fault in faults.items():
            number, chair = asks[[ASK_LANE, ASK_CHAIR], position].tolist()
            self._forfeit(number, chair, fault)

    def _forfeit(self, number: int, chair: int, fault: Fault) -> None:
        """Take down a fault; the kernel ends the game."""
        lane = self.lanes[number]
        self._keep_traceback(self.members[self.chairs[number, chair]].name, fault)
        self._found(number, self._moment(number, chair), fault)
        lane[ln.ANSWER] = -fault.kind
        self.reasons[int(lane[ln.FIRST_ROW] + lane[ln.GAME])] = fault.reason

    def _keep_traceback(self, name: str, fault: Fault) -> None:
        """Keep where an exception came from, once for each player and kind."""
        error = fault.__cause__
        key = (name, type(error).__name__)
        if error is not None and key not in self.tracebacks:
            # Our own frame, the first, is of no interest.
            trace = error.__traceback__ and error.__traceback__.tb_next
            lines = traceback.format_exception(type(error), error, trace, limit=-20)
            self.tracebacks[key] = "".join(lines)[-4000:]

    def _judge(self, ask: npt.NDArray[np.int64], luck: npt.NDArray[np.float64]) -> None:
        """Rule on an answer the kernel refused.

        A compiled act that faulted is asked again through the interpreter: the author's Python is
        what counts, and it alone can say what went wrong.
        """
        number, chair = int(ask[ASK_LANE, 0]), int(ask[ASK_CHAIR, 0])
        player = self.members[int(self.chairs[number, chair])]
        method = int(self.tables.states[ask[ASK_STATE, 0], METHOD])
        name = ln.METHODS[method]
        view = next(self.views.single(ask, luck, player.remembers))
        action = int(self.lanes[number, ln.ANSWER])
        try:
            if method not in player.native:
                raise illegal(view, action, name)
            with self.watch.over(lambda _call: player.name):
                again = decide(getattr(player.strategy, name), view, name)
            if not is_legal(view, again, name):
                raise illegal(view, again, name)
        except Fault as fault:
            self._forfeit(number, chair, fault)
            return
        self.differences.append(
            f"{player.name}: compiled, {name} gave {action}; interpreted, it gives {again} for "
            f"{view}"
        )
        self.lanes[number, ln.ANSWER] = again

    def _tell(self, number: int, row: int) -> None:
        """Tell the learning players of a lane about the hand in a row of the buffer."""
        for chair in range(self.rules.chairs):
            if (number, chair) in self.learners:
                record = hand_record(self.tables, self.buffers, row, chair)
                learner = self.learners[number, chair]
                moment = replace(
                    self._moment(number, chair),
                    game=record.game,
                    hand=record.hand,
                    decision=HAND_OVER,
                )
                name = self.members[self.chairs[number, chair]].name
                told = self._told(moment, number, name, partial(_hear, learner, record))
                if told is not None:
                    self.learners[number, chair] = told


def _hear(learner: Player, record: HandRecord) -> None:
    learner.hand_over(record)  # what it returns is nobody's business


class _Absent(Player):
    """Stands for a learning player that could not begin or broke down between hands."""

    def __init__(self, fault: Fault) -> None:
        self._fault = fault

    def act(self, view: View) -> int:
        raise self._fault
