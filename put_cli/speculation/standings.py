"""The standings of Speculation: chips a deal, and a rating from the order in which all finish.

The independent unit is the deals of a session over all chairs and tables that are dealt them: what
a strategy wins beyond its mean is added up within a unit first, and the squares after. No figure is
nan: what does not exist is None.
"""

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import asdict, dataclass
from itertools import pairwise
from typing import Any

import numpy as np
import numpy.typing as npt

from put_cli.errors import UsageError, did_you_mean
from put_cli.speculation.schema import PLACES
from put_cli.stats import luce, rating
from put_cli.stats.components import split
from put_cli.stats.finishing import Orders, levels_of, scores
from put_cli.stats.tally import table_members
from put_cli.stats.units import margin

Rows = Mapping[str, npt.NDArray[np.int64]]

FEW_UNITS = 20
"""With fewer units than this an interval is called rough."""


@dataclass(frozen=True, kw_only=True)
class Line:
    """What one strategy achieved over all its sessions."""

    name: str
    rank: int
    """By chips a deal; 1 is the best."""
    chips_per_deal: float | None
    low: float | None
    high: float | None
    """Ends of its 95 % interval."""
    rating: float | None
    """Plackett-Luce, from the finishing order of each session."""
    rating_low: float | None
    rating_high: float | None
    bound: str | None
    """None for an estimate; `at least` or `at most` for a one-sided 95 % bound."""
    sessions: int
    first: float | None
    """Share of sessions that nobody finished ahead of it; shared first places are divided."""
    deals: int
    pools_per_deal: float | None
    bought_per_deal: float | None
    sold_per_deal: float | None
    paid_per_deal: float | None
    """Chips for Knaves and fives."""
    faults: int


@dataclass(frozen=True, kw_only=True)
class SpeculationStandings:
    """The standings of a run, best first."""

    strategies: tuple[Line, ...]
    sessions: int
    deals: int
    players: int
    units: int
    sentences: tuple[str, ...]

    def plain(self) -> dict[str, Any]:
        """JSON-ready."""
        return asdict(self) | {"strategies": [_plain(line) for line in self.strategies]}


def _plain(line: Line) -> dict[str, Any]:
    return {
        key: round(value, 6) if isinstance(value, float) else value
        for key, value in asdict(line).items()
    }


class Sums:
    """What the standings are made of, added up part by part."""

    def __init__(self, strategies: int, players: int, unit_games: int) -> None:
        self.players = players
        self.unit_games = unit_games
        self.chips = np.zeros((0, strategies), np.int64)
        """(U, n): by unit."""
        self.deals = np.zeros((0, strategies), np.int64)
        self.counts = {
            name: np.zeros(strategies, np.int64) for name in ("taken", "bought", "sold", "paid")
        }
        self.faults = np.zeros(strategies, np.int64)
        self.sessions = np.zeros(strategies, np.int64)
        self.first = np.zeros(strategies)
        self.total_sessions = self.total_deals = 0
        self.orders = Orders(strategies)

    def unit(self, part: Rows) -> npt.NDArray[np.int64]:
        """(R,): the unit of each session."""
        return part["block"] * self.unit_games + part["game"]

    def tables(self, part: Rows) -> Iterable[tuple[tuple[int, ...], npt.NDArray[np.int64], Rows]]:
        """The rows of each table of a part: its strategies, the units, the columns."""
        unit = self.unit(part)
        for number in np.unique(part["pairing"]):
            here = part["pairing"] == number
            members = table_members(int(number), self.players)
            yield members, unit[here], {name: column[here] for name, column in part.items()}

    def add(self, part: Rows) -> None:
        """The rows of a part of the log."""
        if len(part["block"]):
            self._make_room(int(self.unit(part).max()) + 1)
        for members, unit, rows in self.tables(part):
            chips = of_places(rows, "chips", self.players)
            levels = levels_ranked(rows, self.players)
            self.orders.add(members, levels)
            best = levels == 0
            share = best / best.sum(axis=1, keepdims=True)
            for n, who in enumerate(members):
                np.add.at(self.chips[:, who], unit, chips[:, n])
                np.add.at(self.deals[:, who], unit, rows["deals"])
                self.sessions[who] += len(unit)
                self.first[who] += share[:, n].sum()
                self.faults[who] += rows[f"faults_{PLACES[n]}"].sum()
                for name, count in self.counts.items():
                    count[who] += rows[f"{name}_{PLACES[n]}"].sum()
        self.total_sessions += len(part["block"])
        self.total_deals += int(part["deals"].sum())

    def _make_room(self, units: int) -> None:
        more = units - len(self.chips)
        if more > 0:
            room = np.zeros((more, self.chips.shape[1]), np.int64)
            self.chips = np.concatenate([self.chips, room])
            self.deals = np.concatenate([self.deals, room])


