"""Plays on a track of 24 points: every distinct result of a stage, each exactly once.

All functions see the board from the player to act. `free` is the mask of points he may land on
(fewer than two opposing checkers); it does not change during his turn, because only blots are hit.
"""

from tablezoo.kernel.bits import ALL, ONE, TOP, ZERO, U, leading, lowest
from tablezoo.kernel.board import BAR, HIT, OUTSIDE, OWN, POINTS, SHIFT, TURN, Board, Rows, add, faces, occupied, planes, put, remove
from tablezoo.kernel.jit import helper
from tablezoo.rules import Rules

BAR_BIT = ONE << U(BAR)


@helper
def open_points(board: Board) -> U:
    """Points with fewer than two opposing checkers."""
    return POINTS & ~((board[1] | board[2] | board[3]) >> SHIFT)


@helper
def sources(board: Board, free: U, number: U) -> U:
    """Mask of places from which a checker may go by this number: the bar first, bearing off from home."""
    own = occupied(board) & OWN
    onto_points = own & (free << number)
    if own & BAR_BIT:
        return onto_points & BAR_BIT
    if own & OUTSIDE or own == ZERO:
        return onto_points
    exact = own & (ONE << number)
    highest = TOP - leading(own)
    if exact == ZERO and highest < number:
        return onto_points | (ONE << highest)
    return onto_points | exact


@helper
def borne_off(board: Board) -> bool:
    """Whether no own checker is left in play: the game is over, which counts as using the whole roll."""
    return bool(occupied(board) & OWN == ZERO)


@helper
def blots(board: Board, free: U) -> U:
    """Points with a single opposing checker."""
    return (board[0] >> SHIFT) & free


@helper
def moved(board: Board, source: U, number: U, hittable: U) -> Board:
    """The board after the checker of a one-bit mask went by a number, hitting if it lands on a point of `hittable`."""
    landing = max(source >> number, ONE)
    a, b, c, d = add(remove(board, source), landing)
    hit = landing & hittable
    if hit:
        return add((a ^ (hit << SHIFT), b, c, d), HIT)
    return a, b, c, d


@helper
def emit(out: Rows, n: U, board: Board, turn: U) -> U:
    """Append a row; in a full buffer the last row is overwritten and the count goes on, so that the caller sees the overflow."""
    put(out, min(n, U(out.shape[0]) - ONE), board, turn)
    return n + ONE


@helper
def expand(level: Rows, first: U, last: U, number: U, free: U, out: Rows, n: U, tag: U) -> U:
    """Append to `out` the boards one step after rows first..last-1, from sources up to each row's turn word.

    The source, masked by `tag`, becomes the new row's turn word.
    """
    for i in range(first, last):
        board = planes(level[i])
        hittable = blots(board, free)
        movable = sources(board, free, number) & ((level[i, TURN] << ONE) - ONE)
        while movable:
            source = movable & (~movable + ONE)
            movable ^= source
            n = emit(out, n, moved(board, source, number, hittable), source & tag)
    return n


@helper
def collect(level: Rows, first: U, last: U, number: U, free: U, stuck_only: bool, out: Rows, n: U) -> U:
    """Append to `out` the boards of rows first..last-1, or only those from which the number cannot be played."""
    for i in range(first, last):
        board = planes(level[i])
        if not stuck_only or sources(board, free, number) == ZERO:
            n = emit(out, n, board, ZERO)
    return n


@helper
def repeated(rules: Rules, board: Board, number: U, times: U, free: U, out: Rows, work: Rows) -> U:
    """Results of one number played up to `times` times, level by level of numbers played.

    Sources are taken in non-increasing order: any legal set of steps can be played highest first, and
    different sets give different boards, so each result appears once. `work` holds the levels, each
    row's turn word there being its lowest source so far.
    """
    greedy = rules.forced_use != ZERO
    n, first, last, used = ZERO, ZERO, ONE, ZERO
    put(work, ZERO, board, BAR_BIT)
    while used + ONE < times:
        end = expand(work, first, last, number, free, work, last, ALL)
        if end > U(work.shape[0]):
            return end
        if end == last:
            break
        if greedy and used:
            n = collect(work, first, last, number, free, True, out, n)
        first, last, used = last, end, used + ONE
    n = expand(work, first, last, number, free, out, n, ZERO)
    if used and (greedy or n == ZERO):
        n = collect(work, first, last, number, free, greedy, out, n)
    return n


