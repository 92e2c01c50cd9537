"""put match: one table, or two strategies against each other."""

from typing import Any

import click

from put_cli.cli import tournament

_TAKEN = {"strategies", "teams", "tables", "config"}


@click.command(
    params=[
        click.Argument(["a"]),
        click.Argument(["b"]),
        click.Argument(["others"], nargs=-1, metavar="[C]..."),
        *(each for each in tournament.command.params if each.name not in _TAKEN),
    ],
    epilog="""\b
Examples:
  put match odds "threshold(level=8.5)" --games 100000
  put match bold+counter odds --rules four-handed
  put match odds bold timid --rules three-handed""",
)
@click.pass_context
def command(ctx: click.Context, /, a: str, b: str, others: tuple[str, ...], **options: Any) -> int:
    """Play strategy A against strategy B (and C ...); options as for put tournament."""
    from put_cli.rules.ruleset import find_ruleset

    rules = find_ruleset(options["rules_text"])
    field = (a, b, *others)
    if len(field) != rules.players:
        sides = "sides" if rules.partners else "players"
        raise click.UsageError(
            f"{rules.name} is a game of {rules.players} {sides}, got {len(field)} strategies. "
            "'put tournament' plays all pairings or tables of a larger field."
        )
    result: int = ctx.invoke(
        tournament.command, strategies=field, teams=(), tables=None, config=None, **options
    )
    return result
