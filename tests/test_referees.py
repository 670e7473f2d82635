"""Referees as agents: the official gnubg over its socket, Open Sage; each asked for in one line where it is missing."""

import gc
import os
import shutil
import signal
import subprocess
import sys
import time
from pathlib import Path

import numpy as np
import pytest
from conftest import random_nodes

from agents import gnubg_external
from agents.gnubg_external import ExternalGnubgAgent, moved_board
from agents.points26 import points26, turned
from experiments.duel import duel
from tablezoo import game
from tablezoo.agent import choose, load_agent
from tablezoo.position import Position

BACKGAMMON = game("backgammon")
KNOWN = [
    ("24:2 13:5 8:3 6:5 | 19:5 17:3 12:5 1:2", 0.0758, 0.02),
    ("6:1 | 19:1 (off=14 ooff=14)", 0.625, 0.001),
    ("6:1 | 24:1 (off=14 ooff=14)", 0.5, 0.001),
    ("6:1 | 20:1 (off=14 ooff=14)", 2 * 0.784722 - 1, 0.001),
    ("6:2 5:2 4:2 3:2 2:2 1:2 8:3 | 12:14 (obar=1)", 2.0, 0.1),
    ("13:14 | 24:2 23:2 22:2 21:2 20:2 19:2 17:3 (bar=1)", -2.0, 0.1),
]
"""Positions and what gnubg says of them 2-ply, its two-sided bear-off tables, or enumeration; a checker on the bar against a closed board from both sides."""


@pytest.fixture
def gnubg():  # type: ignore[no-untyped-def]
    """The official gnubg, looking at nothing but the plays."""
    if shutil.which("gnubg", path=gnubg_external.PATH) is None:
        pytest.skip("gnubg is not installed")
    return ExternalGnubgAgent(BACKGAMMON)


def test_boards_are_numbered_from_the_side_of_the_player_to_act() -> None:
    row = BACKGAMMON.position("24:2 6:5 | 19:4 1:2 (bar=1 obar=3 off=7 ooff=6)").row[None]
    board = points26(BACKGAMMON, row)
    assert {point: int(n) for point, n in enumerate(board[0]) if n} == {0: -3, 1: -2, 6: 5, 19: -4, 24: 2, 25: 1}
    assert {point: int(n) for point, n in enumerate(turned(board)[0]) if n} == {25: 3, 24: 2, 19: -5, 6: 4, 1: -2, 0: -1}


def test_moves_are_made_as_gnubg_writes_them() -> None:
    board = points26(BACKGAMMON, BACKGAMMON.position("24:1 8:1 2:1 | 20:1 19:2 (bar=1 off=11 ooff=12)").row[None])[0]
    after = moved_board(board, "25/20* 24/23")
    assert {point: int(n) for point, n in enumerate(after) if n} == {0: -1, 2: 1, 8: 1, 19: -2, 20: 1, 23: 1}
    assert moved_board(board, "2/0 8/6").sum() == board.sum() - 1
    assert np.array_equal(moved_board(board, ""), board)


@pytest.mark.parametrize(("text", "expected", "error"), KNOWN)
def test_gnubg_values_known_positions(gnubg: ExternalGnubgAgent, text: str, expected: float, error: float) -> None:
    assert gnubg.values(BACKGAMMON, BACKGAMMON.position(text).row[None])[0] == pytest.approx(expected, abs=error)


def test_gnubg_s_moves_are_plays_and_mostly_those_of_its_evaluator_in_process(gnubg: ExternalGnubgAgent) -> None:
    """In 97.7 % of 2,000 positions the same elsewhere; every chosen play is one of ours, or it would be refused."""
    pytest.importorskip("gnubg_nn")
    nodes = random_nodes("backgammon", 400)
    official, in_process = (choose(agent, BACKGAMMON, nodes) for agent in (gnubg, load_agent("gnubg", BACKGAMMON)))
    assert (official == in_process).all(axis=1).mean() > 0.95


def test_gnubg_bears_off_its_last_checker(gnubg: ExternalGnubgAgent) -> None:
    node = BACKGAMMON.position("2:1 1:1 | 24:2 (off=13 ooff=13)").rolled((2, 1))
    after = choose(gnubg, BACKGAMMON, node.row[None])[0]
    assert Position(BACKGAMMON, after, 1).outcome == 1


def test_gnubg_is_ended_with_its_agent(gnubg: ExternalGnubgAgent) -> None:
    process = ExternalGnubgAgent(BACKGAMMON)._gnubg._process
    gc.collect()
    assert process.poll() is not None
    assert gnubg._gnubg._process.poll() is None


