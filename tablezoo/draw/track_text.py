"""The board of a track game as text, shown from the side of the player to act."""

from typing import TYPE_CHECKING

from tablezoo.draw.views import MARKS, Stack, track
from tablezoo.draw.words import label

if TYPE_CHECKING:
    from tablezoo.position import Position

HEIGHT = 5
"""Checkers drawn of a stack; a taller one shows its number in place of the fifth."""
WIDTH = 3
"""Characters of a point."""


def cell(n: int, mark: str, level: int) -> str:
    """What a stack of n checkers shows at a level, 0 at the edge of the board."""
    if level == HEIGHT - 1 and n > HEIGHT:
        return str(n)
    return mark if level < n else ""


def draw(position: "Position") -> str:
    """The board a person reads at a glance, ten lines of checkers high.

    Points carry the numbers of the player to act, who moves from 24 (top right) to 1 (bottom right) and sits at the
    bottom. Player 0 is `x` and player 1 is `o`, whoever acts. Checkers on the bar stand on the side where they
    enter; stacks above five show their number.
    """
    me = position.player
    board = track(position, me)

    def line(level: int, left: range, right: range, bar: str) -> str:
        def half(points: range) -> str:
            stacks = [board.stacks.get(point, Stack(0, me)) for point in points]
            return "".join(f"{cell(stack.n, MARKS[stack.player], level):>{WIDTH}}" for stack in stacks)

        return f"|{half(left)} |{bar:^3}|{half(right)} |"

    def edge(left: range, right: range) -> str:
        def half(points: range) -> str:
            return "".join(f"{board.numbers[point]:->{WIDTH}}" for point in points)

        return f"+{half(left)}-+---+{half(right)}-+"

    def bar(player: int, level: int) -> str:
        return cell(board.bar[player], MARKS[player], HEIGHT - 1 - level)  # from the middle outwards, so that both sides' stand together

    def about(player: int) -> str:
        return label(position, player, f"off {board.off[player]}, pips {board.pips[player]}")

    upper_points, lower_points = (range(13, 19), range(19, 25)), (range(12, 6, -1), range(6, 0, -1))
    upper = [line(level, *upper_points, bar(me, level)) for level in range(HEIGHT)]
    lower = [line(level, *lower_points, bar(1 - me, level)) for level in reversed(range(HEIGHT))]
    middle = f"|{'':{6 * WIDTH}} |bar|{'':{6 * WIDTH}} |"
    return "\n".join((position.game.name, f"{edge(*upper_points)}  {about(1 - me)}", *upper, middle, *lower, f"{edge(*lower_points)}  {about(me)}"))
