"""The lines of the standings: one for each strategy and one for each pairing.

Shares are numbers in [0, 1]; None where there is nothing to take a share of.
"""

from collections.abc import Mapping
from dataclasses import asdict, dataclass
from typing import Any

from put_cli.stats.rating import Bound
from put_cli.stats.units import Units


@dataclass(frozen=True, kw_only=True)
class StrategyLine:
    """What one strategy achieved over all its games."""

    name: str
    rank: int | None
    """1 is the best; equal ratings share a rank; None where there is no rating."""
    rating: float | None
    low: float | None
    high: float | None
    """Ends of the 95 % interval of the rating; None on the open side of a bound, and both None
    for a strategy whose rating is fixed by convention."""
    bound: Bound | None
    games: int
    wins: int
    losses: int
    score: float | None
    """Share of games won."""
    legs: int
    """Games within rubbers won."""
    hands: int
    points_per_hand: float | None
    """Own points minus the opponents', for each hand."""
    puts_per_hand: float | None
    puts_seen: float | None
    """Share of own puts that were seen."""
    puts_declined: float | None
    """Share of own puts that were thrown to."""
    puts_lost: float | None
    """Share of own seen puts that came in hands then lost."""
    puts_thrown_to: float | None
    """Share of the opponents' puts that this strategy threw to."""
    faults: int
    forfeits: int
    """Games lost unplayed; they are among the losses."""

    def figures(self) -> dict[str, Any]:
        """Every field, in order, rounded to what is the same on every machine."""
        coarse = ("rating", "low", "high")
        return {k: _rounded(v, 2 if k in coarse else 6) for k, v in asdict(self).items()}

    def plain(self) -> dict[str, Any]:
        """JSON-ready: the figures, with the ends of the interval as a list."""
        figures = self.figures()
        interval = [figures.pop("low"), figures.pop("high")]
        return {**figures, "interval": interval}


@dataclass(frozen=True, kw_only=True)
class PairingLine:
    """What two strategies achieved against each other."""

    a: str
    b: str
    score_a: float | None
    """Share of the games won by a."""
    low: float | None
    high: float | None
    """Ends of the 95 % interval of `score_a`."""
    first_dealer_score: float | None
    """Share of the games won by whoever dealt first."""
    units: Units
    """The independent units behind the interval."""
    counts: Mapping[str, int]
    """Every count of the tally table, by its name there."""

    @property
    def games(self) -> int:
        """Games of the pairing."""
        return self.counts["games"]

    def plain(self) -> dict[str, Any]:
        """JSON-ready; the counts stand beside the rest under the names of the tally table."""
        return {
            "a": self.a,
            "b": self.b,
            "score_a": _rounded(self.score_a, 6),
            "interval": [_rounded(self.low, 6), _rounded(self.high, 6)],
            "first_dealer_score": _rounded(self.first_dealer_score, 6),
            "units": {"kind": self.units.kind, "count": self.units.count},
            **self.counts,
        }


@dataclass(frozen=True, kw_only=True)
class TableLine:
    """What the strategies of a table of more than two achieved against each other."""

    names: tuple[str, ...]
    scores: tuple[float | None, ...]
    """Share of the games won by each."""
    margins: tuple[float | None, ...]
    """Half the width of the 95 % interval of each score."""
    units: Units
    counts: Mapping[str, int]
    """Every count of the tally table, by its name there."""

    @property
    def games(self) -> int:
        """Games of the table."""
        return self.counts["games"]

    def plain(self) -> dict[str, Any]:
        """JSON-ready; the counts stand beside the rest under the names of the tally table."""
        return {
            "names": list(self.names),
            "scores": [_rounded(score, 6) for score in self.scores],
            "margins": [_rounded(half_width, 6) for half_width in self.margins],
            "units": {"kind": self.units.kind, "count": self.units.count},
            **self.counts,
        }


@dataclass(frozen=True, kw_only=True)
class Difference:
    """How far apart two ratings are, in points."""

    upper: str
    lower: str
    neighbours: bool
    """Whether one follows the other in the list."""
    points: float
    error: float
    """Standard error of `points`; ratings share games, so it is not that of their intervals."""
    margin: float
    """Half the width of the 95 % interval of `points`."""
    superiority: float
    """Confidence that `upper` is truly the stronger."""

    def plain(self) -> dict[str, Any]:
        """JSON-ready."""
        return {
            "upper": self.upper,
            "lower": self.lower,
            "points": _rounded(self.points, 2),
            "error": _rounded(self.error, 3),
            "interval": [
                _rounded(self.points - self.margin, 2),
                _rounded(self.points + self.margin, 2),
            ],
            "superiority": _rounded(self.superiority, 6),
        }


def share(part: int, whole: int) -> float | None:
    """`part` over `whole`; None of nothing."""
    return part / whole if whole else None


def _rounded(value: Any, digits: int) -> Any:
    """A float without the last digits, where machines differ; anything else as it is."""
    return round(value, digits) if isinstance(value, float) else value
