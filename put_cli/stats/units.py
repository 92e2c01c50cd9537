"""The independent units of a table, and the variance of its wins estimated from them.

Games are not independent: the two of a mirrored pair share their cards, and a strategy that
remembers its match carries every game into the next. What is independent is the mirrored pair,
when neither strategy has memory; the block (a match and its mirror), when one has, and at tables
of more than two; the single game, without memory or mirroring. This file looks at one table at a
time; `clusters` knows that all tables are dealt the same cards.
"""

from dataclasses import dataclass
from math import sqrt
from typing import Literal

import numpy as np
from numpy.typing import ArrayLike, NDArray
from scipy.special import stdtrit

from put_cli.stats.luce import NOBODY

Kind = Literal["mirrored pairs", "blocks", "games"]

LEVEL = 0.95
"""Of every interval."""

IMAGINED = 2
"""Imagined units won by each place that a variance starts from: see `win_variance`."""


@dataclass(frozen=True, kw_only=True, eq=False)
class Units:
    """What the uncertainty of one table rests on."""

    kind: Kind
    count: int
    variance: NDArray[np.float64]
    """(N, N): covariance of the games each place taken won in all; not zero."""
    assumed: bool = False
    """Whether games had to be taken as independent, for want of two true units."""

    @property
    def freedom(self) -> int:
        """Degrees of freedom of `variance`, at least 1."""
        return max(1, self.count - 1)

    def margin(self, place: int) -> float:
        """Half the width of the 95 % interval of the games a place won."""
        return margin(float(self.variance[place, place]), self.freedom)


def margin(variance: float, freedom: float) -> float:
    """Half the width of a two-sided 95 % interval."""
    return float(stdtrit(freedom, (1 + LEVEL) / 2)) * sqrt(variance)


def table_units(
    seated: NDArray[np.int64],
    won: NDArray[np.int64],
    cells: NDArray[np.int64],
    memory: NDArray[np.bool_],
) -> tuple[Units, ...]:
    """The units of T tables.

    `seated`: (T, N) the strategy at each place, or NOBODY; `won`: (B, T, N) games won by each
    place in each block; `cells`: (T, 3) mirrored pairs of which a won none, one and both, for
    tables of two; `memory`: one flag for each strategy.
    """
    units = []
    for t, who in enumerate(seated):
        here = won[:, t, who != NOBODY]
        blocks = here[here.any(axis=1)]
        if memory[who[who != NOBODY]].any() or won.shape[2] > 2:
            units.append(_blocks(blocks))
        else:
            units.append(_memoryless(blocks.sum(axis=0), cells[t]))
    return tuple(units)


def win_variance(won: ArrayLike, count: ArrayLike, *, imagined: int) -> NDArray[np.float64]:
    """Covariance (N, N) of the total wins of a sample of units, at least two.

    `won`: (K, N) games won by each place in a unit of kind k; `count`: (K,) number of such units.
    Units of unequal size are compared with the overall shares of wins (the ratio estimator: W. G.
    Cochran, Sampling Techniques, 3rd ed. 1977, section 6.3). Filled up to
    `least_variance` where it is less.
    """
    won, count = np.asarray(won, dtype=np.float64), np.asarray(count, dtype=np.float64)
    units = float(count.sum())
    total = count @ won
    share = total / total.sum()
    apart = won - share * won.sum(axis=1, keepdims=True)
    spread: NDArray[np.float64] = (apart.T * count) @ apart * units / (units - 1)
    least = least_variance(share, imagined=imagined)
    return spread + least * max(0.0, 1 - float(np.trace(spread) / np.trace(least)))


def least_variance(share: NDArray[np.float64], *, imagined: int) -> NDArray[np.float64]:
    """The covariance (N, N) of wins that a few imagined units would make by themselves.

    A table at which all units came out alike has no spread to measure, yet is not certain. So its
    variance starts from IMAGINED units of `imagined` games won by each place: the "two successes
    and two failures" of A. Agresti and B. A. Coull, American Statistician 52 (1998) 119. For
    units all won the 95 % margin is then 2.8 units, close to the 3 of the rule of three.
    """
    apart: NDArray[np.float64] = np.eye(len(share)) - share
    least: NDArray[np.float64] = IMAGINED * imagined**2 * apart.T @ apart
    return least


def _memoryless(won: NDArray[np.int64], cells: NDArray[np.int64]) -> Units:
    none, one, both = cells.tolist()
    pairs = none + one + both
    if pairs == 0:
        return _single_games(won)
    # A game without its mirror is a unit of its own.
    loose_a, loose_b = int(won[0]) - one - 2 * both, int(won[1]) - one - 2 * none
    count = pairs + loose_a + loose_b
    if count < 2:
        return _single_games(won, assumed=True)
    kinds = ((0, 2), (1, 1), (2, 0), (1, 0), (0, 1))
    variance = win_variance(kinds, (none, one, both, loose_a, loose_b), imagined=2)
    return Units(kind="mirrored pairs", count=count, variance=variance)


def _blocks(won: NDArray[np.int64]) -> Units:
    places = won.shape[1]
    if len(won) < 2:
        return _single_games(won.sum(axis=0), assumed=True)
    # A whole block would be too much to imagine: it can be longer than all that was played.
    variance = win_variance(won, np.ones(len(won)), imagined=places)
    return Units(kind="blocks", count=len(won), variance=variance)


def _single_games(won: NDArray[np.int64], *, assumed: bool = False) -> Units:
    places, games = len(won), int(won.sum())
    if games < 2:
        variance = least_variance(np.full(places, 1 / places), imagined=1)
        return Units(kind="games", count=games, variance=variance, assumed=assumed)
    variance = win_variance(np.eye(places), won, imagined=1)
    return Units(kind="games", count=games, variance=variance, assumed=assumed)
