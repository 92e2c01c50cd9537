"""Where one number for each strategy does not tell the story: misfit and circles.

Ratings say that who beats the stronger beats the weaker, and by how much. This file compares that
with what pairings really came to, and finds circles like rock, paper and scissors.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from math import sqrt

import numpy as np
from numpy.typing import NDArray
from scipy.special import expit, ndtri

from put_cli.stats.units import LEVEL, Units


@dataclass(frozen=True, kw_only=True)
class Misfit:
    """One pairing against the model."""

    a: int
    b: int
    score: float
    """Share of the games a won."""
    expected: float
    """The share that the two ratings make one expect."""
    error: float
    """Standard error of `score`."""

    @property
    def surprise(self) -> float:
        """Standard errors between the two, positive where a did better than its rating."""
        return (self.score - self.expected) / self.error


@dataclass(frozen=True, kw_only=True)
class Circle:
    """Three strategies of whom each beats the next and the last the first, all beyond chance."""

    members: tuple[int, int, int]
    """In the order of beating; the first is the one of the lowest number."""
    scores: tuple[float, float, float]
    """Of each against the next, all above 1/2."""
    weakest: float
    """Standard errors that the least sure of the three scores stands above 1/2."""

    @property
    def size(self) -> float:
        """How far the smallest of the three scores stands above 1/2."""
        return min(self.scores) - 0.5


def payoffs(n: int, seated: NDArray[np.int64], wins: NDArray[np.float64]) -> NDArray[np.float64]:
    """(n, n): share of the games i won against j; 1/2 on the diagonal, nan where two never met.

    `seated`, `wins`: (T, 2) strategies and games won of each pairing.
    """
    share = np.full((n, n), np.nan)
    np.fill_diagonal(share, 0.5)
    games = wins.sum(axis=1)
    met = games > 0
    first, second = seated[met].T
    share[first, second] = wins[met, 0] / games[met]
    share[second, first] = wins[met, 1] / games[met]
    return share


def errors(
    n: int, seated: NDArray[np.int64], wins: NDArray[np.float64], units: Sequence[Units]
) -> NDArray[np.float64]:
    """(n, n): standard error of each of the `payoffs`; nan where two never met or are one."""
    error = np.full((n, n), np.nan)
    for (i, j), games, each in zip(seated.tolist(), wins.sum(axis=1).tolist(), units, strict=True):
        if games:
            error[i, j] = error[j, i] = sqrt(float(each.variance[0, 0])) / games
    return error


def misfits(
    strengths: NDArray[np.float64], share: NDArray[np.float64], error: NDArray[np.float64]
) -> tuple[Misfit, ...]:
    """Every pairing that met against the model, the most surprising first.

    `strengths`: (n,) in natural-log units; `share`, `error`: (n, n) as `payoffs` and `errors` give
    them. The model was fitted to the same scores, so its error is left out: surprises are, if
    anything, too small.
    """
    expected = expit(strengths[:, None] - strengths[None, :])
    found = [
        Misfit(
            a=i,
            b=j,
            score=float(share[i, j]),
            expected=float(expected[i, j]),
            error=float(error[i, j]),
        )
        for i, j in np.argwhere(np.triu(np.isfinite(share), 1)).tolist()
    ]
    return tuple(sorted(found, key=lambda each: -abs(each.surprise)))


def typical_misfit(found: Sequence[Misfit]) -> float:
    """By how much scores miss what is expected beyond chance: a root mean square, 0 at least.

    The part of the squared differences that errors of measurement explain is taken off.
    """
    excess = [(each.score - each.expected) ** 2 - each.error**2 for each in found]
    return sqrt(max(0.0, float(np.mean(excess)))) if excess else 0.0


def beyond_chance(pairings: int) -> float:
    """Standard errors that one of so many pairings has to be off by before it is not chance.

    Many are looked at, so one has to surprise more than if it were the only one (Bonferroni).
    """
    return float(ndtri(1 - (1 - LEVEL) / 2 / max(1, pairings)))


def circles(share: NDArray[np.float64], error: NDArray[np.float64]) -> tuple[Circle, ...]:
    """Every circle of three, the largest first: each step of it is beyond chance.

    `share`, `error`: (n, n) as `payoffs` and `errors` give them. What is beyond chance is judged
    by the number of all pairings that met.
    """
    met = int(np.isfinite(share).sum() - len(share)) // 2
    beats = share - 0.5 > beyond_chance(met) * error  # False for nan
    found = []
    for a in range(len(share)):  # the lowest number of the three
        after, before = (
            a + 1 + np.flatnonzero(some) for some in (beats[a, a + 1 :], beats[a + 1 :, a])
        )
        for b, c in zip(*np.nonzero(beats[np.ix_(after, before)]), strict=True):
            members = (a, int(after[b]), int(before[c]))
            steps = tuple(zip(members, members[1:] + members[:1], strict=True))
            scores = (float(share[steps[0]]), float(share[steps[1]]), float(share[steps[2]]))
            sure = min(float((share[step] - 0.5) / error[step]) for step in steps)
            found.append(Circle(members=members, scores=scores, weakest=sure))
    return tuple(sorted(found, key=lambda each: -each.size))
