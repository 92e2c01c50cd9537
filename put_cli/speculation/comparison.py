"""Two runs on the same deals: who won more chips on them, and how many sessions a precision takes.

The cards of a session depend on the seed alone, so chips are subtracted session by session; what
good cards did for both falls out.
"""

from collections.abc import Callable, Iterable, Sequence
from dataclasses import asdict, dataclass
from math import ceil, hypot
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt

from put_cli.errors import UsageError
from put_cli.log import manifest, reader
from put_cli.log.manifest import Manifest
from put_cli.report.plan import Pace
from put_cli.report.tables import Column, Table, counted, printable
from put_cli.speculation.standings import SpeculationStandings, Sums
from put_cli.stats.units import margin
from put_cli.tournament import rounds

Ints = npt.NDArray[np.int64]


@dataclass(frozen=True, kw_only=True)
class Compared:
    """A strategy of one run beside the one in its place in the other."""

    place: int
    deals: int
    """Of each run that are compared, by seats."""
    first: float
    """Chips a deal in the first run."""
    second: float
    margin: float
    """Half the width of the 95 % interval of `difference`, deal for deal."""
    alone: float
    """The same, had the two runs had different deals."""

    @property
    def difference(self) -> float:
        """How much more the second won."""
        return self.second - self.first


def compare(first: tuple[Ints, Ints], second: tuple[Ints, Ints]) -> tuple[Compared, ...]:
    """Every strategy in its place; of either run chips and deals, both (U, n), by unit.

    Units in which somebody had not the same number of deals in both are left out for him. Raises
    ValueError where nobody has two units left.
    """
    units = min(len(first[0]), len(second[0]))
    found = []
    for i in range(first[0].shape[1]):
        deals, others = first[1][:units, i], second[1][:units, i]
        same = (deals == others) & (deals > 0)
        if same.sum() < 2:
            continue
        size = deals[same]
        one, other = first[0][:units, i][same], second[0][:units, i][same]
        total = int(size.sum())
        found.append(
            Compared(
                place=i,
                deals=total,
                first=float(one.sum()) / total,
                second=float(other.sum()) / total,
                margin=_margin(other - one, size),
                alone=hypot(_margin(one, size), _margin(other, size)),
            )
        )
    if not found:
        raise ValueError("expected two sessions of the same deals at least")
    return tuple(found)


def _margin(chips: Ints, size: Ints) -> float:
    """95 % margin of a mean a deal, sessions of the same cards being the units."""
    units, total = len(size), float(size.sum())
    apart = chips - float(chips.sum()) / total * size
    return margin(float((apart**2).sum()) * units / (units - 1) / total**2, units - 1)


def compare_runs(first: Path, second: Path) -> Table:
    """Two runs of Speculation as a table.

    Raises:
        UsageError: they have not the same deals and tables.
        RunError: one is no run, or its log cannot be read.
    """
    runs = [manifest.read(run) for run in (first, second)]
    for what, value in _FACTS.items():
        values = [value(made) for made in runs]
        if values[0] != values[1]:
            raise UsageError(
                f"put compare: expected runs of the same {what}, so that strategies meet the same "
                f"cards, got {values[0]} in {str(first)!r} and {values[1]} in {str(second)!r}."
            )
    try:
        found = compare(*((sums.chips, sums.deals) for sums in map(_sums, runs)))
    except ValueError as error:
        raise UsageError(f"put compare: {error}. Play more sessions.") from None
    return _table(found, list(zip(*(made.names for made in runs), strict=True)))


_FACTS: dict[str, Callable[[Manifest], object]] = {
    "rules": lambda made: f"{made.any_rules.name} ({made.any_rules.fingerprint()})",
    "seed": lambda made: made.seed,
    "match games": lambda made: made.match_games,
    "mirroring": lambda made: made.mirror,
    "number of strategies": lambda made: len(made.strategies),
    "tables": lambda made: len(rounds.read(made).all_tables()),
}


def _sums(made: Manifest) -> Sums:
    sums = Sums(len(made.names), made.any_rules.players, made.match_games)
    parts: Iterable[Any] = reader.tallies(made)
    for part in parts:
        sums.add(part)
    return sums


def _table(found: Sequence[Compared], names: Sequence[tuple[str, str]]) -> Table:
    def name(place: int) -> str:
        one, other = names[place]
        return printable(one if one == other else f"{one} -> {other}")

    columns = [
        Column(heading="strategy", cells=tuple(name(c.place) for c in found), left=True),
        Column(heading="deals", cells=tuple(f"{c.deals:,}" for c in found)),
        Column(heading="first", unit="/deal", cells=tuple(f"{c.first:+.3f}" for c in found)),
        Column(heading="second", unit="/deal", cells=tuple(f"{c.second:+.3f}" for c in found)),
        Column(
            heading="difference",
            unit="95 %",
            cells=tuple(f"{c.difference:+.3f} +/- {c.margin:.3f}" for c in found),
        ),
        Column(heading="alone", unit="95 %", cells=tuple(f"+/- {c.alone:.3f}" for c in found)),
    ]
    told = [
        f"{name(c.place)} won {abs(c.difference):.3f} chips a deal "
        f"{'more' if c.difference > 0 else 'less'}"
        for c in found
        if abs(c.difference) > c.margin
    ]
    return Table(
        columns=columns,
        notes=(
            f"In the second run {'; '.join(told)}."
            if told
            else "What the two runs differ by is within their intervals: nobody is told apart.",
            "first, second: chips won each deal, on the same deals in both runs; difference: "
            "second less first, with its 95 % interval, deal for deal; alone: that interval, had "
            "the deals been different.",
        ),
        rows=[
            {"first_name": names[c.place][0], "second_name": names[c.place][1]}
            | {"difference": c.difference}
            | asdict(c)
            for c in found
        ],
    )


def plan_table(pilot: SpeculationStandings, games: int, chips: float, pace: Pace) -> Table:
    """The sessions at every table after which means are so precise, by a pilot of `games` each.

    Intervals shrink with the root of the sessions.
    """
    players = pilot.players
    rows: list[dict[str, Any]] = []
    for line in pilot.strategies:
        if line.low is None or line.high is None or line.low == line.high:
            continue
        now = (line.high - line.low) / 2
        sets = ceil(games * (now / chips) ** 2 / players)
        rows.append(
            {"name": line.name, "pilot": games, "margin": round(now, 4)}
            | {"games_for_precision": players * max(1, sets)}
        )
    columns = [
        Column(heading="strategy", cells=tuple(printable(row["name"]) for row in rows), left=True),
        Column(
            heading="pilot", unit="95 %", cells=tuple(f"+/- {row['margin']:.3f}" for row in rows)
        ),
        Column(
            heading=f"+/- {chips:g}",
            unit="sessions",
            cells=tuple(f"{row['games_for_precision']:,}" for row in rows),
        ),
    ]
    most = max((row["games_for_precision"] for row in rows), default=0)
    notes = (
        f"For everybody's chips a deal within +/- {chips:g}: {pace.words(most)}."
        if rows
        else "Nobody has an interval yet: play a longer pilot.",
        f"pilot: half the interval of the chips a deal after its {counted(games, 'session')} at "
        f"each table; +/- {chips:g}: sessions at each table after which it is that.",
    )
    return Table(columns=columns, notes=notes, rows=rows)
