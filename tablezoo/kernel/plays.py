"""The one door to the rules: nodes, plays, steps and results, on board rows."""

import numpy as np

from tablezoo.kernel.bits import ONE, ZERO, U
from tablezoo.kernel.board import AGAIN, FREED, KEPT, KEPT_POINTS, NUMBERS, ROW, TURN, Board, Row, Rows, faces, planes, put, put_row
from tablezoo.kernel.cross_plays import cross_plays
from tablezoo.kernel.jit import helper, kernel
from tablezoo.kernel.nodes import CROSS, TRACK, UNSTACK, WIDE, followed, is_roll, outcome, rolled_word, throw_of, turned
from tablezoo.kernel.track import best_worth, borne_off, emit, kept_points, line_worth, lone_bit, moved, rest_worth, sources, track_plays, turn_of, without
from tablezoo.kernel.unstack import unstack_plays, unstack_sources, unstack_step
from tablezoo.kernel.wide_plays import wide_plays
from tablezoo.kernel.wide_steps import SEARCH_ROWS, wide_step, wide_steps
from tablezoo.rules import FORCED_USE, HIT_AND_RUN, Rules

MAX_PLAYS = 4096
"""Rows of a play buffer (`tablezoo.position.Game.max_plays`)."""


@helper
def plays(rules: Rules, row: Row, out: Rows, work: Rows) -> U:
    """Write every distinct result of a play node to `out`, and return their number.

    A result is the board as the mover sees it and the turn word of the node that follows (`nodes.followed`). A pass is a play:
    the count is at least 1. `out` and `work` have MAX_PLAYS rows; on a cross, column 0 of `work` gets the codes of the decisions.

    Raises:
        OverflowError: the buffer is too small.
    """
    board, word = planes(row), row[TURN]
    if rules.kind == TRACK:
        n = track_plays(rules, board, word, out, work)
        if n == ZERO:
            n = emit(out, n, board, ZERO)
    else:
        n = other_plays(rules, board, word, out, work)
    if n > U(out.shape[0]):
        raise OverflowError("more plays than rows in the buffer")
    return n


@helper
def other_plays(rules: Rules, board: Board, word: U, out: Rows, work: Rows) -> U:
    """`plays` of the other kinds."""
    if rules.kind == CROSS:
        return cross_plays(rules, board, word, out, work)
    if rules.kind == UNSTACK:
        return unstack_plays(rules, board, word, out, work)
    return wide_plays(rules, board, word, out, work)


@kernel
def all_plays(rules: Rules, row: Row, out: Rows, work: Rows) -> U:
    """`plays` for callers in Python."""
    return plays(rules, row, out, work)


@kernel
def turn_rows(rules: Rules, rows: Rows) -> None:
    """Turn rows to the other player's view, in place; turn words are kept."""
    for i in range(rows.shape[0]):
        put(rows, U(i), turned(rules, planes(rows[i])), rows[i, TURN])


@kernel
def follow(rules: Rules, result: Row, out: Row) -> None:
    """The node after a play, from its result: seen by whoever acts there, marked `AGAIN` if that is the player who made it."""
    board, word = followed(rules, planes(result), result[TURN])
    put_row(out, board, word)


@kernel
def points(rules: Rules, row: Row) -> int:
    """Points of the player who made the last play, given the node after it as the other player sees it, or `GOES_ON`."""
    board, word = followed(rules, planes(row), row[TURN] & ~AGAIN)  # following twice is going back
    return int(outcome(rules, board, word))


@helper
def first_steps(rules: Rules, row: Row, mask: Row, work: Rows) -> None:
    """`steps` with a buffer of SEARCH_ROWS rows."""
    board, word = planes(row), row[TURN]
    if rules.kind == UNSTACK:
        for face in range(1, 7):
            mask[face] = unstack_sources(rules, board, word, U(face))
    elif rules.kind == WIDE:
        wide_steps(rules, board, word, mask, work)
    else:
        track_steps(rules, board, word, mask)


@kernel
def steps(rules: Rules, row: Row, mask: Row) -> None:
    """Single-checker steps that begin a legal play: bit p of `mask[d]` (shape (7,)) for number d from place p; not on a cross."""
    first_steps(rules, row, mask, np.empty((SEARCH_ROWS, ROW), np.uint64))


@helper
def track_steps(rules: Rules, board: Board, word: U, mask: Row) -> None:
    """`steps` on a track."""
    turn = turn_of(rules, board, word)
    best = best_worth(rules, turn, board, word)
    for face in range(1, 7):
        number = U(face)
        movable = sources(turn, board, number) if faces(word, number) else ZERO
        mask[number] = ZERO
        while movable:
            source = lone_bit(movable)
            movable ^= source
            if rules.table[FORCED_USE] != ZERO or line_worth(rules, turn, board, word, source, number) == best:
                mask[number] |= source


@helper
def stepped(rules: Rules, row: Row, source: U, number: U, work: Rows) -> tuple[Board, U]:
    """`step` with a buffer of SEARCH_ROWS rows."""
    board, word = planes(row), row[TURN]
    if rules.kind == UNSTACK:
        return unstack_step(rules, board, word, source, number)
    if rules.kind == WIDE:
        return wide_step(rules, board, word, ONE << source, number, work)
    return track_step(rules, board, word, source, number)


@kernel
def step(rules: Rules, row: Row, source: U, number: U, out: Row) -> None:
    """Play one step of the mask of `steps`: `out` is a result, the stage's or, with numbers left, of a part of it."""
    board, word = stepped(rules, row, source, number, np.empty((SEARCH_ROWS, ROW), np.uint64))
    put_row(out, board, word)


@helper
def track_step(rules: Rules, board: Board, word: U, source: U, number: U) -> tuple[Board, U]:
    """`step` on a track."""
    turn = turn_of(rules, board, word)
    after = moved(turn, board, ONE << source, number)
    left = without(word, number) & ~(KEPT_POINTS << KEPT) | (kept_points(turn, after) << KEPT)
    if rules.table[HIT_AND_RUN] != ZERO and turn.guarded == ZERO:
        left |= FREED
    if left & NUMBERS == ZERO or borne_off(after) or rest_worth(rules, turn_of(rules, after, left), after, left) == ZERO:
        return after, ZERO
    return after, left | AGAIN


@kernel
def rolled(rules: Rules, row: Row, thrown: U, out: Row) -> None:
    """The play node after a roll (`dice.die`)."""
    board = planes(row)
    put_row(out, board, rolled_word(rules, board, row[TURN], thrown))


@kernel
def rolls(rules: Rules, row: Row) -> bool:
    """Whether dice are thrown at a node, if the game is not over."""
    return is_roll(rules, row[TURN])


@kernel
def throw(rules: Rules, row: Row) -> int:
    """What is thrown at a roll node: `nodes.TWO_DICE`, `ROLL_OFF`, `ONE_DIE`, `DIFFERENCE` or `THREE_DICE`."""
    return throw_of(rules, row[TURN])
