"""The circles of a run, from its tallies."""

from pathlib import Path

from put_cli.errors import UsageError
from put_cli.log import manifest, reader
from put_cli.stats.intransitivity import Intransitivity, intransitivity
from put_cli.stats.sums import Sums
from put_cli.tournament import rounds


def cycles_of(run: Path, draws: int) -> Intransitivity:
    """Where the results of a run do not follow its ratings.

    Raises:
        UsageError: nobody beats anybody alone there, or fewer than three have a rating.
        RunError: it is no run, or its log cannot be read.
    """
    made = manifest.read(run)
    if made.rules.players > 2:
        raise UsageError(
            f"put cycles: expected games of two, got a run of {made.rules.players} at a table, "
            "where nobody beats another alone."
        )
    sums = Sums.of(reader.tallies(made), rounds.read(made).all_tables())
    memory = [each["memory"] for each in made.strategies]
    found = intransitivity(sums, made.names, memory, draws=draws)
    if found is None:
        raise UsageError(
            "put cycles: expected three strategies with a rating estimate or more, as two are "
            "always told by two numbers. 'put standings' shows who has one."
        )
    return found
