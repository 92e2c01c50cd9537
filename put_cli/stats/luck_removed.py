"""Ratings and scores with the luck of the deal taken off, beside those that have it.

Both rest on the same games and the same independent units; how much the spread of the units
shrinks is measured, not assumed.
"""

from collections.abc import Sequence
from dataclasses import asdict, dataclass
from math import sqrt
from typing import Any

import numpy as np
from numpy.typing import NDArray

from put_cli.stats.deal_luck import Games
from put_cli.stats.estimates import Estimates, estimate, spread_of
from put_cli.stats.rating import SCALE
from put_cli.stats.sums import Sums
from put_cli.stats.units import Units, margin, win_variance

Floats = NDArray[np.float64]


@dataclass(frozen=True, kw_only=True)
class Figure:
    """One figure, as it was and without the luck of the deal."""

    raw: float
    raw_error: float
    """Standard error."""
    adjusted: float
    adjusted_error: float
    freedom: float
    """Degrees of freedom of both errors."""

    @property
    def adjusted_margin(self) -> float:
        """Half the width of the adjusted 95 % interval."""
        return margin(self.adjusted_error**2, self.freedom)

    @property
    def ratio(self) -> float:
        """The adjusted variance as a share of the raw one; below 1 where something is gained."""
        return (self.adjusted_error / self.raw_error) ** 2

    def plain(self, digits: int) -> dict[str, float]:
        """JSON-ready."""
        figures = {name: round(value, digits) for name, value in asdict(self).items()}
        half = self.adjusted_margin
        figures["adjusted_low"] = round(self.adjusted - half, digits)
        figures["adjusted_high"] = round(self.adjusted + half, digits)
        return {**figures, "variance_ratio": round(self.ratio, 4)}


@dataclass(frozen=True, kw_only=True)
class LuckRemoved:
    """What is left of a run's results when the luck of the deal is taken off."""

    ratings: tuple[tuple[str, Figure], ...]
    """Of every strategy with a rating estimate, best first, in rating points."""
    scores: tuple[tuple[str, str, Figure], ...]
    """Of every pairing that met: a, b and the share of games that a won."""

    def plain(self) -> dict[str, Any]:
        """JSON-ready."""
        return {
            "ratings": [{"name": name, **each.plain(3)} for name, each in self.ratings],
            "scores": [{"a": a, "b": b, **each.plain(6)} for a, b, each in self.scores],
        }

    @property
    def ratios(self) -> list[float]:
        """The variance ratios that were measured: of ratings, or in a duel of the score."""
        if len(self.scores) == 1:
            return [self.scores[0][2].ratio]
        return sorted(each.ratio for _, each in self.ratings)


class LuckyGames:
    """Games, wins of a and its luck by pairing and deal: what each unit had."""

    def __init__(self, tables: int, blocks: int, match_games: int) -> None:
        shape = (tables, blocks * match_games)
        self.match_games = match_games
        self.games = np.zeros(shape, np.int32)
        """(T, D): games of a deal, 2 where it is mirrored; D = blocks * match_games."""
        self.won = np.zeros(shape, np.int32)
        """(T, D): of them won by a."""
        self.luck: Floats = np.zeros(shape)
        """(T, D): and a's luck in them, in games won."""

    def add(self, games: Games, luck: Floats) -> None:
        """Add games with the luck of each (G,)."""
        where = (games.table, games.deals)
        np.add.at(self.games, where, 1)
        np.add.at(self.won, where, games.won)
        np.add.at(self.luck, where, luck)

    def by_block(self, values: NDArray[Any]) -> NDArray[Any]:
        """(T, B): sums of `values` (T, D) over the games of each block."""
        return np.asarray(values.reshape(len(values), -1, self.match_games).sum(axis=2))


def luck_removed(
    sums: Sums, found: LuckyGames, names: Sequence[str], memory: Sequence[bool]
) -> LuckRemoved:
    """The ratings and scores of `sums`, as they are and with the luck `found` taken off.

    `names`, `memory`: of the strategies, by index. Scores are less the mean luck. Ratings move by
    one step of Newton's method from the maximum of the likelihood towards the wins less the luck:
    a difference of the size of the standard error, for which the likelihood is a parabola.
    """
    raw = estimate(sums, memory)
    units = tuple(_units(found, t, each) for t, each in enumerate(raw.units))
    return LuckRemoved(
        ratings=tuple(_ratings(sums, found, raw, units, names, memory)),
        scores=tuple(
            (
                names[i],
                names[j],
                _score(int(found.won[t].sum()), float(found.luck[t].sum()), games, raw, units, t),
            )
            for t, (i, j) in enumerate(sums.seated.tolist())
            for games in [int(found.games[t].sum())]
            if games
        ),
    )


def _score(
    won: int, luck: float, games: int, raw: Estimates, units: Sequence[Units], t: int
) -> Figure:
    return Figure(
        raw=won / games,
        raw_error=sqrt(float(raw.units[t].variance[0, 0])) / games,
        adjusted=(won - luck) / games,
        adjusted_error=sqrt(float(units[t].variance[0, 0])) / games,
        freedom=units[t].freedom,
    )


def _ratings(
    sums: Sums,
    found: LuckyGames,
    raw: Estimates,
    units: Sequence[Units],
    names: Sequence[str],
    memory: Sequence[bool],
) -> list[tuple[str, Figure]]:
    if raw.spread is None:
        return []
    luck = found.by_block(found.luck).T
    adjusted = sums.won - np.stack([luck, -luck], axis=2)
    members = list(raw.members)
    spread = spread_of(sums.seated, adjusted, members, raw.spread.strengths, memory, units)
    assert spread is not None
    taken = np.zeros(len(memory))
    among = np.isin(sums.seated, members).all(axis=1)
    for place, sign in enumerate((1, -1)):
        np.add.at(taken, sums.seated[among, place], sign * luck.sum(axis=0)[among])
    shift = raw.spread.influence @ -taken[members]
    figures = []
    for k, i in enumerate(members):
        value = raw.ratings[i].value
        assert value is not None
        figures.append(
            (
                names[i],
                Figure(
                    raw=value,
                    raw_error=SCALE * raw.spread.error_of(k),
                    adjusted=value + SCALE * float(shift[k]),
                    adjusted_error=SCALE * spread.error_of(k),
                    freedom=raw.spread.freedom_of(k),
                ),
            )
        )
    return figures


def _units(found: LuckyGames, t: int, raw: Units) -> Units:
    """The units of a table with the luck taken off; those it had where they are too few."""
    columns: list[Floats] = [found.games[t], found.won[t] - found.luck[t]]
    if raw.kind == "blocks":
        columns = [column.reshape(-1, found.match_games).sum(axis=1) for column in columns]
    games, won = (column[columns[0] > 0] for column in columns)
    if raw.assumed or len(games) < 2:
        return raw
    most = 2 if raw.kind == "blocks" else int(games.max())  # as `units` imagines them
    variance = win_variance(
        np.stack([won, games - won], axis=1), np.ones(len(games)), imagined=most
    )
    return Units(kind=raw.kind, count=len(games), variance=variance)
