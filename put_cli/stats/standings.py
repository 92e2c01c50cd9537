"""The standings: every figure a tournament is told by, from its tallies.

The one entrance for the rest of the program. No figure is ever nan or infinite: what does not
exist is None here and null in JSON.
"""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from put_cli.errors import UsageError, did_you_mean
from put_cli.stats import luce
from put_cli.stats.clusters import scatter
from put_cli.stats.first_deal import FirstDeal, first_deal
from put_cli.stats.intervals import Uncertainty, alike, uncertainty
from put_cli.stats.lines import Difference, PairingLine, StrategyLine, TableLine, share
from put_cli.stats.rating import MEAN, SCALE, Rating, rate
from put_cli.stats.sentences import sentences
from put_cli.stats.sums import Sums
from put_cli.stats.tally import PLACES, Rows
from put_cli.stats.units import Units, table_units

SIDED = ("wins", "legs", "points", "puts", "seen", "declined", "lost", "faults", "forfeits")
"""Tally columns that come once for each place, `_a`, `_b`, and so on."""

SHARED = ("games", "hands")
"""Tally columns that count the same for all strategies of a pairing."""


@dataclass(frozen=True, kw_only=True)
class Standings:
    """The results of a tournament."""

    games: int
    hands: int
    drawn: int
    """Drawn hands."""
    first_dealer_score: float | None
    """Share of all games won by whoever dealt first."""
    first_deal: FirstDeal | None
    """What dealing first is worth in rating points."""
    strategies: tuple[StrategyLine, ...]
    """Best first."""
    pairings: tuple[PairingLine, ...]
    """In the order they were given; none for games of more than two."""
    tables: tuple[TableLine, ...]
    """The same for games of more than two."""
    differences: tuple[Difference, ...]
    """Of every two strategies with a rating estimate, the better first."""
    groups: tuple[tuple[str, ...], ...]
    """Strategies these games cannot tell apart, pair by pair; groups may overlap."""
    blocks: int | None
    """Blocks of deals that the intervals rest on: see `clusters.Scatter`."""
    sentences: tuple[str, ...]
    """What the figures do and do not show, in words."""

    def plain(self) -> dict[str, Any]:
        """JSON-ready."""
        first = self.first_dealer_score
        deal = self.first_deal
        lines = [line.plain() for line in self.pairings]
        tables = {"tables": [line.plain() for line in self.tables]} if self.tables else {}
        return {
            "games": self.games,
            "hands": self.hands,
            "drawn": self.drawn,
            "first_dealer_score": None if first is None else round(first, 6),
            "first_deal": None if deal is None else deal.plain(),
            "strategies": [line.plain() for line in self.strategies],
            "pairings": lines,
            **tables,
            "differences": [each.plain() for each in self.differences],
            "groups": [list(group) for group in self.groups],
            "blocks": self.blocks,
            "sentences": list(self.sentences),
        }


def standings(
    parts: Iterable[Rows],
    *,
    names: Sequence[str],
    memory: Sequence[bool],
    pairs: Sequence[tuple[int, ...]],
    anchor: tuple[str, float] | None = None,
) -> Standings:
    """The standings of n strategies from the tally rows of their matches.

    `parts`: the tally table in parts, in any order; `names`, `memory`: of the n strategies, by
    index; `pairs`: the pairings or larger tables of the tournament as indices i < j < ...;
    `anchor`: a strategy and the rating it is to have, instead of 1500 for the mean. Raises
    RunError for rows of any other pairing, UsageError for an anchor without a rating estimate.
    """
    return from_sums(Sums.of(parts, pairs), names=names, memory=memory, anchor=anchor)


