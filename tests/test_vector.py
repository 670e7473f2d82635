"""The vector environment: equal to single environments step by step, and to the fused self-play kernels bit for bit."""

import copy
from typing import Any

import gymnasium
import numpy as np
import pytest
from gymnasium.error import ResetNeeded
from gymnasium.vector import AutoresetMode, SyncVectorEnv
from gymnasium.wrappers.vector import RecordEpisodeStatistics
from numpy.typing import NDArray
from splitmix import Generator

import tablezoo
from agents.nets.files import NetSpec
from agents.nets.value import Net, make_net
from experiments.selfplay import Manner, play_games
from experiments.turn import best_play, make_player, view
from tablezoo.envs import batch
from tablezoo.envs.setup import IllegalAction
from tablezoo.envs.vector import TablesVectorEnv
from tablezoo.games import ZOO
from tablezoo.kernel.board import planes
from tablezoo.kernel.dice import game_seed
from tablezoo.kernel.jit import kernel
from tablezoo.kernel.playout import random_games
from tablezoo.kernel.plays import plays
from tablezoo.rows import buffers
from tablezoo.rules import Rules

IDS = [spec.env_id for spec in ZOO]
MODES = ["steps", "plays"]
every_env = pytest.mark.parametrize(("name", "mode"), [pytest.param(name, mode, id=f"{name}-{mode}") for name in IDS for mode in MODES])
every_game = pytest.mark.parametrize("name", tablezoo.games())
both_modes = pytest.mark.parametrize("mode", MODES)
BACKGAMMON = "tablezoo/Backgammon-v0"

Step = tuple[Any, Any, Any, Any, dict[str, Any]]


def make(name: str = BACKGAMMON, n: int = 4, **arguments: Any) -> TablesVectorEnv:
    """The native vector environment."""
    envs = gymnasium.make_vec(name, num_envs=n, **arguments)
    assert isinstance(envs, TablesVectorEnv)
    return envs


def singles(name: str, n: int, limit: int | None, mode: AutoresetMode, **arguments: Any) -> SyncVectorEnv:
    """Gymnasium's own vector of single environments."""
    return SyncVectorEnv([lambda: gymnasium.make(name, max_episode_steps=limit, **arguments)] * n, autoreset_mode=mode)


def some_legal(masks: NDArray[np.int8], rng: np.random.Generator) -> NDArray[np.int64]:
    """A legal action for each game, 0 where it has ended."""
    return np.array([rng.choice(np.flatnonzero(mask)) if mask.any() else 0 for mask in masks], np.int64)


def padded(numbers: Any, size: int) -> list[int]:
    """A tuple of numbers as the vector shows it."""
    return [*numbers, *[0] * (size - len(numbers))]


def assert_same_infos(ours: dict[str, Any], theirs: dict[str, Any]) -> None:
    """Infos of the vector environment against those that Gymnasium collects from singles."""
    assert set(ours) == set(theirs)
    for name, expected in theirs.items():
        if name == "final_info":
            assert_same_infos(ours[name], expected)
        elif name in ("roll", "numbers"):
            for i in np.flatnonzero(theirs[f"_{name}"]):
                assert ours[name][i].tolist() == padded(expected[i], ours[name].shape[1])
        elif name == "final_obs":
            for i in np.flatnonzero(theirs["_final_obs"]):
                assert (ours[name][i] == expected[i]).all()
        else:
            assert (ours[name] == expected).all(), name
            assert ours[name].dtype == expected.dtype, name


def assert_same_steps(ours: Step, theirs: Step) -> None:
    """Everything a step returns."""
    for one, other in zip(ours[:4], theirs[:4], strict=True):
        assert (one == other).all()
        assert one.dtype == other.dtype
    assert_same_infos(ours[4], theirs[4])


# Equality with single environments


@every_env
@pytest.mark.parametrize("autoreset", [AutoresetMode.NEXT_STEP, AutoresetMode.SAME_STEP])
def test_a_vector_is_its_single_environments_step_by_step(name: str, mode: str, autoreset: AutoresetMode) -> None:
    """With illegal actions, games broken off by either limit, and games that end."""
    arguments = {"action_mode": mode, "max_stages": 150}
    seeds, rng = [5, 6, 7], np.random.default_rng(1)
    ours = make(name, 3, max_episode_steps=180, autoreset_mode=autoreset, **arguments)
    theirs = singles(name, 3, 180, autoreset, **arguments)
    (one, infos), (other, expected) = ours.reset(seed=seeds), theirs.reset(seed=seeds)
    assert (one == other).all()
    assert_same_infos(infos, expected)
    ends = 0
    for _ in range(400):
        actions = some_legal(infos["action_mask"], rng)
        if rng.random() < 0.01:
            actions[rng.integers(3)] = rng.integers(int(ours.single_action_space.n))
        step, reference = ours.step(actions), theirs.step(actions)
        assert_same_steps(step, reference)
        infos = step[4]
        ends += int((step[2] | step[3]).sum())
    assert ends > 3


