"""Where the decisions that compiled code does not take are taken, many lanes at a time.

The kernel writes down what it waits for; here players in Python are asked, one by one or in
batches, and those of other processes are sent what is theirs.
"""

from collections.abc import Iterable, Iterator
from contextlib import AbstractContextManager
from functools import cached_property
from typing import Any

import numpy as np
import numpy.typing as npt

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
)
from put_cli.engine.learners import Learners, Witness
from put_cli.engine.ledger import Ledger
from put_cli.engine.matches import Buffers
from put_cli.engine.players import BATCH, INTERPRETED, Contestant
from put_cli.engine.remote import Lost, Remote
from put_cli.engine.seating import Seating
from put_cli.engine.tables import METHOD
from put_cli.engine.view import ASK_CHAIR, ASK_LANE, ASK_STATE, ASK_STATUS
from put_cli.engine.views import Views
from put_cli.engine.watch import Watch

_Asks = npt.NDArray[np.int64]
_Lucks = npt.NDArray[np.float64]


class Desk:
    """Answers for every lane that waits."""

    def __init__(
        self,
        seating: Seating,
        ledger: Ledger,
        buffers: Buffers,
        watch: Watch,
        witness: Witness | None,
    ) -> None:
        self._seating = seating
        self._tables = seating.tables
        self._lanes = seating.lanes
        self._chairs = seating.chairs
        self._members = members = seating.members
        self._ledger = ledger
        self._buffers = buffers
        self._watch = watch
        self._witness = witness
        self.learners = Learners(seating, ledger, watch, witness)
        self._in_batches = [i for i, each in enumerate(members) if each.tier == BATCH]
        remotes = {id(each.remote): each.remote for each in members if each.remote}
        self._remotes: list[tuple[Remote, npt.NDArray[np.bool_]]] = [
            (remote, np.array([each.remote is remote for each in members]))
            for remote in remotes.values()
        ]
        self._memory = np.array([m.remembers and ln.ACT not in m.native for m in members])
        self._remembers = bool(self._memory.any())
        # `act` of all that are asked one by one
        self._acts = np.empty(self._chairs.shape, object)

    @cached_property
    def _views(self) -> Views:
        """Made when Python is asked for the first time."""
        return Views(self._tables)

    def begin(self) -> None:
        """Seat the players of Python before anything is dealt.

        Raises:
            Lost: by a learning player of another process.
        """
        members, chairs, lanes = self._members, self._chairs, self._lanes
        for number, member in enumerate(members):
            if member.tier == INTERPRETED:
                self._acts[chairs == number] = member.strategy.act
        # Players of known forfeits are asked, to be refused.
        for number, forfeits in self._ledger.known.items():
            for chair in {each.chair for each in forfeits}:
                lanes[number, ln.CODE + chair : ln.PARAMETERS : ln.MAX_CHAIRS] = 0
                self._acts[number, chair] = members[chairs[number, chair]].strategy.act
        for remote, _ in self._remotes:
            remote.open(self._tables.rules, self._watch)
        self.learners.begin()
        for number, chair in np.argwhere(self._learn_here()).tolist():
            self._acts[number, chair] = self.learners.act(number, chair)

    def _learn_here(self) -> npt.NDArray[np.bool_]:
        here = np.array([each.learns and each.remote is None for each in self._members])
        learns: npt.NDArray[np.bool_] = here[self._chairs]
        return learns

    def answer(self, asks: _Asks, lucks: _Lucks) -> None:
        """Take every waiting lane's decision and write it into the lane.

        Raises:
            Lost: by a learning player of another process.
        """
        status = asks[ASK_STATUS]
        if (status != ln.ASK).any():
            hands = asks[:2, status == ln.HAND_OVER].T.tolist()
            if hands:
                self.learners.hand_over(hands, self._buffers)
            for position in np.flatnonzero(status == ln.JUDGE).tolist():
                self._judge(asks[:, position : position + 1], lucks[position : position + 1])
            asks, lucks = asks[:, status == ln.ASK], lucks[status == ln.ASK]
        if self._ledger.any_due:
            left = self._forfeit_due(asks)
            asks, lucks = asks[:, left], lucks[left]
        for method in self._tables.methods[1:]:
            mine = self._tables.states[asks[ASK_STATE], METHOD] == method
            if mine.any():
                self._ask_all(method, asks[:, mine], lucks[mine])
                asks, lucks = asks[:, ~mine], lucks[~mine]
        if lucks.size:
            self._ask_all(ln.ACT, asks, lucks)

    def _forfeit_due(self, asks: _Asks) -> npt.NDArray[np.bool_]:
        """Forfeit what is due by now; which asks are left."""
        ledger, numbers, chairs = self._ledger, asks[ASK_LANE], asks[ASK_CHAIR]
        left = np.ones(numbers.shape, bool)
        suspected = ledger.marked[numbers] | (ledger.struck[self._chairs[numbers, chairs]] > 0)
        for position in np.flatnonzero(suspected).tolist():
            number, chair = int(numbers[position]), int(chairs[position])
            due = ledger.due(number, self._seating.moment(number, chair))
            if due:
                ledger.forfeit(number, chair, due)
                left[position] = False
        return left

    def _ask_all(self, method: int, asks: _Asks, lucks: _Lucks) -> None:
        """Ask a method of everybody; other processes decide while this one does."""
        sent: list[tuple[Remote, _Asks]] = []
        for remote, who in self._remotes:
            mine = who[self._chairs[asks[ASK_LANE], asks[ASK_CHAIR]]]
            if mine.any():
                there = self._send(remote, method, asks[:, mine], lucks[mine])
                sent += [(remote, there)] if there.size else []
                asks, lucks = asks[:, ~mine], lucks[~mine]
        if method == ln.ACT:
            for player in self._in_batches:
                mine = self._chairs[asks[ASK_LANE], asks[ASK_CHAIR]] == player
                if mine.any():
                    self._ask_batch(self._members[player], asks[:, mine], lucks[mine])
                    asks, lucks = asks[:, ~mine], lucks[~mine]
            if lucks.size:
                self._ask(asks, lucks)
        elif lucks.size:
            self._ask_before(method, asks, lucks)
        for remote, there in sent:
            self._receive(remote, there)

    def _send(self, remote: Remote, method: int, asks: _Asks, lucks: _Lucks) -> _Asks:
        """Send decisions to another process; those it was sent."""
        absent = self.learners.absent
        if absent:
            gone = np.zeros(lucks.size, bool)
            for position, (number, chair) in enumerate(asks[[ASK_LANE, ASK_CHAIR]].T.tolist()):
                if fault := absent.get((number, chair)):
                    self._ledger.forfeit(number, chair, fault)
                    gone[position] = True
            asks, lucks = asks[:, ~gone], lucks[~gone]
        if lucks.size:
            numbers, chairs = asks[ASK_LANE], asks[ASK_CHAIR]
            memory = np.array([each.remembers for each in self._members])
            views = self._views.single(asks, lucks, memory[self._chairs[numbers, chairs]])
            keys = map(self.learners.key, numbers.tolist(), chairs.tolist())
            remote.ask(ln.METHODS[method], list(keys), list(views))
        return asks

    def _receive(self, remote: Remote, asks: _Asks) -> None:
        try:
            self._write(asks, remote.answers())
        except Lost as lost:
            if lost.position is not None and lost.fault is not None:
                number, chair = asks[[ASK_LANE, ASK_CHAIR], lost.position].tolist()
                self._ledger.forfeit(number, chair, lost.fault)
                if self.learners.only_one(remote):
                    return
            raise

    def _ask(self, asks: _Asks, lucks: _Lucks) -> None:
        """One call of `act` for each decision, whoever is to take it."""
        numbers, chairs = asks[ASK_LANE], asks[ASK_CHAIR]
        memory = self._remembers and self._memory[self._chairs[numbers, chairs]]
        acts = self._acts[numbers, chairs].tolist()
        if self._witness:
            acts = self._witnessed(asks, acts)
        answers = interpret(
            acts, lambda: self._views.single(asks, lucks, memory), watched=self._watched(asks)
        )
        self._write(asks, answers)

    def _ask_batch(self, player: Contestant, asks: _Asks, lucks: _Lucks) -> None:
        """One call of `act_batch` for all decisions of a player.

        With a witness it is one for each, so that it knows which of them a call does not return
        from: an answer does not depend on the size of its batch.
        """
        if self._witness and lucks.size > 1:
            for position in range(lucks.size):
                one = slice(position, position + 1)
                self._ask_batch(player, asks[:, one], lucks[one])
            return
        views, memory = self._views, player.remembers
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

    def _ask_before(self, method: int, asks: _Asks, lucks: _Lucks) -> None:
        """One call for each decision before the tricks; these are few."""
        numbers, name = asks[ASK_LANE], ln.METHODS[method]
        members = self._chairs[numbers, asks[ASK_CHAIR]].tolist()
        memory = np.array([self._members[member].remembers for member in members])
        keys = zip(numbers.tolist(), asks[ASK_CHAIR].tolist(), strict=True)
        acts = [
            getattr(self.learners.get(*key), name, None)
            or getattr(self._members[member].strategy, name)
            for key, member in zip(keys, members, strict=True)
        ]
        answers = interpret(
            self._witnessed(asks, acts),
            lambda: self._views.single(asks, lucks, memory),
            name,
            self._watched(asks),
        )
        self._write(asks, answers)

    def _write(self, asks: _Asks, answers: Answers) -> None:
        """Write answers into their lanes."""
        actions, faults = answers
        self._lanes[asks[ASK_LANE], ln.ANSWER] = actions
        for position, fault in faults.items():
            number, chair = asks[[ASK_LANE, ASK_CHAIR], position].tolist()
            self._ledger.forfeit(number, chair, fault)

    def _watched(self, asks: _Asks) -> Watched:
        """The watch over calls for these decisions."""
        last = asks.shape[1] - 1

        def who(call: int) -> str:
            number, chair = asks[:, min(call, last)][[ASK_LANE, ASK_CHAIR]].tolist()
            return self._seating.member(number, chair).name

        def over(done: Any, decisions: int) -> AbstractContextManager[None]:
            return self._watch.over(who, done, decisions)

        return over

    def _witnessed(self, asks: _Asks, calls: Iterable[Any]) -> Iterator[Any]:
        """The same calls; the witness hears of each when it is fetched."""
        for (number, chair), call in zip(
            asks[[ASK_LANE, ASK_CHAIR]].T.tolist(), calls, strict=True
        ):
            if self._witness:
                name = self._seating.member(number, chair).name
                self._witness(self._seating.moment(number, chair), name)
            yield call

    def _judge(self, ask: _Asks, luck: _Lucks) -> None:
        """Rule on an answer the kernel refused.

        A compiled act that faulted is asked again through the interpreter: the author's Python is
        what counts, and it alone can say what went wrong.
        """
        number, chair = int(ask[ASK_LANE, 0]), int(ask[ASK_CHAIR, 0])
        player = self._seating.member(number, chair)
        method = int(self._tables.states[ask[ASK_STATE, 0], METHOD])
        name = ln.METHODS[method]
        view = next(self._views.single(ask, luck, player.remembers))
        action = int(self._lanes[number, ln.ANSWER])
        try:
            if method not in player.native:
                raise illegal(view, action, name)
            with self._watch.over(lambda _call: player.name):
                again = decide(getattr(player.strategy, name), view, name)
            if not is_legal(view, again, name):
                raise illegal(view, again, name)
        except Fault as fault:
            self._ledger.forfeit(number, chair, fault)
            return
        self._ledger.differences.append(
            f"{player.name}: compiled, {name} gave {action}; interpreted, it gives {again} for "
            f"{view}"
        )
        self._lanes[number, ln.ANSWER] = again
