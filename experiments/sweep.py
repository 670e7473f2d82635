"""Sweeps: a config with a `[sweep]` table is run once for each setting, every trial in a folder of its own; a sweep resumes."""

import hashlib
import re
from dataclasses import dataclass
from itertools import product
from pathlib import Path
from typing import Any

import numpy as np
from rich.console import Console
from rich.table import Table

from experiments.config import Config, Sweep, check_config, set_key
from experiments.interrupt import Interrupted
from experiments.launch import launch
from experiments.statistics import mean_with_error
from experiments.store import RunFolder

FREE = ("sweep",)
"""What may change when a sweep goes on: settings that were tried stay tried."""
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
    text = "_".join(f"{key}={value}" for key, value in settings.items())
    name = re.sub(r"[^\w.+=-]+", "-", text)[:LONGEST]
    return name if name == text else f"{name}_{hashlib.sha256(text.encode()).hexdigest()[:8]}"


def run_sweep(config: Config, sweep: Sweep, source: str, name: str, runs: Path, resume: bool, console: Console) -> int:
    """Run the trials that are missing; returns the exit code, 1 if one failed.

    Raises:
        ValueError: a mistake in the config, a folder that cannot be written, nothing to resume, another config.
        Interrupted: by Ctrl-C; trials that were run are kept, and the running one goes on where it was.
    """
    planned = trials(config, sweep, source)
    folder = RunFolder.opened(runs, name, config, resume, FREE)
    console.print(f"sweep folder: {folder.path}")
    told: dict[str, dict[str, Any]] = {}
    with folder.at_work():
        for number, trial in enumerate(planned, 1):
            console.print(f"trial {number} of {len(planned)}: {trial.name}", soft_wrap=True)
            told[trial.name] = {"settings": trial.settings, "seed": trial.seed, **outcome(trial, folder.path / "trials", console)}
            folder.describe(trials=told)
    console.print(table(config.game, told))
    return int(any(record["status"] != "finished" for record in told.values()))


def outcome(trial: Trial, runs: Path, console: Console) -> dict[str, Any]:
    """Run a trial unless it has been run: its results, or why it failed.

    Raises:
        Interrupted: by Ctrl-C.
    """
    try:
        begun = (runs / trial.name / "config.toml").exists()
        folder = RunFolder(runs / trial.name)
        if not begun or folder.status != "finished":
            folder = launch(trial.config, trial.name, runs, begun, console)
        facts = folder.facts()
    except Interrupted:
        raise
    except Exception as error:  # a worker's, too: the other trials go on
        console.print(f"failed: {type(error).__name__}: {error}", soft_wrap=True)
        return {"status": "failed", "error": f"{type(error).__name__}: {error}"}
    return {"status": "finished", **{key: facts[key] for key in ("results", "ratings") if key in facts}}


def table(game: str, told: dict[str, dict[str, Any]]) -> Table:
    """Each setting's points per game, the mean over its seeds; what failed is no result."""
    shown = Table(title=f"{game}: trials", title_justify="left")
    columns = list(dict.fromkeys(name for record in told.values() for name in record.get("results", {})))
    shown.add_column("setting", overflow="fold")
    for column in ("seeds", *(f"against {name}" for name in columns), "failed"):
        shown.add_column(column, justify="right")
    for setting, seeds in by_setting(told).items():
        cells = [told_mean([record["results"][name] for record in seeds if name in record.get("results", {})]) for name in columns]
        failed = sum(record["status"] != "finished" for record in seeds)
        shown.add_row(setting, str(len(seeds)), *cells, str(failed or ""))
    return shown


def by_setting(told: dict[str, dict[str, Any]]) -> dict[str, list[dict[str, Any]]]:
    """Records of trials that differ in nothing but the seed, by their settings as a text."""
    found: dict[str, list[dict[str, Any]]] = {}
    for record in told.values():
        found.setdefault(", ".join(f"{key}={value}" for key, value in record["settings"].items()) or "as it is", []).append(record)
    return found


def told_mean(results: list[dict[str, float]]) -> str:
    """Mean points per game over seeds and its standard error: between seeds, or of the one duel."""
    if not results:
        return "-"
    mean, error = mean_with_error(np.array([result["ppg"] for result in results]))
    return f"{mean:+.3f} ± {error if len(results) > 1 else results[0]['se']:.3f}"
