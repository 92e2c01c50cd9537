"""The players that learn: one for each match and chair, told when it begins and of every hand."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from functools import partial
from typing import Any

import numpy as np

from put_cli.engine.asking import Fault, raised
from put_cli.engine.forfeits import BEGIN_MATCH, HAND_OVER, Moment
from put_cli.engine.hearing import hand_record
from put_cli.engine.lanes import NONSENSE
from put_cli.engine.ledger import Ledger
from put_cli.engine.matches import Buffers
from put_cli.engine.remote import Faults, Lost, Remote
from put_cli.engine.seating import Seating
from put_cli.engine.watch import Watch
from put_cli.strategy import HandRecord, Player, View

Witness = Callable[[Moment, str], None]
"""Is told of every call of a player, by its name, before it is made."""


@dataclass(frozen=True)
class _Told:
    """Something that the player of a chair in a lane is to be told."""

    number: int
    chair: int
    moment: Moment
    what: Any
    """A Match that begins, or a HandRecord."""


class Learners:
    """All that learn in a call of `play`, wherever they are."""

    def __init__(
        self, seating: Seating, ledger: Ledger, watch: Watch, witness: Witness | None
    ) -> None:
        self._seating = seating
        self._ledger = ledger
        self._watch = watch
        self._witness = witness
        self._players: dict[tuple[int, int], Player] = {}
        """Those of this process, by lane and chair."""
        self.absent: dict[tuple[int, int], Fault] = {}
        """Those elsewhere that could not begin or broke down between hands."""
        learns = np.array([each.learns for each in seating.members])
        self._chairs: dict[int, list[int]] = {}
        for number, chair in np.argwhere(learns[seating.chairs]).tolist():
            self._chairs.setdefault(number, []).append(chair)

    def __bool__(self) -> bool:
        return bool(self._chairs)

    def get(self, number: int, chair: int) -> Player | None:
        """The learning player of this process in a chair, if there is one."""
        return self._players.get((number, chair))

    def act(self, number: int, chair: int) -> Callable[[View], Any]:
        """Its `act`, looked up at every decision: it may change it, or be gone by then."""
        players = self._players
        return lambda view: players[number, chair].act(view)

    def begin(self) -> None:
        """Every match begins.

        Raises:
            Lost: by one of another process.
        """
        seating, far = self._seating, []
        for number, chairs in self._chairs.items():
            for chair in chairs:
                start = replace(seating.moment(number, chair), game=0, hand=0, decision=BEGIN_MATCH)
                told = _Told(number, chair, start, seating.match(number, chair))
                if seating.member(number, chair).remote is None:
                    self._players[number, chair] = self._begun(told)
                else:
                    far.append(told)
        self._tell_far(far, lambda remote, matches: remote.begin(matches))

    def _begun(self, told: _Told) -> Player:
        player = self._seating.member(told.number, told.chair)
        learner: Any = self._tell(told, lambda: player.strategy.begin_match(told.what))
        if callable(getattr(learner, "act", None)):
            return learner  # type: ignore[no-any-return]
        reason = f"begin_match returned {repr(learner)[:80]}, which is no Player"
        return _Absent(Fault(NONSENSE, reason))

    def hand_over(self, rows: Sequence[tuple[int, int]], buffers: Buffers) -> None:
        """Hands are finished: each a lane and its row in the buffers.

        Raises:
            Lost: by one of another process.
        """
        seating, far = self._seating, []
        for number, row in rows:
            for chair in self._chairs.get(number, ()):
                record = hand_record(seating.tables, buffers, row, chair)
                moment = replace(
                    seating.moment(number, chair),
                    game=record.game,
                    hand=record.hand,
                    decision=HAND_OVER,
                )
                told = _Told(number, chair, moment, record)
                if (number, chair) not in self._players:
                    far.append(told)
                    continue
                learner = self._players[number, chair]
                instead = self._tell(told, partial(_hear, learner, record))
                if instead is not None:
                    self._players[number, chair] = instead
        self._tell_far(far, lambda remote, records: remote.hand_over(records))

    def _tell(self, told: _Told, tell: Callable[[], Any]) -> Any:
        """What a learning player answers to `tell`, or the player that stands for it then.

        It has played the hand; what it cannot learn from costs it the next decision.
        """
        if due := self._ledger.due(told.number, told.moment):
            return _Absent(due)
        name = self._seating.member(told.number, told.chair).name
        if self._witness:
            self._witness(told.moment, name)
        try:
            with self._watch.over(lambda _call: name):
                return tell()
        except BaseException as error:
            fault = raised(error)
            self._ledger.note(told.number, told.moment, fault)
            return _Absent(Fault(fault.kind, fault.reason))

    def _tell_far(
        self, told: Sequence[_Told], tell: Callable[[Remote, Sequence[tuple[int, Any]]], Faults]
    ) -> None:
        """The same for players of other processes, all of a process at once."""
        by_remote: dict[int, tuple[Remote, list[_Told]]] = {}
        for each in told:
            remote = self._seating.member(each.number, each.chair).remote
            assert remote is not None
            if (each.number, each.chair) in self.absent:
                continue
            if due := self._ledger.due(each.number, each.moment):
                self.absent[each.number, each.chair] = due
                continue
            by_remote.setdefault(id(remote), (remote, []))[1].append(each)
        for remote, sent in by_remote.values():
            try:
                found = tell(remote, [(self.key(one.number, one.chair), one.what) for one in sent])
            except Lost as lost:
                if lost.position is not None and lost.fault is not None:
                    one = sent[lost.position]
                    self._ledger.note(one.number, one.moment, lost.fault)
                    if self.only_one(remote):
                        self.absent[one.number, one.chair] = lost.fault
                        continue
                raise
            for position, fault in found.items():
                one = sent[position]
                self._ledger.note(one.number, one.moment, fault)
                self.absent[one.number, one.chair] = Fault(fault.kind, fault.reason)

    def only_one(self, remote: Remote) -> bool:
        """Whether a process has one match to play: then nothing is lost with it but that."""
        seats = ((number, chair) for number, chairs in self._chairs.items() for chair in chairs)
        return sum(self._seating.member(*seat).remote is remote for seat in seats) == 1

    def key(self, number: int, chair: int) -> int:
        """The number by which another process knows a match; 0 where its player does not learn."""
        if chair not in self._chairs.get(number, ()):
            return 0
        return 1 + number * self._seating.tables.rules.chairs + chair


def _hear(learner: Player, record: HandRecord) -> None:
    learner.hand_over(record)  # what it returns is nobody's business


class _Absent(Player):
    """Stands for a learning player that could not begin or broke down between hands."""

    def __init__(self, fault: Fault) -> None:
        self._fault = fault

    def act(self, view: View) -> int:
        raise self._fault
