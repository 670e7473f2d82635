"""The folder of a run: config, description, metrics, checkpoints."""

import json
import math
import os
import platform
import re
import socket
import subprocess
import sys
import time
import tomllib
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from importlib.metadata import version
from pathlib import Path
from shutil import which

import tomli_w
from filelock import FileLock, Timeout

from agents.nets.files import write_whole
from experiments.config import Config, check_config

KEPT = 2
"""Checkpoints kept in a run's folder."""


class RunFolder:
    """`runs/NAME/` with `config.toml`, `run.json`, `metrics.jsonl`, TensorBoard events, `checkpoints/`, and `marks/`: nets as they were on the way."""

    def __init__(self, path: Path) -> None:
        self.path = path
        self.checkpoints = path / "checkpoints"
        self.marks = path / "marks"

    @classmethod
    def create(cls, parent: Path, name: str, config: Config) -> "RunFolder":
        """A new folder `NAME`, or `NAME-2` and so on where that is taken.

        Raises:
            ValueError: the name is none, or the parent cannot be written.
        """
        if not re.fullmatch(r"\w[\w.+=-]*", name):
            raise ValueError(f"cannot name a run {name!r}: use letters, digits, and - _ . + =")
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
        folder.marks.mkdir()
        replace(path / "config.toml", tomli_w.dumps(config.model_dump(mode="json")))
        folder.describe(status="running", seed=config.seed, started=time.strftime("%Y-%m-%dT%H:%M:%S%z"), **environment())
        return folder

    @classmethod
    def newest(cls, parent: Path, name: str) -> "RunFolder":
        """The last run of a name.

        Raises:
            ValueError: there is none.
        """
        paths = parent.iterdir() if parent.is_dir() else ()
        runs = {int(match[1] or 1): path for path in paths if (match := re.fullmatch(rf"{re.escape(name)}(?:-(\d+))?", path.name))}
        if not runs:
            raise ValueError(f"nothing to resume: no run {name} in {parent}")
        return cls(runs[max(runs)])

    @classmethod
    def resumed(cls, parent: Path, name: str, config: Config, free: tuple[str, ...]) -> "RunFolder":
        """The last run of a name, if its config is this one but for keys that may change.

        Raises:
            ValueError: there is none, or it was started with another config.
        """
        folder = cls.newest(parent, name)
        known = folder.config().model_dump()
        changed = ", ".join(key for key, value in config.model_dump().items() if known.get(key) != value and key not in free)
        if changed:
            raise ValueError(f"{folder.path} was started with another config: {changed} differ; give the same overrides, or start anew without --resume")
        return folder

    def config(self) -> Config:
        """The config it was started with.

        Raises:
            ValueError: missing or damaged.
        """
        path = self.path / "config.toml"
        try:
            table = tomllib.loads(path.read_text())
        except (OSError, ValueError) as error:
            raise ValueError(f"{path}: cannot be read: {error}") from None
        return check_config(table, str(path))

    def describe(self, **facts: object) -> None:
        """Add facts to `run.json`."""
        path = self.path / "run.json"
        try:
            known = json.loads(path.read_text()) if path.exists() else {}
        except ValueError:
            raise ValueError(f"{path}: damaged; delete it to go on") from None
        replace(path, dumps({**known, **facts}, indent=2) + "\n")

    def checkpoint(self, games: int) -> Path:
        """Path of the checkpoint after so many games."""
        return self.checkpoints / f"{games:012d}.safetensors"

    def mark(self, games: int) -> Path:
        """Path of the net after so many games."""
        return self.marks / f"{games:012d}.safetensors"

    def prune(self) -> None:
        """Delete all but the newest checkpoints."""
        for path in sorted(self.checkpoints.glob("*.safetensors"))[:-KEPT]:
            path.unlink()

    @contextmanager
    def claimed(self) -> Iterator[None]:
        """Within it, no other process can work on the run.

        Raises:
            ValueError: another one does.
        """
        try:
            with FileLock(self.path / ".lock", timeout=0):
                yield
        except Timeout:
            raise ValueError(f"{self.path}: another process is working on this run") from None


def replace(path: Path, text: str) -> None:
    """Write a text file in one step.

    Raises:
        OSError: it cannot be written; names the file.
    """
    write_whole(path, text.encode())


def dumps(value: object, indent: int | None = None) -> str:
    """JSON, with null for what is not a number."""

    def clean(part: object) -> object:
        if isinstance(part, dict):
            return {key: clean(item) for key, item in part.items()}
        if isinstance(part, list | tuple):
            return [clean(item) for item in part]
        return None if isinstance(part, float) and not math.isfinite(part) else part

    return json.dumps(clean(value), indent=indent)


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


class Metrics:
    """Scalars of a run, to TensorBoard and to `metrics.jsonl`, by games played."""

    def __init__(self, folder: RunFolder, games: int) -> None:
        """Go on after `games`: what an interrupted run recorded later, or evaluated there, is dropped and will come anew."""
        from torch.utils.tensorboard import SummaryWriter

        path = folder.path / "metrics.jsonl"
        kept = [entry for entry in entries(path) if entry["games"] < games or (entry["games"] == games and "loss" in entry)]
        resumed = path.exists()
        replace(path, "".join(dumps(entry) + "\n" for entry in kept))
        self.cpu_seconds = max((entry.get("cpu_seconds", 0.0) for entry in kept), default=0.0)
        """Time that the training had taken, to within ten batches."""
        self._file = path.open("a")
        self._board = SummaryWriter(str(folder.path), purge_step=games if resumed else None)
        for entry in kept:
            if entry["games"] == games:
                self._show(entry)

    def add(self, games: int, scalars: dict[str, float]) -> None:
        """Record scalars by their TensorBoard tags."""
        entry = {"games": games, **scalars}
        self._file.write(dumps(entry) + "\n")
        self._file.flush()
        self._show(entry)

    def _show(self, entry: dict[str, float]) -> None:
        for tag, value in entry.items():
            if tag != "games" and value is not None:
                self._board.add_scalar(tag, value, int(entry["games"]))

    def add_text(self, tag: str, text: str) -> None:
        """Record a text."""
        self._board.add_text(tag, text)

    def close(self) -> None:
        """Flush and close."""
        self._file.close()
        self._board.close()


def entries(path: Path) -> Iterator[dict[str, float]]:
    """Whole lines of a metrics file; one cut off by a crash counts as not written."""
    for line in path.read_text(errors="replace").splitlines() if path.exists() else ():
        with suppress(ValueError):
            yield json.loads(line)
