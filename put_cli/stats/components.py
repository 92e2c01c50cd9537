"""Who is linked to whom by wins: where ratings exist, and in which order the rest stand.

The beat graph has an arrow from i to j when i won a game against j. Within a strongly connected
component Bradley-Terry strengths exist (Ford 1957); between components they do not. In a round
robin the components form a chain, each having won every game against those below it; with
pairings left out the order may be partial. This file knows wins only.
"""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray


@dataclass(frozen=True, kw_only=True)
class Components:
    """The strongly connected components of a beat graph, best first."""

    members: tuple[tuple[int, ...], ...]
    """The strategies of each component, by index."""
    above: NDArray[np.bool_]
    """(C, C): whether component c beat component d, directly or through others."""

    @property
    def reference(self) -> int | None:
        """The component whose ratings are points: the largest, of equals the upper one.

        Of components equally large, one that is linked to more of the others goes first. None
        where no strategy has a game.
        """
        linked = self.above.sum(axis=0) + self.above.sum(axis=1)
        rated = [c for c, group in enumerate(self.members) if len(group) > 1 or linked[c]]
        return max(rated, key=lambda c: (len(self.members[c]), linked[c], -c), default=None)


def split(wins: NDArray[np.float64]) -> Components:
    """The components of a field from `wins` (n, n): games i won against j."""
    reach = _closure(wins > 0)
    same = (reach & reach.T) | np.eye(len(wins), dtype=bool)
    first = np.unique(same.argmax(axis=1)) if len(wins) else np.zeros(0, dtype=np.int64)
    above = reach[np.ix_(first, first)] & ~np.eye(len(first), dtype=bool)
    # Whoever stands below something stands below all that is above it too: sorting by the number
    # of components above puts every component after those that beat it.
    order = np.argsort(above.sum(axis=0), kind="stable")
    members = tuple(tuple(int(i) for i in np.flatnonzero(same[first[c]])) for c in order)
    return Components(members=members, above=above[np.ix_(order, order)])


def _closure(arrows: NDArray[np.bool_]) -> NDArray[np.bool_]:
    """Which nodes reach which by one arrow or more: (n, n) from arrows (n, n)."""
    reach = arrows
    while True:
        longer = reach | (reach.astype(np.float64) @ reach.astype(np.float64) > 0)
        if np.array_equal(longer, reach):
            return reach
        reach = longer
