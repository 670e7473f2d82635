"""Plays on a track of 24 points: every distinct result of a stage, each exactly once.

All functions see the board from the player to act.
"""

from typing import NamedTuple

from tablezoo.kernel.bits import ALL, ONE, TOP, ZERO, U, leading, lowest
from tablezoo.kernel.board import (
    BAR,
    FACE_BITS,
    FREED,
    HIT,
    KEPT,
    KEPT_POINTS,
    NUMBERS,
    OUTSIDE,
    OWN,
    POINTS,
    SHIFT,
    THRIFTY,
    TURN,
    Board,
    Rows,
    add,
    faces,
    occupied,
    planes,
    put,
    remove,
)
from tablezoo.kernel.jit import helper
from tablezoo.rules import BEAR_OFF, FORCED_USE, HIT_AND_RUN, LARGER_DIE, WASTE_PIPS, Rules

BAR_BIT = ONE << U(BAR)


class Turn(NamedTuple):
    """What stays the same while a player plays his numbers."""

    free: U
    """Points he may land on: fewer than two opposing checkers. Only blots are hit, so nothing closes or opens."""
    hittable: U
    """Points with a single opposing checker when the numbers left were begun."""
    guarded: U
    """Points that must keep a checker once he has hit there: his home board, or none."""
    kept: U
    """Points where he had hit so before."""
    bear_off: U
    """The rule of that name."""


@helper
def blots(board: Board, free: U) -> U:
    """Points with a single opposing checker."""
    return (board[0] >> SHIFT) & free


@helper
def make_turn(rules: Rules, board: Board, word: U, guarded: U) -> Turn:
    """The turn of a board and its turn word."""
    free = POINTS & ~((board[1] | board[2] | board[3]) >> SHIFT)
    return Turn(free, blots(board, free), guarded, (word >> KEPT) & guarded, rules.table[BEAR_OFF])


@helper
def kept_points(turn: Turn, board: Board) -> U:
    """Points that must keep a checker."""
    return turn.kept | (turn.hittable & turn.guarded & ~(board[0] >> SHIFT))


@helper
def sources(turn: Turn, board: Board, number: U) -> U:
    """Mask of places from which a checker may go by this number: the bar first, bearing off from home."""
    own = occupied(board) & OWN
    able = own
    if turn.guarded:
        able &= ~kept_points(turn, board) | board[1] | board[2] | board[3]
    onto_points = able & (turn.free << number)
    if own & BAR_BIT:
        return onto_points & BAR_BIT
    if own & OUTSIDE or own == ZERO:
        return onto_points
    if turn.bear_off == U(2):
        return onto_points | (able & ((ONE << (number + ONE)) - ONE))
    highest = TOP - leading(own)
    if highest < number and turn.bear_off == ZERO:
        return onto_points | (able & (ONE << highest))
    return onto_points | (able & (ONE << number))


@helper
def borne_off(board: Board) -> bool:
    """Whether no own checker is left in play: the game is over, which counts as using the whole roll."""
    return bool(occupied(board) & OWN == ZERO)


@helper
def moved(turn: Turn, board: Board, source: U, number: U) -> Board:
    """The board after the checker of a one-bit mask went by a number, hitting a blot where it lands."""
    landing = max(source >> number, ONE)
    a, b, c, d = add(remove(board, source), landing)
    hit = landing & blots(board, turn.free)
    if hit:
        return add((a ^ (hit << SHIFT), b, c, d), HIT)
    return a, b, c, d


@helper
def lone_bit(word: U) -> U:
    """The lowest set bit of a word, as a mask."""
    return word & (~word + ONE)


@helper
def emit(out: Rows, n: U, board: Board, turn: U) -> U:
    """Append a row; in a full buffer the last row is overwritten and the count goes on, so that the caller sees the overflow."""
    put(out, min(n, U(out.shape[0]) - ONE), board, turn)
    return n + ONE


@helper
def expand(level: Rows, first: U, last: U, turn: Turn, number: U, out: Rows, n: U, tag: U) -> U:
    """Append to `out` the boards one step after rows first..last-1, from sources up to each row's turn word.

    The source, masked by `tag`, becomes the new row's turn word.
    """
    for i in range(first, last):
        board = planes(level[i])
        movable = sources(turn, board, number) & ((level[i, TURN] << ONE) - ONE)
        while movable:
            source = lone_bit(movable)
            movable ^= source
            n = emit(out, n, moved(turn, board, source, number), source & tag)
    return n


