"""Plays of three numbers that are not all alike, by the general rules of `tablezoo.kernel.wide`; and what all lists of results share.

The numbers are tried in every order, but of two steps that follow each other and could change places only one order is gone:
the larger number first, then the higher source. What few results still come up twice are found by a hash table.
"""

from typing import NamedTuple

from tablezoo.kernel.bits import ONE, ZERO, U
from tablezoo.kernel.board import Board, Rows, faces
from tablezoo.kernel.jit import helper
from tablezoo.kernel.track import emit, largest_number, lone_bit, smallest_number, without
from tablezoo.kernel.wide import (
    AT_TURN_END,
    BAR_BIT,
    HOME,
    NEEDS_HOME,
    PINS,
    Stage,
    Wide,
    formation_ok,
    is_over,
    landing,
    opponent_points,
    own_points,
    quota_after,
    runner_out,
    wide_moved,
    wide_sources,
)

TWO, THREE = U(2), U(3)
SLOTS = U(1 << 13)
"""Of the hash table: `work[:SLOTS // 4, :4]`. What a slot holds is the index of a result only if `work[index, SLOT_OF]` names the slot: nothing is cleared."""
SLOT_OF = 4


class Found(NamedTuple):
    """A list of results."""

    n: U
    """Rows in the buffer."""
    used: U
    """Numbers that each of them uses; all if the game ends."""
    left: U
    """Numbers that are left over; if these or others may be, one of them."""


class Part(NamedTuple):
    """A part of a turn."""

    board: Board
    quota: U
    left: U
    """Numbers left."""
    any_order: bool
    """Whether of two steps that are both allowed one may bar the other."""


@helper
def wide_three(wide: Wide, stage: Stage, board: Board, quota: U, left: U, out: Rows, work: Rows) -> Found:
    """Results of three numbers that are not all alike."""
    found = Found(ZERO, ZERO, ZERO)
    any_order = bool(wide.stack != ZERO or wide.prime != ZERO or wide.limit != ZERO or wide.flags & NEEDS_HOME or runner_out(wide, stage, board))
    here = Part(board, quota, left, any_order)
    for face in range(6, 0, -1):
        number = U(face)
        if faces(left, number) == ZERO:
            continue
        others = without(left, number)
        large, small = largest_number(others), smallest_number(others)
        by_large, by_small = wide_sources(wide, stage, board, large, quota), wide_sources(wide, stage, board, small, quota)
        movable = wide_sources(wide, stage, board, number, quota)
        while movable:
            source = lone_bit(movable)
            movable ^= source
            after = stepped(wide, here, source, number)
            if barred(wide, stage, after.board):
                continue
            if (own_points(after.board) == ZERO or wide.blot == PINS) and is_over(wide, after.board, stage.under):
                found = recorded(found, THREE, after.board, ZERO, out, work)
                continue
            large_done, small_done = done(wide, here, by_large, large, source, number), done(wide, here, by_small, small, source, number)
            found = second_steps(wide, stage, after, large, large_done, small, small_done, found, out, work)
            if counts(wide, stage, found, ONE, after):
                found = recorded(found, THREE if wide.greedy else ONE, after.board, after.left, out, work)
    return found


@helper
def second_steps(wide: Wide, stage: Stage, here: Part, large: U, large_done: U, small: U, small_done: U, found: Found, out: Rows, work: Rows) -> Found:
    """The results of two more numbers, but for the steps that are done before the one that led here."""
    by_large, by_small = wide_sources(wide, stage, here.board, large, here.quota), wide_sources(wide, stage, here.board, small, here.quota)
    for k in range(1 if large == small else 2):
        number, other = (large, small) if k == 0 else (small, large)
        movable, others = (by_large & ~large_done, by_small) if k == 0 else (by_small & ~small_done, by_large)
        while movable:
            source = lone_bit(movable)
            movable ^= source
            if other > number and found.used == THREE and leads_nowhere(wide, stage, here, source, number, other):
                continue
            after = stepped(wide, here, source, number)
            if barred(wide, stage, after.board):
                continue
            if (own_points(after.board) == ZERO or wide.blot == PINS) and is_over(wide, after.board, stage.under):
                found = recorded(found, THREE, after.board, ZERO, out, work)
                continue
            found = third_steps(wide, stage, after, other, done(wide, here, others, other, source, number), found, out, work)
            if counts(wide, stage, found, TWO, after):
                found = recorded(found, THREE if wide.greedy else TWO, after.board, after.left, out, work)
    return found


