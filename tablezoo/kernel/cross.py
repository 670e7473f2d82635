"""The cross games: pieces that walk over a graph of spaces, are captured, come in again at doors, and score there.

Bit s of the planes, for a space s (at most 52):

    plane 0   a single own piece            plane 2   a single piece of the opponent
    plane 1   two own pieces                plane 3   two pieces of the opponent

so that the number at a space is own + 4 * opponent's. Beside the spaces, each counter with its own number:

    bit 52, 53   captured pieces of the player to act and of his opponent (modulo 16)
    bit 54, 55   pieces in their victory boxes
    bit 56, 57   captured pieces divided by 16
    bit 60       the side of the player to act: 0 is x, 1 is o

The turn word holds the dice on the table as in the track games, then, three bits each, the uses made, the rerolls
that may be taken and the credits for scoring, then marks.
"""

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from tablezoo.kernel.bits import ONE, ZERO, U, lowest
from tablezoo.kernel.board import AGAIN, GOES_ON, NUMBERS, Board, add, count, remove
from tablezoo.kernel.jit import helper
from tablezoo.rules import FURTHER, Rules, own_options

CAPTURED, VICTORY, SIXTEENS, SIDE = 52, 54, 56, 60
SPACES = U((1 << CAPTURED) - 1)
LEFT_COUNTERS = U(0b010101 << CAPTURED)
"""Counters of the player to act; his opponent's are one bit higher."""
WINS = U(5)
"""Pieces in the victory box that win."""
MOST_USES = U(4)

USES, PENDING, CREDITS = U(18), U(21), U(24)
FIELD = U(7)
"""Mask of such a number."""
ENTER = U(1 << 27)
"""Turn-word mark: a captured piece must still be entered in this turn."""
FIRST = U(1 << 28)
"""Turn-word mark of a player's first turn, in which threes are not rerolled; at the roll node the dice are the roll-off's,"""
SECOND = U(1 << 29)
"""but not with this mark, of the other player's first turn,"""
ANEW = U(1 << 31)
"""nor with this one, of a game that began without a roll-off."""
REROLL = U(1 << 30)
"""Turn-word mark of the node at which one die is thrown again."""
MEMORY = U(32)
"""Shift of up to three pieces that have moved in this turn: space + 1 in six bits, the edges it may have come by in four."""
MEMORY_BITS = U(10)
SLOT = U(1023)
SPENT = U(7)
"""Credits where the one score of a turn has been made."""

MOVE_PIECE, ENTER_PIECE, SCORE_PIECE, TAKE_REROLL, KEEP_NUMBER, END_TURN = (U(k) for k in range(6))
"""What a stage may decide: code // 2**16."""

GEOMETRY = FURTHER + len(own_options("cross"))
"""Where the board begins in the record's table (`tablezoo.games.crosses.walks`)."""
ONE_WAY = U(1 << 10)
"""Mark of an edge there that cannot be walked back."""
DOORS = GEOMETRY + 3
REACH = DOORS + 14


class Cross(NamedTuple):
    """The options of the kind (`tablezoo.rules.CHOICES`), and where parts of the board begin in the table."""

    uturn_scope: U
    pairs_block: U
    enter_first: U
    clear_door: U
    credits: U
    score_forced: U
    reroll_after: U
    reroll_cap: U
    reroll_timing: U
    first_turn: U
    forced_use: U
    spaces: U
    edges: U
    space_of: U
    nexts: U
    entered: U
    table: NDArray[U]


@helper
def cross_of(rules: Rules) -> Cross:
    """The options and the board from the record's table."""
    t = rules.table
    spaces, walkers, edges = t[GEOMETRY], t[GEOMETRY + 1], t[GEOMETRY + 2]
    space_of = U(REACH) + walkers * U(7)
    nexts = space_of + walkers
    entered = nexts + walkers * U(4)
    return Cross(
        t[FURTHER + 1],
        t[FURTHER + 2],
        t[FURTHER + 3],
        t[FURTHER + 4],
        t[FURTHER + 5],
        t[FURTHER + 6],
        t[FURTHER + 7],
        t[FURTHER + 8],
        t[FURTHER + 9],
        t[FURTHER + 10],
        t[FURTHER + 11],
        spaces,
        edges,
        space_of,
        nexts,
        entered,
        t,
    )


