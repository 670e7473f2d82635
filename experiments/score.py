"""How much equity an agent loses a decision, on a set of decisions whose plays have all been valued."""

import json
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

from experiments.statistics import mean_with_error
from tablezoo.agent import Agent, choose
from tablezoo.position import Game, Position

MP = 1000
"""Thousandths of a point in a point."""


@dataclass(frozen=True)
class Decision:
    """A position with a roll, and what each of its plays is worth.

    Attributes:
        node: the play node.
        kind: phase of the game: contact, crashed, race or bearoff.
        equities: value for the player who chooses, by the gnubg id of the node after each play.
    """

    node: Position
    kind: str
    equities: dict[str, float]


@dataclass(frozen=True)
class Score:
    """Mean loss in thousandths of a point (mp) a decision, with its standard error, in all and by phase."""

    decisions: int
    loss_mp: float
    se_mp: float
    by_class: dict[str, tuple[int, float, float]]
    """Decisions, loss and standard error of each phase."""


def read_decisions(path: Path, game: Game) -> list[Decision]:
    """Decisions of a JSONL file: `pid`, `dice`, `cls` and `moves` ([id after, equity, ...]) a line.

    Raises:
        ValueError: unreadable, with the line and what is wrong with it.
    """
    return list(_decisions(path, game))


def _decisions(path: Path, game: Game) -> Iterator[Decision]:
    try:
        lines = path.read_text(encoding="utf-8").splitlines()
    except (OSError, UnicodeDecodeError) as error:
        raise ValueError(f"{path}: cannot be read: {getattr(error, 'strerror', None) or error}") from None
    if not lines:
        raise ValueError(f"{path}: no decisions in it")
    for number, line in enumerate(lines, 1):
        try:
            record: dict[str, Any] = json.loads(line)
            first, second = record["dice"]
            node = game.position(record["pid"]).rolled((first, second))
            yield Decision(node, str(record["cls"]), {str(move[0]): float(move[1]) for move in record["moves"]})
        except (KeyError, TypeError, IndexError, ValueError) as error:
            wrong = f"no field {error}" if isinstance(error, KeyError) else error
            raise ValueError(f"{path}, line {number}: not a decision: {wrong}") from None


def losses(game: Game, agent: Agent, decisions: list[Decision]) -> np.ndarray[Any, np.dtype[np.float64]]:
    """Equity lost by the agent's play in each decision, in points.

    Raises:
        ValueError: a play that the decision does not value.
    """
    chosen = choose(agent, game, np.array([decision.node.row for decision in decisions]))
    lost = np.empty(len(decisions))
    for i, (decision, row) in enumerate(zip(decisions, chosen, strict=True)):
        after = Position(game, row, 1).gnubg_id
        if after not in decision.equities:
            raise ValueError(f"decision {i + 1}: the play to {after} has no equity in the file")
        lost[i] = max(decision.equities.values()) - decision.equities[after]
    return lost


def score(game: Game, agent: Agent, decisions: list[Decision]) -> Score:
    """Mean loss of an agent."""
    lost = losses(game, agent, decisions) * MP
    kinds = np.array([decision.kind for decision in decisions])
    parts = {str(kind): lost[kinds == kind] for kind in sorted(set(kinds))}
    return Score(len(lost), *mean_with_error(lost), {kind: (len(part), *mean_with_error(part)) for kind, part in parts.items()})