def of_places(rows: Rows, name: str, players: int) -> npt.NDArray[np.int64]:
    """(R, N): a count of the tallies for the strategies of a table."""
    return np.stack([rows[f"{name}_{place}"] for place in PLACES[:players]], axis=1)


def levels_ranked(rows: Rows, players: int) -> npt.NDArray[np.int64]:
    """(R, N): how many finished ahead of each; who made a fault finishes behind the others."""
    chips = of_places(rows, "chips", players)
    behind = of_places(rows, "faults", players)
    least = chips.min() - chips.max() - 1 if chips.size else 0
    return levels_of(chips + behind * least)


def standings(
    parts: Callable[[], Iterable[Rows]],
    *,
    names: Sequence[str],
    players: int,
    unit_games: int,
    anchor: tuple[str, float] | None = None,
) -> SpeculationStandings:
    """The standings from the tallies; `parts` gives them, and is called twice.

    `unit_games` is the number of sessions in a match; `anchor` a strategy and the rating it is to
    have, instead of 1500 for the mean.

    Raises:
        UsageError: the anchor is no strategy of the run, or has no rating estimate.
    """
    sums = Sums(len(names), players, unit_games)
    for part in parts():
        sums.add(part)
    chips = [_mean(sums.chips[:, i], sums.deals[:, i]) for i in range(len(names))]
    ratings = _ratings(sums, parts, names, anchor)
    order = sorted(
        range(len(names)), key=lambda i: (chips[i] is None, -(chips[i] or (0.0, 0.0))[0], names[i])
    )
    lines = tuple(
        _line(sums, i, rank, names[i], chips[i], ratings[i])
        for rank, i in enumerate(order, start=1)
    )
    units = int((sums.deals.sum(axis=1) > 0).sum())
    return SpeculationStandings(
        strategies=lines,
        sessions=sums.total_sessions,
        deals=sums.total_deals,
        players=players,
        units=units,
        sentences=_sentences(sums, order, names, units),
    )


def _mean(
    chips: npt.NDArray[np.int64], deals: npt.NDArray[np.int64]
) -> tuple[float, float | None] | None:
    """Chips a deal and the margin of its interval, from both by unit; None without a deal.

    A ratio of sums: its error is that of what remains of the chips, unit by unit.
    """
    total = int(deals.sum())
    if not total:
        return None
    mean = float(chips.sum()) / total
    units = int((deals > 0).sum())
    if units < 2:
        return mean, None
    left = chips - mean * deals
    variance = float((left**2).sum()) * units / (units - 1) / total**2
    return mean, margin(variance, units - 1)


_Rated = tuple[rating.Rating | None, float | None]


