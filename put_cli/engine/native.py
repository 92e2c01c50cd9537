"""The native tier: an author's unmodified methods, compiled to functions the kernel can call.

The strategy's `self` becomes a Numba type of its own: integer, float and bool parameters are read
through a pointer (one compilation serves every variant), and so is what a `cached_property` works
out in Python before the first game; everything else the class or the instance holds is a constant
of the compilation, and methods compile like `act` itself. Plain helper functions are taken as they
are.
"""

import inspect
import re
import types as python_types
import uuid
from collections.abc import Callable, Iterator
from dataclasses import dataclass, fields, is_dataclass
from functools import cached_property
from typing import Any, get_args, get_type_hints

import numpy as np
import numpy.typing as npt
from llvmlite import ir
from numba import carray, njit, types
from numba.core import cgutils
from numba.core.ccallback import CFunc
from numba.core.compiler_lock import global_compiler_lock
from numba.core.errors import TypingError
from numba.core.registry import cpu_target
from numba.extending import (
    intrinsic,
    make_attribute_wrapper,
    models,
    overload,
    overload_attribute,
    overload_method,
    register_model,
)

from put_cli.engine import compiled, lanes, reach, tables
from put_cli.engine.intrinsics import METHOD, address_as_lane, address_as_row
from put_cli.engine.view import make_view, no_others_view, others_view
from put_cli.strategy import Strategy

_OPTIONS = {"boundscheck": True}
_INLINED = {
    **_OPTIONS,
    "forceinline": True,
    "no_cpython_wrapper": True,  # Python never calls it; making it callable costs a third more
    "no_cfunc_wrapper": True,
}
"""For what makes up one method: a single function without calls, whose View is computed only where
it is read."""
_KINDS: dict[type, types.Type] = {
    bool: types.boolean,
    int: types.int64,
    float: types.float64,
}


class NotNative(Exception):
    """Why a strategy cannot be compiled, in words for its author."""


@dataclass(frozen=True, eq=False)
class Native:
    """A compiled method and the parameters it reads.

    `keep` holds what the address belongs to; the caller keeps this object alive while playing.
    """

    code: int
    pack: Callable[[], npt.NDArray[np.int64]]
    keep: object

    @cached_property
    def parameters(self) -> npt.NDArray[np.int64]:
        """What the code reads through its pointer, worked out when somebody is to play."""
        return self.pack()


@dataclass(frozen=True, eq=False)
class Interface:
    """How the kernel of a game shows its players what they may know."""

    view_of: Callable[[Strategy, str], Callable[..., Any]]
    """For a strategy and one of its methods: the function, to be compiled into it, that makes the
    View from the first two and the last two arguments of METHOD."""
    version: str = ""
    """Part of the digest; names what `put_cli.engine` does not hold."""


def _put_view(strategy: Strategy, method: str) -> Callable[..., Any]:
    memory = bool(type(strategy).memory)
    before = method != "act"
    others = others_view if "others" in reach.names(strategy) else no_others_view
    width, row_width = lanes.WIDTH, tables.COLUMNS

    def view(lane_at, row_at, chair, other):
        lane = carray(address_as_lane(lane_at), width)
        row = carray(address_as_row(row_at), row_width)
        # & 7 changes nothing, but tells the compiler that no chair is below 0.
        return make_view(lane, row, chair & 7, other & 7, memory, before, others)

    return view


PUT = Interface(_put_view)


@global_compiler_lock
def compile_method(
    strategy: Strategy, store: compiled.Store, method: str = "act", interface: Interface = PUT
) -> Native:
    """Compile a method, or take it from `store` when it was compiled before.

    In Put it is one of METHODS.

    Raises:
        NotNative: Numba cannot compile it, or it might return something other than an integer.
    """
    everybodys = getattr(Strategy, method, None)
    if method != "act" and getattr(type(strategy), method) is everybodys:
        strategy = Strategy()  # everybody's answer: compiled once for all
    impure = reach.chance(strategy)
    if impure:
        raise NotNative(f"it uses {', '.join(impure)}: view.luck is the only randomness there is")
    numbers = _numbers(strategy)
    _check_width(strategy, numbers)
    digest = reach.digest(strategy, numbers)
    if digest and method != "act":
        digest = f"{digest}-{method}{interface.version}"

    def make() -> Any:
        name = (digest or uuid.uuid4().hex).replace("-", "_")
        try:
            return compile_wrapper(_wrapper(strategy, numbers, name, method, interface))
        except Exception as error:  # Numba gives up in many ways
            raise NotNative(_reason(error)) from None

    code, result = kept(digest, store, make)
    return Native(code, lambda: _pack(strategy, numbers), result)


