"""Learning curves: how strong the nets of runs were on the way, against CPU time."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np
from matplotlib.figure import Figure
from matplotlib.ticker import LogFormatter, StrMethodFormatter

from agents.nets.files import find_file, read_file
from agents.td import TDAgent
from experiments.duel import duel
from experiments.metrics import entries
from experiments.store import METRICS, RunFolder
from tablezoo.agent import Agent
from tablezoo.position import Game


@dataclass(frozen=True)
class Mark:
    """A net on the way, and how it fared."""

    games: int
    """Games of self-play it has learned from."""
    cpu_seconds: float
    """What they took, all threads together, and the runs before whose nets it began from."""
    ppg: float
    """Points per game against the opponent, luck taken off by the net itself."""
    se: float


def curve(run: Path, game: Game, opponent: Agent, games: int, seed: int) -> list[Mark]:
    """Play the nets that a run kept, from the first mark to the newest checkpoint.

    Raises:
        ValueError: not a run folder, a net that is damaged, or no record of how long the training took.
    """
    timed = [entry for entry in entries(run / METRICS) if "cpu_seconds" in entry]
    if not timed:
        raise ValueError(f"{run}: {METRICS} does not tell how long the training took; train it anew")
    before, found = sum(RunFolder(run).facts().begins.values()), []
    for path in (*sorted((run / "marks").glob("*.safetensors")), find_file(run)):
        _, _, _, notes = read_file(path)
        seconds = float(np.interp(notes["games"], [entry["games"] for entry in timed], [entry["cpu_seconds"] for entry in timed]))
        agent = TDAgent(game, str(path))
        result = duel(game, agent, opponent, games, seed, judge=agent)
        found.append(Mark(notes["games"], before + seconds, result.ppg, result.se))
    return found


def draw(curves: Mapping[str, Sequence[Mark]], opponent: str, path: Path) -> None:
    """Draw learning curves into a file of a kind that matplotlib knows by its ending.

    Raises:
        ValueError: matplotlib does not know the ending.
        OSError: the file cannot be written.
    """
    figure = Figure(figsize=(6.4, 4), layout="constrained")
    axes = figure.add_subplot(xscale="log", xlabel="CPU minutes", ylabel="points per game")
    for name, marks in curves.items():
        minutes = [mark.cpu_seconds / 60 for mark in marks]
        axes.errorbar(minutes, [mark.ppg for mark in marks], yerr=[mark.se for mark in marks], label=name, marker="o", markersize=3, linewidth=1)
    axes.xaxis.set_major_formatter(StrMethodFormatter("{x:g}"))
    axes.xaxis.set_minor_formatter(LogFormatter(labelOnlyBase=False, minor_thresholds=(2, 0.5)))
    axes.axhline(0, color="black", linewidth=1, label=opponent)
    axes.grid(alpha=0.3)
    axes.legend()
    figure.savefig(path)
