"""Plays on a track by rules that go beyond backgammon's: pins, parallel movement, blocks of one, runners, primes, other boards.

The board is that of `tablezoo.kernel.board`; beside it bit 26 counts own checkers in hand and bit 37 the opponent's, and the
turn word holds, from bit 32 on, what lasts beyond the turn. A point on which both sides stand is a pin: the mask `UNDER` says
whether the lower checker is one's own. During a turn nobody but the opponent's checkers is pinned or freed, so a step needs no
bookkeeping: landing on a lone checker leaves it there, and it is free again when the last one above it has gone.

All functions see the board from the player to act.
"""

from typing import NamedTuple

import numpy as np

from tablezoo.kernel.bits import ONE, TOP, ZERO, U, leading, lowest, popcount
from tablezoo.kernel.board import (
    AGAIN,
    BAR,
    GOES_ON,
    HIT,
    NUMBERS,
    OFF,
    POINTS,
    SHIFT,
    TURN,
    Board,
    Rows,
    add,
    count,
    faces,
    occupied,
    planes,
    put,
    remove,
    reversed_board,
)
from tablezoo.kernel.dice import numbers
from tablezoo.kernel.jit import helper
from tablezoo.kernel.track import emit, largest_number, listed, lone_bit, smallest_number, without
from tablezoo.rules import BEAR_OFF, CHECKERS, FORCED_USE, FURTHER, LARGER_DIE, SCORING, Rules, own_options

HAND = 26
HAND_BIT = ONE << U(HAND)
BAR_BIT = ONE << U(BAR)
OPPONENT_POINTS = POINTS << SHIFT
BOTH_POINTS = POINTS | OPPONENT_POINTS
HOME = U(0x7E)

QUOTA = U(20)
"""Shift of the turn word's number (two bits) of checkers that may still leave the head."""
QUOTA_BITS = U(3 << 20)
STUCK = U(1 << 22)
"""Turn-word mark of a first turn in which one more may leave the head if that plays more numbers."""
UNDER = U(32)
"""Shift of the turn word's mask of points 1 to 24 on which an own checker lies under one of the opponent's."""
RUN, OPPONENT_RUN = U(1 << 57), U(1 << 58)
"""Turn-word marks of a runner who has arrived, own and the opponent's, where it cannot be read off the board."""
LASTING = (POINTS << UNDER) | RUN | OPPONENT_RUN

CONTRARY, PARALLEL = ZERO, ONE
HITS, PINS, PASSES_NONE = ZERO, ONE, U(2)
AT_TURN_END = ONE
PAST_START, REACHED_HOME = ONE, U(2)
AHEAD, FEVGA = ONE, U(2)
ENEMY_START, OWN_HOME = ONE, U(2)
PINNER_HOME, STRICT = ONE, U(2)

_AT = {name: FURTHER + k for k, name in enumerate(own_options("track"))}
_DOUBLES, _MOVEMENT, _BLOCK, _BLOT, _HEAD, _HEAD_FIRST = (_AT[name] for name in ("doubles", "movement", "block", "blot", "head_limit", "head_first"))
_RUNNER, _PRIME, _CHECK, _LIMIT, _MOTHER = (_AT[name] for name in ("runner", "prime", "prime_check", "points_limit", "mother"))
_PROTECT, _STACK = _AT["protect"], _AT["stack_limit"]
_SIZE, _DICE = FURTHER + len(_AT), FURTHER + len(_AT) + 1


class Wide(NamedTuple):
    """The options of the kind (`tablezoo.rules.CHOICES`), and the size of the board."""

    checkers: U
    greedy: U
    larger_die: U
    scoring: U
    bear_off: U
    movement: U
    block: U
    blot: U
    runner: U
    prime: U
    check: U
    limit: U
    mother: U
    protect: U
    stack: U
    size: U


