"""How lucky rolls were, so that duels can be rid of most of their luck."""

import numpy as np
from numpy.typing import NDArray

from tablezoo.agent import Agent, best_values
from tablezoo.kernel.batch import count_rolls, fill_rolls
from tablezoo.kernel.board import ROW, TURN
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
    before = for_kernels(before)
    ends = count_rolls(game.rules, before)
    sizes = np.diff(ends, prepend=0)
    nodes, chances = np.empty((int(sizes.sum()), ROW), np.uint64), np.empty(int(sizes.sum()))
    fill_rolls(game.rules, before, nodes, chances)
    values = best_values(judge, game, nodes).astype(np.float64)
    owners = np.repeat(np.arange(len(before)), sizes)
    thrown = np.flatnonzero(nodes[:, TURN] == rolled[owners, TURN])
    lucky: NDArray[np.float64] = values[thrown] - np.bincount(owners, values * chances, len(before))[owners[thrown]]
    return lucky
