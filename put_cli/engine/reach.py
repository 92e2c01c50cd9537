"""What a strategy's code can reach: for the cache's digest and for finding helper functions.

The walk starts at the strategy's classes and follows every global, closure cell, attribute of an
imported module and constant that the code names, as they are in memory: an edited helper or
constant, however deep, gives another digest.
"""

import builtins
import dis
import enum
import hashlib
import random
import sys
import sysconfig
import types
from collections.abc import Iterator
from contextlib import suppress
from dataclasses import fields, is_dataclass
from functools import cached_property
from typing import Any, get_type_hints

import numpy as np

from put_cli.strategy import Strategy

_PLAIN = (bool, int, float, complex, str, bytes, type(None), type(Ellipsis))
_LOADS_GLOBAL = frozenset({"LOAD_GLOBAL", "LOAD_NAME"})
_STABLE = frozenset({"numpy", "numba", "put_cli", "llvmlite"})
"""Packages, besides Python's own, whose version (part of the digest) stands for their code."""


_CHANCE = frozenset({"random", "secrets", "time", "numpy.random"})
"""Modules whose answers depend on more than `self` and `view`."""


_STDLIB = sysconfig.get_path("stdlib")


def _is_stable(module: str) -> bool:
    """Whether a module's code can only change with a version the digest knows of.

    A user's file may have the name of a standard module, so the place counts too.
    """
    top = module.partition(".")[0]
    if top not in sys.stdlib_module_names:
        return top in _STABLE
    origin = getattr(getattr(sys.modules.get(top), "__spec__", None), "origin", None)
    return origin is None or origin in ("built-in", "frozen") or origin.startswith(_STDLIB)


FILE_MODULE = "put_file_"
"""How the names of modules begin that are made of a strategy's file."""


class _Walk:
    """Visits everything reachable once, feeding what it sees to a hasher."""

    def __init__(self, *, places: bool = True) -> None:
        """`places`: whether the module of a class counts, which may be called after its path."""
        self._places = places
        self.hasher = hashlib.blake2b(digest_size=16)
        self.functions: dict[int, types.FunctionType] = {}
        self.chance: set[str] = set()
        self.names: set[str] = set()
        """Every name that the code mentions, attributes included."""
        self.opaque = False
        """Whether it met something whose content cannot be told from here."""
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
        if isinstance(getattr(value, "__self__", None), random.Random):
            self.chance.add("random")
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
            case cached_property():
                self.visit(value.func)
            case types.BuiltinFunctionType() | np.ufunc():
                self.note("builtin", getattr(value, "__module__", ""), value.__name__)
                if getattr(value, "__module__", "") in _CHANCE:
                    self.chance.add(value.__module__)
            case dict():
                self.note("dict", len(value))
                for item in value.items():
                    self.visit(item)
            case tuple() | list() | set() | frozenset():
                unordered = isinstance(value, set | frozenset)
                self.note(type(value).__name__, len(value))
                for item in sorted(value, key=repr) if unordered else value:
                    self.visit(item)
            case enum.Enum():
                self.note("enum", type(value).__qualname__, value.name, value.value)
            case np.ndarray() | np.generic():
                array = np.asarray(value)
                self.note("array", str(array.dtype), array.shape, array.tobytes())
            case type():
                self._class(value)
            case _:
                self.opaque = True
                self.note("opaque", type(value).__name__)

    def _function(self, function: types.FunctionType) -> None:
        if _is_stable(function.__module__ or ""):
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
        self.note(code.co_argcount, code.co_posonlyargcount, code.co_kwonlyargcount)
        self.note(code.co_exceptiontable)
        for constant in code.co_consts:
            self.visit(constant)

    def _names(self, code: types.CodeType, scope: dict[str, Any]) -> None:
        # An attribute may be called like some global of the module that has nothing to do with it.
        loaded = {
            str(each.argval) for each in dis.get_instructions(code) if each.opname in _LOADS_GLOBAL
        }
        names = frozenset(code.co_names)
        self.names |= names
        for name in sorted(loaded):
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
        if module.__name__ in _CHANCE or (module is np and "random" in names):
            self.chance.add(module.__name__)
        if _is_stable(module.__name__):
            return
        for name in sorted(names):
            if hasattr(module, name):
                key = (id(module), name)
                if hash(key) not in self._seen:
                    self._seen.add(hash(key))
                    self.visit(getattr(module, name), names)

    def _class(self, cls: type) -> None:
        file = cls.__module__.startswith(FILE_MODULE) and not self._places
        self.note("class", "" if file else cls.__module__, cls.__qualname__)
        if _is_stable(cls.__module__):
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


