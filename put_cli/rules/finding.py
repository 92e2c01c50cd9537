"""Where rule sets are found: with the program, in a file, in another package, with knobs changed.

A rule set is read from TOML (one file each in `sets/`), from a user's own file, or from another
package through the entry-point group `put.rules`; any of them takes overrides of its knobs:
`cotton(target=7, pack=short32)`.
"""

import tomllib
from collections.abc import Callable, Mapping
from dataclasses import fields, replace
from functools import cache
from importlib.metadata import EntryPoint, entry_points
from importlib.resources import files
from pathlib import Path
from typing import Any

from put_cli.errors import RuleError, did_you_mean
from put_cli.rules.files import read_text
from put_cli.rules.knobs import key_of, split_knobs, with_knobs
from put_cli.rules.ruleset import GAME, RuleSet, knob_help

MAX_FILE = 1 << 16
"""Bytes of a TOML file with a rule set; those of the program take less than 2,000."""

BUILT_IN = (
    "cotton",
    "willughby",
    "cotton-eldest",
    "plain",
    "hoyle",
    "hoyle-eldest",
    "enquire",
    "pigott",
    "parlett",
    "truc",
    "truc-french",
    "four-handed",
    "three-handed",
)
"""The rule sets that ship with the program, in the order of the documentation."""


@cache
def built_in(name: str) -> RuleSet:
    """A rule set that ships with the program; `name` is one of BUILT_IN."""
    file = files("put_cli.rules") / "sets" / f"{name}.toml"
    return from_mapping(tomllib.loads(file.read_text(encoding="utf-8")), file.name)


def plugged_in() -> dict[str, EntryPoint]:
    """Rule sets offered by other packages (group `put.rules`), by name; none is imported."""
    return {point.name: point for point in entry_points(group="put.rules")}


def find_ruleset(text: str, **knobs: Any) -> RuleSet:
    """The rule set a user means by `cotton`, `house.toml` or `cotton(target=7, pack=short32)`.

    `knobs` override those in the text.

    Raises:
        RuleError: there is no such rule set, file or knob, or a value is not allowed.
    """
    name, overrides = split_knobs(text)
    overrides |= knobs
    rules = _find_named(name)
    if not overrides:
        return rules
    try:
        changed = replace(rules, **_arguments(overrides))
    except RuleError as error:
        raise RuleError(f"{name}: {error}") from None
    differing = {
        key: value for key, value in changed.knobs().items() if value != rules.knobs()[key]
    }
    return replace(changed, name=with_knobs(rules.name, differing))


def _find_named(name: str) -> RuleSet:
    if name in BUILT_IN:
        return built_in(name)
    if name.endswith(".toml"):
        return _read_file(Path(name))
    plugged = plugged_in()
    if name in plugged:
        return _load_plugged(plugged[name])
    choices = [*BUILT_IN, *plugged]
    raise RuleError(
        f"there is no rule set {name!r}.{did_you_mean(name, choices)} 'put rules' lists them all."
    )


def _read_file(path: Path) -> RuleSet:
    try:
        text = read_text(path, MAX_FILE)
    except (OSError, ValueError) as error:
        raise RuleError(f"cannot read the rule set {str(path)!r}: {error}.") from None
    try:
        data = tomllib.loads(text)
        repr(data)  # raises for a number with too many digits to be shown
    except (ValueError, RecursionError) as error:
        raise RuleError(f"{path} is not TOML: {error}.") from None
    rules = from_mapping({"name": path.stem} | data, str(path))
    if rules.name in BUILT_IN and rules.fingerprint() != built_in(rules.name).fingerprint():
        raise RuleError(
            f"{path}: name: {rules.name!r} is a rule set of the program and this one plays "
            "differently. Give it a name of its own."
        )
    return rules


def _load_plugged(point: EntryPoint) -> RuleSet:
    """A `put.rules` entry point holds a RuleSet, a mapping of knobs, or a function giving one."""
    try:
        value: RuleSet | Mapping[str, Any] | Callable[[], Any] = point.load()
        if callable(value):
            value = value()
    except Exception as error:
        raise RuleError(
            f"the rule set {point.name!r} ({point.value}) failed to load: "
            f"{type(error).__name__}: {error}."
        ) from None
    if isinstance(value, RuleSet):
        return value
    if isinstance(value, Mapping):
        return from_mapping({"name": point.name} | dict(value), point.value)
    raise RuleError(
        f"the rule set {point.name!r} ({point.value}): expected a RuleSet or a mapping of knobs, "
        f"got {type(value).__name__}."
    )


def from_mapping(data: Mapping[str, Any], where: str) -> RuleSet:
    """A rule set from parsed TOML; a `base` key names the set that the rest overrides.

    Raises:
        RuleError: a key is unknown or a value not allowed; `where` is part of the message.
    """
    values = dict(data)
    base = values.pop("base", None)
    try:
        if base is not None:
            if str(base).partition("(")[0].endswith(".toml"):
                raise RuleError(f"base: expected the name of an installed rule set, got {base!r}.")
            start = find_ruleset(str(base))
            return replace(start, **_arguments(values))
        return RuleSet(**_arguments(values))
    except RuleError as error:
        raise RuleError(f"{where}: {error}") from None
    except TypeError:
        raise RuleError(f"{where}: name: expected the name of the rule set, got none.") from None


def _arguments(values: Mapping[str, Any]) -> dict[str, Any]:
    """TOML keys and values as arguments of RuleSet; refuses unknown keys."""
    known = {key_of(f.name): f.name for f in fields(RuleSet)}
    arguments: dict[str, Any] = {}
    for key, value in values.items():
        if key not in known:
            raise RuleError(
                f"there is no knob {key!r}.{did_you_mean(key, known)} "
                f"The knobs are: {', '.join(knob_help())}."
            )
        if key == "stakes":
            if not isinstance(value, list | tuple):
                raise RuleError(f"stakes: expected a list such as [1, game], got {value!r}.")
            value = tuple(GAME if worth == "game" else worth for worth in value)
        elif key == "readings" and isinstance(value, list):
            value = tuple(value)
        arguments[known[key]] = value
    return arguments
