"""Rollouts: what positions are worth by playing them out many times."""

from collections.abc import Callable
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from agents.luck import luck
from agents.search import base_of, candidates, number_of
from tablezoo.agent import Agent, choose
from tablezoo.kernel.batch import roll_all, settled
from tablezoo.kernel.board import AGAIN, TURN
from tablezoo.kernel.dice import game_seed
from tablezoo.position import Game

AT_ONCE = 1024
"""Games that are played side by side."""
MOST_STAGES = 10_000
"""A game that is not over after so many decisions counts what the base agent says of it then."""


class Rollouts(NamedTuple):
    """What came of positions that were played out.

    Attributes:
        points: (n, games) results for the player to act, less luck if that was taken off.
    """

    points: NDArray[np.float64]

    @property
    def mean(self) -> NDArray[np.float64]:
        """Equity, (n,)."""
        return np.asarray(self.points.mean(axis=1))

    @property
    def se(self) -> NDArray[np.float64]:
        """Standard error of `mean`, (n,)."""
        return np.asarray(self.points.std(axis=1, ddof=1) / np.sqrt(self.points.shape[1]))


def roll_out(
    game: Game,
    base: Agent,
    rows: NDArray[np.uint64],
    games: int,
    seed: int = 1,
    plies: int = 0,
    reduce: bool = True,
    progress: Callable[[int], None] = lambda games: None,
    points: NDArray[np.float64] | None = None,
) -> Rollouts:
    """Play positions out.

    Game k has the dice of `game_seed(seed, k)` from every position, so that what two positions differ in is not luck.

    Args:
        base: plays both sides, values games that are broken off, and judges luck.
        rows: (n, ROW) nodes, none of a finished game.
        games: from each position, at least 2.
        plies: decisions after which a game is broken off and counts what the base agent says; 0: none is.
        reduce: whether luck is taken off (`agents.luck`).
        progress: called with the number of games just played.
        points: (n, games) filled with the results as they come; games that have one already, which is not NaN, are not played.
    """
    points = np.full((len(rows), games), np.nan) if points is None else points
    for begin in range(0, games, AT_ONCE):
        for i in range(len(rows)):
            left = begin + np.flatnonzero(np.isnan(points[i, begin : begin + AT_ONCE]))
            if len(left):
                states = np.array([game_seed(seed, int(k)) for k in left], np.uint64)
                points[i, left] = _played(game, base, rows[i], states, plies or MOST_STAGES, reduce)
                progress(len(left))
    return Rollouts(points)


def _played(game: Game, base: Agent, row: NDArray[np.uint64], states: NDArray[np.uint64], plies: int, reduce: bool) -> NDArray[np.float64]:
    """Results of games from a node, (n,), for the player to act there."""
    nodes = np.tile(row, (len(states), 1))
    nodes[:, TURN] &= ~AGAIN
    results, going, sign = np.zeros(len(states)), np.arange(len(states)), np.ones(len(states))
    for _ in range(plies):
        before, dice = nodes.copy(), states[going]
        roll_all(game.rules, nodes, dice)
        if reduce:
            thrown = np.flatnonzero(dice != states[going])
            results[going[thrown]] -= sign[thrown] * luck(game, base, before[thrown], nodes[thrown])
        states[going] = dice
        nodes = choose(base, game, nodes)
        won = np.empty(len(going), np.float32)
        over = settled(game.rules, nodes, won)
        results[going] += sign * won
        sign = np.where(nodes[:, TURN] & AGAIN, sign, -sign)
        nodes, going, sign = nodes[~over], going[~over], sign[~over]
        nodes[:, TURN] &= ~AGAIN
        if not len(going):
            return results
    results[going] += sign * base.values(game, nodes)
    return results


class RolloutAgent:
    """Compares plays by rollouts: those that the base agent finds nearly as good as the best."""

    def __init__(
        self,
        game: Game,
        base: str | Agent = "td",
        games: str | int = 36,
        plies: str | int = 0,
        width: str | int = 4,
        margin: str | float = 0.08,
        seed: str | int = 1,
        tables: str | bool = True,
    ) -> None:
        """Settle how often and how far to play.

        Args:
            base: name of an agent that values positions, or an agent.
            games: from each position.
            plies: decisions after which a game is broken off; 0: none is.
            width: most plays that are rolled out.
            margin: points by which a play may seem worse than the best and still is rolled out.
            seed: of the dice.
            tables: whether bear-offs of few checkers are looked up where the game has a table of them: yes or no.

        Raises:
            ValueError: an option is no number in its range, or the base agent only compares plays.
        """
        self.base = base_of("rollout", base, game, tables)
        self.games = number_of("rollout: games", games, 2, 1_000_000, int)
        self.plies = number_of("rollout: plies", plies, 0, MOST_STAGES, int)
        self.width = number_of("rollout: width", width, 1, 10_000, int)
        self.margin = number_of("rollout: margin", margin, 0.0, 1_000.0, float)
        self.seed = number_of("rollout: seed", seed, 0, 2**63, int)

    def values(self, game: Game, rows: NDArray[np.uint64]) -> NDArray[np.float32]:
        """See `tablezoo.agent.Agent`."""
        return roll_out(game, self.base, rows, self.games, self.seed, self.plies).mean.astype(np.float32)

    def costs(self, game: Game, nodes: NDArray[np.uint64], rows: NDArray[np.uint64]) -> NDArray[np.float32]:
        """See `tablezoo.agent.Comparer`: plays that seem too bad are not rolled out, and cost more than all that are."""
        return candidates(nodes, rows, self.base.values(game, rows), lambda some: self.values(game, some), self.width, self.margin)
