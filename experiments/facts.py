"""What `run.json` tells of a run: how it stands, what came of it, where it ran."""

import os
import platform
import socket
import subprocess
import sys
from importlib.metadata import version
from pathlib import Path
from shutil import which
from typing import Any

from pydantic import BaseModel, ConfigDict


class Outcome(BaseModel):
    """What came of a duel."""

    ppg: float
    se: float | None
    """None where a single pair of games was played."""
    wins: float
    games: int

    def __str__(self) -> str:
        """Points per game, and what they are worth."""
        return f"{self.ppg:+.3f} ± {'?' if self.se is None else f'{self.se:.3f}'}"


class Strength(BaseModel):
    """What a league found of an agent (`experiments.rating.Rating`)."""

    elo: float
    low: float
    high: float
    ppg: float
    games: int


class Attempt(BaseModel):
    """What came of a sweep's trial."""

    settings: dict[str, Any]
    """What it changed, by key; the seed apart."""
    seed: int
    status: str
    error: str = ""
    results: dict[str, Outcome] = {}
    ratings: dict[str, Strength] = {}


class Facts(BaseModel):
    """The file's fields; those of `environment` are further ones."""

    model_config = ConfigDict(extra="allow")

    kind: str = ""
    game: str = ""
    seed: int = 0
    started: str = ""
    status: str = "killed"
    error: str | None = None
    games: int = 0
    """Learned from at the last checkpoint."""
    begins: dict[str, float] = {}
    """Runs that a training began from and those that they began from, with the CPU seconds of each."""
    results: dict[str, Outcome] = {}
    """By opponent."""
    ratings: dict[str, Strength] = {}
    """By agent, the strongest first."""
    trials: dict[str, Attempt] = {}
    """By name."""
    versions: dict[str, str] = {}

    @property
    def failed(self) -> bool:
        """Whether a trial of a sweep has failed."""
        return any(attempt.status != "finished" for attempt in self.trials.values())

    @property
    def surroundings(self) -> dict[str, str]:
        """Versions and machine, for people."""
        others = self.model_extra or {}
        return {**self.versions, **{key: str(others[key]) for key in ("python", "host", "machine", "cores", "commit") if key in others}}


def environment() -> dict[str, object]:
    """Versions and machine, for a run's record."""
    return {
        "versions": {name: version(name) for name in ("tablezoo", "numpy", "numba", "torch", "gymnasium")},
        "python": sys.version.split()[0],
        "host": socket.gethostname(),
        "machine": platform.platform(),
        "cores": os.cpu_count(),
        "commit": _commit(),
    }


def _commit() -> str | None:
    """The git commit of the sources, if they are the root of a repository and not a package installed into one."""
    root = Path(__file__).resolve().parents[1]
    if not (root / ".git").exists() or not which("git"):
        return None
    done = subprocess.run(["git", "-C", str(root), "describe", "--always", "--dirty", "--abbrev=40"], capture_output=True, text=True, check=False)
    return done.stdout.strip() or None