@every_env
@pytest.mark.parametrize("autoreset", [AutoresetMode.NEXT_STEP, AutoresetMode.SAME_STEP])
def test_the_same_against_an_opponent(name: str, mode: str, autoreset: AutoresetMode) -> None:
    arguments = {"action_mode": mode, "opponent": "random", "observation": "planes", "max_stages": 150}
    seeds, rng = [5, 6, 7], np.random.default_rng(1)
    ours, theirs = make(name, 3, autoreset_mode=autoreset, **arguments), singles(name, 3, None, autoreset, **arguments)
    (one, infos), (other, expected) = ours.reset(seed=seeds, options={"seat": 1}), theirs.reset(seed=seeds, options={"seat": 1})
    assert (one == other).all()
    assert_same_infos(infos, expected)
    ends = 0
    for _ in range(200):
        actions = some_legal(infos["action_mask"], rng)
        step, reference = ours.step(actions), theirs.step(actions)
        assert_same_steps(step, reference)
        infos = step[4]
        ends += int((step[2] | step[3]).sum())
    assert ends > 1


@every_env
def test_games_are_begun_anew_where_asked_for_without_autoreset(name: str, mode: str) -> None:
    """With ends at different times: the first action of one game is illegal."""
    arguments = {"action_mode": mode, "max_stages": 12}
    ours = make(name, 3, autoreset_mode=AutoresetMode.DISABLED, **arguments)
    theirs = singles(name, 3, None, AutoresetMode.DISABLED, **arguments)
    rng = np.random.default_rng(1)
    (_, infos), _ = ours.reset(seed=[5, 6, 7]), theirs.reset(seed=[5, 6, 7])
    resets = 0
    for k in range(45):
        actions = some_legal(infos["action_mask"], rng)
        if k == 0:
            actions[1] = -1
        step = ours.step(actions)
        assert_same_steps(step, theirs.step(actions))
        infos, masks = step[4], step[4]["action_mask"]
        ended = step[2] | step[3]
        if ended.any():
            with pytest.raises(ResetNeeded, match=r"games \[.*\] have ended"):
                ours.step(actions)
            (one, infos), (other, expected) = (each.reset(options={"reset_mask": ended.copy()}) for each in (ours, theirs))
            assert (one == other).all()
            assert_same_infos(infos, expected)
            infos["action_mask"][~ended] = masks[~ended]
            resets += 1
    assert resets > 3


@pytest.mark.parametrize("position", ["24:2 13:5 8:3 6:5 | 19:5 17:3 12:5 1:2 (dice=31)", "1:1 | 24:1 (off=14 ooff=14)"])
@pytest.mark.parametrize("opponent", [None, "random"])
def test_all_games_can_begin_at_a_position(position: str, opponent: str | None) -> None:
    ours, theirs = make(n=3, opponent=opponent), singles(BACKGAMMON, 3, None, AutoresetMode.NEXT_STEP, opponent=opponent)
    options = {"position": position}
    (one, infos), (other, expected) = ours.reset(seed=[1, 2, 3], options=options), theirs.reset(seed=[1, 2, 3], options=options)
    assert (one == other).all()
    assert_same_infos(infos, expected)
    for _ in range(3):
        actions = some_legal(infos["action_mask"], np.random.default_rng(1))
        step = ours.step(actions)
        assert_same_steps(step, theirs.step(actions))
        infos = step[4]


# Equality with the fused self-play kernels


