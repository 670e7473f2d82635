"""The board row: four bit planes and the turn word.

A row is `uint64[ROW]`. Bit b of planes 0 to 3 spells the number (0 to 15) at place b, seen by the
player to act. In the track games that is the number of checkers:

    bit  0      own checkers borne off          bit 38      the opponent's checkers on the bar
    bit  1..24  own checkers on points 1..24    bit 39..62  the opponent's checkers on points 1..24
    bit 25      own checkers on the bar         bit 63      the opponent's checkers borne off

Points are always the numbers of the player to act, who moves from 24 to 1. Reversing the bits
of every plane turns the board to the opponent's view, for contrary movement.
`tablezoo.kernel.unstack` and `tablezoo.kernel.cross` say what the places of their games are.

The turn word holds the numbers left to play, three bits for each face of the die (how often it
may still be played), the mark of the opening roll, and what else the rules remember within a turn.
It is 0 at an ordinary roll node.
Equal rows are equal states, but for `AGAIN`.
"""

from typing import TypeAlias

import numpy as np
from numpy.typing import NDArray

from tablezoo.kernel.bits import ONE, U, reverse
from tablezoo.kernel.jit import helper

ROW = 5
TURN = 4
OFF = 0
BAR = 25
OPPONENT = 38
"""Bit of the opponent's checkers on point p is OPPONENT + p; his bar is p = 0, his borne-off p = 25."""

SHIFT = U(OPPONENT)
POINTS = U(0x1FFFFFE)
OWN = U(0x3FFFFFE)
"""Own checkers in play: the points and the bar."""
OUTSIDE = U(0x3FFFF80)
"""Own checkers in play outside the home board: points 7 to 24 and the bar."""
HIT = ONE << SHIFT

FACE_BITS = 3
NUMBERS = U((1 << 18) - 1)
OPENING = U(1 << 18)
"""Turn-word mark of the roll node that opens a game whose starter plays the roll-off's dice."""
KEPT = U(18)
"""Shift of the turn word's mask of points 1 to 6 that must keep a checker until the end of the turn (`hit_and_run`)."""
KEPT_POINTS = U(0x7E)
FREED = U(1 << 26)
"""Turn-word mark of a turn in which hitters may run, because numbers would be wasted (`hit_and_run` unless_wasted)."""
THRIFTY = U(1 << 25)
"""Turn-word mark of a turn in which `waste_pips` holds."""

CHOOSE = U(1 << 29)
"""Turn-word mark of a stage after which a double is chosen, and of the node where it is (`tablezoo.kernel.chain`)."""

AGAIN = U(1 << 63)
"""Turn-word mark of a play's result, and of the node that follows it: the player who made the play acts there too."""

GOES_ON = np.int64(-128)
"""Outcome of a game that is not over."""

Board: TypeAlias = tuple[U, U, U, U]
"""The four planes as kernels pass them."""
Row: TypeAlias = NDArray[U]
"""Shape (ROW,)."""
Rows: TypeAlias = NDArray[U]
"""Shape (n, ROW), contiguous."""


@helper
def count(board: Board, bit: U) -> U:
    """Number of checkers at a place."""
    a, b, c, d = board
    return ((a >> bit) & ONE) | (((b >> bit) & ONE) << ONE) | (((c >> bit) & ONE) << U(2)) | (((d >> bit) & ONE) << U(3))


@helper
def add(board: Board, places: U) -> Board:
    """One checker more at each place of the mask (at most 15)."""
    a, b, c, d = board
    a ^= places
    carry = places & ~a
    b ^= carry
    carry &= ~b
    c ^= carry
    carry &= ~c
    return a, b, c, d ^ carry


@helper
def remove(board: Board, places: U) -> Board:
    """One checker less at each place of the mask (at least 1 before)."""
    a, b, c, d = board
    a ^= places
    borrow = places & a
    b ^= borrow
    borrow &= b
    c ^= borrow
    borrow &= c
    return a, b, c, d ^ borrow


@helper
def occupied(board: Board) -> U:
    """Mask of places with a checker."""
    a, b, c, d = board
    return a | b | c | d


@helper
def reversed_board(board: Board) -> Board:
    """The board with its places in the opposite order."""
    a, b, c, d = board
    return reverse(a), reverse(b), reverse(c), reverse(d)


@helper
def planes(row: Row) -> Board:
    """The four planes of a row."""
    return row[0], row[1], row[2], row[3]


@helper
def put(out: Rows, index: U, board: Board, turn: U) -> None:
    """Write board and turn word as row `index`."""
    out[index, 0], out[index, 1], out[index, 2], out[index, 3] = board
    out[index, 4] = turn


@helper
def put_row(out: Row, board: Board, turn: U) -> None:
    """Write board and turn word to a single row."""
    out[0], out[1], out[2], out[3] = board
    out[4] = turn


@helper
def faces(turn: U, face: U) -> U:
    """How often a number may still be played."""
    return (turn >> (U(FACE_BITS) * (face - ONE))) & U(7)
