"""How a user names a strategy: `bold`, `bold(sees=7)`, `./my_bot.py:Bold(bluff=0.3)`.

Parsing and checking only; nothing is imported here.
"""

import ast
import dataclasses
import enum
import math
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from put_cli.errors import PutError, SpecError, did_you_mean, one_line
from put_cli.strategy import Strategy

MAX_PARAMETERS = 1000
"""Characters between the brackets: enough for any, too few for numbers nobody can print."""


@dataclass(frozen=True)
class Spec:
    """A strategy as named by the user: where it is, and the parameters given."""

    text: str
    target: str
    """An installed name, a file (`my_bot.py` or `my_bot.py:Class`) or `module:Class`."""
    parameters: Mapping[str, Any]


def parse(text: str) -> Spec:
    """Split `target(name=value, ...)`.

    Raises:
        SpecError: it is not of that form, or a value is not a plain literal.
    """
    target, bracket, rest = text.strip().partition("(")
    if not target.strip():
        raise SpecError(f"expected a strategy such as bold or bold(sees=7), got {text!r}.")
    if not bracket:
        return Spec(text, target.strip(), {})
    if len(rest) > MAX_PARAMETERS:
        raise SpecError(
            f"expected at most {MAX_PARAMETERS} characters of parameters, got {len(rest)} for "
            f"{target.strip()!r}."
        )
    try:
        call = ast.parse(f"f({rest}", mode="eval").body
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        call = None
    if not isinstance(call, ast.Call) or call.args or not isinstance(call.func, ast.Name):
        raise SpecError(f"expected a strategy as name(parameter=value, ...), got {text!r}.")
    parameters: dict[str, Any] = {}
    for keyword in call.keywords:
        if keyword.arg is None or keyword.arg in parameters:
            raise SpecError(f"expected each parameter once, by name, got {text!r}.")
        parameters[keyword.arg] = _literal(keyword.value, text)
    return Spec(text, target.strip(), parameters)


def team(text: str) -> list[str]:
    """The strategies of `bold+counter`: `text` cut at every plus outside brackets and quotes."""
    members, depth, quote = [""], 0, ""
    for character in text:
        if quote:
            quote = "" if character == quote else quote
        elif character in "'\"":
            quote = character
        elif character in "([{":
            depth += 1
        elif character in ")]}":
            depth -= 1
        if character == "+" and not depth and not quote:
            members.append("")
        else:
            members[-1] += character
    return members


def _literal(node: ast.expr, text: str) -> Any:
    if isinstance(node, ast.Name):
        return {"true": True, "false": False, "none": None}.get(node.id, node.id)
    try:
        value = ast.literal_eval(node)
        str(value).encode()  # half a character cannot be written down
    except (ValueError, TypeError, RecursionError):
        raise SpecError(
            f"expected plain values such as 0.2, 3, true or word in {text!r}."
        ) from None
    return value


def build(cls: type[Strategy], spec: Spec) -> Strategy:
    """An instance of the strategy with the parameters given.

    Raises:
        SpecError: a parameter does not exist or has the wrong type, or the class refuses.
    """
    known = {f.name: f for f in _fields(cls) if f.init}
    if not known and spec.parameters and not dataclasses.is_dataclass(cls):
        raise SpecError(
            f"{spec.target} takes no parameters: make {cls.__name__} a frozen dataclass "
            "to give it some."
        )
    values = {}
    for name, value in spec.parameters.items():
        if name not in known:
            have = f"It has: {', '.join(known)}." if known else "It has none."
            raise SpecError(
                f"{spec.target} has no parameter {name!r}.{did_you_mean(name, known)} {have}"
            )
        values[name] = _checked(spec.target, known[name], value)
    return _call(cls, values, spec)


def _call(cls: type[Strategy], values: dict[str, Any], spec: Spec) -> Strategy:
    try:
        return cls(**values)
    except PutError as error:  # it says itself what is wrong
        raise SpecError(f"{spec.text} cannot be made: {one_line(error)}") from None
    except (Exception, SystemExit) as error:
        raise SpecError(
            f"{spec.text} cannot be made: {one_line(error)}. "
            "A strategy needs a default for every parameter."
        ) from None


def _checked(target: str, parameter: "dataclasses.Field[Any]", value: Any) -> Any:
    """The value in the type of the parameter's default."""
    default: Any = parameter.default
    kind: type = type(default)
    if isinstance(default, enum.Enum):
        members = type(default).__members__
        if value in members:
            return members[value]
        expected = f"one of {', '.join(members)}"
    elif kind is bool:
        if isinstance(value, bool):
            return value
        expected = "true or false"
    elif kind is int:
        if isinstance(value, int) and not isinstance(value, bool):
            return value
        expected = "a whole number"
    elif kind is float:
        if isinstance(value, int | float) and not isinstance(value, bool) and math.isfinite(value):
            return float(value)
        expected = "a number"
    elif kind is str:
        if isinstance(value, str):
            return value
        expected = "a word or a quoted text"
    else:
        return value
    raise SpecError(f"{target}: parameter {parameter.name}: expected {expected}, got {value!r}.")


def canonical(name: str, strategy: Strategy) -> str:
    """The name in logs and tables: parameters that differ from their defaults, in order.

    `bluffer(bluff=0.10)` and `bluffer` are the same strategy and get the same name.
    """
    changed = []
    for f in _fields(strategy):
        value = getattr(strategy, f.name)
        # Not-a-number differs from itself, but is written the same.
        if not f.init or value == f.default or repr(value) == repr(f.default):
            continue
        changed.append(f"{f.name}={value.name if isinstance(value, enum.Enum) else repr(value)}")
    return f"{name}({', '.join(changed)})" if changed else name


def parameters(strategy: Strategy) -> dict[str, Any]:
    """Every parameter that can be given, with its value, ready for JSON."""
    values = {f.name: getattr(strategy, f.name) for f in _fields(strategy) if f.init}
    return {
        name: value
        if isinstance(value, bool | int | str | None)
        or (isinstance(value, float) and math.isfinite(value))
        else str(value)
        for name, value in values.items()
    }


def _fields(value: Any) -> tuple["dataclasses.Field[Any]", ...]:
    """The dataclass fields, none for a plain class."""
    return dataclasses.fields(value) if dataclasses.is_dataclass(value) else ()
