"""Leagues: every agent plays every other; a duel once played is kept, so that another agent costs only its own duels."""

import json
from itertools import combinations
from pathlib import Path

import numpy as np
from rich.console import Console
from rich.table import Table

from experiments.config import LeagueConfig
from experiments.duel import DuelResult, duel
from experiments.rating import Rating, Results, ratings
from experiments.run import INTERRUPTED, Interrupt, Interrupted, play_duel, progress_bar
from experiments.store import RunFolder, dumps, replace
from tablezoo.agent import load_agent
from tablezoo.position import game

FREE = ("agents",)
"""What may change when a league goes on."""


class Duels:
    """The duels of a league, one a line of `duels.jsonl`."""

    def __init__(self, path: Path) -> None:
        """Read what was played.

        Raises:
            ValueError: a line that is none, with its number.
        """
        self.path = path
        self.played: dict[tuple[str, str], DuelResult] = {}
        for number, line in enumerate(path.read_text().splitlines() if path.exists() else (), 1):
            try:
                record = json.loads(line)
                points = np.array(record["points"], np.int64)
                if points.ndim != 2 or points.shape[1] != 2:
                    raise ValueError("points are no pairs")
                self.played[str(record["a"]), str(record["b"])] = DuelResult(points, int(record["unfinished"]))
            except (ValueError, KeyError, TypeError, OverflowError) as error:
                raise ValueError(f"{path}, line {number}: not a duel ({error}): delete the line, and it is played again") from None

    def add(self, a: str, b: str, result: DuelResult) -> None:
        """Keep a duel: the whole file is written anew and takes the old one's place."""
        self.played[a, b] = result
        lines = [
            dumps({"a": first, "b": second, "games": duel.games, "unfinished": duel.unfinished, "points": duel.points.tolist()})
            for (first, second), duel in self.played.items()
        ]
        replace(self.path, "".join(f"{line}\n" for line in lines))

    def among(self, names: tuple[str, ...]) -> Results:
        """Those between these agents."""
        return {pair: result for pair, result in self.played.items() if set(pair) <= set(names)}


def run_league(config: LeagueConfig, name: str, runs: Path, resume: bool, console: Console) -> int:
    """Play the duels that are missing, and tell the ratings; returns the exit code.

    Raises:
        ValueError: unknown game or agent, agents named twice, a folder that cannot be written, nothing to resume, another config.
    """
    played = game(config.game, **config.options)
    agents = {spec: load_agent(spec, played) for spec in config.agents}
    folder = RunFolder.resumed(runs, name, config, FREE) if resume else RunFolder.create(runs, name, config)
    console.print(f"run folder: {folder.path}")
    with folder.claimed():
        duels, interrupt = Duels(folder.path / "duels.jsonl"), Interrupt()
        missing = [pair for pair in combinations(config.agents, 2) if pair not in duels.played and pair[::-1] not in duels.played]
        try:
            with interrupt.caught(), progress_bar(console) as bar:
                for a, b in missing:
                    result = play_duel(
                        f"{a} against {b}",
                        lambda advance, a=a, b=b: duel(played, agents[a], agents[b], config.games, config.seed, advance),  # type: ignore[misc]
                        config.games,
                        bar,
                        interrupt,
                    )
                    duels.add(a, b, result)
                    bar.console.print(f"{a} against {b}: {result.ppg:+.3f} ± {result.se:.3f}", soft_wrap=True)
        except Interrupted:
            folder.describe(status="interrupted")
            console.print(f"stopped; duels that were played to their end are kept in {duels.path}; go on with --resume", soft_wrap=True)
            return INTERRUPTED
        results = duels.among(config.agents)
        found = ratings(config.agents, results)
        folder.describe(status="finished", ratings={spec: vars(rating) for spec, rating in found.items()})
    console.print(table(config, found, results))
    return 0


def table(config: LeagueConfig, found: dict[str, Rating], results: Results) -> Table:
    """Ratings, and points per game of each row's agent against each column's."""
    shown = Table(title=f"{config.game}: {config.games:,} games a duel", title_justify="left")
    shown.add_column("agent", overflow="fold")
    for column in ("rating (95 %)", "points", *(f"v {place}" for place in range(1, len(found) + 1))):
        shown.add_column(column, justify="right", no_wrap=True)
    for place, (spec, rating) in enumerate(found.items(), 1):
        cells = ["" if other == spec else f"{_ppg(results, spec, other):+.3f}" for other in found]
        shown.add_row(f"{place} {spec}", f"{rating.elo:+.0f} ({rating.low:+.0f}, {rating.high:+.0f})", f"{rating.ppg:+.3f}", *cells)
    return shown


def _ppg(results: Results, a: str, b: str) -> float:
    return results[a, b].ppg if (a, b) in results else -results[b, a].ppg
