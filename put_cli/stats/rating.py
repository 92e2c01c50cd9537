"""Ratings on the scale people know from chess, with bounds where no finite rating exists.

A rating is a strength of Luce's model times 400 / ln 10, so 400 points more are 10 times the odds;
the mean of those rated is 1500. A strategy that won or lost every game against the others has no
finite rating. What its games do say is a one-sided 95 % bound, and that is what it gets.
"""

from collections.abc import Container
from dataclasses import dataclass
from math import expm1, log
from typing import Literal

import numpy as np
from numpy.typing import NDArray
from scipy.special import log_expit

from put_cli.stats import luce
from put_cli.stats.components import Components, split

SCALE = 400 / log(10)
"""Rating points for one natural-log unit of strength."""

MEAN = 1500.0

SWEEP_CHANCE = 0.05
"""A bound is the smallest gap at which a clean sweep still has this chance."""

Bound = Literal["at least", "at most"]


@dataclass(frozen=True, kw_only=True)
class Rating:
    """What the games say of one strategy's rating."""

    value: float | None
    """Points; None where no chain of games links the strategy to those rated."""
    bound: Bound | None
    """None for an estimate; else `value` is a one-sided 95 % bound."""
    level: int
    """The strategy's component, 0 the best; one that cannot be compared stands after the rest."""


def rate(games: luce.Played) -> tuple[Rating, ...]:
    """The rating of each strategy of a field from the games it played.

    Every component of the beat graph is rated by itself. The largest has the point ratings, with
    mean 1500. Any other is pushed only as far up or down as its clean sweeps against its
    neighbours demand: see `sweep_gap`. Where several sweeps in a row lie between, their gaps add
    up, each at 95 %.
    """
    field = split(games.against())
    strengths = np.zeros(games.n)
    for group in field.members:
        strengths[list(group)] = luce.fit(games.among(group))
    shifts = _shifts(games, strengths, field)
    levels = sorted(range(len(field.members)), key=lambda c: (c not in shifts, c))
    found: dict[int, Rating] = {}
    for level, c in enumerate(levels):
        for i in field.members[c]:
            value = MEAN + SCALE * float(strengths[i] + shifts[c]) if c in shifts else None
            found[i] = Rating(value=value, bound=_bound(field, c, shifts), level=level)
    return tuple(found[i] for i in range(games.n))


def sweep_gap(sweeps: NDArray[np.float64], lead: NDArray[np.float64]) -> float:
    """The smallest shift d that gives a clean sweep a chance of 5 %.

    `sweeps`: games that an upper group won and a lower one lost, none the other way, for each of
    their meetings; `lead`: by how much the upper one is ahead before the shift, in log odds; the
    same shape, at least one game. The chance is the product of 1 / (1 + exp(-lead - d)) over the
    games, so d is the lower end of a one-sided 95 % interval, found by inverting the test (for one
    pairing: p**games = 0.05, the exact bound of Clopper and Pearson, Biometrika 26 (1934) 404). It
    is negative after very few games: winning 4 of 4 does not show that one is better. Games count
    as independent: where many of them share their cards, the bound is bolder than that.
    """
    played = sweeps > 0
    games, ahead = sweeps[played], lead[played]

    def excess(d: float) -> float:
        return float((games * log_expit(ahead + d)).sum()) - log(SWEEP_CHANCE)

    # With every game as lopsided as the least or the most, the answer is known exactly.
    even_log = log(SWEEP_CHANCE) / float(games.sum())
    even = even_log - log(-expm1(even_log))
    low, high = even - float(ahead.max()), even - float(ahead.min())
    from scipy.optimize import brentq  # slow to import, and few fields have a sweep

    return float(brentq(excess, low - 1, high + 1, xtol=1e-12))


def _shifts(
    games: luce.Played, strengths: NDArray[np.float64], field: Components
) -> dict[int, float]:
    """How far each component moves against the reference; only those that can be compared."""
    reference = field.reference
    if reference is None:
        return {}

    def gap(upper: int, lower: int) -> float | None:
        sweeps, lead = _sweeps(games, strengths, field.members[upper], field.members[lower])
        return sweep_gap(sweeps, lead) if sweeps.any() else None

    shifts = {reference: 0.0}
    for c in reversed([c for c in range(reference) if field.above[c, reference]]):
        gaps = ((d, gap(c, d)) for d in list(shifts))
        shifts[c] = max(shifts[d] + found for d, found in gaps if found is not None)
    below = {reference: 0.0}
    for c in range(reference + 1, len(field.members)):
        if field.above[reference, c]:
            gaps = ((d, gap(d, c)) for d in list(below))
            below[c] = min(below[d] - found for d, found in gaps if found is not None)
    return shifts | below


def _sweeps(
    games: luce.Played,
    strengths: NDArray[np.float64],
    upper: tuple[int, ...],
    lower: tuple[int, ...],
) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """Games won by `upper` where both groups sat, and its log odds there: (K,) each."""
    above, below = np.isin(games.seated, upper), np.isin(games.seated, lower)
    met = above.any(axis=1) & below.any(axis=1)
    strength = np.append(strengths, -np.inf)[games.seated[met]]
    together = [
        np.logaddexp.reduce(np.where(group[met], strength, -np.inf), axis=1)
        for group in (above, below)
    ]
    return (games.wins * above)[met].sum(axis=1), together[0] - together[1]


def _bound(field: Components, c: int, shifts: Container[int]) -> Bound | None:
    if c == field.reference or c not in shifts:
        return None
    return "at least" if field.above[c, field.reference] else "at most"
