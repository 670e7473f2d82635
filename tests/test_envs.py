"""The single environment: Gymnasium's contract for every registered id, and the rules as an agent meets them."""

import copy
import json
import re
import subprocess
import sys
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import gymnasium
import numpy as np
import pytest
from gymnasium.envs.registration import EnvSpec
from gymnasium.error import ResetNeeded
from gymnasium.utils.env_checker import check_env
from gymnasium.vector import SyncVectorEnv
from gymnasium.wrappers import HumanRendering, RecordEpisodeStatistics
from numpy.typing import NDArray
from splitmix import Generator

import tablezoo
from agents.nets.files import NetSpec, write_file
from agents.td import TDAgent
from tablezoo.envs.single import IllegalAction, TablesEnv
from tablezoo.games import ZOO
from tablezoo.kernel.dice import game_seed

IDS = [spec.env_id for spec in ZOO]
MODES = ["steps", "plays"]
PASS = 150

EVERY = [pytest.param(name, mode, id=f"{name}-{mode}") for name in IDS for mode in MODES]
every_env = pytest.mark.parametrize(("name", "mode"), EVERY)
STANDARD = [spec.env_id for spec in ZOO if spec.start == ((24, 2), (13, 5), (8, 3), (6, 5))]
standard_env = pytest.mark.parametrize(("name", "mode"), [pytest.param(name, mode, id=f"{name}-{mode}") for name in STANDARD for mode in MODES])
"""Games of backgammon's checkers and movement."""

START = "24:2 13:5 8:3 6:5 | 19:5 17:3 12:5 1:2"
NO_MOVE = "24:2 | 13:2 19:2 20:2 21:2 22:2 23:2 (off=13 ooff=3 dice=53)"
ONE_STEP = "24:2 | 13:2 19:2 20:2 21:2 22:2 23:2 (off=13 ooff=3 dice=65)"
LAST_CHECKERS = "1:1 | 24:1 (off=14 ooff=14)"


class Racer:
    """An agent that values a lead in pips, and keeps what it was asked."""

    def __init__(self) -> None:
        self.asked: list[tuple[NDArray[np.uint64], NDArray[np.float32]]] = []

    def values(self, game: tablezoo.Game, rows: NDArray[np.uint64]) -> NDArray[np.float32]:
        """Lead in pips of the player to act, over 1000."""
        if game.spec.kind == "cross":
            return np.zeros(len(rows), np.float32)
        pips = np.array([tablezoo.Position(game, row, 0).pips() for row in rows], np.float32)
        values = (pips[:, 1] - pips[:, 0]) / 1000
        self.asked.append((rows.copy(), values))
        return values


def make(name: str = IDS[0], mode: str = "steps", **arguments: Any) -> TablesEnv:
    """The environment without wrappers."""
    env = gymnasium.make(name, action_mode=mode, **arguments).unwrapped
    assert isinstance(env, TablesEnv)
    return env


def texts(env: TablesEnv) -> set[str]:
    """Texts of the legal actions of the steps mode."""
    return {env.actions[i].text for i in np.flatnonzero(env.action_masks())}


def choose(rng: np.random.Generator, info: dict[str, Any]) -> int:
    """A random legal action."""
    return int(rng.choice(np.flatnonzero(info["action_mask"])))


def transcript(env: TablesEnv, steps: int, seed: int | None = None) -> list[tuple[Any, ...]]:
    """Dice, reward and board of a run of random legal actions; the actions are the same function of the masks each time."""
    rng = np.random.default_rng(5)
    _, info = env.reset(seed=seed)
    lines: list[tuple[Any, ...]] = []
    for _ in range(steps):
        observation, reward, terminated, _, info = env.step(choose(rng, info))
        lines.append((info["roll"], reward, observation.tobytes()))
        if terminated:
            _, info = env.reset()
    return lines


# Registration and Gymnasium's own checks


def test_importing_tablezoo_registers_every_game_and_loads_no_environment() -> None:
    code = (
        "import sys, tablezoo, gymnasium\n"
        "print(sorted(i for i in gymnasium.registry if i.startswith('tablezoo/')))\n"
        "print([m for m in ('torch', 'PIL', 'agents', 'tablezoo.envs.single') if m in sys.modules])"
    )
    done = subprocess.run([sys.executable, "-W", "error", "-c", code], capture_output=True, text=True, check=True)
    ids, loaded = done.stdout.splitlines()
    assert {"tablezoo/Backgammon-v0", "tablezoo/SimpleBackgammon-v0"} <= set(json.loads(ids.replace("'", '"')))
    assert loaded == "[]"


