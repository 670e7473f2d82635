"""Decisions on a cross: every use of a die that the rules allow, rerolls, and the end of the turn."""

import numpy as np

from tablezoo.kernel.bits import ONE, ZERO, U, lowest
from tablezoo.kernel.board import AGAIN, NUMBERS, Board, Rows, add, faces, planes, put
from tablezoo.kernel.cross import (
    CREDITS,
    END_TURN,
    ENTER,
    ENTER_PIECE,
    FIELD,
    FIRST,
    KEEP_NUMBER,
    MOST_USES,
    MOVE_PIECE,
    PENDING,
    REROLL,
    SCORE_PIECE,
    SECOND,
    SPENT,
    TAKE_REROLL,
    USES,
    VICTORY,
    Cross,
    captured,
    captured_less,
    cross_of,
    door,
    field,
    forgotten,
    full_spaces,
    landed,
    lifted,
    own_spaces,
    reach,
    remembered,
    won,
)
from tablezoo.kernel.jit import helper
from tablezoo.kernel.track import smallest_number, without
from tablezoo.rules import Rules


@helper
def code_of(kind: U, number: U, source: U, target: U) -> U:
    """A decision as a number."""
    return (kind << U(16)) | (number << U(12)) | (source << U(6)) | target


@helper
def applied(cross: Cross, board: Board, word: U, code: U) -> tuple[Board, U]:
    """Board and turn word after a use of a die, whether or not the turn goes on."""
    kind, number, source, target = code >> U(16), (code >> U(12)) & U(15), (code >> U(6)) & U(63), code & U(63)
    hits = kind != SCORE_PIECE and bool((board[2] >> target) & ONE)
    after = without(word, number) + (ONE << USES)
    if kind == MOVE_PIECE:
        if cross.uturn_scope:
            after = remembered(cross, board, word, after, source, target, number)
        board = landed(lifted(board, ONE << source), ONE << target)
    elif kind == ENTER_PIECE:
        after = forgotten(after, target)
        board = landed(captured_less(board), ONE << target)
        after &= ~ENTER
    else:
        after = forgotten(after, source)
        board = add(lifted(board, ONE << source), ONE << U(VICTORY))
        if cross.credits == ZERO:
            after -= ONE << CREDITS
        elif cross.credits == U(2):
            after = (after & ~(FIELD << CREDITS)) | (SPENT << CREDITS)
    if hits:
        after = credited(cross, after)
    earns = kind == MOVE_PIECE or (kind == ENTER_PIECE and cross.reroll_after != ONE) or cross.reroll_after == U(2)
    if number == U(3) and earns and after & FIRST == ZERO:
        after += ONE << PENDING
    return board, after


@helper
def credited(cross: Cross, word: U) -> U:
    """The turn word after a capture."""
    if cross.credits == ONE:
        return (word & ~(FIELD << CREDITS)) | (ONE << CREDITS)
    if cross.credits == U(2):
        return word if field(word, CREDITS) else word + (ONE << CREDITS)
    return word + (ONE << CREDITS)


@helper
def may_score(word: U) -> bool:
    """Whether a credit is left."""
    credits = field(word, CREDITS)
    return bool(credits != ZERO and credits != SPENT)


@helper
def scorable(cross: Cross, board: Board, word: U, number: U) -> U:
    """Spaces from which an own piece may score."""
    return door(cross, board, number) & own_spaces(board) if may_score(word) else ZERO


@helper
def can_use(cross: Cross, board: Board, word: U, number: U) -> bool:
    """Whether a die can move or enter a piece (or score, where that is compulsory), when nothing else is on the table."""
    if field(word, USES) >= MOST_USES:
        return False
    open_ = ~full_spaces(board)
    if captured(board) != ZERO and door(cross, board, number) & open_:
        return True
    if word & ENTER:
        return False
    if cross.score_forced and scorable(cross, board, word, number):
        return True
    pieces = own_spaces(board)
    while pieces:
        if reach(cross, board, word, lowest(pieces), number) & open_:
            return True
        pieces &= pieces - ONE
    return False


@helper
def list_uses(cross: Cross, board: Board, word: U, number: U, work: Rows, n: U) -> U:
    """Append the codes of all uses of a die to column 0 of `work`, whatever rules 9 and 10 say."""
    if field(word, USES) >= MOST_USES:
        return n
    open_ = ~full_spaces(board)
    if not (cross.enter_first and word & ENTER):
        pieces = own_spaces(board)
        while pieces:
            source = lowest(pieces)
            pieces &= pieces - ONE
            targets = reach(cross, board, word, source, number) & open_
            while targets:
                work[n, 0] = code_of(MOVE_PIECE, number, source, lowest(targets))
                targets &= targets - ONE
                n += ONE
    if captured(board) != ZERO:
        targets = door(cross, board, number) & open_
        while targets:
            work[n, 0] = code_of(ENTER_PIECE, number, ZERO, lowest(targets))
            targets &= targets - ONE
            n += ONE
    if not (cross.enter_first and word & ENTER):
        sources = scorable(cross, board, word, number)
        while sources:
            work[n, 0] = code_of(SCORE_PIECE, number, lowest(sources), ZERO)
            sources &= sources - ONE
            n += ONE
    return n