def from_sums(
    sums: Sums,
    *,
    names: Sequence[str],
    memory: Sequence[bool],
    anchor: tuple[str, float] | None = None,
) -> Standings:
    """As `standings`, from tally rows that were added up."""
    won = sums.won
    units = table_units(sums.seated, won, sums.cells, np.array(memory, dtype=bool))
    games = luce.played(len(names), sums.seated, won.sum(axis=0))
    ratings = rate(games)
    # An unrated strategy stands after the rest, so its place within the order is any.
    points = np.array([MEAN if rating.value is None else rating.value for rating in ratings])
    order = sorted(range(len(names)), key=lambda i: (ratings[i].level, -points[i], i))
    # Only estimates have an interval, and only if there are others to be estimated against.
    members = [i for i in order if ratings[i].value is not None and ratings[i].bound is None]
    spread = _uncertainty(sums, members, (points[members] - MEAN) / SCALE, memory, units)

    ratings, margins = _scaled(ratings, names, members, spread, anchor)
    strategies = _strategy_lines(order, names, ratings, margins, sums)
    pairings = _pairing_lines(names, sums, units) if sums.seated.shape[1] == 2 else ()
    tables = _table_lines(names, sums, units) if sums.seated.shape[1] > 2 else ()
    differences = _differences(members, names, spread)
    played = int(sums.totals["games"].sum())
    dealers = sums.outcomes.shape[2] > 1
    first_dealer_wins = np.einsum("btdd->", sums.outcomes, dtype=np.int64) if dealers else 0
    return Standings(
        games=played,
        hands=int(sums.totals["hands"].sum()),
        drawn=int(sums.totals["drawn"].sum()),
        first_dealer_score=share(int(first_dealer_wins), played) if dealers else None,
        first_deal=_first_deal(sums, members),
        strategies=strategies,
        pairings=pairings,
        tables=tables,
        differences=differences,
        groups=tuple(tuple(names[members[k]] for k in group) for group in alike(spread))
        if spread
        else (),
        blocks=spread.scatter.blocks if spread else None,
        sentences=sentences(
            strategies,
            pairings,
            differences,
            blocks=spread.scatter.blocks if spread else None,
            anchor=anchor,
        ),
    )


def _uncertainty(
    sums: Sums,
    members: list[int],
    strengths: NDArray[np.float64],
    memory: Sequence[bool],
    units: Sequence[Units],
) -> Uncertainty | None:
    """Of the strengths of `members`, in that order, from the games among them."""
    if len(members) < 2:
        return None
    seated = luce.renumbered(sums.seated, len(memory), tuple(members))
    won = np.where(seated == luce.NOBODY, 0, sums.won)
    told = ((seated != luce.NOBODY).sum(axis=1) > 1) & won.any(axis=(0, 2))
    seated, won = seated[told], won[:, told]
    if seated.shape[1] > 2:  # units of the games among members, where others sat as well
        none = np.zeros((len(seated), 3), np.int64)
        units = table_units(seated, won, none, np.array(memory, dtype=bool)[members])
    else:
        units = [units[t] for t in np.flatnonzero(told).tolist()]
    games = luce.played(len(members), seated, won.sum(axis=0))
    return uncertainty(games, strengths, scatter(len(members), seated, won, units))


def _scaled(
    ratings: Sequence[Rating],
    names: Sequence[str],
    members: Sequence[int],
    spread: Uncertainty | None,
    anchor: tuple[str, float] | None,
) -> tuple[tuple[Rating, ...], dict[int, float]]:
    """The ratings as they are to be shown, and the margins of those that have one.

    Margins are of the difference from the anchor, or without one from the mean.
    """
    if anchor is None:
        margins = {i: spread.of_strength(k) for k, i in enumerate(members)} if spread else {}
        return tuple(ratings), {i: SCALE * half_width for i, half_width in margins.items()}
    name, value = anchor
    if name not in names:
        raise UsageError(
            f"--anchor: there is no strategy {name!r} in this run."
            f"{did_you_mean(name, list(names))} They are: {', '.join(names)}."
        )
    base = ratings[names.index(name)].value
    if base is None or names.index(name) not in members:
        raise UsageError(
            f"--anchor: {name!r} has no rating estimate: it won all of its games against some of "
            "the others or lost them all. Name another."
        )
    here = members.index(names.index(name))
    shifted = tuple(
        rating if rating.value is None else replace(rating, value=rating.value - base + value)
        for rating in ratings
    )
    margins = {
        i: SCALE * spread.of_difference(k, here)
        for k, i in enumerate(members)
        if spread and k != here
    }
    return shifted, margins


