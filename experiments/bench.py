"""Benchmarks. Each asserts the answer it times; rates are per CPU second of one thread, the median of several runs."""

import platform
import statistics
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import partial

import numpy as np

from agents.gnubg import GnubgAgent
from agents.nets.value import make_net
from agents.td import TDAgent
from experiments.config import LearnConfig, SelfPlayConfig, TrainConfig
from experiments.learn import NumbaLearner
from experiments.selfplay import Games, Manner, play_games
from experiments.train import Trainer
from tablezoo.envs.vector import TablesVectorEnv
from tablezoo.kernel.bits import U
from tablezoo.kernel.board import ROW
from tablezoo.kernel.playout import count_plays, random_games
from tablezoo.position import game

RUNS = 7
SEED = U(1)
SAMPLE = 20_000
SAMPLE_PLAYS = {
    "backgammon": 379_116,
    "simple-backgammon": 379_797,
    "takhteh": 371_445,
    "ofanfelling": 44_334,
    "widdershins": 452_816,
    "tavla": 370_899,
    "portes": 379_624,
    "nackgammon": 410_628,
    "hypergammon": 113_492,
    "longgammon": 588_382,
    "irish": 287_808,
    "plakoto": 513_554,
    "tapa": 513_554,
    "mahbouseh": 441_400,
    "fevga": 268_731,
    "moultezim": 265_665,
    "long-narde": 208_941,
    "tawla-31": 267_402,
    "jacquet": 264_401,
    "gul-bara": 359_287,
    "gioul": 423_873,
    "dutch": 498_961,
    "acey-deucey-american": 665_396,
    "acey-deucey-european": 904_312,
    "russian": 636_592,
    "tabula": 1_616_942,
    "nannon": 33_579,
}
"""Plays of the first 20,000 play nodes of each game's random games with seed 1."""
RANDOM_GAMES = 10_000
RANDOM_TURNS = 961_571
"""Turns of its first 10,000 random games."""
PERFT_3 = 116_154_993

BATCH, VECTOR_STEPS = 1_024, 100
"""Games of the vector environment, and how often each is played on at a time."""
RANDOM_VECTOR = {"steps": (13_810, 5), "plays": (5_907, 15)}
"""Actions and points of its first 64 random games; those of whole plays are the turns and points of `random_games`."""


@dataclass(frozen=True)
class Result:
    """A measured figure."""

    name: str
    value: float
    unit: str


def machine() -> str:
    """What it was measured on."""
    name = platform.processor() or platform.machine()
    try:
        with open("/proc/cpuinfo") as file:
            name = next(line.split(":", 1)[1].strip() for line in file if line.startswith("model name"))
    except (OSError, StopIteration):
        pass
    return f"{name}, Python {platform.python_version()}, {platform.system()}"


def seconds(work: Callable[[], object], runs: int = RUNS) -> float:
    """Median CPU seconds of some work."""
    taken = []
    for _ in range(runs):
        began = time.process_time()
        work()
        taken.append(time.process_time() - began)
    return statistics.median(taken)


def require(name: str, got: object, expected: object) -> None:
    """Refuse to time a wrong answer.

    Raises:
        RuntimeError: it is one.
    """
    if got != expected:
        raise RuntimeError(f"{name}: got {got}, expected {expected}; nothing was timed")


def bench_plays() -> Iterator[Result]:
    """Enumeration of plays, and random games."""
    backgammon = game("backgammon")
    sample = np.empty((SAMPLE, ROW), np.uint64)
    results = np.empty((RANDOM_GAMES, 2), np.int64)
    random_games(backgammon.rules, backgammon.start_row, SEED, U(0), results, sample)
    require("random games", int(results[:, 1].sum()), RANDOM_TURNS)
    require("plays", count_plays(backgammon.rules, sample), SAMPLE_PLAYS["backgammon"])
    taken = seconds(partial(count_plays, backgammon.rules, sample))
    yield Result("plays()", SAMPLE / taken, "turns/s")
    yield Result("plays(), afterstates", SAMPLE_PLAYS["backgammon"] / taken, "afterstates/s")
    taken = seconds(partial(random_games, backgammon.rules, backgammon.start_row, SEED, U(0), results, sample[:0]))
    yield Result("random games", RANDOM_GAMES / taken, "games/s")


def bench_zoo() -> Iterator[Result]:
    """Enumeration of plays in the other games of the zoo."""
    sample = np.empty((SAMPLE, ROW), np.uint64)
    for name, plays in SAMPLE_PLAYS.items():
        if name == "backgammon":
            continue
        played = game(name)
        found, first = 0, 0
        while found < SAMPLE:  # a few games at a time: random games of Widdershins have thousands of stages
            games = np.empty((20, 2), np.int64)
            found += int(random_games(played.rules, played.start_row, SEED, U(first), games, sample[found:]))
            first += len(games)
        require(f"{name} plays", count_plays(played.rules, sample), plays)
        yield Result(f"{name} plays()", SAMPLE / seconds(partial(count_plays, played.rules, sample)), "stages/s")


def bench_perft() -> Iterator[Result]:
    """Perft 3 of backgammon."""
    backgammon = game("backgammon")
    require("perft 3", backgammon.perft(3), PERFT_3)
    yield Result("perft 3", seconds(partial(backgammon.perft, 3)), "s")


