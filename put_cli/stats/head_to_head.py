"""Two strategies against each other: how much better is one, and how sure is that?

Results come as *cells*: how many independent units ended with each score, from 0 to 1 in equal
steps. Two cells are single games lost and won; three are mirrored pairs of games, or single games
that can be drawn; five are pairs of games that can be drawn. Everything is told from the point of
view of the strategy whose scores they are.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from math import log, log10, sqrt

import numpy as np
from numpy.typing import NDArray
from scipy.special import betainc, ndtr, ndtri

from put_cli.stats.rating import SCALE, SWEEP_CHANCE
from put_cli.stats.units import LEVEL, margin, win_variance

NORMALIZED_SCALE = 800 / log(10)
"""Points of normalized Elo for one standard deviation of a game: near an even score it agrees
with Elo, if games are decided and independent."""

Cells = Sequence[float] | NDArray[np.float64] | NDArray[np.int64]


@dataclass(frozen=True, kw_only=True)
class Elo:
    """A difference in Elo points, positive for the better, with its 95 % interval."""

    value: float | None
    """None where every game was won or every game lost: no finite difference fits."""
    low: float | None
    high: float | None
    """Ends of the interval, None where it is open. They lie askew about `value`: towards a score
    of 0 or 1 the same step in score is worth more points. After a clean sweep the one end there is
    is a one-sided 95 % bound."""


@dataclass(frozen=True, kw_only=True)
class Normalized:
    """A difference in normalized Elo points."""

    value: float
    margin: float
    """Half the width of its 95 % interval."""


def elo_of_score(score: float) -> float:
    """The Elo difference at which `score`, in (0, 1), is expected."""
    return -400 * log10(1 / score - 1)


def score_of_elo(elo: float) -> float:
    """The score in (0, 1) that an Elo difference makes one expect."""
    return 1 / (1 + 10 ** (-elo / 400))


def scores(cells: Cells) -> NDArray[np.float64]:
    """(K,): the score of each of K cells, from 0 to 1."""
    return np.linspace(0, 1, len(cells))


def moments(cells: Cells) -> tuple[float, float]:
    """Mean and variance of the score of a unit, as observed."""
    counts, score = np.asarray(cells, dtype=np.float64), scores(cells)
    mean = float(counts @ score / counts.sum())
    return mean, float(counts @ (score - mean) ** 2 / counts.sum())


def elo(cells: Cells, games: int | None = None) -> Elo:
    """The Elo difference from the cells of at least one unit.

    `games`: behind a clean sweep, if more than one a unit; they count as independent there. The
    interval is that of the mean score, by Student's t, carried over to Elo end by end.
    """
    counts = np.asarray(cells, dtype=np.float64)
    units, (mean, _) = float(counts.sum()), moments(cells)
    if mean in (0, 1):
        return sweep(mean == 1, games or round(units))
    if units < 2:
        return Elo(value=elo_of_score(mean), low=None, high=None)
    both = np.stack([scores(cells), 1 - scores(cells)], axis=1)
    half_width = margin(float(win_variance(both, counts, imagined=1)[0, 0]), units - 1) / units
    return elo_with_margin(mean, half_width)


def elo_with_margin(score: float, half_width: float) -> Elo:
    """The Elo difference from a score in (0, 1) and half the width of its interval."""
    low, high = score - half_width, score + half_width
    return Elo(
        value=elo_of_score(score),
        low=elo_of_score(low) if low > 0 else None,
        high=elo_of_score(high) if high < 1 else None,
    )


def sweep(won: bool, games: int) -> Elo:
    """What a clean sweep of `games` says: the smallest difference that leaves it a chance of 5 %.

    The exact bound of C. J. Clopper and E. S. Pearson, Biometrika 26 (1934) 404.
    """
    bound = elo_of_score(SWEEP_CHANCE ** (1 / games))
    return Elo(value=None, low=bound if won else None, high=None if won else -bound)


def normalized_elo(cells: Cells, games_per_unit: int) -> Normalized | None:
    """The mean score beyond 1/2 in standard deviations of a game, on a scale like Elo's.

    Unlike Elo it says how many games it takes to see the difference: twice the normalized Elo, a
    quarter of the games, whatever the draws and the pairing. The deviation of a game is that of a
    unit's mean times the root of its games (M. Van den Bergh, Normalized Elo, 2020). None where
    all units ended alike.
    """
    mean, variance = moments(cells)
    if variance == 0:
        return None
    games = games_per_unit * float(np.sum(cells))
    return Normalized(
        value=(mean - 0.5) / sqrt(games_per_unit * variance) * NORMALIZED_SCALE,
        margin=float(ndtri((1 + LEVEL) / 2)) * NORMALIZED_SCALE / sqrt(games),
    )


def superiority(won: float, lost: float) -> float:
    """The likelihood of superiority: how probable it is that one is better, after all that.

    `won`, `lost`: units in favour and against; drawn ones say nothing. The share of those won is
    taken to be anything beforehand, so it has a Beta distribution, of which this is the part above
    1/2; exact for few units too. 10 won and none lost give 1 - 2 ** -11.
    """
    return float(betainc(lost + 1, won + 1, 0.5))


def superiority_of_cells(cells: Cells) -> float:
    """The likelihood of superiority from cells: exact for up to three, else by the normal law."""
    if len(cells) <= 3:
        return superiority(float(cells[-1]), float(cells[0]))
    mean, variance = moments(cells)
    least = 1 / (4 * float(np.sum(cells)))  # of a unit; where all ended alike some doubt is left
    return float(ndtr((mean - 0.5) / sqrt(max(variance, least) / float(np.sum(cells)))))


def worth_of_mirroring(cells: Cells, games: Cells | None = None) -> float | None:
    """As many times the games would single deals have taken for the same precision.

    `cells`: of mirrored pairs; `games`: cells of their games by themselves, needed where games can
    be drawn. More than 1 where cards decide much and mirroring takes their luck away; less than 1
    where a pair's two games end alike. None where all pairs ended alike.
    """
    mean, variance = moments(cells)
    alone = mean * (1 - mean) if games is None else moments(games)[1]
    return alone / 2 / variance if variance > 0 else None


def games_for_precision(points: float, score: float, variance: float, games_per_unit: int) -> int:
    """Games that make the 95 % interval of an Elo difference about `points` wide to either side.

    `score`, `variance`: the mean score of a pilot and the variance of a unit, which a pilot of n
    units leaves uncertain by a share of about 1.4 / sqrt(n). A whole number of units.
    """
    slope = score * (1 - score) / SCALE  # score for one point
    units = variance * (float(ndtri((1 + LEVEL) / 2)) / (points * slope)) ** 2
    return games_per_unit * max(2, int(np.ceil(units)))


def games_to_tell_apart(points: float, variance: float, games_per_unit: int, power: float) -> int:
    """Games after which a true difference of `points` shows, at 95 %, with a chance of `power`.

    `variance`: of the score of a unit in a pilot. A whole number of units.
    """
    distance = score_of_elo(points) - 0.5
    deviations = float(ndtri((1 + LEVEL) / 2) + ndtri(power))
    return games_per_unit * max(2, int(np.ceil(variance * (deviations / distance) ** 2)))


def half_width(difference: Elo) -> float | None:
    """Half the distance between the ends: what a single +/- can say of an interval."""
    if difference.low is None or difference.high is None:
        return None
    return (difference.high - difference.low) / 2
