"""put strategies: what is installed."""

from collections.abc import Iterator
from textwrap import fill
from typing import Any

import click

from put_cli.cli.printing import format_option, show, show_table, window
from put_cli.speculation.rules import NAME as SPECULATION


@click.command(
    epilog="""\b
Examples:
  put strategies
  put strategies odds ./my_bot.py
  put strategies --why ./my_bot.py"""
)
@click.argument("names", nargs=-1, metavar="[STRATEGY]...")
@click.option(
    "--why", is_flag=True, help="Of what is not compiled, show the lines and what to write instead."
)
@format_option()
def command(names: tuple[str, ...], why: bool, form: str) -> None:
    """List the installed strategies (or the given ones): version, tier, what they do.

    A strategy that cannot be loaded is listed with the reason.
    """
    from put_cli.plugins.discovery import installed, load
    from put_cli.report.tables import printable

    texts = names or tuple(dict.fromkeys(each.name for each in installed()))
    # One that was asked for by name has to be there; of the installed ones a broken one is listed.
    for text in names:
        load(text)
    described = [_describe(text, advise=why) for text in texts]
    if form != "table":
        show_table(form, _table(described))
        return
    width = window()
    wide = min(max((len(each["name"]) for each in described), default=0), width // 3)
    for each in described:
        for line in _lines(each, wide):
            show(fill(printable(line), width, subsequent_indent=" " * (wide + 2)) + "\n")


def _table(described: list[dict[str, Any]]) -> Any:
    """What is told of the strategies, for other programs."""
    from put_cli.report.tables import Column, Table, printable

    columns = [
        Column(
            heading=key, cells=tuple(printable(each[key] or "-") for each in described), left=True
        )
        for key in ("name", "tier", "version", "package", "summary", "why")
    ]
    return Table(columns=columns, notes=(), rows=described)


def _lines(each: dict[str, Any], wide: int) -> Iterator[str]:
    """What is told of a strategy, before it is wrapped; names take `wide` columns."""
    head = f"{each['name']:<{wide}}  {each['tier']:<11}  {each['version'] or '-':<7}"
    yield f"{head}  {each['summary']}"
    indent = " " * (wide + 2)
    if each["game"] == SPECULATION:
        yield f"{indent}plays: {SPECULATION}"
    if each["parameters"]:
        given = ", ".join(f"{key}={value!r}" for key, value in each["parameters"].items())
        yield f"{indent}parameters: {given}"
    if each["why"] and each["tier"] != "broken":
        yield f"{indent}not native: {each['why']}"
    for line in each.get("advice", ()):
        yield f"{indent}{line}"


def _enlist(loaded: Any, store: Any) -> Any:
    from put_cli.engine.players import enlist
    from put_cli.speculation import Speculator

    if isinstance(loaded.strategy, Speculator):
        from put_cli.speculation import play

        return play.enlist(loaded.name, loaded.strategy, store)
    return enlist(loaded.name, loaded.strategy, store)


def _describe(text: str, *, advise: bool = False) -> dict[str, Any]:
    from put_cli.errors import SpecError
    from put_cli.plugins import contract
    from put_cli.plugins.code_store import DiskStore
    from put_cli.plugins.discovery import load

    try:
        loaded = load(text)
    except SpecError as error:
        return {
            "name": text,
            "tier": "broken",
            "version": "",
            "package": "",
            "summary": str(error),
            "parameters": {},
            "memory": False,
            "game": "",
            "why": str(error),
        }
    player = _enlist(loaded, DiskStore())
    # The advice is for the compiled code of games of Put, and for whoever has none.
    wanted = advise and player.why and not loaded.outside and loaded.strategy.game == "put"
    advice = {"advice": contract.advice_for(loaded.strategy)} if wanted else {}
    return advice | {
        "name": loaded.name,
        "tier": player.tier,
        "version": loaded.version,
        "package": loaded.package,
        "summary": loaded.summary,
        "parameters": loaded.parameters,
        "memory": player.memory,
        "game": loaded.strategy.game,
        "why": player.why,
    }
