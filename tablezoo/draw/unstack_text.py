"""The board of an unstacking game as text."""

from typing import TYPE_CHECKING

from tablezoo.draw.track_text import HEIGHT, cell
from tablezoo.draw.views import MARKS, HalfBoard, unstack
from tablezoo.draw.words import PHASES, label

if TYPE_CHECKING:
    from tablezoo.position import Position

POINTS = range(6, 0, -1)
WIDTH = 4
"""Characters of a point."""
LYING_LEVEL = 2
"""Where the man lies who stood on the second level: until all are up again, none stand higher."""


def draw(position: "Position") -> str:
    """Both players' points, each in his own numbering: player 0's at the bottom, player 1's at the top, whoever acts.

    A man who lies is written `_x_`, next to those who stand on his point.
    """
    boards = unstack(position)

    def lines(player: int) -> list[str]:
        """From the edge to the middle."""
        rows = ["".join(f"{_place(boards[player], point, MARKS[player], level):^{WIDTH}}" for point in POINTS) for level in range(HEIGHT)]
        return [f"| {row} |" for row in rows]

    def edge(player: int) -> str:
        numbers = "".join(f"{point:-^{WIDTH}}" for point in POINTS)
        return f"+-{numbers}-+  {label(position, player, f'off {boards[player].off}, {PHASES[boards[player].phase]}')}"

    middle = f"| {'':{WIDTH * len(POINTS)}} |"
    return "\n".join((position.game.name, edge(1), *lines(1), middle, *reversed(lines(0)), edge(0)))


def _place(board: HalfBoard, point: int, mark: str, level: int) -> str:
    if level == LYING_LEVEL and board.lying[point]:
        return f"_{mark}_"
    return cell(board.standing[point], mark, level)
