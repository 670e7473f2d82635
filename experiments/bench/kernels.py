"""The generator: plays of every game, perft, random games."""

from collections.abc import Iterator
from functools import partial

import numpy as np
from numpy.typing import NDArray

from experiments.bench.measure import Result, require, seconds
from tablezoo.kernel.bits import U
from tablezoo.kernel.board import ROW
from tablezoo.kernel.playout import count_plays, random_games
from tablezoo.position import Game, game

SEED = U(1)
SAMPLE = 20_000
SAMPLE_PLAYS = {
    "backgammon": 379_116,
    "simple-backgammon": 379_797,
    "takhteh": 371_445,
    "ofanfelling": 44_334,
    "widdershins": 452_816,
    "tavla": 370_899,
    "portes": 379_624,
    "nackgammon": 410_628,
    "hypergammon": 113_492,
    "longgammon": 588_382,
    "irish": 287_808,
    "plakoto": 513_554,
    "tapa": 513_554,
    "mahbouseh": 441_400,
    "fevga": 268_731,
    "moultezim": 265_665,
    "long-narde": 208_941,
    "tawla-31": 267_402,
    "jacquet": 264_401,
    "gul-bara": 359_287,
    "gioul": 423_873,
    "dutch": 498_961,
    "acey-deucey-american": 665_396,
    "acey-deucey-european": 904_312,
    "russian": 636_592,
    "tabula": 1_616_942,
    "nannon": 33_579,
}
"""Plays of the first 20,000 play nodes of each game's random games with seed 1."""
LEAST = {"backgammon": 3e6, "ofanfelling": 3e6, "widdershins": 0.3e6}
"""Stages a second; 1 M in the others, or 30 M afterstates."""
LEAST_OTHERS, LEAST_AFTERSTATES = 1e6, 30e6
RANDOM_GAMES = 10_000
RANDOM_TURNS = 961_571
"""Turns of backgammon's first 10,000 random games."""
PERFT_3 = 116_154_993


def sampled(played: Game) -> NDArray[np.uint64]:
    """The first play nodes of random games."""
    sample = np.empty((SAMPLE, ROW), np.uint64)
    found, first = 0, 0
    while found < SAMPLE:  # a few games at a time: random games of Widdershins have thousands of stages
        games = np.empty((20, 2), np.int64)
        found += int(random_games(played.rules, played.start_row, SEED, U(first), games, sample[found:]))
        first += len(games)
    return sample


def bench_plays() -> Iterator[Result]:
    """All plays of the nodes of random games, in every game."""
    for name, plays in SAMPLE_PLAYS.items():
        rules, sample = game(name).rules, sampled(game(name))
        require(f"{name}: plays()", count_plays(rules, sample), plays)
        taken = seconds(partial(count_plays, rules, sample))
        many = name not in LEAST and plays / taken >= LEAST_AFTERSTATES
        yield Result(f"{name}: plays()", SAMPLE / taken, "stages/s", least=None if many else LEAST.get(name, LEAST_OTHERS))
        yield Result(f"{name}: afterstates", plays / taken, "afterstates/s", least=LEAST_AFTERSTATES if many else None)


def bench_games() -> Iterator[Result]:
    """Random games of backgammon, and its perft."""
    backgammon = game("backgammon")
    results, nothing = np.empty((RANDOM_GAMES, 2), np.int64), np.empty((0, ROW), np.uint64)
    play = partial(random_games, backgammon.rules, backgammon.start_row, SEED, U(0), results, nothing)
    play()
    require("random games", int(results[:, 1].sum()), RANDOM_TURNS)
    yield Result("random games", RANDOM_GAMES / seconds(play), "games/s")
    require("perft 3", backgammon.perft(3), PERFT_3)
    yield Result("perft 3", seconds(partial(backgammon.perft, 3)), "s")
