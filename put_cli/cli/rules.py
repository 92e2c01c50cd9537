"""`put rules`: list the rule sets, or explain one."""

import json
from importlib.metadata import EntryPoint
from importlib.util import find_spec
from typing import Any

import click

from put_cli.rules.explain import explain, summary
from put_cli.rules.ruleset import BUILT_IN, RuleSet, built_in, find_ruleset, plugged_in
from put_cli.speculation import explain as speculation
from put_cli.speculation.rules import NAME as SPECULATION
from put_cli.speculation.rules import Speculation, find


@click.command(epilog="Example:  put rules 'cotton(target=7, pack=short32)'")
@click.argument("rules_text", metavar="[NAME]", required=False)
@click.option("--json", "as_json", is_flag=True, help="Print the rule sets as JSON.")
def command(rules_text: str | None, as_json: bool) -> None:
    """List the rule sets, or explain one.

    NAME is a rule set of the list, a TOML file, or either with knobs of its own in brackets.
    """
    if rules_text is None:
        click.echo(_listed_json() if as_json else _listed())
        return
    round_game = find(rules_text)
    if round_game is not None:
        told = "\n".join(speculation.explain(round_game))
        data = round_game.plain() | {"fingerprint": round_game.fingerprint()}
        click.echo(json.dumps(data, indent=2) if as_json else told)
        return
    rules = find_ruleset(rules_text)
    click.echo(json.dumps(_data(rules), indent=2) if as_json else explain(rules))


def _data(rules: RuleSet) -> dict[str, Any]:
    return rules.plain() | {"ranks": rules.cards.ranks, "fingerprint": rules.fingerprint()}


def _listed_json() -> str:
    sets = [_data(built_in(name)) for name in BUILT_IN]
    usual = Speculation()
    sets.append(usual.plain() | {"fingerprint": usual.fingerprint()})
    plugged = [
        {"name": name, "from": point.value, "broken": _fault(point)}
        for name, point in plugged_in().items()
    ]
    return json.dumps(sets + plugged, indent=2)


def _listed() -> str:
    entries = [(name, built_in(name).title, summary(built_in(name))) for name in BUILT_IN]
    entries.append((SPECULATION, speculation.TITLE, speculation.summary(Speculation())))
    for name, point in plugged_in().items():
        fault = _fault(point)
        told = f"broken: {fault}" if fault else f"'put rules {name}' loads and explains it"
        entries.append((name, f"plugged in from {point.value}", told))
    width = max(len(name) for name, _, _ in entries)
    return "\n".join(
        f"{name:<{width}}  {title}\n{'':<{width}}  {told}" for name, title, told in entries
    )


def _fault(point: EntryPoint) -> str | None:
    """Why a plugged-in rule set cannot work, as far as that shows without importing it."""
    if point.name in BUILT_IN:
        return f"its name is taken by the built-in {point.name!r}"
    if point.pattern.match(point.value) is None:
        return f"expected package.module:name, got {point.value!r}"
    top = point.module.partition(".")[0]
    return None if find_spec(top) else f"there is no package {top!r}"