def _ratings(
    sums: Sums,
    parts: Callable[[], Iterable[Rows]],
    names: Sequence[str],
    anchor: tuple[str, float] | None,
) -> list[_Rated]:
    """The rating of each strategy, and the margin of those that are estimates."""
    games = sums.orders.games()
    if not len(games.seated):
        return [(None, None)] * len(names)
    found = list(rating.rate(games))
    margins: list[float | None] = [None] * len(names)
    field = split(games.against())
    units = int((sums.deals.sum(axis=1) > 0).sum())
    if len(field.members) == 1 and units > 1:
        strengths = luce.fit(games)
        by_unit = np.zeros((len(sums.chips), len(names)))
        for part in parts():
            for members, unit, rows in sums.tables(part):
                beyond = scores(members, levels_ranked(rows, sums.players), strengths)
                for n, who in enumerate(members):
                    np.add.at(by_unit[:, who], unit, beyond[:, n])
        scatter = by_unit.T @ by_unit * units / (units - 1)
        influence = luce.constrained_inverse(games.information(strengths), games.n)
        if anchor and anchor[0] in names:
            influence = influence - influence[names.index(anchor[0])]
        covariance = influence @ scatter @ influence.T
        margins = [
            rating.SCALE * margin(max(0.0, float(covariance[i, i])), units - 1)
            for i in range(len(names))
        ]
    shift = _shift(found, names, anchor)
    return [
        (
            each
            if each.value is None
            else rating.Rating(value=each.value + shift, bound=each.bound, level=each.level),
            margins[i] if each.bound is None else None,
        )
        for i, each in enumerate(found)
    ]


def _shift(
    found: Sequence[rating.Rating], names: Sequence[str], anchor: tuple[str, float] | None
) -> float:
    if anchor is None:
        return 0.0
    name, wanted = anchor
    if name not in names:
        raise UsageError(f"--anchor: there is no {name!r} in this run.{did_you_mean(name, names)}")
    own = found[names.index(name)]
    if own.value is None or own.bound is not None:
        raise UsageError(f"--anchor: {name} has no rating estimate to anchor.")
    return wanted - own.value


def _line(
    sums: Sums,
    i: int,
    rank: int,
    name: str,
    chips: tuple[float, float | None] | None,
    rated: _Rated,
) -> Line:
    deals = int(sums.deals[:, i].sum())
    mean, half = chips or (None, None)
    rate, spread = rated
    value = rate.value if rate else None
    each = {key: (int(count[i]) / deals if deals else None) for key, count in sums.counts.items()}
    sessions = int(sums.sessions[i])
    return Line(
        name=name,
        rank=rank,
        chips_per_deal=mean,
        low=None if mean is None or half is None else mean - half,
        high=None if mean is None or half is None else mean + half,
        rating=value,
        rating_low=None if value is None or spread is None else value - spread,
        rating_high=None if value is None or spread is None else value + spread,
        bound=rate.bound if rate else None,
        sessions=sessions,
        first=float(sums.first[i]) / sessions if sessions else None,
        deals=deals,
        pools_per_deal=each["taken"],
        bought_per_deal=each["bought"],
        sold_per_deal=each["sold"],
        paid_per_deal=each["paid"],
        faults=int(sums.faults[i]),
    )


def _sentences(
    sums: Sums, order: Sequence[int], names: Sequence[str], units: int
) -> tuple[str, ...]:
    told = []
    alike = [
        f"{names[a]} and {names[b]}" for a, b in pairwise(order) if not _apart(sums, a, b, units)
    ]
    if alike:
        told.append(f"These deals do not tell apart, by chips a deal: {'; '.join(alike)}.")
    if 0 < units < FEW_UNITS:
        told.append(f"With {units} sessions of deals of their own the intervals are rough.")
    if sums.faults.any():
        told.append(
            "Who makes a fault says nothing more in that session, and finishes it behind all who "
            "made none; the chips stand."
        )
    return tuple(told)


def _apart(sums: Sums, a: int, b: int, units: int) -> bool:
    """Whether the difference of two means is more than its margin at 95 %."""
    totals = sums.deals.sum(axis=0)
    if units < 2 or not totals[a] or not totals[b]:
        return False
    left = [
        (sums.chips[:, i] - sums.chips[:, i].sum() / totals[i] * sums.deals[:, i]) / totals[i]
        for i in (a, b)
    ]
    difference = sums.chips[:, a].sum() / totals[a] - sums.chips[:, b].sum() / totals[b]
    variance = float(((left[0] - left[1]) ** 2).sum()) * units / (units - 1)
    return abs(float(difference)) > margin(variance, units - 1)
