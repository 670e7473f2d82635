"""Random games of backgammon in the vector environment beside OpenSpiel and pgx, in one run on one core.

`python -m experiments.peers`, with the extra `peers`. Rates are per CPU second and taken in turn, round by round; a ratio is the median of those of
the rounds. OpenSpiel's action is a play of two checkers (a doublet takes two), chosen through its Python interface and without observations;
pgx's is a checker's move in a jitted loop over many games. Ours come with observations and masks.
"""

import os
import random
import statistics
import time
from collections.abc import Callable
from typing import Any

from experiments.bench import BATCH, RANDOM_VECTOR, VECTOR_STEPS, begun_vector, first_games, machine, play_vector, require

ROUNDS = 5
TURNS, TOLERANCE = 96.5, 8.0
"""Turns of a random game (docs/strength.md), and how far the mean of some hundred may be from it."""
PGX_BATCHES = {32: 300, 1024: 20}
"""Games at once, and steps of each in a round."""
Play = Callable[[], tuple[float, float]]
"""Plays a while; returns actions and games."""


def require_turns(name: str, turns: float, games: float) -> None:
    """Refuse to time another game than ours.

    Raises:
        RuntimeError: games are too long or too short.
    """
    require(f"{name}: turns of a random game near {TURNS}", abs(turns / games - TURNS) < TOLERANCE, True)


def ours(mode: str) -> Play:
    """The vector environment."""
    require(mode, first_games(mode), RANDOM_VECTOR[mode])
    envs = begun_vector(mode, threads=1)
    actions = BATCH * VECTOR_STEPS
    games = actions / (RANDOM_VECTOR[mode][0] / 64)

    def play() -> tuple[float, float]:
        play_vector(envs)
        return actions, games

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
    return lambda: (play_games(games)[1], games)


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

    def play() -> tuple[float, float]:
        nonlocal carry
        carry, (games, _) = run(carry)
        return batch * steps, float(games.sum())  # which waits for it

    run(carry)  # compiles
    for _ in range(1 + 250 // steps):  # so that games are at all stages
        carry, _ = run(carry)
    ends = turns = 0.0
    while ends < 300:
        carry, (games, turned) = run(carry)
        ends, turns = ends + float(games.sum()), turns + float(turned.sum())
    require_turns("pgx", turns, ends)
    return play


def rate(play: Play) -> tuple[float, float]:
    """Actions and games a CPU second."""
    began = time.process_time()
    actions, games = play()
    taken = time.process_time() - began
    return actions / taken, games / taken


def main() -> None:
    """Time all and print a table."""
    if hasattr(os, "sched_setaffinity"):
        os.sched_setaffinity(0, {min(os.sched_getaffinity(0))})
    players = {f"vector environment, {mode}": ours(mode) for mode in ("steps", "plays")}
    players["OpenSpiel"] = open_spiel()
    players |= {f"pgx, {batch} games": pgx(batch, steps) for batch, steps in PGX_BATCHES.items()}
    rounds = [{name: rate(play) for name, play in players.items()} for _ in range(ROUNDS)]
    print(f"{machine()}; {BATCH} games at once, one core, {ROUNDS} rounds")
    print(f"{'':28}{'actions/s':>12}{'games/s':>10}{'steps, times':>16}{'plays, times':>16}")
    for name in players:
        actions, games = (statistics.median(each[name][k] for each in rounds) for k in (0, 1))
        ratios = [statistics.median(each[f"vector environment, {mode}"][0] / each[name][0] for each in rounds) for mode in ("steps", "plays")]
        print(f"{name:28}{actions:12,.0f}{games:10,.1f}{ratios[0]:16.1f}{ratios[1]:16.1f}")


if __name__ == "__main__":
    main()
