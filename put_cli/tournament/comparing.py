"""Two runs, if they have the same deals, brought together for a comparison."""

from pathlib import Path
from typing import Any

from put_cli.errors import UsageError
from put_cli.log import manifest, reader
from put_cli.stats.comparison import Compared, compare
from put_cli.stats.sums import Sums
from put_cli.tournament import rounds


def compare_runs(
    first: Path, second: Path
) -> tuple[tuple[Compared, ...], tuple[tuple[str, str], ...]]:
    """Every strategy of two runs beside the one in its place; and the names of all, by place.

    Raises:
        UsageError: the runs have not the same deals, or not as many strategies.
        RunError: one is no run, or its log cannot be read.
    """
    runs = [manifest.read(run) for run in (first, second)]
    for what in ("rules", "seed", "match games", "mirroring", "number of strategies"):
        values = [_facts(made)[what] for made in runs]
        if values[0] != values[1]:
            raise UsageError(
                f"put compare: expected runs of the same {what}, so that strategies meet the same "
                f"cards, got {values[0]} in {str(first)!r} and {values[1]} in {str(second)!r}."
            )
    tables = set(rounds.read(runs[1]).all_tables())
    both = [table for table in rounds.read(runs[0]).all_tables() if table in tables]
    sums = [Sums.of(reader.tallies(made), both) for made in runs]
    try:
        found = compare(len(runs[0].strategies), sums[0].seated, sums[0].won, sums[1].won)
    except ValueError as error:
        raise UsageError(f"put compare: {error}. Play more games.") from None
    return found, tuple(zip(*(made.names for made in runs), strict=True))


def _facts(made: manifest.Manifest) -> dict[str, Any]:
    return {
        "rules": f"{made.rules.name} ({made.rules.fingerprint()})",
        "seed": made.seed,
        "match games": made.match_games,
        "mirroring": made.mirror,
        "number of strategies": len(made.strategies),
    }
