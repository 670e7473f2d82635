"""Duels: pairs of games with the same dice and the seats swapped."""

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from experiments.statistics import mean_with_error
from tablezoo.agent import Agent, choose
from tablezoo.kernel.batch import roll_all, settled
from tablezoo.kernel.board import AGAIN, TURN
from tablezoo.kernel.dice import game_seed
from tablezoo.position import Game

AT_ONCE = 2048
"""Pairs of games that are played side by side."""
MAX_PLAYS = 30_000
"""A game that is not over after so many plays counts nothing: some bad players never end."""


@dataclass(frozen=True)
class DuelResult:
    """Outcome of a duel, from the first agent's side.

    Attributes:
        points: (pairs, 2); the first agent began the first game of each pair, the second agent the other. 0 stands
            for a draw, or a game broken off after MAX_PLAYS.
    """

    points: NDArray[np.int64]
    unfinished: int = 0
    """Games broken off."""

    @property
    def games(self) -> int:
        """Games played."""
        return self.points.size

    @property
    def ppg(self) -> float:
        """Points per game."""
        return float(self.points.mean())

    @property
    def se(self) -> float:
        """Standard error of `ppg`; the pair is the unit, because its games share their dice."""
        return mean_with_error(self.points.mean(axis=1))[1]

    @property
    def wins(self) -> float:
        """Share of games won."""
        return float((self.points > 0).mean())


def play_pairs(game: Game, a: Agent, b: Agent, states: NDArray[np.uint64]) -> tuple[NDArray[np.int64], int]:
    """Points of `a`, shape (pairs, 2), in pairs of games with the same dice, and how many were broken off; `b` begins the second of each.

    Args:
        states: (pairs,) generator states of the dice.
    """
    dice = np.repeat(states, 2)
    rows = np.tile(game.start_row, (len(dice), 1))
    a_acts = np.tile([True, False], len(states))
    points = np.zeros(len(dice), np.int64)
    going = np.arange(len(dice))
    for _ in range(MAX_PLAYS):
        if not len(going):
            break
        nodes, theirs = rows[going], dice[going]
        roll_all(game.rules, nodes, theirs)
        dice[going] = theirs
        mine = a_acts[going]
        for agent, acting in ((a, mine), (b, ~mine)):
            if acting.any():
                nodes[acting] = choose(agent, game, nodes[acting])
        rows[going] = nodes
        won = np.empty(len(going), np.float32)
        over = settled(game.rules, nodes, won)
        points[going[over]] = np.where(mine, won, -won)[over]
        a_acts[going] = mine == (nodes[:, TURN] & AGAIN > 0)
        going = going[~over]
    return points.reshape(-1, 2), len(going)


def duel(game: Game, a: Agent, b: Agent, games: int, seed: int, progress: Callable[[int], None] = lambda games: None) -> DuelResult:
    """Play a duel.

    Args:
        games: number of games, even.
        seed: of the dice; the agents' own randomness is theirs.
        progress: called with the number of games just played.

    Raises:
        ValueError: games is not a positive even number.
    """
    if games < 2 or games % 2:
        raise ValueError(f"games must be an even number, since they come in mirrored pairs, not {games}")
    states = np.array([game_seed(seed, pair) for pair in range(games // 2)], np.uint64)
    points, unfinished = [], 0
    for begin in range(0, len(states), AT_ONCE):
        played, broken_off = play_pairs(game, a, b, states[begin : begin + AT_ONCE])
        points.append(played)
        unfinished += broken_off
        progress(played.size)
    return DuelResult(np.concatenate(points), unfinished)
