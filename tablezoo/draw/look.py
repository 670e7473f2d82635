"""What the pictures of all games share: colours, measures, checkers, dice, trays and the lines about the players."""

from collections.abc import Iterable, Iterator, Sequence
from typing import TYPE_CHECKING

from tablezoo.draw.shapes import Box, Disc, Polygon, Shape, Words
from tablezoo.draw.track_text import HEIGHT as STACK
from tablezoo.draw.words import mark, status

if TYPE_CHECKING:
    from tablezoo.position import Position

COLOURS = ("#fbf6ea", "#2c2a32")
"""Checkers of player 0 and of player 1."""
EDGES = ("#7d6a52", "#000000")
PAPER, INK = "#f6f1e7", "#33291f"
FRAME, FIELD, TRAY = "#6b432a", "#dcc7a0", "#54331f"
POINTS = ("#a9603f", "#f0e4c8")
RINGS = ("#c9b896", "#6d6a78")
"""Rings on the checkers of player 0 and of player 1."""
ALARM = "#c0392b"

RADIUS = 20
STRIP = 46
"""Height of the lines of text above and below the board."""
MARGIN = 12
RIM = 26
GAP = 60
"""Between the tallest stacks of both sides."""
DEEP = STACK * 2 * RADIUS
"""Height of the tallest stack drawn."""
TOP = STRIP + RIM
"""These four of boards with points."""
BOTTOM = TOP + 2 * DEEP + GAP
CENTRE = (TOP + BOTTOM) / 2
HEIGHT = BOTTOM + RIM + STRIP
TRAY_WIDTH = 58
DIE, DICE_PITCH = 36, 46

PIPS = {1: "4", 2: "08", 3: "048", 4: "0268", 5: "02468", 6: "023568"}
"""Spots of a die on a grid of three by three, row by row."""


def ground(position: "Position", width: float, height: float) -> Iterator[Shape]:
    """Paper, the name of the game and the wooden frame."""
    yield Box(0, 0, width, height, PAPER)
    yield Words(width - 14, STRIP / 2, position.game.name, 15, INK, "end")
    yield Box(MARGIN, STRIP, width - 2 * MARGIN, height - 2 * STRIP, FRAME, radius=10)


def triangle(x: float, base: float, direction: int, pitch: float, colour: str) -> Polygon:
    """A point of the board, its tip below its base if direction is 1."""
    return Polygon(((x - pitch / 2, base), (x + pitch / 2, base), (x, base + direction * DEEP)), colour)


def checker(x: float, y: float, player: int, radius: float = RADIUS - 1) -> Iterator[Shape]:
    """A checker seen from above."""
    yield Disc(x, y, radius, COLOURS[player], EDGES[player])
    yield Disc(x, y, radius * 0.74, COLOURS[player], RINGS[player])


def stack(n: int, player: int, x: float, y: float, direction: int, height: int = STACK) -> Iterator[Shape]:
    """Checkers from (x, y) on, downwards if direction is 1; the last one that there is room for tells the number of a taller stack."""
    for i in range(min(n, height)):
        yield from checker(x, y + direction * 2 * RADIUS * i, player)
    if n > height:
        yield Words(x, y + direction * 2 * RADIUS * (height - 1), str(n), 19, COLOURS[1 - player])


def pinned(x: float, y: float, player: int) -> Iterator[Shape]:
    """A checker that others hold fast: crossed out."""
    yield from checker(x, y, player)
    for slope in (1, -1):
        yield Polygon(tuple((x + a, y + slope * b) for a, b in ((-11, -8), (-8, -11), (11, 8), (8, 11))), ALARM)


def arrow(x: float, y: float, direction: int, player: int) -> Polygon:
    """A small arrow of a player around (x, y), to the right if direction is 1."""
    corners = ((-18, -1.5), (8, -1.5), (8, -5), (18, 0), (8, 5), (8, 1.5), (-18, 1.5))
    return Polygon(tuple((x + direction * a, y + b) for a, b in corners), COLOURS[player])


def trays(x: float, off: tuple[int, int]) -> Iterator[Shape]:
    """Those of both players for what they have borne off; x is the left edge."""
    for player, n in enumerate(off):
        yield from tray(x, n, player, BOTTOM)


def tray(x: float, n: int, player: int, bottom: float) -> Iterator[Shape]:
    """Checkers borne off by a player, lying on their sides, and their number, in his half of a board that ends at the bottom."""
    slab = (DEEP - 8) / 15
    yield _well(x, player, bottom)
    for i in range(n):
        y = bottom - 4 - slab * (i + 1) if player == 0 else TOP + 4 + slab * i
        yield Box(x + 5, y, TRAY_WIDTH - 10, slab - 1.5, COLOURS[player], EDGES[player], 2)
    yield _tally(x, f"{n} off", player, bottom, 24, 14)


def hand(x: float, n: int, player: int, bottom: float) -> Iterator[Shape]:
    """Checkers a player has in hand and their number, in his half of a board that ends at the bottom."""
    yield _well(x, player, bottom)
    base, direction = (bottom, -1) if player == 0 else (TOP, 1)
    yield from stack(n, player, x + TRAY_WIDTH / 2, base + direction * (RADIUS + 2), direction)
    yield _tally(x, f"{n} in hand", player, bottom, 17, 11)


def _well(x: float, player: int, bottom: float) -> Box:
    """The bottom of a player's tray."""
    height = (bottom - TOP) / 2 - 8
    return Box(x, bottom - height if player == 0 else TOP, TRAY_WIDTH, height, TRAY, radius=4)


def _tally(x: float, text: str, player: int, bottom: float, gap: float, size: float) -> Words:
    """A number of checkers, at the inner end of a player's tray."""
    return Words(x + TRAY_WIDTH / 2, (TOP + bottom) / 2 + (gap if player == 0 else -gap), text, size, PAPER)


def dice(numbers: Sequence[int], player: int, x: float, y: float) -> Iterator[Shape]:
    """Dice in a player's colours in a row around (x, y)."""
    for i, number in enumerate(numbers):
        middle = x + DICE_PITCH * (i - (len(numbers) - 1) / 2)
        yield Box(middle - DIE / 2, y - DIE / 2, DIE, DIE, COLOURS[player], EDGES[player], 7)
        for spot in map(int, PIPS[number]):
            yield Disc(middle + 10 * (spot % 3 - 1), y + 10 * (spot // 3 - 1), 3.4, COLOURS[1 - player])


def lines(position: "Position", height: float, facts: Iterable[str], todo: float = 280) -> Iterator[Shape]:
    """Who the players are, a fact about each, and in red, from x = todo on, what he has to do; an arrow points at the one who acts."""
    for player, fact in enumerate(facts):
        y = height - STRIP / 2 if player == 0 else STRIP / 2
        text = status(position, player)
        if text:
            yield Polygon(((14, y - 9), (14, y + 9), (27, y)), ALARM)
        yield Disc(46, y, 12, COLOURS[player], EDGES[player])
        yield Words(66, y, f"player {player} ({mark(position, player)}){fact}", 16, INK, "start")
        yield Words(todo, y, text, 18, "#a8281b", "start")
