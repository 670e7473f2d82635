"""Nodes: who acts, whose view a board is, what a roll may show, and when the game is over."""

from itertools import permutations
from typing import TypeAlias

import numpy as np
from numpy.typing import NDArray

from tablezoo.kernel.bits import ONE, TOP, ZERO, U
from tablezoo.kernel.board import AGAIN, CHOOSE, GOES_ON, NUMBERS, OFF, OPENING, OUTSIDE, OWN, SHIFT, THRIFTY, Board, count, occupied, reversed_board
from tablezoo.kernel.chain import once
from tablezoo.kernel.cross import ANEW, FIRST, SECOND, cross_is_roll, cross_outcome, cross_rolled, cross_turned, one_die
from tablezoo.kernel.dice import BEGINS, DOUBLETS, ROLLS, below, die
from tablezoo.kernel.jit import helper
from tablezoo.kernel.unstack import unstack_outcome, unstack_word_after
from tablezoo.kernel.wide import dice_of, wide_numbers, wide_outcome, wide_turned, wide_word_after
from tablezoo.rules import CHECKERS, KINDS, SCORING, WASTE_PIPS, WASTE_SCOPE, Rules

TRACK, UNSTACK, CROSS, WIDE = (U(KINDS[kind]) for kind in ("track", "unstack", "cross", "wide"))

HOME_AND_BAR = U(0x7F) << SHIFT
"""The opponent's checkers on his bar or in the home board of the player to act."""
TWO_DICE, ROLL_OFF, ONE_DIE, DIFFERENCE, THREE_DICE = range(5)
"""What is thrown at a roll node: two dice; two dice that differ; one die; the difference of two dice that differ; three dice."""
NOTHING = 5
"""Is thrown at a play node."""
Roll: TypeAlias = tuple[int, ...]
"""The dice of a throw, the largest first."""
CHANCES: dict[int, tuple[tuple[Roll, int], ...]] = {
    TWO_DICE: tuple((roll, len(set(permutations(roll)))) for roll in ROLLS[2]),
    ROLL_OFF: tuple((roll, 2) for roll in ROLLS[2] if roll[0] != roll[1]),
    ONE_DIE: tuple((roll, 1) for roll in ROLLS[1]),
    DIFFERENCE: tuple(((face,), 2 * (6 - face)) for face in range(1, 6)),
    THREE_DICE: tuple((roll, len(set(permutations(roll)))) for roll in ROLLS[3]),
}
"""Rolls with their weights, the larger number first, by what is thrown."""


def _weights() -> NDArray[np.float64]:
    weights = np.zeros((NOTHING + 1, BEGINS[4] - BEGINS[3]))
    for throw, chances in CHANCES.items():
        whole = sum(weight for _, weight in chances)
        for roll, weight in chances:
            weights[throw, ROLLS[len(roll)].index(roll)] = weight / whole
    weights[NOTHING, 0] = 1.0
    return weights


WEIGHTS = _weights()
"""Chance of each roll of so many dice (`tablezoo.kernel.dice.THROWS`), by what is thrown, (6, 56)."""


@helper
def turned(rules: Rules, board: Board) -> Board:
    """The board seen by the other player."""
    if rules.kind == CROSS:
        return cross_turned(board)
    if rules.kind == WIDE:
        return wide_turned(rules, board)
    return reversed_board(board)


@helper
def followed(rules: Rules, board: Board, word: U) -> tuple[Board, U]:
    """The node after a play, given its result: seen by whoever acts there, marked `AGAIN` if that is the player who made it."""
    if word & AGAIN:
        return board, word
    if rules.kind == TRACK:
        return reversed_board(board), word
    return turned(rules, board), word_after(rules, board, word)


@helper
def word_after(rules: Rules, board: Board, word: U) -> U:
    """The opponent's turn word after a turn, given its result."""
    if rules.kind == UNSTACK:
        return unstack_word_after(rules, word)
    if rules.kind == WIDE:
        return wide_word_after(rules, board, word)
    return word


@helper
def outcome(rules: Rules, board: Board, word: U) -> np.int64:
    """Points of the player who made a play, given its result, or `GOES_ON`."""
    if rules.kind == TRACK:
        return GOES_ON if count(board, U(OFF)) != rules.table[CHECKERS] else track_points(rules, board)
    return other_outcome(rules, board, word)


