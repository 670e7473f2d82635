"""What drawings show of a position, by player and not by who acts: text and picture of a game are drawn from the same view."""

from dataclasses import dataclass
from typing import TYPE_CHECKING, Protocol, cast

import numpy as np
from numpy.typing import NDArray

from tablezoo.games.crosses import CrossBoard
from tablezoo.kernel.board import BAR, OFF, TURN
from tablezoo.kernel.cross import CREDITS, ENTER, FIELD, PENDING, REROLL, SPENT, USES
from tablezoo.kernel.unstack import LAPS, LYING

if TYPE_CHECKING:
    from tablezoo.position import Position

Row = NDArray[np.uint64]
MARKS = "xo"
"""Checkers of player 0 and of player 1, whoever acts; on a cross those of the two sides."""


def across(point: int) -> int:
    """A point as the other player numbers it."""
    return BAR - point


@dataclass(frozen=True)
class Stack:
    """Checkers on a point."""

    n: int
    player: int


@dataclass(frozen=True)
class Track:
    """A board of 24 points as a viewer numbers them; pairs are by player."""

    stacks: dict[int, Stack]
    """By point, the empty ones left out."""
    numbers: dict[int, int]
    """What the player to act calls each point."""
    bar: tuple[int, int]
    off: tuple[int, int]
    pips: tuple[int, int]


def track(position: "Position", viewer: int) -> Track:
    """The board of a track game as a player numbers its points, whoever acts."""
    mover = position.player
    own, opponent = position.counts()
    sides = {mover: own, 1 - mover: opponent}
    pips = position.pips()
    numbers = {point: point if viewer == mover else across(point) for point in range(1, BAR)}
    stacks = {point: Stack(sides[player][number], player) for point, number in numbers.items() for player in (0, 1) if sides[player][number]}
    return Track(stacks, numbers, _by_player(position, own[BAR], opponent[OFF]), _by_player(position, own[OFF], opponent[BAR]), _by_player(position, *pips))


def _by_player(position: "Position", mine: int, his: int) -> tuple[int, int]:
    """What belongs to the player to act and to his opponent, player 0's first."""
    return (mine, his) if position.player == 0 else (his, mine)


@dataclass(frozen=True)
class HalfBoard:
    """The six points of a player in an unstacking game, in his own numbering."""

    standing: dict[int, int]
    lying: dict[int, int]
    off: int
    phase: int
    """1: men lie down; 2: they stand up; 3: they are borne off."""


class _UnstackNotation(Protocol):
    """What `tablezoo.notation.unstack` reads off a row."""

    def counts(self, row: Row) -> tuple[list[int], list[int]]: ...


def unstack(position: "Position") -> tuple[HalfBoard, HalfBoard]:
    """The points of player 0 and of player 1."""
    own, opponent = cast(_UnstackNotation, position.game.notation).counts(position.row)
    first, second = (own, opponent) if position.player == 0 else (opponent, own)
    return _half_board(first), _half_board(second)


def _half_board(side: list[int]) -> HalfBoard:
    points = range(1, 7)
    return HalfBoard({p: side[p] for p in points}, {p: side[LYING + p] for p in points}, side[OFF], 3 - side[LAPS])


@dataclass(frozen=True)
class Cross:
    """A cross and its boxes; pairs are by player."""

    pieces: tuple[dict[str, int], dict[str, int]]
    """By space, the empty ones left out."""
    captured: tuple[int, int]
    victory: tuple[int, int]
    sides: tuple[str, str]
    """"x" or "o": whose runes are the player's."""
    doors: dict[str, int]
    """Number of every space that is a door, for either side."""


class _CrossNotation(Protocol):
    """What `tablezoo.notation.cross` reads off a row."""

    def pieces(self, board: CrossBoard, row: Row) -> tuple[dict[str, int], dict[str, int]]: ...
    def boxes(self, row: Row) -> tuple[int, int, int, int]: ...
    def side_of(self, row: Row) -> int: ...


def cross(position: "Position") -> Cross:
    """The board of a game on a cross, which nobody sees from another side."""
    notation = cast(_CrossNotation, position.game.notation)
    own, opponent = notation.pieces(position.game.board, position.row)
    captured, victory, ocaptured, ovictory = notation.boxes(position.row)
    first = notation.side_of(position.row) ^ position.player
    doors = position.game.board.doors(str(position.game.options["numbers"]))
    return Cross(
        (own, opponent) if position.player == 0 else (opponent, own),
        _by_player(position, captured, ocaptured),
        _by_player(position, victory, ovictory),
        (MARKS[first], MARKS[1 - first]),
        {space: number for side in doors.values() for number, spaces in enumerate(side) for space in spaces},
    )


@dataclass(frozen=True)
class CrossTurn:
    """How far a turn on a cross has gone."""

    uses: int
    pending: int
    """Rerolls that may be taken."""
    credits: int
    spent: bool
    """Whether the only score of the turn has been made."""
    enters: bool
    """Whether a captured piece must still be entered."""
    rerolls: bool
    """Whether one die is thrown again next."""


def cross_turn(position: "Position") -> CrossTurn:
    """The turn of the player to act."""
    word = int(position.row[TURN])
    uses, pending, credits = (word >> int(shift) & int(FIELD) for shift in (USES, PENDING, CREDITS))
    spent = credits == int(SPENT)
    return CrossTurn(uses, pending, 0 if spent else credits, spent, bool(word & int(ENTER)), bool(word & int(REROLL)))
