"""All benchmarks, what they tell, and how it differs from what they told before."""

import json
from collections.abc import Callable, Iterator
from pathlib import Path

from experiments.bench.compiled import bench_compiled
from experiments.bench.environments import bench_environments, bench_threads
from experiments.bench.kernels import bench_games, bench_plays
from experiments.bench.measure import Result
from experiments.bench.nets import bench_moves, bench_selfplay, bench_values
from experiments.bench.peers import bench_peers
from experiments.bench.start import bench_start
from tablezoo.rules import closest

Bench = Callable[[], Iterator[Result]]
BENCHES: dict[str, Bench] = {
    "games": bench_games,
    "compiled": bench_compiled,
    "start": bench_start,
    "threads": bench_threads,
    "selfplay": bench_selfplay,
    "moves": bench_moves,
    "values": bench_values,
    "peers": bench_peers,
    "plays": bench_plays,
    "environments": bench_environments,
}


def chosen(names: tuple[str, ...]) -> list[Bench]:
    """Those of these names; all if there are none.

    Raises:
        ValueError: there is none of a name.
    """
    for name in names:
        if name not in BENCHES:
            raise ValueError(f"unknown benchmark {name!r}{closest(name, BENCHES)}; choose from {', '.join(BENCHES)}")
    return [BENCHES[name] for name in names or BENCHES]


def earlier(path: Path) -> dict[str, float]:
    """Figures by name from what `tablezoo bench --json` printed.

    Raises:
        ValueError: the file is something else.
        OSError: it cannot be read.
    """
    try:
        results = json.loads(path.read_text())["results"]
        return {str(result["name"]): float(result["value"]) for result in results}
    except (ValueError, KeyError, TypeError):
        raise ValueError(f"{path}: this is not what `tablezoo bench --json` prints; make one with it") from None
