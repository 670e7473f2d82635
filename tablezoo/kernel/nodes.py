"""Nodes: who acts, whose view a board is, what a roll may show, and when the game is over."""

import numpy as np
from numpy.typing import NDArray

from tablezoo.kernel.bits import ONE, TOP, ZERO, U
from tablezoo.kernel.board import AGAIN, CHOOSE, GOES_ON, NUMBERS, OFF, OPENING, OUTSIDE, OWN, SHIFT, THRIFTY, Board, count, occupied, reversed_board
from tablezoo.kernel.chain import once
from tablezoo.kernel.cross import ANEW, FIRST, SECOND, cross_is_roll, cross_outcome, cross_rolled, cross_turned, one_die
from tablezoo.kernel.dice import DOUBLETS, below, die
from tablezoo.kernel.jit import helper
from tablezoo.kernel.unstack import unstack_outcome, unstack_word_after
from tablezoo.kernel.wide import dice_of, wide_numbers, wide_outcome, wide_turned, wide_word_after
from tablezoo.rules import CHECKERS, KINDS, SCORING, WASTE_PIPS, WASTE_SCOPE, Rules

TRACK, UNSTACK, CROSS, WIDE = (U(KINDS[kind]) for kind in ("track", "unstack", "cross", "wide"))

HOME_AND_BAR = U(0x7F) << SHIFT
"""The opponent's checkers on his bar or in the home board of the player to act."""
TWO_DICE, ROLL_OFF, ONE_DIE, DIFFERENCE, THREE_DICE = range(5)
"""What is thrown at a roll node: two dice; two dice that differ; one die; the difference of two dice that differ; three dice."""


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
def dice_thrown(rules: Rules, word: U) -> int:
    """How many numbers a roll node's throw shows."""
    throw = throw_of(rules, word)
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
