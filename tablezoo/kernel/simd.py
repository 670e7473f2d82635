"""Vectors of sixteen floats in kernels: each operation is written out as one of LLVM's, not left to its vectoriser.

LLVM splits them on processors with narrower registers. Sums are taken in the order written, so they come out the same
with any number of threads and any neighbours in a batch.
"""

from collections.abc import Callable
from typing import Any, TypeAlias, cast

import numpy as np
from llvmlite import ir
from numba import types
from numba.extending import intrinsic, models, register_model

WIDTH = 16
LANES = np.uint64(WIDTH)
Vector: TypeAlias = Any
"""Sixteen float32, inside kernels only."""

_FLOATS = ir.VectorType(ir.FloatType(), WIDTH)
_CONTRACT = ("contract",)


class _VectorType(types.Type):
    def __init__(self) -> None:
        super().__init__(name="Vector16")


@register_model(_VectorType)
class _VectorModel(models.PrimitiveModel):
    def __init__(self, manager: Any, kind: Any) -> None:
        super().__init__(manager, kind, _FLOATS)  # type: ignore[no-untyped-call]


_VECTOR = _VectorType()


def _operation(function: Callable[..., Any]) -> Callable[..., Any]:
    """Something kernels can call, written in LLVM's instructions."""
    return cast(Callable[..., Any], intrinsic(function))


def _pointer(context: Any, builder: Any, signature: Any, args: Any) -> Any:
    """Address of element args[1] of the one-dimensional contiguous array args[0], as that of a vector."""
    data = context.make_array(signature.args[0])(context, builder, args[0]).data
    return builder.bitcast(builder.gep(data, [args[1]]), ir.PointerType(_FLOATS))


@_operation
def load(context: Any, array: Any, index: Any) -> Any:
    """`load(array, index)`: elements index to index + 15 of a float32 array; the bounds are not checked."""

    def emit(context: Any, builder: Any, signature: Any, args: Any) -> Any:
        return builder.load(_pointer(context, builder, signature, args), align=4)

    return _VECTOR(array, types.uint64), emit


@_operation
def store(context: Any, array: Any, index: Any, vector: Any) -> Any:
    """`store(array, index, vector)`: write them there; the bounds are not checked."""

    def emit(context: Any, builder: Any, signature: Any, args: Any) -> Any:
        builder.store(args[2], _pointer(context, builder, signature, args), align=4)
        return context.get_dummy_value()

    return types.void(array, types.uint64, _VECTOR), emit


@_operation
def splat(context: Any, value: Any) -> Any:
    """`splat(value)`: sixteen times the same."""

    def emit(context: Any, builder: Any, signature: Any, args: Any) -> Any:
        undefined, first = ir.Constant(_FLOATS, ir.Undefined), ir.IntType(32)
        one = builder.insert_element(undefined, args[0], ir.Constant(first, 0))
        return builder.shuffle_vector(one, undefined, ir.Constant(ir.VectorType(first, WIDTH), [0] * WIDTH))

    return _VECTOR(types.float32), emit


@_operation
def multiply_add(context: Any, a: Any, b: Any, c: Any) -> Any:
    """`multiply_add(a, b, c)`: a * b + c of vectors."""

    def emit(context: Any, builder: Any, signature: Any, args: Any) -> Any:
        return builder.fadd(builder.fmul(args[0], args[1], flags=_CONTRACT), args[2], flags=_CONTRACT)

    return _VECTOR(_VECTOR, _VECTOR, _VECTOR), emit


@_operation
def multiply(context: Any, a: Any, b: Any) -> Any:
    """`multiply(a, b)`: the product of vectors."""
    return _VECTOR(_VECTOR, _VECTOR), lambda context, builder, signature, args: builder.fmul(*args, flags=_CONTRACT)


@_operation
def plus(context: Any, a: Any, b: Any) -> Any:
    """`plus(a, b)`: the sum of vectors."""
    return _VECTOR(_VECTOR, _VECTOR), lambda context, builder, signature, args: builder.fadd(*args)


@_operation
def total(context: Any, vector: Any) -> Any:
    """`total(vector)`: the sum of its lanes."""

    def emit(context: Any, builder: Any, signature: Any, args: Any) -> Any:
        function = ir.FunctionType(ir.FloatType(), [ir.FloatType(), _FLOATS])
        reduce = builder.module.declare_intrinsic(f"llvm.vector.reduce.fadd.v{WIDTH}f32", (), function)
        return builder.call(reduce, [ir.Constant(ir.FloatType(), -0.0), args[0]], fastmath=("reassoc",))

    return types.float32(_VECTOR), emit


@_operation
def positive(context: Any, vector: Any) -> Any:
    """`positive(vector)`: a mask of the lanes above 0."""

    def emit(context: Any, builder: Any, signature: Any, args: Any) -> Any:
        mask = builder.fcmp_ordered(">", args[0], ir.Constant(_FLOATS, [0.0] * WIDTH))
        return builder.zext(builder.bitcast(mask, ir.IntType(WIDTH)), ir.IntType(64))

    return types.uint64(_VECTOR), emit
