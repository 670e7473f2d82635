"""The generator beside C, where there is a C compiler: the same algorithm, and the plain one that most programs have."""

import ctypes
import shutil
import subprocess
from collections.abc import Iterator
from functools import partial
from pathlib import Path
from tempfile import TemporaryDirectory

from experiments.bench.kernels import PERFT_3, SAMPLE_PLAYS, sampled
from experiments.bench.measure import Result, require, times
from tablezoo.kernel.playout import count_plays
from tablezoo.position import game

SOURCES = Path(__file__).with_name("c")
FLAGS = ("-O3", "-march=native", "-shared", "-fPIC")


def compiled(name: str, compiler: str, folder: Path) -> ctypes.CDLL:
    """A C program of this folder; its functions return 64-bit counts.

    Raises:
        RuntimeError: it cannot be compiled.
    """
    library = folder / f"{name}.so"
    done = subprocess.run([compiler, *FLAGS, "-o", str(library), str(SOURCES / f"{name}.c")], capture_output=True, text=True, check=False)
    if done.returncode:
        raise RuntimeError(f"{compiler} cannot compile {name}.c: {(done.stderr.strip() or 'no message').splitlines()[0]}")
    functions = ctypes.CDLL(str(library))
    functions.perft.restype = ctypes.c_uint64
    return functions


def bench_compiled() -> Iterator[Result]:
    """Plays of the nodes of random games of backgammon, and its perft, beside both."""
    compiler = shutil.which("cc")
    if compiler is None:
        return
    backgammon, start = game("backgammon"), game("backgammon").start_row
    sample = sampled(backgammon)
    with TemporaryDirectory() as folder:
        same, plain = (compiled(name, compiler, Path(folder)) for name in ("planes", "arrays"))
    same.count_plays.restype = ctypes.c_uint64
    plays = partial(count_plays, backgammon.rules, sample)
    same_plays = partial(same.count_plays, ctypes.c_void_p(sample.ctypes.data), ctypes.c_uint64(len(sample)))
    perft = partial(backgammon.perft, 3)
    same_perft, plain_perft = partial(same.perft, ctypes.c_void_p(start.ctypes.data), 3), partial(plain.perft, 3)
    require("plays() in C", (same_plays(), plays()), (SAMPLE_PLAYS["backgammon"],) * 2)
    require("perft 3 in C", (same_perft(), plain_perft(), perft()), (PERFT_3,) * 3)
    yield Result("plays() beside the same algorithm in C", times(same_plays, plays), "times", least=0.8)
    yield Result("perft 3 beside the same algorithm in C", times(same_perft, perft), "times", least=0.8)
    yield Result("perft 3 beside a plain generator in C", times(plain_perft, perft), "times", least=4)
