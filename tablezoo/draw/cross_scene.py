"""The picture of a game on a cross: two bars and the circle over a field, the players' boxes beside it."""

import math
from collections.abc import Iterator
from typing import TYPE_CHECKING

from tablezoo.draw import look
from tablezoo.draw.shapes import Box, Disc, Picture, Polygon, Shape, Words
from tablezoo.draw.views import Cross, cross
from tablezoo.games.crosses import CrossBoard
from tablezoo.kernel.cross import WINS

if TYPE_CHECKING:
    from tablezoo.position import Position

UNIT = 70
"""Between neighbours on a bar."""
TILE = 26
"""Radius of a space."""
MAN = 12.5
"""Radius of a piece."""
BAND = 16
"""Width of the bars and of the circle."""
PATH = "#c2a26c"
"""Colour of bars, circle, and spaces without a rune: both sides' pieces stand out on it."""
RIM = 14
BOX_WIDTH = 148
LEFT, TOP = look.MARGIN + RIM, look.STRIP + RIM


def scene(position: "Position") -> Picture:
    """Nobody sees the cross from another side: its arms N, W, S, E stay where they are."""
    board, view = position.game.board, cross(position)
    side = UNIT * (2 * max(x for x, _ in board.places.values()) + 1)
    width, height = LEFT + side + RIM + BOX_WIDTH + RIM + look.MARGIN, TOP + side + RIM + look.STRIP
    x, y = LEFT + side / 2, TOP + side / 2
    corner = (side / 2 - look.DIE) * (1 if position.player == 0 else -1)  # at the right hand of the player who threw
    shapes = (
        *look.ground(position, width, height),
        Box(LEFT, TOP, side, side, look.FIELD),
        *_paths(board, x, y),
        *(shape for space, (i, k) in board.places.items() for shape in _space(board, view, space, x + UNIT * i, y + UNIT * k)),
        *look.dice(position.numbers, position.player, x + corner - math.copysign(look.DIE / 2, corner), y + corner),
        *_boxes(view, LEFT + side + RIM, TOP, side),
        *look.lines(position, height, ("", ""), 176),
    )
    return Picture(width, height, shapes)


def _paths(board: CrossBoard, x: float, y: float) -> Iterator[Shape]:
    """The circle and the bars around (x, y), and an arrowhead on every step that may not be taken backwards."""
    reach = UNIT * max(i for i, _ in board.places.values())
    one_way = [(board.places[start], board.places[end]) for start, end in board.edges if board.one_way(start, end)]
    radius = UNIT * math.hypot(*one_way[0][0])
    yield Disc(x, y, radius + BAND / 2, PATH)
    yield Disc(x, y, radius - BAND / 2, look.FIELD)
    yield Box(x - reach, y - BAND / 2, 2 * reach, BAND, PATH)
    yield Box(x - BAND / 2, y - reach, BAND, 2 * reach, PATH)
    for (i, k), (to_i, to_k) in one_way:
        yield _arrowhead(x + UNIT * (i + to_i) / 2, y + UNIT * (k + to_k) / 2, math.atan2(to_k - k, to_i - i))


def _arrowhead(x: float, y: float, angle: float) -> Polygon:
    """Around (x, y), pointing in a direction."""
    corners = ((6.0, 0.0), (-5.5, 7.0), (-2.5, 0.0), (-5.5, -7.0))
    cos, sin = math.cos(angle), math.sin(angle)
    return Polygon(tuple((x + a * cos - b * sin, y + a * sin + b * cos) for a, b in corners), look.INK)


def _space(board: CrossBoard, view: Cross, space: str, x: float, y: float) -> Iterator[Shape]:
    """A space around (x, y): its rune above, its name below, its pieces between, and its number, if it is a door, beside it."""
    rune = board.runes.get(space, "")
    tile = look.POINTS[0] if rune else PATH
    yield Disc(x, y, TILE, tile, look.FRAME)
    yield Words(x, y + 18, space, 10, look.PAPER if rune else look.INK)
    if rune:
        yield from _rune(rune, x, y - 18.5, look.COLOURS[view.sides.index(rune)], tile)
    for player in (0, 1):
        n = view.pieces[player].get(space, 0)
        for i in range(n):
            yield from look.checker(x + 14 * (i - (n - 1) / 2), y, player, MAN)
    if space in view.doors:
        yield Disc(x + 0.75 * TILE, y - 0.75 * TILE, 10, look.FRAME)
        yield Words(x + 0.75 * TILE, y - 0.75 * TILE, str(view.doors[space]), 14, look.PAPER)


def _rune(rune: str, x: float, y: float, colour: str, tile: str) -> Iterator[Shape]:
    """The mark of a side around (x, y) on a space."""
    if rune == "o":
        yield Disc(x, y, 6, colour)
        yield Disc(x, y, 3.5, tile)
    else:
        for sign in (1, -1):
            stroke = ((-6, -4), (-4, -6), (6, 4), (4, 6))
            yield Polygon(tuple((x + i, y + sign * k) for i, k in stroke), colour)


def _boxes(view: Cross, x: float, y: float, height: float) -> Iterator[Shape]:
    """Each player's victory box and captured pieces on his half, from (x, y) down."""
    middle = x + BOX_WIDTH / 2
    for player in (0, 1):
        top = y + (height / 2 + 5 if player == 0 else 0)
        line = top + height / 4 - 66
        yield Box(x, top, BOX_WIDTH, height / 2 - 5, look.TRAY, radius=4)
        yield Words(middle, line, f"victory {view.victory[player]} of {WINS}", 15, look.PAPER)
        for i in range(int(WINS)):
            slot = middle + 27 * (i - 2)
            yield Disc(slot, line + 28, MAN - 1, look.FRAME, look.EDGES[0])
            if i < view.victory[player]:
                yield from look.checker(slot, line + 28, player, MAN - 1)
        yield Words(middle, line + 68, f"captured {view.captured[player]}", 15, look.PAPER)
        for i in range(view.captured[player]):
            yield from look.checker(middle + 16 * (i % 8 - 3.5), line + 94 + 26 * (i // 8), player, MAN - 2)