class Stage(NamedTuple):
    """What stays the same while a player plays his numbers."""

    free: U
    """Points he may land on, his own checkers left aside."""
    under: U
    """Own checkers that lie under others."""
    run: bool
    """Whether his runner has arrived for good."""
    opponent: U
    """Points with checkers of the opponent, as the opponent numbers them."""
    opponent_off: bool
    """Whether the opponent has borne off a checker."""


@helper
def wide_of(rules: Rules) -> Wide:
    """The options from the record and its table."""
    t = rules.table
    return Wide(
        t[CHECKERS],
        t[FORCED_USE],
        t[LARGER_DIE],
        t[SCORING],
        t[BEAR_OFF],
        t[_MOVEMENT],
        t[_BLOCK],
        t[_BLOT],
        t[_RUNNER],
        t[_PRIME],
        t[_CHECK],
        t[_LIMIT],
        t[_MOTHER],
        t[_PROTECT],
        t[_STACK],
        t[_SIZE],
    )


@helper
def half_way_round(points: U) -> U:
    """A mask of points 1 to 24 as a player numbers them who began in the opposite corner."""
    return ((points << U(12)) | (points >> U(12))) & POINTS


@helper
def across(wide: Wide, points: U) -> U:
    """A mask of points as the other player numbers them."""
    if wide.movement == PARALLEL:
        return half_way_round(points)
    return reverse_points(points) >> (U(24) - wide.size)


@helper
def reverse_points(points: U) -> U:
    """A mask of points 1 to 24 in the opposite order."""
    a, _, _, _ = reversed_board((points, ZERO, ZERO, ZERO))
    return (a >> SHIFT) & POINTS


@helper
def turned_plane(wide: Wide, plane: U) -> U:
    """A plane seen by the other player."""
    own, opponent = plane & POINTS, (plane >> SHIFT) & POINTS
    corners, _, _, _ = reversed_board((plane & ~BOTH_POINTS, ZERO, ZERO, ZERO))
    return corners | across(wide, opponent) | (across(wide, own) << SHIFT)


@helper
def wide_turned(rules: Rules, board: Board) -> Board:
    """The board seen by the other player."""
    wide = wide_of(rules)
    a, b, c, d = board
    return turned_plane(wide, a), turned_plane(wide, b), turned_plane(wide, c), turned_plane(wide, d)


@helper
def own_points(board: Board) -> U:
    """Points with own checkers."""
    return occupied(board) & POINTS


@helper
def opponent_points(board: Board) -> U:
    """Points with checkers of the opponent."""
    return (occupied(board) >> SHIFT) & POINTS


@helper
def under_of(word: U) -> U:
    """Points on which an own checker is pinned."""
    return (word >> UNDER) & POINTS


@helper
def wide_word_after(rules: Rules, board: Board, word: U) -> U:
    """The opponent's turn word after a turn, given the board as the mover sees it."""
    wide = wide_of(rules)
    after = ZERO
    if wide.blot == PINS:
        pinned = own_points(board) & opponent_points(board) & ~under_of(word)
        after |= across(wide, pinned) << UNDER
    if word & RUN:
        after |= OPPONENT_RUN
    if word & OPPONENT_RUN:
        after |= RUN
    return after


@helper
def stage_of(wide: Wide, board: Board, word: U) -> Stage:
    """The stage of a board and its turn word."""
    theirs = opponent_points(board)
    pairs = ((board[1] | board[2] | board[3]) >> SHIFT) & POINTS
    closed = theirs if wide.block == ONE or wide.blot == PASSES_NONE else pairs
    if wide.protect:
        closed |= theirs & ((theirs << ONE) | (theirs >> ONE))
    under = under_of(word)
    size = (ONE << (wide.size + ONE)) - U(2)
    return Stage(size & ~(closed | under), under, bool(word & RUN), across(wide, theirs), count(board, TOP) != ZERO)


@helper
def runner_out(wide: Wide, stage: Stage, board: Board) -> bool:
    """Whether nobody but the lead checker may move yet."""
    own = own_points(board)
    if wide.runner == ZERO or stage.run or own == ZERO or count(board, U(OFF)) != ZERO:
        return False
    bound = U(6) if wide.runner == REACHED_HOME else (U(11) if wide.movement == PARALLEL else ZERO)
    return bool(lowest(own) > bound)


