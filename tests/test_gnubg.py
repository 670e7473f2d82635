"""GNU Backgammon as an agent, where gnubg-nn is installed."""

import sys

import pytest

from experiments.duel import duel
from tablezoo import game
from tablezoo.agent import load_agent

BACKGAMMON = game("backgammon")


def equity(text: str) -> float:
    pytest.importorskip("gnubg_nn")
    return float(load_agent("gnubg", BACKGAMMON).values(BACKGAMMON, BACKGAMMON.position(text).row[None])[0])


@pytest.mark.parametrize(
    ("text", "expected", "error"),
    [
        ("24:2 13:5 8:3 6:5 | 19:5 17:3 12:5 1:2", 0.0758, 0.02),  # its own 2-ply value
        ("6:1 | 19:1 (off=14 ooff=14)", 0.625, 0.001),  # two-sided bear-off tables
        ("6:1 | 24:1 (off=14 ooff=14)", 0.5, 0.001),
        ("6:1 | 20:1 (off=14 ooff=14)", 2 * 0.784722 - 1, 0.001),  # by enumeration
        ("4:1 | 21:1 (off=14 ooff=14)", 2 * 0.947531 - 1, 0.001),
        ("1:1 | 19:1 (off=14 ooff=14)", 1.0, 0.001),
    ],
)
def test_gnubg_values_known_positions(text: str, expected: float, error: float) -> None:
    assert equity(text) == pytest.approx(expected, abs=error)


def test_gnubg_sees_whose_checkers_are_whose() -> None:
    """A lone checker on the bar against a closed board, and the other side of it."""
    assert equity("6:2 5:2 4:2 3:2 2:2 1:2 8:3 | 12:14 (obar=1)") > 1
    assert equity("13:14 | 24:2 23:2 22:2 21:2 20:2 19:2 17:3 (bar=1)") < -1


@pytest.mark.slow
def test_gnubg_beats_pubeval_as_it_does_elsewhere() -> None:
    """+0.6385 +- 0.009 over 20,000 games of another harness."""
    pytest.importorskip("gnubg_nn")
    result = duel(BACKGAMMON, load_agent("gnubg", BACKGAMMON), load_agent("pubeval", BACKGAMMON), 4_000, seed=1)
    assert abs(result.ppg - 0.6385) < 3 * (result.se**2 + 0.009**2) ** 0.5


def test_gnubg_is_asked_for_in_one_line_where_it_is_missing(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "gnubg_nn", None)
    with pytest.raises(ValueError, match=r"pip install 'tablezoo\[referees\]'"):
        load_agent("gnubg", BACKGAMMON)
    with pytest.raises(ValueError, match="plies must be 0, 1 or 2"):
        load_agent("gnubg:plies=9", BACKGAMMON)
    with pytest.raises(ValueError, match="gnubg plays backgammon by its usual rules"):
        load_agent("gnubg", game("simple-backgammon"))