@helper
def leads_nowhere(wide: Wide, stage: Stage, here: Part, source: U, number: U, other: U) -> bool:
    """Whether it is plain that after a step no larger number can be played that could not be played before it.

    Only the checker that moves could go on by it then, as long as others stand outside the home board and no flag is set.
    """
    outside = own_points(here.board) & ~HOME & ~source
    if wide.greedy or here.any_order or wide.flags or source >= BAR_BIT or outside == ZERO:
        return False
    return bool((landing(wide, source, number) >> other) & stage.free == ZERO)


@helper
def third_steps(wide: Wide, stage: Stage, here: Part, number: U, others_done: U, found: Found, out: Rows, work: Rows) -> Found:
    """The results of the last number, but for the steps that are done before the one that led here."""
    movable = wide_sources(wide, stage, here.board, number, here.quota) & ~others_done
    while movable:
        source = lone_bit(movable)
        movable ^= source
        board = wide_moved(wide, here.board, source, number)
        if not here.any_order or formation_ok(wide, stage, board):
            found = recorded(found, THREE, board, ZERO, out, work)
    return found


@helper
def done(wide: Wide, here: Part, movable: U, number: U, source: U, by: U) -> U:
    """Places from which a number is played before the step `source` by `by`, not after it: larger numbers and higher places come first.

    That step may be the first half of a checker's way: it goes by the larger number first, unless that bears off or hits on the way.
    None where the order of steps matters.

    Args:
        movable: places from which the number can be played here.
    """
    if here.any_order or number < by:
        return ZERO
    if number == by:
        return movable & ~((source << ONE) - ONE)
    half_way, other_way = landing(wide, source, by), landing(wide, source, number)
    hits = (half_way | other_way) & opponent_points(here.board)
    return movable | half_way if movable & source and half_way >> number > ONE and not hits else movable


@helper
def stepped(wide: Wide, here: Part, source: U, number: U) -> Part:
    """The part of a turn after a step."""
    return Part(wide_moved(wide, here.board, source, number), quota_after(here.quota, wide, source), without(here.left, number), here.any_order)


@helper
def barred(wide: Wide, stage: Stage, board: Board) -> bool:
    """Whether the points held are not allowed in the middle of a turn."""
    return wide.check != AT_TURN_END and not formation_ok(wide, stage, board)


@helper
def counts(wide: Wide, stage: Stage, found: Found, used: U, here: Part) -> bool:
    """Whether a turn may end after so many steps: if greedy, where no more can be played; else as long as nothing longer is known."""
    if here.any_order and not formation_ok(wide, stage, here.board):
        return False
    return not goes_on(wide, stage, here) if wide.greedy else bool(found.used <= used)


@helper
def goes_on(wide: Wide, stage: Stage, here: Part) -> bool:
    """Whether a number left can be played."""
    for face in range(1, 7):
        number = U(face)
        movable = wide_sources(wide, stage, here.board, number, here.quota) if faces(here.left, number) else ZERO
        while movable:
            if formation_ok(wide, stage, wide_moved(wide, here.board, lone_bit(movable), number)):
                return True
            movable &= movable - ONE
    return False


@helper
def recorded(found: Found, used: U, board: Board, left: U, out: Rows, work: Rows) -> Found:
    """The list with a result that uses so many numbers and leaves these, if it is new and no other uses more."""
    if used < found.used:
        return found
    n = found.n if used == found.used else ZERO
    a, b, c, d = board
    key = (a * U(0x9E3779B97F4A7C15)) ^ (b * U(0xC2B2AE3D27D4EB4F)) ^ (c * U(0x165667B19E3779F9)) ^ (d * U(0x27D4EB2F165667C5))
    slot = ((key ^ (key >> U(32))) * U(0x9E3779B97F4A7C15)) >> U(51)
    while True:
        at = work[slot >> TWO, slot & THREE]
        if at >= n or work[at, SLOT_OF] != slot:
            break
        if out[at, 0] == a and out[at, 1] == b and out[at, 2] == c and out[at, 3] == d:
            return found
        slot = (slot + ONE) & (SLOTS - ONE)
    if n < U(work.shape[0]):
        work[slot >> TWO, slot & THREE], work[n, SLOT_OF] = n, slot
    return Found(emit(out, n, board, ZERO), used, left)
