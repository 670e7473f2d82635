"""The picture of a position, which `svg` and `pixels` put on paper.

It is shown from player 0's side, whoever acts, so that the frames of a game do not flip: player 0 (light) sits at
the bottom, player 1 (dark) at the top.
"""

from collections.abc import Callable
from typing import TYPE_CHECKING

from tablezoo.draw import cross_scene, track_scene, unstack_scene
from tablezoo.draw.shapes import Picture
from tablezoo.rules import Kind

if TYPE_CHECKING:
    from tablezoo.position import Position

SCENES: "dict[Kind, Callable[[Position], Picture]]" = {"track": track_scene.scene, "unstack": unstack_scene.scene, "cross": cross_scene.scene}


def scene(position: "Position") -> Picture:
    """All shapes of a position on paper whose size follows from the game."""
    return SCENES[position.game.spec.kind](position)
