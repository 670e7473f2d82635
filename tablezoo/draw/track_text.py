"""The board of a track game as text, shown from the side of the player to act."""

from collections.abc import Iterator
from typing import TYPE_CHECKING, TypeAlias

from tablezoo.draw.views import MARKS, Stack, Track, track
from tablezoo.draw.words import label

if TYPE_CHECKING:
    from tablezoo.position import Position

Line: TypeAlias = tuple[range, ...]
"""Points from left to right, in halves if the bar is between them."""

HEIGHT = 5
"""Checkers drawn of a stack; a taller one shows its number in place of the fifth."""
WIDTH = 3
"""Characters of a point."""
UPPER: Line = (range(13, 19), range(19, 25))
LOWER: Line = (range(12, 6, -1), range(6, 0, -1))
SIX: Line = (range(6, 0, -1),)
"""A board of six points."""


def cell(n: int, mark: str, level: int, height: int = HEIGHT) -> str:
    """What a stack of n checkers shows at a level, 0 at the edge of the board, if it may be so high."""
    if level == height - 1 and n > height:
        return str(n)
    return mark if level < n else ""


def draw(position: "Position") -> str:
    """The board a person reads at a glance, ten lines of checkers high.

    Points carry the numbers of the player to act, who moves from 24 (top right) to 1 (bottom right) and sits at the
    bottom. Player 0 is `x` and player 1 is `o`, whoever acts. On the bar his checkers stand in the upper half, where
    they enter, and the opponent's in the lower; stacks above five show their number, and those with a pinned checker
    below them begin with its letter in upper case. A board of six points is one row of them, as high as the game's stacks.
    """
    me, name = position.player, position.game.name
    board = track(position, me)
    top, bottom = (f"  {_about(position, board, player)}" for player in (1 - me, me))
    if len(board.numbers) == 6:
        levels = 1 if position.game.options["stack_limit"] == "1" else HEIGHT
        rows = [_level(board, SIX, level) for level in reversed(range(levels))]
        return "\n".join((name, _edge(board, SIX) + top, *rows, _edge(board, SIX) + bottom, *_notes(board, me)))
    upper = [_level(board, UPPER, level, _bar(board, me, level)) for level in range(HEIGHT)]
    lower = [_level(board, LOWER, level, _bar(board, 1 - me, level)) for level in reversed(range(HEIGHT))]
    middle = _row([" " * 6 * WIDTH] * 2, "bar" if board.has_bar else "")
    return "\n".join((name, _edge(board, UPPER) + top, *upper, middle, *lower, _edge(board, LOWER) + bottom, *_notes(board, me)))


def _row(halves: list[str], bar: str) -> str:
    return f"|{f' |{bar:^3}|'.join(halves)} |"


def _edge(board: Track, line: Line) -> str:
    halves = ["".join(f"{board.numbers[point]:->{WIDTH}}" for point in half) for half in line]
    return f"+{'-+---+'.join(halves)}-+"


def _level(board: Track, line: Line, level: int, bar: str = "") -> str:
    """What the points of a line show at a level."""
    return _row(["".join(f"{_cell(board.stacks.get(point), level):>{WIDTH}}" for point in half) for half in line], bar)


def _cell(stack: Stack | None, level: int) -> str:
    if stack is None:
        return ""
    mark = MARKS[stack.player]
    if not stack.pins:
        return cell(stack.n, mark, level)
    return cell(stack.n, mark, level - 1, HEIGHT - 1) if level else _pinned(1 - stack.player)


def _pinned(player: int) -> str:
    """A pinned checker of a player."""
    return MARKS[player].upper()


def _bar(board: Track, player: int, level: int) -> str:
    return cell(board.bar[player], MARKS[player], HEIGHT - 1 - level)  # from the middle outwards, so that both sides' stand together


def _about(position: "Position", board: Track, player: int) -> str:
    hand = f"hand {board.hands[player]}, " if board.has_hands else ""
    return label(position, player, f"{hand}off {board.off[player]}, pips {board.pips[player]}")


def _notes(board: Track, me: int) -> Iterator[str]:
    """Who moves which way, unless it is backgammon's, and who is pinned."""
    if board.same_way or not board.has_bar:
        way = "the same way round" if board.same_way else "the opposite way"
        yield f"{MARKS[me]} moves {len(board.numbers)} > 1, {MARKS[1 - me]} {way} from {board.ends[0]}"
    pinned = {player: [str(point) for point, stack in sorted(board.stacks.items(), reverse=True) if stack.pins and stack.player != player] for player in (0, 1)}
    if any(pinned.values()):
        yield "pinned: " + "; ".join(f"{_pinned(player)} on {', '.join(points)}" for player, points in pinned.items() if points)
