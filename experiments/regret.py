"""How much equity an agent loses a decision in a game that has been solved."""

from collections.abc import Callable

import numpy as np
from numpy.typing import NDArray

from experiments.score import MP, Score
from experiments.statistics import mean_with_error
from tablezoo.agent import Agent, Following, best, costs_of, following
from tablezoo.kernel.batch import roll_all, settled
from tablezoo.kernel.dice import game_seed
from tablezoo.position import Game

AT_ONCE = 256
"""Games that are played side by side."""
MOST_STAGES = 10_000
"""A game is broken off after so many decisions."""


def regret(game: Game, agent: Agent, equities: Callable[[NDArray[np.uint64]], NDArray[np.floating]], decisions: int, seed: int) -> Score:
    """Mean loss over the decisions of games that an agent plays against itself, those with a single play left out.

    Args:
        equities: exact equity of the player to act in each of many rows.
        decisions: at least so many; whole games are played.
        seed: of the dice.
    """
    lost: list[NDArray[np.float64]] = []
    first = 0
    while sum(map(len, lost)) < decisions:
        states = np.array([game_seed(seed, number) for number in range(first, first + AT_ONCE)], np.uint64)
        rows = np.tile(game.start_row, (AT_ONCE, 1))
        for _ in range(MOST_STAGES):
            roll_all(game.rules, rows, states)
            after = following(game, rows)
            chosen = best(agent, game, after)
            lost.append(_lost(after, chosen, equities))
            rows = after.rows[chosen]
            going = ~settled(game.rules, rows, np.empty(len(rows), np.float32))
            rows, states = rows[going], states[going]
            if not len(rows):
                break
        first += AT_ONCE
    all_lost = np.concatenate(lost) * MP
    return Score(len(all_lost), *mean_with_error(all_lost), {})


def _lost(after: Following, chosen: NDArray[np.int64], equities: Callable[[NDArray[np.uint64]], NDArray[np.floating]]) -> NDArray[np.float64]:
    """What the chosen plays lose, in points, where there is a choice."""
    worth, going = after.points.astype(np.float64), np.isnan(after.points)
    if going.any():
        worth[going] = -costs_of(after.rows[going], equities(after.rows[going]))
    begins = np.append(0, after.ends[:-1])
    lost = np.maximum.reduceat(worth, begins) - worth[chosen]
    return np.asarray(lost[after.ends - begins > 1])