@every_game
def test_random_games_are_those_of_the_fused_kernel(name: str) -> None:
    """Every node, every result and every length, over several games in each place of the batch."""
    game, places, games, seed = tablezoo.game(name), 3, 8, 11
    sample, results = np.empty((100_000, 5), np.uint64), np.empty((games, 2), np.int64)
    met = int(random_games(game.rules, game.start_row, np.uint64(seed), np.uint64(0), results, sample))
    starts = [0, *np.cumsum(results[:, 1]).tolist()]
    assert starts[-1] <= met
    envs = make(game.spec.env_id, places, action_mode="plays", autoreset_mode="SAME_STEP")
    envs.reset(seed=seed)
    number, nodes = list(range(places)), [[] for _ in range(places)]  # type: list[int], list[list[NDArray[np.uint64]]]
    finished = 0
    while finished < games:
        before = envs.positions
        _, rewards, terminated, _, _ = envs.step(envs.sample_actions())
        for i, position in enumerate(before):
            nodes[i].append(position.row)
            if terminated[i]:
                if number[i] < games:
                    won, stages = results[number[i]]
                    assert (rewards[i] * (1 - 2 * position.player), len(nodes[i])) == (won, stages), f"game {number[i]}"
                    assert (np.array(nodes[i]) == sample[starts[number[i]] : starts[number[i] + 1]]).all(), f"game {number[i]}"
                    finished += 1
                number[i], nodes[i] = number[i] + places, []


@kernel
def best_index(rules: Rules, net: Net, row: NDArray[np.uint64], out: NDArray[np.uint64], work: NDArray[np.uint64]) -> int:
    """The play that self-play chooses."""
    n = plays(rules, row, out, work)
    player = make_player(net)
    view(rules, player, planes(row))
    return int(np.int64(best_play(rules, player, planes(row), out, n)))


@every_game
def test_a_nets_games_are_those_of_the_fused_self_play_kernel(name: str) -> None:
    game, places, seed, most = tablezoo.game(name), 4, 13, 60
    spec = NetSpec(game, (8,), "tesauro")
    net = make_net(spec.initial(3), spec.hidden, spec.encoder, spec.outcomes)
    rows, _, ends, _ = play_games(game.rules, net, net, game.start_row, np.uint64(seed), np.uint64(0), places, Manner(most))
    envs = make(game.spec.env_id, places, action_mode="plays")
    envs.reset(seed=seed)
    for k in range(most):
        before = envs.positions
        actions = np.array([best_index(game.rules, net, position.row.copy(), *buffers()) for position in before])
        for i, position in enumerate(before):
            node = [0, *ends][i] + k
            if node < ends[i]:
                after = position.plays()[actions[i]].after
                assert (after.row[:4] == rows[node, :4]).all(), f"game {i}, play {k}"
                assert after.player == (position.player if rows[node, 4] >> np.uint64(63) else 1 - position.player)
        envs.step(actions)


# Dice


def test_every_game_of_a_batch_has_the_dice_of_its_number() -> None:
    """Expected from splitmix64 in plain Python; simple backgammon's player 0 throws both dice at once."""
    envs = make("tablezoo/SimpleBackgammon-v0", 6, action_mode="plays")
    _, infos = envs.reset(seed=7)
    streams = [Generator(int(game_seed(7, i))) for i in range(6)]
    for _ in range(20):
        assert infos["roll"].tolist() == [sorted(stream.roll(opening=False), reverse=True) for stream in streams]
        infos = envs.step(np.zeros(6, np.int64))[4]


def test_dice_go_on_after_what_was_sampled() -> None:
    """Expected from splitmix64 in plain Python, with none, one or more samples before a step."""
    envs = make("tablezoo/SimpleBackgammon-v0", 6, action_mode="plays")
    _, infos = envs.reset(seed=7)
    streams = [Generator(int(game_seed(7, i))) for i in range(6)]
    for samples in (0, 1, 2, 3, 1, 0, 2):
        assert infos["roll"].tolist() == [sorted(stream.roll(opening=False), reverse=True) for stream in streams]
        drawn = np.zeros(6, np.int64)
        for _ in range(samples):
            drawn = envs.sample_actions()
            assert drawn.tolist() == [stream.below(int(mask.sum())) for stream, mask in zip(streams, infos["action_mask"], strict=True)]
        infos = envs.step(drawn)[4]


def test_a_reset_of_some_games_leaves_the_dice_of_the_others_where_their_samples_left_them() -> None:
    envs, twin = (make("tablezoo/SimpleBackgammon-v0", 4, action_mode="plays") for _ in range(2))
    for each in (envs, twin):
        each.reset(seed=7)
        each.sample_actions()
    envs.reset(options={"reset_mask": np.array([True, False, False, False])})
    assert (envs.sample_actions()[1:] == twin.sample_actions()[1:]).all()
    infos, others = (each.step(np.zeros(4, np.int64))[4] for each in (envs, twin))
    assert (infos["roll"][1:] == others["roll"][1:]).all()
    copied = copy.deepcopy(twin)
    assert any((copied.sample_actions() != twin.sample_actions()).any() for _ in range(4)), "a copy draws its own"


