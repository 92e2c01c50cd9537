"""`put rules`: list the rule sets, or explain one."""

from importlib.metadata import EntryPoint
from importlib.util import find_spec
from textwrap import fill
from typing import Any

import click

from put_cli.cli.printing import format_option, show, show_json, show_table, window
from put_cli.rules.explain import explain, summary
from put_cli.rules.finding import BUILT_IN, built_in, find_ruleset, plugged_in
from put_cli.rules.ruleset import RuleSet
from put_cli.speculation import explain as speculation
from put_cli.speculation.rules import NAME as SPECULATION
from put_cli.speculation.rules import Speculation, find


@click.command(epilog="Example:  put rules 'cotton(target=7, pack=short32)'")
@click.argument("rules_text", metavar="[NAME]", required=False)
@format_option()
def command(rules_text: str | None, form: str) -> None:
    """List the rule sets, or explain one.

    NAME is a rule set of the list, a TOML file, or either with knobs of its own in brackets.
    """
    if rules_text is not None:
        if form in ("markdown", "csv"):
            raise click.UsageError(
                f"--format {form}: an explanation is no table; expected table or json."
            )
        round_game = find(rules_text)
        if round_game is not None:
            if form == "json":
                show_json(_data_of(round_game))
            else:
                show("".join(f"{line}\n" for line in speculation.explain(round_game)))
            return
        rules = find_ruleset(rules_text)
        if form == "json":
            show_json(_data(rules))
        else:
            show(f"{explain(rules)}\n")
    elif form == "json":
        show_json(_listed_data())
    elif form == "table":
        show(_listed_text(window()))
    else:
        show_table(form, _listed_table())


def _data(rules: RuleSet) -> dict[str, Any]:
    return rules.plain() | {"ranks": rules.cards.ranks, "fingerprint": rules.fingerprint()}


def _data_of(rules: Speculation) -> dict[str, Any]:
    return rules.plain() | {"fingerprint": rules.fingerprint()}


def _listed_data() -> list[dict[str, Any]]:
    sets = [_data(built_in(name)) for name in BUILT_IN]
    sets.append(_data_of(Speculation()))
    plugged = [
        {"name": name, "from": point.value, "broken": _fault(point)}
        for name, point in plugged_in().items()
    ]
    return sets + plugged


def _listed() -> list[dict[str, str]]:
    """Name, title and a summary of every rule set."""
    entries = [(name, built_in(name).title, summary(built_in(name))) for name in BUILT_IN]
    entries.append((SPECULATION, speculation.TITLE, speculation.summary(Speculation())))
    for name, point in plugged_in().items():
        fault = _fault(point)
        told = f"broken: {fault}" if fault else f"'put rules {name}' loads and explains it"
        entries.append((name, f"plugged in from {point.value}", told))
    return [dict(zip(("name", "title", "summary"), entry, strict=True)) for entry in entries]


def _listed_text(width: int) -> str:
    entries = _listed()
    wide = max(len(entry["name"]) for entry in entries)
    lines = []
    for entry in entries:
        lines += [f"{entry['name']:<{wide}}  {entry['title']}", f"{'':<{wide}}  {entry['summary']}"]
    indent = " " * (wide + 2)
    return "".join(
        fill(line, max(width, wide + 20), subsequent_indent=indent, drop_whitespace=True) + "\n"
        for line in lines
    )


def _listed_table() -> Any:
    from put_cli.report.tables import Column, Table

    entries = _listed()
    columns = [
        Column(heading=key, cells=tuple(entry[key] for entry in entries), left=True)
        for key in ("name", "title", "summary")
    ]
    return Table(columns=columns, notes=(), rows=entries)


def _fault(point: EntryPoint) -> str | None:
    """Why a plugged-in rule set cannot work, as far as that shows without importing it."""
    if point.name in BUILT_IN:
        return f"its name is taken by the built-in {point.name!r}"
    if point.pattern.match(point.value) is None:
        return f"expected package.module:name, got {point.value!r}"
    top = point.module.partition(".")[0]
    return None if find_spec(top) else f"there is no package {top!r}"