@helper
def cross_turned(board: Board) -> Board:
    """The board seen by the other player."""
    a, b, c, d = board
    side = (a ^ (ONE << U(SIDE))) & (ONE << U(SIDE))
    return swapped(c, a) | side, swapped(d, b), swapped(a, c), swapped(b, d)


@helper
def swapped(spaces: U, counters: U) -> U:
    """A plane with these spaces, and these counters with the sides changed."""
    return (spaces & SPACES) | ((counters & LEFT_COUNTERS) << ONE) | ((counters >> ONE) & LEFT_COUNTERS)


@helper
def field(word: U, shift: U) -> U:
    """A three-bit number of the turn word."""
    return (word >> shift) & FIELD


@helper
def captured(board: Board) -> U:
    """Captured pieces of the player to act."""
    return count(board, U(CAPTURED)) | (count(board, U(SIXTEENS)) << U(4))


@helper
def full_spaces(board: Board) -> U:
    """Spaces with two pieces."""
    return (board[1] | board[3]) & SPACES


@helper
def own_spaces(board: Board) -> U:
    """Spaces with own pieces."""
    return (board[0] | board[1]) & SPACES


@helper
def door(cross: Cross, board: Board, number: U) -> U:
    """Mask of the spaces with a number, for the side of the player to act."""
    side = (board[0] >> U(SIDE)) & ONE
    return U(cross.table[U(DOORS) + side * U(7) + number])


@helper
def came_by(word: U, space: U) -> U:
    """Edges (four bits) by which the piece on a space has come in this turn, if that matters."""
    memory = word >> MEMORY
    for k in range(3):
        slot = (memory >> (MEMORY_BITS * U(k))) & SLOT
        if slot >> U(4) == space + ONE:
            return slot & U(15)
    return ZERO


@helper
def reach(cross: Cross, board: Board, word: U, space: U, number: U) -> U:
    """Spaces to which a piece may walk in so many steps, full ones included."""
    edges = came_by(word, space) if cross.uturn_scope else ZERO
    if cross.pairs_block:
        low, high = walk(cross, board, word, space, number)
        return spaces_of(cross, low, ZERO) | spaces_of(cross, high, U(64))
    if edges == ZERO:
        return U(cross.table[U(REACH) + space * U(7) + number])
    targets = ZERO
    for k in range(4):
        if (edges >> U(k)) & ONE:
            walker = cross.table[cross.entered + space * U(4) + U(k)] - ONE + cross.edges
            targets |= cross.table[U(REACH) + walker * U(7) + number]
    return targets


@helper
def spaces_of(cross: Cross, front: U, base: U) -> U:
    """Spaces of the walkers in the middle of a move whose numbers are in the mask."""
    spaces = ZERO
    while front:
        spaces |= ONE << cross.table[cross.space_of + cross.spaces + base + lowest(front)]
        front &= front - ONE
    return spaces


@helper
def stepped(cross: Cross, walker: U, low: U, high: U) -> tuple[U, U]:
    """The front with the walkers that a walker may become by a step."""
    for k in range(4):
        after = cross.table[cross.nexts + walker * U(4) + U(k)]
        if after:
            bit = after - ONE - cross.spaces
            if bit < U(64):
                low |= ONE << bit
            else:
                high |= ONE << (bit - U(64))
    return low, high


@helper
def walk(cross: Cross, board: Board, word: U, space: U, number: U) -> tuple[U, U]:
    """Walkers (in the middle of a move, two words) that a piece may be after so many steps."""
    edges = came_by(word, space) if cross.uturn_scope else ZERO
    low, high = ZERO, ZERO
    if edges == ZERO:
        low, high = stepped(cross, space, low, high)
    for k in range(4):
        if (edges >> U(k)) & ONE:
            walker = cross.table[cross.entered + space * U(4) + U(k)] - ONE + cross.edges
            low, high = stepped(cross, walker, low, high)
    pairs = full_spaces(board)
    for _ in range(number - ONE):
        front_low, front_high = low, high
        low, high = ZERO, ZERO
        low, high = all_stepped(cross, front_low, ZERO, pairs, low, high)
        low, high = all_stepped(cross, front_high, U(64), pairs, low, high)
    return low, high


