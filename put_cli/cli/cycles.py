"""put cycles: where one number for each strategy does not tell who beats whom."""

from pathlib import Path

import click

from put_cli.cli.options import resolve_run, run_argument
from put_cli.cli.printing import format_option, show_table


@click.command(
    epilog="""\b
Examples:
  put cycles
  put cycles runs/20260101-120000-cotton --limit 5
  put cycles --draws 1000 --json"""
)
@run_argument()
@click.option(
    "--limit",
    type=click.IntRange(min=1),
    default=10,
    show_default=True,
    help="So many pairings and circles are printed, the most telling ones; CSV and JSON have more.",
)
@click.option(
    "--draws",
    type=click.IntRange(min=40, max=100_000),
    default=200,
    show_default=True,
    help="Runs drawn from the blocks of deals for the intervals.",
)
@format_option()
def command(run: Path, limit: int, draws: int, form: str) -> None:
    """Tell where the ratings of RUN (runs/latest unless given) miss who beats whom.

    Misfit of each pairing against the ratings, the largest circles of rock, paper and scissors,
    and who is best all the same: Nash averaging and alpha-rank; with bootstrap intervals over
    blocks of deals. docs/statistics.md explains them. A row of CSV is a strategy, a pairing or a
    circle, as its first column says.
    """
    from put_cli.report.cycles import cycles_tables
    from put_cli.tournament.circling import cycles_of

    found = cycles_of(resolve_run(run), draws)
    show_table(form, cycles_tables(found, limit), found.plain)
