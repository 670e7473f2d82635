"""64-bit words: single machine instructions, and constants that keep every expression unsigned.

numba turns a mix of signed and unsigned 64-bit integers into a float, so kernels write every
number that meets a word as a uint64: `ZERO`, `ONE`, or `U(7)`.
"""

from collections.abc import Callable
from typing import Any, TypeAlias, cast

import numpy as np
from llvmlite import ir
from numba import types
from numba.extending import intrinsic

U: TypeAlias = np.uint64
ZERO = U(0)
ONE = U(1)
ALL = ~ZERO
TOP = U(63)

_POISON_AT_ZERO = ir.Constant(ir.IntType(1), 1)


def _instruction(emit: Callable[[Any, Any], Any]) -> Callable[[U], U]:
    """A kernel function uint64 -> uint64 that is one LLVM instruction."""

    def typed(typing_context: Any, word: Any) -> Any:
        return types.uint64(types.uint64), lambda context, builder, signature, args: emit(builder, args[0])

    function: Any = intrinsic(typed)
    return cast(Callable[[U], U], function)


lowest = _instruction(lambda builder, word: builder.cttz(word, _POISON_AT_ZERO))
"""Index of the lowest set bit; undefined for 0."""
leading = _instruction(lambda builder, word: builder.ctlz(word, _POISON_AT_ZERO))
"""Number of zeros above the highest set bit (`TOP - leading(word)` is its index); undefined for 0."""
popcount = _instruction(lambda builder, word: builder.ctpop(word))
"""Number of set bits."""
reverse = _instruction(lambda builder, word: builder.bitreverse(word))
"""The word with its 64 bits in the opposite order."""