@helper
def two_numbers(rules: Rules, board: Board, a: U, b: U, free: U, out: Rows, work: Rows) -> U:
    """Results of two different numbers a > b, each tried first.

    The first number's source p and the second's q name a result unless one checker played both
    (a chain), so the pass with b first leaves out what the pass with a first has listed.
    `work[p, 0]` is the mask of sources that b was paired with after a moved p.
    """
    n = ZERO
    hittable = blots(board, free)
    chains = ZERO  # sources of checkers that played a, then b
    lone = ZERO  # sources that bore off by a after which b could not be played
    for i in range(BAR + 1):
        work[i, 0] = ZERO
    movable = sources(board, free, a)
    by_a = movable
    while movable:
        p = lowest(movable)
        movable &= movable - ONE
        after = moved(board, ONE << p, a, hittable)
        replies = sources(after, free, b)
        if replies == ZERO and (rules.forced_use != ZERO or borne_off(after)):
            n = emit(out, n, after, ZERO)
            if p <= a:
                lone |= ONE << p
        replies &= ~(ONE << (p + b))  # that checker lands on p: the chain b, a of the other pass
        while replies:
            q = lowest(replies)
            replies &= replies - ONE
            if q + a == p:
                chains |= ONE << p
            elif p <= a and q <= b and (work[q, 0] >> p) & ONE:
                continue  # both bear off: p and q have changed roles
            else:
                work[p, 0] |= ONE << q
            n = emit(out, n, moved(after, ONE << q, b, blots(after, free)), ZERO)
    movable = sources(board, free, b)
    by_b = movable
    while movable:
        q = lowest(movable)
        movable &= movable - ONE
        after = moved(board, ONE << q, b, hittable)
        quiet = ((ONE << q >> a) | (ONE << q >> b)) & hittable == ZERO  # neither way of a chain from q hits in the middle
        replies = sources(after, free, a)
        if replies == ZERO and rules.forced_use != ZERO and not (lone >> q) & ONE:
            n = emit(out, n, after, ZERO)
        replies &= ~(ONE << (q + a))
        while replies:
            p = lowest(replies)
            replies &= replies - ONE
            if p + b == q:
                if quiet and ((chains | lone) >> q) & ONE:
                    continue
            elif (work[p, 0] >> q) & ONE or (q <= b and p <= a and (work[q, 0] >> p) & ONE):
                continue
            else:
                work[p, 0] |= ONE << q
            n = emit(out, n, moved(after, ONE << p, a, blots(after, free)), ZERO)
    if n == ZERO:
        n = one_of_two(rules, board, a, b, by_a, by_b, hittable, out)
    return n


@helper
def one_of_two(rules: Rules, board: Board, a: U, b: U, by_a: U, by_b: U, hittable: U, out: Rows) -> U:
    """Results of a > b where no play uses both: of the larger number if the rules say so, else of either."""
    n = ZERO
    if by_a and rules.larger_die != ZERO:
        by_b = ZERO
    by_b &= ~(by_a & ((ONE << (b + ONE)) - ONE))  # bearing off by a and by b gives the same board
    while by_a:
        n = emit(out, n, moved(board, by_a & (~by_a + ONE), a, hittable), ZERO)
        by_a &= by_a - ONE
    while by_b:
        n = emit(out, n, moved(board, by_b & (~by_b + ONE), b, hittable), ZERO)
        by_b &= by_b - ONE
    return n


@helper
def two_numbers_afield(rules: Rules, board: Board, a: U, b: U, free: U, out: Rows) -> U:
    """`two_numbers` in closed form: nobody on the bar, two or more checkers outside home, forced_use max.

    Then nothing is borne off and no step changes which others are legal, except that a step vacates
    its source and fills its target; chains differ by the number played first only if they hit on the way.
    """
    n = ZERO
    own = occupied(board) & OWN
    several = (board[1] | board[2] | board[3]) & OWN
    hittable = blots(board, free)
    by_a = own & (free << a)
    by_b = own & (free << b)
    whole = free << (a + b)
    chains = by_a & whole
    chains_b_first = by_b & whole & ~(chains & ~((hittable << a) | (hittable << b)))
    movable = by_a
    while movable:
        p = movable & (~movable + ONE)
        movable ^= p
        partners = by_b & ~(p & ~several) & ~(p << b)  # a single checker moves once; p << b is the chain b, a
        partners = partners | p >> a if chains & p else partners & ~(p >> a)
        if partners == ZERO:
            continue
        after = moved(board, p, a, hittable)
        left = hittable & ~(p >> a)
        while partners:
            n = emit(out, n, moved(after, partners & (~partners + ONE), b, left), ZERO)
            partners &= partners - ONE
    while chains_b_first:
        q = chains_b_first & (~chains_b_first + ONE)
        chains_b_first ^= q
        n = emit(out, n, moved(moved(board, q, b, hittable), q >> b, a, hittable), ZERO)
    if n == ZERO:
        n = one_of_two(rules, board, a, b, by_a, by_b, hittable, out)
    return n


@helper
def track_plays(rules: Rules, board: Board, turn: U, out: Rows, work: Rows) -> U:
    """All distinct results of the numbers in the turn word; 0 when none can be played."""
    free = open_points(board)
    small = lowest(turn) // U(3) + ONE
    large = (TOP - leading(turn)) // U(3) + ONE
    if small == large:
        return repeated(rules, board, small, faces(turn, small), free, out, work)
    own = occupied(board) & OWN
    outside = own & OUTSIDE
    two_outside = outside & (outside - ONE) or outside & (board[1] | board[2] | board[3])
    if two_outside and own & BAR_BIT == ZERO and rules.forced_use == ZERO:
        return two_numbers_afield(rules, board, large, small, free, out)
    return two_numbers(rules, board, large, small, free, out, work)
