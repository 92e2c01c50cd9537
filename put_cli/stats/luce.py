"""Luce's choice model: maximum likelihood strengths from who won at which table.

At a table T one of its places wins; strategy i does with chance exp(s_i) / sum over T of exp(s_j),
for strengths s in natural-log units. With two at a table this is the Bradley-Terry model. Whoever
deals first may have an advantage d: his strength counts as s_i + d in that game. This file knows
the model only: not ratings, not strategies, not where wins come from.

R. D. Luce, Individual Choice Behavior (1959); R. A. Bradley and M. E. Terry, Biometrika 39 (1952)
324. Existence: L. R. Ford, Amer. Math. Monthly 64 (1957) 28, restated for tables of any size as
Assumption 1 of D. R. Hunter, Annals of Statistics 32 (2004) 384: a finite maximum exists, and is
then unique, if and only if the strategies cannot be split into two groups of which one never won
at a table where the other sat.
"""

from dataclasses import dataclass

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

NOBODY = -1
"""Stands in `seated` for a place that is empty, or whose strategy is left out."""


@dataclass(frozen=True, kw_only=True)
class Played:
    """Games as counts, R rows of N places each; every row has two places taken or more."""

    n: int
    """Strategies in the field."""
    seated: NDArray[np.int64]
    """(R, N): the strategy at each place, or NOBODY."""
    wins: NDArray[np.float64]
    """(R, N): games won by each place, whole or expected numbers; 0 where nobody sits."""
    first: NDArray[np.int64] | None = None
    """(R,): the place that dealt first in all games of the row; None leaves it out of account."""

    def against(self) -> NDArray[np.float64]:
        """(n, n): games i won at tables where j sat."""
        found = np.zeros((self.n, self.n))
        for i, j in self._places():
            met = (self.seated[:, i] != NOBODY) & (self.seated[:, j] != NOBODY)
            np.add.at(found, (self.seated[met, i], self.seated[met, j]), self.wins[met, i])
        return found

    def among(self, group: tuple[int, ...]) -> "Played":
        """The same games as far as they compare the strategies of `group`, numbered as in it.

        A game won by a member is a choice among the members at that table, by Luce's axiom; one
        won by somebody else says nothing of them.
        """
        seated = renumbered(self.seated, self.n, group)
        wins = np.where(seated == NOBODY, 0.0, self.wins)
        told = ((seated != NOBODY).sum(axis=1) > 1) & (wins.sum(axis=1) > 0)
        first = None if self.first is None else self.first[told]
        return Played(n=len(group), seated=seated[told], wins=wins[told], first=first)

    def by_strategy(self, counts: NDArray[np.float64]) -> NDArray[np.float64]:
        """(n,): sums of `counts` (R, N) over all places a strategy sat at."""
        found = np.zeros(self.n)
        np.add.at(found, self.seated, counts)  # where nobody sits the count is 0
        return found

    def _places(self) -> list[tuple[int, int]]:
        places = range(self.seated.shape[1])
        return [(i, j) for i in places for j in places if i != j]

    def odds_against(self, parameters: NDArray[np.float64]) -> NDArray[np.float64]:
        """(R, N): natural log of the odds that a place does not win.

        The logarithm keeps its digits where one place wins nearly always.
        """
        strength = np.append(parameters[: self.n], -np.inf)[self.seated]
        if self.first is not None:
            strength[np.arange(len(strength)), self.first] += parameters[self.n]
        own = np.eye(strength.shape[1], dtype=bool)
        others = np.where(own, -np.inf, strength[:, None, :])
        best = others.max(axis=2)
        return np.asarray(best + np.log(np.exp(others - best[..., None]).sum(axis=2)) - strength)

    def log_likelihood(self, parameters: NDArray[np.float64]) -> float:
        """Of the strengths (n,), followed by the advantage of dealing first where that counts."""
        log_chance = log_expit(-self.odds_against(parameters))
        return float((self.wins * np.where(self.wins > 0, log_chance, 0.0)).sum())

    def surprise(
        self, parameters: NDArray[np.float64]
    ) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
        """(R, N) each: wins times the chance of not winning, and losses times that of winning.

        Their difference is what a place won beyond expectation. Unlike wins less expected wins it
        keeps its digits where one side wins nearly always.
        """
        against = self.odds_against(parameters)
        losses = self.wins.sum(axis=1, keepdims=True) - self.wins
        return self.wins * expit(against), losses * expit(-against)

    def gradient(self, parameters: NDArray[np.float64]) -> NDArray[np.float64]:
        """Wins of each strategy (and of the first dealers) beyond those the model expects."""
        won, lost = self.surprise(parameters)
        return self._summed(won - lost)

    def information(self, parameters: NDArray[np.float64]) -> NDArray[np.float64]:
        """Fisher information about the parameters, zero along strengths (1, ..., 1)."""
        chance = expit(-self.odds_against(parameters))
        games = self.wins.sum(axis=1)
        size = self.n + (self.first is not None)
        matrix = np.zeros((size, size))
        weights = np.zeros((self.n, self.n))
        for i, j in self._places():
            weight = games * chance[:, i] * chance[:, j]
            np.add.at(weights, (self.seated[:, i], self.seated[:, j]), weight)
            if self.first is not None:
                # One of the two dealt first: (e_i - e_j) is +1 or -1 on the advantage too.
                dealt = np.where(self.first == i, weight, 0.0)
                np.add.at(matrix[self.n], self.seated[:, i], dealt)
                np.add.at(matrix[self.n], self.seated[:, j], -dealt)
                matrix[self.n, self.n] += dealt.sum()
        matrix[: self.n, : self.n] = laplacian(weights)
        matrix[:, self.n :] = matrix[self.n :].T
        return matrix

    def _summed(self, counts: NDArray[np.float64]) -> NDArray[np.float64]:
        """Counts (R, N) summed for each parameter."""
        strategies = self.by_strategy(counts)
        if self.first is None:
            return strategies
        return np.append(strategies, counts[np.arange(len(counts)), self.first].sum())


