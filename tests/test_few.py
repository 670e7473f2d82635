"""Games with few checkers, solved: against plain value iteration over the oracle's plays, and published values."""

from dataclasses import replace
from itertools import permutations

import numpy as np
import oracle_zoo as oracle
import pytest
from oracle_zoo import START, ZOO, Board, Reading

import tablezoo
from experiments.duel import duel
from tablezoo.agent import load_agent
from tablezoo.exact import few

PLAIN = [name for name in tablezoo.games() if name in ZOO and ZOO[name].doubles in ("twice", "once") and not ZOO[name].acey_deucey]
"""Games whose turn is one stage."""


def small(name: str, checkers: int) -> tuple[Reading, Board]:
    """The oracle's reading and start of a miniature."""
    reading = replace(ZOO[name], checkers=checkers)
    men = [point for point, n in sorted(START[name], reverse=True) for _ in range(n)][:checkers]
    side = oracle.side_of(men, reading, hand=checkers - len(men))
    return reading, Board(side, oracle.turned(Board(oracle.Side(), side), reading).mine)


def plain_values(reading: Reading, start: Board) -> dict[Board, float]:
    """Equity of the player to throw at every position that can be reached, by sweeps over a dictionary."""
    rolls = {roll: len(set(permutations(roll))) for roll in oracle.all_rolls(reading)}
    total = sum(rolls.values())
    after: dict[Board, list[tuple[int, list[Board | int]]]] = {}
    waiting = [start]
    while waiting:
        board = waiting.pop()
        if board in after:
            continue
        after[board] = []
        for roll, weight in rolls.items():
            ends: list[Board | int] = []
            for end in oracle.results(board, oracle.stages(roll, reading)[0], reading):
                won = oracle.outcome(end, reading)
                ends.append(oracle.turned(end, reading) if won is None else won)
            after[board].append((weight, ends))
            waiting += [end for end in ends if isinstance(end, Board)]
    values = dict.fromkeys(after, 0.0)
    change = 1.0
    while change > 1e-11:
        change = 0.0
        for board, options in after.items():
            value = sum(weight * max(-values[end] if isinstance(end, Board) else end for end in ends) for weight, ends in options) / total
            change = max(change, abs(value - values[board]))
            values[board] = value
    return values


QUICK = ("backgammon", "plakoto", "tabula")


@pytest.mark.parametrize("name", [pytest.param(name, marks=() if name in QUICK else pytest.mark.slow) for name in PLAIN])
def test_one_checker_a_side(name: str) -> None:
    reading, start = small(name, 1)
    game = few.miniature(tablezoo.game(name), 1)
    expected = plain_values(reading, start)
    keys, values = few.solve(game)
    for board, value in expected.items():
        row = game.position(oracle.text(board, (), reading)).row[None].copy()
        row[0, 4] &= ~np.uint64(1 << 18)  # after the opening
        key = np.empty(1, np.uint64)
        few.fingerprints(row, key)
        at = int(np.searchsorted(keys, key[0]))
        assert keys[at] == key[0], board
        assert values[at].view(np.float64) == pytest.approx(value, abs=1e-8), board


@pytest.mark.slow
def test_hypergammon_has_the_value_that_keith_found() -> None:
    """T. Keith, "Hypergammon" (bkgm.com), from the solution by H. Sconyers: the winner of the opening roll, without a cube.

    Gammons depend on which of equally good plays is made: here each equally often.
    """
    game = tablezoo.game("hypergammon")
    graph = few.graph_of(game)
    values = few.values_of(graph)
    assert values[0] == pytest.approx(0.0836795444708631, abs=1e-6)
    wins, gammons, backgammons, losses, gammons_lost, backgammons_lost = few.chances_of(graph, values, game)[0]
    assert wins + gammons + backgammons == pytest.approx(0.52118, abs=1e-5)
    assert losses + gammons_lost + backgammons_lost == pytest.approx(0.47882, abs=1e-5)
    assert (gammons + backgammons, backgammons) == pytest.approx((0.31021, 0.02082), abs=1e-5)
    assert (gammons_lost + backgammons_lost, backgammons_lost) == pytest.approx((0.27245, 0.01726), abs=1e-5)


@pytest.mark.parametrize("name", ["nannon", "backgammon", "acey-deucey-european", "gioul"])
def test_chances_of_the_outcomes_make_up_the_equity(name: str) -> None:
    game = tablezoo.game(name) if name == "nannon" else few.miniature(tablezoo.game(name), 1)
    graph = few.graph_of(game)
    values = few.values_of(graph)
    chances = few.chances_of(graph, values, game)
    assert chances @ np.array(game.outcomes) == pytest.approx(values, abs=1e-5)
    assert (chances.sum(axis=1) < 1 + 1e-6).all()


def test_the_exact_player_of_nannon_does_not_lose_to_the_pip_counter() -> None:
    game = tablezoo.game("nannon")
    exact = load_agent("exact", game)
    assert duel(game, exact, exact, 2_000, seed=1).ppg == 0
    result = duel(game, exact, load_agent("pips", game), 20_000, seed=2)
    assert result.ppg > 5 * result.se


def test_a_position_that_no_game_reaches_has_no_value() -> None:
    solved = few.Solution(tablezoo.game("nannon"))
    reached = tablezoo.game("nannon").start()
    assert len(solved.equities(reached.row[None])) == 1
    with pytest.raises(ValueError, match="no game reaches"):
        solved.equities(np.full((1, 5), 3, np.uint64))


@pytest.mark.parametrize("name", ["backgammon", "widdershins"])
def test_games_with_many_checkers_are_not_solved(name: str) -> None:
    with pytest.raises(ValueError, match="at most 3 checkers"):
        few.Solution(tablezoo.game(name))


def test_a_miniature_has_some_checkers_but_not_more_than_its_game() -> None:
    assert few.miniature(tablezoo.game("backgammon"), 3).start().text == "24:2 13:1 | 12:1 1:2"
    with pytest.raises(ValueError, match="1 to 3 checkers, not 4"):
        few.miniature(tablezoo.game("hypergammon"), 4)