@helper
def is_over(wide: Wide, board: Board, under: U) -> bool:
    """Whether the game is over after a step: all own checkers off, or a mother pinned."""
    return bool(wide_points(wide, board, under) != GOES_ON)


@helper
def wide_points(wide: Wide, board: Board, under: U) -> np.int64:
    """Points of the player who made a play, or `GOES_ON`.

    With a checker pinned on both start points nobody can ever bear off: a draw.
    """
    if count(board, U(OFF)) == wide.checkers:
        if wide.scoring == ONE:
            return np.int64(1)
        if wide.scoring > U(3):
            return np.int64(wide.checkers - count(board, TOP))
        if count(board, TOP):
            return np.int64(1)
        behind = occupied(board) & ((HOME << SHIFT) | HIT | (HIT >> ONE))
        return np.int64(3) if behind and wide.scoring == U(3) else np.int64(2)
    if wide.blot == PINS:
        mother, mine = across(wide, ONE << wide.size), ONE << wide.size
        own = own_points(board)
        if own & opponent_points(board) & ~under & mother:
            if under & mine:
                return np.int64(0)
            if wide.mother == STRICT or (wide.mother == PINNER_HOME and own & mine == ZERO):
                return np.int64(2)
    return GOES_ON


@helper
def wide_outcome(rules: Rules, board: Board, word: U) -> np.int64:
    """`wide_points` of a result."""
    return wide_points(wide_of(rules), board, under_of(word))


@helper
def wide_sources(wide: Wide, stage: Stage, board: Board, number: U, quota: U) -> U:
    """Mask of places from which a checker may go by this number, formations left aside."""
    own = own_points(board)
    free = stage.free & ~own if wide.stack else stage.free
    entry = free & (ONE << (wide.size + ONE - number))
    if occupied(board) & BAR_BIT:
        return BAR_BIT if entry else ZERO
    able = own & ~stage.under
    if runner_out(wide, stage, board):
        able = lone_bit(own)
    if quota == ZERO:
        able &= ~(ONE << wide.size)
    found = able & (free << number)
    if occupied(board) & HAND_BIT and entry:
        found |= HAND_BIT
    near = able & ((ONE << (number + ONE)) - ONE)
    if near == ZERO:
        return found
    if wide.bear_off == U(2):
        return found | near
    if own & ~HOME or stage.under or occupied(board) & HAND_BIT:
        return found
    if wide.bear_off == ZERO and TOP - leading(own) < number:
        return found | (able & (ONE << (TOP - leading(own))))
    return found | (able & (ONE << number))


@helper
def wide_moved(wide: Wide, board: Board, source: U, number: U) -> Board:
    """The board after the checker of a one-bit mask went by a number."""
    from_outside = source >= BAR_BIT
    landing = ONE << (wide.size + ONE - number) if from_outside else max(source >> number, ONE)
    after = add(remove(board, source), landing)
    if wide.blot == HITS:
        a, b, c, d = after
        hit = landing & POINTS & (occupied(board) >> SHIFT)
        if hit:
            return add((a ^ (hit << SHIFT), b, c, d), HIT >> ONE if wide.stack else HIT)
    return after


@helper
def formation_ok(wide: Wide, stage: Stage, board: Board) -> bool:
    """Whether the points that the player holds are allowed: limits and primes."""
    held = own_points(board)
    if wide.limit:
        if wide.limit == ENEMY_START:
            if popcount(held & U(0x1F80)) > U(4):
                return False
        elif held & HOME == HOME:
            return False
    if wide.prime == FEVGA:
        return bool(held & U(0x1F80000) != U(0x1F80000))
    if wide.prime == AHEAD and not stage.opponent_off:
        wall = across(wide, held)
        two = wall & (wall >> ONE)
        six = two & (two >> U(2)) & (two >> U(4))
        return bool(six == ZERO or stage.opponent & (lone_bit(six) - ONE) != ZERO)
    return True


