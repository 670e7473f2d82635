"""Duels that may stop early, and what Ctrl-C leaves of them."""

import json
import os
import signal
import threading
from pathlib import Path

import numpy as np
import pytest
from numpy.typing import NDArray
from test_cli import tablezoo  # noqa: F401 - the fixture

from agents.basic import PipsAgent, RandomAgent
from experiments.duel import FIRST_LOOK, DuelResult, duel, round_ends, rounds
from experiments.statistics import confidence_sequence
from tablezoo import game
from tablezoo.position import Game

NANNON = game("nannon")


def test_an_interval_is_as_wide_as_the_theorem_says() -> None:
    """n = 1,000, error 0.05: rho^2 = (5.99146 + ln 6.99146) / 1,000, half-width = sd * sqrt(2 (n rho^2 + 1) / (n^2 rho^2) * ln(sqrt(n rho^2 + 1) / 0.05))."""
    low, high = confidence_sequence(np.tile([1.0, -1.0], 500))
    rho2 = 0.00793618
    assert (low, high) == pytest.approx((-0.09598, 0.09598), abs=2e-5)
    assert high == pytest.approx((2 * (1000 * rho2 + 1) / (1000**2 * rho2) * np.log((1000 * rho2 + 1) ** 0.5 / 0.05)) ** 0.5, rel=1e-4)


def ever_decided(results: NDArray[np.float64], looks: range) -> bool:
    """Whether anyone who looks at these moments would have stopped."""
    return any(low > 0 or high < 0 for low, high in (confidence_sequence(results[:n]) for n in looks))


@pytest.mark.parametrize("kind", ["points", "rare", "skewed", "steady"])
def test_equal_players_are_told_apart_in_one_of_twenty_duels_at_most_however_often_one_looks(kind: str) -> None:
    """R05: 150 looks over 10,000 pairs, 400 times. Looking as often at 1.96 standard errors is wrong in a fifth of them or more."""
    generator = np.random.default_rng(1)
    draw = {
        "points": lambda: generator.choice([-3, -2, -1.5, -1, -0.5, 0, 0.5, 1, 1.5, 2, 3], size=10_000),
        "rare": lambda: generator.choice([-1.0, 0.0, 1.0], p=[0.01, 0.98, 0.01], size=10_000),
        "skewed": lambda: generator.choice([-3.0, 1.0, 0.0], p=[0.05, 0.15, 0.8], size=10_000),
        "steady": lambda: generator.normal(0, 0.2, size=10_000),
    }[kind]
    looks = range(FIRST_LOOK, 10_001, 65)
    drawn = [draw() for _ in range(400)]
    wrong = sum(ever_decided(results, looks) for results in drawn)
    assert wrong <= 20 + 2 * (400 * 0.05 * 0.95) ** 0.5
    naive = sum(any(abs(r[:n].mean()) > 1.96 * r[:n].std() / n**0.5 for n in looks) for r in drawn[:60])
    assert naive > 8, "this test could see a stop that does not allow for looking"


class Dice:
    """A player who throws dice for his plays: any two of them are equally strong, which players of two fixed seeds are not."""

    def __init__(self, seed: int) -> None:
        self.generator = np.random.default_rng(seed)

    def values(self, game: Game, rows: NDArray[np.uint64]) -> NDArray[np.float32]:
        return self.generator.random(len(rows), np.float32)


def test_equally_strong_agents_are_rarely_told_apart() -> None:
    """60 duels of which 5 % may err: more than 8 would have a chance of 1 in 400."""
    wrong = sum(duel(NANNON, Dice(2 * seed), Dice(2 * seed + 1), 2_000, seed=seed, until="decided").decided for seed in range(60))
    assert wrong <= 8


def test_a_clear_duel_stops_early_and_for_the_right_one() -> None:
    whole = duel(NANNON, PipsAgent(NANNON), RandomAgent(NANNON), 20_000, seed=1)
    early = duel(NANNON, PipsAgent(NANNON), RandomAgent(NANNON), 20_000, seed=1, until="decided")
    assert early.decided
    assert 2 * FIRST_LOOK <= early.games < 4_000
    assert early.interval[0] > 0
    assert early.interval[0] < whole.ppg < early.interval[1]
    assert np.array_equal(early.points, whole.points[: len(early.points)])


def test_a_duel_with_oneself_is_never_decided() -> None:
    assert duel(NANNON, PipsAgent(NANNON), PipsAgent(NANNON), 2_000, seed=1, until="decided").games == 2_000


def test_too_few_games_decide_nothing() -> None:
    assert not DuelResult(np.ones((FIRST_LOOK - 1, 2), np.int64)).decided
    assert DuelResult(np.ones((FIRST_LOOK, 2), np.int64)).decided


def test_rounds_grow_and_end_where_they_do_when_a_duel_goes_on() -> None:
    assert round_ends(1_000, 256) == [8, 16, 32, 64, 128, 256, 512, 768, 1_000]
    whole = list(rounds(NANNON, PipsAgent(NANNON), RandomAgent(NANNON), 1_000, 3))
    later = list(rounds(NANNON, PipsAgent(NANNON), RandomAgent(NANNON), 1_000, 3, so_far=whole[1]))
    assert [result.games for result in later] == [result.games for result in whole[2:]]
    assert np.array_equal(later[-1].points, whole[-1].points)
    assert list(rounds(NANNON, PipsAgent(NANNON), RandomAgent(NANNON), 1_000, 3, so_far=whole[-1])) == []


class Stopped:
    """A pip counter at whose 80th call the user presses Ctrl-C."""

    def __init__(self, game: Game) -> None:
        self.calls = 0
        self.pips = PipsAgent(game)

    def values(self, game: Game, rows: NDArray[np.uint64]) -> NDArray[np.float32]:
        self.calls += 1
        if self.calls == 80:
            os.kill(os.getpid(), signal.SIGINT)
        return self.pips.values(game, rows)


