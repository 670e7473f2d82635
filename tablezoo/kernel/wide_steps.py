"""Steps on a track by the general rules of `tablezoo.kernel.wide` that begin a play: found by the best way on from each, not by listing plays."""

from tablezoo.kernel.bits import ONE, ZERO, U
from tablezoo.kernel.board import AGAIN, NUMBERS, TURN, Board, Row, Rows, faces, planes, put
from tablezoo.kernel.chain import GIFT, STAGE, is_due
from tablezoo.kernel.jit import helper
from tablezoo.kernel.track import lone_bit, without
from tablezoo.kernel.wide import (
    AT_TURN_END,
    FEVGA,
    HITS,
    LASTING,
    QUOTA,
    STUCK,
    Stage,
    Wide,
    formation_ok,
    is_over,
    quota_after,
    quota_of,
    stage_of,
    walled_in,
    wide_moved,
    wide_of,
    wide_sources,
)
from tablezoo.kernel.wide_plays import double_chosen, result_word, with_runner
from tablezoo.rules import Rules

SEARCH_ROWS = 8
SEARCHED = U(4)
"""Rows of a buffer for a search, and the row from which on each level has sources to try and their number; those before hold the boards."""
PLAYED, LARGER = U(16), U(2)
"""Worths: of a number played, and of each point of the only one where the larger must be; 1 is that of not walling the opponent in."""


@helper
def wide_steps(rules: Rules, board: Board, word: U, mask: Row, work: Rows) -> None:
    """Steps that begin a play, as `tablezoo.kernel.plays.steps` has them."""
    if is_due(word):
        for face in range(1, 7):
            mask[face] = ONE
        return
    wide = wide_of(rules)
    stage, quota = stage_of(wide, board, word), head_quota(wide, board, word, work)
    left, best = word & NUMBERS, ZERO
    for face in range(6, 0, -1):
        number = U(face)
        mask[number] = ZERO
        movable = wide_sources(wide, stage, board, number, quota) if faces(left, number) else ZERO
        while movable:
            source = lone_bit(movable)
            movable ^= source
            worth = line_worth(wide, stage, board, quota, left, source, number, work)
            if worth > best and not wide.greedy:
                mask[face:] = ZERO
                best = worth
            if worth and worth >= best:
                mask[number] |= source


@helper
def head_quota(wide: Wide, board: Board, word: U, work: Rows) -> U:
    """How many checkers may leave the head in a turn."""
    quota = quota_of(word)
    if word & STUCK:
        stage, left = stage_of(wide, board, word), word & NUMBERS
        if rest_worth(wide, stage, board, quota + ONE, left, work) // PLAYED > rest_worth(wide, stage, board, quota, left, work) // PLAYED:
            return quota + ONE
    return quota


@helper
def line_worth(wide: Wide, stage: Stage, board: Board, quota: U, left: U, source: U, number: U, work: Rows) -> U:
    """The worth of the best play that begins with a step; 0 if there is none."""
    after = wide_moved(wide, board, source, number)
    ok = formation_ok(wide, stage, after)
    if not ok and wide.check != AT_TURN_END:
        return ZERO
    if is_over(wide, after, stage.under):
        return PLAYED * number_of(left) + ONE
    rest = without(left, number)
    worth = rest_worth(wide, stage, after, quota_after(quota, wide, source), rest, work) if rest else ZERO
    if worth:
        return worth + PLAYED
    only = LARGER * number if wide.larger_die and number_of(left) == U(2) else ZERO
    return PLAYED + only + leaves_open(wide, stage, after) if ok else ZERO


@helper
def rest_worth(wide: Wide, stage: Stage, board: Board, quota: U, left: U, work: Rows) -> U:
    """The worth of the best that can be played with numbers left: as if all were played if that ends the game."""
    most, best, level = PLAYED * number_of(left) + ONE, ZERO, ZERO
    put(work, level, board, left | (quota << QUOTA))
    work[SEARCHED, 0], work[SEARCHED, 1] = ZERO, U(7)
    while True:
        here, word = planes(work[level]), work[level, TURN]
        movable, number = work[SEARCHED + level, 0], work[SEARCHED + level, 1]
        while movable == ZERO and number > ONE:
            number -= ONE
            movable = wide_sources(wide, stage, here, number, quota_of(word)) if faces(word, number) else ZERO
        if movable == ZERO:
            if level == ZERO:
                return best
            level -= ONE
            continue
        source = lone_bit(movable)
        work[SEARCHED + level, 0], work[SEARCHED + level, 1] = movable ^ source, number
        after = wide_moved(wide, here, source, number)
        ok = formation_ok(wide, stage, after)
        if not ok and wide.check != AT_TURN_END:
            continue
        if is_over(wide, after, stage.under):
            return most
        if ok:
            best = max(best, PLAYED * (level + ONE) + leaves_open(wide, stage, after))
            if best == most:
                return best
        rest = without(word & NUMBERS, number)
        if rest:
            level += ONE
            put(work, level, after, rest | (quota_after(quota_of(word), wide, source) << QUOTA))
            work[SEARCHED + level, 0], work[SEARCHED + level, 1] = ZERO, U(7)


@helper
def number_of(left: U) -> U:
    """How many numbers there are."""
    n = ZERO
    for face in range(1, 7):
        n += faces(left, U(face))
    return n


@helper
def leaves_open(wide: Wide, stage: Stage, board: Board) -> U:
    """1 unless a play must not end here if another can: the opponent is walled in."""
    return ZERO if wide.prime == FEVGA and walled_in(wide, stage, board) else ONE


@helper
def wide_step(rules: Rules, board: Board, word: U, source: U, number: U, work: Rows) -> tuple[Board, U]:
    """The result of a step: the board, and the turn word as `followed` takes it."""
    if is_due(word):
        return board, double_chosen(rules, word, number)
    wide = wide_of(rules)
    stage, quota = stage_of(wide, board, word), head_quota(wide, board, word, work)
    after = wide_moved(wide, board, source, number)
    left = without(word, number) & NUMBERS
    quota = quota_after(quota, wide, source)
    if left == ZERO or is_over(wide, after, stage.under) or rest_worth(wide, stage, after, quota, left, work) == ZERO:
        return after, result_word(rules, wide, stage, after, word, left)
    lasting = word & LASTING
    if wide.runner and wide.blot == HITS:
        lasting = with_runner(wide, stage, after, lasting)
    return after, lasting | word & (STAGE | GIFT) | left | (quota << QUOTA) | AGAIN
