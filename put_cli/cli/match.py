"""put match: two strategies against each other."""

from typing import Any

import click

from put_cli.cli import tournament

_TAKEN = {"strategies", "config"}


@click.command(
    params=[
        click.Argument(["a"]),
        click.Argument(["b"]),
        *(each for each in tournament.command.params if each.name not in _TAKEN),
    ],
    epilog="""\b
Example:
  put match odds "threshold(level=8.5)" --games 100000""",
)
@click.pass_context
def command(ctx: click.Context, /, a: str, b: str, **options: Any) -> int:
    """Play strategy A against strategy B; options as for put tournament."""
    result: int = ctx.invoke(tournament.command, strategies=(a, b), config=None, **options)
    return result
