"""The plainest players: a random one and a racer."""

from collections.abc import Callable

import numpy as np
from numpy.typing import NDArray

from tablezoo.features import Encoder, encoder_of
from tablezoo.kernel.bits import U
from tablezoo.kernel.board import Rows
from tablezoo.kernel.dice import GOLDEN, mix
from tablezoo.kernel.jit import kernel
from tablezoo.notation.track import across
from tablezoo.position import Game
from tablezoo.rows import for_kernels
from tablezoo.rules import Kind


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


class PipsAgent:
    """Races: values a position by how much work both sides have left, so that it hits, captures and bears off whenever it can."""

    def __init__(self, game: Game) -> None:
        """No options."""

    def values(self, game: Game, rows: NDArray[np.uint64]) -> NDArray[np.float32]:
        """The opponent's work less one's own as a fraction of a whole start's, within (-1, 1)."""
        encoder = encoder_of(game, "counts")
        inputs = encoder(rows)
        own, opponent = WORK[game.spec.kind](game, encoder, inputs)
        return ((opponent - own) / np.float32(25 * game.checkers)).astype(np.float32)


Work = tuple[NDArray[np.float32], NDArray[np.float32]]


def pips_left(game: Game, encoder: Encoder, inputs: NDArray[np.float32]) -> Work:
    """Pip counts of both sides; the opponent's points are numbered as the player to act sees them."""
    part = encoder.slices
    size = part["own_points"].stop - part["own_points"].start
    places = np.arange(1, size + 1, dtype=np.float32)
    theirs = np.array([across(game, point) for point in range(1, size + 1)], np.float32)

    def side(name: str, ways: NDArray[np.float32]) -> NDArray[np.float32]:
        outside = sum(inputs[:, part[f"{name}_{place}"]].sum(axis=1) for place in ("bar", "hand") if f"{name}_{place}" in part)
        work: NDArray[np.float32] = inputs[:, part[f"{name}_points"]] @ ways + (size + 1) * outside
        return work

    return side("own", places), side("opponent", theirs)


def men_to_turn(game: Game, encoder: Encoder, inputs: NDArray[np.float32]) -> Work:
    """Pips to bear off, and a pip for every man who has still to lie down or stand up, of both sides."""

    def side(name: str) -> NDArray[np.float32]:
        part = encoder.slices
        points = np.arange(1, 7, dtype=np.float32)
        lying = inputs[:, part[f"{name}_lying"]]
        laps = inputs[:, part[f"{name}_laps"]].sum(axis=1)
        to_turn = np.where(laps == 2, 12 - lying.sum(axis=1), lying.sum(axis=1))
        work: NDArray[np.float32] = inputs[:, part[f"{name}_points"]] @ points + lying @ points + to_turn
        return work

    return side("own"), side("opponent")


PIECE, CAPTURE, BLOT = np.float32(40), np.float32(4), np.float32(0.1)
"""What a piece still to score, one in the captured box and a single one on the board are worth in work."""


def pieces_to_score(game: Game, encoder: Encoder, inputs: NDArray[np.float32]) -> Work:
    """Pieces still to score, most of all; then those captured; then single pieces. A credit is half a piece for him who has it."""
    part = encoder.slices
    spaces = inputs[:, part["spaces"]].reshape(len(inputs), -1, 4)

    def side(name: str, single: int) -> NDArray[np.float32]:
        captured = inputs[:, part[f"{name}_captured"]][:, 2] * 4
        work: NDArray[np.float32] = PIECE * -inputs[:, part[f"{name}_victory"]].sum(axis=1) + CAPTURE * captured + BLOT * spaces[:, :, single].sum(axis=1)
        return work

    return side("own", 0) - PIECE / 2 * inputs[:, part["credits"]][:, 0], side("opponent", 2)


WORK: dict[Kind, Callable[[Game, Encoder, NDArray[np.float32]], Work]] = {"track": pips_left, "unstack": men_to_turn, "cross": pieces_to_score}
