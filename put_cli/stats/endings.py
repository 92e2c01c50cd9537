"""How games were won, and which faults there were, counted from games batch by batch."""

from collections import Counter

import numpy as np
from numpy.typing import NDArray

Ints = NDArray[np.int64]

Fault = tuple[str, str, str]
"""Strategy, kind and reason."""

MOST_FAULTS = 1000
"""So many different reasons are kept apart; those that come after these share one line."""

OTHER = "other reasons"


class Endings:
    """The counts of n strategies; add games, then read them."""

    def __init__(self, n: int, hows: int) -> None:
        """`hows`: the number of ways in which a game can be won."""
        self.won = np.zeros((n, hows), np.int64)
        """(n, H): games won by each strategy in each way."""
        self.games = 0
        self.hands = 0
        self.faults: Counter[Fault] = Counter()
        self.first: dict[Fault, tuple[int, ...]] = {}
        """Key of the first game of each fault."""

    def add(self, winner: Ints, how: Ints, hands: Ints) -> None:
        """Count games (R,): who won, in which way, after how many hands."""
        flat = np.ravel_multi_index((winner, how), self.won.shape)
        self.won += np.bincount(flat, minlength=self.won.size).reshape(self.won.shape)
        self.games += len(winner)
        self.hands += int(hands.sum())

    def add_fault(self, fault: Fault, key: tuple[int, ...]) -> None:
        """Count a fault, which ended the game of that key."""
        if fault not in self.faults and len(self.faults) >= MOST_FAULTS:
            fault = (*fault[:2], OTHER)
        self.faults[fault] += 1
        self.first.setdefault(fault, key)