def rolls(envs: TablesVectorEnv, steps: int, seed: int | None = None) -> list[tuple[tuple[int, ...], ...]]:
    """The dice that each game shows over so many steps of first legal actions."""
    _, infos = envs.reset(seed=seed)
    shown = [infos["roll"]]
    for _ in range(steps):
        infos = envs.step(infos["action_mask"].argmax(axis=1))[4]
        shown.append(infos["roll"])
    return [tuple(map(tuple, game)) for game in np.array(shown).transpose(1, 0, 2).tolist()]


@every_game
def test_seeds(name: str) -> None:
    envs = make(tablezoo.game(name).spec.env_id, 8)
    seven, eight = rolls(envs, 200, 7), rolls(envs, 200, 8)
    assert seven == rolls(envs, 200, 7)
    assert len({*seven, *eight}) == 16, "all games of both seeds differ"
    assert rolls(envs, 200) != rolls(envs, 200), "a reset without a seed goes on"
    single = SyncVectorEnv([lambda: gymnasium.make(envs.game.spec.env_id)] * 2)
    _, infos = single.reset(seed=[7, 8])
    _, ours = make(envs.game.spec.env_id, 2).reset(seed=[7, 8])
    assert ours["to_move"].tolist() == infos["to_move"].tolist()


@both_modes
def test_neither_threads_nor_batch_size_change_a_game(mode: str) -> None:
    few = [make(n=n, threads=threads, action_mode=mode) for n, threads in ((300, 1), (300, 3), (5, 1))]
    infos = [envs.reset(seed=3)[1] for envs in few]
    for _ in range(40):
        steps = [envs.step(some_first(each["action_mask"])) for envs, each in zip(few, infos, strict=True)]
        infos = [step[4] for step in steps]
        for other in steps[1:]:
            n = len(other[1])
            assert_same_steps((*(part[:n] for part in steps[0][:4]), {key: part[:n] for key, part in infos[0].items()}), other)
    for envs in few:
        envs.close()


def some_first(masks: NDArray[np.int8]) -> NDArray[np.int64]:
    """The first legal action of each game."""
    return masks.argmax(axis=1)


@every_env
def test_sampled_actions_are_legal_and_equally_likely(name: str, mode: str) -> None:
    envs = make(name, 400, action_mode=mode)
    _, infos = envs.reset(seed=[5] * 400)
    envs._games.dice[:, batch.DRAWN] = np.arange(400, dtype=np.uint64) << np.uint64(32)
    envs.sample_actions()  # drawn before
    mask = infos["action_mask"][0]
    drawn = np.array([envs.sample_actions() for _ in range(20)]).reshape(-1)
    found = np.bincount(drawn, minlength=len(mask))
    assert found[mask == 0].sum() == 0
    expected, freedom = len(drawn) / mask.sum(), int(mask.sum()) - 1
    assert ((found[mask == 1] - expected) ** 2 / expected).sum() < freedom + 5 * np.sqrt(2 * freedom) + 1


@every_env
@pytest.mark.parametrize("opponent", [None, "random"])
def test_a_deep_copy_neither_knows_nor_moves_the_dice_of_its_original(name: str, mode: str, opponent: str | None) -> None:
    """Nor those of games that begin later, the first of which are soon over here."""
    envs, twin = (make(name, 5, action_mode=mode, opponent=opponent, autoreset_mode="SAME_STEP", max_stages=9, threads=2) for _ in range(2))
    for each in (envs, twin):
        each.reset(seed=9)
    copied = copy.deepcopy(envs)
    assert copied.positions == envs.positions
    assert (copied.action_masks() == envs.action_masks()).all()
    futures = []
    for each in (copied, envs, twin):
        shown, masks = [], each.action_masks()
        for _ in range(25):
            infos = each.step(masks.argmax(axis=1))[4]
            shown.append(infos["roll"])
            masks = infos["action_mask"]
        futures.append(np.array(shown))
        each.close()
    assert (futures[1] == futures[2]).all(), "the copy moved dice of its original"
    for game in range(5):
        assert (futures[0][:, game] != futures[1][:, game]).any(), "the copy throws them"
    assert (futures[0][-12:] != futures[1][-12:]).any(), "the copy throws those of later games"


# Autoreset, masks, aliasing


