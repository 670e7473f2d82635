"""Rollouts of the plays of one decision, kept in a file if asked to."""

import json
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray
from rich.console import Console
from rich.progress import Progress
from safetensors import SafetensorError, safe_open
from safetensors.numpy import save

from agents.nets.files import write_whole
from agents.rollout import RolloutAgent, roll_out
from tablezoo.agent import Agent, costs_of, following
from tablezoo.position import Play, Position

FORMAT = 1
SECONDS = 10.0
"""Between two times that results are written."""


def plays_rolled_out(node: Position, agent: Agent, console: Console, keep: Path | None = None, base: str = "") -> list[tuple[Play, float, float]]:
    """Every play of a play node, its equity for the player who makes it and the standard error; the best first.

    Args:
        keep: file of the results so far. The same rollout goes on from it, with more games too; it is written now and then and at the end.
        base: name of the agent that plays, for that file.

    Raises:
        ValueError: no play node, no rollout agent, or the file is damaged or of another rollout.
        OSError: the file cannot be written.
    """
    if not isinstance(agent, RolloutAgent):
        raise ValueError("plays are rolled out by a rollout agent")
    plays = node.plays()
    after = following(node.game, node.row[None])
    means, errors = after.points.astype(np.float64), np.zeros(len(plays))
    going = np.isnan(after.points)
    rows = after.rows[going]
    question = {"format": FORMAT, "game": repr(node.game), "position": node.text, "base": base, "seed": agent.seed, "plies": agent.plies}
    with Progress(console=console, transient=True, disable=not console.is_terminal) as bar, kept(keep, question, len(rows), agent.games) as (points, save):
        task = bar.add_task(f"rolling out {len(rows)} plays", total=points.size, completed=int((~np.isnan(points)).sum()))

        def advance(games: int) -> None:
            bar.advance(task, games)
            save()

        found = roll_out(node.game, agent.base, rows, agent.games, agent.seed, agent.plies, progress=advance, points=points)
    means[going] = -costs_of(rows, found.mean)
    errors[going] = found.se
    order = np.argsort(-means, kind="stable")
    return [(plays[i], float(means[i]), float(errors[i])) for i in order]


@contextmanager
def kept(path: Path | None, question: dict[str, Any], plays: int, games: int) -> Iterator[tuple[NDArray[np.float64], Callable[[], None]]]:
    """Results (plays, games) as far as a file has them, else NaN, and what writes them there if it is time; they are written at the end too.

    Raises:
        ValueError: the file is damaged, or answers another question.
        OSError: it cannot be written.
    """
    points = np.full((plays, games), np.nan)
    if path is not None and path.exists():
        known = _read(path, question)
        points = np.full((plays, max(games, known.shape[1])), np.nan)
        points[:, : known.shape[1]] = known
    written = time.monotonic()

    def save_if_time() -> None:
        nonlocal written
        if time.monotonic() - written > SECONDS:
            _write(path, question, points)
            written = time.monotonic()

    try:
        yield points[:, :games], save_if_time
    finally:
        _write(path, question, points)


def _read(path: Path, question: dict[str, Any]) -> NDArray[np.float64]:
    try:
        with safe_open(path, framework="numpy") as file:
            known = json.loads((file.metadata() or {})["rollout"])
            points = np.asarray(file.get_tensor("points"), np.float64)
    except (OSError, SafetensorError, KeyError, ValueError) as error:
        raise ValueError(f"{path}: no rollout, or damaged ({error}); name another file") from None
    differing = ", ".join(f"{key} {known.get(key)!r}" for key, value in question.items() if known.get(key) != value)
    if differing:
        raise ValueError(f"{path}: results of another rollout, with {differing}; name another file")
    return points


def _write(path: Path | None, question: dict[str, Any], points: NDArray[np.float64]) -> None:
    if path is not None:
        write_whole(path, save({"points": points}, {"rollout": json.dumps(question)}))
