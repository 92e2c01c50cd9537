"""put standings: the table of a run, computed again from its log."""

import json
import shutil
from pathlib import Path

import click

from put_cli.cli.options import resolve_run, run_argument
from put_cli.speculation.rules import NAME as SPECULATION


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
    "--format",
    "form",
    type=click.Choice(["text", "markdown", "csv", "json"]),
    default="text",
    show_default=True,
    help="How to print it.",
)
@click.option(
    "--anchor",
    metavar="NAME=VALUE",
    callback=_read_anchor,
    help="A strategy and the rating it is to have, instead of 1500 for the mean.",
)
@click.option("--json", "as_json", is_flag=True, help="The same as --format json.")
def command(run: Path, form: str, anchor: tuple[str, float] | None, as_json: bool) -> None:
    """Compute the standings of RUN (runs/latest unless given) again from its log."""
    from put_cli.log import manifest
    from put_cli.report import text
    from put_cli.tournament.outcome import rate, result

    run = resolve_run(run)
    made = manifest.read(run)
    if made.game == SPECULATION:
        from put_cli.cli import speculation

        speculation.standings(made, run, "json" if as_json else form, anchor)
        return
    table = rate(run, anchor)
    match "json" if as_json else form:
        case "json":
            click.echo(json.dumps(result(manifest.read(run), table, run), ensure_ascii=False))
        case "markdown":
            click.echo(text.standings_markdown(table), nl=False)
        case "csv":
            click.echo(text.standings_csv(table), nl=False)
        case _:
            width = shutil.get_terminal_size((80, 24)).columns
            click.echo(text.results_text(table, width))
