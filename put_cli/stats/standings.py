"""The standings: every figure a tournament is told by, from its tallies.

The one entrance for the rest of the program. No figure is ever nan or infinite: what does not
exist is None here and null in JSON.
"""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import Any

import numpy as np
from numpy.typing import NDArray

from put_cli.stats.intervals import Uncertainty, margin, uncertainty
from put_cli.stats.lines import PairingLine, StrategyLine, share
from put_cli.stats.rating import MEAN, SCALE, Rating, rate
from put_cli.stats.sentences import Gap, sentences
from put_cli.stats.sums import sums
from put_cli.stats.tally import Rows
from put_cli.stats.units import Units, pairing_units

SIDED = ("wins", "legs", "points", "puts", "seen", "declined", "lost", "faults", "forfeits")
"""Tally columns that come in two, `_a` and `_b`."""

SHARED = ("games", "hands")
"""Tally columns that count the same for both strategies of a pairing."""


@dataclass(frozen=True, kw_only=True)
class Standings:
    """The results of a tournament."""

    games: int
    hands: int
    drawn: int
    """Drawn hands."""
    first_dealer_score: float | None
    """Share of all games won by whoever dealt first."""
    strategies: tuple[StrategyLine, ...]
    """Best first."""
    pairings: tuple[PairingLine, ...]
    """In the order they were given."""
    sentences: tuple[str, ...]
    """What the figures do and do not show, in words."""

    def plain(self) -> dict[str, Any]:
        """JSON-ready."""
        first = self.first_dealer_score
        return {
            "games": self.games,
            "hands": self.hands,
            "drawn": self.drawn,
            "first_dealer_score": None if first is None else round(first, 6),
            "strategies": [line.plain() for line in self.strategies],
            "pairings": [line.plain() for line in self.pairings],
            "sentences": list(self.sentences),
        }


def standings(
    parts: Iterable[Rows],
    *,
    names: Sequence[str],
    memory: Sequence[bool],
    pairs: Sequence[tuple[int, int]],
) -> Standings:
    """The standings of n strategies from the tally rows of their matches.

    `parts`: the tally table in parts, in any order, no block split between two; `names`,
    `memory`: of the n strategies, by index; `pairs`: the pairings of the tournament as indices
    (i, j), i < j. Raises RunError for rows of any other pairing.
    """
    summed = sums(parts, pairs=pairs, memory=memory)
    totals, units = summed.totals, pairing_units(summed, pairs=pairs, memory=memory)
    ends = np.array(pairs, dtype=np.int64).reshape(-1, 2)

    wins = np.zeros((len(names), len(names)))
    wins[ends[:, 0], ends[:, 1]] = totals["wins_a"]
    wins[ends[:, 1], ends[:, 0]] = totals["wins_b"]
    ratings = rate(wins)
    # An unrated strategy stands after the rest, so its place within the order is any.
    points = np.array([MEAN if rating.value is None else rating.value for rating in ratings])
    order = sorted(range(len(names)), key=lambda i: (ratings[i].level, -points[i], i))
    # Only estimates have an interval, and only if there are others to be estimated against.
    members = [i for i in order if ratings[i].value is not None and ratings[i].bound is None]
    spread = _uncertainty(members, points, ends, totals, units) if len(members) > 1 else None

    margins = {i: SCALE * spread.of_strength(k) for k, i in enumerate(members)} if spread else {}
    strategies = _strategy_lines(order, names, ratings, margins, ends, totals)
    pairings = _pairing_lines(names, pairs, totals, units)
    gaps = _gaps(members, names, points, spread) if spread else ()
    games = int(totals["games"].sum())
    return Standings(
        games=games,
        hands=int(totals["hands"].sum()),
        drawn=int(totals["drawn"].sum()),
        first_dealer_score=share(int(_first_dealer_wins(totals).sum()), games),
        strategies=strategies,
        pairings=pairings,
        sentences=sentences(strategies, pairings, gaps),
    )


def _uncertainty(
    members: list[int],
    points: NDArray[np.float64],
    ends: NDArray[np.int64],
    totals: Mapping[str, NDArray[np.int64]],
    units: Sequence[Units],
) -> Uncertainty:
    """Of the strengths of `members`, in that order, from the pairings among them."""
    place = {i: k for k, i in enumerate(members)}
    among = [
        p for p, (i, j) in enumerate(ends) if i in place and j in place and totals["games"][p] > 0
    ]
    return uncertainty(
        (points[members] - MEAN) / SCALE,
        pairs=np.array([(place[i], place[j]) for i, j in ends[among]]),
        games=totals["games"][among].astype(np.float64),
        variance=np.array([units[p].variance for p in among]),
        freedom=np.array([units[p].freedom for p in among], dtype=np.float64),
    )


