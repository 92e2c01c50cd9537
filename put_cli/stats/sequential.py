"""Sequential testing: playing until one of two hypotheses about the difference is clearly better.

The generalized sequential probability ratio test: after every unit (or every few) the likelihood
of the results under H1 is compared with that under H0, each at its own best distribution of the
cells, and play stops when the logarithm of their ratio leaves an interval (A. Wald, Ann. Math.
Stat. 16 (1945) 117; X. Li, J. Liu and Z. Ying, Sequential Analysis 33 (2014) 203; for pairs of
games M. Van den Bergh, Normalized Elo, 2020). Cells are those of `head_to_head`.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache
from math import exp, log, log1p, pi, sin, sqrt
from typing import Literal

import numpy as np
from numpy.typing import NDArray
from scipy.special import ndtr

from put_cli.stats.head_to_head import (
    NORMALIZED_SCALE,
    Cells,
    elo_of_score,
    moments,
    score_of_elo,
    scores,
)

EMPTY = 1e-3
"""Units an empty cell counts as, so that no distribution is ruled out by what has not happened."""

FARTHEST = 1000
"""No hypothesis lies farther from 0, in points."""

MOST_LOOKS = 60
"""With more looks than this a test is taken to look all the time."""

GRID = 200
"""Points that a density between the bounds is kept at."""

FAR = 0.5
"""Standard deviations of a unit's score. Where the mean lies farther than this from what is asked
about, the ratio grows more slowly than a random walk of the variance observed, which would have
stopped sooner and so looks like a smaller difference. Nor is a correction needed there: luck had
little part in the stop."""

Scale = Literal["logistic", "normalized"]
Verdict = Literal["H0", "H1"]


@dataclass(frozen=True, kw_only=True)
class SequentialTest:
    """H0: the difference is at most `elo0`. H1: it is at least `elo1`.

    Raises:
        ValueError: the numbers make no test.
    """

    elo0: float
    elo1: float
    alpha: float = 0.05
    """Chance of accepting H1 though the difference is `elo0`."""
    beta: float = 0.05
    """Chance of accepting H0 though the difference is `elo1`."""
    scale: Scale = "logistic"
    games_per_unit: int = 2

    def __post_init__(self) -> None:
        if not -FARTHEST <= self.elo0 < self.elo1 <= FARTHEST:
            raise ValueError(
                f"expected elo0 < elo1, neither beyond {FARTHEST}, got {self.elo0:g} and "
                f"{self.elo1:g}"
            )
        if not (0 < self.alpha < 0.5 and 0 < self.beta < 0.5):
            raise ValueError(
                f"expected alpha and beta between 0 and 0.5, got {self.alpha:g} and {self.beta:g}"
            )

    @property
    def bounds(self) -> tuple[float, float]:
        """The log-likelihood ratios at which H0 and H1 are accepted (Wald 1945)."""
        return log(self.beta / (1 - self.alpha)), log((1 - self.beta) / self.alpha)

    def log_likelihood_ratio(self, cells: Cells) -> float:
        """Of H1 against H0 after these cells; 0 before the first unit."""
        number = np.asarray(cells, dtype=np.float64)
        if not number.sum():
            return 0.0
        number = np.where(number > 0, number, EMPTY)
        likeliest = [self._likeliest(number / number.sum(), elo) for elo in (self.elo0, self.elo1)]
        return float(number @ np.log(likeliest[1] / likeliest[0]))

    def ratio_of_scores(self, units: float, mean: float, variance: float) -> float:
        """The same from units whose scores have this mean and variance, and a normal law.

        For blocks of games, which are the units of strategies with memory. Each hypothesis has
        its own best variance, so few units do not make it too sure.
        """
        if not units:
            return 0.0
        spread = max(variance, EMPTY**2)
        apart = [(mean - hypothesis) ** 2 / spread for hypothesis in self.scores(spread)]
        return units / 2 * (log1p(apart[0]) - log1p(apart[1]))

    def scores(self, variance: float) -> tuple[float, float]:
        """The two hypotheses as scores, where a unit's score has this variance."""
        if self.scale == "logistic":
            return score_of_elo(self.elo0), score_of_elo(self.elo1)
        deviation = sqrt(self.games_per_unit * variance) / NORMALIZED_SCALE
        return 0.5 + self.elo0 * deviation, 0.5 + self.elo1 * deviation

    def verdict(self, ratio: float) -> Verdict | None:
        """The hypothesis accepted at a log-likelihood ratio, or None while play goes on."""
        low, high = self.bounds
        return "H1" if ratio >= high else "H0" if ratio <= low else None

    def _likeliest(self, shares: NDArray[np.float64], elo: float) -> NDArray[np.float64]:
        """The distribution of the cells under a hypothesis that makes `shares` likeliest."""
        score = scores(shares)
        if self.scale == "logistic":
            return _with_mean_zero(score - score_of_elo(elo), shares)
        deviations = elo / NORMALIZED_SCALE * sqrt(self.games_per_unit)
        return _with_deviations(score - 0.5, shares, deviations)


