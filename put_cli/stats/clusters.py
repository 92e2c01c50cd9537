"""The scatter of what everybody won, when all tables are dealt the same cards.

Block b of every pairing has the same deals, so a strategy that misplays a deal misplays it against
everyone, and results of different pairings are not independent. The independent unit of a whole
field is therefore the block, over all pairings: residuals are added up within a block first, and
their squares after (K.-Y. Liang and S. L. Zeger, Biometrika 73 (1986) 13). Where there is one
table only, or one block, the units of each table have to do.
"""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from put_cli.stats.luce import NOBODY
from put_cli.stats.units import Units, least_variance

CHUNK = 1024
"""Blocks whose residuals are in memory at a time."""


@dataclass(frozen=True, kw_only=True, eq=False)
class Scatter:
    """The covariance of the wins of k strategies beyond expectation, over all their games."""

    observed: NDArray[np.float64]
    """(k, k): as measured."""
    least: NDArray[np.float64]
    """(k, k): what a few imagined units of each table would make by themselves."""
    apart: NDArray[np.float64]
    """(k, k): what it would be if tables were independent."""
    apart_over_freedom: NDArray[np.float64]
    """(k, k): the same, each table's part divided by its degrees of freedom."""
    blocks: int | None
    """Blocks of deals that were compared over all tables; 0 where there was but one, so that
    tables had to be taken as independent. None for one table, which needs no such comparison."""

    def variance(self, contrast: NDArray[np.float64]) -> float:
        """Variance of `contrast` (k,), not less than what is never certain."""
        return max(
            float(contrast @ self.observed @ contrast), float(contrast @ self.least @ contrast)
        )

    def freedom(self, contrast: NDArray[np.float64]) -> float:
        """Degrees of freedom of the variance of `contrast` (k,): one less than the blocks.

        Where tables rest on different numbers of units, the harmonic mean, by what they add.
        """
        own = float(contrast @ self.apart @ contrast)
        return own / float(contrast @ self.apart_over_freedom @ contrast)


def scatter(
    n: int, seated: NDArray[np.int64], won: NDArray[np.int64], units: Sequence[Units]
) -> Scatter:
    """The scatter of `n` strategies at T tables.

    `seated`: (T, N) the strategy at each place, or NOBODY, who wins nothing; `won`: (B, T, N)
    games won in each block, some at every table; `units`: of each table.
    """
    tables, places = seated.shape
    size = won.sum(axis=2)
    blocks = np.count_nonzero(size, axis=0)
    shared = (blocks > 1) & (tables > 1)
    share = won.sum(axis=0) / size.sum(axis=0)[:, None]
    # Unbiased within each table, also where an interrupted run has fewer blocks of it.
    scale = np.where(shared, np.sqrt(blocks / np.maximum(blocks - 1, 1)), 0.0)
    sitting = (seated.reshape(-1, 1) == np.arange(n)).astype(np.float64)
    observed = np.zeros((n, n))
    by_table = np.zeros((tables, places, places))
    for start in range(0, len(won), CHUNK):
        part = slice(start, start + CHUNK)
        residual = (won[part] - share * size[part, :, None]) * scale[:, None]
        by_table += np.einsum("bti,btj->tij", residual, residual)
        scores = residual.reshape(len(residual), -1) @ sitting
        observed += scores.T @ scores

    least, apart, over_freedom = np.zeros((n, n)), np.zeros((n, n)), np.zeros((n, n))
    for t in range(tables):
        taken = np.flatnonzero(seated[t] != NOBODY)
        square = np.ix_(seated[t, taken], seated[t, taken])
        if shared[t]:
            floor = least_variance(share[t, taken], imagined=places)
            alone = by_table[t][np.ix_(taken, taken)] + floor  # for freedom only: never zero
            freedom = int(blocks[t]) - 1
            least[square] += floor
        else:
            alone, freedom = units[t].variance, units[t].freedom
            observed[square] += alone
        apart[square] += alone
        over_freedom[square] += alone / freedom
    return Scatter(
        observed=observed,
        least=least,
        apart=apart,
        apart_over_freedom=over_freedom,
        blocks=int(blocks[shared].max(initial=0)) if tables > 1 else None,
    )
