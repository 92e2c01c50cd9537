"""Constructs of Python that are not compiled, and what to write instead: one small rule each.

A rule looks at one node of an author's code and returns its advice, or None. A test holds each
against the compiler: what it finds is refused, and what it advises is compiled.
"""

import ast
import functools
import random
import types
from collections.abc import Callable, Iterator
from typing import Any

import numpy as np

from put_cli.strategy import Strategy

_Rule = Callable[[Any, types.FunctionType, Strategy], str | None]
_RULES: list[tuple[type[ast.AST], _Rule]] = []


def _on(kind: type[ast.AST]) -> Callable[[_Rule], _Rule]:
    def add(rule: _Rule) -> _Rule:
        _RULES.append((kind, rule))
        return rule

    return add


def refused(node: ast.AST, function: types.FunctionType, strategy: Strategy) -> Iterator[str]:
    """The advice for one node of `function`, if it is known not to be compiled."""
    for kind, rule in _RULES:
        if isinstance(node, kind):
            instead = rule(node, function, strategy)
            if instead:
                yield instead


_UNKNOWN = object()


def _global(node: ast.AST, function: types.FunctionType) -> Any:
    """What a plain name stands for in the function's module, or _UNKNOWN."""
    if isinstance(node, ast.Name) and node.id not in function.__code__.co_varnames:
        return function.__globals__.get(node.id, _UNKNOWN)
    return _UNKNOWN


@_on(ast.Call)
def _generator(node: ast.Call, *_: Any) -> str | None:
    name = node.func.id if isinstance(node.func, ast.Name) else "it"
    if name in ("any", "all"):
        return (
            f"{name} is not compiled; count: len([card for card in view.cards if card > 9]) "
            f"{'> 0' if name == 'any' else '== 3'}"
        )
    if not any(isinstance(each, ast.GeneratorExp) for each in node.args):
        return None
    if name == "next":
        return "no generator expression here; write a loop"
    return f"no generator expression here; write a list: {name}([...])"


@_on(ast.Call)
def _least_or_most(node: ast.Call, *_: Any) -> str | None:
    if not isinstance(node.func, ast.Name) or node.func.id not in ("max", "min"):
        return None
    given = {keyword.arg for keyword in node.keywords}
    if "key" in given:
        return "max and min take no key here; sorted(..., key=...)[0] does"
    if "default" in given:
        return "max and min take no default here; write max([0] + [...])"
    return None


_TUPLES = frozenset({"cards", "played", "their_played"})


@_on(ast.Call)
def _of_a_tuple(node: ast.Call, *_: Any) -> str | None:
    if not isinstance(node.func, ast.Attribute) or node.func.attr != "count":
        return None
    if isinstance(node.func.value, ast.Attribute) and node.func.value.attr in _TUPLES:
        return "tuples have no count here; write list(view.cards).count(0)"
    return None


@_on(ast.Attribute)
def _of_a_view(node: ast.Attribute, *_: Any) -> str | None:
    if node.attr in ("_replace", "_asdict", "_fields"):
        return f"View has no {node.attr} here; hand a helper the numbers it needs"
    return None


@_on(ast.Name)
def _table(node: ast.Name, function: types.FunctionType, _: Strategy) -> str | None:
    value = _global(node, function)
    if isinstance(value, dict):
        return f"{node.id} is a dict; make it a tuple indexed by number, or use if and match"
    if isinstance(value, list | set | frozenset):
        return f"{node.id} is a {type(value).__name__}; make it a tuple: {node.id} = (..., ...)"
    return None


@_on(ast.Attribute)
def _own_table(node: ast.Attribute, _: Any, strategy: Strategy) -> str | None:
    if isinstance(node.value, ast.Name) and node.value.id == "self":
        value = getattr(type(strategy), node.attr, None)
        if isinstance(value, dict | list | set):
            return f"self.{node.attr} is a {type(value).__name__}; make it a tuple"
        if isinstance(node.ctx, ast.Store):
            return "a strategy keeps nothing; the record (memory = True) or begin_match remembers"
    return None


@_on(ast.Name)
def _chance(node: ast.Name, function: types.FunctionType, _: Strategy) -> str | None:
    value = _global(node, function)
    module = value.__name__ if isinstance(value, types.ModuleType) else ""
    module = module or getattr(value, "__module__", "") or ""
    owner = getattr(value, "__self__", None)
    if module in ("random", "secrets", "time") or isinstance(owner, random.Random):
        return "view.luck is the only randomness there is, fresh for every decision"
    return None


@_on(ast.Attribute)
def _numpy_chance(node: ast.Attribute, function: types.FunctionType, _: Strategy) -> str | None:
    if node.attr == "random" and _global(node.value, function) is np:
        return "view.luck is the only randomness there is, fresh for every decision"
    return None


_NOT_COMPILED = frozenset({"collections", "dataclasses", "functools", "itertools", "statistics"})
_NOT_IN_MATH = frozenset({"comb", "dist", "fsum", "isqrt", "perm", "prod"})


@_on(ast.Attribute)
def _library(node: ast.Attribute, function: types.FunctionType, _: Strategy) -> str | None:
    module = _global(node.value, function)
    if not isinstance(module, types.ModuleType):
        return None
    if module.__name__ in _NOT_COMPILED:
        return f"{module.__name__} is not compiled; write a loop"
    if module.__name__ == "math" and node.attr in _NOT_IN_MATH:
        return f"math.{node.attr} is not compiled; write a loop"
    return None


