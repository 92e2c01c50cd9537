"""put habits: how the strategies of a run play."""

import json
import shutil
from pathlib import Path

import click

from put_cli.cli.options import resolve_run, run_argument


@click.command(
    epilog="""\b
Examples:
  put habits
  put habits runs/20260101-120000-cotton --strategy bold --strategy odds
  put habits --by-score
  put habits --json"""
)
@run_argument()
@click.option(
    "--strategy",
    "wanted",
    multiple=True,
    metavar="NAME",
    help="Only this strategy of the run; may be given several times.",
)
@click.option("--by-score", is_flag=True, help="Everything by own score before the hand instead.")
@click.option("--json", "as_json", is_flag=True, help="Print one JSON object, of counts.")
def command(run: Path, wanted: tuple[str, ...], by_score: bool, as_json: bool) -> None:
    """Tell how the strategies of RUN (runs/latest unless given) play.

    Puts, seen and won, seen and lost; bluffs; puts and throws by strength of hand or by score;
    first tricks; points a hand by seat; hands a game. It reads the log of hands.
    """
    from put_cli.report.habits import habits_plain, habits_tables, habits_text, score_table
    from put_cli.tournament.reviewing import habits_of_run

    habits, table, names = habits_of_run(resolve_run(run), wanted)
    if as_json:
        plain = habits_plain(habits, names)
        kept = [line.name for line in table.strategies]
        plain["strategies"] = [each for each in plain["strategies"] if each["name"] in kept]
        click.echo(json.dumps(plain, ensure_ascii=False))
    else:
        width = shutil.get_terminal_size((80, 24)).columns
        if by_score:
            tables = [score_table(habits, table, names)]
        else:
            tables = habits_tables(habits, table, names)
        click.echo(habits_text(tables, width), nl=False)
