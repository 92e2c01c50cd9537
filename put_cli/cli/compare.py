"""put compare: two runs on the same deals."""

import json
from dataclasses import asdict
from pathlib import Path

import click

from put_cli.cli.options import resolve_run


@click.command(
    epilog="""\b
Example:
  put match odds sharper --seed 7 --out before
  put match "odds(edge=3.0)" sharper --seed 7 --out after
  put compare before after"""
)
@click.argument("first", type=click.Path(path_type=Path))
@click.argument("second", type=click.Path(path_type=Path))
@click.option("--json", "as_json", is_flag=True, help="Print one JSON object.")
def command(first: Path, second: Path, as_json: bool) -> None:
    """Compare the strategies of run FIRST with those in the same places of run SECOND.

    Both must have the same rules, seed, match games and mirroring, so that they have the same
    deals; results are subtracted block by block.
    """
    from put_cli.report.comparison import comparison_text
    from put_cli.tournament.comparing import compare_runs

    found, names = compare_runs(resolve_run(first), resolve_run(second))
    if as_json:
        told = [
            {"first_name": names[each.place][0], "second_name": names[each.place][1]}
            | {"difference": each.difference}
            | asdict(each)
            for each in found
        ]
        click.echo(json.dumps(told, ensure_ascii=False))
    else:
        click.echo(comparison_text(found, names), nl=False)