@every_env
@pytest.mark.parametrize("opponent", [None, "random", Racer()], ids=["self-play", "random", "object"])
def test_gymnasium_checks_pass_without_a_warning(name: str, mode: str, opponent: Any) -> None:
    check_env(make(name, mode, opponent=opponent, render_mode="rgb_array"))


@every_env
def test_spec_survives_json(name: str, mode: str) -> None:
    env = gymnasium.make(name, action_mode=mode, opponent="random", options={"next_starter": "winner"})
    assert env.spec is not None
    again = gymnasium.make(EnvSpec.from_json(env.spec.to_json())).unwrapped
    assert isinstance(again, TablesEnv)
    assert again.action_mode == mode
    assert again.game == tablezoo.game(again.game.name, next_starter="winner")


@every_env
def test_wrappers_pass_the_masks_on(name: str, mode: str) -> None:
    env = RecordEpisodeStatistics(gymnasium.make(name, action_mode=mode, max_episode_steps=5))
    _, info = env.reset(seed=3)
    assert (env.get_wrapper_attr("action_masks")() == info["action_mask"].astype(bool)).all()
    vector = SyncVectorEnv([lambda: gymnasium.make(name, action_mode=mode)] * 3)
    _, infos = vector.reset(seed=3)
    assert (np.array(vector.call("action_masks")) == infos["action_mask"].astype(bool)).all()
    assert infos["action_mask"].dtype == np.int8


# Actions and masks


def test_action_table_of_the_steps_mode() -> None:
    env = make()
    assert env.action_space.n == len(env.actions) == 151
    assert env.actions[25 * (3 - 1) + 13 - 1] == (13, 3, "13/10")
    assert env.actions[25 * (6 - 1) + 25 - 1] == (25, 6, "bar/19")
    assert env.actions[25 * (6 - 1) + 2 - 1] == (2, 6, "2/off")
    assert env.actions[PASS] == (0, 0, "pass")


@pytest.mark.parametrize("name", STANDARD)
@pytest.mark.parametrize(
    ("position", "steps"),
    [
        (f"{START} (dice=31)", {"24/21", "13/10", "8/5", "6/3", "24/23", "8/7", "6/5"}),
        (NO_MOVE, {"pass"}),
        (ONE_STEP, {"24/18"}),
        ("13:14 | 20:2 19:13 (bar=1 dice=65)", {"pass"}),
        ("13:14 | 20:2 21:13 (bar=1 dice=65)", {"bar/19"}),
        ("3:1 1:1 | 24:15 (off=13 dice=65)", {"3/off"}),
    ],
)
def test_steps_offered(name: str, position: str, steps: set[str]) -> None:
    env = make(name)
    env.reset(seed=1, options={"position": position})
    assert texts(env) == steps


@pytest.mark.parametrize(
    ("position", "standard", "simple"),
    [
        # after 7/2 nothing could play the 6, after 14/9 the 6 is played 9/3
        ("14:1 7:1 | 8:2 1:2 (off=13 ooff=11 dice=65)", {"14/9"}, {"14/9", "7/2"}),
        # either number can be played, but not both: the larger must be
        ("24:1 | 13:2 (off=14 ooff=13 dice=65)", {"24/18"}, {"24/18", "24/19"}),
    ],
)
def test_steps_that_would_break_the_rule_of_both_dice_are_not_offered(position: str, standard: set[str], simple: set[str]) -> None:
    for name, expected in (("tablezoo/Backgammon-v0", standard), ("tablezoo/SimpleBackgammon-v0", simple)):
        env = make(name)
        env.reset(options={"position": position})
        assert texts(env) == expected


def test_a_roll_is_played_number_by_number_and_the_turn_ends_when_none_is_left() -> None:
    env = make()
    _, info = env.reset(seed=1, options={"position": f"{START} (dice=31)"})
    assert (info["to_move"], info["roll"], info["numbers"]) == (0, (3, 1), (3, 1))
    _, reward, terminated, _, info = env.step(25 * (3 - 1) + 8 - 1)
    assert (info["to_move"], info["roll"], info["numbers"]) == (0, (3, 1), (1,))
    assert (reward, terminated) == (0.0, False)
    assert env.position.text == "24:2 13:5 8:2 6:5 5:1 | 19:5 17:3 12:5 1:2 (dice=1)"
    _, _, _, _, info = env.step(6 - 1)
    assert info["to_move"] == 1
    assert len(info["numbers"]) >= 2
    assert env.position.text.startswith("24:2 13:5 8:3 6:5 | 20:2 19:4 17:2 12:5 1:2 (dice=")


