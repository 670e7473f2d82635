"""The PettingZoo environments of every game: the library's own checks, and the game behind them."""

import copy
import re
import warnings
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import tablezoo
from tablezoo.envs.setup import IllegalAction
from tablezoo.envs.single import TablesEnv

pettingzoo = pytest.importorskip("pettingzoo", reason="the extra pettingzoo is not installed")
with warnings.catch_warnings():
    warnings.simplefilter("ignore", DeprecationWarning)  # of PettingZoo, about its own tests
    from pettingzoo.test import api_test, render_test, seed_test

from tablezoo.envs.pettingzoo import env, raw_env  # noqa: E402

MODES = ["steps", "plays"]
every_game = pytest.mark.parametrize("name", tablezoo.games())
both_modes = pytest.mark.parametrize("mode", MODES)


def some_action(mask: Any, rng: np.random.Generator) -> int:
    """A random legal action."""
    return int(rng.choice(np.flatnonzero(mask)))


@every_game
@both_modes
@pytest.mark.filterwarnings("ignore:Observation space for each agent probably should be")  # though masks ask for a Dict
@pytest.mark.filterwarnings("ignore:Observation is not a NumPy array")
def test_pettingzoos_api_test(name: str, mode: str) -> None:
    api_test(env(name, action_mode=mode, max_stages=200), num_cycles=300)


@every_game
def test_pettingzoos_seed_test(name: str) -> None:
    seed_test(lambda: env(name), num_cycles=60)


@every_game
def test_pettingzoos_render_test(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    pytest.importorskip("pygame")
    monkeypatch.setenv("SDL_VIDEODRIVER", "dummy")
    monkeypatch.setitem(raw_env.__init__.__globals__, "FPS", 1e6)
    render_test(lambda render_mode: env(name, render_mode=render_mode))


@every_game
@both_modes
def test_agents_see_and_win_what_the_players_of_the_game_do(name: str, mode: str) -> None:
    """Against the single environment in self-play, whose games are held to the rules elsewhere."""
    ours, game = env(name, action_mode=mode, max_stages=400), TablesEnv(name, action_mode=mode, max_stages=400)
    rng = np.random.default_rng(1)
    for seed in (3, 4):
        ours.reset(seed=seed)
        observation, info = game.reset(seed=seed)
        terminated = truncated = False
        while not (terminated or truncated):
            agent, mover = ours.agent_selection, game.position.player
            assert agent == f"player_{mover}"
            seen = ours.observe(agent)
            assert (seen["observation"] == observation).all()
            assert (seen["action_mask"] == info["action_mask"]).all()
            other = ours.observe(f"player_{1 - mover}")
            assert not other["action_mask"].any()
            action = some_action(info["action_mask"], rng)
            ours.step(action)
            observation, reward, terminated, truncated, info = game.step(action)
            assert ours.rewards == {agent: reward, f"player_{1 - mover}": -reward}
        assert set(ours.terminations.values()) == {terminated}
        assert set(ours.truncations.values()) == {truncated}
        totals = {agent: ours._cumulative_rewards[agent] for agent in ours.agents}
        assert totals == {agent: reward, f"player_{1 - mover}": -reward}


def test_each_agent_sees_the_board_from_its_side() -> None:
    ours = env("backgammon", observation="counts")
    ours.reset(options={"position": "24:1 13:3 6:6 2:2 | 22:9 21:1 18:1 (bar=2 off=1 obar=1 ooff=3 dice=65)"})
    first, second = (ours.observe(agent)["observation"] for agent in ("player_0", "player_1"))
    assert (first[:52] == second[:52][::-1]).all()
    assert first[52:].tolist() == second[52:].tolist() == [0, 0, 0, 0, 1, 1]


@every_game
@both_modes
def test_an_illegal_action_loses_or_raises(name: str, mode: str) -> None:
    ours = env(name, action_mode=mode)
    ours.reset(seed=1)
    mover = ours.agent_selection
    wrong = int(np.flatnonzero(ours.observe(mover)["action_mask"] == 0)[-1])
    before = ours.unwrapped.game_env.position
    ours.step(wrong)
    assert ours.rewards == {agent: -1.0 if agent == mover else 1.0 for agent in ours.possible_agents}
    assert all(ours.terminations.values())
    assert ours.infos[mover]["illegal"]
    assert ours.unwrapped.game_env.position == before
    strict = env(name, action_mode=mode, on_illegal="raise")
    strict.reset(seed=1)
    with pytest.raises(IllegalAction):
        strict.step(wrong)
    assert not any(strict.terminations.values())


@every_game
@both_modes
def test_a_deep_copy_neither_knows_nor_moves_the_dice_of_its_original(name: str, mode: str) -> None:
    ours, twin = (env(name, action_mode=mode, max_stages=1000) for _ in range(2))
    for each in (ours, twin):
        each.reset(seed=1)
    copied = copy.deepcopy(ours)
    rolls: list[list[Any]] = []
    for each in (copied, ours, twin):
        shown = []
        for _ in range(25):
            if any(each.terminations.values()):
                break
            each.step(int(each.observe(each.agent_selection)["action_mask"].argmax()))
            shown.append(each.infos["player_0"]["roll"])
        rolls.append(shown)
    assert rolls[0] != rolls[1]
    assert rolls[1] == rolls[2]


def test_the_registry_knows_every_game() -> None:
    for name in tablezoo.games():
        made = pettingzoo.make("aec", tablezoo.game(name).spec.env_id)
        assert made.unwrapped.game_env.game == tablezoo.game(name)


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ({"game": "bakgammon"}, r"unknown game 'bakgammon' \(did you mean backgammon\?\)"),
        ({"render_mode": "humna"}, r"render_mode cannot be 'humna' \(did you mean human\?\); choose from ansi, rgb_array, svg, human"),
        ({"action_mode": "step"}, r"action_mode cannot be 'step'"),
    ],
)
def test_wrong_arguments_are_named_in_one_line(arguments: dict[str, Any], message: str) -> None:
    with pytest.raises(ValueError, match=message):
        env(**arguments)


def test_the_documented_loop_runs() -> None:
    page = (Path(__file__).parents[1] / "docs" / "environments.md").read_text()
    (loop,) = [text for text in re.findall(r"```python\n(.*?)```", page, re.DOTALL) if "pettingzoo" in text]
    namespace: dict[str, Any] = {}
    exec(loop, namespace)
    assert namespace["over"]
