"""Tables that take long to build, kept in the user's cache: named by what they hold, whole or not there, rebuilt when damaged."""

import contextlib
import hashlib
import json
import os
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

import numpy as np
import platformdirs
from filelock import FileLock
from numpy.typing import NDArray

BLOCK = 1 << 24


def folder() -> Path:
    """Folder of the tables: below $TABLEZOO_CACHE, else the user's cache."""
    chosen = os.environ.get("TABLEZOO_CACHE")
    return (Path(chosen) if chosen else platformdirs.user_cache_path("tablezoo")) / "exact"


def kept(name: str, meaning: Mapping[str, object], build: Callable[[], NDArray[Any]]) -> NDArray[Any]:
    """The table of this meaning, memory-mapped and read-only; built now if it is not there or damaged.

    Args:
        name: first part of the file's name.
        meaning: all that the table depends on, as JSON takes it.
        build: makes the table.

    Raises:
        OSError: the folder cannot be written.
    """
    described = json.dumps(meaning, sort_keys=True)
    path = folder() / f"{name}-{hashlib.sha256(described.encode()).hexdigest()[:16]}.npy"
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        with FileLock(path.with_suffix(".lock")):
            if not _sound(path):
                _write(path, build(), described)
    except OSError as error:
        raise OSError(f"{path.parent}: cannot keep the table: {error.strerror or error}; make room, or set TABLEZOO_CACHE to another folder") from None
    return np.asarray(np.load(path, mmap_mode="r"))


def _checksum(path: Path) -> str:
    digest = hashlib.sha256()
    with path.open("rb") as file:
        while block := file.read(BLOCK):
            digest.update(block)
    return digest.hexdigest()


def _sound(path: Path) -> bool:
    """Whether the file is there and as it was written."""
    try:
        note = json.loads(path.with_suffix(".json").read_text())
        return bool(note["sha256"] == _checksum(path))
    except (OSError, ValueError, KeyError, TypeError):
        return False


def _write(path: Path, table: NDArray[Any], described: str) -> None:
    """Write the table, then the note without which it does not count."""
    path.with_suffix(".json").unlink(missing_ok=True)
    temporary = path.with_name(f".{path.name}.{os.getpid()}")
    try:
        with temporary.open("wb") as file:
            np.save(file, table)
            file.flush()
            os.fsync(file.fileno())
        temporary.replace(path)
    except OSError:
        with contextlib.suppress(OSError):
            temporary.unlink(missing_ok=True)
        raise
    path.with_suffix(".json").write_text(json.dumps({"meaning": json.loads(described), "sha256": _checksum(path)}))
