"""What a strategy's code can reach: for the cache's digest and for finding helper functions.

The walk starts at the strategy's classes and follows every global, closure cell, attribute of an
imported module and constant that the code names, as they are in memory: an edited helper or
constant, however deep, gives another digest.
"""

import builtins
import enum
import hashlib
import sys
import types
from collections.abc import Iterator
from contextlib import suppress
from dataclasses import Field, fields, is_dataclass
from typing import Any

import numpy as np

from put_cli.engine.compiled import platform_digest
from put_cli.strategy import Strategy

_PLAIN = (bool, int, float, complex, str, bytes, type(None), type(Ellipsis))
_STABLE = frozenset(sys.stdlib_module_names) | {"numpy", "numba", "put_cli", "llvmlite"}
"""Packages whose version (part of the platform digest) stands for their code."""


class _Unknown(Exception):
    """Something whose content cannot be told from here: do not keep the compiled code."""


class _Walk:
    """Visits everything reachable once, feeding what it sees to a hasher."""

    def __init__(self) -> None:
        self.hasher = hashlib.blake2b(digest_size=16)
        self.functions: dict[int, types.FunctionType] = {}
        self._seen: set[int] = set()
        self._keep: list[Any] = []

    def note(self, *facts: object) -> None:
        self.hasher.update(repr(facts).encode("utf-8", "backslashreplace") + b"\0")

    def visit(self, value: Any, names: frozenset[str] = frozenset()) -> None:
        if isinstance(value, _PLAIN):
            self.note(type(value).__name__, value)
            return
        if isinstance(value, types.ModuleType):
            self._module(value, names)
            return
        if id(value) in self._seen:
            self.note("again", type(value).__name__)
            return
        self._seen.add(id(value))
        self._keep.append(value)
        self._visit_new(value)

    def _visit_new(self, value: Any) -> None:
        inner = getattr(value, "py_func", None)  # a function the author compiled with Numba
        match value:
            case _ if isinstance(inner, types.FunctionType):
                self.note("jitted", str(getattr(value, "targetoptions", "")))
                self.visit(inner)
            case types.FunctionType():
                self._function(value)
            case types.CodeType():
                self._code(value)
            case staticmethod() | classmethod():
                self.visit(value.__func__)
            case property():
                self.visit(value.fget)
            case types.BuiltinFunctionType() | np.ufunc():
                self.note("builtin", getattr(value, "__module__", ""), value.__name__)
            case tuple() | list() | frozenset():
                items = sorted(value, key=repr) if isinstance(value, frozenset) else value
                self.note(type(value).__name__, len(value))
                for item in items:
                    self.visit(item)
            case enum.Enum():
                self.note("enum", type(value).__qualname__, value.name, value.value)
            case np.ndarray() | np.generic():
                array = np.asarray(value)
                self.note("array", str(array.dtype), array.shape, array.tobytes())
            case type():
                self._class(value)
            case _:
                raise _Unknown(type(value).__name__)

    def _function(self, function: types.FunctionType) -> None:
        if (function.__module__ or "").partition(".")[0] in _STABLE:
            self.note("stable", function.__module__, function.__qualname__)
            return
        self.functions[id(function)] = function
        self.note("function", function.__qualname__)
        for part in (
            function.__defaults__,
            function.__kwdefaults__ and tuple(sorted(function.__kwdefaults__.items())),
        ):
            self.visit(part or None)
        for cell in function.__closure__ or ():
            try:
                self.visit(cell.cell_contents)
            except ValueError:
                self.note("empty cell")
        self._names(function.__code__, function.__globals__)
        self.visit(function.__code__)

    def _code(self, code: types.CodeType) -> None:
        self.note(code.co_code, code.co_names, code.co_varnames, code.co_freevars, code.co_flags)
        for constant in code.co_consts:
            self.visit(constant)

    def _names(self, code: types.CodeType, scope: dict[str, Any]) -> None:
        names = frozenset(code.co_names)
        for name in sorted(names):
            if name in scope:
                self.note("global", name)
                self.visit(scope[name], names)
            elif not hasattr(builtins, name):
                self.note("unbound", name)
        for constant in code.co_consts:
            if isinstance(constant, types.CodeType):
                self._names(constant, scope)

    def _module(self, module: types.ModuleType, names: frozenset[str]) -> None:
        self.note("module", module.__name__)
        if module.__name__.partition(".")[0] in _STABLE:
            return
        for name in sorted(names):
            if hasattr(module, name):
                key = (id(module), name)
                if hash(key) not in self._seen:
                    self._seen.add(hash(key))
                    self.visit(getattr(module, name), names)

    def _class(self, cls: type) -> None:
        self.note("class", cls.__module__, cls.__qualname__)
        if cls.__module__.partition(".")[0] in _STABLE:
            return
        for base in cls.__mro__[1:]:
            self.visit(base)
        if issubclass(cls, enum.Enum):
            for member in cls:
                self.note(member.name, member.value)
            return
        for name, value in sorted(vars(cls).items()):
            if name == "__init__" and is_dataclass(cls):
                continue
            if name.startswith("__") and name not in ("__call__",):
                continue
            self.note("attribute", name)
            self.visit(value)


def _fields(strategy: Strategy) -> "tuple[Field[Any], ...]":
    return fields(strategy) if is_dataclass(strategy) else ()


def digest(strategy: Strategy, numbers: Any) -> str | None:
    """A name for the machine code of `strategy.act`; None when it must not be kept.

    `numbers` are the parameters read at run time: their values do not matter, their types do.
    """
    walk = _Walk()
    walk.hasher.update(platform_digest())
    try:
        walk.visit(type(strategy))
        for f in _fields(strategy):
            value = getattr(strategy, f.name)
            walk.note("parameter", f.name, str(numbers[f.name]) if f.name in numbers else "")
            if f.name not in numbers:
                walk.visit(value)
    except (_Unknown, RecursionError):
        return None
    return walk.hasher.hexdigest()


def helpers(strategy: Strategy) -> Iterator[types.FunctionType]:
    """Every plain function that the strategy's methods can call, however deep."""
    walk = _Walk()
    # What was found before a stranger is enough to try: a missing helper only means that the
    # strategy is interpreted.
    with suppress(_Unknown, RecursionError):
        walk.visit(type(strategy))
    own = {id(function) for function in _methods(type(strategy))}
    return (function for key, function in walk.functions.items() if key not in own)


def _methods(cls: type) -> Iterator[types.FunctionType]:
    for base in cls.__mro__:
        for value in vars(base).values():
            value = getattr(value, "fget", None) or getattr(value, "__func__", value)
            if isinstance(value, types.FunctionType):
                yield value


def source_digest(strategy: Strategy) -> str:
    """16 hex digits over all code and constants the strategy's class can reach.

    It names the source in manifests; unlike `digest` it does not depend on the machine. Values
    it cannot look into count by their type alone.
    """
    walk = _Walk()
    try:
        walk.visit(type(strategy))
    except (_Unknown, RecursionError) as error:
        walk.note("opaque", str(error))
    return walk.hasher.hexdigest()[:16]
