"""Sweeps: a config with a `[sweep]` table is run once for each setting, every trial in a folder of its own; a sweep resumes."""

import hashlib
import math
import re
from dataclasses import dataclass
from itertools import product
from pathlib import Path
from typing import Any

import numpy as np
from rich.console import Console
from rich.table import Table

from experiments.config import Config, Sweep, check_config, set_key
from experiments.facts import Attempt, Outcome
from experiments.interrupt import Interrupted
from experiments.launch import launch
from experiments.statistics import mean_with_error
from experiments.store import RunFolder

FREE = ("sweep",)
"""What may change when a sweep goes on: settings that were tried stay tried."""
MOST = 10_000
"""Trials of a sweep."""
LONGEST = 80
"""Characters of a trial's name."""


@dataclass(frozen=True)
class Trial:
    """One run of a sweep."""

    name: str
    """Of its folder."""
    settings: dict[str, Any]
    """What it changes, by key; the seed apart."""
    seed: int
    config: Config


def trials(config: Config, sweep: Sweep, source: str) -> list[Trial]:
    """The trials of a sweep.

    Raises:
        ValueError: a setting that the config does not take, or the same one twice; names the source.
    """
    found: dict[str, Trial] = {}
    number = math.prod(map(len, sweep.grid.values())) * len(sweep.list or ({},)) * len(sweep.seeds or (config.seed,))
    if number > MOST:
        raise ValueError(f"{source}: sweep: {number:,} trials are more than {MOST:,}: try fewer values of each key")
    grid = [dict(zip(sweep.grid, values, strict=True)) for values in product(*sweep.grid.values())]
    for values, change, seed in product(grid, sweep.list or ({},), sweep.seeds or (config.seed,)):
        settings = {**values, **change}
        table = config.model_dump(mode="json", exclude_none=True, exclude={"sweep"})
        try:
            if "seed" in settings or any(key.split(".")[0] == "sweep" for key in settings):
                raise ValueError("write seeds as seeds = [1, 2, 3] in [sweep], and no sweep within a sweep")
            for key, value in {**settings, "seed": seed}.items():
                set_key(table, key, value)
        except ValueError as error:
            raise ValueError(f"{source}: sweep: {error}") from None
        name = trial_name({**settings, "seed": seed})
        if name in found:
            raise ValueError(f"{source}: sweep: {name} comes twice")
        found[name] = Trial(name, settings, seed, check_config(table, f"{source}: sweep, trial {name}"))
    return list(found.values())


def trial_name(settings: dict[str, Any]) -> str:
    """A folder's name that tells the settings; it ends in a mark of its own where they do not fit into one."""
    text = "_".join(f"{key}={'x'.join(map(str, value)) if isinstance(value, list) else value}" for key, value in settings.items())
    name = re.sub(r"[^\w.+=-]+", "-", text)[:LONGEST]
    return name if name == text else f"{name}_{hashlib.sha256(text.encode()).hexdigest()[:8]}"


def run_sweep(config: Config, sweep: Sweep, source: str, name: str, runs: Path, resume: bool, console: Console) -> RunFolder:
    """Run the trials that are missing; returns the sweep's folder.

    Raises:
        ValueError: a mistake in the config, a folder that cannot be written, nothing to resume, another config.
        Interrupted: by Ctrl-C; trials that were run are kept, and the running one goes on where it was.
    """
    planned = trials(config, sweep, source)
    folder = RunFolder.opened(runs, name, config, resume, FREE)
    console.print(f"sweep folder: {folder.path}")
    told: dict[str, Attempt] = {}
    with folder.at_work():
        for number, trial in enumerate(planned, 1):
            console.print(f"trial {number} of {len(planned)}: {trial.name}", soft_wrap=True)
            told[trial.name] = outcome(trial, folder.path / "trials", console)
            folder.describe(trials={name: attempt.model_dump(mode="json", exclude_unset=True) for name, attempt in told.items()})
    heads, *rows = summary(told)
    table = Table(*heads, title=f"{config.game}: trials", title_justify="left")
    for row in rows:
        table.add_row(*row)
    console.print(table)
    return folder


def outcome(trial: Trial, runs: Path, console: Console) -> Attempt:
    """Run a trial unless it has been run: its results, or why it failed.

    Raises:
        Interrupted: by Ctrl-C.
    """
    attempt = Attempt(settings=trial.settings, seed=trial.seed, status="finished")
    try:
        folder = RunFolder.newest(runs, trial.name)
        if folder is None or folder.status != "finished":
            folder = launch(trial.config, trial.name, runs, folder is not None, console)
        facts = folder.facts()
    except Interrupted:
        raise
    except Exception as error:  # a worker's, too: the other trials go on
        console.print(f"failed: {type(error).__name__}: {error}", soft_wrap=True)
        return attempt.model_copy(update={"status": "failed", "error": f"{type(error).__name__}: {error}"})
    return attempt.model_copy(update={"results": facts.results, "ratings": facts.ratings})


def summary(told: dict[str, Attempt]) -> list[list[str]]:
    """A table, its heads first: each setting's points per game, the mean over its seeds; what failed is no result."""
    names = list(dict.fromkeys(name for attempt in told.values() for name in attempt.results))
    settings: dict[str, list[Attempt]] = {}
    for attempt in told.values():
        settings.setdefault(", ".join(f"{key}={value}" for key, value in attempt.settings.items()) or "as it is", []).append(attempt)
    rows = [["setting", "seeds", *(f"against {name}" for name in names), "failed"]]
    for setting, attempts in settings.items():
        means = [mean_of([attempt.results[name] for attempt in attempts if name in attempt.results]) for name in names]
        failed = "; ".join(f"seed {attempt.seed}: {attempt.error}" for attempt in attempts if attempt.status != "finished")
        rows.append([setting, str(len(attempts)), *means, failed])
    return rows


def mean_of(results: list[Outcome]) -> str:
    """Mean points per game over seeds and its standard error: between seeds, or of the one duel."""
    if len(results) < 2:
        return str(results[0]) if results else "-"
    mean, error = mean_with_error(np.array([result.ppg for result in results]))
    return f"{mean:+.3f} ± {error:.3f}"
