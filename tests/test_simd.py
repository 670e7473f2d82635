"""Vectors of sixteen floats against numpy."""

import numpy as np

from tablezoo.kernel.bits import U
from tablezoo.kernel.jit import kernel
from tablezoo.kernel.simd import load, multiply, multiply_add, plus, positive, splat, store, total


@kernel
def _fused(x, y, factor, at, out):  # type: ignore[no-untyped-def]
    """`x[at:] * factor + y[at:]` to `out[at:]`, and that plus `x * y` after it."""
    fused = multiply_add(load(x, at), splat(factor), load(y, at))
    store(out, at, fused)
    store(out, at + U(16), plus(fused, multiply(load(x, at), load(y, at))))


@kernel
def _reduced(x, at):  # type: ignore[no-untyped-def]
    return total(load(x, at)), positive(load(x, at))


def numbers(seed: int) -> np.ndarray:  # type: ignore[type-arg]
    return np.random.default_rng(seed).standard_normal(64).astype(np.float32)


def test_products_and_sums_of_vectors_at_any_place() -> None:
    x, y = numbers(1), numbers(2)
    for at in range(0, 20):
        out = np.full(64, 7, np.float32)
        _fused(x, y, np.float32(1.5), U(at), out)
        expected = x[at : at + 16] * np.float32(1.5) + y[at : at + 16]
        assert np.allclose(out[at : at + 16], expected, atol=1e-6)
        assert np.allclose(out[at + 16 : at + 32], expected + x[at : at + 16] * y[at : at + 16], atol=1e-6)
        assert (out[:at] == 7).all()
        assert (out[at + 32 :] == 7).all(), "nothing else is written"


def test_total_and_mask_of_a_vector() -> None:
    x = numbers(3)
    x[5] = x[21] = 0
    x[8] = -0.0
    for at in range(0, 48):
        sum, mask = _reduced(x, U(at))
        assert np.isclose(sum, x[at : at + 16].astype(np.float64).sum(), atol=1e-5)
        assert int(mask) == sum_of_bits(x[at : at + 16] > 0)


def sum_of_bits(bits: np.ndarray) -> int:  # type: ignore[type-arg]
    return sum(1 << k for k, bit in enumerate(bits) if bit)