def _with_mean_zero(
    values: NDArray[np.float64], shares: NDArray[np.float64]
) -> NDArray[np.float64]:
    """The distribution on `values` of mean 0 under which `shares` are likeliest.

    p_i = share_i / (1 + x value_i), by a Lagrange multiplier x (A. B. Owen, Biometrika 75 (1988)
    237). Values of either sign are needed.
    """
    from scipy.optimize import brentq  # slow to import

    low, high = -1 / values.max(), -1 / values.min()

    def mean(x: float) -> float:
        return float((shares * values / (1 + x * values)).sum())

    edge = 1e-12 * (high - low)
    x = brentq(mean, low + edge, high - edge, xtol=1e-14, rtol=1e-14)
    return np.asarray(shares / (1 + x * values))


def _with_deviations(
    values: NDArray[np.float64], shares: NDArray[np.float64], deviations: float
) -> NDArray[np.float64]:
    """As `_with_mean_zero`, for a mean of so many of the distribution's own standard deviations.

    The condition mean = deviations * deviation is not linear in the distribution; it is replaced
    by its tangent at the last distribution until nothing moves.
    """
    even = np.full(len(shares), 1 / len(shares))
    found = even
    for _ in range(100):
        tangent = _tangent(values, found, deviations)
        while tangent.max() <= 0 or tangent.min() >= 0:  # so narrow a distribution misses it
            found = (found + even) / 2
            tangent = _tangent(values, found, deviations)
        last, found = found, _with_mean_zero(tangent, shares)
        if np.abs(found - last).max() < 1e-12:
            break
    return found


def _tangent(
    values: NDArray[np.float64], chances: NDArray[np.float64], deviations: float
) -> NDArray[np.float64]:
    """Values whose mean is 0 where `values` have a mean of `deviations`, near `chances`."""
    mean = float(chances @ values)
    deviation = sqrt(float(chances @ (values - mean) ** 2))
    return values - deviations * deviation * (1 + ((values - mean) / deviation) ** 2) / 2


@dataclass(frozen=True, kw_only=True)
class Stopped:
    """What a stopped test says of the difference, in Elo points."""

    value: float
    """Median unbiased: as often too high as too low. The plain estimate at a stop is not: play
    stopped there because luck was running high or low."""
    low: float
    high: float
    """Ends of the 95 % interval."""


def after_stop(test: SequentialTest, cells: Cells, looks: Sequence[float]) -> Stopped | None:
    """The estimate after a test that stopped with these cells: see `estimate_at`."""
    counts = np.asarray(cells, dtype=np.float64)
    mean, variance = moments(np.where(counts > 0, counts, EMPTY))
    verdict = test.verdict(test.log_likelihood_ratio(cells))
    return estimate_at(test, verdict, mean=mean, variance=variance, looks=looks)


