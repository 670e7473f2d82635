"""Replay: examples kept to be learned from again."""

from typing import Any

import numpy as np
from numpy.typing import NDArray

from agents.nets.value import Floats
from tablezoo.kernel.board import ROW


class Replay:
    """The latest examples, the oldest overwritten first.

    Attributes:
        rows: (capacity, ROW).
        targets: (capacity, outcomes).
        seen: examples added so far.
    """

    def __init__(self, capacity: int, outcomes: int) -> None:
        self.rows = np.zeros((capacity, ROW), np.uint64)
        self.targets = np.zeros((capacity, outcomes), np.float32)
        self.seen = 0

    def __len__(self) -> int:
        """Examples kept now."""
        return min(self.seen, len(self.rows))

    def add(self, rows: NDArray[np.uint64], targets: Floats) -> NDArray[np.int64]:
        """Keep examples; returns where they lie."""
        kept = min(len(rows), len(self.rows))
        self.seen += len(rows)
        where = np.arange(self.seen - kept, self.seen) % max(len(self.rows), 1)
        self.rows[where], self.targets[where] = rows[len(rows) - kept :], targets[len(rows) - kept :]
        return where

    @property
    def tensors(self) -> dict[str, NDArray[np.uint64] | Floats]:
        """What is kept, for a checkpoint."""
        return {"replay.rows": self.rows[: len(self)], "replay.targets": self.targets[: len(self)]}

    def restore(self, tensors: dict[str, NDArray[Any]], seen: int, source: str) -> None:
        """Keep what a checkpoint has.

        Raises:
            ValueError: it has other examples than this replay would; names the source.
        """
        self.seen = seen
        for name, kept in self.tensors.items():
            if name not in tensors or tensors[name].shape != kept.shape:
                raise ValueError(f"{source}: does not have the {len(self)} positions of its replay; use another checkpoint")
            kept[:] = tensors[name]
