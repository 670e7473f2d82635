"""Duels: pairs of games with the same dice and the seats swapped, their luck taken off if a judge is named."""

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from agents.luck import luck
from experiments.statistics import mean_with_error
from tablezoo.agent import Agent, choose
from tablezoo.kernel.batch import roll_all, settled
from tablezoo.kernel.board import AGAIN, TURN
from tablezoo.kernel.dice import game_seed
from tablezoo.position import Game

AT_ONCE = 2048
"""Pairs of games that are played side by side."""
JUDGED_AT_ONCE = 256
"""The same where luck is taken off: all plays of all rolls are in memory then."""
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
    luck: NDArray[np.float64] | None = None
    """(pairs, 2): how much luck the first agent had (`agents.luck`), if that was judged."""

    @property
    def games(self) -> int:
        """Games played."""
        return self.points.size

    @property
    def _results(self) -> NDArray[np.float64]:
        return self.points - self.luck if self.luck is not None else self.points.astype(np.float64)

    @property
    def ppg(self) -> float:
        """Points per game, less luck if that was judged."""
        return float(self._results.mean())

    @property
    def se(self) -> float:
        """Standard error of `ppg`; the pair is the unit, because its games share their dice."""
        return mean_with_error(self._results.mean(axis=1))[1]

    @property
    def wins(self) -> float:
        """Share of games won."""
        return float((self.points > 0).mean())


def play_pairs(game: Game, a: Agent, b: Agent, states: NDArray[np.uint64], judge: Agent | None = None) -> DuelResult:
    """Play pairs of games with the same dice; `b` begins the second of each.

    Args:
        states: (pairs,) generator states of the dice.
        judge: who says how lucky the rolls were.
    """
    dice = np.repeat(states, 2)
    rows = np.tile(game.start_row, (len(dice), 1))
    a_acts = np.tile([True, False], len(states))
    points = np.zeros(len(dice), np.int64)
    lucky = np.zeros(len(dice))
    going = np.arange(len(dice))
    for _ in range(MAX_PLAYS):
        if not len(going):
            break
        nodes, theirs = rows[going], dice[going]
        roll_all(game.rules, nodes, theirs)
        mine = a_acts[going]
        if judge is not None:
            at_roll = theirs != dice[going]
            lucky[going[at_roll]] += np.where(mine, 1, -1)[at_roll] * luck(game, judge, rows[going[at_roll]], nodes[at_roll])
        dice[going] = theirs
        for agent, acting in ((a, mine), (b, ~mine)):
            if acting.any():
                nodes[acting] = choose(agent, game, nodes[acting])
        rows[going] = nodes
        won = np.empty(len(going), np.float32)
        over = settled(game.rules, nodes, won)
        points[going[over]] = np.where(mine, won, -won)[over]
        a_acts[going] = mine == (nodes[:, TURN] & AGAIN > 0)
        going = going[~over]
    return DuelResult(points.reshape(-1, 2), len(going), lucky.reshape(-1, 2) if judge is not None else None)


def duel(game: Game, a: Agent, b: Agent, games: int, seed: int, progress: Callable[[int], None] = lambda games: None, judge: Agent | None = None) -> DuelResult:
    """Play a duel.

    Args:
        games: number of games, even.
        seed: of the dice; the agents' own randomness is theirs.
        progress: called with the number of games just played.
        judge: takes the luck off the results: their mean stays, and near equal strength 30 to 70 times fewer games tell as much.

    Raises:
        ValueError: games is not a positive even number, or the judge only compares plays.
    """
    if games < 2 or games % 2:
        raise ValueError(f"games must be an even number, since they come in mirrored pairs, not {games}")
    states = np.array([game_seed(seed, pair) for pair in range(games // 2)], np.uint64)
    at_once = AT_ONCE if judge is None else JUDGED_AT_ONCE
    played = []
    for begin in range(0, len(states), at_once):
        played.append(play_pairs(game, a, b, states[begin : begin + at_once], judge))
        progress(played[-1].games)
    lucky = [part.luck for part in played if part.luck is not None]
    return DuelResult(np.concatenate([part.points for part in played]), sum(part.unfinished for part in played), np.concatenate(lucky) if lucky else None)