def test_a_number_that_cannot_be_played_ends_the_turn_without_a_pass() -> None:
    env = make()
    env.reset(seed=1, options={"position": ONE_STEP})
    _, _, _, _, info = env.step(25 * (6 - 1) + 24 - 1)
    assert info["to_move"] == 1


@standard_env
def test_a_pass_is_the_only_action_when_nothing_can_move(name: str, mode: str) -> None:
    env = make(name, mode)
    _, info = env.reset(seed=1, options={"position": NO_MOVE})
    assert np.flatnonzero(info["action_mask"]).tolist() == [PASS if mode == "steps" else 0]
    before = env.position
    draws = {int(env.action_space.sample(mask=info["action_mask"])) for _ in range(1000)}
    assert len(draws) == 1
    _, reward, terminated, _, info = env.step(draws.pop())
    assert (reward, terminated, info["to_move"]) == (0.0, False, 1)
    own, opponent = before.counts()
    assert env.position.counts() == (opponent[::-1], own[::-1])


def test_plays_mode_offers_the_16_plays_of_an_opening_31_in_the_order_of_the_position() -> None:
    env = make(mode="plays")
    _, info = env.reset(options={"position": f"{START} (dice=31)"})
    assert info["action_mask"][:16].all()
    assert info["action_mask"].sum() == 16
    index = [play.text for play in env.position.plays()].index("8/5 6/5")
    env.step(index)
    assert env.position.text.startswith("24:2 13:5 8:3 6:5 | 20:2 19:4 17:2 12:5 1:2 (dice=")


@every_env
def test_masks_through_whole_games(name: str, mode: str) -> None:
    env, rng = make(name, mode), np.random.default_rng(1)
    env.action_space.seed(1)
    _, info = env.reset(seed=1)
    games = 0
    while games < 3:
        mask = info["action_mask"]
        assert (mask.dtype, mask.shape) == (np.int8, (env.action_space.n,))
        assert mask.sum() >= 1
        assert mask[env.action_space.sample(mask=mask)] == 1
        assert (env.action_masks() == (mask == 1)).all()
        assert env.action_masks().dtype == np.bool_
        _, _, terminated, _, info = env.step(choose(rng, info))
        if terminated:
            assert info["action_mask"].sum() == env.action_masks().sum() == 0
            games += 1
            _, info = env.reset()


def turns(env: TablesEnv, games: int) -> Iterator[tuple[tablezoo.Position, tablezoo.Position, int, float]]:
    """Turns of random games: the node where each begins, the one after it, the actions taken and the reward."""
    rng = np.random.default_rng(2)
    for game in range(games):
        _, info = env.reset(seed=game)
        terminated = False
        while not terminated:
            before, taken = env.position, 0
            while env.position.player == before.player:
                _, reward, terminated, _, info = env.step(choose(rng, info))
                taken += 1
            yield before, env.position, taken, reward


@every_env
def test_every_action_leads_where_the_play_of_its_text_leads(name: str, mode: str) -> None:
    """Stage by stage, where an action is a whole play; the dice that follow are the environment's."""
    env, rng = make(name, mode), np.random.default_rng(3)
    _, info = env.reset(seed=3)
    for _ in range(400):
        before, action = env.position, choose(rng, info)
        play = before.plays()[action] if mode == "plays" else None
        if mode == "steps" and env.game.spec.kind == "cross":
            _, die, text = env.actions[action]
            play = before.play(f"{text}({die})" if die else text)
        _, reward, terminated, _, info = env.step(action)
        if play is not None:
            after = play.after.rolled(info["roll"]) if play.after.node == "roll" else play.after
            assert (env.position, env.position.player) == (after, after.player), f"{before.text}: {play.text}"
            assert reward == (after.outcome or 0)
        if terminated:
            _, info = env.reset()


