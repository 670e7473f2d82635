"""The board of a game on a cross as text."""

from typing import TYPE_CHECKING, TypeAlias

from tablezoo.draw.views import cross
from tablezoo.draw.words import label
from tablezoo.kernel.cross import WINS

if TYPE_CHECKING:
    from tablezoo.position import Position

Spot: TypeAlias = tuple[int, int]
"""Column and line of a sheet."""

ACROSS, DOWN = 8, 3
"""Characters and lines between neighbours on a bar."""
HOLDS = {"x": "){}(", "o": "({})", "": "[{}]"}
"""A space by its rune: the brackets look like it."""
LEGEND = (
    ")  ( rune of x   (  ) rune of o   [  ] no rune",
    "=n  door for n, an end only with one's own rune",
    "the circle goes one way: N to W to S to E",
)


class Sheet:
    """A grid of characters, written at (column, line), (0, 0) in the middle."""

    def __init__(self, columns: int, lines: int) -> None:
        """Room for texts up to so many columns and lines from the middle, and for the names that hang over."""
        self.middle = (columns + 2, lines)
        self.lines = [[" "] * (2 * columns + 5) for _ in range(2 * lines + 2)]

    def write(self, column: int, line: int, text: str) -> None:
        """Put text on the sheet, its middle at the column."""
        first = self.middle[0] + column - len(text) // 2
        self.lines[self.middle[1] + line][first : first + len(text)] = text

    def is_blank(self, column: int, line: int) -> bool:
        """Whether nothing is written there or right beside it."""
        first = self.middle[0] + column
        return set(self.lines[self.middle[1] + line][first - 1 : first + 2]) == {" "}

    def __str__(self) -> str:
        return "\n".join("".join(line).rstrip() for line in self.lines)


def draw(position: "Position") -> str:
    """The cross with player 1's line above and player 0's below, whoever acts.

    A space shows its name, `=` and its number if it is a door, and below the pieces in brackets that look like its
    rune. Pieces are marked by side, as runes are.
    """
    view, board = cross(position), position.game.board
    reach = round(max(x for x, _ in board.places.values()))
    sheet = Sheet(reach * ACROSS, reach * DOWN)
    spots = {space: (round(x * ACROSS), round(y * DOWN)) for space, (x, y) in board.places.items()}
    _draw_bars(sheet, reach * ACROSS, reach * DOWN)
    for space, (column, line) in spots.items():
        pieces = "".join(view.sides[player] * view.pieces[player].get(space, 0) for player in (0, 1))
        sheet.write(column, line, f"{space}={view.doors[space]}" if space in view.doors else space)
        sheet.write(column, line + 1, HOLDS[board.runes.get(space, "")].format(f"{pieces:^2}"))
    for start, end in board.edges:
        if board.one_way(start, end):
            _draw_arrow(sheet, spots[start], spots[end])
    first, second = (label(position, player, f"captured {view.captured[player]}, victory {view.victory[player]} of {WINS}") for player in (1, 0))
    return "\n".join((position.game.name, first, "", str(sheet), "", second, *LEGEND))


def _draw_bars(sheet: Sheet, columns: int, lines: int) -> None:
    """Strokes that join the spaces of the two bars, reaching so far from the centre."""
    for column in range(-columns, columns + 1):
        sheet.write(column, 1, "-")
    for line in range(-lines, lines + 1):
        sheet.write(0, line, "|")


def _draw_arrow(sheet: Sheet, start: Spot, end: Spot) -> None:
    """An arrowhead between two neighbours, where there is room."""
    (x, y), (to_x, to_y) = start, end
    arrow = ("<" if to_x < x else ">") if abs(to_x - x) > 2 * abs(to_y - y) else ("v" if to_y > y else "^")
    column, line = (x + to_x) // 2, (y + to_y + 1) // 2
    if sheet.is_blank(column, line):
        sheet.write(column, line, arrow)
