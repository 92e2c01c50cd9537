"""How many games are needed, and how long they take, as a table."""

from collections.abc import Sequence
from dataclasses import dataclass
from math import ceil
from typing import Any, Protocol

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


class Line(Protocol):
    """A strategy of a pilot with an interval, if it has one."""

    @property
    def name(self) -> str: ...
    @property
    def low(self) -> float | None: ...
    @property
    def high(self) -> float | None: ...


@dataclass(frozen=True, kw_only=True)
class Pilot:
    """What a pilot at tables of several players tells of some figure of everybody's."""

    lines: Sequence[Line]
    players: int
    games: int
    """At each table."""
    figure: str
    """What the intervals are of."""
    everybodys: str
    """That of all, in words."""
    game: str
    """What is played."""
    digits: int
    """Decimals of the figure that are printed."""


def ratings_pilot(pilot: Standings) -> Pilot:
    """The ratings of a pilot of games of more than two."""
    return Pilot(
        lines=pilot.strategies,
        players=len(pilot.tables[0].names),
        games=max(line.games for line in pilot.tables),
        figure="rating",
        everybodys="every rating",
        game="game",
        digits=1,
    )


def precision_plan(pilot: Pilot, precision: float, pace: Pace) -> Table:
    """The games at every table after which everybody's figure is so precise.

    Intervals shrink with the root of the games.
    """
    rows: list[dict[str, Any]] = []
    for line in pilot.lines:
        if line.low is None or line.high is None or line.low == line.high:
            continue
        now = (line.high - line.low) / 2
        sets = ceil(pilot.games * (now / precision) ** 2 / pilot.players)
        rows.append(
            {"name": line.name, "pilot": pilot.games, "margin": round(now, pilot.digits + 1)}
            | {"games_for_precision": pilot.players * max(1, sets)}
        )
    columns = [
        Column(heading="strategy", cells=tuple(printable(row["name"]) for row in rows), left=True),
        Column(
            heading="pilot",
            unit="95 %",
            cells=tuple(f"+/- {row['margin']:.{pilot.digits}f}" for row in rows),
        ),
        Column(
            heading=f"+/- {precision:g}",
            unit=f"{pilot.game}s",
            cells=tuple(f"{row['games_for_precision']:,}" for row in rows),
        ),
    ]
    most = max((row["games_for_precision"] for row in rows), default=0)
    notes = (
        f"For {pilot.everybodys} within +/- {precision:g}: {pace.words(most)}."
        if rows
        else "Nobody has an interval yet: play a longer pilot.",
        f"pilot: half the interval of the {pilot.figure} after its "
        f"{counted(pilot.games, pilot.game)} at each table; +/- {precision:g}: {pilot.game}s at "
        "each table after which it is that.",
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
