"""The written form of a rule set whose knobs are changed: `cotton(target=7, pack=short32)`."""

import ast
import re
from collections.abc import Mapping
from typing import Any

from put_cli.errors import RuleError

MAX_KNOBS = 1000
"""Characters between the brackets: enough for any, too few for numbers nobody can print."""


def key_of(field: str) -> str:
    """The knob that a field of a rule set is: `raise_` is `raise`, a word of Python."""
    return field.rstrip("_")


def split_knobs(text: str) -> tuple[str, dict[str, Any]]:
    """`name(key=value, ...)` into its parts; bare words are strings.

    Raises:
        RuleError: it is not of that form.
    """
    name, bracket, rest = text.strip().partition("(")
    if not bracket:
        return name, {}
    if len(rest) > MAX_KNOBS:
        raise RuleError(
            f"expected at most {MAX_KNOBS} characters of knobs, got {len(rest)} for "
            f"{name.strip()!r}."
        )
    # `raise` is a word of Python, so that knob would not parse as written.
    rest = re.sub(r"\braise\s*=", "raise_=", rest)
    try:
        call = ast.parse(f"f({rest}", mode="eval").body
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        call = None
    if (
        not isinstance(call, ast.Call)
        or not isinstance(call.func, ast.Name)  # `cotton(target=7)(target=9)`
        or call.args
        or any(k.arg is None for k in call.keywords)
    ):
        raise RuleError(f"expected a rule set as name(knob=value, ...), got {text!r}.")
    values: dict[str, Any] = {}
    for keyword in call.keywords:
        key = key_of(keyword.arg or "")
        if key in values:
            raise RuleError(f"{key}: given twice in {text!r}.")
        values[key] = _value(keyword.value, text)
    return name.strip(), values


def _value(node: ast.expr, text: str) -> Any:
    match node:
        case ast.Name(id="true" | "false" as word):
            return word == "true"
        case ast.Name(id=word):
            return word
        case ast.Constant(value=str() | int() | float() as value):
            return value
        case ast.List(elts=items) | ast.Tuple(elts=items):
            return [_value(item, text) for item in items]
    raise RuleError(f"expected plain values such as 7, short32 or [1, game] in {text!r}.")


def with_knobs(name: str, changed: Mapping[str, Any]) -> str:
    """`name(key=value, ...)`, as `split_knobs` reads it; the name alone if nothing is changed."""
    if not changed:
        return name

    def show(value: Any) -> str:
        if isinstance(value, bool):
            return str(value).lower()
        if isinstance(value, list):
            return "[" + ", ".join(map(str, value)) + "]"
        return repr(value) if isinstance(value, str) and not value.isidentifier() else str(value)

    return f"{name}({', '.join(f'{key}={show(value)}' for key, value in changed.items())})"
