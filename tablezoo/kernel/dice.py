"""Dice: one generator state per game, so that no result depends on threads or batches.

The generator is splitmix64 (Steele, Lea & Flood, "Fast splittable pseudorandom number
generators", OOPSLA 2014).
"""

from itertools import combinations_with_replacement

import numpy as np
from numpy.typing import NDArray

from tablezoo.kernel.bits import ONE, U
from tablezoo.kernel.board import FACE_BITS
from tablezoo.kernel.jit import helper, kernel

DOUBLETS = U(0o222222)
"""Faces that show twice, of two dice: `thrown & DOUBLETS` is the doublet thrown, or 0."""
GOLDEN = U(0x9E3779B97F4A7C15)

ROLLS: dict[int, tuple[tuple[int, ...], ...]] = {
    dice: tuple(sorted(roll[::-1] for roll in combinations_with_replacement(range(1, 7), dice))) for dice in range(4)
}
"""The distinct rolls of so many dice, the larger numbers first: 1 of none, 6, 21, 56."""
THROWS = np.array([sum(1 << FACE_BITS * (face - 1) for face in roll) for rolls in ROLLS.values() for roll in rolls], np.uint64)
"""All of them as `die` adds them up, and where those of so many dice begin."""
BEGINS = (0, 1, 7, 28, 84)


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
def die(face: U) -> U:
    """One die, in the format of the turn word's numbers: how often each face shows. Dice thrown together are added up."""
    return ONE << (U(FACE_BITS) * (face - ONE))


@kernel
def _game_seed(seed: U, game: U) -> U:
    return stream(seed, game)


def game_seed(seed: int, game: int) -> U:
    """Generator state with which game number `game` of a run with this seed begins."""
    return _game_seed(U(seed), U(game))
