"""Random games and their dice: reproducible, independent, and with the statistics that are known of random play."""

import itertools

import numpy as np
import pytest
from conftest import BACKGAMMON, GAMES, board_of, decoded
from numpy.typing import NDArray
from splitmix import GOLDEN, MASK, Generator, mixed

import tablezoo
from tablezoo.kernel.board import ROW
from tablezoo.kernel.dice import game_seed
from tablezoo.kernel.playout import random_games
from tablezoo.kernel.plays import points, turn_rows


def games(n: int, seed: int = 1, first: int = 0, sampled: int = 0, game: tablezoo.Game = BACKGAMMON) -> tuple[NDArray[np.int64], NDArray[np.uint64]]:
    """(points of player 0, turns) of n random games, and the first play nodes met."""
    results = np.empty((n, 2), np.int64)
    sample = np.empty((sampled, ROW), np.uint64)
    written = random_games(game.rules, game.start_row, np.uint64(seed), np.uint64(first), results, sample)
    return results, sample[:written]


# Statistics


def test_statistics_of_random_play() -> None:
    """From 20,000 games of another program (strength.md 3.7); the bounds are about four standard errors of the difference."""
    results, _ = games(20_000)
    won, turns = results.T
    assert turns.mean() == pytest.approx(96.5, abs=1.6)
    assert turns.std() == pytest.approx(39.3, abs=1.2)
    assert won.std() == pytest.approx(2.036, abs=0.025)
    assert (abs(won) >= 2).mean() == pytest.approx(0.625, abs=0.02)
    assert (abs(won) == 3).mean() == pytest.approx(0.254, abs=0.018)
    assert (won > 0).mean() == pytest.approx(0.506, abs=0.02)


def test_points_follow_the_scoring() -> None:
    for scoring, possible in (("single", {1}), ("gammon", {1, 2}), ("backgammon", {1, 2, 3})):
        results, _ = games(300, game=tablezoo.game("backgammon", scoring=scoring))
        assert set(abs(results[:, 0])) == possible, scoring


# Reproducible and independent


def test_the_same_seed_plays_the_same_games() -> None:
    results, sample = games(50, seed=7, sampled=10_000)
    again, sample_again = games(50, seed=7, sampled=10_000)
    assert (results == again).all()
    assert (sample == sample_again).all()
    assert len(sample) == results[:, 1].sum()


def test_games_do_not_depend_on_how_a_run_is_split() -> None:
    whole, sample = games(60, sampled=100_000)
    parts = [games(n, first=first, sampled=100_000) for first, n in ((0, 1), (1, 29), (30, 30))]
    assert (whole == np.concatenate([results for results, _ in parts])).all()
    assert (sample == np.concatenate([sample for _, sample in parts])).all()


def test_a_full_sample_changes_no_game() -> None:
    assert (games(20, sampled=0)[0] == games(20, sampled=7)[0]).all()
    assert len(games(20, sampled=7)[1]) == 7


def test_neighbouring_seeds_play_other_games() -> None:
    for a, b in ((7, 8), (0, 1)):
        first, second = ([tuple(row) for row in games(200, seed=seed, sampled=2_000)[1].tolist()] for seed in (a, b))
        runs = [{tuple(nodes[i : i + 8]) for i in range(len(nodes) - 8)} for nodes in (first, second)]
        assert not runs[0] & runs[1], f"seeds {a} and {b} share eight turns in a row"


def test_no_two_games_share_a_stretch_of_the_generators_cycle() -> None:
    """A game's state steps by GOLDEN; dividing by it gives its place on the one cycle of 2**64 states."""
    inverse = pow(GOLDEN, -1, 1 << 64)
    places = sorted(int(game_seed(seed, game)) * inverse & MASK for seed in (0, 1, 7, 8, 2**63, MASK) for game in range(1_000))
    gaps = [b - a for a, b in itertools.pairwise(places)]
    assert min(gaps) > 1_000_000, "a game draws a few hundred times"


# Dice


def test_splitmix64_as_published() -> None:
    """First outputs for the seed 1234567 (prng.di.unimi.it/splitmix64.c)."""
    outputs = [mixed(1234567 + i * GOLDEN & MASK) for i in range(1, 6)]
    assert outputs == [6457827717110365317, 3203168211198807973, 9817491932198370423, 4593380528125082431, 16408922859458223821]


@pytest.mark.parametrize("name", ["backgammon", "simple-backgammon"])
def test_kernel_games_are_the_games_of_the_objects(name: str) -> None:
    """N06: the same seed gives the same dice and choices in compiled code and in Python."""
    game = GAMES[name][0]
    results, sample = games(4, seed=11, first=5, sampled=2_000, game=game)
    rows = iter(sample)
    for number, (won, turns) in enumerate(results.tolist(), 5):
        dice, pos, played = Generator(int(game_seed(11, number))), game.start(), 0
        while pos.outcome is None:
            node = pos.rolled(dice.roll(opening=played == 0 and name == "backgammon"))
            assert (node.row == next(rows)).all(), f"game {number}, turn {played}"
            plays = node.plays()
            pos = plays[dice.below(len(plays))].after
            played += 1
        assert (played, pos.outcome) == (turns, won if pos.player == 1 else -won), f"game {number}"


def test_all_rolls_are_equally_likely() -> None:
    """Chi-square over the 21 rolls: with 20 degrees of freedom 46.8 is exceeded less than once in 1,000 tries."""
    _, sample = games(1_000, sampled=72_000)
    nodes = [board_of(tablezoo.Position(BACKGAMMON, row, 0))[1] for row in sample[::3]]
    opening = (decoded(sample[::3])[:, [6, 8, 13, 24]] == [5, 3, 5, 2]).all(axis=1)
    rolls = [(left[0], left[-1]) for left, first in zip(nodes, opening, strict=True) if not first]
    chance = {(a, b): (1 if a == b else 2) / 36 for a in range(1, 7) for b in range(1, a + 1)}
    squared = sum((rolls.count(roll) - len(rolls) * p) ** 2 / (len(rolls) * p) for roll, p in chance.items())
    assert squared < 46.8


@pytest.mark.parametrize(("name", "doublets"), [("backgammon", 0), ("simple-backgammon", 1 / 6)])
def test_doublets_at_the_opening(name: str, doublets: float) -> None:
    first_rolls = [board_of(tablezoo.Position(GAMES[name][0], games(1, first=i, sampled=1, game=GAMES[name][0])[1][0], 0))[1] for i in range(600)]
    assert np.mean([len(left) == 4 for left in first_rolls]) == pytest.approx(doublets, abs=0.06 if doublets else 0)


# Words of 64 bits


def test_the_highest_bit_survives() -> None:
    """N07: places 0 and 63 hold the checkers borne off; turning the board swaps them exactly."""
    for word in (1 << 63, (1 << 63) | 1, MASK, MASK - 1, 1721142608025344941):
        rows = np.array([[word, 1, 0, 1 << 63, 7]], np.uint64)
        turn_rows(BACKGAMMON.rules, rows)
        assert rows.dtype == np.uint64
        assert rows.tolist() == [[int(f"{word:064b}"[::-1], 2), 1 << 63, 0, 1, 7]]


def test_fifteen_checkers_off_are_seen_in_the_highest_bit() -> None:
    row = np.array([1 << 63, 1 << 63, 1 << 63, (1 << 63) | (1 << 24), 0], np.uint64)
    assert points(BACKGAMMON.rules, row) == 3, "eight checkers of the loser stand in the winner's home"
