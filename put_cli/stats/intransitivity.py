"""What one number for each strategy cannot tell, with intervals: `cycles` and `equilibrium` joined.

Intervals come from the blocks of deals, drawn again: see `bootstrap`. In each draw the ratings
move by one step of Newton's method, which is defined even where somebody won everything.
"""

from collections.abc import Sequence
from dataclasses import asdict, dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray
from scipy.special import expit

from put_cli.stats import cycles
from put_cli.stats.bootstrap import interval
from put_cli.stats.equilibrium import alpha_rank, nash_average
from put_cli.stats.estimates import Estimates, estimate
from put_cli.stats.luce import NOBODY, renumbered
from put_cli.stats.sums import Sums

Floats = NDArray[np.float64]

DRAWS = 200
"""Runs that are drawn for the intervals, unless something else is asked for."""

MOST_CIRCLES = 20
"""So many circles have an interval, the largest."""


@dataclass(frozen=True, kw_only=True)
class Estimate:
    """A figure and the ends of its 95 % interval, None where one block is all there is."""

    value: float
    low: float | None
    high: float | None


@dataclass(frozen=True, kw_only=True)
class Place:
    """One strategy as a choice in the game of choosing strategies."""

    name: str
    rating: float
    nash: Estimate | None
    """Its share in the equilibrium of greatest entropy; None where some two never met."""
    against: Estimate | None
    """Its score against that equilibrium, 1/2 at most."""
    alpha: Estimate | None
    """The share of time that alpha-rank's population spends at it."""


@dataclass(frozen=True, kw_only=True)
class Pair:
    """A pairing, from the side of the one that did better than its rating."""

    a: str
    b: str
    score: float
    expected: float
    misfit: Estimate
    """Of `score` less `expected`; not below 0."""
    surprise: float
    """In standard errors of the score."""


@dataclass(frozen=True, kw_only=True)
class Ring:
    """Three of whom each beats the next and the last the first, all beyond chance."""

    names: tuple[str, str, str]
    scores: tuple[float, float, float]
    size: Estimate
    """How far the smallest of the three scores is above 1/2."""
    weakest: float
    """Standard errors that the least sure of them is above 1/2."""


@dataclass(frozen=True, kw_only=True)
class Intransitivity:
    """Where a field does not follow its ratings, and who is best all the same."""

    blocks: int
    """Of deals, which the intervals rest on."""
    draws: int
    typical: float
    """By how much scores miss what ratings lead to expect beyond chance, typically."""
    places: tuple[Place, ...]
    """Best rating first."""
    pairs: tuple[Pair, ...]
    """The most surprising first."""
    rings: tuple[Ring, ...]
    """The largest first, as many as MOST_CIRCLES."""
    ring_count: int
    """All of them."""

    def plain(self) -> dict[str, Any]:
        """JSON-ready."""
        found: dict[str, Any] = _rounded(asdict(self))
        return found