@helper
def track_points(rules: Rules, board: Board) -> np.int64:
    """Points of a player of a hitting game who has borne off his last checker."""
    if count(board, TOP) != ZERO or rules.table[SCORING] == ONE:
        return np.int64(1)
    if occupied(board) & HOME_AND_BAR == ZERO or rules.table[SCORING] == U(2):
        return np.int64(2)
    return np.int64(3)


@helper
def other_outcome(rules: Rules, board: Board, word: U) -> np.int64:
    """`outcome` of the other kinds."""
    if rules.kind == CROSS:
        return cross_outcome(board)
    if rules.kind == UNSTACK:
        return unstack_outcome(rules, board, word)
    return wide_outcome(rules, board, word)


@helper
def is_roll(rules: Rules, word: U) -> bool:
    """Whether dice are thrown at this node, if the game is not over."""
    if rules.kind == CROSS:
        return cross_is_roll(word)
    return bool(word & (NUMBERS | CHOOSE) == ZERO)


@helper
def throw_of(rules: Rules, word: U) -> int:
    """What is thrown at a roll node."""
    if rules.kind == TRACK:
        return ROLL_OFF if word & OPENING else TWO_DICE
    return other_throw(rules, word)


@helper
def node_throw(rules: Rules, word: U) -> int:
    """What is thrown at a node, NOTHING at a play node."""
    return throw_of(rules, word) if is_roll(rules, word) else NOTHING


@helper
def shown_by(throw: int) -> int:
    """How many numbers a throw shows."""
    if throw == NOTHING:
        return 0
    return 1 if throw in (ONE_DIE, DIFFERENCE) else 3 if throw == THREE_DICE else 2


@helper
def other_throw(rules: Rules, word: U) -> int:
    """`throw_of` in the other kinds."""
    if rules.kind == CROSS:
        if one_die(word):
            return ONE_DIE
        return ROLL_OFF if word & FIRST and not word & (SECOND | ANEW) else TWO_DICE
    opening = rules.kind == WIDE and bool(word & OPENING)
    if rules.kind == WIDE and dice_of(rules) == ONE:
        return DIFFERENCE if opening else ONE_DIE
    if rules.kind == WIDE and dice_of(rules) == U(3):
        return THREE_DICE
    return ROLL_OFF if opening else TWO_DICE


@helper
def roll(rules: Rules, word: U, state: NDArray[U]) -> U:
    """The dice thrown at a roll node (`dice.die`)."""
    first, second = below(state, U(6)) + ONE, below(state, U(6)) + ONE
    if rules.kind != TRACK:
        return other_roll(rules, word, state, first, second)
    while word & OPENING and first == second:
        second = below(state, U(6)) + ONE
    return die(first) + die(second)


@helper
def other_roll(rules: Rules, word: U, state: NDArray[U], first: U, second: U) -> U:
    """`roll` in the other kinds, after two dice have been thrown."""
    throw = other_throw(rules, word)
    if throw == ONE_DIE:
        return die(first)
    while throw in (ROLL_OFF, DIFFERENCE) and first == second:
        second = below(state, U(6)) + ONE
    if throw == DIFFERENCE:
        return die(max(first, second) - min(first, second))
    return die(first) + die(second) + (die(below(state, U(6)) + ONE) if throw == THREE_DICE else ZERO)


@helper
def rolled_word(rules: Rules, board: Board, word: U, thrown: U) -> U:
    """The turn word of the play node after a roll (`dice.die`)."""
    if rules.kind != TRACK:
        return other_rolled_word(rules, board, word, thrown)
    doublet = thrown & DOUBLETS
    left = thrown if once(rules) else thrown + doublet
    if rules.table[WASTE_PIPS] == ZERO or doublet:
        return left
    all_home = occupied(board) & OWN & OUTSIDE == ZERO
    return left | THRIFTY if all_home or rules.table[WASTE_SCOPE] != ZERO else left


@helper
def other_rolled_word(rules: Rules, board: Board, word: U, thrown: U) -> U:
    """`rolled_word` of the other kinds."""
    if rules.kind == CROSS:
        return cross_rolled(board, word, thrown)
    if rules.kind == UNSTACK:
        return word & ~AGAIN | (thrown + (thrown & DOUBLETS))
    return wide_numbers(rules, board, word, thrown)