def prepared(strategy: Strategy) -> dict[str, type]:
    """What the strategy works out before it plays: its `cached_property`s, by name, with the type
    they are annotated with."""
    found: dict[str, type] = {}
    for base in reversed(type(strategy).__mro__):
        for name, value in vars(base).items():
            found.pop(name, None)
            if isinstance(value, cached_property):
                found[name] = object
                with suppress(Exception):  # an annotation that cannot be evaluated says nothing
                    found[name] = get_type_hints(value.func)["return"]
    return found


def held(strategy: Strategy) -> dict[str, Any]:
    """Everything the instance was made with by name, parameters first."""
    names: list[str] = [f.name for f in fields(strategy)] if is_dataclass(strategy) else []
    later = prepared(strategy)
    made = {name: value for name, value in vars(strategy).items() if name not in later}
    return {name: getattr(strategy, name) for name in names} | made


def digest(strategy: Strategy, numbers: Any) -> str | None:
    """A name for the machine code of `strategy.act`; None when it must not be kept.

    `numbers` are the parameters read at run time: their values do not matter, their types do.
    Everything else the instance holds is a constant of the code, whether a parameter or not.
    """
    # Takes a second to import, and whoever wants `source_digest` alone has no use for it.
    from put_cli.engine.compiled import platform_digest

    walk = _Walk()
    walk.hasher.update(platform_digest())
    try:
        walk.visit(type(strategy))
        walk.note("annotations", str(getattr(type(strategy), "__annotations__", None)))
        values = held(strategy)
        for name in sorted({*values, *numbers}):
            walk.note("held", name, str(numbers[name]) if name in numbers else "")
            if name not in numbers:
                walk.visit(values[name])
    except RecursionError:
        return None
    return None if walk.opaque else walk.hasher.hexdigest()


def helpers(strategy: Strategy) -> Iterator[types.FunctionType]:
    """Every plain function that the strategy's methods can call, however deep."""
    walk = _Walk()
    # What was found is enough to try: a missing helper only means that the strategy is interpreted.
    with suppress(RecursionError):
        walk.visit(type(strategy))
    own = {id(function) for function in _methods(type(strategy))}
    return (function for key, function in walk.functions.items() if key not in own)


def chance(strategy: Strategy) -> list[str]:
    """Modules that the strategy takes chance or the clock from, where only `view.luck` is allowed.

    A function imported from such a module counts too.
    """
    walk = _Walk()
    with suppress(RecursionError):
        walk.visit(type(strategy))
    return sorted(walk.chance)


def names(strategy: Strategy) -> set[str]:
    """Every name that the strategy's methods and their helpers mention, attributes included."""
    walk = _Walk()
    with suppress(RecursionError):
        walk.visit(type(strategy))
    return walk.names


def _methods(cls: type) -> Iterator[types.FunctionType]:
    for base in cls.__mro__:
        for value in vars(base).values():
            value = getattr(value, "fget", None) or getattr(value, "__func__", value)
            value = value.func if isinstance(value, cached_property) else value
            if isinstance(value, types.FunctionType):
                yield value


def source_digest(strategy: Strategy) -> str:
    """16 hex digits over all code and constants the strategy's class can reach.

    It names the source in manifests; unlike `digest` it does not depend on the machine, nor on
    where a file lies. Values it cannot look into count by their type alone.
    """
    walk = _Walk(places=False)
    with suppress(RecursionError):
        walk.visit(type(strategy))
    return walk.hasher.hexdigest()[:16]
