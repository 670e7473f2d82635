"""Backgammon boards as other programs take them, and which games those programs play."""

import numpy as np
from numpy.typing import NDArray

from tablezoo.features import encoder_of
from tablezoo.kernel.board import BAR
from tablezoo.position import Game
from tablezoo.rows import SIDE


def must_play(game: Game, program: str) -> None:
    """Make sure that a program plays a game.

    Raises:
        ValueError: it does not.
    """
    if game.name != "backgammon" or game.changed:
        raise ValueError(f"{program} plays backgammon by its usual rules, not {game!r}")


def points26(game: Game, rows: NDArray[np.uint64]) -> NDArray[np.int64]:
    """Checkers on the points 0 to 25, shape (n, 26), as the player to act numbers them: his positive, the opponent's negative; the bars are 25 and 0."""
    counts = encoder_of(game, "counts")(rows).astype(np.int64)
    own, opponent = counts[:, :SIDE], counts[:, SIDE : 2 * SIDE]
    board = np.zeros((len(rows), SIDE), np.int64)
    board[:, 1:] += own[:, 1:]  # the rest are those borne off
    board[:, :-1] -= opponent[:, :-1]
    return board


def turned(points: NDArray[np.int64]) -> NDArray[np.int64]:
    """The same boards as the other player sees them."""
    return -points[:, ::-1]


def both_sides(points: NDArray[np.int64]) -> list[list[int]]:
    """A board as gnubg-nn takes it: the opponent's checkers and the mover's, each by their own points from 1 on, the bar last."""
    return [np.maximum(-points[BAR - 1 :: -1], 0).tolist(), np.maximum(points[1:], 0).tolist()]
