"""The unstacking games: six points a side, men who lie down and stand up again, then a bear-off.

The board is that of the track games: men who are up stand on points 1 to 6. Beside them

    bit 25      laps the player to act has still to do before he bears off: 2 (men lie down), 1 (they stand up), 0
    bit 26..31  men who lie on points 1..6

and the opponent's mirrored, so that reversing the bits turns the board. The sides never meet.
"""

from typing import NamedTuple

import numpy as np

from tablezoo.kernel.bits import ONE, TOP, ZERO, U
from tablezoo.kernel.board import AGAIN, BAR, GOES_ON, NUMBERS, OFF, POINTS, TURN, Board, Rows, add, count, faces, occupied, planes, remove
from tablezoo.kernel.jit import helper
from tablezoo.kernel.track import (
    Turn,
    best_worth,
    borne_off,
    emit,
    largest_number,
    lone_bit,
    moved,
    smallest_number,
    sources,
    steps_worth,
    track_plays,
    without,
)
from tablezoo.rules import BEAR_OFF, CHECKERS, FURTHER, Rules

LAPS = BAR
LYING = 25
"""Bit of the man who lies on point p is LYING + p."""
ALL_LYING = U(0x3F << (LYING + 1))
STARTER = U(1 << 18)
"""Turn-word mark of the player who began, in games that give the other a last turn."""
DOWN, UP = 27, 26
"""Sources of the steps that lay a man down and stand him up."""


class Unstack(NamedTuple):
    """The options of the kind (`tablezoo.rules.CHOICES`)."""

    void_throw: U
    void_rethrow: U
    carry_over: U
    rethrow: U
    sync: U
    equal_turns: U


@helper
def options_of(rules: Rules) -> Unstack:
    """The options from the record's table."""
    t = rules.table
    return Unstack(t[FURTHER], t[FURTHER + 1], t[FURTHER + 2], t[FURTHER + 3], t[FURTHER + 5], t[FURTHER + 6])


@helper
def laps(board: Board) -> U:
    """Laps of the player to act before he bears off."""
    return count(board, U(LAPS))


@helper
def waits(options: Unstack, board: Board) -> bool:
    """Whether he has to wait until the opponent has done as many laps."""
    return bool(options.sync and laps(board) < count(board, TOP - U(LAPS)))


@helper
def can_turn(options: Unstack, board: Board, number: U) -> bool:
    """Whether this number lays a man down, or stands him up, in the lap that goes on."""
    lies = bool((occupied(board) >> (U(LYING) + number)) & ONE)
    return bool(laps(board) != ZERO and not waits(options, board) and lies == (laps(board) == ONE))


@helper
def turn_man(board: Board, number: U) -> Board:
    """The board after the upper man of a point has lain down or stood up; the last one of a lap ends it."""
    point, lying = ONE << number, ONE << (U(LYING) + number)
    if laps(board) == U(2):
        board = add(remove(board, point), lying)
        done = occupied(board) & ALL_LYING == ALL_LYING
    else:
        board = add(remove(board, lying), point)
        done = occupied(board) & ALL_LYING == ZERO
    return remove(board, ONE << U(LAPS)) if done else board


@helper
def bear_off_turn(rules: Rules) -> Turn:
    """What stays the same while men are borne off."""
    return Turn(POINTS, ZERO, ZERO, ZERO, rules.table[BEAR_OFF])


@helper
def is_doublet(word: U) -> bool:
    """Whether one number is left, once or more often."""
    return bool(smallest_number(word) == largest_number(word) and faces(word, smallest_number(word)) > ONE)


@helper
def usable(rules: Rules, options: Unstack, board: Board, word: U) -> U:
    """Most numbers that can be used; a doublet that turns one man counts 1."""
    if word & NUMBERS == ZERO or waits(options, board):
        return ZERO
    if laps(board) == ZERO:
        turn = bear_off_turn(rules)
        if options.rethrow and is_doublet(word):
            return ONE if sources(turn, board, smallest_number(word)) else ZERO
        return steps_worth(best_worth(rules, turn, board, word))
    if is_doublet(word):
        return ONE if can_turn(options, board, smallest_number(word)) else ZERO
    most = ZERO
    for face in range(1, 7):
        number = U(face)
        if faces(word, number) and can_turn(options, board, number):
            most = max(most, ONE + rest_after_turning(rules, options, board, word, number))
    return most


@helper
def rest_after_turning(rules: Rules, options: Unstack, board: Board, word: U, number: U) -> U:
    """Whether the number left, if any, can be used after this one has turned a man."""
    return usable_after_turning(rules, options, turn_man(board, number), laps(board), without(word, number))


@helper
def usable_after_turning(rules: Rules, options: Unstack, board: Board, laps_before: U, word: U) -> U:
    """Whether the number left, if any, can be used after the other has turned a man."""
    if word & NUMBERS == ZERO or (laps(board) != laps_before and not options.carry_over) or waits(options, board):
        return ZERO
    number = smallest_number(word)
    if laps(board) == ZERO:
        return ONE if sources(bear_off_turn(rules), board, number) else ZERO
    return ONE if can_turn(options, board, number) else ZERO


