"""put match: one table, or two strategies against each other."""

from typing import Any

import click

from put_cli.cli import tournament

_TAKEN = {"strategies", "teams", "tables", "config", "resume", "extend", "joining"}


def _read_test(
    _ctx: click.Context, _param: click.Parameter, text: str | None
) -> tuple[float, ...] | None:
    if text is None:
        return None
    try:
        numbers = tuple(float(number) for number in text.split(","))
        if len(numbers) in (2, 4):
            return numbers
    except ValueError:
        pass
    raise click.UsageError(
        "--sprt: expected two hypotheses in Elo, and if wanted two errors, as in 0,5 or "
        f"0,5,0.05,0.1; got {text!r}."
    )


@click.command(
    params=[
        click.Argument(["a"]),
        click.Argument(["b"]),
        click.Argument(["others"], nargs=-1, metavar="[C]..."),
        *(each for each in tournament.command.params if each.name not in _TAKEN),
        click.Option(
            ["--sprt"],
            metavar="ELO0,ELO1[,ALPHA,BETA]",
            callback=_read_test,
            help="Stop as soon as a sequential test tells whether A is ELO0 or ELO1 above B, with "
            "these chances of error (0.05 unless given), at the latest after --games.",
        ),
        click.Option(
            ["--normalized"], is_flag=True, help="The hypotheses of --sprt are in normalized Elo."
        ),
    ],
    epilog="""\b
Examples:
  put match odds "threshold(level=8.5)" --games 100000
  put match odds sharper --sprt 0,5 --games 1000000
  put match bold+counter odds --rules four-handed
  put match odds bold timid --rules three-handed""",
)
@click.pass_context
def command(
    ctx: click.Context,
    /,
    a: str,
    b: str,
    others: tuple[str, ...],
    sprt: tuple[float, ...] | None,
    normalized: bool,
    **options: Any,
) -> int:
    """Play strategy A against strategy B (and C ...); options as for put tournament."""
    from put_cli.rules.finding import find_ruleset

    rules = find_ruleset(options["rules_text"])
    field = (a, b, *others)
    if len(field) != rules.players:
        sides = "sides" if rules.partners else "players"
        raise click.UsageError(
            f"{rules.name} is a game of {rules.players} {sides}, got {len(field)} strategies. "
            "'put tournament' plays all pairings or tables of a larger field."
        )
    result: int = ctx.invoke(
        tournament.command,
        strategies=field,
        teams=(),
        tables=None,
        config=None,
        sprt=None if sprt is None else _test(sprt, normalized),
        **options,
    )
    return result


def _test(numbers: tuple[float, ...], normalized: bool) -> Any:
    from put_cli.stats.sequential import SequentialTest

    given: dict[str, Any] = dict(zip(("elo0", "elo1", "alpha", "beta"), numbers, strict=False))
    try:
        return SequentialTest(**given, scale="normalized" if normalized else "logistic")
    except ValueError as error:
        raise click.UsageError(f"--sprt: {error}.") from None