@every_env
def test_the_step_after_an_end_ignores_its_action(name: str, mode: str) -> None:
    """Gymnasium's NEXT_STEP: reward 0, the first observation of a new game and its mask."""
    envs = make(name, 2, action_mode=mode, on_illegal="raise", max_stages=30)
    _, infos = envs.reset(seed=1)
    ended = np.zeros(2, bool)
    while not ended.any():
        _, _, terminated, truncated, infos = envs.step(envs.sample_actions())
        ended = terminated | truncated
    assert not infos["action_mask"][ended].any()
    actions = np.where(ended, 10**6, envs.sample_actions())
    _, rewards, terminated, truncated, infos = envs.step(actions)
    assert (rewards[ended] == 0).all()
    assert not (terminated | truncated)[ended].any()
    start = tablezoo.game(envs.game.name).start()
    for i in np.flatnonzero(ended):
        assert envs.positions[i] == start.rolled(tuple(int(die) for die in infos["roll"][i] if die))
        assert infos["action_mask"][i].any()


@every_env
@pytest.mark.parametrize("autoreset", AutoresetMode)
def test_nothing_returned_is_changed_later_or_reaches_the_games(name: str, mode: str, autoreset: AutoresetMode) -> None:
    envs, twin = (make(name, 3, action_mode=mode, autoreset_mode=autoreset, max_stages=8, observation="planes") for _ in range(2))
    kept, copies = [], []
    for each in (envs, twin):
        each.reset(seed=3)
    for _ in range(20):
        actions = envs.sample_actions()
        assert (actions == twin.sample_actions()).all()
        step, same = envs.step(actions), twin.step(actions)
        assert_same_steps(step, same)
        kept.append(same)
        copies.append(copy.deepcopy(same))
        arrays = arrays_of(step)
        assert len({id(array) for array in arrays}) == len(arrays)
        for i, array in enumerate(arrays):
            assert not any(np.shares_memory(array, other) for other in arrays[i + 1 :])
            array[:] = 1  # whatever a caller does with them
        if autoreset is AutoresetMode.DISABLED and (same[2] | same[3]).any():
            for each in (envs, twin):
                each.reset(options={"reset_mask": same[2] | same[3]})
    for one, other in zip(kept, copies, strict=True):
        assert_same_steps(one, other)


def arrays_of(step: Step) -> list[NDArray[Any]]:
    """All arrays of numbers in a step."""
    infos = list(step[4].items()) + list(step[4].get("final_info", {}).items())
    return [*step[:4], *(array for name, array in infos if name not in ("final_info", "final_obs"))]


@every_env
def test_masks_bounds_and_types_through_games(name: str, mode: str) -> None:
    envs = make(name, 16, action_mode=mode)
    observations, infos = envs.reset(seed=2)
    for _ in range(150):
        assert observations in envs.observation_space
        assert np.isfinite(observations).all()
        mask = infos["action_mask"]
        assert (mask.dtype, mask.shape) == (np.int8, (16, envs.single_action_space.n))
        assert (envs.action_masks() == mask.astype(bool)).all()
        assert envs.action_masks().dtype == np.bool_
        observations, rewards, terminated, truncated, infos = envs.step(envs.sample_actions())
        assert (mask.any(axis=1) | (rewards == 0)).all()
        assert ((infos["action_mask"].sum(axis=1) == 0) == (terminated | truncated)).all()
        assert (rewards.dtype, terminated.dtype, truncated.dtype) == (np.float64, np.bool_, np.bool_)
        assert set(np.unique(rewards[~terminated])) <= {0.0}
        assert set(rewards[terminated].tolist()) <= {*map(float, envs.game.outcomes), 0.0}


@every_env
def test_gymnasiums_vector_wrappers_go_round_it(name: str, mode: str) -> None:
    """With the masks, and lengths of games that a limit of steps ends."""
    envs = RecordEpisodeStatistics(make(name, 8, action_mode=mode, max_episode_steps=7))
    _, infos = envs.reset(seed=1)
    lengths: list[int] = []
    for _ in range(30):
        assert (envs.unwrapped.action_masks() == infos["action_mask"].astype(bool)).all()
        *_, infos = envs.step(envs.unwrapped.sample_actions())
        if "episode" in infos:
            lengths += infos["episode"]["l"][infos["_episode"]].tolist()
    assert len(lengths) >= 24
    assert max(lengths) == 7


