"""Why a strategy is not compiled: the construct, the line, and what to write instead.

What the compiler says is often far from the cause, so the author's own code is searched for
constructs known to be refused (`refused`). Where nothing known is found, the compiler's words and
its line have to do.
"""

import ast
import inspect
import re
import sys
import textwrap
import types
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from put_cli.engine.native import NotNative
from put_cli.plugins.refused import refused
from put_cli.strategy import Strategy


@dataclass(frozen=True)
class Obstacle:
    """A piece of an author's code that is not compiled."""

    file: str
    line: int
    code: str
    """The line itself."""
    instead: str

    def text(self) -> str:
        """One line for the author."""
        return f"{Path(self.file).name}:{self.line}: {self.code}  -> {self.instead}"


def advise(strategy: Strategy, error: NotNative, method: str = "act") -> list[str]:
    """Why a method is not native, a line each: obstacles, or else what the compiler said."""
    found = obstacles(strategy, method)
    who = "It" if method == "act" else f"{method}, asked before the tricks,"
    why = f"{who} is not compiled: {error}."
    if not found:
        where = _compiler_line(error)
        return [f"{why[:-1]} ({where})." if where else why]
    return [f"{who} is not compiled. What stands in the way:", *(each.text() for each in found)]


def obstacles(strategy: Strategy, method: str = "act") -> list[Obstacle]:
    """Everything in the code a method runs that is known not to compile, in order."""
    found = set()
    for function in _code(strategy, method):
        tree = _parsed(function)
        if tree is None:
            continue
        lines, first = inspect.getsourcelines(function)
        for node in ast.walk(tree):
            for instead in refused(node, function, strategy):
                line = first + node.lineno - 1  # type: ignore[attr-defined]
                code = lines[node.lineno - 1].strip()  # type: ignore[attr-defined]
                found.add((function.__code__.co_filename, line, code, instead))
    return [Obstacle(*each) for each in sorted(found)]


def _code(strategy: Strategy, method: str) -> list[types.FunctionType]:
    """The author's functions that a method can call, by their names: methods and helpers."""
    cls = type(strategy)
    found = [each for each in [_function(inspect.getattr_static(cls, method, None))] if each]
    for function in found:  # the list grows while it is walked
        names = sorted(set(_names(function.__code__)))
        scope = function.__globals__
        modules = [scope[name] for name in names if isinstance(scope.get(name), types.ModuleType)]
        for name in names:
            places = [inspect.getattr_static(cls, name, None), scope.get(name)]
            places += [getattr(module, name, None) for module in modules]
            for each in map(_function, places):
                if each is not None and each not in found:
                    found.append(each)
    return found


def _function(value: Any) -> types.FunctionType | None:
    """The function behind a method, property or helper, if an author wrote it."""
    value = getattr(value, "fget", None) or getattr(value, "__func__", value)
    if not isinstance(value, types.FunctionType):
        return None
    top = (value.__module__ or "").partition(".")[0]
    return None if top in ("numpy", "numba", "put_cli", *sys.stdlib_module_names) else value


def _names(code: types.CodeType) -> Iterator[str]:
    """Every name that some code, and the code inside it, asks for."""
    yield from code.co_names
    for constant in code.co_consts:
        if isinstance(constant, types.CodeType):
            yield from _names(constant)


def _parsed(function: types.FunctionType) -> ast.AST | None:
    try:
        return ast.parse(textwrap.dedent(inspect.getsource(function)))
    except (OSError, TypeError, SyntaxError):
        return None  # made without a source


def _compiler_line(error: NotNative) -> str:
    """Where the compiler was, as far as it said so."""
    context = error.__context__
    places = re.findall(r'File "([^"]+)", line (\d+)', str(context)) if context else []
    own = [(file, line) for file, line in places if "put_cli" not in Path(file).parts]
    return f"{Path(own[-1][0]).name}:{own[-1][1]}" if own else ""
