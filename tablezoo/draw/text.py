"""The board as text."""

from collections.abc import Callable
from typing import TYPE_CHECKING

from tablezoo.draw import cross_text, track_text, unstack_text
from tablezoo.rules import Kind

if TYPE_CHECKING:
    from tablezoo.position import Position

TEXTS: "dict[Kind, Callable[[Position], str]]" = {"track": track_text.draw, "unstack": unstack_text.draw, "cross": cross_text.draw}


def draw(position: "Position") -> str:
    """The board a person reads at a glance, with who has to do what."""
    return TEXTS[position.game.spec.kind](position)