def played(n: int, seated: NDArray[np.int64], wins: NDArray[np.float64]) -> Played:
    """Games of a field of `n`, from `seated` and `wins` (T, N), leaving out tables without any."""
    some = wins.sum(axis=1) > 0
    return Played(n=n, seated=seated[some], wins=wins[some].astype(np.float64))


def renumbered(seated: NDArray[np.int64], n: int, group: tuple[int, ...]) -> NDArray[np.int64]:
    """`seated` with the strategies of `group` numbered as in it, and NOBODY for the others."""
    number = np.full(n + 1, NOBODY)  # the last is where NOBODY finds itself
    number[list(group)] = np.arange(len(group))
    return np.asarray(number[seated])


def fit(games: Played) -> NDArray[np.float64]:
    """The parameters that maximise the likelihood: strengths (n,) with mean 0, and the advantage.

    Raises ValueError unless everyone reaches everyone through wins: see `components.split`. Where
    the first deal counts, whether its advantage is finite is for the caller to know.

    Newton's method on a concave function, each step halved until it does not go down. At the
    maximum every strategy, and the first dealers, win as often as the model expects them to.
    """
    if len(split(games.against()).members) > 1:
        raise ValueError("no finite strengths: one group of strategies never beat the rest")
    parameters = np.zeros(games.n + (games.first is not None))
    value = games.log_likelihood(parameters)
    for _ in range(MOST_STEPS):
        won, lost = games.surprise(parameters)
        excess = games._summed(won - lost)
        if np.all(np.abs(excess) <= GRADIENT_TOLERANCE * games._summed(won + lost)):
            return parameters
        step = np.linalg.solve(_anchored(games.information(parameters), games.n), excess)
        if np.abs(step).max() <= RESOLUTION:
            return parameters
        step *= min(1.0, LONGEST_STEP / np.abs(step).max())
        slack = 1e-13 * abs(value)  # rounding of the sum, near the maximum
        while games.log_likelihood(parameters + step) < value - slack:
            step /= 2
        parameters = parameters + step
        parameters[: games.n] -= parameters[: games.n].mean()
        value = games.log_likelihood(parameters)
    raise ArithmeticError(f"no maximum of the likelihood after {MOST_STEPS} Newton steps")


def laplacian(weights: NDArray[np.float64]) -> NDArray[np.float64]:
    """Sum of w_ij (e_i - e_j)(e_i - e_j)' over the pairs i < j, from symmetric weights (n, n)."""
    between: NDArray[np.float64] = weights - np.diag(np.diag(weights))
    return np.diag(between.sum(axis=1)) - between


def constrained_inverse(matrix: NDArray[np.float64], n: int) -> NDArray[np.float64]:
    """Inverse of an information matrix among parameters whose first `n` sum to zero."""
    centred = np.eye(len(matrix))
    centred[:n, :n] -= 1 / n
    return np.asarray(np.linalg.solve(_anchored(matrix, n), centred))


def _anchored(matrix: NDArray[np.float64], n: int) -> NDArray[np.float64]:
    """`matrix` made regular along strengths (1, ..., 1), which it maps to zero."""
    anchored = matrix.copy()
    anchored[:n, :n] += float(np.trace(matrix[:n, :n])) / n**2
    return anchored