def intransitivity(
    sums: Sums, names: Sequence[str], memory: Sequence[bool], *, draws: int = DRAWS
) -> Intransitivity | None:
    """The pattern of a run of games of two, among the strategies with a rating estimate.

    None where fewer than three have one: two are always told by two numbers.
    """
    found = estimate(sums, memory)
    members, spread = found.members, found.spread
    if spread is None or len(members) < 3:
        return None
    field = _Field(sums, found)
    circles = cycles.circles(field.share, field.error)
    shown = circles[:MOST_CIRCLES]
    misfits = cycles.misfits(spread.strengths, field.share, field.error)

    def figures(wins: NDArray[np.int64]) -> Floats:
        share = field.shares(wins)
        expected = field.expected(wins)
        missed = [share[m.a, m.b] - expected[m.a, m.b] for m in misfits]
        sizes = [
            min(share[a, b] for a, b in zip(c.members, c.members[1:] + c.members[:1], strict=True))
            - 0.5
            for c in shown
        ]
        return np.concatenate([missed, sizes, *(field.choices(share))])

    won = field.won
    value = figures(won.sum(axis=0))
    blocks = int(won.any(axis=(1, 2)).sum())
    ends = interval(won, figures, draws=draws) if blocks > 1 else None
    every = [
        Estimate(
            value=float(value[k]),
            low=None if ends is None else float(ends[0, k]),
            high=None if ends is None else float(ends[1, k]),
        )
        for k in range(len(value))
    ]
    n, first = len(members), len(misfits) + len(shown)
    chosen: list[Estimate | None] = [*every[first:]] or [None] * (3 * n)
    named = [names[i] for i in members]
    return Intransitivity(
        blocks=blocks,
        draws=draws,
        typical=cycles.typical_misfit(misfits),
        places=tuple(
            Place(
                name=named[k],
                rating=found.ratings[members[k]].value or 0.0,
                nash=chosen[k],
                against=chosen[n + k],
                alpha=chosen[2 * n + k],
            )
            for k in range(n)
        ),
        pairs=tuple(_pair(m, each, named) for m, each in zip(misfits, every, strict=False)),
        rings=tuple(
            Ring(
                names=(named[c.members[0]], named[c.members[1]], named[c.members[2]]),
                scores=c.scores,
                size=each,
                weakest=c.weakest,
            )
            for c, each in zip(shown, every[len(misfits) :], strict=False)
        ),
        ring_count=len(circles),
    )


class _Field:
    """The pairings among the members of a field, to be looked at in one draw after the other."""

    def __init__(self, sums: Sums, found: Estimates) -> None:
        assert found.spread is not None
        self.n = len(found.members)
        seated = renumbered(sums.seated, len(found.ratings), found.members)
        inside = (seated != NOBODY).all(axis=1)
        self.seated = seated[inside]
        self.won = sums.won[:, inside]
        """(B, T, 2)."""
        self._wins = self.won.sum(axis=0)
        self._strengths, self._influence = found.spread.strengths, found.spread.influence
        units = [found.units[t] for t in np.flatnonzero(inside).tolist()]
        wins = self._wins.astype(float)
        self.share = cycles.payoffs(self.n, self.seated, wins)
        self.error = cycles.errors(self.n, self.seated, wins, units)

    def shares(self, wins: NDArray[np.int64]) -> Floats:
        """(n, n): the payoffs of a draw; as in the run where two did not meet in it."""
        share = cycles.payoffs(self.n, self.seated, wins.astype(float))
        return np.where(np.isnan(share), self.share, share)

    def expected(self, wins: NDArray[np.int64]) -> Floats:
        """(n, n): the scores that the ratings of a draw lead to expect."""
        games = self._wins.sum(axis=1, keepdims=True)
        scale = games / np.maximum(wins.sum(axis=1, keepdims=True), 1)
        more = np.zeros(self.n)
        np.add.at(more, self.seated, wins * scale - self._wins)
        strengths = self._strengths + self._influence @ more
        return np.asarray(expit(strengths[:, None] - strengths[None, :]))

    def choices(self, share: Floats) -> list[Floats]:
        """Nash averaging's mix and scores, and alpha-rank's shares; nothing if two never met."""
        if np.isnan(share).any():
            return []
        return [*nash_average(share), alpha_rank(share)]


def _pair(found: cycles.Misfit, missed: Estimate, names: Sequence[str]) -> Pair:
    """From the side of the one that did better."""
    if missed.value >= 0:
        return Pair(
            a=names[found.a],
            b=names[found.b],
            score=found.score,
            expected=found.expected,
            misfit=missed,
            surprise=found.surprise,
        )
    turned = Estimate(
        value=-missed.value,
        low=None if missed.high is None else -missed.high,
        high=None if missed.low is None else -missed.low,
    )
    return Pair(
        a=names[found.b],
        b=names[found.a],
        score=1 - found.score,
        expected=1 - found.expected,
        misfit=turned,
        surprise=-found.surprise,
    )


def _rounded(value: Any) -> Any:
    """Figures without the digits in which machines differ."""
    if isinstance(value, dict):
        return {key: _rounded(each) for key, each in value.items()}
    if isinstance(value, list | tuple):
        return [_rounded(each) for each in value]
    return round(value, 6) if isinstance(value, float) else value