def compile_wrapper(wrapper: Callable[..., int]) -> Any:
    """Compile a function of the signature METHOD for the kernel to call.

    By the part of `numba.cfunc` that does not use Numba's own cache.
    """
    function: Any = CFunc(wrapper, (METHOD.args, METHOD.return_type), {}, _INLINED)
    return function._compile_uncached()


def kept(digest: str | None, store: compiled.Store, make: Callable[[], Any]) -> tuple[int, object]:
    """The address of a function of the signature METHOD, and what it belongs to.

    It is taken from the store, or else made (by `compile_wrapper`) and put there; without a digest
    it is always made.
    """
    cache = compiled.Cache(store, digest)
    result = cache.load_overload(METHOD, cpu_target.target_context)
    if result is None:
        result = make()
        cache.save_overload(METHOD, result)
    return result.library.get_pointer_to_function(result.fndesc.llvm_func_name), result


def _numbers(strategy: Strategy) -> dict[str, types.Type]:
    """The parameters read through the pointer, with their Numba types."""
    names: list[str] = [f.name for f in fields(strategy)] if is_dataclass(strategy) else []
    kinds = {name: type(getattr(strategy, name)) for name in names} | reach.prepared(strategy)
    return {name: _KINDS[kind] for name, kind in kinds.items() if kind in _KINDS}


def _check_width(strategy: Strategy, numbers: dict[str, types.Type]) -> None:
    for name, value in reach.held(strategy).items():
        if numbers.get(name) is types.int64 and not -(1 << 63) <= value < 1 << 63:
            raise NotNative(f"parameter {name}={value} does not fit 64 bits")


def _pack(strategy: Strategy, numbers: dict[str, types.Type]) -> npt.NDArray[np.int64]:
    """(max(1, parameters),) int64: integers and bools as they are, floats by their bits."""
    packed = np.zeros(max(1, len(numbers)), dtype=np.int64)
    for slot, (name, kind) in enumerate(numbers.items()):
        value = getattr(strategy, name)
        if kind is types.float64:
            packed[slot : slot + 1].view(np.float64)[0] = value
        else:
            packed[slot] = value
    return packed


class _SelfModel(models.StructModel):
    def __init__(self, manager: Any, fe_type: Any) -> None:
        super().__init__(manager, fe_type, list(fe_type.numbers.items()))


def _wrapper(
    strategy: Strategy,
    numbers: dict[str, types.Type],
    name: str,
    method: str,
    interface: Interface,
) -> Callable[..., int]:
    """The function the kernel calls: addresses of lane, table row and parameters in, action out.

    `name` makes its symbol unique among all compiled code, kept or new.
    """
    cls = type(strategy)
    self_type = _self_type(strategy, numbers, name)
    load_self = _loader(self_type)
    function = njit(**_INLINED)(getattr(cls, method))
    view_of = njit(**_INLINED)(interface.view_of(strategy, method))

    def wrapper(lane_at, row_at, parameters, chair, other):
        return int_only(function(load_self(parameters), view_of(lane_at, row_at, chair, other)))

    # Symbols are made of names and argument types: two strategies compiled in different processes
    # and loaded from the store into one must not share any that stands for different code.
    wrapper.__name__ = wrapper.__qualname__ = f"{method}_{name}"
    return wrapper


def _self_type(strategy: Strategy, numbers: dict[str, types.Type], unique: str) -> types.Type:
    """A Numba type for `self` of this strategy, with its attributes and methods registered."""
    cls = type(strategy)

    class SelfType(types.Type):
        def __init__(self) -> None:
            self.numbers = numbers
            super().__init__(name=f"{cls.__qualname__}@{unique}")

    register_model(SelfType)(_SelfModel)
    optional = _optional(cls)
    for name in numbers:
        make_attribute_wrapper(SelfType, name, name)
    for name, value in _attributes(strategy):
        if name in numbers or name.startswith("__"):
            continue
        if isinstance(value, staticmethod):
            _add_method(SelfType, name, value.__func__, with_self=False)
        elif isinstance(value, property):
            overload_attribute(SelfType, name, jit_options=_OPTIONS)(_returning(value.fget))
        elif isinstance(value, python_types.FunctionType):
            _add_method(SelfType, name, value, with_self=True)
        elif value is None and name in optional:
            overload_attribute(SelfType, name)(_absent(optional[name]))
        elif not isinstance(value, classmethod):
            overload_attribute(SelfType, name)(_constant(value))
    for helper in reach.helpers(strategy):
        overload(helper, jit_options=_OPTIONS, strict=False)(_same(helper))
    return SelfType()


