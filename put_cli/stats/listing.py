"""From sums and ratings to the lines of the standings."""

from collections.abc import Mapping, Sequence

import numpy as np
from numpy.typing import NDArray

from put_cli.stats.intervals import Uncertainty
from put_cli.stats.lines import Difference, PairingLine, StrategyLine, TableLine, share
from put_cli.stats.rating import MEAN, SCALE, Rating
from put_cli.stats.sums import Sums
from put_cli.stats.tally import PLACES
from put_cli.stats.units import Units

SIDED = ("wins", "legs", "points", "puts", "seen", "declined", "lost", "faults", "forfeits")
"""Tally columns that come once for each place, `_a`, `_b`, and so on."""

SHARED = ("games", "hands")
"""Tally columns that count the same for all strategies of a pairing."""


def strategy_lines(
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


def pairing_lines(
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


def table_lines(names: Sequence[str], sums: Sums, units: Sequence[Units]) -> tuple[TableLine, ...]:
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


def differences(
    members: Sequence[int], names: Sequence[str], spread: Uncertainty | None
) -> tuple[Difference, ...]:
    """Between every two of `members`, in the order of `spread`."""
    if spread is None:
        return ()
    strengths = spread.strengths
    # As lists: of thousands of strategies there are millions of these.
    points = (SCALE * (strengths[:, None] - strengths)).tolist()
    errors, margins = (SCALE * spread.errors).tolist(), (SCALE * spread.margins).tolist()
    superiorities = spread.superiorities.tolist()
    named = [names[member] for member in members]
    return tuple(
        Difference(
            upper=named[k],
            lower=named[m],
            neighbours=m == k + 1,
            points=points[k][m],
            error=errors[k][m],
            margin=margins[k][m],
            superiority=superiorities[k][m],
        )
        for k in range(len(members))
        for m in range(k + 1, len(members))
    )
