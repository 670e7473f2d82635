"""Steps on a track by rules that go beyond backgammon's: pins, parallel movement, blocks of one, runners, primes, other boards.

The board is that of `tablezoo.kernel.board`; beside it bit 26 counts own checkers in hand and bit 37 the opponent's, and the
turn word holds, from bit 32 on, what lasts beyond the turn. A point on which both sides stand is a pin: the mask `UNDER` says
whether the lower checker is one's own. During a turn nobody but the opponent's checkers is pinned or freed, so a step needs no
bookkeeping: landing on a lone checker leaves it there, and it is free again when the last one above it has gone.

All functions see the board from the player to act.
"""

from typing import NamedTuple

import numpy as np

from tablezoo.kernel.bits import ONE, TOP, ZERO, U, leading, lowest, popcount, reverse
from tablezoo.kernel.board import (
    BAR,
    GOES_ON,
    HIT,
    NUMBERS,
    OFF,
    POINTS,
    SHIFT,
    Board,
    add,
    count,
    occupied,
    remove,
)
from tablezoo.kernel.chain import GIFT, MORE, PLAINS, first_stage, plains_after
from tablezoo.kernel.dice import DOUBLETS
from tablezoo.kernel.jit import helper, inlined
from tablezoo.kernel.track import lone_bit
from tablezoo.rules import BEAR_OFF, CHECKERS, FORCED_USE, FURTHER, LARGER_DIE, SCORING, Rules, own_options

HAND = 26
HAND_BIT = ONE << U(HAND)
BAR_BIT = ONE << U(BAR)
BOTH_POINTS = POINTS | (POINTS << SHIFT)
HOME = U(0x7E)

THREE_FOUR_SIX = DOUBLETS & U(0o707700)
"""Doublets with which a second checker may leave the head in a first turn."""
QUOTA = U(20)
"""Shift of the turn word's number (two bits) of checkers that may still leave the head."""
QUOTA_BITS = U(3 << 20)
STUCK = U(1 << 22)
"""Turn-word mark of a first turn in which one more may leave the head if that plays more numbers."""
UNDER = U(32)
"""Shift of the turn word's mask of points 1 to 24 on which an own checker lies under one of the opponent's."""
RUN, OPPONENT_RUN = U(1 << 57), U(1 << 58)
"""Turn-word marks of a runner who has arrived, own and the opponent's, where it cannot be read off the board."""
LASTING = (POINTS << UNDER) | RUN | OPPONENT_RUN | PLAINS

PARALLEL, SAME = ONE, U(2)
HITS, PINS, PASSES_NONE = ZERO, ONE, U(2)
AT_TURN_END = ONE
REACHED_HOME = U(2)
AHEAD, FEVGA = ONE, U(2)
ENEMY_START = ONE
PINNER_HOME, STRICT = ONE, U(2)
HAND_FIRST, NEEDS_HOME, HALF_GATE, NO_GATE = (U(1 << k) for k in range(4))
"""Flags of `Wide`."""

_AT = {name: FURTHER + k for k, name in enumerate(own_options("track"))}
_MOVEMENT, _BLOCK, _BLOT, _HEAD, _HEAD_FIRST = (_AT[name] for name in ("movement", "block", "blot", "head_limit", "head_first"))
_RUNNER, _PRIME, _CHECK, _LIMIT, _MOTHER = (_AT[name] for name in ("runner", "prime", "prime_check", "points_limit", "mother"))
_PROTECT, _STACK, _HIT_TO = _AT["protect"], _AT["stack_limit"], _AT["hit_to"]
_HAND_FIRST, _NEEDS_HOME, _HALF_GATE, _GATE = (_AT[name] for name in ("enter_hand_first", "hit_needs_home", "half_gate", "bear_off_gate"))
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
    to_hand: U
    flags: U
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
        t[_HIT_TO],
        flags_of(rules),
        t[_SIZE],
    )


@helper
def flags_of(rules: Rules) -> U:
    """The options that are flags."""
    t = rules.table
    return U(t[_HAND_FIRST] * HAND_FIRST | t[_NEEDS_HOME] * NEEDS_HOME | t[_HALF_GATE] * HALF_GATE | (ONE - t[_GATE]) * NO_GATE)


@helper
def half_way_round(points: U) -> U:
    """A mask of points 1 to 24 as a player numbers them who began in the opposite corner."""
    return ((points << U(12)) | (points >> U(12))) & POINTS


@helper
def across(wide: Wide, points: U) -> U:
    """A mask of points as the other player numbers them."""
    if wide.movement == PARALLEL:
        return half_way_round(points)
    if wide.movement == SAME:
        return points
    return reverse_points(points) >> (U(24) - wide.size)