@helper
def word_after_step(rules: Rules, options: Unstack, board: Board, word: U, laps_before: U, left: U) -> U:
    """The turn word that follows a step, as `followed` takes it: numbers are left in it only if one of them can be used.

    Args:
        board: after the step.
        word: of the node before it.
        laps_before: laps before it.
        left: the numbers left.
    """
    lasting = word & STARTER
    if borne_off(board) and laps(board) == ZERO:
        return lasting
    if is_doublet(word) and (laps_before != ZERO or options.rethrow):
        return lasting | AGAIN
    begun = laps_before != ZERO
    more = usable_after_turning(rules, options, board, laps_before, left) if begun else usable(rules, options, board, left)
    return lasting | AGAIN | (left & NUMBERS) if more else lasting


@helper
def void_word(options: Unstack, board: Board, word: U) -> U:
    """The turn word after a throw of which nothing can be used."""
    rethrow = is_doublet(word) and options.void_rethrow and (laps(board) != ZERO or options.rethrow or waits(options, board))
    return (word & STARTER) | (AGAIN if rethrow else ZERO)


@helper
def all_void(rules: Rules, options: Unstack, board: Board, word: U) -> bool:
    """Whether nothing of the numbers left can be used."""
    most = usable(rules, options, board, word)
    whole = smallest_number(word) != largest_number(word)
    return bool(most == ZERO or (options.void_throw and whole and laps(board) != ZERO and most == ONE))


@helper
def unstack_sources(rules: Rules, board: Board, word: U, number: U) -> U:
    """Mask of the sources of steps by a number that begin a play: points, `DOWN` or `UP`."""
    options = options_of(rules)
    if faces(word, number) == ZERO or all_void(rules, options, board, word):
        return ZERO
    best = usable(rules, options, board, word)
    if laps(board) != ZERO:
        if not can_turn(options, board, number):
            return ZERO
        rest = ZERO if is_doublet(word) else rest_after_turning(rules, options, board, word, number)
        return ONE << U(DOWN if laps(board) == U(2) else UP) if ONE + rest == best else ZERO
    turn = bear_off_turn(rules)
    movable = sources(turn, board, number)
    if options.rethrow and is_doublet(word):
        return movable
    begin = ZERO
    while movable:
        source = lone_bit(movable)
        movable ^= source
        after, left = moved(turn, board, source, number), without(word, number)
        if borne_off(after) or ONE + usable(rules, options, after, left) == best:
            begin |= source
    return begin


@helper
def unstack_step(rules: Rules, board: Board, word: U, source: U, number: U) -> tuple[Board, U]:
    """The result of a step: the board, and the turn word as `followed` takes it."""
    options = options_of(rules)
    before = laps(board)
    after = moved(bear_off_turn(rules), board, ONE << source, number) if before == ZERO else turn_man(board, number)
    return after, word_after_step(rules, options, after, word, before, without(word, number))


@helper
def unstack_plays(rules: Rules, board: Board, word: U, out: Rows, work: Rows) -> U:
    """All distinct results of a throw."""
    options = options_of(rules)
    word &= ~AGAIN
    lasting = word & STARTER
    if all_void(rules, options, board, word):
        return emit(out, ZERO, board, void_word(options, board, word))
    if laps(board) == ZERO:
        single = options.rethrow and is_doublet(word)
        left = ONE << (U(3) * (smallest_number(word) - ONE)) if single else word & NUMBERS
        n = track_plays(rules, board, left, out, work)
        for i in range(n):
            out[i, TURN] = lasting | AGAIN if single and not borne_off(planes(out[i])) else lasting
        return n
    best = usable(rules, options, board, word)
    number = smallest_number(word)
    if not can_turn(options, board, number) or (best > ONE and rest_after_turning(rules, options, board, word, number) == ZERO):
        number = largest_number(word)
    after, left = unstack_step(rules, board, word, U(DOWN), number)
    if left & NUMBERS == ZERO:
        return emit(out, ZERO, after, left)
    if laps(after) == ZERO:
        n = track_plays(rules, after, left & NUMBERS, out, work)
        for i in range(n):
            out[i, TURN] = lasting
        return n
    after, left = unstack_step(rules, after, left, U(DOWN), smallest_number(left))
    return emit(out, ZERO, after, left)


@helper
def unstack_outcome(rules: Rules, board: Board, word: U) -> np.int64:
    """Points of the player who made a play, given its result, or `GOES_ON`."""
    mine = count(board, U(OFF)) == rules.table[CHECKERS]
    if options_of(rules).equal_turns == ZERO:
        return np.int64(1) if mine else GOES_ON
    if word & STARTER:
        return GOES_ON
    his = count(board, TOP) == rules.table[CHECKERS]
    if mine:
        return np.int64(0) if his else np.int64(1)
    return np.int64(-1) if his and not word & AGAIN else GOES_ON


@helper
def unstack_word_after(rules: Rules, word: U) -> U:
    """The opponent's turn word after a turn."""
    return word ^ STARTER if options_of(rules).equal_turns else ZERO
