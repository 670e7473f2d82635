"""The board as a list of shapes, which `svg` and `pixels` put on paper.

It is shown from player 0's side, whoever acts, so that the frames of a game do not flip: player 0 (light) sits at
the bottom and bears off at the bottom right, player 1 (dark) sits at the top. The numbers beside the points are those
of the player to act, as in the text of his plays.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING, TypeAlias

from tablezoo.draw.text import HEIGHT as STACK
from tablezoo.draw.text import MARKS, pips, sides, status
from tablezoo.kernel.board import BAR, OFF

if TYPE_CHECKING:
    from tablezoo.position import Position

Point: TypeAlias = tuple[float, float]


@dataclass(frozen=True)
class Polygon:
    """A filled polygon."""

    corners: tuple[Point, ...]
    fill: str


@dataclass(frozen=True)
class Box:
    """A rectangle with round corners and perhaps an edge."""

    x: float
    y: float
    width: float
    height: float
    fill: str
    edge: str = ""
    radius: float = 0


@dataclass(frozen=True)
class Disc:
    """A circle around (x, y) and perhaps its edge."""

    x: float
    y: float
    radius: float
    fill: str
    edge: str = ""


@dataclass(frozen=True)
class Words:
    """A line of text whose middle is at height y; `align` says what of it is at x."""

    x: float
    y: float
    text: str
    size: float
    fill: str
    align: str = "middle"
    """"start", "middle" or "end"."""


Shape: TypeAlias = Polygon | Box | Disc | Words

COLOURS = ("#fbf6ea", "#2c2a32")
"""Checkers of player 0 and of player 1."""
EDGES = ("#7d6a52", "#000000")
PAPER, INK = "#f6f1e7", "#33291f"
FRAME, FIELD, TRAY = "#6b432a", "#dcc7a0", "#54331f"
POINTS = ("#a9603f", "#f0e4c8")
RINGS = ("#c9b896", "#6d6a78")
"""Rings on the checkers of player 0 and of player 1."""
EDGE = 1.5
"""Width of all edges."""

RADIUS = 20
PITCH = 46
"""Width of a point."""
STRIP = 46
"""Height of the lines of text above and below the board."""
RIM = 26
GAP = 60
"""Between the tallest stacks of both sides."""
BAR_WIDTH = 50
TRAY_WIDTH = 58
HALF = 6 * PITCH
LEFT = 12 + RIM
MIDDLE = LEFT + HALF
RIGHT = MIDDLE + BAR_WIDTH
OFF_LEFT = RIGHT + HALF + RIM / 2
WIDTH = OFF_LEFT + TRAY_WIDTH + RIM / 2 + 12
TOP = STRIP + RIM
DEEP = STACK * 2 * RADIUS
"""Height of the tallest stack drawn."""
BOTTOM = TOP + 2 * DEEP + GAP
HEIGHT = BOTTOM + RIM + STRIP
CENTRE = (TOP + BOTTOM) / 2

PIPS = {1: "4", 2: "08", 3: "048", 4: "0268", 5: "02468", 6: "023568"}
"""Spots of a die on a grid of three by three, row by row."""


def scene(position: "Position") -> list[Shape]:
    """All shapes of a position from back to front, on paper of WIDTH x HEIGHT."""
    light, dark = sides(position, 0)
    shapes: list[Shape] = [Box(0, 0, WIDTH, HEIGHT, PAPER), *_board(position.player)]
    for point in range(1, BAR):
        n, player = (light[point], 0) if light[point] else (dark[point], 1)
        shapes += _stack(n, player, _centre(point), TOP + RADIUS if point > 12 else BOTTOM - RADIUS, 1 if point > 12 else -1)
    bar = MIDDLE + BAR_WIDTH / 2  # checkers stand on the side where they enter
    shapes += _stack(light[BAR], 0, bar, CENTRE - GAP / 2 - RADIUS, -1)
    shapes += _stack(dark[OFF], 1, bar, CENTRE + GAP / 2 + RADIUS, 1)
    for player, n in ((0, light[OFF]), (1, dark[BAR])):
        shapes += _tray(n, player)
        shapes += _line(position, player)
    for i, number in enumerate(position.numbers):
        middle = (RIGHT if position.player == 0 else LEFT) + HALF / 2  # at the right hand of the player who threw
        shapes += _die(number, position.player, middle + 46 * (i - (len(position.numbers) - 1) / 2))
    shapes.append(Words(WIDTH - 14, STRIP / 2, position.game.name, 15, INK, "end"))
    return shapes


def _centre(point: int) -> float:
    """Middle of a point of player 0."""
    column = 12 - point if point <= 12 else point - 13
    return LEFT + PITCH * (column + 0.5) + (BAR_WIDTH if column >= 6 else 0)


def _board(mover: int) -> Iterator[Shape]:
    yield Box(12, STRIP, WIDTH - 24, HEIGHT - 2 * STRIP, FRAME, radius=10)
    for half in (LEFT, RIGHT):
        yield Box(half, TOP, HALF, BOTTOM - TOP, FIELD)
    for y in (TOP, CENTRE + 8):
        yield Box(OFF_LEFT, y, TRAY_WIDTH, (BOTTOM - TOP) / 2 - 8, TRAY, radius=4)
    for point in range(1, BAR):
        x, number = _centre(point), point if mover == 0 else BAR - point
        base, tip, label = (TOP, TOP + DEEP, TOP - RIM / 2) if point > 12 else (BOTTOM, BOTTOM - DEEP, BOTTOM + RIM / 2)
        yield Polygon(((x - PITCH / 2, base), (x + PITCH / 2, base), (x, tip)), POINTS[point % 2])
        yield Words(x, label, str(number), 14, PAPER)


def _stack(n: int, player: int, x: float, y: float, direction: int) -> Iterator[Shape]:
    """Up to five checkers from (x, y) on, downwards if direction is 1; the last one tells the number of a taller stack."""
    for i in range(min(n, STACK)):
        centre = y + direction * 2 * RADIUS * i
        yield Disc(x, centre, RADIUS - 1, COLOURS[player], EDGES[player])
        yield Disc(x, centre, RADIUS - 6, COLOURS[player], RINGS[player])
    if n > STACK:
        yield Words(x, y + direction * 2 * RADIUS * (STACK - 1), str(n), 19, COLOURS[1 - player])


def _tray(n: int, player: int) -> Iterator[Shape]:
    """Checkers borne off, lying on their sides, and their number."""
    slab = (DEEP - 8) / 15
    for i in range(n):
        y = BOTTOM - 4 - slab * (i + 1) if player == 0 else TOP + 4 + slab * i
        yield Box(OFF_LEFT + 5, y, TRAY_WIDTH - 10, slab - 1.5, COLOURS[player], EDGES[player], 2)
    yield Words(OFF_LEFT + TRAY_WIDTH / 2, CENTRE + (24 if player == 0 else -24), f"{n} off", 14, PAPER)


def _line(position: "Position", player: int) -> Iterator[Shape]:
    """Who the player is, his pips, and in red what he has to do; an arrow points at the one who acts."""
    y = HEIGHT - STRIP / 2 if player == 0 else STRIP / 2
    text = status(position, player)
    if text:
        yield Polygon(((14, y - 9), (14, y + 9), (27, y)), "#c0392b")
    yield Disc(46, y, 12, COLOURS[player], EDGES[player])
    yield Words(66, y, f"player {player} ({MARKS[player]}), pips {pips(position, player)}", 16, INK, "start")
    yield Words(280, y, text, 18, "#a8281b", "start")


def _die(number: int, player: int, x: float) -> Iterator[Shape]:
    yield Box(x - 18, CENTRE - 18, 36, 36, COLOURS[player], EDGES[player], 7)
    for spot in map(int, PIPS[number]):
        yield Disc(x + 10 * (spot % 3 - 1), CENTRE + 10 * (spot // 3 - 1), 3.4, COLOURS[1 - player])