@helper
def walled_in(wide: Wide, stage: Stage, board: Board) -> bool:
    """Whether all checkers of the opponent stand on one point and the next six on his way are held."""
    theirs = stage.opponent
    if theirs == ZERO or theirs & (theirs - ONE) or lowest(theirs) <= U(6):
        return False
    needed = U(0x3F) << (lowest(theirs) - U(6))
    return bool(across(wide, own_points(board)) & needed == needed)


@helper
def quota_after(quota: U, wide: Wide, source: U) -> U:
    """Checkers that may still leave the head after a step; 3 stands for any number."""
    return quota - ONE if quota < U(3) and source == ONE << wide.size else quota


@helper
def quota_of(word: U) -> U:
    """Checkers that may still leave the head."""
    return (word & QUOTA_BITS) >> QUOTA


CHAIN, OTHER_CHAIN = ONE, U(2)
"""Marks of sources in `wide_two`: a chain from there is listed (the larger number first where it matters); one with the smaller first."""


class Found(NamedTuple):
    """A list of results."""

    n: U
    """Rows in the buffer."""
    used: U
    """Numbers that each of them uses; all if the game ends."""


@helper
def wide_two(wide: Wide, stage: Stage, board: Board, quota: U, a: U, b: U, out: Rows, work: Rows) -> Found:
    """Results of two different numbers a > b, each tried first.

    A result is named by the source p of a and the source q of b, or by the source alone if one checker plays both (a chain).
    `work[p, 0]` is the mask of sources paired with p, `work[p, 1]` marks chains from p.
    """
    n = ZERO
    checked = wide.check != AT_TURN_END
    for i in range(HAND + 1):
        work[i, 0] = ZERO
        work[i, 1] = ZERO
    for first_pass in range(2):
        one, other = (a, b) if first_pass == 0 else (b, a)
        movable = wide_sources(wide, stage, board, one, quota)
        while movable:
            first = lone_bit(movable)
            movable ^= first
            after = wide_moved(wide, board, first, one)
            if checked and not formation_ok(wide, stage, after):
                continue
            over = is_over(wide, after, stage.under)
            left = quota_after(quota, wide, first)
            replies = ZERO if over else wide_sources(wide, stage, after, other, left)
            stuck = True
            while replies:
                second = lone_bit(replies)
                replies ^= second
                result = wide_moved(wide, after, second, other)
                if not formation_ok(wide, stage, result):
                    continue
                stuck = False
                p, q = (lowest(first), lowest(second)) if first_pass == 0 else (lowest(second), lowest(first))
                last_off = own_points(result) == ZERO
                if is_new(wide, board, p, q, a, b, first_pass, work) and not (last_off and listed(out, n, result)):
                    n = emit(out, n, result, ZERO)
            if (over or (stuck and wide.greedy and formation_ok(wide, stage, after))) and not listed(out, n, after):
                n = emit(out, n, after, ZERO)
    if n:
        return Found(n, U(2))
    by_a, by_b = wide_sources(wide, stage, board, a, quota), wide_sources(wide, stage, board, b, quota)
    n = singles(wide, stage, board, by_a, a, out, n)
    if n == ZERO or wide.larger_die == ZERO:
        n = singles(wide, stage, board, by_b, b, out, n)
    return Found(n, ONE if n else ZERO)


