"""Tree search on the `plays` mode of the environments: a net learns what searches on top of it find.

`python -m experiments.examples.mcts_plays --env-id tablezoo/Hypergammon-v0 --minutes 10`

`tablezoo run mcts/hypergammon` does the same without environments.
"""

from pathlib import Path
from typing import Any

import cyclopts
import gymnasium
import numpy as np
from numpy.typing import NDArray

from agents.mcts import Trees
from agents.nets.files import NetSpec
from agents.nets.value import Floats
from agents.td import TDAgent
from agents.tree import Policy
from experiments.config import LearnConfig, MctsConfig
from experiments.examples.curve import Curve
from experiments.examples.td_plays import Recorder
from experiments.learn import NumbaLearner
from experiments.selfplay import join
from experiments.selfplay_mcts import policy_of
from tablezoo.envs.vector import TablesVectorEnv


def searched(agent: TDAgent, policy: Policy, games: TablesVectorEnv, noise: Floats | None = None) -> tuple[NDArray[np.int64], NDArray[np.uint64], Floats]:
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
    recorder, policy, rng = Recorder(envs, spec.outcomes), policy_of(MctsConfig(sims=sims)), np.random.default_rng(seed)
    agent = TDAgent.of(spec, learner.average)

    def act(duels: Any, _: NDArray[np.float32], infos: dict[str, Any]) -> NDArray[np.int64]:
        return searched(agent, policy, duels)[0]

    curve = Curve(out, env_id, "random", pairs, "plays", learner="MCTS", seed=seed, sims=sims, threads=threads)
    curve.measure(0, act)
    games.reset(seed=seed)
    steps, measured = 0, 1
    while curve.seconds < minutes * 60:
        noise = (temperature * rng.gumbel(size=(envs, policy.width))).astype(np.float32)
        actions, rows, values = searched(agent, policy, games, noise)
        _, rewards, terminated, _, _ = games.step(actions)
        recorder.add(rows, values, rewards, terminated)
        steps += envs
        if len(recorder.games) >= batch:
            learner.learn(join(recorder.games), rate, lam)
            recorder.games.clear()
            agent = TDAgent.of(spec, learner.average)
        if curve.seconds >= measured * minutes * 60 / points:
            curve.measure(steps, act)
            measured += 1
    games.close()


if __name__ == "__main__":
    cyclopts.run(main)