@helper
def expand_twice(level: Rows, first: U, last: U, turn: Turn, number: U, out: Rows) -> U:
    """`expand` by two steps, without keeping the boards between: most of a doublet's work."""
    n = ZERO
    for i in range(first, last):
        board = planes(level[i])
        movable = sources(turn, board, number) & ((level[i, TURN] << ONE) - ONE)
        while movable:
            source = lone_bit(movable)
            movable ^= source
            after = moved(turn, board, source, number)
            replies = sources(turn, after, number) & ((source << ONE) - ONE)
            while replies:
                reply = lone_bit(replies)
                replies ^= reply
                n = emit(out, n, moved(turn, after, reply, number), ZERO)
    return n


@helper
def collect(level: Rows, first: U, last: U, turn: Turn, number: U, stuck_only: bool, out: Rows, n: U) -> U:
    """Append to `out` the boards of rows first..last-1, or only those from which the number cannot be played."""
    for i in range(first, last):
        board = planes(level[i])
        if not stuck_only or sources(turn, board, number) == ZERO:
            n = emit(out, n, board, ZERO)
    return n


@helper
def repeated(greedy: U, turn: Turn, board: Board, number: U, times: U, out: Rows, work: Rows) -> U:
    """Results of one number played up to `times` times, level by level of numbers played.

    Sources are taken in non-increasing order: any legal set of steps can be played highest first, and
    different sets give different boards, so each result appears once. `work` holds the levels, each
    row's turn word there being its lowest source so far.
    """
    n, first, last, used = ZERO, ZERO, ONE, ZERO
    put(work, ZERO, board, BAR_BIT)
    while used + ONE < times:
        if used + U(2) == times and not greedy:
            n = expand_twice(work, first, last, turn, number, out)
            if n:
                break
        end = expand(work, first, last, turn, number, work, last, ALL)
        if end > U(work.shape[0]):
            return end
        if end == last:
            break
        if greedy and used:
            n = collect(work, first, last, turn, number, True, out, n)
        first, last, used = last, end, used + ONE
    else:
        n = expand(work, first, last, turn, number, out, n, ZERO)
    if used and (greedy or n == ZERO):
        n = collect(work, first, last, turn, number, greedy != ZERO, out, n)
    return n


@helper
def two_numbers(greedy: U, larger_die: U, turn: Turn, board: Board, a: U, b: U, out: Rows, work: Rows) -> U:
    """Results of two different numbers a > b, each tried first.

    The first number's source p and the second's q name a result unless one checker played both
    (a chain), so the pass with b first leaves out what the pass with a first has listed.
    `work[p, 0]` is the mask of sources that b was paired with after a moved p.
    """
    n = ZERO
    chains = ZERO  # sources of checkers that played a, then b
    lone = ZERO  # sources that bore off by a after which b could not be played
    for i in range(BAR + 1):
        work[i, 0] = ZERO
    movable = sources(turn, board, a)
    by_a = movable
    while movable:
        p = lowest(movable)
        movable &= movable - ONE
        after = moved(turn, board, ONE << p, a)
        replies = sources(turn, after, b)
        if replies == ZERO and (greedy or borne_off(after)):
            n = emit(out, n, after, ZERO)
            if p <= a:
                lone |= ONE << p
        replies &= ~(ONE << (p + b))  # that checker lands on p: the chain b, a of the other pass
        while replies:
            q = lowest(replies)
            replies &= replies - ONE
            if q + a == p:
                chains |= ONE << p
            elif p <= b and q <= b and (work[q, 0] >> p) & ONE:
                continue  # both bear off: p and q have changed roles
            else:
                work[p, 0] |= ONE << q
            n = emit(out, n, moved(turn, after, ONE << q, b), ZERO)
    movable = sources(turn, board, b)
    by_b = movable
    while movable:
        q = lowest(movable)
        movable &= movable - ONE
        after = moved(turn, board, ONE << q, b)
        quiet = ((ONE << q >> a) | (ONE << q >> b)) & turn.hittable == ZERO  # neither way of a chain from q hits in the middle
        replies = sources(turn, after, a)
        if replies == ZERO and greedy and not (lone >> q) & ONE:
            n = emit(out, n, after, ZERO)
        replies &= ~(ONE << (q + a))
        while replies:
            p = lowest(replies)
            replies &= replies - ONE
            if p + b == q:
                if quiet and ((chains | lone) >> q) & ONE:
                    continue
            elif (work[p, 0] >> q) & ONE or (q <= b and p <= b and (work[q, 0] >> p) & ONE):
                continue
            else:
                work[p, 0] |= ONE << q
            n = emit(out, n, moved(turn, after, ONE << p, a), ZERO)
    if n == ZERO:
        n = one_of_two(larger_die, turn, board, a, b, by_a, by_b, out)
    return n


