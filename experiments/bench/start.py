"""New processes, up to the first play and the first step of an environment."""

import os
import statistics
import subprocess
import sys
import tempfile
from collections.abc import Iterator, Mapping
from functools import partial

from experiments.bench.measure import Result, require, wall

FIRST_PLAY = "import tablezoo; print(len(tablezoo.game('backgammon').start().plays((3, 1))))"
FIRST_STEP = FIRST_PLAY + "; from tablezoo.envs.vector import TablesVectorEnv; envs = TablesVectorEnv(64); envs.reset(seed=1); envs.step(envs.sample_actions())"
RUNS = 5


def run(program: str, environment: Mapping[str, str] | None = None) -> None:
    """A process that must find the 16 plays of 3-1."""
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True, env=environment)
    require("first play", done.stdout.strip(), "16")


def bench_start() -> Iterator[Result]:
    """With machine code kept from before; and once without, when all kernels of games and environments are compiled."""
    run(FIRST_PLAY)
    yield Result("import to first play", statistics.median(wall(partial(run, FIRST_PLAY)) for _ in range(RUNS)), "s wall", most=1)
    with tempfile.TemporaryDirectory() as folder:
        cold = wall(partial(run, FIRST_STEP, {**os.environ, "TABLEZOO_CACHE": folder}))
    yield Result("first play and vector step, nothing compiled", cold, "s wall", most=30)
