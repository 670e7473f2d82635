"""Plots as SVG, to be put into a page."""

import io
from collections.abc import Mapping, Sequence
from typing import Any

import matplotlib as mpl
import numpy as np
from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.ticker import EngFormatter

from experiments.duel import FIRST_LOOK, DuelResult
from experiments.metrics import Entry
from experiments.rating import Rating

SIZE = (6.4, 3.2)
STYLE: dict[Any, Any] = {"svg.fonttype": "none", "svg.hashsalt": "tablezoo", "font.family": "sans-serif", "axes.spines.top": False, "axes.spines.right": False}
"""Texts stay texts, and the same data give the same picture."""


def strength(metrics: Sequence[Entry], opponents: Sequence[str]) -> str:
    """Points per game against each opponent by games learned from, with standard errors."""
    figure, axes = _axes("games of self-play", "points per game")
    for name in opponents:
        told = [entry for entry in metrics if entry.get(f"{name}/ppg") is not None]
        games, points = [entry["games"] for entry in told], [entry[f"{name}/ppg"] for entry in told]
        axes.errorbar(games, points, yerr=[entry.get(f"{name}/se") or 0 for entry in told], label=name, marker="o", markersize=3, capsize=2)
    axes.axhline(0, color="black", linewidth=0.8)
    axes.legend()
    return _svg(figure)


def learning(metrics: Sequence[Entry], tag: str, label: str) -> str:
    """A scalar by games learned from."""
    figure, axes = _axes("games of self-play", label)
    told = [entry for entry in metrics if entry.get(tag) is not None]
    axes.plot([entry["games"] for entry in told], [entry[tag] for entry in told], linewidth=1)
    return _svg(figure)


def standings(ratings: Mapping[str, Rating]) -> str:
    """Ratings with their intervals, the strongest on top."""
    figure, axes = _axes("rating", "")
    places = np.arange(len(ratings))[::-1]
    elo = np.array([rating.elo for rating in ratings.values()])
    errors = np.array([[rating.elo - rating.low, rating.high - rating.elo] for rating in ratings.values()]).T
    axes.errorbar(elo, places, xerr=np.maximum(errors, 0), fmt="o", capsize=3)
    axes.set_yticks(places, list(ratings))
    return _svg(figure)


def course(result: DuelResult) -> str:
    """Points per game as a duel went on, with the interval that allows for looking at any time."""
    figure, axes = _axes("games", "points per game")
    looks = np.unique(np.geomspace(1, len(result.points), 200).astype(int))
    parts = [result.first(pairs) for pairs in looks]
    axes.plot(2 * looks, [part.ppg for part in parts], linewidth=1.5)
    sure = looks >= FIRST_LOOK
    low, high = np.array([part.interval for part in parts]).T
    axes.fill_between(2 * looks[sure], low[sure], high[sure], alpha=0.2, label="95 % at all times at once")
    axes.axhline(0, color="black", linewidth=0.8)
    axes.set_xscale("log")
    if sure.any():
        axes.legend()
    return _svg(figure)


def _axes(x: str, y: str) -> tuple[Figure, Axes]:
    with mpl.rc_context(STYLE):
        figure = Figure(figsize=SIZE, layout="constrained")
        axes = figure.add_subplot(xlabel=x, ylabel=y)
        axes.grid(alpha=0.3)
        if x.startswith("games"):
            axes.xaxis.set_major_formatter(EngFormatter(sep=""))
        return figure, axes


def _svg(figure: Figure) -> str:
    """The picture without the head of an XML file."""
    out = io.StringIO()
    with mpl.rc_context(STYLE):
        figure.savefig(out, format="svg", metadata={"Date": None})
    text = out.getvalue()
    return text[text.index("<svg") :]
