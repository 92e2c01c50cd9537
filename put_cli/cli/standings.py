"""put standings: the table of a run, computed again from its log."""

from pathlib import Path
from typing import Any

import click

from put_cli.cli.options import resolve_run, run_argument
from put_cli.cli.printing import format_option, show, show_standings, window
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
  put standings --anchor random=1000
  put standings --luck-removed
  put standings s3://my-bucket/run"""
)
@run_argument(urls=True)
@click.option(
    "--anchor",
    metavar="NAME=VALUE",
    callback=_read_anchor,
    help="A strategy and the rating it is to have, instead of 1500 for the mean.",
)
@click.option(
    "--luck-removed",
    is_flag=True,
    help="Learn from the hands what deals are worth and take their luck off, beside what is raw.",
)
@format_option()
def command(
    run: Path | str, anchor: tuple[str, float] | None, luck_removed: bool, form: str
) -> None:
    """Compute the standings of RUN (runs/latest unless given) again from its log.

    RUN can be in an object store, s3://BUCKET/PATH: its tallies are fetched for the time being.

    With --luck-removed, which reads all hands of a two-handed run, table and JSON show the ratings
    (of two the score) once more with the luck of the deal taken off; docs/statistics.md says how.
    """
    from put_cli.log import manifest
    from put_cli.tournament.keeping import fetched
    from put_cli.tournament.outcome import rate, result

    if isinstance(run, str):
        if luck_removed:
            raise click.UsageError(
                f"--luck-removed reads all hands, and {run!r} is in an object store. First copy "
                f"it, as with 'aws s3 sync {run} RUN', and name RUN."
            )
        with fetched(run) as folder:
            table, made = rate(folder, anchor), manifest.read(folder)
        show_standings(form, table, lambda: result(made, table, run))
        return
    run = resolve_run(run)
    made = manifest.read(run)
    if made.game == SPECULATION:
        from put_cli.cli import speculation

        if luck_removed:
            raise click.UsageError("--luck-removed: luck is not removed from Speculation yet.")
        speculation.standings(made, run, form, anchor)
        return
    table = rate(run, anchor)
    lucky = None
    if luck_removed:
        from put_cli.cli.progress import watched
        from put_cli.tournament.removing_luck import remove_luck

        if form not in ("table", "json"):
            raise click.UsageError(f"--luck-removed goes with --format table or json, not {form}.")
        lucky = remove_luck(run, table.ruling, watched)

    def plain() -> dict[str, Any]:
        found = result(manifest.read(run), table, run)
        return found | ({"luck_removed": lucky.plain()} if lucky else {})

    show_standings(form, table, plain)
    if lucky and form == "table":
        from put_cli.report.luck import luck_text

        show(luck_text(lucky, window()))
