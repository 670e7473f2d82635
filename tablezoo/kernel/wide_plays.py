"""Plays on a track by the general rules of `tablezoo.kernel.wide`: every distinct result of a stage, each exactly once."""

from tablezoo.kernel.bits import ONE, ZERO, U, lowest
from tablezoo.kernel.board import AGAIN, BAR, NUMBERS, OFF, TURN, Board, Rows, count, faces, planes, put
from tablezoo.kernel.chain import GIFT, PLAINS, STAGE, after_stage, chosen, gives, is_due
from tablezoo.kernel.dice import die
from tablezoo.kernel.jit import helper
from tablezoo.kernel.track import emit, largest_number, listed, lone_bit, smallest_number
from tablezoo.kernel.wide import (
    AT_TURN_END,
    BAR_BIT,
    FEVGA,
    HAND,
    HAND_BIT,
    HITS,
    LASTING,
    NEEDS_HOME,
    QUOTA_BITS,
    RUN,
    STUCK,
    Stage,
    Wide,
    formation_ok,
    is_over,
    opponent_points,
    own_points,
    quota_after,
    quota_of,
    reached_home,
    runner_out,
    stage_of,
    walled_in,
    wide_moved,
    wide_of,
    wide_sources,
)
from tablezoo.kernel.wide_three import Found, wide_three
from tablezoo.rules import Rules

CHAIN, OTHER_CHAIN = ONE, U(2)
"""Marks of sources in `wide_two`: a chain from there is listed (the larger number first where it matters); one with the smaller first."""


@helper
def wide_two(wide: Wide, stage: Stage, board: Board, quota: U, a: U, b: U, out: Rows, work: Rows) -> Found:
    """Results of two different numbers a > b, each tried first.

    A result is named by the source p of a and the source q of b, or by the source alone if one checker plays both (a chain).
    `work[p, 0]` is the mask of sources paired with p, `work[p, 1]` marks chains from p, `work[q, 2]` is the mask of sources that a was
    tried from before q: the other way round they lead to the same results.
    """
    n = ZERO
    checked = wide.check != AT_TURN_END
    for i in range(HAND + 1):
        work[i, 0] = ZERO
        work[i, 1] = ZERO
        work[i, 2] = ZERO
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
            if first_pass == 1 and not wide.greedy:
                replies &= ~work[lowest(first), 2]
            stuck = True
            while replies:
                second = lone_bit(replies)
                replies ^= second
                result = wide_moved(wide, after, second, other)
                if not formation_ok(wide, stage, result):
                    continue
                stuck = False
                p, q = (lowest(first), lowest(second)) if first_pass == 0 else (lowest(second), lowest(first))
                if first_pass == 0:
                    work[q, 2] |= first
                last_off = own_points(result) == ZERO
                if is_new(wide, board, p, q, a, b, work) and not (last_off and listed(out, n, result)):
                    n = emit(out, n, result, ZERO)
            if (over or (stuck and wide.greedy and formation_ok(wide, stage, after))) and not listed(out, n, after):
                n = emit(out, n, after, ZERO)
    if n:
        return Found(n, U(2), ZERO)
    by_a, by_b = wide_sources(wide, stage, board, a, quota), wide_sources(wide, stage, board, b, quota)
    n = singles(wide, stage, board, by_a, a, out, n)
    left = die(b) if n else die(a)
    if n == ZERO or wide.larger_die == ZERO:
        n = singles(wide, stage, board, by_b, b, out, n)
    return Found(n, ONE, left) if n else Found(n, ZERO, die(a) + die(b))


@helper
def is_new(wide: Wide, board: Board, p: U, q: U, a: U, b: U, work: Rows) -> bool:
    """Whether the result of a from p and b from q has not been listed; marks it.

    A chain is named by its first source; by the order too where a checker may be hit in its middle.
    """
    if p >= BAR and q >= BAR:
        p, q = max(p, q), min(p, q)  # both enter by either number
    start = ZERO
    p_lands, q_lands = landing_place(wide, p, a), landing_place(wide, q, b)
    if p_lands == q and p_lands:
        start = p
    elif q_lands == p and q_lands:
        start = q
    if start:
        middles = (ONE << landing_place(wide, start, a)) | (ONE << landing_place(wide, start, b))
        hits = wide.blot == HITS and opponent_points(board) & middles
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

    First with sources in non-increasing order (the bar before the hand), which lists each result once if the order of steps does not
    matter; if that meets a runner on his way, a checker who comes home and lets others hit, a formation that is barred or the end of the game,
    in any order, dropping what is listed already.
    """
    if wide.stack == ZERO and not runner_out(wide, stage, board):
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
    checked, away = wide.check != AT_TURN_END, bool(wide.flags & NEEDS_HOME) and not reached_home(board)
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
            if ordered and word & LOWEST_SOURCE != BAR_BIT:
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
                met = met or bool(away and reached_home(after))
                tag = source | (quota_after(left, wide, source) << U(32))
                if is_over(wide, after, stage.under):
                    met = ended = True
                    tag |= OVER
                if not ordered and among(work, last, end, after, tag & ~LOWEST_SOURCE):
                    continue
                if end >= bottom:
                    return Found(U(out.shape[0]) + ONE, ZERO, ZERO), False
                put(work, end, after, tag)
                end += ONE
            if ordered and met:
                return Found(ZERO, ZERO, ZERO), True
        if used < U(4):
            work[bottom, used + ONE] = end
    if ended or n:
        for i in range(ONE, work[bottom, used]):
            if work[i, TURN] & OVER and not listed(out, n, planes(work[i])):
                n = emit(out, n, planes(work[i]), ZERO)
        if not wide.greedy:
            return Found(n, times, ZERO), False
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
            return Found(n, level, (times - level) * die(number))
        level -= ONE
    return Found(n, times, ZERO) if n else Found(n, ZERO, times * die(number))


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
    if word & NUMBERS != die(small) + die(large):
        return wide_three(wide, stage, board, quota, word & NUMBERS, out, work)
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
        found = Found(without_walls(wide, stage, out, found.n), found.used, found.left)
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
    """All distinct results of a stage, with the turn words that `followed` takes."""
    if is_due(word):
        for face in range(1, 7):
            put(out, U(face - 1), board, double_chosen(rules, word, U(face)))
        return U(6)
    wide = wide_of(rules)
    found, _ = found_of(wide, board, word, out, work)
    n = found.n if found.n else emit(out, found.n, board, ZERO)
    written = min(n, U(out.shape[0]))
    if word & (STAGE | GIFT | PLAINS) or gives(rules) or (wide.runner and wide.blot == HITS):
        stage = stage_of(wide, board, word)
        for i in range(written):
            out[i, TURN] = result_word(rules, wide, stage, planes(out[i]), word, found.left)
    elif word & LASTING:
        for i in range(written):
            out[i, TURN] = word & LASTING
    return n


@helper
def double_chosen(rules: Rules, word: U, number: U) -> U:
    """The turn word after the choice of a double."""
    return word & LASTING | chosen(rules, word, number) | QUOTA_BITS | AGAIN


@helper
def result_word(rules: Rules, wide: Wide, stage: Stage, board: Board, word: U, left: U) -> U:
    """The turn word of the result of a stage, given the stage's and the numbers that could not be played."""
    lasting = word & LASTING
    if wide.runner and wide.blot == HITS:
        lasting = with_runner(wide, stage, board, lasting)
    if is_over(wide, board, stage.under):
        return lasting & ~PLAINS
    after = after_stage(rules, word, left)
    return lasting | after | QUOTA_BITS if after & NUMBERS else lasting | after
