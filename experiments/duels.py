"""The duels of a run, kept as they are played: what was played is never played again."""

import json
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np

from experiments.duel import DuelResult
from experiments.store import dumps, replace

Pair = tuple[str, str]
"""Names of two agents."""


class Duels:
    """Duels by the names of the two agents, one a line of `duels.jsonl`."""

    def __init__(self, path: Path) -> None:
        """Read what was played.

        Raises:
            ValueError: a line that is none, with its number.
        """
        self.path = path
        self.played: dict[Pair, DuelResult] = {}
        for number, line in enumerate(path.read_text(errors="replace").splitlines() if path.exists() else (), 1):
            try:
                record = json.loads(line)
                self.played[str(record["a"]), str(record["b"])] = _result(record)
            except (ValueError, KeyError, TypeError, OverflowError) as error:
                raise ValueError(f"{path}, line {number}: not a duel ({error}): delete the line, and it is played again") from None

    def add(self, pair: Pair, result: DuelResult) -> None:
        """Keep a duel as it stands: the whole file is written anew and takes the old one's place."""
        self.played[pair] = result
        lines = []
        for (a, b), duel in self.played.items():
            luck = {} if duel.luck is None else {"luck": duel.luck.tolist()}
            lines.append(dumps({"a": a, "b": b, "games": duel.games, "unfinished": duel.unfinished, "points": duel.points.tolist(), **luck}))
        replace(self.path, "".join(f"{line}\n" for line in lines))

    def among(self, names: Sequence[str]) -> dict[Pair, DuelResult]:
        """Those between these agents."""
        return {pair: result for pair, result in self.played.items() if set(pair) <= set(names)}


def _result(record: dict[str, Any]) -> DuelResult:
    points = np.array(record["points"], np.int64)
    luck = np.array(record["luck"], np.float64) if "luck" in record else None
    if points.ndim != 2 or points.shape[1] != 2 or (luck is not None and (luck.shape != points.shape or not np.isfinite(luck).all())):
        raise ValueError("points or luck are no pairs")
    return DuelResult(points, int(record["unfinished"]), luck)
