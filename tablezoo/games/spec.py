"""What a game is: a start layout and the readings of its rules."""

from dataclasses import dataclass, field

from tablezoo.rules import Kind, Option


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

    @property
    def checkers(self) -> int:
        """Checkers a side."""
        return sum(n for _, n in self.start) if self.start else 16

    @property
    def env_id(self) -> str:
        """Gymnasium id, version included."""
        return f"tablezoo/{''.join(part.capitalize() for part in self.name.split('-'))}-v0"
