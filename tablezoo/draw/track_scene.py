"""The picture of a track game. The numbers beside the points are those of the player to act, as in the text of his plays."""

from collections.abc import Iterator
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from tablezoo.draw import look
from tablezoo.draw.shapes import Box, Disc, Picture, Shape, Words
from tablezoo.draw.track_text import HEIGHT
from tablezoo.draw.views import Track, track

if TYPE_CHECKING:
    from tablezoo.position import Position

BAR_WIDTH = 50
EDGE = look.MARGIN + look.RIM / 2
"""Width of the paper's and the board's edge."""
HEAD = 11
"""Radius of the mark around the number of a head."""


@dataclass(frozen=True)
class Ground:
    """Where the points are: on two halves a row at the top and one at the bottom, on one half a row at the bottom."""

    halves: int
    pitch: float
    """Width of a point."""
    bottom: float
    dice: float
    """Height at which they lie."""
    left: float = look.MARGIN + look.RIM

    @property
    def half(self) -> float:
        """Width of six points."""
        return 6 * self.pitch

    @property
    def fields(self) -> list[float]:
        """Left edges of the halves."""
        return [self.left + i * (self.half + BAR_WIDTH) for i in range(self.halves)]

    @property
    def right(self) -> float:
        """Edge of the last half."""
        return self.fields[-1] + self.half

    @property
    def middle(self) -> float:
        """Between left and right."""
        return (self.left + self.right) / 2

    def place(self, point: int) -> tuple[float, float, int]:
        """Middle x of a point of player 0, its base, and 1 if its stack grows downwards from there, else -1."""
        row = 6 * self.halves
        column = row - point if point <= row else point - row - 1
        x = self.fields[column // 6] + self.pitch * (column % 6 + 0.5)
        return (x, look.TOP, 1) if point > row else (x, self.bottom, -1)

    def side(self, point: int) -> int:
        """-1 if a point is in the left half of its row, else 1."""
        return -1 if self.place(point)[0] < self.middle else 1

    def beside(self, side: int) -> float:
        """Left edge of the trays on a side."""
        return EDGE if side < 0 else self.right + look.RIM / 2


WIDE = Ground(2, 46, look.BOTTOM, look.CENTRE)
SMALL = Ground(1, 62, look.TOP + 320, look.TOP + 60)
"""Of six points."""


def scene(position: "Position") -> Picture:
    """Player 0 bears off at the bottom right, player 1 at the top, on the side where his way ends; hands are on the other side."""
    board, mover = track(position, 0), position.player
    ground = _ground(board)
    width = ground.beside(1) + look.TRAY_WIDTH + EDGE
    height = ground.bottom + look.RIM + look.STRIP
    middle = ground.fields[-1 if mover == 0 else 0] + ground.half / 2  # at the right hand of the player who threw
    shapes = (
        *look.ground(position, width, height),
        *_points(board, ground),
        *_arrows(board, ground),
        *_checkers(board, ground),
        *_beside(board, ground),
        *look.dice(position.numbers, mover, middle, ground.dice),
        *look.lines(position, height, (f", pips {n}" for n in board.pips)),
    )
    return Picture(width, height, shapes)


def _ground(board: Track) -> Ground:
    ground = WIDE if len(board.numbers) > 6 else SMALL
    if board.has_hands or ground.side(board.ends[1]) < 0:  # room on the left, too
        return replace(ground, left=ground.left + look.TRAY_WIDTH)
    return ground


def _points(board: Track, ground: Ground) -> Iterator[Shape]:
    """The points with their numbers; the number of a head stands on its owner's colour."""
    for field in ground.fields:
        yield Box(field, look.TOP, ground.half, ground.bottom - look.TOP, look.FIELD)
    heads = {len(board.numbers): 0, board.ends[0]: 1} if board.heads else {}
    for point, number in board.numbers.items():
        x, base, direction = ground.place(point)
        y = base - direction * look.RIM / 2
        yield look.triangle(x, base, direction, ground.pitch, look.POINTS[point % 2])
        if point in heads:
            yield Disc(x, y, HEAD, look.COLOURS[heads[point]], look.EDGES[heads[point]])
        yield Words(x, y, str(number), 14, look.COLOURS[1 - heads[point]] if point in heads else look.PAPER)


def _arrows(board: Track, ground: Ground) -> Iterator[Shape]:
    """Which way each player moves along a row, where its rim is free of numbers."""
    top, bottom = look.TOP - look.RIM / 2, ground.bottom + look.RIM / 2
    for y, right in ((top, -1), (bottom, 1)) if ground.halves == 2 else ((top, 1),):
        yield look.arrow(ground.middle, y + 6, right, 0)
        yield look.arrow(ground.middle, y - 6, right if board.same_way else -right, 1)


def _checkers(board: Track, ground: Ground) -> Iterator[Shape]:
    for point, pile in board.stacks.items():
        x, base, direction = ground.place(point)
        y = base + direction * look.RADIUS
        if pile.pins:
            yield from look.pinned(x, y, 1 - pile.player)
            yield from look.stack(pile.n, pile.player, x, y + direction * 2 * look.RADIUS, direction, HEIGHT - 1)
        else:
            yield from look.stack(pile.n, pile.player, x, y, direction)
    for player, direction in ((0, -1), (1, 1)):  # on the bar, from the middle outwards, on the side where they enter unless both enter there
        yield from look.stack(board.bar[player], player, ground.middle, look.CENTRE + direction * (look.GAP / 2 + look.RADIUS), direction)


def _beside(board: Track, ground: Ground) -> Iterator[Shape]:
    """What the players have borne off and in hand."""
    for player, side in ((0, 1), (1, ground.side(board.ends[1]))):
        yield from look.tray(ground.beside(side), board.off[player], player, ground.bottom)
        if board.has_hands:
            yield from look.hand(ground.beside(-side), board.hands[player], player, ground.bottom)