@standard_env
def test_whole_games_follow_the_rules(name: str, mode: str) -> None:
    games = 4
    points = []
    for before, after, taken, reward in turns(make(name, mode), games):
        plays = {repr(play.after.counts()): play for play in before.plays()}
        play = plays[repr(after.counts())]
        assert taken == (1 if mode == "plays" else max(play.numbers, 1)), before.text
        assert reward == (after.outcome or 0), "points to who made the last play, nothing before"
        assert (after.node == "over") == bool(reward)
        points += [reward] if reward else []
    assert len(points) == games


@every_env
def test_a_lone_legal_action_is_drawn_whenever_actions_are_drawn_by_the_mask(name: str, mode: str) -> None:
    env, rng = make(name, mode), np.random.default_rng(6)
    env.action_space.seed(6)
    _, info = env.reset(seed=6)
    while info["action_mask"].sum() != 1:
        _, _, terminated, _, info = env.step(choose(rng, info))
        if terminated:
            _, info = env.reset()
    mask = info["action_mask"]
    assert {int(env.action_space.sample(mask=mask)) for _ in range(10_000 if len(mask) < 1000 else 1_000)} == {int(mask.argmax())}


# Illegal actions


@every_env
def test_random_unmasked_actions_lose_and_change_nothing(name: str, mode: str) -> None:
    env = make(name, mode)
    env.action_space.seed(4)
    _, info = env.reset(seed=4)
    illegal = 0
    for _ in range(1000):
        before, legal, action = env.position, info["action_mask"], env.action_space.sample()
        _, reward, terminated, truncated, info = env.step(action)
        assert tablezoo.game(env.game.name).position(env.position.text).counts() == env.position.counts()
        if not legal[action]:
            illegal += 1
            assert (reward, terminated, truncated, info["illegal"]) == (-1.0, True, False, True)
            assert env.position == before
            assert env.position.player == before.player
            assert info["action_mask"].sum() == 0
        else:
            assert "illegal" not in info
        if terminated:
            _, info = env.reset()
    assert illegal > 500


@every_env
@pytest.mark.parametrize("opponent", [None, "random"])
def test_strict_mode_raises_and_the_game_goes_on(name: str, mode: str, opponent: str | None) -> None:
    env = make(name, mode, on_illegal="raise", opponent=opponent)
    _, info = env.reset(seed=4)
    before, dice = env.position, env._dice.copy()
    for action in (int(np.flatnonzero(info["action_mask"] == 0)[-1]), -1, 5000):
        with pytest.raises(IllegalAction, match=f"action {action} is illegal here"):
            env.step(action)
    assert issubclass(IllegalAction, ValueError)
    assert env.position == before
    assert env._dice == dice
    env.step(int(np.flatnonzero(info["action_mask"])[0]))


@every_env
def test_a_step_outside_a_game_asks_for_a_reset(name: str, mode: str) -> None:
    env = make(name, mode)
    with pytest.raises(ResetNeeded, match=r"call reset\(\)"):
        env.step(0)
    _, info = env.reset(seed=1)
    env.step(int(np.flatnonzero(info["action_mask"] == 0)[0]))
    with pytest.raises(ResetNeeded, match=r"call reset\(\)"):
        env.step(0)


# Dice


@every_env
def test_equal_seeds_give_equal_games_and_other_seeds_others(name: str, mode: str) -> None:
    env = make(name, mode)
    first, second, other = (transcript(env, 200, seed) for seed in (7, 7, 8))
    assert first == second == transcript(make(name, mode), 200, 7)
    assert first != other
    assert transcript(env, 50) != first[:50], "a reset without a seed goes on with the dice"


@pytest.mark.parametrize("name", IDS)
def test_environments_of_a_vector_throw_different_dice(name: str) -> None:
    vector = SyncVectorEnv([lambda: gymnasium.make(name, action_mode="plays")] * 8)
    _, infos = vector.reset(seed=7)
    rolls = [infos["roll"].tolist()]
    for _ in range(20):
        *_, infos = vector.step(np.zeros(8, np.int64))
        rolls.append(infos["roll"].tolist())
    assert len({tuple(map(tuple, stream)) for stream in zip(*rolls, strict=True)}) == 8


def test_each_game_of_a_seed_has_the_dice_of_its_number() -> None:
    """Expected from splitmix64 in plain Python; simple backgammon's player 0 throws both dice at once."""
    env = make("tablezoo/SimpleBackgammon-v0", "plays")
    for number in range(5):
        _, info = env.reset(seed=7 if number == 0 else None)
        stream = Generator(int(game_seed(7, number)))
        for _ in range(10):
            assert info["roll"] == tuple(sorted(stream.roll(opening=False), reverse=True))
            info = env.step(0)[4]


