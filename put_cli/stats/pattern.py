"""How well one number for each strategy tells who beats whom: `cycles` put into names."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from put_cli.stats import cycles
from put_cli.stats.intervals import Uncertainty
from put_cli.stats.luce import NOBODY, renumbered
from put_cli.stats.sums import Sums
from put_cli.stats.units import Units

MOST_CIRCLES = 10
"""So many circles are kept, the largest; the rest is counted."""


@dataclass(frozen=True, kw_only=True)
class Surprise:
    """The pairing that ratings tell worst."""

    a: str
    """The one that did better than its rating."""
    b: str
    score: float
    """Share of the games a won."""
    expected: float


@dataclass(frozen=True, kw_only=True)
class Pattern:
    """Where the results of a field follow its ratings, and where they do not."""

    misfit: float
    """By how much the score of a pairing misses what ratings lead to expect, typically and beyond
    chance; a share of the games."""
    worst: Surprise | None
    """The pairing that misses it most, if by more than chance."""
    circles: tuple[tuple[tuple[str, float], ...], ...]
    """Of three strategies each beats the next and the last the first, every step beyond
    chance: names with their score against the next, the largest circles first."""
    circle_count: int
    """How many circles there are of that kind."""

    def plain(self) -> dict[str, Any]:
        """JSON-ready."""
        worst = self.worst
        return {
            "misfit": round(self.misfit, 6),
            "worst": None
            if worst is None
            else {
                "a": worst.a,
                "b": worst.b,
                "score": round(worst.score, 6),
                "expected": round(worst.expected, 6),
            },
            "circles": [
                [{"name": name, "score": round(score, 6)} for name, score in circle]
                for circle in self.circles
            ],
            "circle_count": self.circle_count,
        }


def pattern_of(
    names: Sequence[str],
    members: Sequence[int],
    spread: Uncertainty | None,
    sums: Sums,
    units: Sequence[Units],
) -> Pattern | None:
    """The pattern of the pairings among `members`, in the order of `spread`.

    `units`: of every pairing of `sums`. None for fewer than three, whom ratings always fit.
    """
    if spread is None or len(members) < 3:
        return None
    n = len(members)
    seated = renumbered(sums.seated, len(names), tuple(members))
    inside = (seated != NOBODY).all(axis=1)
    wins = sums.won.sum(axis=0)[inside].astype(float)
    here = [units[t] for t in inside.nonzero()[0].tolist()]
    share = cycles.payoffs(n, seated[inside], wins)
    error = cycles.errors(n, seated[inside], wins, here)
    found = cycles.misfits(spread.strengths, share, error)
    sure = cycles.beyond_chance(len(found))
    circles = cycles.circles(share, error)
    beyond = [each for each in found if abs(each.surprise) > sure]
    worst = max(beyond, key=lambda each: abs(each.score - each.expected), default=None)

    def name(k: int) -> str:
        return names[members[k]]

    return Pattern(
        misfit=cycles.typical_misfit(found),
        worst=None if worst is None else _told(worst, name(worst.a), name(worst.b)),
        circles=tuple(
            tuple((name(k), score) for k, score in zip(each.members, each.scores, strict=True))
            for each in circles[:MOST_CIRCLES]
        ),
        circle_count=len(circles),
    )


def _told(misfit: cycles.Misfit, a: str, b: str) -> Surprise:
    """From the side of the one that did better than its rating."""
    if misfit.score > misfit.expected:
        return Surprise(a=a, b=b, score=misfit.score, expected=misfit.expected)
    return Surprise(a=b, b=a, score=1 - misfit.score, expected=1 - misfit.expected)