@every_game
def test_it_is_rendered_game_by_game(name: str) -> None:
    for mode in ("ansi", "svg", "rgb_array"):
        envs = make(tablezoo.game(name).spec.env_id, 2, render_mode=mode)
        envs.reset(seed=1)
        pictures = envs.render()
        assert pictures is not None
        if mode == "rgb_array":
            assert [picture.dtype for picture in pictures] == [np.uint8, np.uint8]
        else:
            assert list(pictures) == [{"ansi": str(position), "svg": position.svg()}[mode] for position in envs.positions]


# Illegal actions and wrong arguments


@every_env
def test_random_unmasked_actions_lose_and_change_nothing(name: str, mode: str) -> None:
    envs = make(name, 4, action_mode=mode)
    envs.action_space.seed(4)
    _, infos = envs.reset(seed=4)
    refused = 0
    for _ in range(1000):
        before, mask, actions = envs.positions, infos["action_mask"], envs.action_space.sample()
        _, rewards, terminated, _, infos = envs.step(actions)
        illegal = mask.any(axis=1) & (mask[np.arange(4), actions] == 0)
        assert (infos.get("illegal", np.zeros(4, bool)) == illegal).all()
        assert (rewards[illegal] == -1).all()
        assert terminated[illegal].all()
        assert [envs.positions[i] for i in np.flatnonzero(illegal)] == [before[i] for i in np.flatnonzero(illegal)]
        refused += int(illegal.sum())
    assert refused > 1000


@every_env
def test_strict_mode_names_the_game_and_changes_none(name: str, mode: str) -> None:
    envs, twin = (make(name, 3, action_mode=mode, on_illegal="raise") for _ in range(2))
    (_, infos), _ = envs.reset(seed=4), twin.reset(seed=4)
    for wrong in (int(np.flatnonzero(infos["action_mask"][1] == 0)[-1]), -1, 5000):
        with pytest.raises(IllegalAction, match=f"action {wrong} is illegal in game 1"):
            envs.step(np.array([int(infos["action_mask"][0].argmax()), wrong, 0]))
    actions = infos["action_mask"].argmax(axis=1)
    assert_same_steps(envs.step(actions), twin.step(actions))


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ({"num_envs": 0}, "num_envs must be a whole number from 1 on, not 0"),
        ({"threads": 0}, "threads must be a whole number from 1 on, not 0"),
        ({"max_episode_steps": -3}, "max_episode_steps must be a whole number from 1 on, not -3"),
        ({"autoreset_mode": "next"}, r"autoreset_mode cannot be 'next'.*choose from NEXT_STEP"),
        ({"action_mode": "step"}, r"action_mode cannot be 'step' \(did you mean steps\?\)"),
        ({"observation": "plane"}, r"observation cannot be 'plane' \(did you mean planes\?\)"),
        ({"opponent": "randon"}, r"unknown agent 'randon' \(did you mean random\?\)"),
    ],
)
def test_wrong_arguments_are_named_in_one_line(arguments: dict[str, Any], message: str) -> None:
    with pytest.raises(ValueError, match=message) as raised:
        TablesVectorEnv(**arguments)
    assert "\n" not in str(raised.value)


@pytest.mark.parametrize(
    ("actions", "message"),
    [(np.zeros(3, np.int64), r"actions must be 4 whole numbers, one a game, not int64\[3\]"), (np.zeros(4), r"not float64\[4\]")],
)
def test_wrong_actions_are_named_in_one_line(actions: NDArray[Any], message: str) -> None:
    envs = make()
    envs.reset(seed=1)
    with pytest.raises(ValueError, match=message):
        envs.step(actions)


@pytest.mark.parametrize(
    ("seed", "options", "message"),
    [
        (1, {"seet": 1}, r"unknown reset option 'seet' \(did you mean seat\?\); known: seat, position, reset_mask"),
        (1, {"seat": 1}, "seat belongs to games against an opponent"),
        (1, {"reset_mask": np.zeros(4, bool)}, r"reset_mask must be an array bool\[4\] that is True somewhere"),
        ([1, 2], {}, "give one seed or one for each of 4 games, not 2"),
    ],
)
def test_wrong_resets_are_named_in_one_line(seed: Any, options: dict[str, Any], message: str) -> None:
    with pytest.raises(ValueError, match=message):
        make().reset(seed=seed, options=options)


def test_a_step_before_a_reset_asks_for_it() -> None:
    with pytest.raises(ResetNeeded, match=r"call reset\(\)"):
        make().step(np.zeros(4, np.int64))
