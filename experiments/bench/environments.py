"""The vector environment: random legal actions in every game, observations and masks included."""

from collections.abc import Iterator
from functools import partial

import numpy as np

from experiments.bench.measure import Result, require, seconds, times, wall
from tablezoo.envs.actions import legal_actions
from tablezoo.envs.vector import TablesVectorEnv
from tablezoo.kernel.bits import U
from tablezoo.kernel.board import ROW
from tablezoo.kernel.playout import random_games
from tablezoo.position import game

BATCH, STEPS = 1_024, 100
"""Games of the vector environment, and how often each is played on at a time."""
MODES = ("steps", "plays")
FIRST = 16
"""Random games whose course is checked."""
FIRST_STEPS = 3_364
"""Actions of the first 16 random games of backgammon, checker by checker."""
LEAST = {"widdershins": 0.3e6}
LEAST_OTHERS, LEAST_TIMES = 1e6, 1.8


def bench_environments() -> Iterator[Result]:
    """Steps a second of one thread in both action modes."""
    for name in game_names():
        for mode in MODES:
            check_games(name, mode)
            taken = seconds(partial(play_on, begun(name, mode, threads=1), STEPS // 4))
            yield Result(f"{name}: {mode}", BATCH * (STEPS // 4) / taken, "steps/s", least=LEAST.get(name, LEAST_OTHERS))


def bench_threads() -> Iterator[Result]:
    """What a second thread gains in backgammon."""
    for mode in MODES:
        one, two = (partial(play_on, begun("backgammon", mode, threads), STEPS) for threads in (1, 2))
        yield Result(f"two threads, {mode}", times(one, two, wall), "times one, wall", least=LEAST_TIMES)


def game_names() -> tuple[str, ...]:
    """All games, as the zoo lists them."""
    from tablezoo.games import ZOO

    return tuple(spec.name for spec in ZOO)


def begun(name: str, mode: str, threads: int) -> TablesVectorEnv:
    """A vector environment whose games are at all stages."""
    envs = TablesVectorEnv(BATCH, name, action_mode=mode, threads=threads)
    envs.reset(seed=1)
    play_on(envs, 200)
    return envs


def play_on(envs: TablesVectorEnv, steps: int) -> None:
    """Random legal actions."""
    for _ in range(steps):
        envs.step(envs.sample_actions())


def check_games(name: str, mode: str) -> None:
    """See that games are the right ones: whole plays those of the fused kernel; single steps legal at each node as it is found by another way.

    Raises:
        RuntimeError: they are not.
    """
    envs = TablesVectorEnv(FIRST, name, action_mode=mode, threads=1)
    envs.reset(seed=1)
    if mode == "plays":
        played, results = game(name), np.empty((FIRST, 2), np.int64)
        random_games(played.rules, played.start_row, U(1), U(0), results, np.empty((0, ROW), np.uint64))
        require(f"{name}: random games", first_games(envs), [tuple(result) for result in results.tolist()])
        return
    for _ in range(100):
        offered = envs.action_masks()
        for node, mask in zip(envs.positions, offered, strict=True):
            if mask.any():
                require(f"{name}: steps", mask.tolist(), legal_actions(envs.game, node.row.copy()).astype(bool).tolist())
        envs.step(envs.sample_actions())


def first_games(envs: TablesVectorEnv) -> list[tuple[int, int]]:
    """Points of the player who begins, and actions, of the first game in each place."""
    points, actions, going = np.zeros(envs.num_envs, np.int64), np.zeros(envs.num_envs, np.int64), np.ones(envs.num_envs, bool)
    while going.any():
        signs = np.array([1 - 2 * position.player for position in envs.positions])
        _, rewards, terminated, _, _ = envs.step(envs.sample_actions())
        actions += going
        points += np.where(going & terminated, rewards * signs, 0).astype(np.int64)
        going &= ~terminated
    return list(zip(points.tolist(), actions.tolist(), strict=True))