def estimate_at(
    test: SequentialTest,
    verdict: Verdict | None,
    *,
    mean: float,
    variance: float,
    looks: Sequence[float],
) -> Stopped | None:
    """The estimate after a test that stopped with a verdict; None FAR from both hypotheses.

    `mean`, `variance`: of the scores of all units; `looks`: units played at each look, the last
    the one that decided.

    Outcomes are ordered from H0 accepted early, by H0 late and H1 late, to H1 early, and within a
    look by the mean; the estimate is the difference that puts the observed one in the middle, the
    ends those that leave 2.5 % beyond it (D. Siegmund, Biometrika 65 (1978) 341). The ratio is
    taken for a normal random walk of the variance observed. Raises ValueError before a verdict.
    """
    from scipy.optimize import brentq  # slow to import

    if verdict is None:
        raise ValueError("the test has not stopped")
    low, high = test.bounds
    s0, s1 = test.scores(variance)
    if abs(mean - (s0 + s1) / 2) > FAR * sqrt(variance):
        return None
    speed = (s1 - s0) ** 2 / variance  # variance of the ratio for each unit
    ratio = looks[-1] * (s1 - s0) * (mean - (s0 + s1) / 2) / variance
    ratio = min(ratio, low) if verdict == "H0" else max(ratio, high)

    def below(score: float) -> float:
        """Chance of an outcome further towards H0 than the observed one."""
        drift = (s1 - s0) * (score - (s0 + s1) / 2) / variance
        if verdict == "H0":
            return _chance(ratio, low, high, drift, speed, looks)
        return 1 - _chance(-ratio, -high, -low, -drift, speed, looks)

    def score_at(chance: float) -> float:
        return float(brentq(lambda score: below(score) - chance, 1e-9, 1 - 1e-9, xtol=1e-12))

    return Stopped(
        value=elo_of_score(score_at(0.5)),
        low=elo_of_score(score_at(0.975)),
        high=elo_of_score(score_at(0.025)),
    )


def _chance(
    ratio: float, low: float, high: float, drift: float, speed: float, looks: Sequence[float]
) -> float:
    """The chance to cross `low` before the last look, or at it as far as `ratio` or farther."""
    if len(looks) > MOST_LOOKS:
        # So many looks are as good as all the time, with bounds a little farther away
        # (D. Siegmund, Sequential Analysis, 1985, section 10.1).
        farther = 0.583 * sqrt(speed * looks[-1] / len(looks))
        return exit_chance(farther - low, high - low + 2 * farther, drift, speed, looks[-1])
    return walk_chance(ratio, low, high, drift, speed, looks)


def walk_chance(
    ratio: float, low: float, high: float, drift: float, speed: float, looks: Sequence[float]
) -> float:
    """As `_chance`, look by look: the density between the bounds is carried on by integration.

    P. Armitage, C. K. McPherson and B. C. Rowe, J. R. Statist. Soc. A 132 (1969) 235.
    """
    width = (high - low) / GRID
    grid = low + width * (np.arange(GRID) + 0.5)
    edges = np.append(grid - width / 2, high)

    @cache
    def moved(time: float, begun: bool) -> NDArray[np.float64]:
        """Chance to be below each edge, and then below `ratio`, `time` after each place."""
        start = grid if begun else np.zeros(1)
        ends = np.append(edges, ratio)[None, :] - start[:, None] - drift * time
        return np.asarray(ndtr(ends / sqrt(speed * time)))

    density, crossed, before = np.ones(1), 0.0, 0.0
    for look in looks:
        below = density @ moved(look - before, before > 0)
        crossed += float(below[-1] if look == looks[-1] else below[0])
        density, before = np.diff(below[:-1]), look
    return crossed


def exit_chance(distance: float, width: float, drift: float, variance: float, time: float) -> float:
    """The chance that a Brownian motion leaves an interval by its lower end, and by `time`.

    It starts `distance` above the lower end of an interval `width` wide, with this drift and
    variance for a unit of time. The series of A. Wald's problem with two barriers, as in W. Feller,
    An Introduction to Probability Theory 1 (3rd ed. 1968), XIV.5-6, its tail subtracted from the
    chance of ever leaving there.
    """
    ever = _ever(distance, width, 2 * drift / variance)
    tail, k = 0.0, 0
    turn = variance * (pi / width) ** 2
    while True:
        k += 1
        rate = drift**2 / (2 * variance) + k**2 * turn / 2
        # The two exponents together never overflow: their sum is at most 0 where it matters.
        size = exp(min(700.0, -drift * distance / variance - rate * time))
        tail += turn / pi * k * sin(k * pi * distance / width) * size / rate
        if k**2 * turn * time / 2 > 40 or k >= 10_000:
            return min(1.0, max(0.0, ever - tail))


def _ever(distance: float, width: float, pull: float) -> float:
    """The chance of leaving by the lower end at all; `pull`: twice the drift over the variance."""
    if abs(pull) * width < 1e-9:
        return 1 - distance / width
    if pull > 0:
        return (exp(-pull * distance) - exp(-pull * width)) / (1 - exp(-pull * width))
    return (1 - exp(pull * (width - distance))) / (1 - exp(pull * width))
