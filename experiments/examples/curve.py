"""How strong a policy is while it learns: duels in the environments, written to a file and drawn.

`python -m experiments.examples.curve docs/curves` draws the curves in a folder.
"""

import csv
import json
import math
import time
from collections.abc import Callable
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

import cyclopts
import gymnasium
import numpy as np
from numpy.typing import NDArray

Act = Callable[[Any, NDArray[np.float32], dict[str, Any]], NDArray[np.int64]]
"""Actions from a vector environment, its observations and its infos."""
DUEL_SEED = 10**9


@dataclass(frozen=True)
class Point:
    """A point of a learning curve."""

    steps: int
    """Actions learned from."""
    seconds: float
    """Wall time of learning, duels left out."""
    cpu_seconds: float
    points: float
    """Points a game against the opponent."""
    se: float
    """Standard error, by mirrored pairs."""
    games: int


def duel(act: Act, env_id: str, opponent: str, pairs: int, action_mode: str = "steps", seed: int = DUEL_SEED) -> tuple[float, float]:
    """Points a game against an opponent and their standard error, over pairs of games with the same dice, seats swapped."""
    points = np.full((2, pairs), np.nan)
    for seat in (0, 1):
        envs: Any = gymnasium.make_vec(env_id, num_envs=pairs, action_mode=action_mode, opponent=opponent, autoreset_mode="SAME_STEP")
        observations, infos = envs.reset(seed=[seed + pair for pair in range(pairs)], options={"seat": seat})
        while np.isnan(points[seat]).any():
            observations, rewards, terminated, truncated, infos = envs.step(act(envs, observations, infos))
            ended = (terminated | truncated) & np.isnan(points[seat])
            points[seat, ended] = rewards[ended]
        envs.close()
    each = points.mean(axis=0)
    return float(each.mean()), float(each.std(ddof=1) / math.sqrt(pairs))


class Curve:
    """Measures a learner now and then; its clocks stand still meanwhile."""

    def __init__(self, path: Path, env_id: str, opponent: str, pairs: int, action_mode: str = "steps", **notes: Any) -> None:
        """`notes` are settings to be kept with the curve."""
        self._duel = (env_id, opponent, pairs, action_mode)
        self._notes = {"env": env_id, "opponent": opponent, "pairs": pairs, **notes}
        self._path = path
        self._points: list[Point] = []
        self._began = time.perf_counter(), time.process_time()

    @property
    def seconds(self) -> float:
        """Wall time of learning so far."""
        return time.perf_counter() - self._began[0]

    def measure(self, steps: int, act: Act) -> Point:
        """Let the policy play, note and print how it did."""
        now = time.perf_counter(), time.process_time()
        points, se = duel(act, *self._duel)
        point = Point(steps, now[0] - self._began[0], now[1] - self._began[1], points, se, 2 * self._duel[2])
        self._points.append(point)
        print(f"{point.seconds:6.0f} s {steps:12,} steps: {points:+.3f} ± {se:.3f} a game against {self._duel[1]}", flush=True)
        self._write()
        taken = time.perf_counter() - now[0], time.process_time() - now[1]
        self._began = self._began[0] + taken[0], self._began[1] + taken[1]
        return point

    def _write(self) -> None:
        self._path.parent.mkdir(parents=True, exist_ok=True)
        self._path.with_suffix(".json").write_text(json.dumps(self._notes, indent=1))
        with self._path.with_suffix(".csv").open("w", newline="") as file:
            writer = csv.DictWriter(file, list(asdict(self._points[0])))
            writer.writeheader()
            writer.writerows(asdict(point) for point in self._points)


def draw(folder: Path) -> None:
    """Draw all curves of a folder, by the names of their files, as `learning.svg` beside them."""
    import matplotlib

    matplotlib.use("svg")
    matplotlib.rcParams["svg.hashsalt"] = "tablezoo"
    from matplotlib import pyplot

    figure, axes = pyplot.subplots(figsize=(6.4, 3.2), layout="constrained")
    for file in sorted(folder.glob("*.csv")):
        with file.open(newline="") as lines:
            rows = [{key: float(value) for key, value in row.items()} for row in csv.DictReader(lines)]
        seconds, points, errors = ([row[key] for row in rows] for key in ("cpu_seconds", "points", "se"))
        axes.errorbar(seconds, points, [2 * error for error in errors], label=file.stem.replace("_", " "), capsize=2, linewidth=1)
    axes.axhline(0, color="grey", linewidth=0.5)
    axes.set(xlabel="CPU seconds of learning", ylabel="points a game against random")
    axes.legend(loc="lower right", fontsize=8)
    figure.savefig(folder / "learning.svg", metadata={"Date": None})


if __name__ == "__main__":
    cyclopts.run(draw)
