"""Dice: one generator state per game, so that no result depends on threads or batches.

The generator is splitmix64 (Steele, Lea & Flood, "Fast splittable pseudorandom number
generators", OOPSLA 2014).
"""

from numpy.typing import NDArray

from tablezoo.kernel.bits import ONE, U
from tablezoo.kernel.board import FACE_BITS
from tablezoo.kernel.jit import helper, kernel

GOLDEN = U(0x9E3779B97F4A7C15)

ROLLS: tuple[tuple[int, int], ...] = tuple((a, b) for a in range(1, 7) for b in range(1, a + 1))
"""The 21 distinct rolls of two dice, the larger number first."""


@helper
def mix(word: U) -> U:
    """splitmix64's output function: a bijection in which every input bit moves every output bit."""
    word = (word ^ (word >> U(30))) * U(0xBF58476D1CE4E5B9)
    word = (word ^ (word >> U(27))) * U(0x94D049BB133111EB)
    return word ^ (word >> U(31))


@helper
def stream(seed: U, game: U) -> U:
    """First generator state of game number `game`: mixed twice, so that neighbouring seeds and games share nothing."""
    return mix(mix(seed + GOLDEN) ^ mix(game * GOLDEN + ONE))


@helper
def draw(state: NDArray[U]) -> U:
    """Next 64 random bits; advances `state[0]`."""
    state[0] += GOLDEN
    return mix(state[0])


@helper
def below(state: NDArray[U], n: U) -> U:
    """Uniform integer in 0..n-1 for n < 2**32 (bias below n / 2**32)."""
    return ((draw(state) >> U(32)) * n) >> U(32)


@helper
def numbers(first: U, second: U, doublet: U) -> U:
    """Turn word of a roll; a doublet may be played `doublet` times."""
    if first == second:
        return doublet << (U(FACE_BITS) * (first - ONE))
    return (ONE << (U(FACE_BITS) * (first - ONE))) | (ONE << (U(FACE_BITS) * (second - ONE)))


@kernel
def _game_seed(seed: U, game: U) -> U:
    return stream(seed, game)


def game_seed(seed: int, game: int) -> U:
    """Generator state with which game number `game` of a run with this seed begins."""
    return _game_seed(U(seed), U(game))
