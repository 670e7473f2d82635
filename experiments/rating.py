"""Bradley-Terry ratings from duels, with intervals by resampling mirrored pairs."""

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray
from scipy.optimize import minimize
from scipy.special import expit

from experiments.duel import DuelResult

ELO = 400 / np.log(10)
"""Rating points of one unit of log-odds: 400 points are odds of 10 to 1."""
RESAMPLES = 300
PRIOR = 0.5
"""Games that each pairing is taken to have had more than were played, drawn; so nobody who always wins is rated infinitely."""
INTERVAL = (2.5, 97.5)
"""Percentiles of the intervals."""

Results = Mapping[tuple[str, str], DuelResult]
"""Duels by the names of the two agents."""


@dataclass(frozen=True)
class Rating:
    """Strength of an agent, 0 on average over all agents: a difference of 100 wins 64 % of games.

    Attributes:
        elo: rating points.
        low, high: ends of its 95 % interval.
        ppg: points per game over all its games.
        games: played.
    """

    elo: float
    low: float
    high: float
    ppg: float
    games: int


def wins_of(points: NDArray[np.int64]) -> float:
    """Games won in (pairs, 2) results, draws as half."""
    return float((points > 0).sum() + 0.5 * (points == 0).sum())


def bradley_terry(wins: NDArray[np.float64]) -> NDArray[np.float64]:
    """Most likely strengths (n,) in log-odds, 0 on average, given how often each beat each, (n, n).

    R. A. Bradley and M. E. Terry, "Rank analysis of incomplete block designs", Biometrika 39, 1952.
    """

    def cost(strengths: NDArray[np.float64]) -> tuple[float, NDArray[np.float64]]:
        chances = expit(strengths[:, None] - strengths[None, :])
        missed = wins * (1 - chances)
        return -float((wins * np.log(chances)).sum()), missed.sum(axis=0) - missed.sum(axis=1)

    found = minimize(cost, np.zeros(len(wins)), jac=True, method="BFGS").x
    return np.asarray(found - found.mean())


def _wins(names: Sequence[str], results: Results, generator: np.random.Generator | None) -> NDArray[np.float64]:
    """How often each beat each; with a generator in as many pairs drawn from those played."""
    wins = np.zeros((len(names), len(names)))
    for (a, b), result in results.items():
        points = result.points
        if generator is not None:
            points = points[generator.integers(len(points), size=len(points))]
        won = wins_of(points)
        i, j = names.index(a), names.index(b)
        wins[i, j] += won + PRIOR / 2
        wins[j, i] += points.size - won + PRIOR / 2
    return wins


def ratings(names: Sequence[str], results: Results, seed: int = 0) -> dict[str, Rating]:
    """Ratings of agents who have all met, the strongest first.

    Args:
        names: of the agents.
        results: their duels.
        seed: of the resampling.
    """
    generator = np.random.default_rng(seed)
    strengths = bradley_terry(_wins(names, results, None)) * ELO
    drawn = np.array([bradley_terry(_wins(names, results, generator)) for _ in range(RESAMPLES)]) * ELO
    low, high = np.percentile(drawn, INTERVAL, axis=0)
    found = {}
    for i in np.argsort(-strengths):
        name = names[i]
        games = np.concatenate([result.points if a == name else -result.points for (a, b), result in results.items() if name in (a, b)], axis=None)
        found[name] = Rating(float(strengths[i]), float(low[i]), float(high[i]), float(games.mean()), len(games))
    return found


def elo_after(first: float, second: float, score: float, k: float = 16) -> tuple[float, float]:
    """Ratings of two players after a game, by Elo's rule: for players who change, where `ratings` is for those who do not.

    Args:
        first: rating of one before it.
        second: of the other.
        score: 1 if the first has won, 0.5 for a draw, 0.
        k: most points that a game can move.
    """
    gain = k * (score - float(expit((first - second) / ELO)))
    return first + gain, second - gain


def fibs_gain(winner: float, loser: float, length: int, experience: int) -> float:
    """What a player's rating rises, or falls by, at the end of a match on the First Internet Backgammon Server.

    (backgammon FAQ, "What are the formulas for FIBS ratings?")

    Args:
        winner: rating before it.
        loser: the same.
        length: points of the match.
        experience: points of all matches that the player whose rating is asked for had played before.
    """
    root = math.sqrt(length)
    upset = 1 / (1 + math.pow(10, (winner - loser) * root / 2000))
    return 4 * max(1.0, 5 - experience / 100) * root * upset