def stopped(name: str, played: Game) -> object:
    return Stopped(played) if name == "pips" else RandomAgent(played)


def test_ctrl_c_tells_the_games_that_were_played(tablezoo, monkeypatch: pytest.MonkeyPatch) -> None:  # type: ignore[no-untyped-def]  # noqa: F811
    monkeypatch.setattr("experiments.arena.load_agent", stopped)
    code, out, _ = tablezoo("duel", "pips", "random", "--game", "nannon", "--games", "100000", "--json")
    found = json.loads(out)
    assert code == 130
    assert found["games"] in [2**n for n in range(4, 13)], "whole rounds: games that end early must not count more"
    whole = duel(NANNON, PipsAgent(NANNON), RandomAgent(NANNON), found["games"], seed=1)
    assert (found["ppg"], found["se"]) == (whole.ppg, whole.se)


def test_ctrl_c_before_any_game_is_over_says_so(tablezoo, monkeypatch: pytest.MonkeyPatch) -> None:  # type: ignore[no-untyped-def]  # noqa: F811
    def at_once(name: str, played: Game) -> object:
        agent = stopped(name, played)
        if isinstance(agent, Stopped):
            agent.calls = 78
        return agent

    monkeypatch.setattr("experiments.arena.load_agent", at_once)
    code, out, err = tablezoo("duel", "pips", "random", "--game", "nannon", "--json")
    assert (code, out) == (130, "")
    assert err == "tablezoo: stopped before the first games had come to their end\n"


def test_a_duel_from_a_config_keeps_what_was_played_and_goes_on(tablezoo, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:  # type: ignore[no-untyped-def]  # noqa: F811
    (tmp_path / "d.toml").write_text('kind = "duel"\ngame = "nannon"\na = "pips"\nb = "random"\ngames = 4000\njudge = "exact"\n')
    with monkeypatch.context() as patch:
        patch.setattr("experiments.arena.load_agent", lambda name, played: load(name, played) if name == "exact" else stopped(name, played))
        code, out, _ = tablezoo("run", "d.toml", "--name", "cut")
    assert (code, "go on with --resume" in out) == (130, True)
    assert json.loads((tmp_path / "runs/cut/run.json").read_text())["status"] == "interrupted"
    kept = json.loads((tmp_path / "runs/cut/duels.jsonl").read_text())
    assert 0 < kept["games"] < 4_000
    assert tablezoo("run", "d.toml", "--name", "cut", "--resume")[0] == 0
    assert tablezoo("run", "d.toml", "--name", "whole")[0] == 0
    cut, whole = ((tmp_path / "runs" / name / "duels.jsonl").read_text() for name in ("cut", "whole"))
    assert cut == whole
    assert "luck" in json.loads(whole)


def load(name: str, played: Game) -> object:
    from tablezoo.agent import load_agent

    return load_agent(name, played)


class Broken:
    """An agent that fails after a while."""

    def __init__(self) -> None:
        self.calls = 0

    def values(self, game: Game, rows: NDArray[np.uint64]) -> NDArray[np.float32]:
        self.calls += 1
        if self.calls > 30:
            raise RuntimeError("the engine died")
        return np.zeros(len(rows), np.float32)


@pytest.mark.parametrize("words", [("duel", "pips", "random", "--game", "nannon", "--json"), ("run", "d.toml")])
def test_an_agent_that_fails_ends_the_command_without_a_score(tablezoo, tmp_path, capsys, monkeypatch, words: tuple[str, ...]) -> None:  # type: ignore[no-untyped-def]  # noqa: F811
    (tmp_path / "d.toml").write_text('kind = "duel"\ngame = "nannon"\na = "pips"\nb = "random"\n')
    monkeypatch.setattr("experiments.arena.load_agent", lambda name, played: Broken() if name == "pips" else RandomAgent(played))
    with pytest.raises(RuntimeError, match="the engine died"):
        tablezoo(*words)
    out = capsys.readouterr().out
    assert "ppg" not in out
    assert "points per game" not in out
    if words[0] == "run":
        told = json.loads((tmp_path / "runs/d/run.json").read_text())
        assert (told["status"], told["error"]) == ("failed", "RuntimeError: the engine died")
        assert "results" not in told


def test_duels_can_be_played_side_by_side_in_threads() -> None:
    """numba's threads abort a process that calls parallel code from two threads (numba#8563)."""
    found: list[float] = []
    threads = [threading.Thread(target=lambda: found.append(duel(NANNON, PipsAgent(NANNON), RandomAgent(NANNON), 200, seed=1).ppg)) for _ in range(2)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert len(found) == 2
    assert found[0] == found[1]


def test_a_judge_that_values_nothing_is_refused_before_a_folder_is_made(tablezoo, tmp_path: Path) -> None:  # type: ignore[no-untyped-def]  # noqa: F811
    (tmp_path / "d.toml").write_text('kind = "duel"\na = "pips"\nb = "random"\njudge = "pubeval"\n')
    code, out, err = tablezoo("run", "d.toml")
    assert (code, out, err.count("\n")) == (2, "", 1)
    assert "judge: pubeval compares plays but puts no value on them; choose another judge, like td" in err
    assert not (tmp_path / "runs").exists()


def test_until_is_one_of_two(tablezoo) -> None:  # type: ignore[no-untyped-def]  # noqa: F811
    code, out, err = tablezoo("duel", "pips", "random", "--until", "tired")
    assert (code, out) == (2, "")
    assert "until: input should be 'games' or 'decided', not 'tired'" in err
