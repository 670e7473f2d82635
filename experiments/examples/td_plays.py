"""The project's own TD learner on the `plays` mode of the environments: a net values what each play leads to.

`python -m experiments.examples.td_plays --env-id tablezoo/Backgammon-v0 --minutes 5`

`tablezoo run` does the same some times faster, with whole games in one kernel.
"""

from collections.abc import Callable
from pathlib import Path
from typing import Any

import cyclopts
import gymnasium
import numpy as np
from numpy.typing import NDArray

from agents.nets.files import NetSpec
from agents.td import TDAgent
from experiments.config import LearnConfig
from experiments.examples.curve import Curve
from experiments.learn import NumbaLearner
from experiments.selfplay import Games, join
from tablezoo.agent import best
from tablezoo.envs.vector import TablesVectorEnv

Turn = tuple[NDArray[np.int64], NDArray[np.uint64], NDArray[np.float32]]
"""An action in every game, the nodes they lead to, and the chances of the outcomes there for the player to act."""


class Recorder:
    """Games as the learner takes them, gathered play by play."""

    def __init__(self, places: int, outcomes: tuple[int, ...]) -> None:
        self._outcomes = np.array(outcomes)
        self._going: list[list[tuple[NDArray[np.uint64], NDArray[np.float32]]]] = [[] for _ in range(places)]
        self.games: list[Games] = []

    def add(self, rows: NDArray[np.uint64], values: NDArray[np.float32], points: NDArray[np.float64], terminated: NDArray[np.bool_]) -> None:
        """The nodes that followed a play in each place, the net's distributions there, and what the players won who made them."""
        for place, game in enumerate(self._going):
            game.append((rows[place], self._certain(-points[place]) if terminated[place] else values[place]))
            if terminated[place]:
                nodes, valued = zip(*game, strict=True)
                self.games.append(Games(np.array(nodes), np.array(valued, np.float32), np.array([len(game)])))
                game.clear()

    def _certain(self, points: float) -> NDArray[np.float32]:
        """The distribution that is sure of these points; a draw is half a win and half a loss."""
        values = np.zeros(len(self._outcomes), np.float32)
        values[self._outcomes == points] = 1
        if points == 0:
            values[[0, len(values) // 2]] = 0.5
        return values


def main(
    *,
    env_id: str = "tablezoo/Backgammon-v0",
    minutes: float = 10,
    seed: int = 1,
    envs: int = 256,
    batch: int = 256,
    rate: float = 1.2e-3,
    hidden: tuple[int, ...] = (64, 16),
    points: int = 10,
    pairs: int = 500,
    threads: int = 2,
    out: Path = Path("runs/examples/td_plays"),
) -> None:
    """Learn by self-play, and measure the net against `random` on the way."""
    games = gymnasium.make_vec(env_id, num_envs=envs, action_mode="plays", autoreset_mode="SAME_STEP", threads=threads)
    assert isinstance(games, TablesVectorEnv)
    spec = NetSpec(games.game, hidden, "tesauro")
    learner = NumbaLearner(spec, spec.initial(seed), LearnConfig(), seed)
    curve = Curve(out, env_id, "random", pairs, "plays", learner="TD(lambda)", seed=seed, threads=threads)

    def turn(agent: TDAgent) -> Turn:
        after = games.afterstates()
        chosen = best(agent, games.game, after)
        rows = after.rows[chosen]
        return chosen - np.array([0, *after.ends[:-1]]), rows, agent.probabilities(rows)

    games.reset(seed=seed)
    teach(games, learner, curve, turn, greedy, minutes=minutes, points=points, batch=batch, rate=rate, lam=learner.config.lam)


def teach(
    games: TablesVectorEnv,
    learner: NumbaLearner,
    curve: Curve,
    turn: Callable[[TDAgent], Turn],
    act: Callable[[TDAgent, TablesVectorEnv], NDArray[np.int64]],
    *,
    minutes: float,
    points: int,
    batch: int,
    rate: float,
    lam: float,
) -> None:
    """Have a net learn from games that it plays by `turn`, and measure it now and then as it plays by `act`; closes the games."""
    recorder, agent = Recorder(games.num_envs, learner.spec.outcomes), TDAgent.of(learner.spec, learner.average)

    def player(duels: Any, _: NDArray[np.float32], infos: dict[str, Any]) -> NDArray[np.int64]:
        return act(agent, duels)

    curve.measure(0, player)
    steps, measured = 0, 1
    while curve.seconds < minutes * 60:
        actions, rows, values = turn(agent)
        _, rewards, terminated, _, _ = games.step(actions)
        recorder.add(rows, values, rewards, terminated)
        steps += games.num_envs
        if len(recorder.games) >= batch:
            learner.learn(join(recorder.games), rate, lam)
            recorder.games.clear()
            agent = TDAgent.of(learner.spec, learner.average)
        if curve.seconds >= measured * minutes * 60 / points:
            curve.measure(steps, player)
            measured += 1
    games.close()


def greedy(agent: TDAgent, games: TablesVectorEnv) -> NDArray[np.int64]:
    """The action of the play that the net likes best in each game."""
    after = games.afterstates()
    actions: NDArray[np.int64] = best(agent, games.game, after) - np.array([0, *after.ends[:-1]])
    return actions


if __name__ == "__main__":
    cyclopts.run(main)