IMPOSSIBLE = np.int64(-100)


@helper
def most_uses(cross: Cross, board: Board, word: U) -> np.int64:
    """How many of the dice on the table, at most one, can be used; `IMPOSSIBLE` if a piece must be entered and cannot."""
    if word & NUMBERS and can_use(cross, board, word, smallest_number(word)):
        return np.int64(1)
    return IMPOSSIBLE if word & ENTER else np.int64(0)


@helper
def may_reroll(cross: Cross, word: U) -> bool:
    """Whether a reroll may be taken now."""
    dice = ZERO
    for face in range(1, 7):
        dice += faces(word, U(face))
    total = field(word, USES) + (dice if cross.reroll_cap == ZERO else ZERO)
    return bool(field(word, PENDING) != ZERO and word & (FIRST | ENTER) == ZERO and total < MOST_USES)


@helper
def turn_over(cross: Cross, board: Board, word: U) -> bool:
    """Whether nothing is left to decide with at most one die on the table."""
    if may_reroll(cross, word):
        return False
    if word & NUMBERS == ZERO:
        return True
    number = smallest_number(word)
    if field(word, USES) < MOST_USES and scorable(cross, board, word, number):
        return False
    return bool(most_uses(cross, board, word) != np.int64(1))


@helper
def passed_word(cross: Cross, word: U) -> U:
    """Turn word of a result that ends the turn."""
    return FIRST | SECOND if cross.first_turn and word & FIRST and word & SECOND == ZERO else ZERO


@helper
def finish(cross: Cross, board: Board, word: U) -> U:
    """Turn word of a result: the same player's next decision, or the end of his turn."""
    if won(board) or turn_over(cross, board, word):
        return passed_word(cross, word)
    return word | AGAIN


@helper
def decide(cross: Cross, board: Board, word: U, kind: U, out: Rows, work: Rows, n: U) -> U:
    """Append the result of a reroll, of keeping a number instead, or of the end of the turn."""
    work[n, 0] = kind << U(16)
    if kind == END_TURN:
        put(out, n, board, passed_word(cross, word))
        return n + ONE
    word -= ONE << PENDING
    put(out, n, board, word | REROLL | AGAIN if kind == TAKE_REROLL else finish(cross, board, word))
    return n + ONE


@helper
def cross_plays(rules: Rules, board: Board, word: U, out: Rows, work: Rows) -> U:
    """All decisions of a stage: their results in `out`, their codes in column 0 of `work`."""
    cross = cross_of(rules)
    word &= ~AGAIN
    reroll = may_reroll(cross, word)
    if reroll and cross.reroll_timing:
        n = decide(cross, board, word, TAKE_REROLL, out, work, ZERO)
        return decide(cross, board, word, KEEP_NUMBER, out, work, n)
    listed = ZERO
    for face in range(6, 0, -1):
        if faces(word, U(face)):
            listed = list_uses(cross, board, word, U(face), work, listed)
    most = IMPOSSIBLE if word & ENTER else np.int64(0)
    for i in range(listed):
        code = work[i, 0]
        after, left = applied(cross, board, word, code)
        worth = np.int64(1) + most_uses(cross, after, left)
        work[i, 1] = U(worth)
        put(out, U(i), after, left)
        if code >> U(16) != SCORE_PIECE or cross.score_forced:
            most = max(most, worth)
    n = ZERO
    for i in range(listed):
        after, left, worth = planes(out[i]), out[i, 4], np.int64(work[i, 1])
        if worth < np.int64(0) or (worth < most and not won(after) and cross.forced_use == ZERO):
            continue
        work[n, 0] = work[i, 0]
        put(out, n, after, finish(cross, after, left))
        n += ONE
    if reroll:
        n = decide(cross, board, word, TAKE_REROLL, out, work, n)
    if most <= np.int64(0) or (cross.clear_door and word & ENTER and not door_open(cross, board, word)):
        n = decide(cross, board, word, END_TURN, out, work, n)
    return n


@helper
def door_open(cross: Cross, board: Board, word: U) -> bool:
    """Whether a captured piece could enter at once."""
    doors = ZERO
    for face in range(1, 7):
        if faces(word, U(face)):
            doors |= door(cross, board, U(face))
    return bool(doors & ~full_spaces(board))