@helper
def one_of_two(larger_die: U, turn: Turn, board: Board, a: U, b: U, by_a: U, by_b: U, out: Rows) -> U:
    """Results of a > b where no play uses both: of the larger number if the rules say so, else of either."""
    n = ZERO
    if by_a and larger_die:
        by_b = ZERO
    while by_a:
        n = emit(out, n, moved(turn, board, lone_bit(by_a), a), ZERO)
        by_a &= by_a - ONE
    while by_b:
        n = emit(out, n, moved(turn, board, lone_bit(by_b), b), ZERO)
        by_b &= by_b - ONE
    return n


@helper
def two_numbers_afield(larger_die: U, turn: Turn, board: Board, a: U, b: U, out: Rows) -> U:
    """`two_numbers` in closed form: nobody on the bar, two or more checkers outside home, forced_use max.

    Then nothing is borne off and no step changes which others are legal, except that a step vacates its
    source and fills its target; chains differ by the number played first only if they hit on the way, and
    a chain does not go on from a guarded point.
    """
    n = ZERO
    own = occupied(board) & OWN
    several = (board[1] | board[2] | board[3]) & OWN
    by_a = own & (turn.free << a)
    by_b = own & (turn.free << b)
    whole = turn.free << (a + b)
    barred = turn.hittable & turn.guarded
    chains = by_a & whole & ~(barred << a)
    chains_b_first = by_b & whole & ~(barred << b) & ~(chains & ~((turn.hittable << a) | (turn.hittable << b)))
    movable = by_a
    while movable:
        p = lone_bit(movable)
        movable ^= p
        partners = by_b & ~(p & ~several) & ~(p << b)  # a single checker moves once; p << b is the chain b, a
        partners = partners | p >> a if chains & p else partners & ~(p >> a)
        if partners == ZERO:
            continue
        after = moved(turn, board, p, a)
        while partners:
            n = emit(out, n, moved(turn, after, lone_bit(partners), b), ZERO)
            partners &= partners - ONE
    while chains_b_first:
        q = lone_bit(chains_b_first)
        chains_b_first ^= q
        n = emit(out, n, moved(turn, moved(turn, board, q, b), q >> b, a), ZERO)
    if n == ZERO:
        n = one_of_two(larger_die, turn, board, a, b, by_a, by_b, out)
    return n


@helper
def smallest_number(word: U) -> U:
    """Smallest number of a turn word."""
    return lowest(word & NUMBERS) // U(FACE_BITS) + ONE


@helper
def largest_number(word: U) -> U:
    """Largest number of a turn word."""
    return (TOP - leading(word & NUMBERS)) // U(FACE_BITS) + ONE


@helper
def without(word: U, number: U) -> U:
    """The turn word after a number has been played."""
    return word - (ONE << (U(FACE_BITS) * (number - ONE)))


@helper
def charge(rules: Rules, turn: Turn, board: Board, source: U, number: U, other: U) -> U:
    """What `waste_pips` charges for a step while another number (0 for none) is still to be played.

    The fewest checkers left on (3) are the fewest steps that bear none off, numbers left at the end of the game included.
    """
    bears_off = source >> number <= ONE
    if rules.table[WASTE_PIPS] == U(1):
        wasteful = not bears_off and other > number and source >> other <= ONE and source & sources(turn, board, other)
        return ONE if wasteful else ZERO
    if rules.table[WASTE_PIPS] == U(2):
        return number - lowest(source) if bears_off else ZERO
    return ZERO if bears_off else ONE


STEP = U(256)
"""Worth of a step, less what is charged for it: longer lines are worth more, whatever is charged."""
LARGER = U(128)
"""Worth of having played the larger number where only one of two can be played."""


@helper
def rest_worth(rules: Rules, turn: Turn, board: Board, word: U) -> U:
    """Worth of the best line with the numbers left, all of one face."""
    number = smallest_number(word)
    times = faces(word, number)
    best = ZERO
    movable = sources(turn, board, number)
    if word & THRIFTY:
        while movable:
            best = max(best, STEP - charge(rules, turn, board, lone_bit(movable), number, ZERO))
            movable &= movable - ONE
        return best
    while movable and times:  # the highest first: it can only open the way for others
        board = moved(turn, board, ONE << (TOP - leading(movable)), number)
        movable = sources(turn, board, number)
        times -= ONE
        best += STEP
    return best + STEP * times if borne_off(board) else best