def bench_selfplay(games: int = 2_000) -> Iterator[Result]:
    """Greedy self-play and learning of a net with one hidden layer of 128, taught for 20,000 games first."""
    config = TrainConfig(kind="train", seed=1, threads=1, selfplay=SelfPlayConfig(games=20_000, batch=400), learn=LearnConfig(batch=1024))
    config = config.model_copy(update={"net": config.net.model_copy(update={"hidden": (128,)})})
    trainer = Trainer(config)
    while not trainer.done:
        trainer.advance()
    trainer.close()
    spec, theta = trainer.spec, trainer.learner.average
    net = make_net(theta.copy(), spec.hidden, spec.encoder, spec.outcomes)
    play = partial(play_games, trainer.game.rules, net, net, trainer.game.start_row, U(2), U(0), games, Manner(config.selfplay.max_turns))
    record = Games(*play())
    require("self-play", [int(n) for n in record.ends], [int(n) for n in Games(*play()).ends])
    playing = seconds(play)
    yield Result("greedy self-play, 128 hidden", games / playing, "games/s")
    yield Result("positions valued in it", _valued(trainer, record) / playing, "positions/s")
    learner = NumbaLearner(spec, theta, config.learn, 1)
    learning = seconds(lambda: learner.learn(record, 1e-4, config.learn.lam))
    yield Result("self-play with learning", games / (playing + learning), "games/s")


def _valued(trainer: Trainer, record: Games) -> int:
    """Afterstates that the net valued, estimated from random rolls at the recorded nodes."""
    from tablezoo.kernel.batch import count_results, roll_all

    inside = np.ones(len(record.rows), bool)
    inside[record.ends - 1] = False
    nodes = record.rows[inside]
    roll_all(trainer.game.rules, nodes, np.arange(len(nodes), dtype=np.uint64) * U(0x9E3779B97F4A7C15))
    per_node = int(count_results(trainer.game.rules, nodes)[-1]) / len(nodes)
    return round(per_node * len(record.rows))


def bench_vector() -> Iterator[Result]:
    """Random legal actions in the vector environment, observations and masks included."""
    for mode in ("steps", "plays"):
        require(f"vector environment, {mode}", first_games(mode), RANDOM_VECTOR[mode])
        taken = seconds(partial(play_vector, begun_vector(mode, threads=1)))
        yield Result(f"vector environment, {mode}", BATCH * VECTOR_STEPS / taken, "steps/s")
        one, two = (begun_vector(mode, threads) for threads in (1, 2))
        yield Result(f"vector environment, {mode}, two threads", statistics.median(_wall(one) / _wall(two) for _ in range(RUNS)), "times one, wall")


def begun_vector(mode: str, threads: int) -> TablesVectorEnv:
    """A vector environment whose games are at all stages."""
    envs = TablesVectorEnv(BATCH, action_mode=mode, threads=threads)
    envs.reset(seed=1)
    for _ in range(200):
        envs.step(envs.sample_actions())
    return envs


def play_vector(envs: TablesVectorEnv, steps: int = VECTOR_STEPS) -> None:
    """Random legal actions."""
    for _ in range(steps):
        envs.step(envs.sample_actions())


def first_games(mode: str) -> tuple[int, int]:
    """Actions and points of the player who begins, over the first 64 games of seed 1."""
    envs = TablesVectorEnv(64, action_mode=mode, threads=1)
    envs.reset(seed=1)
    going = np.ones(64, bool)
    actions, points = 0, 0
    while going.any():
        movers = np.array([position.player for position in envs.positions])
        _, rewards, terminated, _, _ = envs.step(envs.sample_actions())
        actions += int(going.sum())
        points += int((rewards * (1 - 2 * movers))[going & terminated].sum())
        going &= ~terminated
    return actions, points


def _wall(envs: TablesVectorEnv) -> float:
    began = time.perf_counter()
    play_vector(envs)
    return time.perf_counter() - began


def bench_values(positions: int = 20_000, theirs: int = 2_000) -> Iterator[Result]:
    """Values that the net that ships puts on positions, and gnubg's raw net where gnubg-nn is installed; both first have to agree."""
    backgammon = game("backgammon")
    shipped = TDAgent(backgammon)
    net = shipped.net
    record = Games(*play_games(backgammon.rules, net, net, backgammon.start_row, SEED, U(0), positions // 40, Manner()))
    rows = np.delete(record.rows, record.ends - 1, axis=0)[:positions]
    yield Result("values of the net that ships", len(rows) / seconds(partial(shipped.values, backgammon, rows)), "positions/s")
    try:
        gnubg = GnubgAgent(backgammon)
    except ValueError:
        return
    rows = rows[:theirs]
    apart = float(np.abs(shipped.values(backgammon, rows) - gnubg.values(backgammon, rows)).mean())
    require("mean distance between values of the net that ships and gnubg's below 0.1", apart < 0.1, True)
    yield Result("values of gnubg's raw net", len(rows) / seconds(partial(gnubg.values, backgammon, rows)), "positions/s")


def bench_start() -> Iterator[Result]:
    """A new process from import to the first play, machine code cached."""
    program = "import tablezoo; print(tablezoo.game('backgammon').start().plays((3, 1))[0].text)"

    def start() -> float:
        began = time.perf_counter()
        done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True)
        require("first play", done.stdout.strip() != "", True)
        return time.perf_counter() - began

    start()
    yield Result("import to first play", statistics.median(start() for _ in range(5)), "s wall")


def run_all() -> Iterator[Result]:
    """All benchmarks in turn."""
    for bench in (bench_plays, bench_perft, bench_zoo, bench_vector, bench_selfplay, bench_values, bench_start):
        yield from bench()
