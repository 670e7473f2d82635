"""Every game of the zoo has a recorded game that still comes out the same, and a perft that others can check."""

import pytest
from playthrough import replay

import tablezoo

PERFT = {
    "backgammon": (447, 202_782),  # gnubg, wildbg and a plain C generator
    "simple-backgammon": (447, 202_782),  # both numbers can be played nearly always so early
    "takhteh": (447, 200_516),  # the oracle
    "portes": (447, 202_782),  # backgammon's plays
    "tavla": (447, 200_516),  # Takhteh's, since nobody bears off so early
    "nackgammon": (547, 324_161),  # this and all below: the oracles
    "hypergammon": (195, 38_017),
    "longgammon": (59, 3_484),
    "irish": (246, 63_722),
    "plakoto": (59, 3_474),
    "tapa": (59, 3_474),
    "mahbouseh": (59, 3_474),
    "fevga": (22, 479),
    "moultezim": (22, 479),
    "long-narde": (22, 484),
    "tawla-31": (21, 441),
    "jacquet": (21, 441),
    "gul-bara": (53, 2_768),
    "gioul": (59, 2_431),
    "dutch": (21, 441),
    "acey-deucey-american": (60, 3_496),
    "acey-deucey-european": (60, 2_323),
    "russian": (21, 321),
    "tabula": (238, 68_324),
    "nannon": (9, 115),
    "ofanfelling": (21, 441),  # no choices before the bear-off
    "widdershins": (492, 7_950),
}
"""Leaves at depth 1 and 2."""


@pytest.mark.parametrize("name", tablezoo.games())
def test_recorded_game_comes_out_the_same(name: str) -> None:
    for recorded, today in replay(name):
        assert recorded == today


@pytest.mark.parametrize("name", tablezoo.games())
def test_perft(name: str) -> None:
    assert tuple(tablezoo.game(name).perft(depth) for depth in (1, 2)) == PERFT[name]
