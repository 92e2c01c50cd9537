"""put habits: how the strategies of a run play."""

from pathlib import Path
from typing import Any

import click

from put_cli.cli.options import resolve_run, run_argument
from put_cli.cli.printing import format_option, show_table


@click.command(
    epilog="""\b
Examples:
  put habits
  put habits runs/20260101-120000-cotton --strategy bold --strategy odds
  put habits --by-score
  put habits --format csv"""
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
@format_option()
def command(run: Path, wanted: tuple[str, ...], by_score: bool, form: str) -> None:
    """Tell how the strategies of RUN (runs/latest unless given) play.

    Puts, seen and won, seen and lost; bluffs; puts and throws by strength of hand or by score;
    first tricks; points a hand by seat; hands a game. It reads the log of hands. CSV is one table
    of all figures, shares in [0, 1]; JSON holds the counts that they come from.
    """
    from put_cli.cli.progress import watched
    from put_cli.report.habits import habits_plain, habits_tables, score_table
    from put_cli.tournament.reviewing import habits_of_run

    habits, table, names = habits_of_run(resolve_run(run), wanted, watched)

    def plain() -> dict[str, Any]:
        found = habits_plain(habits, names)
        kept = [line.name for line in table.strategies]
        found["strategies"] = [each for each in found["strategies"] if each["name"] in kept]
        return found

    made = score_table if by_score else habits_tables
    show_table(form, made(habits, table, names), plain)
