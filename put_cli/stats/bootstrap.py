"""Intervals for figures that have no formula: the run played again from its own blocks of deals.

Blocks are drawn with replacement, each with the results of all pairings on its deals, so whatever
pairings have in common stays together (B. Efron, Annals of Statistics 7 (1979) 1). The draws come
from a seed, the only chance in statistics.
"""

from collections.abc import Callable

import numpy as np
from numpy.typing import NDArray

from put_cli.stats.units import LEVEL


def resampled(won: NDArray[np.int64], draws: int, seed: int) -> NDArray[np.int64]:
    """Games won (draws, T, N) in runs of as many blocks, drawn from `won` (B, T, N)."""
    blocks = len(won)
    rng = np.random.Generator(np.random.Philox(seed))
    times = rng.multinomial(blocks, np.full(blocks, 1 / blocks), size=draws)
    return np.asarray(np.tensordot(times, won, axes=1))


def interval(
    won: NDArray[np.int64],
    figures: Callable[[NDArray[np.int64]], NDArray[np.float64]],
    *,
    draws: int = 1000,
    seed: int = 0,
) -> NDArray[np.float64]:
    """95 % intervals (2, F) of `figures`, which makes (F,) figures of games won (T, N).

    `won`: (B, T, N) games won in each block of deals, two blocks at least. The ends are quantiles
    of the figures of the resampled runs.
    """
    found = np.stack([figures(each) for each in resampled(won, draws, seed)])
    return np.asarray(np.quantile(found, [(1 - LEVEL) / 2, (1 + LEVEL) / 2], axis=0))