@helper
def is_new(wide: Wide, board: Board, p: U, q: U, a: U, b: U, first_pass: int, work: Rows) -> bool:
    """Whether the result of a from p and b from q has not been listed; marks it.

    A chain is named by its first source; by the order too where a checker may be hit in its middle.
    """
    start = ZERO
    if p >= U(BAR) or q >= U(BAR):
        p_lands, q_lands = landing_place(wide, p, a), landing_place(wide, q, b)
    else:
        p_lands, q_lands = p - min(p, a), q - min(q, b)
    if p_lands == q and p_lands:
        start = p
    elif q_lands == p and q_lands:
        start = q
    if start:
        hits = (
            wide.blot == HITS and ((opponent_points(board) >> landing_place(wide, start, a)) | (opponent_points(board) >> landing_place(wide, start, b))) & ONE
        )
        mark = OTHER_CHAIN if hits and start == q else CHAIN
        if work[start, 1] & mark:
            return False
        work[start, 1] |= mark
        return True
    if p < q and p_lands == ZERO and q_lands == ZERO and q <= b:
        p, q = q, p  # both bear off by either number
    if (work[p, 0] >> q) & ONE:
        return False
    work[p, 0] |= ONE << q
    return True


@helper
def landing_place(wide: Wide, place: U, number: U) -> U:
    """The place to which a number leads; 0 for off."""
    place = min(place, wide.size + ONE)
    return place - min(place, number)


@helper
def singles(wide: Wide, stage: Stage, board: Board, movable: U, number: U, out: Rows, n: U) -> U:
    """Append the results of a single number."""
    while movable:
        source = lone_bit(movable)
        movable ^= source
        after = wide_moved(wide, board, source, number)
        if formation_ok(wide, stage, after) and not listed(out, n, after):
            n = emit(out, n, after, ZERO)
    return n


@helper
def wide_repeated(wide: Wide, stage: Stage, board: Board, quota: U, number: U, times: U, out: Rows, work: Rows) -> Found:
    """Results of one number played up to `times` times.

    First with sources in non-increasing order, which lists each result once if the order of steps does not matter;
    if that meets a runner on his way, a formation that is barred or the end of the game, in any order, dropping what is listed already.
    """
    if not runner_out(wide, stage, board):
        found, order_matters = in_levels(wide, stage, board, quota, number, times, True, out, work)
        if not order_matters:
            return found
    found, _ = in_levels(wide, stage, board, quota, number, times, False, out, work)
    return found


@helper
def in_levels(wide: Wide, stage: Stage, board: Board, quota: U, number: U, times: U, ordered: bool, out: Rows, work: Rows) -> tuple[Found, bool]:
    """`wide_repeated` level by level of numbers played; and whether anything was met for which the order of steps matters.

    `work` holds the levels; a row's turn word is its lowest source so far, its quota shifted by 32, and a mark if the game is over
    there. Its last row holds where the levels begin. The last level goes to `out` at once.
    """
    checked = wide.check != AT_TURN_END
    bottom = U(work.shape[0]) - ONE
    n, used, met, ended = ZERO, ZERO, False, False
    put(work, ZERO, board, HAND_BIT | (quota << U(32)))
    work[bottom, 0], work[bottom, 1] = ZERO, ONE
    while used < times and work[bottom, used] < work[bottom, used + ONE]:
        first, last = work[bottom, used], work[bottom, used + ONE]
        end = last
        used += ONE
        final = used == times
        for i in range(first, last):
            here, word = planes(work[i]), work[i, TURN]
            if word & OVER:
                continue
            left = (word >> U(32)) & U(3)
            movable = wide_sources(wide, stage, here, number, left)
            if ordered:
                movable &= ((word & LOWEST_SOURCE) << ONE) - ONE
            while movable:
                source = lone_bit(movable)
                movable ^= source
                after = wide_moved(wide, here, source, number)
                if (checked or final) and not formation_ok(wide, stage, after):
                    met = met or checked
                    continue
                if final:
                    if ordered or not listed(out, n, after):
                        n = emit(out, n, after, ZERO)
                    continue
                tag = source | (quota_after(left, wide, source) << U(32))
                if is_over(wide, after, stage.under):
                    met = ended = True
                    tag |= OVER
                if not ordered and among(work, last, end, after, tag & ~LOWEST_SOURCE):
                    continue
                if end >= bottom:
                    return Found(U(out.shape[0]) + ONE, ZERO), False
                put(work, end, after, tag)
                end += ONE
            if ordered and met:
                return Found(ZERO, ZERO), True
        if used < U(4):
            work[bottom, used + ONE] = end
    if ended or n:
        for i in range(ONE, work[bottom, used]):
            if work[i, TURN] & OVER and not listed(out, n, planes(work[i])):
                n = emit(out, n, planes(work[i]), ZERO)
        if not wide.greedy:
            return Found(n, times), False
    return shallower(wide, stage, number, used, n, times, out, work), False


