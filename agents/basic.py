"""The plainest players: a random one and a racer."""

import numpy as np
from numpy.typing import NDArray

from tablezoo.features import COUNTS
from tablezoo.kernel.bits import U
from tablezoo.kernel.board import Rows
from tablezoo.kernel.dice import GOLDEN, mix
from tablezoo.kernel.jit import kernel
from tablezoo.position import Game
from tablezoo.rows import for_kernels


@kernel
def noise(rows: Rows, seed: U) -> NDArray[np.float32]:
    """Uniform numbers in [0, 1), one a row, that depend on nothing but the row and the seed."""
    out = np.empty(rows.shape[0], np.float32)
    for i in range(rows.shape[0]):
        word = mix(seed + GOLDEN)
        for k in range(rows.shape[1]):
            word = mix(word ^ (rows[i, k] + GOLDEN))
        out[i] = np.float32(word >> U(40)) * np.float32(2.0**-24)
    return out


class RandomAgent:
    """Values every position at random, so that every play is as likely as any other.

    The values are a hash of position and seed: games can be repeated, and two random players of one seed
    are the same player.
    """

    def __init__(self, game: Game, *, seed: str = "0") -> None:
        """Option `seed`: a whole number."""
        if not seed.isdecimal() or int(seed) >= 2**64:
            raise ValueError(f"random: seed must be a whole number below 2**64, not {seed!r}")
        self.seed = U(int(seed))

    def values(self, game: Game, rows: NDArray[np.uint64]) -> NDArray[np.float32]:
        """See `tablezoo.agent.Agent`."""
        return noise(for_kernels(rows), self.seed)


PIPS_OWN = np.concatenate([np.arange(26), np.zeros(26)]).astype(np.float32)
PIPS_OPPONENT = np.concatenate([np.zeros(26), np.arange(25, -1, -1)]).astype(np.float32)


class PipsAgent:
    """Races: values a position by the difference of the pip counts, so that it hits and bears off whenever it can."""

    def __init__(self, game: Game) -> None:
        """No options."""

    def values(self, game: Game, rows: NDArray[np.uint64]) -> NDArray[np.float32]:
        """Lead in pips as a fraction of a whole start, within (-1, 1)."""
        counts = COUNTS(rows)
        lead: NDArray[np.float32] = counts @ (PIPS_OPPONENT - PIPS_OWN)
        return lead / np.float32(25 * game.checkers)
