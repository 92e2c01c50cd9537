"""The Plackett-Luce model of finishing orders, by way of Luce's.

An order is a row of choices: the first place is chosen among all, the second among the rest, and
so on; strategy i is chosen with chance exp(s_i) over the sum of exp(s_j) of those left (R. L.
Plackett, Applied Statistics 24 (1975) 193). So an order is as many games of Luce's model, and
`luce` fits them. Who finished level counts as if lots had been drawn, averaged over all ways they
could fall.
"""

from collections import defaultdict
from collections.abc import Iterator, Sequence
from functools import lru_cache
from itertools import combinations
from math import comb

import numpy as np
from numpy.typing import NDArray

from put_cli.stats import luce

Choice = tuple[tuple[int, ...], tuple[float, ...]]
"""The places left to choose from, and how much of a choice went to each."""

Levels = tuple[int, ...]
"""By place, how many finished ahead: equal numbers finished level."""


@lru_cache(maxsize=200_000)
def choices(levels: Levels) -> tuple[Choice, ...]:
    """The choices that an order consists of; those of the last place alone say nothing."""
    return tuple(_choices(levels))


def _choices(levels: Levels) -> Iterator[Choice]:
    for level in sorted(set(levels)):
        group = [place for place, own in enumerate(levels) if own == level]
        behind = [place for place, own in enumerate(levels) if own > level]
        for gone in range(len(group)):
            if len(group) - gone + len(behind) < 2:
                continue
            # The chance that just these of the group are gone, shared by those of it left.
            share = 1.0 / (comb(len(group), gone) * (len(group) - gone))
            for taken in combinations(group, gone):
                left = sorted(set(group) - set(taken) | set(behind))
                won = tuple(share if place in group else 0.0 for place in left)
                yield tuple(left), won


def levels_of(chips: NDArray[np.int64]) -> NDArray[np.int64]:
    """(G, N) from what each of N places won: how many won more than it."""
    return np.asarray((chips[:, :, None] < chips[:, None, :]).sum(axis=2))


class Orders:
    """Finishing orders of a field, counted up."""

    def __init__(self, strategies: int) -> None:
        self.strategies = strategies
        self._counts: dict[tuple[Levels, tuple[int, ...]], int] = defaultdict(int)

    def add(self, members: Sequence[int], levels: NDArray[np.int64]) -> None:
        """Sessions of one table of strategies `members`: levels (G, N)."""
        who = tuple(members)
        for row, count in zip(*np.unique(levels, axis=0, return_counts=True), strict=True):
            self._counts[tuple(row.tolist()), who] += int(count)

    def games(self) -> luce.Played:
        """The orders as games of Luce's model."""
        won: dict[tuple[int, ...], NDArray[np.float64]] = {}
        for (levels, members), count in self._counts.items():
            for left, shares in choices(levels):
                who = tuple(members[place] for place in left)
                won.setdefault(who, np.zeros(len(who)))
                won[who] += count * np.array(shares)
        places = max(map(len, won), default=2)
        seated = np.full((len(won), places), luce.NOBODY)
        wins = np.zeros((len(won), places))
        for row, (who, each) in enumerate(won.items()):
            seated[row, : len(who)], wins[row, : len(who)] = who, each
        return luce.Played(n=self.strategies, seated=seated, wins=wins)


def scores(
    members: Sequence[int], levels: NDArray[np.int64], strengths: NDArray[np.float64]
) -> NDArray[np.float64]:
    """(G, N): by how much each place of a table beat what the model expects, in choices."""
    kinds, which = np.unique(levels, axis=0, return_inverse=True)
    weight = np.exp(strengths[list(members)])
    found = np.zeros(kinds.shape)
    for row, kind in enumerate(kinds.tolist()):
        for left, shares in choices(tuple(kind)):
            at = list(left)
            found[row, at] += np.array(shares) - sum(shares) * weight[at] / weight[at].sum()
    return np.asarray(found[which.reshape(-1)])
