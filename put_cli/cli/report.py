"""put report: a run as a page of tables and pictures."""

from importlib.util import find_spec
from pathlib import Path
from types import ModuleType
from typing import Any

import click

from put_cli.cli.options import resolve_run, run_argument
from put_cli.errors import UsageError
from put_cli.speculation.rules import NAME as SPECULATION


@click.command(
    epilog="""\b
Examples:
  put report
  put report runs/20260101-120000-cotton -o cotton.html
  put report --png pictures"""
)
@run_argument()
@click.option(
    "-o",
    "--out",
    type=click.Path(path_type=Path),
    help="The file to write; report.html in the run directory unless given.",
)
@click.option(
    "--png",
    "folder",
    type=click.Path(path_type=Path, file_okay=False),
    help="Write the pictures alone, as PNG, into this directory.",
)
def command(run: Path, out: Path | None, folder: Path | None) -> None:
    """Write a report of RUN (runs/latest unless given): one HTML page that needs no network.

    Ratings, who beats whom, how the ratings settled, when everybody puts and with what success,
    first tricks, bluffs, faults, and what was played exactly. Of Speculation: chips, what was sold
    to whom at which price and what it was worth. It needs matplotlib.
    """
    if find_spec("matplotlib") is None:
        raise UsageError(
            "put report draws with matplotlib, which is not installed: "
            "pip install 'put-cli[report]'."
        )
    from put_cli.log import manifest
    from put_cli.report import page as of_put
    from put_cli.speculation import page as of_speculation
    from put_cli.tournament import reviewing

    shown = str(run)
    run = resolve_run(run)
    kind: ModuleType
    found: Any
    if manifest.read(run).game == SPECULATION:
        kind, found = of_speculation, of_speculation.review(run, shown)
    else:
        kind, found = of_put, reviewing.review(run, shown)
    if folder is not None:
        written = of_put.save_pictures(lambda: kind.parts(found), folder)
        click.echo(f"{len(written)} pictures: {folder}")
    if folder is None or out is not None:
        path = out or run / "report.html"
        manifest.write_text(path, kind.page(found))
        click.echo(f"Report: {path}")
