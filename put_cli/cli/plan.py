"""put plan: how many games a question takes, from the games of a pilot."""

import json
from pathlib import Path

import click

from put_cli.cli.options import resolve_run, run_argument


@click.command(
    epilog="""\b
Examples:
  put plan --elo 5
  put plan runs/20260101-120000-cotton --elo 2 --power 0.9"""
)
@run_argument()
@click.option(
    "--elo",
    type=click.FloatRange(min=0.01, max=400),
    default=5.0,
    show_default=True,
    help="The precision asked for, or the difference to be shown, in Elo points.",
)
@click.option(
    "--power",
    type=click.FloatRange(min=0.5, max=0.999),
    default=0.8,
    show_default=True,
    help="Chance that a true difference of that size shows.",
)
@click.option("--json", "as_json", is_flag=True, help="Print one JSON object.")
def command(run: Path, elo: float, power: float, as_json: bool) -> None:
    """How many games of each pairing of RUN (runs/latest unless given) give a precision.

    RUN is the pilot: a run of the same strategies, from which scores and their spread are taken.
    """
    from put_cli.errors import UsageError
    from put_cli.report.plan import plan_text
    from put_cli.stats.duel import games_needed
    from put_cli.tournament.outcome import rate

    pilot = rate(resolve_run(run))
    if not pilot.pairings:
        raise UsageError("put plan: expected a run of games for two, got one of larger tables.")
    needs = [
        need for line in pilot.pairings if (need := games_needed(line, elo, power)) is not None
    ]
    if as_json:
        click.echo(json.dumps([need.plain() for need in needs], ensure_ascii=False))
    else:
        click.echo(plan_text(needs, elo, power), nl=False)
