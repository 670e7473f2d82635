"""Self-play by tree search: games side by side, what the search found of each node after a play recorded for learning."""

from concurrent.futures import Executor, Future

import numpy as np
from numpy.typing import NDArray

from agents.mcts import Trees
from agents.nets.value import Floats
from agents.td import TDAgent
from agents.tree import Policy
from experiments.config import MctsConfig
from experiments.selfplay import Games
from tablezoo.kernel.batch import roll_all, settled
from tablezoo.kernel.dice import game_seed
from tablezoo.position import Game

CHUNK = 64
"""Games a thread plays side by side."""


def search_games(game: Game, agent: TDAgent, policy: Policy, temperature: float, seed: int, first: int, games: int, max_turns: int) -> Games:
    """Play games `first`, `first + 1`, ... of a run, every play by a search that goes on in the tree of the one before.

    Args:
        agent: values leaves.
        policy: how the trees grow.
        temperature: points; what the plays of a root count varies by so much (times Gumbel noise), so that plays are
            made with the chances of a softmax of their values divided by it.
        seed: of the run; each game has its own dice and noise.
        max_turns: plays after which a game is broken off.
    """
    every = np.arange(games)
    trees = Trees(game, agent, policy, games)
    states = np.array([game_seed(seed, first + k) for k in range(games)], np.uint64)
    noises = [np.random.Generator(np.random.Philox(key=[seed, first + k])) for k in range(games)]
    nodes = np.tile(game.start_row, (games, 1))
    chosen = np.empty(games, np.int64)
    noise = np.zeros((games, policy.width), np.float32)
    recorded: list[tuple[NDArray[np.int64], NDArray[np.uint64], Floats]] = []
    going = every
    for turn in range(max_turns):
        nodes, states[going] = _rolled(game, nodes, states[going])
        if turn:
            trees.follow(going, chosen[going], nodes)
        else:
            trees.plant(going, nodes)
        if temperature:
            noise[going] = [temperature * noises[k].gumbel(size=policy.width) for k in going]
        trees.search(going, noise)
        chosen[going], rows, values = trees.made(going)
        recorded.append((going, rows, values))
        over = settled(game.rules, rows, np.empty(len(rows), np.float32))
        going, nodes = going[~over], rows[~over]
        if not len(going):
            break
    return _by_game(recorded, games)


def _rolled(game: Game, nodes: NDArray[np.uint64], states: NDArray[np.uint64]) -> tuple[NDArray[np.uint64], NDArray[np.uint64]]:
    """The play nodes after dice were thrown where they are thrown, and the generators' states then."""
    nodes, states = nodes.copy(), states.copy()
    roll_all(game.rules, nodes, states)
    return nodes, states


def _by_game(recorded: list[tuple[NDArray[np.int64], NDArray[np.uint64], Floats]], games: int) -> Games:
    """What was recorded turn by turn, game by game."""
    numbers, rows, values = (np.concatenate(parts) for parts in zip(*recorded, strict=True))
    order = np.argsort(numbers, kind="stable")
    return Games(rows[order], values[order], np.cumsum(np.bincount(numbers, minlength=games)))


def policy_of(config: MctsConfig) -> Policy:
    """How the trees of self-play grow: the play that is made has been looked at."""
    return Policy(config.sims, config.width, config.margin, config.spread, config.explore, 1)


def submit_searches(pool: Executor, game: Game, agent: TDAgent, config: MctsConfig, seed: int, first: int, games: int, max_turns: int) -> list[Future[Games]]:
    """Have games `first` to `first + games - 1` of a run played by the threads of a pool, a chunk at a time.

    Every game has its own dice, noise and tree, so the record does not depend on the number of threads.
    """
    policy = policy_of(config)

    def chunk(begin: int, size: int) -> Games:
        return search_games(game, agent, policy, config.temperature, seed, begin, size, max_turns)

    return [pool.submit(chunk, begin, min(CHUNK, first + games - begin)) for begin in range(first, first + games, CHUNK)]
