"""The one door to the rules: nodes, plays, steps and results, on board rows."""

import numpy as np

from tablezoo.kernel.bits import ONE, TOP, ZERO, U, leading, lowest
from tablezoo.kernel.board import (
    FACE_BITS,
    NUMBERS,
    OFF,
    OPENING,
    SHIFT,
    TURN,
    Board,
    Row,
    Rows,
    count,
    faces,
    occupied,
    planes,
    put,
    put_row,
    turned,
)
from tablezoo.kernel.dice import numbers
from tablezoo.kernel.jit import helper, kernel
from tablezoo.kernel.track import blots, borne_off, emit, moved, open_points, sources, track_plays
from tablezoo.rules import Rules

MAX_PLAYS = 2560
"""Rows of a play buffer. The most plays known are 2,220 (backgammon, 15 blots against 1, roll 1-1)."""

HOME_AND_BAR = U(0x7F) << SHIFT
"""The opponent's checkers on his bar or in the home board of the player to act."""


@helper
def plays(rules: Rules, row: Row, out: Rows, work: Rows) -> U:
    """Write every distinct result of a play node to `out`, as the mover sees it, and return their number.

    A pass is a play: the count is at least 1. `out` and `work` have MAX_PLAYS rows.

    Raises:
        OverflowError: the buffer is too small.
    """
    board = planes(row)
    n = track_plays(rules, board, row[TURN] & NUMBERS, out, work)
    if n == ZERO:
        n = emit(out, n, board, ZERO)
    if n > U(out.shape[0]):
        raise OverflowError("more plays than rows in the buffer")
    return n


@kernel
def all_plays(rules: Rules, row: Row, out: Rows, work: Rows) -> U:
    """`plays` for callers in Python."""
    return plays(rules, row, out, work)


@helper
def points_won(rules: Rules, board: Board) -> U:
    """Points of the player to act if he has borne off all his checkers, else 0."""
    if count(board, U(OFF)) != rules.checkers:
        return ZERO
    if count(board, TOP) != ZERO or rules.scoring == ONE:
        return ONE
    if occupied(board) & HOME_AND_BAR == ZERO or rules.scoring == U(2):
        return U(2)
    return U(3)


@kernel
def turn_rows(rows: Rows) -> None:
    """Turn rows to the other player's view, in place; turn words are kept."""
    for i in range(rows.shape[0]):
        put(rows, U(i), turned(planes(rows[i])), rows[i, TURN])


@kernel
def points(rules: Rules, row: Row) -> int:
    """Points of the player who made the last play if the game is over, else 0; the row is the other player's view."""
    return int(np.int64(points_won(rules, turned(planes(row)))))


@helper
def most(board: Board, turn: U) -> U:
    """How many of the numbers in the turn word can be played at most; the end of the game counts as all."""
    free = open_points(board)
    small = lowest(turn) // U(FACE_BITS) + ONE
    small_left = faces(turn, small)
    others = turn & ~(U(7) << (U(FACE_BITS) * (small - ONE)))
    if others == ZERO:
        used = ZERO
        movable = sources(board, free, small)
        while movable and used < small_left:  # the highest first: it can only open the way for others
            board = moved(board, ONE << (TOP - leading(movable)), small, blots(board, free))
            used += ONE
            movable = sources(board, free, small)
        return used
    large = lowest(others) // U(FACE_BITS) + ONE
    used = ZERO
    for order in range(2):
        first, second = (small, large) if order else (large, small)
        movable = sources(board, free, first)
        while movable:
            used = max(used, ONE)
            after = moved(board, movable & (~movable + ONE), first, blots(board, free))
            if borne_off(after) or sources(after, free, second):
                return U(2)
            movable &= movable - ONE
    return used


@kernel
def steps(rules: Rules, row: Row, mask: Row) -> None:
    """Single-checker steps that begin a legal play: bit p of `mask[d]` (shape (7,)) for number d from place p."""
    board = planes(row)
    turn = row[TURN] & NUMBERS
    free = open_points(board)
    best = most(board, turn)
    for face in range(1, 7):
        number = U(face)
        mask[number] = ZERO
        movable = sources(board, free, number) if faces(turn, number) else ZERO
        while movable:
            source = movable & (~movable + ONE)
            movable ^= source
            after = moved(board, source, number, blots(board, free))
            left = turn - (ONE << (U(FACE_BITS) * (number - ONE)))
            if rules.forced_use != ZERO or left == ZERO or ONE + most(after, left) >= best or points_won(rules, after):
                mask[number] |= source
    if rules.forced_use == ZERO and rules.larger_die != ZERO and best == ONE:
        for smaller in range(1, 6):
            for larger in range(smaller + 1, 7):
                if mask[larger]:
                    mask[smaller] = ZERO


@kernel
def step(rules: Rules, row: Row, source: U, number: U, out: Row) -> None:
    """Play one step of the mask of `steps`: `out` is the same player's node with the numbers left, or the other's next roll."""
    board = planes(row)
    after = moved(board, ONE << source, number, blots(board, open_points(board)))
    left = (row[TURN] & NUMBERS) - (ONE << (U(FACE_BITS) * (number - ONE)))
    over = points_won(rules, after) != ZERO
    if left != ZERO and not over and most(after, left) == ZERO:
        left = ZERO
    if left == ZERO or over:
        put_row(out, turned(after), ZERO)
    else:
        put_row(out, after, left)


@kernel
def rolled(rules: Rules, row: Row, first: U, second: U, out: Row) -> None:
    """The play node after a roll."""
    put_row(out, planes(row), numbers(first, second, U(4)))


@helper
def is_opening(row: Row) -> bool:
    """Whether the next roll is the roll-off's, whose dice differ."""
    return bool(row[TURN] & OPENING)
