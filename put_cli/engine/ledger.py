"""The faults of a call of `play`: what is known from before, what happens now, what it costs."""

from collections import Counter
from collections.abc import Sequence

import numpy as np

from put_cli.engine import lanes as ln
from put_cli.engine.asking import Fault, trace_of
from put_cli.engine.forfeits import STRIKES, Forfeit, Moment, at, rest_of_match, struck
from put_cli.engine.seating import Seating


class Ledger:
    """Takes down every fault, and knows the forfeits that are due."""

    def __init__(
        self, seating: Seating, forfeits: Sequence[Forfeit], strikes: Sequence[Forfeit]
    ) -> None:
        self._seating = seating
        self.reasons: dict[int, str] = {}
        """By row of the games."""
        self.differences: list[str] = []
        self.tracebacks: dict[tuple[str, str], str] = {}
        self.found: list[Forfeit] = []
        """New ones."""
        self.known = self._by_lane(forfeits)
        self.marked = np.zeros(len(seating.fixtures), bool)  # lanes with a known forfeit
        self.marked[list(self.known)] = True
        self._strikes: Counter[int] = Counter()
        self.struck = np.zeros(len(seating.members), np.int64)  # by member: kind; 0 for not yet
        self._struck_in: set[tuple[int, int]] = set()
        for number, known in self.known.items():
            for each in known:
                if each in strikes:
                    self._strike(number, each)

    def _by_lane(self, forfeits: Sequence[Forfeit]) -> dict[int, list[Forfeit]]:
        if not forfeits:
            return {}
        keys = {(f.pairing, f.block, f.mirror): n for n, f in enumerate(self._seating.fixtures)}
        known: dict[int, list[Forfeit]] = {}
        for each in forfeits:
            if each.match in keys:
                known.setdefault(keys[each.match], []).append(each)
        return known

    @property
    def any_due(self) -> bool:
        """Whether any decision can be forfeited without being asked."""
        return bool(self.known or self.found)

    def due(self, number: int, moment: Moment) -> Fault | None:
        """The fault that this moment of a lane is known to end in, or ends in for earlier ones."""
        for each in self.known.get(number, ()):
            if at(moment, each.kind, each.reason) == each:
                return Fault(each.kind, each.reason)
        kind = int(self.struck[self._seating.chairs[number, moment.chair]])
        if self.marked[number] or not kind:
            return None
        if (number, moment.chair) not in self._struck_in:  # once a match: at the first moment
            self._struck_in.add((number, moment.chair))
            self.found.append(at(moment, kind, struck(kind)))
        return Fault(kind, struck(kind))

    def forfeit(self, number: int, chair: int, fault: Fault) -> None:
        """Take down a fault at the decision that a lane waits for; the kernel ends the game."""
        lane = self._seating.lanes[number]
        self.note(number, self._seating.moment(number, chair), fault)
        lane[ln.ANSWER] = -fault.kind
        self.reasons[int(lane[ln.FIRST_ROW] + lane[ln.GAME])] = fault.reason

    def note(self, number: int, moment: Moment, fault: Fault) -> None:
        """Keep where a fault came from, and the moment of one that another time might not be."""
        self._keep_traceback(self._seating.member(number, moment.chair).name, fault)
        if fault.once:
            self.found.append(at(moment, fault.kind, fault.reason))
            self._strike(number, self.found[-1])

    def _strike(self, number: int, forfeit: Forfeit) -> None:
        """A player that has enough of them forfeits all its other matches here."""
        member = int(self._seating.chairs[number, forfeit.chair])
        self._strikes[member] += 1
        if self._strikes[member] >= STRIKES:
            self.struck[member] = forfeit.kind

    def _keep_traceback(self, name: str, fault: Fault) -> None:
        """Keep where an exception came from, once for each player and kind."""
        error = fault.__cause__
        kind = fault.told[0] if fault.told else type(error).__name__
        if (fault.told or error) and (name, kind) not in self.tracebacks:
            self.tracebacks[name, kind] = fault.told[1] if fault.told else trace_of(error)

    def explain_unplayed(self, hands: "Sequence[int]") -> None:
        """Why games were lost without a hand: for the last fault before them.

        `hands` has the number of each game.
        """
        lanes = self._seating.lanes
        for lane in lanes[lanes[:, ln.OUT] > 0]:
            first = int(lane[ln.FIRST_ROW])
            rows = range(first, first + int(lane[ln.GAMES]))
            last = max(row for row in rows if hands[row])
            why = rest_of_match(last - first, self.reasons[last])
            self.reasons |= dict.fromkeys(range(last + 1, rows.stop), why)
