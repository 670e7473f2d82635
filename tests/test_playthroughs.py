"""Every game of the zoo has a recorded game that still comes out the same, and a perft that others can check."""

import pytest
from playthrough import replay

import tablezoo

PERFT = {
    "backgammon": (447, 202_782),  # gnubg, wildbg and a plain C generator
    "simple-backgammon": (447, 202_782),  # both numbers can be played nearly always so early
    "takhteh": (447, 200_516),  # the oracle
    "ofanfelling": (21, 441),  # no choices before the bear-off
    "widdershins": (492, 7_950),  # the oracle
}
"""Leaves at depth 1 and 2."""


@pytest.mark.parametrize("name", tablezoo.games())
def test_recorded_game_comes_out_the_same(name: str) -> None:
    for recorded, today in replay(name):
        assert recorded == today


@pytest.mark.parametrize("name", tablezoo.games())
def test_perft(name: str) -> None:
    assert tuple(tablezoo.game(name).perft(depth) for depth in (1, 2)) == PERFT[name]
