"""What it is worth to deal first, in rating points.

The advantage is fitted together with the strengths, so it is not mixed up with who happened to
deal. It describes the rule set and the field, and moves nobody's rating: ratings speak of games in
which both deal equally often.
"""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from put_cli.stats import luce
from put_cli.stats.clusters import CHUNK
from put_cli.stats.components import split
from put_cli.stats.rating import SCALE
from put_cli.stats.units import margin


@dataclass(frozen=True, kw_only=True)
class FirstDeal:
    """The advantage of dealing first."""

    points: float
    """Rating points that dealing first is worth; negative where it harms."""
    low: float
    high: float
    """Ends of its 95 % interval."""

    def plain(self) -> dict[str, float]:
        """JSON-ready."""
        return {"points": round(self.points, 2), "low": round(self.low, 2)} | {
            "high": round(self.high, 2)
        }


def first_deal(n: int, seated: NDArray[np.int64], outcomes: NDArray[np.int32]) -> FirstDeal | None:
    """The advantage of dealing first among `n` strategies.

    `seated`: (T, N); `outcomes`: (B, T, N, N) games of a block by the place that dealt first and
    the place that won. None where no finite advantage fits, or the strategies are not all linked.
    """
    tables, places = seated.shape
    counts = outcomes.reshape(len(outcomes), tables * places, places)
    wins = counts.sum(axis=0, dtype=np.float64)
    some = wins.any(axis=1)
    games = luce.Played(
        n=n,
        seated=np.repeat(seated, places, axis=0)[some],
        wins=wins[some],
        first=np.tile(np.arange(places), tables)[some],
    )
    if n < 2 or len(split(games.against()).members) > 1 or not is_finite(games):
        return None
    parameters = luce.fit(games)
    inverse = luce.constrained_inverse(games.information(parameters), n)
    variance, freedom = _variance(games, counts[:, some], inverse[n])
    half_width = SCALE * margin(variance, freedom)
    points = SCALE * float(parameters[n])
    return FirstDeal(points=points, low=points - half_width, high=points + half_width)


def is_finite(games: luce.Played) -> bool:
    """Whether a finite advantage fits, in a field whose strengths are finite without it.

    The likelihood has a maximum unless strengths v and an advantage s of either sign exist that
    contradict no game: v_i - v_j >= -s z for every i that won at a table with j, z being 1 where i
    dealt first, -1 where j did, else 0 (A. Albert and J. A. Anderson, Biometrika 71 (1984) 1).
    Such differences exist if and only if no circle of wins asks for a gain all told.
    """
    assert games.first is not None
    places = games.seated.shape[1]
    for sign in (1.0, -1.0):
        least = np.full((games.n, games.n), -np.inf)
        for i in range(places):
            for j in range(places):
                if i != j:
                    won = games.wins[:, i] > 0
                    z = (games.first[won] == i).astype(float) - (games.first[won] == j)
                    who = (games.seated[won, i], games.seated[won, j])
                    np.maximum.at(least, who, -sign * z)
        for k in range(games.n):  # longest paths; a circle with a gain shows on the diagonal
            longer = least[:, k, None] + least[None, k, :]
            least = np.maximum(least, np.minimum(longer, games.n))  # no path gains more
        if not np.any(np.diag(least) > 0):
            return False
    return True


def _variance(
    games: luce.Played, counts: NDArray[np.int32], influence: NDArray[np.float64]
) -> tuple[float, float]:
    """Variance of the fitted advantage and its degrees of freedom, the block being the unit.

    `counts`: (B, R, N) games of each row; `influence`: (n + 1,) of a win on the advantage.
    """
    blocks = int(counts.any(axis=(1, 2)).sum())
    if blocks < 2:  # games have to count as independent
        return float(influence[-1]), np.inf
    assert games.first is not None
    share = games.wins / games.wins.sum(axis=1, keepdims=True)
    worth = influence[games.seated]
    worth[np.arange(len(worth)), games.first] += influence[games.n]
    total = 0.0
    for start in range(0, len(counts), CHUNK):
        part = counts[start : start + CHUNK]
        residual = part - share * part.sum(axis=2, keepdims=True)
        total += float((np.einsum("brn,rn->b", residual, worth) ** 2).sum())
    return total * blocks / (blocks - 1), blocks - 1.0
