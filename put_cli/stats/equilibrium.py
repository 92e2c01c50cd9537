"""Who is best when everybody may choose whom to send: Nash averaging and alpha-rank.

Both read the table of everyone's score against everyone as a game in which two people each choose
a strategy to play for them. Unlike ratings and scores they do not change when a weak strategy, or
a copy of another, joins the field. This file knows payoff matrices only.
"""

from typing import Any

import numpy as np
from numpy.typing import NDArray

NEGLIGIBLE = 1e-9

RAREST = 1e-150
"""No mutant takes over more rarely than this, however intense selection is."""


def nash_average(score: NDArray[np.float64]) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """The equilibrium of greatest entropy, and everyone's score against it.

    `score`: (n, n) shares of the games i wins against j, with score_ij + score_ji = 1. Returns the
    share of each strategy in the equilibrium (n,), and scores (n,): 1/2 for every strategy in it,
    at most 1/2 for the others. Raises ValueError where a score is missing.

    D. Balduzzi, K. Tuyls, J. Perolat and T. Graepel, Re-evaluating evaluation, NeurIPS 31 (2018),
    with shares of games in place of their log odds, which do not exist for clean sweeps.
    """
    if np.isnan(score).any():
        raise ValueError("Nash averaging needs a score for every two strategies")
    gain = score - 0.5
    mix = _greatest_entropy(gain, _supported(gain))
    return mix, score @ mix


def alpha_rank(
    payoff: NDArray[np.float64], *, population: int = 50, intensity: float = 100.0
) -> NDArray[np.float64]:
    """The share of time (n,) that an evolving population spends at each strategy.

    `payoff`: (n, n), of i against j; `population`: its size m; `intensity`: of selection (alpha).
    A population of one strategy is now and then joined by a mutant; the fitter of the two takes
    over, more surely under more intense selection. Raises ValueError where a payoff is missing.

    S. Omidshafiei et al., Alpha-Rank: Multi-Agent Evaluation by Evolution, Scientific Reports 9
    (2019) 9937, for a single population; fixation after A. Traulsen, M. A. Nowak and J. M.
    Pacheco, Physical Review E 74 (2006) 011909.
    """
    if np.isnan(payoff).any():
        raise ValueError("alpha-rank needs a payoff for every two strategies")
    n, m = len(payoff), population
    mutants = np.arange(1, m)[:, None, None]  # (m - 1, mutant, resident)
    own = np.diag(payoff)
    fitness = ((mutants - 1) * own[:, None] + (m - mutants) * payoff) / (m - 1)
    resident = (mutants * payoff.T + (m - mutants - 1) * own[None, :]) / (m - 1)
    against = np.cumsum(-intensity * (fitness - resident), axis=0)
    worst = np.maximum(against.max(axis=0), 0.0)  # exponents stay small
    chances = np.exp(-worst) / (np.exp(-worst) + np.exp(against - worst).sum(axis=0))
    fixation: NDArray[np.float64] = np.maximum(chances, RAREST)
    return _stationary(fixation.T / max(1, n - 1))


def _supported(gain: NDArray[np.float64]) -> NDArray[np.int64]:
    """The strategies that some equilibrium uses, from an antisymmetric game.

    A strategy that loses to some equilibrium is used by none (A. J. Goldman and A. W. Tucker,
    Annals of Mathematics Studies 38 (1956) 53), so few are left to be asked for.
    """
    from scipy.optimize import linprog  # slow to import

    n = len(gain)
    used, possible = np.zeros(n, dtype=bool), np.ones(n, dtype=bool)
    for i in range(n):
        if possible[i] and not used[i]:
            # No answer gains against an equilibrium; of all equilibria, the one with the most of i.
            found = linprog(
                -np.eye(n)[i],
                A_ub=gain,
                b_ub=np.full(n, NEGLIGIBLE),
                A_eq=np.ones((1, n)),
                b_eq=[1.0],
                method="highs",
            )
            mix = np.asarray(found.x)
            used |= mix > 1e3 * NEGLIGIBLE
            possible &= gain @ mix > -1e3 * NEGLIGIBLE
    return np.flatnonzero(used)


def _greatest_entropy(gain: NDArray[np.float64], used: NDArray[np.int64]) -> NDArray[np.float64]:
    """The equilibrium of greatest entropy among those on the strategies `used`."""
    from scipy.optimize import minimize

    n, k = len(gain), len(used)
    mix = np.zeros(n)
    even = np.vstack([gain[np.ix_(used, used)], np.ones(k)])
    if np.linalg.matrix_rank(even, tol=1e3 * NEGLIGIBLE) == k:  # there is no other equilibrium
        mix[used] = np.linalg.lstsq(even, np.append(np.zeros(k), 1.0))[0]
        return mix
    settings: dict[str, Any] = {
        "method": "SLSQP",
        "jac": lambda p: np.log(np.maximum(p, 1e-300)) + 1,
        "bounds": [(0.0, 1.0)] * k,
        "constraints": [
            {"type": "eq", "fun": lambda p: p.sum() - 1, "jac": lambda p: np.ones((1, k))},
            {
                "type": "ineq",
                "fun": lambda p: NEGLIGIBLE - gain[:, used] @ p,
                "jac": lambda p: -gain[:, used],
            },
        ],
        "options": {"maxiter": 1000, "ftol": 1e-14},
    }
    found = minimize(_disorder, np.full(k, 1 / k), **settings)
    mix[used] = np.maximum(found.x, 0.0)
    return np.asarray(mix / mix.sum())


def _disorder(mix: NDArray[np.float64]) -> float:
    """The entropy of a distribution, negative."""
    return float(mix @ np.log(np.maximum(mix, 1e-300)))


def _stationary(moves: NDArray[np.float64]) -> NDArray[np.float64]:
    """The long-run distribution (n,) of a chain that moves from i to j at rates (n, n), i != j.

    Elimination of one state after the other without a subtraction, so rates of any size keep their
    digits (W. K. Grassmann, M. I. Taksar and D. P. Heyman, Operations Research 33 (1985) 1107).
    """
    rates = moves.copy()
    n = len(rates)
    for k in range(n - 1, 0, -1):
        out = rates[k, :k].sum()
        rates[:k, k] /= out
        rates[:k, :k] += np.outer(rates[:k, k], rates[k, :k])
    share = np.ones(n)
    for k in range(1, n):
        share[k] = share[:k] @ rates[:k, k]
        share[: k + 1] /= share[: k + 1].max()
    return np.asarray(share / share.sum())