@helper
def line_worth(rules: Rules, turn: Turn, board: Board, word: U, source: U, number: U) -> U:
    """Worth of the best line that begins with a step."""
    left = without(word, number)
    after = moved(turn, board, source, number)
    worth = STEP
    if word & THRIFTY:
        other = smallest_number(left) if left & NUMBERS else ZERO
        worth -= charge(rules, turn, board, source, number, other)
    if left & NUMBERS == ZERO:
        return worth
    if borne_off(after):
        unplayed = ONE if word & THRIFTY and rules.table[WASTE_PIPS] == U(3) else ZERO
        return worth + (STEP - unplayed) * faces(left, smallest_number(left))
    rest = rest_worth(rules, turn, after, left)
    if rest == ZERO and rules.table[LARGER_DIE] != ZERO and number > smallest_number(left):
        return worth + LARGER
    return worth + rest


@helper
def steps_worth(worth: U) -> U:
    """How many numbers a line of this worth plays, or counts as playing."""
    return (worth + LARGER - ONE) // STEP


@helper
def best_worth(rules: Rules, turn: Turn, board: Board, word: U) -> U:
    """Worth of the best line of a play node; 0 if nothing can be played."""
    best = ZERO
    for face in range(1, 7):
        number = U(face)
        movable = sources(turn, board, number) if faces(word, number) else ZERO
        while movable:
            best = max(best, line_worth(rules, turn, board, word, lone_bit(movable), number))
            movable &= movable - ONE
    return best


@helper
def turn_of(rules: Rules, board: Board, word: U) -> Turn:
    """What stays the same while the numbers of a turn word are played."""
    if rules.table[HIT_AND_RUN] == ZERO:
        return make_turn(rules, board, word, ZERO)
    return guarded_turn(rules, board, word)


@helper
def guarded_turn(rules: Rules, board: Board, word: U) -> Turn:
    """`turn_of` where hitters may have to stay."""
    if word & FREED:
        return make_turn(rules, board, word, ZERO)
    bound = make_turn(rules, board, word, KEPT_POINTS)
    if rules.table[HIT_AND_RUN] != U(2):
        return bound
    free = make_turn(rules, board, word, ZERO)
    wasted = steps_worth(best_worth(rules, bound, board, word)) < steps_worth(best_worth(rules, free, board, word))
    return free if wasted else bound


@helper
def listed(out: Rows, n: U, board: Board) -> bool:
    """Whether a board is among the first n rows."""
    found = False
    for i in range(n):
        found |= bool(out[i, 0] == board[0] and out[i, 1] == board[1] and out[i, 2] == board[2] and out[i, 3] == board[3])
    return found


@helper
def thrifty_results(rules: Rules, turn: Turn, board: Board, word: U, out: Rows) -> U:
    """Results of the lines that are worth most where `waste_pips` holds, of two different numbers or what is left of them."""
    n = ZERO
    best = best_worth(rules, turn, board, word)
    for face in range(1, 7):
        number = U(face)
        if faces(word, number) == ZERO:
            continue
        left = without(word, number)
        other = smallest_number(left) if left & NUMBERS else ZERO
        movable = sources(turn, board, number)
        while movable:
            source = lone_bit(movable)
            movable ^= source
            if line_worth(rules, turn, board, word, source, number) != best:
                continue
            after = moved(turn, board, source, number)
            replies = sources(turn, after, other) if other else ZERO
            if replies == ZERO and not listed(out, n, after):
                n = emit(out, n, after, ZERO)
            so_far = STEP - charge(rules, turn, board, source, number, other)
            while replies:
                reply = lone_bit(replies)
                replies ^= reply
                result = moved(turn, after, reply, other)
                if so_far + STEP - charge(rules, turn, after, reply, other, ZERO) == best and not listed(out, n, result):
                    n = emit(out, n, result, ZERO)
    return n


@helper
def track_plays(rules: Rules, board: Board, word: U, out: Rows, work: Rows) -> U:
    """All distinct results of the numbers in the turn word; 0 when none can be played."""
    turn = turn_of(rules, board, word)
    small, large = smallest_number(word), largest_number(word)
    if word & THRIFTY:
        return thrifty_results(rules, turn, board, word, out)
    if small == large:
        return repeated(rules.table[FORCED_USE], turn, board, small, faces(word, small), out, work)
    own = occupied(board) & OWN
    outside = own & OUTSIDE
    two_outside = outside & (outside - ONE) or outside & (board[1] | board[2] | board[3])
    if two_outside and own & BAR_BIT == ZERO and rules.table[FORCED_USE] == ZERO:
        return two_numbers_afield(rules.table[LARGER_DIE], turn, board, large, small, out)
    return two_numbers(rules.table[FORCED_USE], rules.table[LARGER_DIE], turn, board, large, small, out, work)
