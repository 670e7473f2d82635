"""The picture of an unstacking game: the points of each player, in his own numbering, on his side of the board."""

from collections.abc import Iterator
from typing import TYPE_CHECKING

from tablezoo.draw import look
from tablezoo.draw.shapes import Box, Picture, Shape, Words
from tablezoo.draw.views import HalfBoard, unstack
from tablezoo.draw.words import PHASES

if TYPE_CHECKING:
    from tablezoo.position import Position

PITCH = 78
"""Width of a point."""
FIELD_WIDTH = 6 * PITCH
LEFT = look.MARGIN + look.RIM
OFF_LEFT = LEFT + FIELD_WIDTH + look.RIM / 2
WIDTH = OFF_LEFT + look.TRAY_WIDTH + look.RIM / 2 + look.MARGIN
SLAB, SLAB_HEIGHT = 58, 18
"""A man who lies: seen from the side, beyond the two places of those who stand."""


def scene(position: "Position") -> Picture:
    """Both players' points run from 6 (left) to 1 (right), where they bear off."""
    boards = unstack(position)
    middle = LEFT + FIELD_WIDTH * (0.75 if position.player == 0 else 0.25)  # at the right hand of the player who threw
    shapes = (
        *look.ground(position, WIDTH, look.HEIGHT),
        Box(LEFT, look.TOP, FIELD_WIDTH, look.BOTTOM - look.TOP, look.FIELD),
        *_points(boards[0], 0, look.BOTTOM, -1),
        *_points(boards[1], 1, look.TOP, 1),
        *look.trays(OFF_LEFT, (boards[0].off, boards[1].off)),
        *look.dice(position.numbers, position.player, middle, look.CENTRE),
        *look.lines(position, look.HEIGHT, (f", {PHASES[board.phase]}" for board in boards)),
    )
    return Picture(WIDTH, look.HEIGHT, shapes)


def _points(board: HalfBoard, player: int, base: float, direction: int) -> Iterator[Shape]:
    """A player's points with his men, growing downwards from the base if direction is 1."""
    for point, standing in board.standing.items():
        x = LEFT + PITCH * (6.5 - point)
        yield look.triangle(x, base, direction, PITCH, look.POINTS[point % 2])
        yield Words(x, base - direction * look.RIM / 2, str(point), 14, look.PAPER)
        yield from look.stack(standing, player, x, base + direction * look.RADIUS, direction)
        if board.lying[point]:
            y = base + direction * 5 * look.RADIUS
            yield Box(x - SLAB / 2, y - SLAB_HEIGHT / 2, SLAB, SLAB_HEIGHT, look.COLOURS[player], look.EDGES[player], SLAB_HEIGHT / 2)
            yield Box(x - SLAB / 2 + 8, y - 1, SLAB - 16, 2, look.RINGS[player], radius=1)