@_on(ast.Name)
def _cached(node: ast.Name, function: types.FunctionType, _: Strategy) -> str | None:
    value = _global(node, function)
    if isinstance(value, functools._lru_cache_wrapper):
        return f"{node.id} has a cache; leave functools.cache off"
    if getattr(value, "__module__", "") in _NOT_COMPILED:
        return f"{node.id} is not compiled; write a loop"
    plain_class = isinstance(value, type) and not issubclass(value, tuple)
    if plain_class and hasattr(value, "__dataclass_fields__"):
        return f"{node.id} is a class of its own; a NamedTuple is compiled"
    return None


@_on(ast.Call)
def _builtin(node: ast.Call, function: types.FunctionType, _: Strategy) -> str | None:
    name = node.func.id if isinstance(node.func, ast.Name) else ""
    if name == "super":
        return "super is not compiled; give the inherited method a name of its own and call that"
    if name == "reversed":
        return "reversed is not compiled; write view.cards[::-1]"
    if name == "zip" and any(keyword.arg == "strict" for keyword in node.keywords):
        return "zip takes no strict here; leave it out"
    if name == "getattr" and not isinstance(node.args[1], ast.Constant):
        return "getattr needs a fixed name here; use if"
    if name == function.__name__:
        return "a helper may not call itself here; write a loop"
    if name == "sum" and node.args and isinstance(node.args[0], ast.Call):
        return "sum takes a list or tuple here: sum([...])"
    return None


@_on(ast.Assign)
def _none(node: ast.Assign, *_: Any) -> str | None:
    nothing = isinstance(node.value, ast.Constant) and node.value.value is None
    return "a variable is a number from the start; no card is 0, not None" if nothing else None


@_on(ast.Return)
def _return(node: ast.Return, function: types.FunctionType, _: Strategy) -> str | None:
    if function.__name__ != "act":
        return None
    nothing = node.value is None or (
        isinstance(node.value, ast.Constant) and node.value.value is None
    )
    return "return a card, PUT, SEE or THROW" if nothing else None


@_on(ast.SetComp)
def _set(*_: Any) -> str:
    return "no set comprehension; write set([... for card in view.cards])"


@_on(ast.BinOp)
def _percent(node: ast.BinOp, *_: Any) -> str | None:
    if isinstance(node.op, ast.Mod) and isinstance(node.left, ast.Constant):
        return 'write f"..." instead of "..." %' if isinstance(node.left.value, str) else None
    return None


@_on(ast.ExceptHandler)
def _except(node: ast.ExceptHandler, *_: Any) -> str | None:
    if isinstance(node.type, ast.Name) and node.type.id == "Exception":
        return None
    return "only except Exception is compiled; better ask first, with if"


@_on(ast.With)
def _with(*_: Any) -> str:
    return "with is not compiled"


@_on(ast.Starred)
def _rest(node: ast.Starred, *_: Any) -> str | None:
    if isinstance(node.ctx, ast.Store):
        return "no starred target; write first = cards[0] and rest = cards[1:]"
    return None


@_on(ast.Subscript)
def _slice(node: ast.Subscript, *_: Any) -> str | None:
    of_cards = isinstance(node.value, ast.Attribute) and node.value.attr in _TUPLES
    if not of_cards or not isinstance(node.slice, ast.Slice):
        return None
    bounds = (node.slice.lower, node.slice.upper, node.slice.step)
    if all(each is None or isinstance(each, ast.Constant | ast.UnaryOp) for each in bounds):
        return None
    return "a tuple is cut only at fixed places here; write list(view.cards)[:n]"


@_on(ast.NamedExpr)
def _walrus(*_: Any) -> str:
    return "no := ; assign on a line of its own"


@_on(ast.MatchSequence)
@_on(ast.MatchMapping)
def _match(*_: Any) -> str:
    return "match on one number is compiled, on a sequence not; use if"


@_on(ast.Delete)
def _delete(*_: Any) -> str:
    return "del is not compiled; leave it out"


@_on(ast.Global)
def _globals(*_: Any) -> str:
    return "a strategy keeps nothing; the record (memory = True) or begin_match remembers"


@_on(ast.Import)
@_on(ast.ImportFrom)
def _import(*_: Any) -> str:
    return "import at the top of the file"


@_on(ast.FunctionDef)
def _any_keywords(node: ast.FunctionDef, *_: Any) -> str | None:
    return "no **keywords; name the parameters" if node.args.kwarg else None


@_on(ast.For)
def _over_view(node: ast.For, *_: Any) -> str | None:
    return _whole_view(node.iter)


@_on(ast.Call)
def _list_of_view(node: ast.Call, *_: Any) -> str | None:
    listing = isinstance(node.func, ast.Name) and node.func.id in ("list", "tuple", "len", "zip")
    return next(filter(None, map(_whole_view, node.args)), None) if listing else None


def _whole_view(node: ast.AST) -> str | None:
    if isinstance(node, ast.Name) and node.id == "view":
        return "a View is not a list here; name the fields you need"
    return None