def test_the_first_roll_follows_the_rule_of_the_game() -> None:
    expected = {"tablezoo/Backgammon-v0": {(a, b): 200 for a in range(1, 7) for b in range(1, a)}}  # 15 of equal weight
    expected["tablezoo/SimpleBackgammon-v0"] = {(a, b): 2 * 3000 // 36 if a > b else 3000 // 36 for a in range(1, 7) for b in range(1, a + 1)}
    for name, rolls in expected.items():
        env = make(name)
        found = Counter(env.reset(seed=seed)[1]["roll"] for seed in range(3000))
        assert set(found) == set(rolls)
        chi_square = sum((found[roll] - mean) ** 2 / mean for roll, mean in rolls.items())
        assert chi_square < 52, "exceeded once in ten thousand by 20 degrees of freedom"


@every_env
def test_a_deep_copy_neither_knows_nor_moves_the_dice_of_its_original(name: str, mode: str) -> None:
    env, twin = make(name, mode), make(name, mode)
    for each in (env, twin):
        each.reset(seed=9)
    copied = copy.deepcopy(env)
    assert copied.position == env.position
    assert (copied.action_masks() == env.action_masks()).all()
    futures = []
    for each in (copied, env, twin):
        rng, rolls = np.random.default_rng(1), []
        info = {"action_mask": each.action_masks()}
        for _ in range(25):
            _, _, terminated, _, info = each.step(choose(rng, info))
            rolls.append(info["roll"])
            if terminated:
                _, info = each.reset()
        futures.append(rolls)
    assert futures[0] != futures[1]
    assert futures[1] == futures[2]


# Observations, types, shared state


def test_observation_of_a_position() -> None:
    env = make(observation="counts")
    observation, _ = env.reset(options={"position": "24:1 13:3 6:6 2:2 | 22:9 21:1 18:1 (bar=2 off=1 obar=1 ooff=3 dice=65)"})
    own = [1] + [0, 2, 0, 0, 0, 6] + [0] * 6 + [3] + [0] * 10 + [1] + [2]
    opponent = [1] + [0] * 17 + [1, 0, 0, 1, 9, 0, 0] + [3]
    assert observation.tolist() == [*own, *opponent, 0, 0, 0, 0, 1, 1]


def test_observation_counts_the_numbers_left_of_a_doublet() -> None:
    env = make()
    observation, _ = env.reset(options={"position": f"{START} (dice=3x3)"})
    assert observation.shape == (196 + 6,)
    assert observation[-6:].tolist() == [0, 0, 3, 0, 0, 0]


def test_observation_bounds_are_reached() -> None:
    env = make(observation="counts")
    high = env.observation_space.high
    assert high.tolist() == [15.0] * 52 + [4.0] * 6
    assert make(observation="tesauro").observation_space.high[:5].tolist() == [1, 1, 1, 1, 6], "all off; 15 checkers on a point are 1, 1, 1, (15 - 3) / 2"


def test_planes_of_a_position() -> None:
    """Points 13 to 24 lie above points 12 to 1; bars, checkers off and numbers left fill planes."""
    position = "24:1 13:3 6:6 2:2 | 22:9 21:1 18:1 (bar=2 off=1 obar=1 ooff=3 dice=65)"
    observation, _ = make(observation="planes").reset(options={"position": position})
    assert observation.shape == (1 + 4 + 1 + 1 + 4 + 1 + 6, 2, 12)
    own = {24: 1, 13: 3, 6: 6, 2: 2}
    opponent = {22: 9, 21: 1, 18: 1}
    grid = [list(range(13, 25)), list(range(12, 0, -1))]
    planes: list[list[list[float]]] = []
    for side in (own, opponent):
        board = [[side.get(point, 0) for point in row] for row in grid]
        planes += [[[float(n >= least) for n in row] for row in board] for least in (1, 2, 3)]
        planes.append([[max(n - 3, 0) / 2 for n in row] for row in board])
    filled = {0: 1 / 15, 5: 2 / 2, 6: 1 / 2, 11: 3 / 15, 12: 0, 13: 0, 14: 0, 15: 0, 16: 1, 17: 1}
    for which, value in filled.items():
        assert (observation[which] == np.float32(value)).all(), which
    assert observation[[1, 2, 3, 4, 7, 8, 9, 10]].tolist() == planes


@pytest.mark.parametrize("name", IDS)
def test_planes_show_every_input_once_or_everywhere(name: str) -> None:
    """Each plane is one number everywhere, or the numbers of the points, each in a cell of its own and zeros beside them."""
    flat, planes = (make(name, "plays", observation=observation) for observation in ("tesauro", "planes"))
    places = len(planes.game.board.spaces) if planes.game.spec.kind == "cross" else 6 if planes.game.spec.kind == "unstack" else planes.game.spec.points
    (row, info), (image, _) = flat.reset(seed=3), planes.reset(seed=3)
    rng = np.random.default_rng(3)
    for _ in range(60):
        parts = {name: row[part] for name, part in planes.layout.encoder.slices.items()} | {"numbers": row[-6:]}
        which = 0
        for name, part in parts.items():
            if name.endswith(("points", "pinned", "lying", "spaces")):
                for unit in part.reshape(places, -1).T:
                    assert sorted(image[which][image[which] > 0]) == sorted(unit[unit > 0])
                    which += 1
            else:
                for value in part:
                    assert (image[which] == value).all()
                    which += 1
        assert which == len(image)
        action = choose(rng, info)
        row, _, terminated, _, info = flat.step(action)
        image, *_ = planes.step(action)
        if terminated:
            (row, info), (image, _) = flat.reset(), planes.reset()


@every_env
@pytest.mark.parametrize("opponent", [None, "random"])
@pytest.mark.parametrize("shown", ["tesauro", "counts", "planes"])
def test_types_and_bounds_through_a_game(name: str, mode: str, opponent: str | None, shown: str) -> None:
    env, rng = make(name, mode, opponent=opponent, observation=shown, max_stages=150), np.random.default_rng(3)
    observation, info = env.reset(seed=3)
    terminated = truncated = False
    while not (terminated or truncated):
        assert observation in env.observation_space
        observation, reward, terminated, truncated, info = env.step(choose(rng, info))
        assert (type(reward), type(terminated), type(truncated)) == (float, bool, bool)
        assert not truncated or info["capped"], "only by a limit"
    assert observation in env.observation_space
    assert reward in (*env.game.outcomes, 0)


@every_env
def test_what_was_returned_never_changes(name: str, mode: str) -> None:
    env, rng = make(name, mode), np.random.default_rng(3)
    observation, info = env.reset(seed=3)
    kept = [(observation, info)]
    for _ in range(30):
        observation, _, terminated, _, info = env.step(choose(rng, info))
        kept.append((observation, info))
        if terminated:
            _, info = env.reset()
    info["action_mask"][:] = 7  # what a caller does to his mask does not reach the environment
    assert not env.action_masks().all()
    copies = copy.deepcopy(kept)
    plays = env.position.plays()
    texts_before = [play.after.text for play in plays]
    for _ in range(30):
        if env.step(choose(rng, {"action_mask": env.action_masks()}))[2]:
            env.reset()
    for (one, its_info), (other, other_info) in zip(kept, copies, strict=True):
        assert (one == other).all()
        assert (its_info["action_mask"] == other_info["action_mask"]).all()
    assert [play.after.text for play in plays] == texts_before


@every_env
def test_two_environments_share_nothing(name: str, mode: str) -> None:
    one, other = make(name, mode), make(name, mode)
    one.reset(seed=1)
    other.reset(seed=2)
    before, masks, dice = other.position, other.action_masks(), other._dice.copy()
    transcript(one, 30)
    assert other.position == before
    assert (other.action_masks() == masks).all()
    assert other._dice == dice


@every_env
def test_a_limit_of_steps_truncates_and_starts_again_at_reset(name: str, mode: str) -> None:
    env = gymnasium.make(name, action_mode=mode, max_episode_steps=3)
    for _ in range(2):
        _, info = env.reset(seed=1)
        ends = []
        for _ in range(3):
            _, _, terminated, truncated, info = env.step(np.flatnonzero(info["action_mask"])[0])
            ends.append((terminated, truncated))
        assert ends == [(False, False), (False, False), (False, True)]


@every_env
def test_a_game_without_end_is_truncated_and_says_so(name: str, mode: str) -> None:
    env, rng = make(name, mode, max_stages=6), np.random.default_rng(1)
    _, info = env.reset(seed=1)
    truncated, taken = False, 0
    while not truncated:
        assert "capped" not in info
        _, reward, terminated, truncated, info = env.step(choose(rng, info))
        taken += 1
    assert (reward, terminated, info["capped"], taken) == (0.0, False, True, 6)
    with pytest.raises(ResetNeeded):
        env.step(0)
    assert "capped" not in env.reset()[1]


# The two views


@standard_env
def test_self_play_pays_the_player_who_made_the_last_move(name: str, mode: str) -> None:
    env = make(name, mode)
    _, info = env.reset(seed=1, options={"position": LAST_CHECKERS})
    _, reward, terminated, _, info = env.step(int(np.flatnonzero(info["action_mask"])[0]))
    assert (reward, terminated, info["to_move"], info["numbers"]) == (1.0, True, 1, ())


@pytest.mark.parametrize(
    ("position", "backgammon", "simple"),
    [
        (LAST_CHECKERS, 1, 1),
        # whatever the agent plays does not end the game, and then the opponent's last checker goes off
        ("13:1 1:1 | 24:1 (off=13 ooff=14 dice=21)", -1, -1),
        ("13:15 | 24:1 (ooff=14 dice=21)", -2, -1),  # nothing borne off
        ("23:5 13:10 | 24:1 (ooff=14 dice=66)", -3, -1),  # and a checker left in the opponent's home board
    ],
)
@pytest.mark.parametrize("seat", [0, 1])
@pytest.mark.parametrize("mode", MODES)
def test_the_opponent_view_pays_the_agent(mode: str, seat: int, position: str, backgammon: int, simple: int) -> None:
    for name, points in (("tablezoo/Backgammon-v0", backgammon), ("tablezoo/SimpleBackgammon-v0", simple)):
        env = make(name, mode, opponent="random")
        observation, info = env.reset(seed=1, options={"position": position, "seat": seat})
        terminated = False
        while not terminated:
            observation, reward, terminated, _, info = env.step(int(np.flatnonzero(info["action_mask"])[0]))
        assert (reward, info["to_move"]) == (points, seat)
        off = {side: observation[env.layout.encoder.slices[f"{side}_off"]].item() for side in ("own", "opponent")}
        assert [side for side, part in off.items() if part == 1] == ["own" if points > 0 else "opponent"], "seen by the agent's seat"


@every_env
def test_against_an_opponent_the_agent_only_ever_acts_for_its_seat(name: str, mode: str) -> None:
    for seat in (0, 1):
        env, rng = make(name, mode, opponent="random"), np.random.default_rng(seat)
        _, info = env.reset(seed=seat, options={"seat": seat})
        terminated = False
        while not terminated:
            assert info["to_move"] == env.position.player == seat
            assert env.position.node == "play"
            _, _, terminated, _, info = env.step(choose(rng, info))
        assert info["to_move"] == seat


def test_who_starts_against_an_opponent_is_drawn_by_lot() -> None:
    env = make(opponent="random")
    starts = 0
    for seed in range(400):
        env.reset(seed=seed)
        starts += env.position.text.startswith(START)
    assert 160 < starts < 240
    assert make().reset(seed=1)[1]["to_move"] == 0, "in self-play player 0 starts"


def test_the_opponent_takes_the_play_that_is_worst_for_the_agent() -> None:
    racer = Racer()
    env = TablesEnv("backgammon", action_mode="plays", opponent=racer)
    chosen = 0
    _, info = env.reset(seed=1)
    for _ in range(30):
        racer.asked.clear()
        _, _, terminated, _, info = env.step(int(np.flatnonzero(info["action_mask"])[0]))
        if terminated:
            _, info = env.reset()
        elif racer.asked:
            rows, values = racer.asked[-1]
            best = rows[values == values.min()][:, :4]
            assert (best == env.position.row[:4]).all(axis=1).any()
            chosen += len(values) > 1
    assert chosen > 10


def test_an_opponent_can_be_a_checkpoint(tmp_path: Path) -> None:
    """It plays as the net in the file does when given as an object."""
    game = tablezoo.game("hypergammon")
    spec = NetSpec(game, (8,), "tesauro")
    theta = spec.initial(2)
    write_file(tmp_path / "net.safetensors", spec, theta, {}, {})
    lines = []
    for opponent in (f"td:{tmp_path / 'net.safetensors'}", TDAgent.of(spec, theta), "random"):
        env = make("tablezoo/Hypergammon-v0", "plays", opponent=opponent)
        lines.append(transcript(env, 60, seed=3))
    assert lines[0] == lines[1]
    assert lines[0] != lines[2]


# Rendering


@every_env
def test_rendering(name: str, mode: str) -> None:
    assert set(TablesEnv.metadata["render_modes"]) == {"ansi", "rgb_array", "svg"}
    assert TablesEnv.metadata["render_fps"] > 0
    for render_mode in TablesEnv.metadata["render_modes"]:
        env = make(name, mode, render_mode=render_mode)
        _, info = env.reset(seed=1)
        picture = env.render()
        if render_mode == "rgb_array":
            assert (picture.dtype, picture.ndim, picture.shape[2]) == (np.uint8, 3, 3)
            assert len(np.unique(picture)) > 10
        else:
            assert picture == {"ansi": str(env.position), "svg": env.position.svg()}[render_mode]
            assert f"to play {' '.join(map(str, info['roll']))}" in picture


@pytest.mark.parametrize("name", IDS)
def test_gymnasiums_window_shows_the_board(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    pytest.importorskip("pygame")
    monkeypatch.setenv("SDL_VIDEODRIVER", "dummy")
    env = HumanRendering(gymnasium.make(name, render_mode="rgb_array"))
    monkeypatch.setitem(env.metadata, "render_fps", 1000)
    _, info = env.reset(seed=1)
    env.step(int(np.flatnonzero(info["action_mask"])[0]))
    assert env.render() is None
    shown = env.env.render()
    assert isinstance(shown, np.ndarray)
    env.close()


def test_rendering_without_a_mode_warns() -> None:
    env = make()
    env.reset(seed=1)
    with pytest.warns(UserWarning, match="make the environment with render_mode="):
        assert env.render() is None


# Wrong arguments


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ({"game": "bakgammon"}, r"unknown game 'bakgammon' \(did you mean backgammon\?\)"),
        ({"options": {"larger_dice": True}}, r"unknown option 'larger_dice' \(did you mean larger_die\?\)"),
        ({"options": ["larger_die"]}, "options must be rule options by name"),
        ({"action_mode": "step"}, r"action_mode cannot be 'step' \(did you mean steps\?\); choose from steps, plays"),
        ({"observation": "tesaro"}, r"observation cannot be 'tesaro' \(did you mean tesauro\?\)"),
        ({"max_stages": 0}, "max_stages must be a whole number from 1 on, not 0"),
        ({"on_illegal": "ignore"}, "on_illegal cannot be 'ignore'; choose from loss, raise"),
        ({"render_mode": "human"}, "render_mode cannot be 'human'; choose from ansi, rgb_array, svg"),
        ({"opponent": "randon"}, r"unknown agent 'randon' \(did you mean random\?\)"),
        ({"opponent": 3}, "opponent must be None, the name of an agent or an object"),
    ],
)
def test_wrong_arguments_are_named_in_one_line(arguments: dict[str, Any], message: str) -> None:
    with pytest.raises(ValueError, match=message) as raised:
        TablesEnv(**arguments)
    assert "\n" not in str(raised.value)


