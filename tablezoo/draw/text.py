"""The board as text, shown from the side of the player to act."""

from typing import TYPE_CHECKING

from tablezoo.kernel.board import BAR, OFF

if TYPE_CHECKING:
    from tablezoo.position import Position

MARKS = "xo"
"""Checkers of player 0 and of player 1, whoever acts."""
HEIGHT = 5
"""Checkers drawn of a stack; a taller one shows its number in place of the fifth."""
WIDTH = 3
"""Characters of a point."""


def sides(position: "Position", player: int) -> tuple[list[int], list[int]]:
    """Counts as `Position.counts` gives them, but seen by `player`: his own and his opponent's."""
    own, opponent = position.counts()
    return (own, opponent) if position.player == player else (opponent[::-1], own[::-1])


def pips(position: "Position", player: int) -> int:
    """A player's pip count, whoever acts."""
    return position.pips()[player != position.player]


def status(position: "Position", player: int) -> str:
    """What the player has to do ("to roll", "to play 3 1") or has won ("wins 2 points"); "" while he waits or has lost."""
    if position.outcome is not None:
        return "" if position.player == player else f"wins {position.outcome} point{'s' if position.outcome > 1 else ''}"
    if position.player != player:
        return ""
    return f"to play {' '.join(map(str, position.numbers))}" if position.numbers else "to roll"


def _cell(n: int, mark: str, level: int) -> str:
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
    own, opponent = sides(position, me)

    def line(level: int, left: range, right: range, bar: str) -> str:
        def half(points: range) -> str:
            return "".join(f"{_cell(own[p], MARKS[me], level) or _cell(opponent[p], MARKS[1 - me], level):>{WIDTH}}" for p in points)

        return f"|{half(left)} |{bar:^3}|{half(right)} |"

    def edge(left: range, right: range) -> str:
        def half(points: range) -> str:
            return "".join(f"{p:->{WIDTH}}" for p in points)

        return f"+{half(left)}-+---+{half(right)}-+"

    def label(player: int) -> str:
        mine, _ = sides(position, player)
        return f"{MARKS[player]}  player {player}: off {mine[OFF]}, pips {pips(position, player)}  {status(position, player)}".rstrip()

    inwards = range(HEIGHT)
    # from the middle outwards, so that the checkers on the bar stand together
    upper = [line(level, range(13, 19), range(19, 25), _cell(own[BAR], MARKS[me], HEIGHT - 1 - level)) for level in inwards]
    lower = [line(level, range(12, 6, -1), range(6, 0, -1), _cell(opponent[OFF], MARKS[1 - me], HEIGHT - 1 - level)) for level in reversed(inwards)]
    middle = f"|{'':{6 * WIDTH}} |bar|{'':{6 * WIDTH}} |"
    top = f"{edge(range(13, 19), range(19, 25))}  {label(1 - me)}"
    bottom = f"{edge(range(12, 6, -1), range(6, 0, -1))}  {label(me)}"
    return "\n".join((position.game.name, top, *upper, middle, *lower, bottom))
