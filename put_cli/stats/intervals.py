"""How sure the ratings are: the full error matrix from the scatter that was observed.

The likelihood takes games as independent; they are not. Its maximum still tends to the right
ratings, but the uncertainty has to come from the independent units: the sandwich H^-1 M H^-1 with
H the information and M the scatter of wins (P. J. Huber, 5th Berkeley Symposium 1 (1967) 221;
H. White, Econometrica 50 (1982) 1). Margins use Student's t, so few units widen them by
themselves.
"""

from dataclasses import dataclass
from functools import cached_property
from math import sqrt

import numpy as np
from numpy.typing import NDArray
from scipy.special import stdtr, stdtrit

from put_cli.stats import luce
from put_cli.stats.clusters import Scatter
from put_cli.stats.units import LEVEL, margin


@dataclass(frozen=True, kw_only=True, eq=False)
class Uncertainty:
    """The uncertainty of k strengths estimated together, mean 0."""

    strengths: NDArray[np.float64]
    """(k,)."""
    influence: NDArray[np.float64]
    """(k, k): how much one more win of each strategy moves each strength (row)."""
    scatter: Scatter

    def of_strength(self, i: int) -> float:
        """95 % margin of one strength against the mean of all."""
        return self._margin(self.influence[i])

    def of_difference(self, i: int, j: int) -> float:
        """95 % margin of the difference of two strengths."""
        return float(self.margins[i, j])

    def error_of(self, i: int) -> float:
        """Standard error of one strength against the mean of all."""
        return sqrt(self.scatter.variance(self.influence[i]))

    def freedom_of(self, i: int) -> float:
        """Degrees of freedom of that error."""
        return self.scatter.freedom(self.influence[i])

    def error(self, i: int, j: int) -> float:
        """Standard error of the difference of two strengths."""
        return float(self.errors[i, j])

    def superiority(self, i: int, j: int) -> float:
        """The confidence that i is stronger than j, from the difference and its error."""
        return float(self.superiorities[i, j])

    # Of all differences at once, (k, k): one by one they would take minutes for some hundred
    # strategies. The diagonal means nothing.

    def _between(self, matrix: NDArray[np.float64]) -> NDArray[np.float64]:
        """What `Scatter` makes of `matrix` for the contrast of every two strengths."""
        whole = self.influence @ matrix @ self.influence.T
        own = np.diag(whole)
        return np.asarray(own[:, None] + own[None, :] - whole - whole.T)

    @cached_property
    def _variances(self) -> NDArray[np.float64]:
        return np.maximum(self._between(self.scatter.observed), self._between(self.scatter.least))

    @cached_property
    def _freedoms(self) -> NDArray[np.float64]:
        own = self._between(self.scatter.apart)
        divided = self._between(self.scatter.apart_over_freedom)
        return np.divide(own, divided, out=np.ones_like(own), where=divided > 0)

    @cached_property
    def margins(self) -> NDArray[np.float64]:
        """`of_difference` of every two."""
        return np.asarray(stdtrit(self._freedoms, (1 + LEVEL) / 2) * self.errors)

    @cached_property
    def errors(self) -> NDArray[np.float64]:
        """`error` of every two."""
        return np.asarray(np.sqrt(self._variances.clip(0)))

    @cached_property
    def superiorities(self) -> NDArray[np.float64]:
        """`superiority` of every two; the diagonal means nothing."""
        ahead = self.strengths[:, None] - self.strengths
        errors = np.where(self.errors > 0, self.errors, 1.0)
        return np.asarray(stdtr(self._freedoms, ahead / errors))

    def _margin(self, contrast: NDArray[np.float64]) -> float:
        return margin(self.scatter.variance(contrast), self.scatter.freedom(contrast))


def uncertainty(
    games: luce.Played, strengths: NDArray[np.float64], scatter: Scatter
) -> Uncertainty:
    """The uncertainty of strengths (k,), k >= 2, fitted to `games`, from the scatter of wins."""
    influence = luce.constrained_inverse(games.information(strengths), games.n)
    return Uncertainty(strengths=strengths, influence=influence, scatter=scatter)


def alike(spread: Uncertainty | None) -> tuple[tuple[int, ...], ...]:
    """Groups whose members these games cannot tell apart, pair by pair, at 95 % each.

    The strengths of `spread` stand in falling order; without any there is no group. A group is a
    run of neighbours, as long as possible, of whom no two differ by more than the margin of their
    difference; groups may overlap (the letter display of H.-P. Piepho, J. Comput. Graph. Stat. 13
    (2004) 456).
    """
    if spread is None:
        return ()
    k = len(spread.strengths)
    close = spread.strengths[:, None] - spread.strengths <= spread.margins
    groups: list[tuple[int, ...]] = []
    for i in range(k):
        end = i + 1
        while end < k and close[i:end, end].all():
            end += 1
        if end - i > 1 and (not groups or groups[-1][-1] < end - 1):
            groups.append(tuple(range(i, end)))
    return tuple(groups)