LOWEST_SOURCE = U(0xFFFFFFFF)
OVER = U(1 << 40)


@helper
def shallower(wide: Wide, stage: Stage, number: U, used: U, n: U, times: U, out: Rows, work: Rows) -> Found:
    """Results that do not use all numbers: of the deepest level that has any; if greedy, of all levels where nothing can be played."""
    bottom = U(work.shape[0]) - ONE
    level = used if used < times else times - ONE
    while level > ZERO and (wide.greedy or n == ZERO):
        for i in range(work[bottom, level], work[bottom, level + ONE]):
            here, word = planes(work[i]), work[i, TURN]
            stuck = not wide.greedy or not can_go(wide, stage, here, number, (word >> U(32)) & U(3))
            if word & OVER == ZERO and stuck and formation_ok(wide, stage, here) and not listed(out, n, here):
                n = emit(out, n, here, ZERO)
        if n and not wide.greedy:
            return Found(n, level)
        level -= ONE
    return Found(n, times if n else ZERO)


@helper
def can_go(wide: Wide, stage: Stage, board: Board, number: U, quota: U) -> bool:
    """Whether a number can be played."""
    movable = wide_sources(wide, stage, board, number, quota)
    while movable:
        if formation_ok(wide, stage, wide_moved(wide, board, lone_bit(movable), number)):
            return True
        movable &= movable - ONE
    return False


@helper
def among(rows: Rows, first: U, last: U, board: Board, tag: U) -> bool:
    """Whether a board with this quota and mark is among rows first..last-1."""
    for i in range(first, last):
        same = rows[i, 0] == board[0] and rows[i, 1] == board[1] and rows[i, 2] == board[2] and rows[i, 3] == board[3]
        if same and rows[i, TURN] & ~LOWEST_SOURCE == tag:
            return True
    return False


@helper
def by_quota(wide: Wide, stage: Stage, board: Board, quota: U, word: U, out: Rows, work: Rows) -> Found:
    """Results of the numbers of a turn word if so many checkers may leave the head."""
    small, large = smallest_number(word), largest_number(word)
    if small == large:
        return wide_repeated(wide, stage, board, quota, small, faces(word, small), out, work)
    return wide_two(wide, stage, board, quota, large, small, out, work)


@helper
def found_of(wide: Wide, board: Board, word: U, out: Rows, work: Rows) -> tuple[Found, U]:
    """All distinct results of the numbers in the turn word, and how many checkers may leave the head."""
    stage = stage_of(wide, board, word)
    quota = quota_of(word)
    found = by_quota(wide, stage, board, quota, word, out, work)
    if word & STUCK:
        more = by_quota(wide, stage, board, quota + ONE, word, out, work)
        if more.used > found.used:
            quota += ONE
            found = more
        else:
            found = by_quota(wide, stage, board, quota, word, out, work)
    if wide.prime == FEVGA:
        found = Found(without_walls(wide, stage, out, found.n), found.used)
    return found, quota


@helper
def without_walls(wide: Wide, stage: Stage, out: Rows, n: U) -> U:
    """Drop the results that leave the opponent walled in, unless there are no others; returns how many are left."""
    kept = ZERO
    for i in range(n):
        board = planes(out[i])
        if not walled_in(wide, stage, board):
            put(out, kept, board, ZERO)
            kept += ONE
    return kept if kept else n


@helper
def with_runner(wide: Wide, stage: Stage, board: Board, lasting: U) -> U:
    """The lasting marks after a step, the runner's set if he has arrived and that is not plain from checkers borne off."""
    if count(board, U(OFF)) != ZERO:
        return lasting & ~RUN
    return lasting if runner_out(wide, stage, board) else lasting | RUN


