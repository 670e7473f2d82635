"""What a training measures on its way: `metrics.jsonl` and TensorBoard."""

import json
import os
from collections.abc import Iterable, Mapping
from contextlib import suppress
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from agents.nets.files import unwritable
from experiments.events import Events
from experiments.store import METRICS, RunFolder, dumps, replace

EVERY = 10
"""Batches of games between two entries about learning."""
Entry = dict[str, float]


class Metrics:
    """Scalars of a run by games played, to TensorBoard and to `metrics.jsonl`; hyper-parameters and pictures to TensorBoard alone."""

    def __init__(self, folder: RunFolder, games: int, learned: int) -> None:
        """Go on after `games`: what an interrupted run recorded later, or evaluated there, is dropped and will come anew.

        Args:
            games: learned from when the checkpoint was written, or 0.
            learned: games of the last entry about learning up to there.

        Raises:
            ValueError: the file is damaged, or lacks what a run must have recorded up to there.
        """
        self.path = path = folder.path / METRICS
        kept = [entry for entry in entries(path) if entry["games"] < games or (entry["games"] == games and "loss" in entry)]
        last = max((int(entry["games"]) for entry in kept if "loss" in entry), default=0)
        if last != learned:
            raise ValueError(f"{path}: ends after {last:,} games, but the checkpoint knows of {learned:,}: put the whole file back, or start anew")
        resumed = path.exists()
        replace(path, "".join(dumps(entry) + "\n" for entry in kept))
        self.cpu_seconds = cpu_seconds(kept)
        self._file = path.open("a", encoding="utf-8")
        self._events = Events(folder.path, games if resumed else None)
        for entry in kept:
            if entry["games"] == games:
                self._show(entry)

    def add(self, games: int, scalars: dict[str, float]) -> None:
        """Record scalars by their TensorBoard tags."""
        entry = {"games": games, **scalars}
        try:
            self._file.write(dumps(entry) + "\n")
            self._file.flush()
        except OSError as error:
            raise unwritable(self.path, error) from None
        self._show(entry)

    def _show(self, entry: Entry) -> None:
        for tag, value in entry.items():
            if tag != "games" and value is not None:
                self._events.scalar(tag, value, int(entry["games"]))

    def add_settings(self, config: Mapping[str, Any], goals: list[str]) -> None:
        """Show a config as TensorBoard's hyper-parameters, beside the scalars `goals`, and as a text."""
        self._events.settings(flat(config), goals)

    def add_picture(self, tag: str, games: int, picture: NDArray[np.uint8]) -> None:
        """Show a picture (height, width, 3)."""
        self._events.picture(tag, picture, games)

    def sync(self) -> None:
        """Have what was recorded on the disk, before the checkpoint that knows of it."""
        try:
            os.fsync(self._file.fileno())
        except OSError as error:
            raise unwritable(self.path, error) from None

    def close(self) -> None:
        """Close the files; whatever could not be written has been complained about."""
        with suppress(OSError):
            self._file.close()
        self._events.close()


def flat(config: Mapping[str, Any], above: str = "") -> dict[str, bool | int | float | str]:
    """Keys of a config with the names of their sections, and values as TensorBoard takes them."""
    found: dict[str, bool | int | float | str] = {}
    for key, value in config.items():
        if isinstance(value, Mapping):
            found |= flat(value, f"{above}{key}.")
        elif value is not None:
            found[above + key] = value if isinstance(value, bool | int | float | str) else str(list(value))
    return found


def entries(path: Path) -> list[Entry]:
    """Entries of a metrics file, none if there is no file; a last line cut off by a crash counts as not written.

    Raises:
        ValueError: another line is damaged.
    """
    *lines, _ = (path.read_text(encoding="utf-8", errors="replace") if path.exists() else "").split("\n")
    found = []
    for number, line in enumerate(lines, 1):
        try:
            entry = json.loads(line)
            if not isinstance(entry["games"], int) or any(not isinstance(value, int | float | None) for value in entry.values()):
                raise ValueError("not all of it is numbers")
        except (ValueError, KeyError, TypeError, AttributeError) as error:
            raise ValueError(f"{path}, line {number}: damaged ({error}): put the whole file back, or start anew") from None
        found.append(entry)
    return found


def cpu_seconds(told: Iterable[Entry]) -> float:
    """What a training has taken, all threads together, to within ten batches."""
    return max((entry.get("cpu_seconds") or 0.0 for entry in told), default=0.0)
