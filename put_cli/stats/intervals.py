"""How sure the ratings are: 95 % intervals from the variance that was observed.

The Bradley-Terry likelihood takes games as independent; they are not. Its maximum still tends to
the right ratings, but the uncertainty has to come from the independent units: the sandwich
H^-1 M H^-1 with H the information and M = sum over pairings of V x x', x = e_i - e_j and V the
variance of the pairing's wins (P. J. Huber, 5th Berkeley Symposium 1 (1967) 221; H. White,
Econometrica 50 (1982) 1). Margins use Student's t with the degrees of freedom of
F. E. Satterthwaite, Biometrics Bulletin 2 (1946) 110, so few units widen them by themselves.
"""

from dataclasses import dataclass
from math import sqrt

import numpy as np
from numpy.typing import NDArray
from scipy.special import stdtrit

from put_cli.stats import bradley_terry

LEVEL = 0.95


@dataclass(frozen=True, kw_only=True)
class Uncertainty:
    """The uncertainty of k strengths estimated together, mean 0."""

    influence: NDArray[np.float64]
    """(k, P): how much one more win of a in pairing p moves each strength."""
    variance: NDArray[np.float64]
    """(P,): variance of a's wins in each pairing."""
    freedom: NDArray[np.float64]
    """(P,): degrees of freedom of that variance."""

    def of_strength(self, i: int) -> float:
        """95 % margin of one strength against the mean of all."""
        return self._margin(self.influence[i])

    def of_difference(self, i: int, j: int) -> float:
        """95 % margin of the difference of two strengths."""
        return self._margin(self.influence[i] - self.influence[j])

    def _margin(self, influence: NDArray[np.float64]) -> float:
        parts = influence**2 * self.variance
        variance = float(parts.sum())
        return margin(variance, variance**2 / float((parts**2 / self.freedom).sum()))


def margin(variance: float, freedom: float) -> float:
    """Half the width of a two-sided 95 % interval."""
    return float(stdtrit(freedom, (1 + LEVEL) / 2)) * sqrt(variance)


def uncertainty(
    strengths: NDArray[np.float64],
    *,
    pairs: NDArray[np.int64],
    games: NDArray[np.float64],
    variance: NDArray[np.float64],
    freedom: NDArray[np.float64],
) -> Uncertainty:
    """The uncertainty of fitted strengths (k,), k >= 2, linked by pairings.

    `pairs`: (P, 2) indices into `strengths`; `games`, `variance`, `freedom`: (P,) games played,
    variance of a's wins and its degrees of freedom, each for independent pairings.
    """
    a, b = pairs[:, 0], pairs[:, 1]
    played = np.zeros((len(strengths), len(strengths)))
    np.add.at(played, (a, b), games)
    played += played.T
    inverse = bradley_terry.constrained_inverse(bradley_terry.information(played, strengths))
    return Uncertainty(influence=inverse[:, a] - inverse[:, b], variance=variance, freedom=freedom)
