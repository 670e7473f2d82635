"""A loop shared among threads: who takes which items, and how they wait for one another.

A thread that sleeps takes some 50 microseconds to wake up, in which a hundred games could take a step. So threads look at a word of
memory for a while before they sleep, in compiled code and without Python's lock (`tablezoo.envs.crew`).
"""

import platform
from collections.abc import Callable
from typing import Any, NamedTuple, cast

from llvmlite import ir
from numba import types
from numba.core import cgutils
from numba.extending import intrinsic
from numba.np.arrayobj import populate_array

from tablezoo.kernel.bits import ONE, ZERO, U
from tablezoo.kernel.board import Row
from tablezoo.kernel.jit import helper

GRAIN = U(8)
"""Items taken at a time."""
LINE = 8
"""Words of a cache line: threads that write to lines of their own do not slow each other down."""
PATIENCE = 10_000
"""How often a thread looks for more work before it sleeps: some 0.2 milliseconds."""


class Shift(NamedTuple):
    """A loop that is shared out."""

    bell: Row
    """(1,): the number of the shift that has begun."""
    number: U
    """Of this one."""
    tally: Row
    """((threads + 1) * LINE,), zeros at first: items done, and in a line for each thread the grains that were taken of its part."""


def _intrinsic(function: Callable[..., Any]) -> Callable[..., Any]:
    return cast(Callable[..., Any], intrinsic(function))


def _pointer(context: Any, builder: Any, signature: Any, args: Any) -> Any:
    """Address of element args[1] of the one-dimensional contiguous array args[0]."""
    return builder.gep(context.make_array(signature.args[0])(context, builder, args[0]).data, [args[1]])


@_intrinsic
def raised(context: Any, array: Any, index: Any, by: Any) -> Any:
    """`raised(array, index, by)`: add to a word that other threads may add to; returns what it was before."""

    def emit(context: Any, builder: Any, signature: Any, args: Any) -> Any:
        return builder.atomic_rmw("add", _pointer(context, builder, signature, args), args[2], "seq_cst")

    return types.uint64(array, types.uint64, types.uint64), emit


@_intrinsic
def seen(context: Any, array: Any, index: Any) -> Any:
    """`seen(array, index)`: a word that other threads change; what they wrote before it can be seen too. For loops that wait."""

    def emit(context: Any, builder: Any, signature: Any, args: Any) -> Any:
        if platform.machine() in ("x86_64", "AMD64"):
            builder.call(builder.module.declare_intrinsic("llvm.x86.sse2.pause", (), ir.FunctionType(ir.VoidType(), ())), ())
        return builder.load_atomic(_pointer(context, builder, signature, args), "seq_cst", 8)

    return types.uint64(array, types.uint64), emit


@_intrinsic
def array_at(context: Any, address: Any, shape: Any, dtype: Any) -> Any:
    """`array_at(address, shape, dtype)`: the array that lies there, which its owner keeps alive."""
    array = types.Array(dtype.dtype, len(shape), "C")

    def emit(context: Any, builder: Any, signature: Any, args: Any) -> Any:
        made = context.make_array(array)(context, builder)
        size = context.get_constant(types.intp, context.get_abi_sizeof(context.get_data_type(array.dtype)))
        lengths, strides = cgutils.unpack_tuple(builder, args[1]), [size]
        for length in lengths[:0:-1]:
            strides.insert(0, builder.mul(strides[0], length))
        data = builder.inttoptr(args[0], made.data.type)
        populate_array(made, data=data, shape=lengths, strides=strides, itemsize=size, meminfo=None)
        return made._getvalue()

    return array(types.uint64, shape, dtype), emit


@helper
def begun(shift: Shift, hand: U) -> bool:
    """Thread 0 rings the bell, for which the others wait; whether it was rung in time."""
    if hand == ZERO:
        raised(shift.bell, ZERO, ONE)
        return True
    patience = PATIENCE
    while patience and seen(shift.bell, ZERO) < shift.number:
        patience -= 1
    return patience > 0


@helper
def taken(shift: Shift, hand: U, items: U) -> tuple[U, U]:
    """The next items for a thread, the first and one past the last; of its own part while there are any, then of the others'. (0, 0): none are left."""
    hands = U(shift.tally.size) // U(LINE) - ONE
    for k in range(hands):
        part = (hand + U(k)) % hands
        end = items * (part + ONE) // hands
        first = items * part // hands + GRAIN * raised(shift.tally, U(LINE) * (part + ONE), ONE)
        if first < end:
            return first, min(first + GRAIN, end)
    return ZERO, ZERO


@helper
def done(shift: Shift, items: U) -> None:
    """So many more items have been done."""
    raised(shift.tally, ZERO, items)


@helper
def ended(shift: Shift, hand: U, items: U) -> bool:
    """When nothing is left to take, thread 0 waits until all items are done, and the others for the bell; whether that came about in time.

    If not, thread 0 rings once more, so that nobody waits on.
    """
    for _ in range(PATIENCE if hand else PATIENCE // 5):
        if seen(shift.bell, ZERO) != shift.number if hand else seen(shift.tally, ZERO) == items:
            return True
    if hand == ZERO:
        raised(shift.bell, ZERO, ONE)
    return False
