"""Self-play, learning and values of nets, beside gnubg's where gnubg-nn is installed."""

from collections.abc import Callable, Iterator
from functools import cache, partial
from importlib.util import find_spec
from itertools import islice
from statistics import median

import numpy as np
from numpy.typing import NDArray

from agents.gnubg import GnubgAgent
from agents.nets.value import make_net
from agents.points26 import both_sides, points26
from agents.td import TDAgent
from experiments.bench.measure import RUNS, Result, require, seconds, timed
from experiments.config import LearnConfig, SelfPlayConfig, TrainConfig
from experiments.learn import NumbaLearner
from experiments.selfplay import Games, Manner, play_games
from experiments.train import Trainer
from tablezoo.kernel.batch import count_results, roll_all
from tablezoo.kernel.bits import U
from tablezoo.kernel.board import TURN
from tablezoo.position import game
from tablezoo.rows import numbers_left

GAMES = 2_000
POSITIONS = 20_000
CHECKED, MOVES = 1_000, 2_000
"""Decisions whose plays are counted, and moves of gnubg in each round."""
FAR = 0.1
"""Values of a net as good as gnubg's are nearer to them on average."""


@cache
def taught() -> Trainer:
    """A net with one hidden layer of 128, taught for 20,000 games."""
    config = TrainConfig(kind="train", seed=1, threads=1, selfplay=SelfPlayConfig(games=20_000, batch=400), learn=LearnConfig(batch=1024))
    trainer = Trainer(config.model_copy(update={"net": config.net.model_copy(update={"hidden": (128,)})}))
    while not trainer.done:
        trainer.advance()
    trainer.close()
    return trainer


def greedy(trainer: Trainer) -> Callable[[], Games]:
    """Self-play of its net."""
    spec, of = trainer.spec, trainer.game
    net = make_net(trainer.learner.average.copy(), spec.hidden, spec.encoder, spec.outcomes)
    return lambda: Games(*play_games(of.rules, net, net, of.start_row, U(2), U(0), GAMES, Manner(trainer.config.selfplay.max_turns)))


def bench_selfplay() -> Iterator[Result]:
    """Greedy self-play and learning."""
    trainer = taught()
    play = greedy(trainer)
    record = play()
    require("self-play", record.ends.tolist(), play().ends.tolist())
    playing, nodes = seconds(play), thrown(record)
    yield Result("greedy self-play, 128 hidden", GAMES / playing, "games/s", least=6_000)
    yield Result("greedy self-play, positions valued", int(count_results(trainer.game.rules, nodes)[-1]) / playing, "positions/s")
    learner = NumbaLearner(trainer.spec, trainer.learner.average, trainer.config.learn, 1)
    learning = seconds(lambda: learner.learn(record, 1e-4, trainer.config.learn.lam))
    yield Result("self-play with learning", GAMES / (playing + learning), "games/s", least=3_500)


def bench_moves() -> Iterator[Result]:
    """Moves of the same self-play beside those of gnubg's raw net, where gnubg-nn is installed, on decisions that it has not met: it remembers values."""
    if find_spec("gnubg_nn") is None:
        return
    import gnubg_nn

    trainer = taught()
    play = greedy(trainer)
    nodes = thrown(play())
    decisions = [(both_sides(points), *numbers_left(word)[:2]) for points, word in zip(points26(trainer.game, nodes), nodes[:, TURN], strict=True)]
    ends = count_results(trainer.game.rules, nodes[:CHECKED])
    require("gnubg's plays", [max(len(gnubg_nn.moves(*each, 0)), 1) for each in decisions[:CHECKED]], np.diff(ends, prepend=0).tolist())
    fresh = iter(decisions[CHECKED:])

    def gnubg() -> None:
        for decision in islice(fresh, MOVES):
            gnubg_nn.best_move(*decision)

    rounds = [(len(nodes) / timed(play), MOVES / timed(gnubg)) for _ in range(RUNS)]
    yield Result("moves of gnubg's raw net", median(theirs for _, theirs in rounds), "moves/s")
    yield Result("moves of greedy self-play beside gnubg's", median(ours / theirs for ours, theirs in rounds), "times", least=20)


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