def test_gnubg_does_not_outlive_a_killed_process(tmp_path: Path, gnubg: ExternalGnubgAgent) -> None:
    if shutil.which("setpriv") is None:
        pytest.skip("there is no setpriv")
    program = (
        "import os, signal\nfrom agents.gnubg_external import ExternalGnubgAgent\nfrom tablezoo import game\n"
        "agent = ExternalGnubgAgent(game('backgammon'))\nprint(agent._gnubg._process.pid, flush=True)\nos.kill(os.getpid(), signal.SIGKILL)"
    )
    done = subprocess.run([sys.executable, "-c", program], stdout=subprocess.PIPE, text=True, check=False)
    assert done.returncode == -signal.SIGKILL
    stat, deadline = Path(f"/proc/{int(done.stdout)}/stat"), time.monotonic() + 10
    while stat.exists() and stat.read_text().split()[2] != "Z" and time.monotonic() < deadline:
        time.sleep(0.02)
    assert not stat.exists() or stat.read_text().split()[2] == "Z"


def test_a_gnubg_that_dies_is_told_in_one_line(gnubg: ExternalGnubgAgent) -> None:
    os.kill(gnubg._gnubg._process.pid, signal.SIGKILL)
    gnubg._gnubg._process.wait()
    with pytest.raises(ValueError, match="gnubg-external: gnubg has ended"):
        gnubg.values(BACKGAMMON, BACKGAMMON.start().row[None])


def test_a_gnubg_that_does_not_start_is_told_in_one_line(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "gnubg").write_text("#!/bin/sh\necho no weights\nexit 1\n")
    (tmp_path / "gnubg").chmod(0o755)
    monkeypatch.setattr(gnubg_external, "PATH", str(tmp_path))
    with pytest.raises(ValueError, match="gnubg does not listen; it said: no weights"):
        ExternalGnubgAgent(BACKGAMMON)


@pytest.mark.parametrize(
    ("name", "message"),
    [
        ("gnubg-external", "gnubg-external needs GNU Backgammon: apt-get install gnubg gnubg-data"),
        ("bgsage", r"bgsage needs the package bgsage: pip install 'tablezoo\[referees\]'"),
        ("gnubg-external:plies=4", "plies must be 0 to 3"),
        ("bgsage:plies=x", "plies must be 0 to 3"),
        ("bgsage:threads=-1", "threads must be a whole number"),
    ],
)
def test_a_missing_referee_is_asked_for_in_one_line(monkeypatch: pytest.MonkeyPatch, name: str, message: str) -> None:
    monkeypatch.setattr(gnubg_external, "PATH", "/nowhere")
    monkeypatch.setitem(sys.modules, "bgbot_cpp", None)
    with pytest.raises(ValueError, match=message):
        load_agent(name, BACKGAMMON)


@pytest.mark.parametrize("name", ["gnubg-external", "bgsage"])
def test_referees_play_backgammon_only(name: str) -> None:
    for other in (game("nackgammon"), game("backgammon", larger_die=False)):
        with pytest.raises(ValueError, match=f"{name} plays backgammon by its usual rules"):
            load_agent(name, other)


@pytest.mark.parametrize(("text", "expected", "error"), KNOWN)
@pytest.mark.parametrize("plies", ["0", "1"])
def test_bgsage_values_known_positions(text: str, expected: float, error: float, plies: str) -> None:
    pytest.importorskip("bgsage")
    bgsage = load_agent(f"bgsage:plies={plies}", BACKGAMMON)
    assert bgsage.values(BACKGAMMON, BACKGAMMON.position(text).row[None])[0] == pytest.approx(expected, abs=error)


@pytest.mark.slow
def test_referees_are_about_as_strong_as_each_other(gnubg: ExternalGnubgAgent) -> None:
    """gnubg over its socket -0.03 +- 0.08 and +0.025 +- 0.043 against gnubg in process elsewhere, Open Sage's net -0.008 +- 0.016."""
    pytest.importorskip("gnubg_nn")
    in_process, judge = load_agent("gnubg", BACKGAMMON), load_agent("td", BACKGAMMON)
    result = duel(BACKGAMMON, gnubg, in_process, 400, seed=1, judge=judge)
    assert abs(result.ppg) < 0.03
    pytest.importorskip("bgsage")
    result = duel(BACKGAMMON, load_agent("bgsage", BACKGAMMON), in_process, 1_000, seed=1, judge=judge)
    assert abs(result.ppg + 0.008) < 4 * (result.se**2 + 0.016**2) ** 0.5
