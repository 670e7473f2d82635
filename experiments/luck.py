"""How lucky rolls were, so that duels can be rid of most of their luck."""

import numpy as np
from numpy.typing import NDArray

from tablezoo.agent import Agent, best_values
from tablezoo.kernel.batch import every_roll
from tablezoo.kernel.board import ROW, TURN
from tablezoo.kernel.dice import ROLLS
from tablezoo.position import Game
from tablezoo.rows import for_kernels


def luck(game: Game, judge: Agent, before: NDArray[np.uint64], rolled: NDArray[np.uint64]) -> NDArray[np.float64]:
    """How much better than the average the rolls thrown at roll nodes are for the players who threw them, in points.

    What a roll is worth is what the judge's best play of it is worth to the judge: never the play that was made, which would
    charge the player's errors to the dice. So the mean over the rolls is 0 at every node, and results less luck have the
    mean of the results, however poor the judge. (Zare, "Hedging toward skill", 1997; Montgomery, "Variance reduction", 2000.)

    Args:
        judge: whose values are points.
        before: (n, ROW) roll nodes.
        rolled: (n, ROW) the play nodes that came of them.

    Raises:
        ValueError: the judge only compares plays.
    """
    nodes = np.empty((len(before), len(ROLLS), ROW), np.uint64)
    chances = np.empty(nodes.shape[:2])
    every_roll(game.rules, for_kernels(before), nodes, chances)
    thrown = chances > 0
    values = np.zeros(chances.shape)
    values[thrown] = best_values(judge, game, nodes[thrown])
    which = np.argmax((nodes[:, :, TURN] == rolled[:, None, TURN]) & thrown, axis=1)
    lucky: NDArray[np.float64] = values[np.arange(len(values)), which] - (values * chances).sum(axis=1)
    return lucky