@pytest.mark.parametrize(
    ("opponent", "options", "message"),
    [
        ("random", {"seet": 1}, r"unknown reset option 'seet' \(did you mean seat\?\); known: seat, position"),
        ("random", {"seat": 2}, "seat must be 0 or 1, not 2"),
        (None, {"seat": 1}, "seat belongs to games against an opponent"),
        (None, {"position": "25:2 |"}, "there is no point 25"),
        (None, {"position": "1:1 | (off=14 ooff=15)"}, "the game is over"),
    ],
)
def test_wrong_reset_options_are_named_in_one_line(opponent: str | None, options: dict[str, Any], message: str) -> None:
    with pytest.raises(ValueError, match=message):
        make(opponent=opponent).reset(options=options)


def test_the_documented_loops_run() -> None:
    page = (Path(__file__).parents[1] / "docs" / "environments.md").read_text()
    single, vector, _ = re.findall(r"```python\n(.*?)```", page, re.DOTALL)
    namespace: dict[str, Any] = {}
    exec(single, namespace)
    assert 5 < namespace["games"] < 100
    assert abs(namespace["points"]) <= 3 * namespace["games"]
    exec(vector, namespace)
    assert namespace["observations"].shape == (1024, 202)


def test_the_documented_position_can_be_reset_to() -> None:
    env = make()
    _, info = env.reset(options={"position": "24:2 | 19:2 (off=13 ooff=13 dice=31)"})
    assert info["numbers"] == (3, 1)
