"""Leagues: every agent plays every other; a duel once played is kept, so that another agent costs only its own duels."""

from itertools import combinations
from pathlib import Path

from rich.console import Console
from rich.table import Table

from experiments.arena import Arena
from experiments.config import LeagueConfig
from experiments.duels import Duels
from experiments.interrupt import Interrupt
from experiments.rating import Rating, Results, ratings
from experiments.screen import progress_bar
from experiments.store import RunFolder

FREE = ("agents", "games")
"""What may change when a league goes on."""


def run_league(config: LeagueConfig, name: str, runs: Path, resume: bool, console: Console) -> RunFolder:
    """Play what is missing of the duels, and tell the ratings; returns the folder.

    Raises:
        ValueError: unknown game or agent, agents named twice, a folder that cannot be written, nothing to resume, another config.
        Interrupted: by Ctrl-C; what was played is kept.
    """
    arena, interrupt = Arena.of(config, config.agents), Interrupt()
    folder = RunFolder.opened(runs, name, config, resume, FREE)
    console.print(f"run folder: {folder.path}")
    with folder.at_work():
        duels = Duels(folder.path / "duels.jsonl")
        with interrupt.caught(), progress_bar(console) as bar:
            for a, b in arena.play(list(combinations(config.agents, 2)), duels, bar, interrupt):
                result = duels.played[a, b]
                bar.console.print(f"{a} against {b}: {result.ppg:+.3f} ± {result.se:.3f}", soft_wrap=True)
        results = duels.among(config.agents)
        found = ratings(config.agents, results)
        folder.describe(ratings={spec: vars(rating) for spec, rating in found.items()})
        console.print(table(config, found, results))
    return folder


def table(config: LeagueConfig, found: dict[str, Rating], results: Results) -> Table:
    """Ratings, and points per game of each row's agent against each column's."""
    meetings = {**results, **{(b, a): result.turned for (a, b), result in results.items()}}
    shown = Table(title=f"{config.game}: {config.games:,} games a duel", title_justify="left")
    shown.add_column("agent", overflow="fold")
    for column in ("rating (95 %)", "points", *(f"v {place}" for place in range(1, len(found) + 1))):
        shown.add_column(column, justify="right", no_wrap=True)
    for place, (spec, rating) in enumerate(found.items(), 1):
        cells = ["" if other == spec else f"{meetings[spec, other].ppg:+.3f}" for other in found]
        shown.add_row(f"{place} {spec}", f"{rating.elo:+.0f} ({rating.low:+.0f}, {rating.high:+.0f})", f"{rating.ppg:+.3f}", *cells)
    return shown
