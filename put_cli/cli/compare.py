"""put compare: two runs on the same deals."""

from pathlib import Path

import click

from put_cli.cli.options import RunDirectory, resolve_run
from put_cli.cli.printing import format_option, show_table
from put_cli.speculation.rules import NAME as SPECULATION


@click.command(
    epilog="""\b
Example:
  put match odds sharper --seed 7 --out before
  put match "odds(edge=3.0)" sharper --seed 7 --out after
  put compare before after"""
)
@click.argument("first", type=RunDirectory(path_type=Path))
@click.argument("second", type=RunDirectory(path_type=Path))
@format_option()
def command(first: Path, second: Path, form: str) -> None:
    """Compare the strategies of run FIRST with those in the same places of run SECOND.

    Both must have the same rules, seed, match games and mirroring, so that they have the same
    deals; results are subtracted block by block. Of Speculation they are chips a deal.
    """
    from put_cli.log import manifest
    from put_cli.report.comparison import comparison_table
    from put_cli.tournament.comparing import compare_runs

    runs = resolve_run(first), resolve_run(second)
    if {manifest.read(run).game for run in runs} == {SPECULATION}:
        from put_cli.speculation import comparison

        show_table(form, comparison.compare_runs(*runs))
        return
    show_table(form, comparison_table(*compare_runs(*runs)))
