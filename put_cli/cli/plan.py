"""put plan: how many games a question takes, from the games of a pilot."""

from pathlib import Path

import click

from put_cli.cli.options import resolve_run, run_argument
from put_cli.cli.printing import format_option, show_table
from put_cli.errors import UsageError
from put_cli.speculation.rules import NAME as SPECULATION


@click.command(
    epilog="""\b
Examples:
  put plan --elo 5
  put plan runs/20260101-120000-cotton --elo 2 --power 0.9
  put plan runs/20260101-120000-speculation --chips 0.01"""
)
@run_argument()
@click.option(
    "--elo",
    type=click.FloatRange(min=0.01, max=400),
    help="The precision asked for, or the difference to be shown, in Elo points; 5 unless given.",
)
@click.option(
    "--chips",
    type=click.FloatRange(min=0.0001, max=1000),
    help="Of a run of Speculation: the precision asked for, in chips a deal; 0.05 unless given.",
)
@click.option(
    "--power",
    type=click.FloatRange(min=0.5, max=0.999),
    default=0.8,
    show_default=True,
    help="Chance that a true difference of that size shows.",
)
@format_option()
def command(run: Path, elo: float | None, chips: float | None, power: float, form: str) -> None:
    """How many games of each pairing of RUN (runs/latest unless given) give a precision.

    RUN is the pilot: a run of the same strategies, from which scores and their spread are taken,
    and the time that a game took. Of more than two at a table the precision is of the ratings, of
    Speculation of the chips a deal.
    """
    from put_cli.log import manifest
    from put_cli.report.plan import Pace, plan_table, precision_plan, ratings_pilot
    from put_cli.stats.duel import games_needed
    from put_cli.tournament.outcome import rate
    from put_cli.tournament.pace import seconds_per_game
    from put_cli.tournament.workers import available_cores

    run = resolve_run(run)
    made = manifest.read(run)
    if made.game == SPECULATION:
        from put_cli.cli import speculation

        if elo is not None:
            raise UsageError("--elo: Speculation is planned by chips a deal; say --chips.")
        show_table(form, speculation.plan(made, chips or 0.05))
        return
    if chips is not None:
        raise UsageError("--chips: it is for runs of Speculation; say --elo.")
    elo = elo or 5.0
    pilot = rate(run)
    pace = Pace(
        tables=len(pilot.pairings or pilot.tables),
        seconds_per_game=seconds_per_game(run),
        workers=available_cores(),
    )
    if pilot.tables:
        show_table(form, precision_plan(ratings_pilot(pilot), elo, pace))
        return
    needs = (games_needed(line, elo, power) for line in pilot.pairings)
    known = [need for need in needs if need is not None]
    show_table(form, plan_table(known, elo, power, pace))
