"""Leagues and ratings: strengths that can be computed by hand, and duels that are played once."""

import json
from pathlib import Path

import numpy as np
import pytest
from scipy.special import expit
from test_cli import tablezoo  # noqa: F401 - the fixture

from experiments import duel
from experiments.duel import DuelResult
from experiments.rating import ELO, bradley_terry, ratings


def duel_won(wins: int, losses: int, seed: int = 0) -> DuelResult:
    """A duel in which each game counts a point, in any order."""
    points = np.repeat([1, -1], [wins, losses])
    np.random.default_rng(seed).shuffle(points)
    return DuelResult(points.reshape(-1, 2))


def test_two_agents_differ_by_the_logarithm_of_their_wins() -> None:
    strong, weak = bradley_terry(np.array([[0.0, 75.0], [25.0, 0.0]]))
    assert strong - weak == pytest.approx(np.log(3), abs=1e-4)
    assert strong + weak == pytest.approx(0, abs=1e-12)


def test_known_strengths_are_found_again() -> None:
    strengths = np.array([1.5, 0.3, -0.4, -1.4])
    wins = 1_000 * expit(strengths[:, None] - strengths[None, :])
    np.fill_diagonal(wins, 0)
    assert bradley_terry(wins) == pytest.approx(strengths, abs=1e-3)


def test_four_hundred_points_are_odds_of_ten_to_one() -> None:
    found = ratings(("a", "b"), {("a", "b"): duel_won(10_000, 1_000)})
    assert list(found) == ["a", "b"]
    assert found["a"].elo - found["b"].elo == pytest.approx(400, abs=0.5)
    assert (found["a"].games, found["b"].ppg) == (11_000, pytest.approx(-9 / 11))


def test_intervals_are_as_wide_as_theory_says() -> None:
    """Of n independent games the log-odds has the standard error 1 / sqrt(n p q); half of it falls to each of two agents."""
    rating = ratings(("a", "b"), {("a", "b"): duel_won(6_000, 4_000)})["a"]
    expected = 2 * 1.96 * ELO / np.sqrt(10_000 * 0.6 * 0.4) / 2
    assert rating.high - rating.low == pytest.approx(expected, rel=0.2)
    assert rating.low < rating.elo < rating.high


def test_who_always_wins_has_a_finite_rating() -> None:
    found = ratings(("a", "b"), {("b", "a"): duel_won(0, 100)})
    assert 400 < found["a"].elo - found["b"].elo < 1_200


NANNON = """
kind = "league"
game = "nannon"
agents = ["random", "exact", "pips"]
games = 400
"""


def test_a_league_ranks_its_players_and_plays_each_duel_once(tablezoo, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:  # type: ignore[no-untyped-def]  # noqa: F811
    (tmp_path / "nannon.toml").write_text(NANNON)
    code, out, err = tablezoo("run", "nannon.toml")
    assert (code, err) == (0, "")
    places = [line for line in out.splitlines() if any(f"│ {place} " in line for place in (1, 2, 3))]
    assert ["exact" in places[0], "pips" in places[1], "random" in places[2]] == [True] * 3
    told = json.loads((tmp_path / "runs" / "nannon" / "run.json").read_text())
    assert (told["status"], list(told["ratings"])) == ("finished", ["exact", "pips", "random"])
    before = (tmp_path / "runs" / "nannon" / "duels.jsonl").read_text()
    assert len(before.splitlines()) == 3

    pairs: list[int] = []
    real = duel.play_pairs
    monkeypatch.setattr(duel, "play_pairs", lambda game, a, b, states, *rest: pairs.append(len(states)) or real(game, a, b, states, *rest))
    code, _, _ = tablezoo("run", "nannon.toml", 'agents=["random","exact","pips","random:seed=2"]', "--resume")
    assert (code, sum(pairs)) == (0, 3 * 200)
    after = (tmp_path / "runs" / "nannon" / "duels.jsonl").read_text()
    assert after.startswith(before)
    assert len(after.splitlines()) == 6


def test_a_league_goes_on_only_with_the_same_games_and_sound_duels(tablezoo, tmp_path: Path) -> None:  # type: ignore[no-untyped-def]  # noqa: F811
    (tmp_path / "nannon.toml").write_text(NANNON)
    assert tablezoo("run", "nannon.toml", "games=20")[0] == 0
    code, _, err = tablezoo("run", "nannon.toml", "seed=2", "--resume")
    assert code == 2
    assert "seed differ" in err
    path = tmp_path / "runs" / "nannon" / "duels.jsonl"
    lines = path.read_text().splitlines()
    path.write_text("\n".join([lines[0], lines[1][:-9], lines[2]]))
    code, _, err = tablezoo("run", "nannon.toml", "games=20", "--resume")
    assert code == 2
    assert "duels.jsonl, line 2: not a duel" in err


def test_a_league_that_asks_for_more_games_plays_only_those(tablezoo, tmp_path: Path) -> None:  # type: ignore[no-untyped-def]  # noqa: F811
    (tmp_path / "nannon.toml").write_text(NANNON)
    assert tablezoo("run", "nannon.toml", "games=200", "--name", "more")[0] == 0
    assert tablezoo("run", "nannon.toml", "games=400", "--name", "more", "--resume")[0] == 0
    assert tablezoo("run", "nannon.toml", "games=400", "--name", "whole")[0] == 0
    more, whole = ((tmp_path / "runs" / name / "duels.jsonl").read_text() for name in ("more", "whole"))
    assert more == whole


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ('agents=["pips"]', "agents: "),
        ('agents=["pips","pips"]', "pips is named twice"),
        ('agents=["pips","nobody"]', "unknown agent 'nobody'"),
        ("games=3", "games: "),
        ("opponents=3", "unknown key opponents"),
    ],
)
def test_a_wrong_league_gets_one_line(tablezoo, tmp_path: Path, change: str, message: str) -> None:  # type: ignore[no-untyped-def]  # noqa: F811
    (tmp_path / "nannon.toml").write_text(NANNON)
    code, out, err = tablezoo("run", "nannon.toml", change)
    assert (code, out) == (2, "")
    assert message in err
    assert err.count("\n") == 1
    assert not (tmp_path / "runs").exists()
