"""What a game is: a start layout and the readings of its rules."""

from dataclasses import dataclass, field
from typing import Literal

from tablezoo.rules import Kind, Option

STANDARD = ((24, 2), (13, 5), (8, 3), (6, 5))
"""Backgammon's start."""


@dataclass(frozen=True)
class Spec:
    """A game of the zoo."""

    name: str
    """Lower case with hyphens; the environment's id is its CamelCase."""
    summary: str
    """One line that tells it from its relatives."""
    start: tuple[tuple[int, int], ...] = ()
    """(point, checkers) of either side, each in his own numbering; on a cross the runes say it."""
    kind: Kind = "track"
    options: dict[str, Option] = field(default_factory=dict)
    """Readings that differ from the default of the kind (`tablezoo.rules.CHOICES`)."""
    aliases: tuple[str, ...] = ()
    family: str = "hitting"
    region: str = "world"
    sources: tuple[str, ...] = ()
    certainty: Literal["high", "medium", "low"] = "high"
    """How complete and how well attested its rules are."""
    points: int = 24
    dice: int = 2
    hand: int = 0
    """Checkers of a side that begin off the board."""

    @property
    def checkers(self) -> int:
        """Checkers a side."""
        return sum(n for _, n in self.start) + self.hand if self.kind != "cross" else 16

    @property
    def movement(self) -> str:
        """How the ways of the two sides lie to each other."""
        ways = {"unstack": "none", "cross": "graph"}
        return ways.get(self.kind) or str(self.options.get("movement", "contrary"))

    @property
    def blots(self) -> str:
        """What becomes of a lone checker when another lands on it."""
        fates = {"unstack": "safe", "cross": "captured"}
        return fates.get(self.kind) or {"hit": "hit", "pin": "pinned", "none": "safe"}[str(self.options.get("blot", "hit"))]

    @property
    def env_id(self) -> str:
        """Gymnasium id, version included."""
        return f"tablezoo/{''.join(part.capitalize() for part in self.name.split('-'))}-v0"
