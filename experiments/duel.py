"""Duels: pairs of games with the same dice and the seats swapped, their luck taken off if a judge is named."""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from typing import Literal

import numpy as np
from numpy.typing import NDArray

from agents.luck import luck
from experiments.statistics import confidence_sequence, mean_with_error
from tablezoo.agent import Agent, choose
from tablezoo.kernel.batch import roll_all, settled
from tablezoo.kernel.board import AGAIN, TURN
from tablezoo.kernel.dice import game_seed
from tablezoo.position import Game

FIRST_ROUND = 8
"""Pairs of games that are played side by side at first, so that slow players soon have a result; each round doubles what has been played."""
AT_ONCE = 2048
"""Pairs of a round at most."""
JUDGED_AT_ONCE = 256
"""The same where luck is taken off, for all plays of all rolls are in memory then, and where a duel ends when it is decided."""
FIRST_LOOK = 256
"""Pairs before which nothing is decided."""
MAX_PLAYS = 30_000
"""A game that is not over after so many plays counts nothing: some bad players never end."""

Until = Literal["games", "decided"]
"""When a duel ends."""


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
    def interval(self) -> tuple[float, float]:
        """95 % interval of `ppg` that holds however often one looks and whenever one stops; endless before anything may be decided."""
        if len(self.points) < FIRST_LOOK:
            return -np.inf, np.inf
        return confidence_sequence(self._results.mean(axis=1))

    @property
    def decided(self) -> bool:
        """Whether it is settled who is the stronger."""
        low, high = self.interval
        return low > 0 or high < 0

    @property
    def wins(self) -> float:
        """Share of games won."""
        return float((self.points > 0).mean())

    @property
    def summary(self) -> dict[str, float]:
        """For `run.json`."""
        return {"ppg": self.ppg, "se": self.se, "wins": self.wins, "games": self.games}

    @property
    def turned(self) -> "DuelResult":
        """The same duel from the second agent's side."""
        return DuelResult(-self.points[:, ::-1], self.unfinished, -self.luck[:, ::-1] if self.luck is not None else None)

    def first(self, pairs: int) -> "DuelResult":
        """Its first pairs alone; games broken off are not told."""
        return DuelResult(self.points[:pairs], 0, self.luck[:pairs] if self.luck is not None else None)


def joined(parts: Sequence[DuelResult]) -> DuelResult:
    """Parts of one duel as a whole."""
    lucky = [part.luck for part in parts if part.luck is not None]
    return DuelResult(np.concatenate([part.points for part in parts]), sum(part.unfinished for part in parts), np.concatenate(lucky) if lucky else None)


def play_pairs(game: Game, a: Agent, b: Agent, states: NDArray[np.uint64], judge: Agent | None = None, check: Callable[[], None] = lambda: None) -> DuelResult:
    """Play pairs of games with the same dice; `b` begins the second of each.

    Args:
        states: (pairs,) generator states of the dice.
        judge: who says how lucky the rolls were.
        check: called before every play, to stop by an exception.
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
        check()
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


def round_ends(pairs: int, at_once: int) -> list[int]:
    """Pairs played after each round of a duel: 8, 16, 32, ...; the same wherever it was broken off and goes on."""
    ends = [0]
    while ends[-1] < pairs:
        ends.append(min(max(2 * ends[-1], FIRST_ROUND), ends[-1] + at_once, pairs))
    return ends[1:]


def rounds(
    game: Game,
    a: Agent,
    b: Agent,
    games: int,
    seed: int,
    judge: Agent | None = None,
    until: Until = "games",
    so_far: DuelResult | None = None,
    check: Callable[[], None] = lambda: None,
) -> Iterator[DuelResult]:
    """The duel as it stands after each round of games; nothing if it has ended before.

    Args:
        games: number of games, even.
        seed: of the dice; the agents' own randomness is theirs.
        judge: takes the luck off the results: their mean stays, and near equal strength 30 to 70 times fewer games tell as much.
        until: `games` for all of them, `decided` to stop as soon as it is settled who is the stronger.
        so_far: its games that were played before.
        check: called before every play, to stop by an exception; what its round had played is lost then.

    Raises:
        ValueError: games is not a positive even number, or the judge only compares plays.
    """
    if games < 2 or games % 2:
        raise ValueError(f"games must be an even number, since they come in mirrored pairs, not {games}")
    parts = [so_far] if so_far is not None else []
    begin = len(so_far.points) if so_far is not None else 0
    for end in round_ends(games // 2, AT_ONCE if judge is None and until == "games" else JUDGED_AT_ONCE):
        if end <= begin:
            continue
        if until == "decided" and parts and parts[0].decided:
            return
        states = np.array([game_seed(seed, pair) for pair in range(begin, end)], np.uint64)
        parts = [joined([*parts, play_pairs(game, a, b, states, judge, check)])]
        begin = end
        yield parts[0]


def duel(game: Game, a: Agent, b: Agent, games: int, seed: int, judge: Agent | None = None, until: Until = "games") -> DuelResult:
    """Play a duel from beginning to end (`rounds`)."""
    *_, result = rounds(game, a, b, games, seed, judge, until)
    return result
