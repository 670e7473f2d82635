"""pubeval, the classic benchmark player: two linear evaluators, for contact and for races.

Weights and definition: Gerald Tesauro, "Backgammon Benchmark Player", 1993, public domain.
"""

import json
from importlib.resources import files

import numpy as np
from numpy.typing import NDArray

from tablezoo.kernel.bits import ONE, TOP, U, leading, lowest
from tablezoo.kernel.board import OWN, SHIFT, Board, Rows, count, occupied, planes, reversed_board
from tablezoo.kernel.jit import helper, kernel
from tablezoo.kernel.nodes import TRACK
from tablezoo.position import Game
from tablezoo.rows import for_kernels

WEIGHTS = json.loads(files("agents").joinpath("pubeval.json").read_text())
OFF_BY_ONE = U(0x1FFFFFF)


@helper
def is_race(board: Board) -> bool:
    """Whether the sides have passed each other."""
    mine = occupied(board) & OWN
    theirs = (occupied(board) >> SHIFT) & OFF_BY_ONE
    return bool(not mine or not theirs or TOP - leading(mine) < lowest(theirs))


@helper
def score(weights: NDArray[np.float32], board: Board) -> np.float32:
    """Linear value of a board for the side that has just played and sees it so."""
    total = np.float32(0)
    for point in range(24, 0, -1):
        first = 5 * (24 - point)
        n = count(board, U(point))
        if n == ONE:
            total += weights[first + 1]
        elif n:
            total += weights[first + 2]
            if n == U(3):
                total += weights[first + 3]
            elif n > U(3):
                total += weights[first + 4] * np.float32(n - U(3)) / np.float32(2)
        elif count(board, U(point) + SHIFT) == ONE:
            total += weights[first]
    total += weights[120] * np.float32(count(board, SHIFT)) / np.float32(2)
    return np.float32(total + weights[121] * np.float32(count(board, U(0))) / np.float32(15))


@kernel
def costs(contact: NDArray[np.float32], race: NDArray[np.float32], nodes: Rows, rows: Rows) -> NDArray[np.float32]:
    """Minus the score of each next node; whether it is judged as a race is settled by the node before."""
    out = np.empty(rows.shape[0], np.float32)
    for i in range(rows.shape[0]):
        out[i] = -score(race if is_race(planes(nodes[i])) else contact, reversed_board(planes(rows[i])))
    return out


class PubevalAgent:
    """Tesauro's benchmark player."""

    def __init__(self, game: Game) -> None:
        """No options."""
        if game.checkers != 15 or game.rules.kind != TRACK:
            raise ValueError(f"pubeval plays games of 15 checkers that hit and move as at backgammon, not {game.name}")
        self.contact, self.race = (np.array(WEIGHTS[name], np.float32) for name in ("contact", "race"))

    def values(self, game: Game, rows: NDArray[np.uint64]) -> NDArray[np.float32]:
        """Scores have no scale in points and can be compared only among the plays of one node."""
        return self.costs(game, rows, rows)

    def costs(self, game: Game, nodes: NDArray[np.uint64], rows: NDArray[np.uint64]) -> NDArray[np.float32]:
        """See `tablezoo.agent.Comparer`."""
        return costs(self.contact, self.race, for_kernels(nodes), for_kernels(rows))
