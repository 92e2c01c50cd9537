"""Two runs on the same deals: who did better on them, and how sure is that?

The cards of a block depend on the seed alone, so the results of two runs can be subtracted block
by block. What good cards did for both falls out, and far fewer games show a difference.
"""

from dataclasses import dataclass
from math import hypot

import numpy as np
from numpy.typing import NDArray

from put_cli.stats.units import margin


@dataclass(frozen=True, kw_only=True)
class Difference:
    """A strategy of one run beside the one in its place in the other."""

    place: int
    """Its place among the strategies of either run."""
    first: float
    """What it won in the first run."""
    second: float
    margin: float
    """Half the width of the 95 % interval of `difference`, deal for deal."""
    alone: float
    """The same, had the two runs had different deals."""

    @property
    def difference(self) -> float:
        """How much more the second won."""
        return self.second - self.first


@dataclass(frozen=True, kw_only=True)
class Compared(Difference):
    """The shares of games won."""

    games: int
    """Games of each run that are compared."""


def compare(
    n: int, seated: NDArray[np.int64], first: NDArray[np.int64], second: NDArray[np.int64]
) -> tuple[Compared, ...]:
    """Every strategy of `n` that played two blocks in both runs, in its place.

    `seated`: (T, N) strategies at the tables of both; `first`, `second`: (B, T, N) games won in
    each block. Blocks of a table that have not the same number of games in both are left out.
    Raises ValueError where fewer than two blocks are left.
    """
    blocks = min(len(first), len(second))
    first, second = first[:blocks], second[:blocks]
    sizes = first.sum(axis=2)
    same = sizes == second.sum(axis=2)
    played = (same & (sizes > 0)).any(axis=1)
    if played.sum() < 2:
        raise ValueError(f"expected two blocks of the same deals at least, got {played.sum()}")
    one, other = (np.where(same[..., None], won, 0)[played] for won in (first, second))
    games = np.where(same, sizes, 0)[played]
    found = []
    for i in range(n):
        here = seated == i
        size = games[:, here.any(axis=1)].sum(axis=1)
        total = int(size.sum())
        if np.count_nonzero(size) > 1:
            won = one[:, here].sum(axis=1), other[:, here].sum(axis=1)
            found.append(
                Compared(
                    place=i,
                    games=total,
                    first=float(won[0].sum()) / total,
                    second=float(won[1].sum()) / total,
                    margin=_margin(won[1] - won[0], size),
                    alone=hypot(*(_margin(each, size) for each in won)),
                )
            )
    return tuple(found)


def _margin(won: NDArray[np.int64], size: NDArray[np.int64]) -> float:
    """95 % margin of a share of games, blocks (B,) being the units."""
    units, total = int(np.count_nonzero(size)), float(size.sum())
    apart = won - float(won.sum()) / total * size
    return margin(float((apart**2).sum()) * units / (units - 1), units - 1) / total