@helper
def all_stepped(cross: Cross, front: U, base: U, pairs: U, low: U, high: U) -> tuple[U, U]:
    """`stepped` of all walkers of a word of the front, those that pairs stop left out."""
    while front:
        walker = cross.spaces + base + lowest(front)
        front &= front - ONE
        if not (cross.pairs_block and (pairs >> cross.table[cross.space_of + walker]) & ONE):
            low, high = stepped(cross, walker, low, high)
    return low, high


@helper
def remembered(cross: Cross, board: Board, word: U, after: U, source: U, target: U, number: U) -> U:
    """The turn word with its memory after a move: the edges by which the piece may have come and may not go back.

    Nothing is remembered of a piece that may have come the one way of the circle, or that stands in a pair, whose pieces nobody tells apart.
    """
    low, high = walk(cross, board, word, source, number)
    edges = ZERO
    free = bool((own_spaces(board) >> target) & ONE)
    for k in range(4):
        walker = cross.table[cross.entered + target * U(4) + U(k)]
        if walker:
            bit = (walker & (ONE_WAY - ONE)) - ONE - cross.spaces
            came = (low >> bit) & ONE if bit < U(64) else (high >> (bit - U(64))) & ONE
            edges |= came << U(k)
            free = free or bool(came and walker & ONE_WAY)
    memory = forgotten(forgotten(after, source), target)
    if free:
        return memory
    slots = ZERO
    while (memory >> (MEMORY + MEMORY_BITS * slots)) & SLOT:
        slots += ONE
    return memory | ((((target + ONE) << U(4)) | edges) << (MEMORY + MEMORY_BITS * slots))


@helper
def forgotten(word: U, space: U) -> U:
    """The turn word without memory of a piece on a space; what is left is moved together."""
    kept = word & ((ONE << MEMORY) - ONE)
    slots = ZERO
    for k in range(3):
        slot = (word >> (MEMORY + MEMORY_BITS * U(k))) & SLOT
        if slot and slot >> U(4) != space + ONE:
            kept |= slot << (MEMORY + MEMORY_BITS * slots)
            slots += ONE
    return kept


@helper
def lifted(board: Board, space: U) -> Board:
    """The board with an own piece less on a space."""
    a, b, c, d = board
    a ^= space
    return a, b & ~space, c, d


@helper
def landed(board: Board, space: U) -> Board:
    """The board with an own piece more on a space, where a single piece of the opponent is captured."""
    a, b, c, d = board
    if c & space:
        board = captured_more(a | space, b, c ^ space, d)
    elif a & space:
        board = (a ^ space, b | space, c, d)
    else:
        board = (a | space, b, c, d)
    return board


@helper
def captured_more(a: U, b: U, c: U, d: U) -> Board:
    """The board with one more captured piece of the opponent."""
    board = (a, b, c, d)
    theirs = ONE << U(CAPTURED + 1)
    if count(board, U(CAPTURED + 1)) == U(15):
        return add((a & ~theirs, b & ~theirs, c & ~theirs, d & ~theirs), ONE << U(SIXTEENS + 1))
    return add(board, theirs)


@helper
def captured_less(board: Board) -> Board:
    """The board with one captured piece of the player to act less."""
    a, b, c, d = board
    mine = ONE << U(CAPTURED)
    if count(board, U(CAPTURED)) == ZERO:
        return remove((a | mine, b | mine, c | mine, d | mine), ONE << U(SIXTEENS))
    return remove(board, mine)


@helper
def won(board: Board) -> bool:
    """Whether enough pieces have scored."""
    return bool(count(board, U(VICTORY)) >= WINS)


@helper
def cross_is_roll(word: U) -> bool:
    """Whether dice are thrown: a turn begins, or one die is thrown again."""
    return bool(word & REROLL) or word & (NUMBERS | FIELD << USES) == ZERO


@helper
def one_die(word: U) -> bool:
    """Whether one die is thrown again."""
    return bool(word & REROLL)


@helper
def cross_rolled(board: Board, word: U, thrown: U) -> U:
    """The turn word after a roll."""
    word &= ~AGAIN
    if word & REROLL:
        return (word & ~REROLL) + thrown
    return word | thrown | (ENTER if captured(board) != ZERO else ZERO)


@helper
def cross_outcome(board: Board) -> np.int64:
    """Points of the player who made a play, given its result, or `GOES_ON`."""
    return np.int64(1) if won(board) else GOES_ON