def _attributes(strategy: Strategy) -> Iterator[tuple[str, Any]]:
    """Every attribute of the instance and its classes, nearest first, each name once."""
    known = set()
    for holder in (vars(strategy), *(vars(c) for c in type(strategy).__mro__[:-1])):
        for name, value in holder.items():
            if name not in known:
                known.add(name)
                yield name, value


def _add_method(self_type: type, name: str, function: Any, *, with_self: bool) -> None:
    if with_self:
        overload_method(self_type, name, jit_options=_OPTIONS, strict=False)(_same(function))
        return
    jitted = njit(**_OPTIONS)(function)

    def implementation(self, *args):
        return lambda self, *args: jitted(*args)

    overload_method(self_type, name, strict=False)(implementation)


def _same(function: Any) -> Callable[..., Any]:
    """An overload that compiles the function itself, whatever the argument types."""

    def choose(*args, **kwargs):
        return function

    # Numba binds the call's arguments to this signature.
    choose.__signature__ = inspect.signature(function)  # type: ignore[attr-defined]
    return choose


def _returning(function: Any) -> Callable[..., Any]:
    def choose(self):
        return function

    return choose


def _constant(value: Any) -> Callable[..., Any]:
    def choose(self):
        return lambda self: value

    return choose


def _absent(kind: types.Type) -> Callable[..., Any]:
    """A None that could be a number: `limit is not None and card > limit` compiles."""

    @intrinsic
    def none(typingctx):
        def codegen(context, builder, sig, args):
            return context.make_optional_none(builder, kind)

        return types.Optional(kind)(), codegen

    def choose(self):
        return lambda self: none()

    return choose


def _optional(cls: type) -> dict[str, types.Type]:
    """The attributes annotated as `int | None` and the like, with the Numba type of the number."""
    try:
        hints = get_type_hints(cls)
    except Exception:  # an annotation that cannot be evaluated says nothing
        return {}
    found = {}
    for name, hint in hints.items():
        kinds = [_KINDS[each] for each in get_args(hint) if each in _KINDS]
        if len(kinds) == 1 and python_types.NoneType in get_args(hint):
            found[name] = kinds[0]
    return found


def _loader(self_type: Any) -> Any:
    """An intrinsic that reads `self` from the parameters' address."""

    @intrinsic
    def load_self(typingctx, address):
        def codegen(context, builder, sig, args):
            proxy = cgutils.create_struct_proxy(self_type)(context, builder)
            word = ir.IntType(64)
            base = builder.inttoptr(args[0], word.as_pointer())
            for slot, (name, kind) in enumerate(self_type.numbers.items()):
                bits = builder.load(
                    builder.gep(base, [ir.Constant(word, slot)], source_etype=word), typ=word
                )
                if kind is types.float64:
                    bits = builder.bitcast(bits, ir.DoubleType())
                elif kind is types.boolean:
                    bits = context.cast(builder, bits, types.int64, types.boolean)
                setattr(proxy, name, bits)
            return proxy._getvalue()

        return self_type(types.int64), codegen

    return load_self


@intrinsic
def int_only(typingctx, value):
    """The value as int64; refuses at compile time what is not an integer, a bool or an IntEnum."""
    if isinstance(value, types.IntEnumMember):
        source = value.dtype
    elif isinstance(value, types.Integer | types.Boolean):
        source = value
    else:
        kind = "None at times" if isinstance(value, types.Optional) else str(value)
        raise TypingError(f"act returns {kind}, where an integer is expected")

    def codegen(context, builder, sig, args):
        return context.cast(builder, args[0], source, types.int64)

    return types.int64(value), codegen


def _reason(error: Exception) -> str:
    """The first line of Numba's message that says something to the author."""
    text = str(error)
    if isinstance(error, LookupError):  # out of Numba's own code: its text is some key
        return f"Numba gave up ({type(error).__name__}: {text})"
    lines = [line.strip() for line in text.splitlines()]
    for line in lines:
        _, ours, rest = line.partition("TypingError: act returns ")
        if ours:
            return f"act returns {rest}"
    for line in lines:
        if line and not line.startswith(("Failed in", "[1", "-", "During")):
            # A View spelled out field by field says nothing to the author.
            return re.sub(r"View\(.*", "View", line)[:160].rstrip(".")
    return f"Numba gave up ({type(error).__name__})"
