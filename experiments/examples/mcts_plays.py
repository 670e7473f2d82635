"""Tree search on the `plays` mode of the environments: a net learns what searches on top of it find.

`python -m experiments.examples.mcts_plays --env-id tablezoo/Hypergammon-v0 --minutes 10`

`tablezoo run mcts/hypergammon` does the same without environments.
"""

from pathlib import Path

import cyclopts
import gymnasium
import numpy as np

from agents.mcts import Trees
from agents.nets.files import NetSpec
from agents.nets.value import Floats
from agents.td import TDAgent
from agents.tree import Policy
from experiments.config import LearnConfig, MctsConfig
from experiments.examples.curve import Curve
from experiments.examples.td_plays import Turn, teach
from experiments.learn import NumbaLearner
from experiments.selfplay_mcts import policy_of
from tablezoo.envs.vector import TablesVectorEnv


def searched(agent: TDAgent, policy: Policy, games: TablesVectorEnv, noise: Floats | None = None) -> Turn:
    """The action that a search chooses in each game, the node it leads to, and the chances of the outcomes there for the player to act."""
    nodes = games.afterstates().nodes
    every = np.arange(len(nodes))
    trees = Trees(games.game, agent, policy, len(nodes))
    trees.plant(every, nodes)
    trees.search(every, noise)
    chosen, rows, values = trees.made(every)
    return trees.forest.place[every, chosen].astype(np.int64), rows, values


def main(
    *,
    env_id: str = "tablezoo/Hypergammon-v0",
    minutes: float = 10,
    seed: int = 1,
    envs: int = 256,
    batch: int = 256,
    rate: float = 1.2e-3,
    lam: float = 0.5,
    hidden: tuple[int, ...] = (64, 32),
    sims: int = 42,
    temperature: float = 0.02,
    points: int = 10,
    pairs: int = 500,
    threads: int = 2,
    out: Path = Path("runs/examples/mcts_plays"),
) -> None:
    """Learn by self-play, and measure the player against `random` on the way."""
    games = gymnasium.make_vec(env_id, num_envs=envs, action_mode="plays", autoreset_mode="SAME_STEP", threads=threads)
    assert isinstance(games, TablesVectorEnv)
    spec = NetSpec(games.game, hidden, "tesauro")
    learner = NumbaLearner(spec, spec.initial(seed), LearnConfig(), seed)
    policy, rng = policy_of(MctsConfig(sims=sims)), np.random.default_rng(seed)
    curve = Curve(out, env_id, "random", pairs, "plays", learner="MCTS", seed=seed, sims=sims, threads=threads)

    def turn(agent: TDAgent) -> Turn:
        return searched(agent, policy, games, (temperature * rng.gumbel(size=(envs, policy.width))).astype(np.float32))

    games.reset(seed=seed)
    teach(games, learner, curve, turn, lambda agent, duels: searched(agent, policy, duels)[0], minutes=minutes, points=points, batch=batch, rate=rate, lam=lam)


if __name__ == "__main__":
    cyclopts.run(main)
