"""Games with few checkers, solved: against plain value iteration over the oracle's plays, and published values."""

from dataclasses import replace
from itertools import permutations

import numpy as np
import oracle_zoo as oracle
import pytest
from oracle_zoo import START, ZOO, Board, Reading

import tablezoo
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
