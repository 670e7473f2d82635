"""Rollouts against solved games: their mean is the exact value, and with an exact judge every single game is."""

from io import StringIO
from pathlib import Path

import numpy as np
import pytest
from rich.console import Console
from test_search import game_of, some_nodes

import agents.rollout
import tablezoo
from agents.basic import PipsAgent
from agents.exact import ExactAgent, solution
from agents.rollout import RolloutAgent, roll_out
from experiments.regret import regret
from experiments.rolling import plays_rolled_out
from tablezoo.agent import load_agent

GAMES = ["nannon", *(f"{name}-1" for name in ("backgammon", "plakoto", "acey-deucey-european", "gul-bara", "gioul", "tabula"))]


@pytest.mark.parametrize("plies", [0, 3])
@pytest.mark.parametrize("name", GAMES)
def test_without_luck_a_game_of_perfect_players_is_worth_its_value(name: str, plies: int) -> None:
    game = game_of(name)
    exact, rows = ExactAgent(game), some_nodes(game, 4)
    result = roll_out(game, exact, rows, games=6, plies=plies)
    assert result.points == pytest.approx(np.repeat(exact.values(game, rows)[:, None], 6, axis=1), abs=1e-4)


@pytest.mark.parametrize("name", ["nannon", "gioul-1"])
def test_with_luck_the_mean_is_the_value(name: str) -> None:
    game = game_of(name)
    exact, rows = ExactAgent(game), some_nodes(game, 4)
    result = roll_out(game, exact, rows, games=4_000, reduce=False)
    assert (result.se > 0).any()
    assert (np.abs(result.mean - exact.values(game, rows)) < 4.5 * result.se + 1e-4).all()


def test_luck_is_taken_off_by_a_poor_judge_too() -> None:
    """Zare: whoever judges, the mean stays; the values of a pip counter are no points at all."""
    game = tablezoo.game("nannon")
    rows = some_nodes(game, 3)
    plain = roll_out(game, PipsAgent(game), rows, games=8_000, seed=1, reduce=False)
    reduced = roll_out(game, PipsAgent(game), rows, games=8_000, seed=2)
    assert (np.abs(plain.mean - reduced.mean) < 4.5 * np.hypot(plain.se, reduced.se)).all()


def test_the_dice_are_those_of_the_seed() -> None:
    game = tablezoo.game("nannon")
    rows = some_nodes(game, 2)
    one, again, other = (roll_out(game, PipsAgent(game), rows, games=50, seed=seed, reduce=False).points for seed in (1, 1, 2))
    assert (one == again).all()
    assert (one != other).any()


def test_rolling_out_a_poor_player_plays_better_than_he_does() -> None:
    game = tablezoo.game("nannon")
    lost = {name: regret(game, load_agent(name, game), solution(game), 3_000, seed=3) for name in ("pips", "rollout:pips,games=100,margin=100")}
    poor, better = lost.values()
    assert better.loss_mp + 3 * better.se_mp < poor.loss_mp


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ("games=1", "rollout: games must be a whole number from 2"),
        ("plies=-1", "rollout: plies must be a whole number from 0"),
        ("margin=x", "rollout: margin must be a number from 0"),
        ("sims=3", "sims"),
    ],
)
def test_wrong_options_get_one_line(options: str, message: str) -> None:
    with pytest.raises(ValueError, match=message) as refused:
        load_agent(f"rollout:pips,{options}", tablezoo.game("nannon"))
    assert "\n" not in str(refused.value)


def test_players_who_only_compare_cannot_be_rolled_out() -> None:
    with pytest.raises(ValueError, match="only compares plays"):
        RolloutAgent(tablezoo.game("backgammon"), "pubeval")


def rolled(keep: Path | None, games: int, seed: int = 1) -> list[tuple[str, float, float]]:
    game = tablezoo.game("nannon")
    agent = load_agent(f"rollout:pips,games={games},seed={seed}", game)
    node = game.start().rolled((3,))
    return [(play.text, mean, error) for play, mean, error in plays_rolled_out(node, agent, Console(file=StringIO()), keep, "pips")]


def test_a_rollout_goes_on_from_its_file(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The same as in one go: broken off in the middle, and with more games than at first."""
    file = tmp_path / "rollout"
    whole = rolled(None, 3_000)

    def interrupted(game: tablezoo.Game, base: object, row: np.ndarray, states: np.ndarray, plies: int, reduce: bool) -> np.ndarray:
        counted.append(len(states))
        if len(counted) == 2:
            raise KeyboardInterrupt
        return played(game, base, row, states, plies, reduce)

    counted: list[int] = []
    played = agents.rollout._played
    monkeypatch.setattr(agents.rollout, "_played", interrupted)
    with pytest.raises(KeyboardInterrupt):
        rolled(file, 2_000)
    first, counted = counted[0], []
    monkeypatch.setattr(agents.rollout, "_played", lambda *a: counted.append(len(a[3])) or played(*a))
    assert rolled(file, 3_000) == whole
    assert sum(counted) + first == 3_000 * len(whole)
    counted.clear()
    assert rolled(file, 2_000) == rolled(None, 2_000)
    assert rolled(file, 3_000) == whole
    assert sum(counted) == 2_000 * len(whole)


def test_a_file_of_another_rollout_is_refused(tmp_path: Path) -> None:
    file = tmp_path / "rollout"
    rolled(file, 10)
    with pytest.raises(ValueError, match=r"rollout: results of another rollout, with seed 1; name another file"):
        rolled(file, 10, seed=2)
    file.write_bytes(file.read_bytes()[:40])
    with pytest.raises(ValueError, match="no rollout, or damaged"):
        rolled(file, 10)
