"""The runs below a folder."""

from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from rich.box import SIMPLE_HEAD
from rich.table import Table

from experiments.facts import Facts
from experiments.store import CONFIG, RunFolder


@dataclass(frozen=True)
class Run:
    """One of them."""

    name: str
    """Path below the folder: a sweep's trials are NAME/trials/TRIAL."""
    kind: str
    game: str
    status: str
    """running, interrupted, killed, failed, finished, or damaged."""
    started: str
    result: str
    """What came of it, or why it failed."""


def listed(runs: Path) -> list[Run]:
    """The runs of a folder, sorted by name, a sweep's trials after it.

    Raises:
        ValueError: there is no such folder.
    """
    if not runs.is_dir():
        raise ValueError(f"{runs}: no such folder; name the one that holds the runs with --runs")
    return list(_found(runs, runs))


def _found(runs: Path, below: Path) -> Iterator[Run]:
    for path in sorted(config.parent for config in below.glob(f"*/{CONFIG}")):
        yield _run(path, str(path.relative_to(runs)))
        yield from _found(runs, path / "trials")


def _run(path: Path, name: str) -> Run:
    folder = RunFolder(path)
    try:
        facts, status = folder.facts(), folder.status
    except ValueError as error:
        return Run(name, "", "", "damaged", "", str(error))
    return Run(name, facts.kind, facts.game, status, facts.started, _result(facts, status))


def _result(facts: Facts, status: str) -> str:
    if status == "failed":
        return facts.error or ""
    if facts.trials:
        states = [attempt.status for attempt in facts.trials.values()]
        return ", ".join(f"{states.count(state)} {state}" for state in dict.fromkeys(states))
    if facts.ratings:
        return ", ".join(f"{name} {rating.elo:+.0f}" for name, rating in facts.ratings.items())
    if facts.results:
        return ", ".join(f"{outcome} against {name}" for name, outcome in facts.results.items())
    return f"{facts.games:,} games" if facts.games else ""


def runs_table(found: list[Run]) -> Table:
    """For the screen."""
    shown = Table(box=SIMPLE_HEAD, padding=(0, 1, 0, 0))
    for column in ("run", "kind", "game", "status", "started", "result"):
        shown.add_column(column, overflow="fold")
    for run in found:
        shown.add_row(run.name, run.kind, run.game, run.status, run.started[:16].replace("T", " "), run.result)
    return shown