def _first_deal(sums: Sums, members: list[int]) -> FirstDeal | None:
    """Of the games among `members`, where the tallies tell who dealt."""
    if sums.outcomes.shape[2] == 1:
        return None
    seated = luce.renumbered(sums.seated, int(sums.seated.max(initial=0)) + 1, tuple(members))
    inside = (seated != luce.NOBODY).all(axis=1)
    return first_deal(len(members), seated[inside], sums.outcomes[:, inside])


def _strategy_lines(
    order: Sequence[int],
    names: Sequence[str],
    ratings: Sequence[Rating],
    margins: Mapping[int, float],
    sums: Sums,
) -> tuple[StrategyLine, ...]:
    """One line for each strategy in `order`."""
    own, theirs = _by_strategy(sums, len(names))
    rivals = sums.seated.shape[1] - 1
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
                points_per_hand=share(mine["points"] * rivals - other["points"], mine["hands"]),
                puts_per_hand=share(mine["puts"], mine["hands"]),
                puts_seen=share(mine["seen"], mine["puts"]),
                puts_declined=share(mine["declined"], mine["puts"]),
                puts_lost=share(mine["lost"], mine["seen"]),
                # With more at the table it is not told who of them threw.
                puts_thrown_to=share(other["declined"], other["puts"]) if rivals == 1 else None,
                faults=mine["faults"],
                forfeits=mine["forfeits"],
            )
        )
    return tuple(lines)


def _by_strategy(
    sums: Sums, n: int
) -> tuple[dict[str, NDArray[np.int64]], dict[str, NDArray[np.int64]]]:
    """Counts (n,) of every strategy's own doings, and of all its opponents' at its tables."""
    own = {name: np.zeros(n, dtype=np.int64) for name in SIDED + SHARED}
    theirs = {name: np.zeros(n, dtype=np.int64) for name in SIDED}
    places = sums.seated.shape[1]
    nothing = np.zeros(len(sums.seated), dtype=np.int64)
    for place in range(places):
        who = sums.seated[:, place]
        for name in SIDED:
            counts = [sums.totals.get(f"{name}_{each}", nothing) for each in PLACES[:places]]
            np.add.at(own[name], who, counts[place])
            np.add.at(theirs[name], who, sum(counts) - counts[place])
        for name in SHARED:
            np.add.at(own[name], who, sums.totals[name])
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
    names: Sequence[str], sums: Sums, units: Sequence[Units]
) -> tuple[PairingLine, ...]:
    first_dealer_wins = np.einsum("btdd->t", sums.outcomes, dtype=np.int64)
    lines = []
    for p, (i, j) in enumerate(sums.seated.tolist()):
        counts = {name: int(column[p]) for name, column in sums.totals.items()}
        games = counts["games"]
        score = share(counts["wins_a"], games)
        low = high = None
        if score is not None:
            half_width = units[p].margin(0) / games
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


def _table_lines(names: Sequence[str], sums: Sums, units: Sequence[Units]) -> tuple[TableLine, ...]:
    lines = []
    for t, who in enumerate(sums.seated.tolist()):
        counts = {name: int(column[t]) for name, column in sums.totals.items() if column.any()}
        games = counts.setdefault("games", 0)
        won = [counts.get(f"wins_{place}", 0) for place in PLACES[: len(who)]]
        lines.append(
            TableLine(
                names=tuple(names[i] for i in who),
                scores=tuple(share(each, games) for each in won),
                margins=tuple(
                    units[t].margin(place) / games if games else None for place in range(len(who))
                ),
                units=units[t],
                counts=counts,
            )
        )
    return tuple(lines)


def _differences(
    members: list[int], names: Sequence[str], spread: Uncertainty | None
) -> tuple[Difference, ...]:
    """Between every two of `members`, in the order of `spread`."""
    if spread is None:
        return ()
    return tuple(
        Difference(
            upper=names[members[k]],
            lower=names[members[m]],
            neighbours=m == k + 1,
            points=SCALE * float(spread.strengths[k] - spread.strengths[m]),
            error=SCALE * spread.error(k, m),
            margin=SCALE * spread.of_difference(k, m),
            superiority=spread.superiority(k, m),
        )
        for k in range(len(members))
        for m in range(k + 1, len(members))
    )
