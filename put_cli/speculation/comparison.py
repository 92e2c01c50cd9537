"""Two runs on the same deals: who won more chips on them, and how many sessions a precision takes.

The cards of a session depend on the seed alone, so chips are subtracted session by session; what
good cards did for both falls out.
"""

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from math import hypot
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt

from put_cli.errors import UsageError
from put_cli.log import manifest, reader
from put_cli.log.manifest import Manifest
from put_cli.report.comparison import Measure, comparison_table
from put_cli.report.plan import Pilot
from put_cli.report.tables import Table
from put_cli.speculation.standings import SpeculationStandings, Sums
from put_cli.stats.comparison import Difference
from put_cli.stats.units import margin
from put_cli.tournament import rounds

Ints = npt.NDArray[np.int64]


@dataclass(frozen=True, kw_only=True)
class Compared(Difference):
    """Chips a deal."""

    deals: int
    """Of each run that are compared, by seats."""


CHIPS = Measure(
    counted="deals",
    unit="/deal",
    digits=3,
    signed=True,
    per_unit=1,
    told="chips a deal",
    explained="chips won each deal",
)


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
    names = list(zip(*(made.names for made in runs), strict=True))
    return comparison_table(found, names, CHIPS)


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


def chips_pilot(pilot: SpeculationStandings, games: int) -> Pilot:
    """The chips a deal of a pilot of so many sessions at each table."""
    return Pilot(
        lines=pilot.strategies,
        players=pilot.players,
        games=games,
        figure="chips a deal",
        everybodys="everybody's chips a deal",
        game="session",
        digits=3,
    )
