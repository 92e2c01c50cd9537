"""put standings: the table of a run, computed again from its log."""

from pathlib import Path

import click

from put_cli.cli.options import resolve_run, run_argument
from put_cli.cli.printing import format_option, show_standings


def _read_anchor(
    _ctx: click.Context, _param: click.Parameter, text: str | None
) -> tuple[str, float] | None:
    if text is None:
        return None
    name, equals, value = text.rpartition("=")
    try:
        if name and equals and abs(float(value)) < 1e6:
            return name, float(value)
    except ValueError:
        pass
    raise click.UsageError(f"--anchor: expected NAME=VALUE, as in bold=1500, got {text!r}.")


@click.command(
    epilog="""\b
Examples:
  put standings
  put standings runs/20260101-120000-cotton --format markdown
  put standings --anchor random=1000"""
)
@run_argument()
@click.option(
    "--anchor",
    metavar="NAME=VALUE",
    callback=_read_anchor,
    help="A strategy and the rating it is to have, instead of 1500 for the mean.",
)
@format_option()
def command(run: Path, anchor: tuple[str, float] | None, form: str) -> None:
    """Compute the standings of RUN (runs/latest unless given) again from its log."""
    from put_cli.log import manifest
    from put_cli.tournament.run import rate, result

    run = resolve_run(run)
    table = rate(run, anchor)
    show_standings(form, table, lambda: result(manifest.read(run), table, run))
