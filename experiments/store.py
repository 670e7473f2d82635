"""The folder of a run: config, description, checkpoints, and who works on it."""

import json
import math
import re
import time
import tomllib
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

import tomli_w
from filelock import FileLock, Timeout

from agents.nets.files import write_whole
from experiments.config import Config, check_config
from experiments.facts import Facts, environment
from experiments.interrupt import Interrupted

CONFIG = "config.toml"
"""The config of a run; it is written last when a folder is made."""
METRICS = "metrics.jsonl"
"""What it measured on its way (`experiments.metrics`)."""
KEPT = 2
"""Checkpoints kept in a run's folder."""


class RunFolder:
    """`runs/NAME/` with `config.toml`, `run.json`, `metrics.jsonl`, TensorBoard events, `checkpoints/`, and `marks/`: nets as they were on the way."""

    def __init__(self, path: Path) -> None:
        self.path = path
        self.checkpoints = path / "checkpoints"
        self.marks = path / "marks"

    @classmethod
    def create(cls, parent: Path, name: str, config: Config, **facts: object) -> "RunFolder":
        """A new folder `NAME`, or `NAME-2` and so on where that is taken; further facts go to `run.json`.

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
        folder.describe(kind=config.kind, game=config.game, seed=config.seed, started=time.strftime("%Y-%m-%dT%H:%M:%S%z"), **environment(), **facts)
        replace(path / CONFIG, tomli_w.dumps(config.model_dump(mode="json", exclude_none=True)))
        return folder

    @classmethod
    def newest(cls, parent: Path, name: str) -> "RunFolder | None":
        """The last run of a name, if there is one; a folder without a config is none, for it was broken off before it began."""
        paths = [path.parent for path in parent.glob(f"*/{CONFIG}")]
        runs = {int(match[1] or 1): path for path in paths if (match := re.fullmatch(rf"{re.escape(name)}(?:-(\d+))?", path.name))}
        return cls(runs[max(runs)]) if runs else None

    @classmethod
    def opened(cls, parent: Path, name: str, config: Config, resume: bool, free: tuple[str, ...], **facts: object) -> "RunFolder":
        """A new folder, see `create`; or to resume the last run of a name, if its config is this one but for keys that may change.

        Raises:
            ValueError: there is nothing to resume, or it was started with another config; see `create`.
        """
        if not resume:
            return cls.create(parent, name, config, **facts)
        folder = cls.newest(parent, name)
        if folder is None:
            raise ValueError(f"nothing to resume: no run {name} in {parent}")
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
        path = self.path / CONFIG
        try:
            table = tomllib.loads(path.read_text(encoding="utf-8"))
        except (OSError, ValueError) as error:
            raise ValueError(f"{path}: cannot be read: {error}") from None
        return check_config(table, str(path))

    def facts(self) -> Facts:
        """What `run.json` tells.

        Raises:
            ValueError: damaged.
        """
        path = self.path / "run.json"
        try:
            return Facts.model_validate_json(path.read_bytes()) if path.exists() else Facts()
        except ValueError:
            raise ValueError(f"{path}: damaged; delete it to go on") from None

    def describe(self, **facts: object) -> None:
        """Add facts to `run.json`."""
        known = self.facts().model_dump(mode="json", exclude_unset=True)
        replace(self.path / "run.json", dumps({**known, **facts}, indent=2) + "\n")

    @property
    def status(self) -> str:
        """Where it stands: running, interrupted, failed, finished, or killed if it says that it runs and nobody works on it.

        Raises:
            ValueError: `run.json` is damaged.
        """
        told = self.facts().status
        if told != "running":
            return told
        try:
            with self.claimed(patience=0):
                return "killed"
        except (ValueError, OSError):
            return told

    def checkpoint(self, games: int) -> Path:
        """Path of the checkpoint after so many games."""
        self.checkpoints.mkdir(exist_ok=True)
        return self.checkpoints / f"{games:012d}.safetensors"

    def mark(self, games: int) -> Path:
        """Path of the net after so many games."""
        self.marks.mkdir(exist_ok=True)
        return self.marks / f"{games:012d}.safetensors"

    def prune(self) -> None:
        """Delete all but the newest checkpoints, and what a killed process left half-written."""
        for path in (*sorted(self.checkpoints.glob("[0-9]*.safetensors"))[:-KEPT], *self.checkpoints.glob(".*")):
            path.unlink()

    @contextmanager
    def claimed(self, patience: float = 1.0) -> Iterator[None]:
        """Within it, no other process can work on the run.

        Args:
            patience: seconds to wait for one that only looks who works on it.

        Raises:
            ValueError: another one does.
        """
        try:
            with FileLock(self.path / ".lock", timeout=patience):
                yield
        except Timeout:
            raise ValueError(f"{self.path}: another process is working on this run") from None

    @contextmanager
    def at_work(self) -> Iterator[None]:
        """Within it, the run is this process's, and `run.json` tells that it is running; afterwards how it ended.

        Raises:
            ValueError: another process works on it.
        """
        with self.claimed():
            self.describe(status="running", error=None)
            try:
                yield
            except (Interrupted, KeyboardInterrupt):
                self.describe(status="interrupted")
                raise
            except BaseException as error:
                with suppress(OSError):
                    self.describe(status="failed", error=f"{type(error).__name__}: {error}")
                raise
            self.describe(status="finished")


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