@helper
def wide_plays(rules: Rules, board: Board, word: U, out: Rows, work: Rows) -> U:
    """All distinct results of the numbers in the turn word, with the turn words that `followed` takes."""
    wide = wide_of(rules)
    found, _ = found_of(wide, board, word, out, work)
    n = found.n
    lasting = word & LASTING
    if n == ZERO:
        return emit(out, n, board, lasting)
    if wide.runner and wide.blot == HITS:
        stage = stage_of(wide, board, word)
        for i in range(min(n, U(out.shape[0]))):
            out[i, TURN] = with_runner(wide, stage, planes(out[i]), lasting)
    elif lasting:
        for i in range(min(n, U(out.shape[0]))):
            out[i, TURN] = lasting
    return n


@helper
def wide_begins(rules: Rules, board: Board, word: U, source: U, number: U, found: Found, quota: U, whole: Rows, out: Rows, work: Rows) -> bool:
    """Whether a step begins one of the plays found (in `whole`)."""
    wide = wide_of(rules)
    stage = stage_of(wide, board, word)
    after = wide_moved(wide, board, source, number)
    if wide.check != AT_TURN_END and not formation_ok(wide, stage, after):
        return False
    if wide.greedy:
        return True
    left = without(word, number)
    if left & NUMBERS == ZERO or is_over(wide, after, stage.under):
        return listed(whole, found.n, after)
    rest = by_quota(wide, stage, after, quota_after(quota, wide, source), left, out, work)
    if rest.n == ZERO:
        return listed(whole, found.n, after)
    if rest.used + ONE != found.used:
        return False
    return bool(any_listed(whole, found.n, out, rest.n))


@helper
def any_listed(whole: Rows, n: U, out: Rows, m: U) -> bool:
    """Whether one of the first m boards of `out` is among the first n of `whole`."""
    found = False
    for i in range(m):
        found = found or listed(whole, n, planes(out[i]))
    return found


@helper
def wide_step(rules: Rules, board: Board, word: U, source: U, number: U, quota: U, out: Rows, work: Rows) -> tuple[Board, U]:
    """The result of a step: the board, and the turn word as `followed` takes it."""
    wide = wide_of(rules)
    stage = stage_of(wide, board, word)
    after = wide_moved(wide, board, source, number)
    lasting = word & LASTING
    if wide.runner and wide.blot == HITS:
        lasting = with_runner(wide, stage, after, lasting)
    left = without(word, number) & NUMBERS
    quota = quota_after(quota, wide, source)
    if left == ZERO or is_over(wide, after, stage.under) or by_quota(wide, stage, after, quota, left, out, work).n == ZERO:
        return after, lasting
    return after, lasting | left | (quota << QUOTA) | AGAIN


@helper
def wide_numbers(rules: Rules, board: Board, word: U, first: U, second: U) -> U:
    """The turn word after a roll; `second` is 0 for a single die."""
    t = rules.table
    lasting = word & LASTING
    if second == ZERO:
        return lasting | (ONE << (U(3) * (first - ONE))) | QUOTA_BITS
    left = numbers(first, second, U(4) if t[_DOUBLES] == ZERO else U(2))
    if t[_HEAD] == ZERO:
        return lasting | left | QUOTA_BITS
    first_turn = count(board, t[_SIZE]) == rules.table[CHECKERS]
    quota = t[_HEAD]
    if first_turn and t[_HEAD_FIRST] == ONE and first == second and (first == U(3) or first == U(4) or first == U(6)):
        quota += ONE
    stuck = STUCK if first_turn and t[_HEAD_FIRST] == U(2) else ZERO
    return U(lasting | left | (quota << QUOTA) | stuck)


@helper
def one_die_game(rules: Rules) -> bool:
    """Whether the game is played with one die."""
    return bool(rules.table[_DICE] == ONE)
