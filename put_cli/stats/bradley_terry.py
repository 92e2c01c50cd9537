"""The Bradley-Terry model: maximum likelihood strengths from a table of wins.

i beats j with probability 1 / (1 + exp(s_j - s_i)) for strengths s in natural-log units. This
file knows the model only: not ratings, not strategies, not where wins come from.

R. A. Bradley and M. E. Terry, Biometrika 39 (1952) 324. Existence: L. R. Ford, Amer. Math.
Monthly 64 (1957) 28, restated as Assumption 1 of D. R. Hunter, Annals of Statistics 32 (2004)
384: a finite maximum exists, and is then unique, if and only if the strategies cannot be split
into two groups of which one never beat the other.
"""

import numpy as np
from numpy.typing import NDArray
from scipy.special import expit, log_expit

from put_cli.stats.components import split

GRADIENT_TOLERANCE = 1e-9
"""Newton stops when everyone's surprising wins and losses balance to within this share."""

RESOLUTION = 1e-12
"""Strength below which a step is rounding; after extreme results the gradient may not balance
further, as strengths have no digits left."""

LONGEST_STEP = 2.0
"""No strength moves further in a step: from afar the likelihood is no parabola, and far out it is
too flat to compute with."""

MOST_STEPS = 500


def fit(wins: NDArray[np.float64]) -> NDArray[np.float64]:
    """Strengths of n strategies that maximise the likelihood, with mean 0.

    `wins`: (n, n), games i won against j, whole or expected numbers; n >= 1. Returns (n,). Raises
    ValueError unless everyone reaches everyone through wins: see `components.split`.

    Newton's method on a concave function, each step halved until it does not go down. At the
    maximum every strategy wins as often as the model expects it to.
    """
    if len(split(wins).members) > 1:
        raise ValueError("no finite strengths: one group of strategies never beat the rest")
    games = wins + wins.T
    strengths = np.zeros(len(wins))
    value = _log_likelihood(wins, strengths)
    for _ in range(MOST_STEPS):
        surprise = _surprise(wins, strengths)
        excess = gradient(wins, strengths)
        if np.all(np.abs(excess) <= GRADIENT_TOLERANCE * (surprise + surprise.T).sum(axis=1)):
            return strengths
        step = np.linalg.solve(_anchored(information(games, strengths)), excess)
        if np.abs(step).max() <= RESOLUTION:
            return strengths
        step *= min(1.0, LONGEST_STEP / np.abs(step).max())
        slack = 1e-13 * abs(value)  # rounding of the sum, near the maximum
        while _log_likelihood(wins, strengths + step) < value - slack:
            step /= 2
        strengths = strengths + step
        strengths -= strengths.mean()
        value = _log_likelihood(wins, strengths)
    raise ArithmeticError(f"no maximum of the likelihood after {MOST_STEPS} Newton steps")


def probabilities(strengths: NDArray[np.float64]) -> NDArray[np.float64]:
    """Chance that i beats j: (n, n) from strengths (n,)."""
    return np.asarray(expit(strengths[:, None] - strengths[None, :]))


def gradient(wins: NDArray[np.float64], strengths: NDArray[np.float64]) -> NDArray[np.float64]:
    """Wins of each strategy beyond those the model expects: (n,), zero at the maximum."""
    surprise = _surprise(wins, strengths)
    return np.asarray((surprise - surprise.T).sum(axis=1))


def information(games: NDArray[np.float64], strengths: NDArray[np.float64]) -> NDArray[np.float64]:
    """Fisher information about the strengths: (n, n), zero along (1, ..., 1).

    `games`: (n, n), games of i against j.
    """
    chance = probabilities(strengths)
    return laplacian(games * chance * chance.T)


def laplacian(weights: NDArray[np.float64]) -> NDArray[np.float64]:
    """Sum of w_ij (e_i - e_j)(e_i - e_j)' over the pairs i < j, from symmetric weights (n, n)."""
    between = weights - np.diag(np.diag(weights))
    return np.diag(between.sum(axis=1)) - between


def constrained_inverse(matrix: NDArray[np.float64]) -> NDArray[np.float64]:
    """Inverse of a Laplacian (n, n) among vectors that sum to zero."""
    n = len(matrix)
    centred = np.eye(n) - np.full((n, n), 1 / n)
    return np.linalg.solve(_anchored(matrix), centred)


def _anchored(matrix: NDArray[np.float64]) -> NDArray[np.float64]:
    """`matrix` made regular along (1, ..., 1), which it maps to zero; unchanged elsewhere."""
    return matrix + float(np.trace(matrix)) / len(matrix) ** 2


def _surprise(wins: NDArray[np.float64], strengths: NDArray[np.float64]) -> NDArray[np.float64]:
    """Wins times the chance of losing instead: (n, n).

    What i won beyond expectation against j is surprise_ij - surprise_ji. Unlike wins less expected
    wins this keeps its digits where one side wins nearly always.
    """
    return wins * probabilities(strengths).T


def _log_likelihood(wins: NDArray[np.float64], strengths: NDArray[np.float64]) -> float:
    return float((wins * log_expit(strengths[:, None] - strengths[None, :])).sum())
