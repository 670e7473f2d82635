"""Random games of backgammon in the vector environment beside OpenSpiel and pgx, where those are installed (extra `peers`).

Rates are per CPU second of one core and taken in turn, round by round; a ratio is the median of those of the rounds. OpenSpiel's action
is a play of two checkers (a doublet takes two), chosen through its Python interface and without observations; pgx's is a checker's
move in a jitted loop over many games, on one XLA thread. Ours come with observations and masks.
"""

import os
import random
import statistics
import time
from collections.abc import Callable, Iterator
from importlib.util import find_spec
from typing import Any

from experiments.bench.environments import BATCH, MODES, STEPS, begun, check_games, play_on
from experiments.bench.measure import Result, require

ROUNDS = 5
TURNS, TOLERANCE = 96.5, 8.0
"""Turns of a random game (docs/strength.md), and how far the mean of some hundred may be from it."""
PGX_BATCHES = {32: 300, 1024: 20}
"""Games at once, and steps of each in a round."""
LEAST = 20
"""Times their actions."""
Play = Callable[[], float]
"""Plays a while; returns how many actions."""


def require_turns(name: str, turns: float, games: float) -> None:
    """Refuse to time another game than ours.

    Raises:
        RuntimeError: games are too long or too short.
    """
    require(f"{name}: turns of a random game near {TURNS}", abs(turns / games - TURNS) < TOLERANCE, True)


def ours(mode: str) -> Play:
    """The vector environment."""
    check_games("backgammon", mode)
    envs = begun("backgammon", mode, threads=1)

    def play() -> float:
        play_on(envs, STEPS)
        return BATCH * STEPS

    return play


def open_spiel(games: int = 60) -> Play:
    """OpenSpiel from Python."""
    import pyspiel

    game = pyspiel.load_game("backgammon")
    rng = random.Random(1)

    def play_games(n: int) -> tuple[int, int]:
        rolls = actions = 0
        for _ in range(n):
            state = game.new_initial_state()
            while not state.is_terminal():
                if state.is_chance_node():
                    outcomes, weights = zip(*state.chance_outcomes(), strict=True)
                    state.apply_action(rng.choices(outcomes, weights)[0])
                    rolls += 1
                else:
                    state.apply_action(rng.choice(state.legal_actions()))
                    actions += 1
        return rolls, actions

    require_turns("OpenSpiel", play_games(300)[0], 300)
    return lambda: play_games(games)[1]


def pgx(batch: int, steps: int) -> Play:
    """A jitted loop of pgx over a batch of games on one XLA thread."""
    os.environ.setdefault("XLA_FLAGS", "--xla_cpu_multi_thread_eigen=false intra_op_parallelism_threads=1")
    os.environ["JAX_PLATFORMS"] = "cpu"
    import jax
    import jax.numpy as jnp
    import pgx
    from pgx.experimental import auto_reset

    env = pgx.make("backgammon")
    step = auto_reset(env.step, env.init)

    def advance(carry: Any, _: Any) -> Any:
        state, key = carry
        key, draw, dice = jax.random.split(key, 3)
        actions = jax.random.categorical(draw, jnp.where(state.legal_action_mask, 0.0, -jnp.inf), axis=-1)
        after = jax.vmap(step)(state, actions, jax.random.split(dice, batch))
        turned = (after._turn != state._turn) | after.terminated
        return (after, key), (after.terminated.sum(), turned.sum())

    run = jax.jit(lambda carry: jax.lax.scan(advance, carry, None, length=steps))
    carry = jax.jit(jax.vmap(env.init))(jax.random.split(jax.random.PRNGKey(0), batch)), jax.random.PRNGKey(1)

    def play() -> float:
        nonlocal carry
        carry, (games, _) = run(carry)
        games.block_until_ready()
        return batch * steps

    run(carry)  # compiles
    for _ in range(1 + 250 // steps):  # so that games are at all stages
        carry, _ = run(carry)
    ends = turns = 0.0
    while ends < 300:
        carry, (games, turned) = run(carry)
        ends, turns = ends + float(games.sum()), turns + float(turned.sum())
    require_turns("pgx", turns, ends)
    return play


def rate(play: Play) -> float:
    """Actions a CPU second."""
    began = time.process_time()
    actions = play()
    return actions / (time.process_time() - began)


def bench_peers() -> Iterator[Result]:
    """Actions of those that are installed, and how many times theirs ours are."""
    if hasattr(os, "sched_setaffinity"):
        cores = os.sched_getaffinity(0)
        os.sched_setaffinity(0, {min(cores)})
    try:
        players = {"OpenSpiel": open_spiel()} if find_spec("pyspiel") else {}
        players |= {f"pgx, {batch} games": pgx(batch, steps) for batch, steps in PGX_BATCHES.items()} if find_spec("pgx") else {}
        if not players:
            return
        mine = {mode: ours(mode) for mode in MODES}
        rounds = [{name: rate(play) for name, play in (mine | players).items()} for _ in range(ROUNDS)]
    finally:
        if hasattr(os, "sched_setaffinity"):
            os.sched_setaffinity(0, cores)
    for name in players:
        yield Result(name, statistics.median(each[name] for each in rounds), "actions/s")
        for mode in MODES:
            yield Result(f"{mode} beside {name}", statistics.median(each[mode] / each[name] for each in rounds), "times", least=LEAST)