@helper
def reverse_points(points: U) -> U:
    """A mask of points 1 to 24 in the opposite order."""
    return (reverse(points) >> SHIFT) & POINTS


@helper
def turned_plane(wide: Wide, plane: U) -> U:
    """A plane seen by the other player."""
    own, opponent = plane & POINTS, (plane >> SHIFT) & POINTS
    corners = reverse(plane & ~BOTH_POINTS)
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
    after = plains_after(word)
    if word & GIFT:
        after |= word & (NUMBERS | MORE | GIFT) | QUOTA_BITS
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
    bound = U(6) if wide.runner == REACHED_HOME else U(11)
    return bool(lowest(own) > bound)


@helper
def is_over(wide: Wide, board: Board, under: U) -> bool:
    """Whether the game is over after a step: all own checkers off, or a mother pinned."""
    if wide.blot != PINS and own_points(board):
        return False
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
                whole = np.int64(wide.checkers - count(board, TOP))
                return whole if wide.scoring > U(3) else np.int64(min(wide.scoring, U(2)))
    return GOES_ON


@helper
def wide_outcome(rules: Rules, board: Board, word: U) -> np.int64:
    """`wide_points` of a result."""
    return wide_points(wide_of(rules), board, under_of(word))


@helper
def reached_home(board: Board) -> bool:
    """Whether a checker of the player is at home or off."""
    return bool(own_points(board) & HOME or count(board, U(OFF)) != ZERO)


@inlined
def wide_sources(wide: Wide, stage: Stage, board: Board, number: U, quota: U) -> U:
    """Mask of places from which a checker may go by this number, formations left aside."""
    own = own_points(board)
    free = stage.free & ~own if wide.stack else stage.free
    if wide.flags & NEEDS_HOME and not reached_home(board):
        free &= ~opponent_points(board)
    entry = free & (ONE << (wide.size + ONE - number))
    if occupied(board) & BAR_BIT:
        return BAR_BIT if entry else ZERO
    hand = occupied(board) & HAND_BIT
    if hand and wide.flags & HAND_FIRST:
        return HAND_BIT if entry else ZERO
    able = own & ~stage.under
    if runner_out(wide, stage, board):
        able = lone_bit(own)
    if quota == ZERO:
        able &= ~(ONE << wide.size)
    found = able & (free << number)
    if hand:
        if wide.flags & HALF_GATE:
            second_half = (ONE << ((wide.size >> ONE) + ONE)) - ONE
            found &= second_half | ~(second_half << number)
        if entry:
            found |= HAND_BIT
    near = able & ((ONE << (number + ONE)) - ONE)
    if near == ZERO:
        return found
    if wide.bear_off == U(2):
        return found | near
    if wide.flags & NO_GATE:
        own &= ~stage.under
    elif own & ~HOME or stage.under or hand:
        return found
    if wide.bear_off == ZERO and TOP - leading(own) < number and not hand:
        return found | (able & (ONE << (TOP - leading(own))))
    return found | (able & (ONE << number))


@helper
def landing(wide: Wide, source: U, number: U) -> U:
    """The one-bit mask of where a checker goes by a number."""
    return ONE << (wide.size + ONE - number) if source >= BAR_BIT else max(source >> number, ONE)


@helper
def wide_moved(wide: Wide, board: Board, source: U, number: U) -> Board:
    """The board after the checker of a one-bit mask went by a number."""
    target = landing(wide, source, number)
    after = add(remove(board, source), target)
    if wide.blot == HITS:
        a, b, c, d = after
        hit = target & POINTS & (occupied(board) >> SHIFT)
        if hit:
            return add((a ^ (hit << SHIFT), b, c, d), HIT >> ONE if wide.to_hand else HIT)
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


@helper
def wide_numbers(rules: Rules, board: Board, word: U, thrown: U) -> U:
    """The turn word after a roll (`dice.die`)."""
    t = rules.table
    lasting = word & LASTING
    left = first_stage(rules, word, thrown)
    if t[_HEAD] == ZERO:
        return lasting | left | QUOTA_BITS
    first_turn = count(board, t[_SIZE]) == t[CHECKERS]
    quota = t[_HEAD]
    if first_turn and t[_HEAD_FIRST] == ONE and thrown & THREE_FOUR_SIX:
        quota += ONE
    stuck = STUCK if first_turn and t[_HEAD_FIRST] == U(2) else ZERO
    return U(lasting | left | (quota << QUOTA) | stuck)


@helper
def dice_of(rules: Rules) -> U:
    """How many dice are thrown."""
    return U(rules.table[_DICE])
