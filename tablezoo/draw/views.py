"""What drawings show of a position, by player and not by who acts: text and picture of a game are drawn from the same view."""

from dataclasses import dataclass
from typing import TYPE_CHECKING, Protocol, cast

import numpy as np
from numpy.typing import NDArray

from tablezoo.games.crosses import CrossBoard
from tablezoo.kernel.board import BAR, CHOOSE, OFF, TURN
from tablezoo.kernel.chain import GIFT, MORE, THROW
from tablezoo.kernel.cross import CREDITS, ENTER, FIELD, PENDING, REROLL, SPENT, USES
from tablezoo.kernel.unstack import LAPS, LYING

if TYPE_CHECKING:
    from tablezoo.notation.text import Form, Sides
    from tablezoo.position import Game, Position

Row = NDArray[np.uint64]
MARKS = "xo"
"""Checkers of player 0 and of player 1, whoever acts; on a cross those of the two sides."""


@dataclass(frozen=True)
class Stack:
    """Checkers on a point."""

    n: int
    player: int
    pins: bool = False
    """Whether a checker of the other player lies under them."""


@dataclass(frozen=True)
class Track:
    """A board of points as a viewer numbers them; pairs are by player."""

    stacks: dict[int, Stack]
    """By point, the empty ones left out."""
    numbers: dict[int, int]
    """What the player to act calls each point."""
    hands: tuple[int, int]
    bar: tuple[int, int]
    off: tuple[int, int]
    pips: tuple[int, int]
    has_hands: bool
    """Whether checkers may be in hand in this game."""
    has_bar: bool
    """Whether checkers are sent to the bar in this game."""
    same_way: bool
    """Whether both players move the same way round."""
    ends: tuple[int, int]
    """The highest and the lowest point of the viewer's opponent, from and to which he moves."""
    heads: bool
    """Whether all checkers of a player begin on his highest point, the head."""


class _TrackNotation(Protocol):
    """What `tablezoo.notation.track` knows of a game and reads off a row."""

    def form_of(self, game: "Game") -> "Form": ...
    def sides_of(self, row: Row) -> "Sides": ...
    def across(self, game: "Game", point: int) -> int: ...


def track(position: "Position", viewer: int) -> Track:
    """The board of a track game as a player numbers its points, whoever acts."""
    game, mover = position.game, position.player
    notation = cast(_TrackNotation, game.notation)
    form, sides = notation.form_of(game), notation.sides_of(position.row)
    last = form.points
    across = {point: notation.across(game, point) for point in range(1, last + 1)}
    numbers = {point: point if viewer == mover else across[point] for point in across}
    stacks = {point: _stack(sides, number, mover) for point, number in numbers.items() if sides.own[number] or sides.opponent[number]}
    return Track(
        stacks=stacks,
        numbers=numbers,
        hands=_by_player(position, *sides.hands),
        bar=_by_player(position, sides.own[BAR], sides.opponent[OFF]),
        off=_by_player(position, sides.own[OFF], sides.opponent[BAR]),
        pips=_by_player(position, *position.pips()),
        has_hands=form.hands,
        has_bar=form.bars,
        same_way=across[1] < across[2],
        ends=(across[last], across[1]),
        heads=[point for point, _ in game.spec.start] == [last] and not game.spec.hand,
    )


def _stack(sides: "Sides", point: int, mover: int) -> Stack:
    """What stands on a point that is not empty; points are those of the player to act."""
    own, opponent = sides.own[point], sides.opponent[point]
    mine = not opponent or point in sides.pinned[1]
    return Stack(own if mine else opponent, mover if mine else 1 - mover, bool(own and opponent))


def _by_player(position: "Position", mine: int, his: int) -> tuple[int, int]:
    """What belongs to the player to act and to his opponent, player 0's first."""
    return (mine, his) if position.player == 0 else (his, mine)


@dataclass(frozen=True)
class Chain:
    """What the numbers left on a track bring if all are played, and whose they were."""

    more: bool
    """Further numbers."""
    throw: bool
    """Another throw, after those if there are any."""
    choose: bool
    """The choice of a double; without numbers it is due."""
    gift: bool
    """Whether the opponent left them."""


def chain(position: "Position") -> Chain:
    """The stage of the player to act."""
    word = int(position.row[TURN])
    more, throw, choose, gift = (bool(word & int(mark)) for mark in (MORE, THROW, CHOOSE, GIFT))
    return Chain(more, throw, choose, gift)


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
