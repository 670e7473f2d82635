"""The folder of a run: config, description, metrics, checkpoints."""

import json
import os
import platform
import socket
import subprocess
import sys
import time
import tomllib
from importlib.metadata import version
from pathlib import Path

import tomli_w

from experiments.config import Config, check_config

KEPT = 2
"""Checkpoints kept in a run's folder."""


class RunFolder:
    """`runs/NAME/` with `config.toml`, `run.json`, `metrics.jsonl`, TensorBoard events and `checkpoints/`."""

    def __init__(self, path: Path) -> None:
        self.path = path
        self.checkpoints = path / "checkpoints"

    @classmethod
    def create(cls, parent: Path, name: str, config: Config) -> "RunFolder":
        """A new folder `NAME`, or `NAME-2` and so on where that is taken.

        Raises:
            ValueError: the parent cannot be written.
        """
        number = 1
        while True:
            path = parent / (name if number == 1 else f"{name}-{number}")
            try:
                path.mkdir(parents=True)
                break
            except FileExistsError:
                if not parent.is_dir():
                    raise ValueError(f"cannot create runs below {parent}: it is not a folder; choose another with --runs") from None
                number += 1
            except OSError as error:
                raise ValueError(f"cannot create the run folder {path}: {error.strerror}; choose another place with --runs") from None
        folder = cls(path)
        folder.checkpoints.mkdir()
        replace(path / "config.toml", tomli_w.dumps(config.model_dump(mode="json")))
        folder.describe(status="running", started=time.strftime("%Y-%m-%dT%H:%M:%S%z"), **environment())
        return folder

    @classmethod
    def newest(cls, parent: Path, name: str) -> "RunFolder":
        """The last run of a name.

        Raises:
            ValueError: there is none.
        """
        runs = [path for path in parent.glob(f"{name}*") if path.name == name or path.name[len(name) :].lstrip("-").isdecimal()]
        if not runs:
            raise ValueError(f"nothing to resume: no run {name} in {parent}")
        return cls(max(runs, key=lambda path: int(path.name[len(name) :].lstrip("-") or 1)))

    def config(self) -> Config:
        """The config it was started with.

        Raises:
            ValueError: missing or damaged.
        """
        path = self.path / "config.toml"
        try:
            table = tomllib.loads(path.read_text())
        except (OSError, tomllib.TOMLDecodeError) as error:
            raise ValueError(f"{path}: cannot be read: {error}") from None
        return check_config(table, str(path))

    def describe(self, **facts: object) -> None:
        """Add facts to `run.json`."""
        path = self.path / "run.json"
        known = json.loads(path.read_text()) if path.exists() else {}
        replace(path, json.dumps({**known, **facts}, indent=2) + "\n")

    def checkpoint(self, games: int) -> Path:
        """Path of the checkpoint after so many games."""
        return self.checkpoints / f"{games:012d}.safetensors"

    def prune(self) -> None:
        """Delete all but the newest checkpoints."""
        for path in sorted(self.checkpoints.glob("*.safetensors"))[:-KEPT]:
            path.unlink()


def replace(path: Path, text: str) -> None:
    """Write a text file in one step."""
    temporary = path.with_name(f".{path.name}.{os.getpid()}")
    temporary.write_text(text)
    temporary.replace(path)


def environment() -> dict[str, object]:
    """Versions and machine, for a run's record."""
    git = subprocess.run(["git", "-C", str(Path(__file__).parent), "rev-parse", "HEAD"], capture_output=True, text=True, check=False) if _has("git") else None
    return {
        "versions": {name: version(name) for name in ("tablezoo", "numpy", "numba", "torch", "gymnasium")},
        "python": sys.version.split()[0],
        "host": socket.gethostname(),
        "machine": platform.platform(),
        "cores": os.cpu_count(),
        "commit": git.stdout.strip() or None if git else None,
    }


def _has(program: str) -> bool:
    from shutil import which

    return which(program) is not None


class Metrics:
    """Scalars of a run, to TensorBoard and to `metrics.jsonl`, by games played."""

    def __init__(self, folder: RunFolder, games: int) -> None:
        """Go on after `games`: later entries of an interrupted run are dropped."""
        from torch.utils.tensorboard import SummaryWriter

        path = folder.path / "metrics.jsonl"
        if path.exists():
            kept = [line for line in path.read_text().splitlines() if line and json.loads(line)["games"] <= games]
            replace(path, "".join(line + "\n" for line in kept))
        self._file = path.open("a")
        self._board = SummaryWriter(str(folder.path), purge_step=games + 1 if games else None)

    def add(self, games: int, scalars: dict[str, float]) -> None:
        """Record scalars by their TensorBoard tags."""
        self._file.write(json.dumps({"games": games, **scalars}) + "\n")
        self._file.flush()
        for tag, value in scalars.items():
            self._board.add_scalar(tag, value, games)

    def add_text(self, tag: str, text: str) -> None:
        """Record a text."""
        self._board.add_text(tag, text)

    def close(self) -> None:
        """Flush and close."""
        self._file.close()
        self._board.close()
