"""Self-play, learning and values of nets, beside gnubg's where gnubg-nn is installed."""

from collections.abc import Iterator
from functools import partial
from importlib.util import find_spec

import numpy as np
from numpy.typing import NDArray

from agents.gnubg import GnubgAgent
from agents.nets.value import make_net
from agents.td import TDAgent
from experiments.bench.measure import Result, require, seconds
from experiments.config import LearnConfig, SelfPlayConfig, TrainConfig
from experiments.learn import NumbaLearner
from experiments.selfplay import Games, Manner, play_games
from experiments.train import Trainer
from tablezoo.kernel.batch import count_results, roll_all
from tablezoo.kernel.bits import U
from tablezoo.position import game

GAMES = 2_000
POSITIONS = 20_000
FAR = 0.1
"""Values of a net as good as gnubg's are nearer to them on average."""


def bench_selfplay() -> Iterator[Result]:
    """Greedy self-play and learning of a net with one hidden layer of 128, taught for 20,000 games first."""
    config = TrainConfig(kind="train", seed=1, threads=1, selfplay=SelfPlayConfig(games=20_000, batch=400), learn=LearnConfig(batch=1024))
    config = config.model_copy(update={"net": config.net.model_copy(update={"hidden": (128,)})})
    trainer = Trainer(config)
    while not trainer.done:
        trainer.advance()
    trainer.close()
    spec, theta, rules = trainer.spec, trainer.learner.average, trainer.game.rules
    net = make_net(theta.copy(), spec.hidden, spec.encoder, spec.outcomes)
    play = partial(play_games, rules, net, net, trainer.game.start_row, U(2), U(0), GAMES, Manner(config.selfplay.max_turns))
    record = Games(*play())
    require("self-play", record.ends.tolist(), Games(*play()).ends.tolist())
    playing, nodes = seconds(play), thrown(record)
    yield Result("greedy self-play, 128 hidden", GAMES / playing, "games/s", least=6_000)
    yield Result("greedy self-play, positions valued", int(count_results(rules, nodes)[-1]) / playing, "positions/s")
    learner = NumbaLearner(spec, theta, config.learn, 1)
    learning = seconds(lambda: learner.learn(record, 1e-4, config.learn.lam))
    yield Result("self-play with learning", GAMES / (playing + learning), "games/s", least=3_500)


def thrown(record: Games) -> NDArray[np.uint64]:
    """The decisions of games, with other dice."""
    nodes = np.delete(record.rows, record.ends - 1, axis=0)
    roll_all(game("backgammon").rules, nodes, np.arange(len(nodes), dtype=np.uint64) * U(0x9E3779B97F4A7C15))
    return nodes


def bench_values() -> Iterator[Result]:
    """Values that the net that ships puts on positions, and gnubg's raw net where gnubg-nn is installed; both first have to agree."""
    backgammon = game("backgammon")
    shipped = TDAgent(backgammon)
    net = shipped.net
    record = Games(*play_games(backgammon.rules, net, net, backgammon.start_row, U(1), U(0), POSITIONS // 40, Manner()))
    rows = np.delete(record.rows, record.ends - 1, axis=0)[:POSITIONS]
    yield Result("values of the net that ships", len(rows) / seconds(partial(shipped.values, backgammon, rows)), "positions/s")
    if find_spec("gnubg_nn") is None:
        return
    gnubg, rows = GnubgAgent(backgammon), rows[: POSITIONS // 10]
    apart = float(np.abs(shipped.values(backgammon, rows) - gnubg.values(backgammon, rows)).mean())
    require(f"mean distance between values of the net that ships and gnubg's below {FAR}", apart < FAR, True)
    yield Result("values of gnubg's raw net", len(rows) / seconds(partial(gnubg.values, backgammon, rows)), "positions/s")
