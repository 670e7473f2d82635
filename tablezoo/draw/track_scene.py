"""The picture of a track game. The numbers beside the points are those of the player to act, as in the text of his plays."""

from collections.abc import Iterator
from typing import TYPE_CHECKING

from tablezoo.draw import look
from tablezoo.draw.shapes import Box, Picture, Shape, Words
from tablezoo.draw.views import Track, track
from tablezoo.kernel.board import BAR

if TYPE_CHECKING:
    from tablezoo.position import Position

PITCH = 46
"""Width of a point."""
BAR_WIDTH = 50
HALF = 6 * PITCH
LEFT = look.MARGIN + look.RIM
MIDDLE = LEFT + HALF
RIGHT = MIDDLE + BAR_WIDTH
OFF_LEFT = RIGHT + HALF + look.RIM / 2
WIDTH = OFF_LEFT + look.TRAY_WIDTH + look.RIM / 2 + look.MARGIN


def scene(position: "Position") -> Picture:
    """Player 0 bears off at the bottom right, player 1 at the top right."""
    board, mover = track(position, 0), position.player
    middle = (RIGHT if mover == 0 else LEFT) + HALF / 2  # at the right hand of the player who threw
    shapes = (
        *look.ground(position, WIDTH, look.HEIGHT),
        *_board(board),
        *_checkers(board),
        *look.trays(OFF_LEFT, board.off),
        *look.dice(position.numbers, mover, middle, look.CENTRE),
        *look.lines(position, look.HEIGHT, (f", pips {n}" for n in board.pips)),
    )
    return Picture(WIDTH, look.HEIGHT, shapes)


def place(point: int) -> tuple[float, float, int]:
    """Middle x of a point of player 0, its base, and 1 if its stack grows downwards from there, else -1."""
    column = 12 - point if point <= 12 else point - 13
    x = LEFT + PITCH * (column + 0.5) + (BAR_WIDTH if column >= 6 else 0)
    return (x, look.TOP, 1) if point > 12 else (x, look.BOTTOM, -1)


def _board(board: Track) -> Iterator[Shape]:
    for half in (LEFT, RIGHT):
        yield Box(half, look.TOP, HALF, look.BOTTOM - look.TOP, look.FIELD)
    for point in range(1, BAR):
        x, base, direction = place(point)
        yield look.triangle(x, base, direction, PITCH, look.POINTS[point % 2])
        yield Words(x, base - direction * look.RIM / 2, str(board.numbers[point]), 14, look.PAPER)


def _checkers(board: Track) -> Iterator[Shape]:
    for point, pile in board.stacks.items():
        x, base, direction = place(point)
        yield from look.stack(pile.n, pile.player, x, base + direction * look.RADIUS, direction)
    for player, direction in ((0, -1), (1, 1)):  # on the bar they stand on the side where they enter, from the middle outwards
        yield from look.stack(board.bar[player], player, MIDDLE + BAR_WIDTH / 2, look.CENTRE + direction * (look.GAP / 2 + look.RADIUS), direction)
