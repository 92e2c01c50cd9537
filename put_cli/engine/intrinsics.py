"""What the kernel is made with: how its pieces are compiled, and what Python has no words for."""

from llvmlite import ir
from numba import njit, types
from numba.core import cgutils
from numba.extending import intrinsic
from numba.np.arrayobj import make_array

kernel_function = njit(_nrt=False, forceinline=True)
"""How the pieces of the kernel are compiled: no reference counting (they allocate nothing), and
inlined where they are called, so that what a caller does not read is never computed."""


rare_function = njit(_nrt=False)
"""The same for what is called so seldom that a call costs nothing: it is compiled only once."""


def _pointer_to(kind):
    """An intrinsic that takes an int64 address as a pointer."""

    @intrinsic
    def address_as_pointer(typingctx, address):
        def codegen(context, builder, sig, args):
            return builder.inttoptr(args[0], context.get_value_type(sig.return_type))

        return types.CPointer(kind)(types.int64), codegen

    return address_as_pointer


address_as_lane = _pointer_to(types.int64)
address_as_row = _pointer_to(types.int32)
address_as_acts = _pointer_to(types.int8)
address_as_parts = _pointer_to(types.uint16)


@intrinsic
def with_columns(typingctx, table, columns):
    """The same table, C order, whose number of columns the compiler knows: no stride to look up."""

    def codegen(context, builder, sig, args):
        array = make_array(sig.return_type)(context, builder, value=args[0])
        rows, item = builder.extract_value(array.shape, 0), array.itemsize
        array.shape = cgutils.pack_array(builder, [rows, args[1]])
        array.strides = cgutils.pack_array(builder, [builder.mul(args[1], item), item])
        return array._getvalue()

    return table(table, types.intp), codegen


@intrinsic
def line(typingctx, vectors, start, k, n):
    """Line k, of length n, of what begins at `start` of a contiguous array.

    A slice without its care for what lies outside. Loops over it begin at 0, so that they become
    vector instructions: an index that is computed might be negative, for all the compiler knows.
    """

    def codegen(context, builder, sig, args):
        array = make_array(sig.return_type)(context, builder, value=args[0])
        begin = builder.add(args[1], builder.mul(args[2], args[3]))
        array.data = builder.gep(array.data, [begin])
        array.shape = cgutils.pack_array(builder, [args[3]])
        array.nitems = args[3]
        return array._getvalue()

    return vectors(vectors, types.intp, types.intp, types.intp), codegen


METHOD = types.int64(*[types.int64] * 5)
"""The signature of a compiled method of a strategy: lane*, row*, parameters*, its chair and that of
the opponent whom `their_` speaks of; the action."""

RAISED = -1
"""The action of a method that raised."""


@intrinsic
def call_method(typingctx, code, lane, row, parameters, chair, other):
    """Call the compiled method at an address, as Numba calls its own; RAISED if it raised."""

    def codegen(context, builder, sig, args):
        convention = context.call_conv
        function = convention.get_function_type(METHOD.return_type, METHOD.args)
        pointer = builder.inttoptr(args[0], function.as_pointer())
        call = pointer, METHOD.return_type, METHOD.args, args[1:]
        status, action = convention.call_function(builder, *call)
        return builder.select(status.is_error, ir.Constant(action.type, RAISED), action)

    return METHOD.return_type(types.int64, *METHOD.args), codegen


@intrinsic
def wide_product(typingctx, a, b):
    """The 128-bit product of two uint64 as its high and low halves."""

    def codegen(context, builder, sig, args):
        word, wide = ir.IntType(64), ir.IntType(128)
        product = builder.mul(builder.zext(args[0], wide), builder.zext(args[1], wide))
        high = builder.trunc(builder.lshr(product, ir.Constant(wide, 64)), word)
        halves = high, builder.trunc(product, word)
        return context.make_tuple(builder, sig.return_type, halves)

    return types.UniTuple(types.uint64, 2)(types.uint64, types.uint64), codegen