def _strategy_lines(
    order: Sequence[int],
    names: Sequence[str],
    ratings: Sequence[Rating],
    margins: Mapping[int, float],
    ends: NDArray[np.int64],
    totals: Mapping[str, NDArray[np.int64]],
) -> tuple[StrategyLine, ...]:
    """One line for each strategy in `order`."""
    own, theirs = _by_strategy(ends, totals, len(names))
    standing = [(ratings[i].level, round(ratings[i].value or MEAN, 6)) for i in order]
    lines = []
    for place, i in enumerate(order):
        rating = ratings[i]
        mine = {name: int(counts[i]) for name, counts in own.items()}
        other = {name: int(counts[i]) for name, counts in theirs.items()}
        low, high = _interval(rating, margins.get(i))
        lines.append(
            StrategyLine(
                name=names[i],
                rank=None if rating.value is None else standing.index(standing[place]) + 1,
                rating=rating.value,
                low=low,
                high=high,
                bound=rating.bound,
                games=mine["games"],
                wins=mine["wins"],
                losses=other["wins"],
                score=share(mine["wins"], mine["games"]),
                legs=mine["legs"],
                hands=mine["hands"],
                points_per_hand=share(mine["points"] - other["points"], mine["hands"]),
                puts_per_hand=share(mine["puts"], mine["hands"]),
                puts_seen=share(mine["seen"], mine["puts"]),
                puts_declined=share(mine["declined"], mine["puts"]),
                puts_lost=share(mine["lost"], mine["seen"]),
                puts_thrown_to=share(other["declined"], other["puts"]),
                faults=mine["faults"],
                forfeits=mine["forfeits"],
            )
        )
    return tuple(lines)


def _by_strategy(
    ends: NDArray[np.int64], totals: Mapping[str, NDArray[np.int64]], n: int
) -> tuple[dict[str, NDArray[np.int64]], dict[str, NDArray[np.int64]]]:
    """Counts (n,) of every strategy's own doings, and of its opponents' against it."""
    own = {name: np.zeros(n, dtype=np.int64) for name in SIDED + SHARED}
    theirs = {name: np.zeros(n, dtype=np.int64) for name in SIDED}
    for side, (me, you) in enumerate((("_a", "_b"), ("_b", "_a"))):
        for name in SIDED:
            np.add.at(own[name], ends[:, side], totals[name + me])
            np.add.at(theirs[name], ends[:, side], totals[name + you])
        for name in SHARED:
            np.add.at(own[name], ends[:, side], totals[name])
    return own, theirs


def _interval(rating: Rating, half_width: float | None) -> tuple[float | None, float | None]:
    if rating.bound == "at least":
        return rating.value, None
    if rating.bound == "at most":
        return None, rating.value
    if rating.value is None or half_width is None:
        return None, None
    return rating.value - half_width, rating.value + half_width


def _pairing_lines(
    names: Sequence[str],
    pairs: Sequence[tuple[int, int]],
    totals: Mapping[str, NDArray[np.int64]],
    units: Sequence[Units],
) -> tuple[PairingLine, ...]:
    first_dealer_wins = _first_dealer_wins(totals)
    lines = []
    for p, (i, j) in enumerate(pairs):
        counts = {name: int(column[p]) for name, column in totals.items()}
        games = counts["games"]
        score = share(counts["wins_a"], games)
        low = high = None
        if score is not None:
            half_width = margin(units[p].variance, units[p].freedom) / games
            low, high = max(0.0, score - half_width), min(1.0, score + half_width)
        lines.append(
            PairingLine(
                a=names[i],
                b=names[j],
                score_a=score,
                low=low,
                high=high,
                first_dealer_score=share(int(first_dealer_wins[p]), games),
                units=units[p],
                counts=counts,
            )
        )
    return tuple(lines)


def _first_dealer_wins(totals: Mapping[str, NDArray[np.int64]]) -> NDArray[np.int64]:
    """Games won by whoever dealt first, for each pairing: (P,)."""
    dealt_by_b = totals["games"] - totals["dealt_a"]
    won_without_deal_by_a = totals["wins_a"] - totals["dealt_wins_a"]
    return np.asarray(totals["dealt_wins_a"] + dealt_by_b - won_without_deal_by_a)


def _gaps(
    members: list[int],
    names: Sequence[str],
    points: NDArray[np.float64],
    spread: Uncertainty,
) -> tuple[Gap, ...]:
    """The differences between neighbours in the list; `members` in the order of `spread`."""
    gaps = []
    for k, (upper, lower) in enumerate(pairwise(members)):
        half_width = SCALE * spread.of_difference(k, k + 1)
        gaps.append(
            Gap(names[upper], names[lower], float(points[upper] - points[lower]), half_width)
        )
    return tuple(gaps)
