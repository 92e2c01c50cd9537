"""The independent units of a pairing, and the variance of its wins estimated from them.

Games are not independent: the two of a mirrored pair share their cards, and a strategy that
remembers its match carries every game into the next. What is independent is the mirrored pair,
when neither strategy has memory; the block (a match and its mirror), when one has; the single
game, without memory or mirroring. Pairings are taken as independent of each other.
"""

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Literal

import numpy as np
from numpy.typing import ArrayLike

from put_cli.stats.sums import Sums

Kind = Literal["mirrored pairs", "blocks", "games"]

IMAGINED = 2
"""Imagined units won, and as many lost, that a variance starts from: see `win_variance`."""


@dataclass(frozen=True, kw_only=True)
class Units:
    """What the uncertainty of one pairing rests on."""

    kind: Kind
    count: int
    variance: float
    """Variance of the number of games a won in the pairing; positive."""
    assumed: bool = False
    """Whether games had to be taken as independent, for want of two true units."""

    @property
    def freedom(self) -> int:
        """Degrees of freedom of `variance`, at least 1."""
        return max(1, self.count - 1)


def pairing_units(
    sums: Sums, *, pairs: Sequence[tuple[int, int]], memory: Sequence[bool]
) -> tuple[Units, ...]:
    """The units of every pairing, in the order of `pairs`; `memory`: one flag a strategy."""
    units = []
    for p, (i, j) in enumerate(pairs):
        total = {name: int(counts[p]) for name, counts in sums.totals.items()}
        remembered = memory[i] or memory[j]
        units.append(_blocks(total, sums.blocks[p]) if remembered else _memoryless(total))
    return tuple(units)


def win_variance(won: ArrayLike, size: ArrayLike, count: ArrayLike, *, imagined: int) -> float:
    """Variance of the total wins of a sample of units, at least two.

    `won`, `size`, `count`: (K,) games won by a and games played in a unit of kind k, and the
    number of such units. Units of unequal size are compared with the overall share of wins (the
    ratio estimator: W. G. Cochran, Sampling Techniques, 3rd ed. 1977, section 6.3).

    A pairing in which all units came out alike has no spread to measure, yet is not certain. So
    the variance is never less than two imagined units won and two lost, of `imagined` games each,
    would make it by themselves: the "two successes and two failures" of A. Agresti and
    B. A. Coull, American Statistician 52 (1998) 119. For units all won the 95 % margin is then
    2.8 units, close to the 3 of the rule of three.
    """
    won, size, count = (np.asarray(numbers, dtype=np.float64) for numbers in (won, size, count))
    units = float(count.sum())
    share = float((won * count).sum() / (size * count).sum())
    spread = float((count * (won - share * size) ** 2).sum()) * units / (units - 1)
    return max(spread, IMAGINED * imagined**2 * (share**2 + (1 - share) ** 2))


def _memoryless(total: Mapping[str, int]) -> Units:
    cells = (total["pairs_0"], total["pairs_1"], total["pairs_2"])
    if sum(cells) == 0:
        return _single_games(total)
    # A game without its mirror is a unit of its own.
    loose = total["games"] - 2 * sum(cells)
    loose_won = total["wins_a"] - cells[1] - 2 * cells[2]
    if sum(cells) + loose < 2:
        return _single_games(total, assumed=True)
    variance = win_variance(
        (0, 1, 2, 0, 1), (2, 2, 2, 1, 1), (*cells, loose - loose_won, loose_won), imagined=2
    )
    return Units(kind="mirrored pairs", count=sum(cells) + loose, variance=variance)


def _blocks(total: Mapping[str, int], kinds: Counter[tuple[int, int]]) -> Units:
    if kinds.total() < 2:
        return _single_games(total, assumed=True)
    # The order of sums is that of the kinds, whichever part came first.
    won, games, count = zip(*((*kind, kinds[kind]) for kind in sorted(kinds)), strict=True)
    # A whole block would be too much to imagine: it can be longer than all that was played.
    variance = win_variance(won, games, count, imagined=2)
    return Units(kind="blocks", count=kinds.total(), variance=variance)


def _single_games(total: Mapping[str, int], *, assumed: bool = False) -> Units:
    games, won = total["games"], total["wins_a"]
    if games < 2:
        return Units(kind="games", count=games, variance=float(IMAGINED), assumed=assumed)
    variance = win_variance((0, 1), (1, 1), (games - won, won), imagined=1)
    return Units(kind="games", count=games, variance=variance, assumed=assumed)
