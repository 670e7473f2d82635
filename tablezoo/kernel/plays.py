"""The one door to the rules: nodes, plays, steps and results, on board rows."""

import numpy as np

from tablezoo.kernel.bits import ONE, TOP, ZERO, U
from tablezoo.kernel.board import (
    FREED,
    KEPT,
    KEPT_POINTS,
    NUMBERS,
    OFF,
    OPENING,
    OUTSIDE,
    OWN,
    SHIFT,
    THRIFTY,
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
from tablezoo.kernel.track import (
    best_worth,
    borne_off,
    emit,
    kept_points,
    line_worth,
    lone_bit,
    moved,
    rest_worth,
    sources,
    track_plays,
    turn_of,
    without,
)
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
    n = track_plays(rules, board, row[TURN], out, work)
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


@kernel
def steps(rules: Rules, row: Row, mask: Row) -> None:
    """Single-checker steps that begin a legal play: bit p of `mask[d]` (shape (7,)) for number d from place p."""
    board, word = planes(row), row[TURN]
    turn = turn_of(rules, board, word)
    best = best_worth(rules, turn, board, word)
    for face in range(1, 7):
        number = U(face)
        movable = sources(turn, board, number) if faces(word, number) else ZERO
        mask[number] = ZERO
        while movable:
            source = lone_bit(movable)
            movable ^= source
            if rules.forced_use != ZERO or line_worth(rules, turn, board, word, source, number) == best:
                mask[number] |= source


@kernel
def step(rules: Rules, row: Row, source: U, number: U, out: Row) -> None:
    """Play one step of the mask of `steps`: `out` is the same player's node with the numbers left, or the other's next roll."""
    board, word = planes(row), row[TURN]
    turn = turn_of(rules, board, word)
    after = moved(turn, board, ONE << source, number)
    left = without(word, number) & ~(KEPT_POINTS << KEPT) | (kept_points(turn, after) << KEPT)
    if rules.hit_and_run != ZERO and turn.guarded == ZERO:
        left |= FREED
    if left & NUMBERS == ZERO or borne_off(after) or rest_worth(rules, turn_of(rules, after, left), after, left) == ZERO:
        put_row(out, turned(after), ZERO)
    else:
        put_row(out, after, left)


@kernel
def rolled(rules: Rules, row: Row, first: U, second: U, out: Row) -> None:
    """The play node after a roll."""
    board = planes(row)
    put_row(out, board, roll_word(rules, board, first, second))


@helper
def roll_word(rules: Rules, board: Board, first: U, second: U) -> U:
    """The turn word after a roll."""
    word = numbers(first, second, U(4))
    all_home = occupied(board) & OWN & OUTSIDE == ZERO
    if rules.waste_pips != ZERO and first != second and (all_home or rules.waste_scope != ZERO):
        word |= THRIFTY
    return word


@helper
def is_opening(row: Row) -> bool:
    """Whether the next roll is the roll-off's, whose dice differ."""
    return bool(row[TURN] & OPENING)
