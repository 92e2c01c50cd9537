"""How many games are needed, and how long they take, as a table."""

from collections.abc import Sequence
from dataclasses import dataclass
from math import ceil
from typing import Any

from put_cli.report.tables import Column, Table, counted, printable
from put_cli.stats.duel import Need
from put_cli.stats.standings import Standings


@dataclass(frozen=True, kw_only=True)
class Pace:
    """What a pilot tells of the time that games take."""

    tables: int
    """Pairings, or larger tables, that are played."""
    seconds_per_game: float | None
    """Of one worker; None where it is not known."""
    workers: int

    def words(self, games: int) -> str:
        """`games` at every table: `--games 200 (1,200 games in all, about 3 s on 2 cores)`."""
        total = games * self.tables
        told = f"--games {games} ({counted(total, 'game')} in all"
        if self.seconds_per_game is not None:
            lasting = _lasting(total * self.seconds_per_game / self.workers)
            told += f", {lasting} on {counted(self.workers, 'core')}"
        return f"{told})"


def plan_table(needs: Sequence[Need], elo: float, power: float, pace: Pace) -> Table:
    """The games that each pairing needs, and those that do for all."""
    columns = [
        Column(
            heading="pairing",
            cells=tuple(printable(f"{need.line.a} - {need.line.b}") for need in needs),
            left=True,
        ),
        Column(
            heading=f"+/- {elo:g}", unit="games", cells=tuple(f"{need.precise:,}" for need in needs)
        ),
        Column(heading="to show", unit="games", cells=tuple(f"{need.shown:,}" for need in needs)),
        Column(
            heading="pilot", unit="games", cells=tuple(f"{need.line.games:,}" for need in needs)
        ),
    ]
    precise, shown = max(need.precise for need in needs), max(need.shown for need in needs)
    notes = (
        f"For every pairing within +/- {elo:g} Elo: {pace.words(precise)}.",
        f"To show a difference of {elo:g} Elo in every pairing: {pace.words(shown)}.",
        f"+/- {elo:g}: games after which the 95 % interval of the Elo difference is that wide; to "
        f"show: after which a true difference of {elo:g} Elo is told from none with a chance of "
        f"{100 * power:g} %; pilot: the games this rests on.",
    )
    return Table(columns=columns, notes=notes, rows=[need.plain() for need in needs])


def ratings_plan(pilot: Standings, elo: float, pace: Pace) -> Table:
    """The games at every table that make ratings precise, for games of more than two.

    Intervals shrink with the root of the games.
    """
    players = len(pilot.tables[0].names)
    games = max(line.games for line in pilot.tables)
    rows: list[dict[str, Any]] = []
    for line in pilot.strategies:
        if line.low is None or line.high is None:
            continue
        now = (line.high - line.low) / 2
        sets = ceil(games * (now / elo) ** 2 / players)
        rows.append(
            {"name": line.name, "pilot": games, "margin": round(now, 2)}
            | {"games_for_precision": players * sets}
        )
    columns = [
        Column(heading="strategy", cells=tuple(printable(row["name"]) for row in rows), left=True),
        Column(
            heading="pilot", unit="95 %", cells=tuple(f"+/- {row['margin']:.1f}" for row in rows)
        ),
        Column(
            heading=f"+/- {elo:g}",
            unit="games",
            cells=tuple(f"{row['games_for_precision']:,}" for row in rows),
        ),
    ]
    most = max((row["games_for_precision"] for row in rows), default=0)
    notes = (
        f"For every rating within +/- {elo:g}: {pace.words(most)}."
        if rows
        else "No strategy has a rating with an interval yet: play a longer pilot.",
        f"pilot: half the interval of the rating after its {counted(games, 'game')} at each table; "
        f"+/- {elo:g}: games at each table after which it is that.",
    )
    return Table(columns=columns, notes=notes, rows=rows)


def _lasting(seconds: float) -> str:
    """A duration to about two digits."""
    if seconds < 1:
        return "less than a second"
    for unit, size in (("days", 86_400), ("hours", 3600), ("minutes", 60)):
        if seconds >= 2 * size:
            return f"about {seconds / size:.3g} {unit}"
    return f"about {seconds:.0f} s"
