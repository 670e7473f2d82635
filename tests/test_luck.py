"""Luck taken off the results of duels."""

import numpy as np
import pytest
from numpy.typing import NDArray

from agents.basic import RandomAgent
from agents.luck import luck
from agents.pubeval import PubevalAgent
from experiments.duel import duel
from tablezoo import game
from tablezoo.agent import load_agent
from tablezoo.position import Game, Position

BACKGAMMON = game("backgammon")


class SureOfWinning:
    """Whoever is to act will win a single game."""

    def values(self, game: Game, rows: NDArray[np.uint64]) -> NDArray[np.float32]:
        return np.ones(len(rows), np.float32)


def of_every_roll(judge: object, pos: Position) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """Luck of each roll of a position and its weight."""
    rolls, weights = zip(*pos.chances(), strict=True)
    rolled = np.array([pos.rolled(roll).row for roll in rolls])
    return luck(pos.game, judge, np.repeat(pos.row[None], len(rolls), axis=0), rolled), np.array(weights)  # type: ignore[arg-type]


def test_luck_of_a_hand_worked_last_roll() -> None:
    """One checker on the 6 point, the opponent sure to win otherwise: 27 of 36 rolls bear it off. Mean 27/36 - 9/36 = 1/2."""
    lucky, weights = of_every_roll(SureOfWinning(), BACKGAMMON.position("6:1 | 24:1 (off=14 ooff=14)"))
    assert sorted(set(np.round(lucky, 6))) == [-1.5, 0.5]
    assert weights[lucky > 0].sum() == 27


@pytest.mark.parametrize("name", ["backgammon", "nannon", "hypergammon", "ofanfelling"])
def test_no_position_is_lucky_on_average(name: str) -> None:
    played = game(name)
    judge = load_agent("td" if name == "backgammon" else "pips", played) if name != "ofanfelling" else SureOfWinning()
    pos = played.start()
    for _ in range(3):
        lucky, weights = of_every_roll(judge, pos)
        assert abs((lucky * weights).sum()) < 1e-5
        assert name == "ofanfelling" or lucky.std() > 0.01
        pos = pos.plays(pos.chances()[-1][0])[0].after


def test_luck_leaves_the_mean_of_poor_players_results_and_little_of_their_spread() -> None:
    """A judge who plays better than both must not charge their errors to the dice."""
    judge = load_agent("td", BACKGAMMON)
    fair = duel(BACKGAMMON, PubevalAgent(BACKGAMMON), RandomAgent(BACKGAMMON, seed="1"), 200, seed=2, judge=judge)
    assert fair.luck is not None
    assert abs((fair.luck.mean(axis=1)).mean()) < 4 * fair.luck.mean(axis=1).std() / np.sqrt(len(fair.luck))
    even = duel(BACKGAMMON, judge, PubevalAgent(BACKGAMMON), 100, seed=3, judge=judge)
    assert (even.points - even.luck).std() < even.points.std() / 2


def test_a_judged_duel_with_oneself_comes_out_at_exactly_zero() -> None:
    td = load_agent("td", BACKGAMMON)
    result = duel(BACKGAMMON, td, td, 20, seed=4, judge=td)
    assert result.ppg == 0
    assert result.se == 0
    assert result.luck is not None
    assert np.abs(result.luck).min() > 0


def test_a_judge_must_put_values_on_plays() -> None:
    with pytest.raises(ValueError, match="PubevalAgent compares plays but puts no value on them"):
        duel(BACKGAMMON, SureOfWinning(), SureOfWinning(), 2, seed=1, judge=PubevalAgent(BACKGAMMON))
