"""Chains of stages: what follows once the numbers of a stage are played, and what becomes of those that are not.

A stage is at most four numbers. Marks of the turn word say what follows it if it is played whole: `MORE` numbers, another
`THROW`, the choice of a double (`CHOOSE`; without numbers the choice is due). Numbers that go to the opponent bear `GIFT`:
he plays them, and what they bring, and then throws for himself.
"""

from tablezoo.kernel.bits import ONE, ZERO, U
from tablezoo.kernel.board import AGAIN, CHOOSE, NUMBERS
from tablezoo.kernel.dice import DOUBLETS, die
from tablezoo.kernel.jit import helper
from tablezoo.kernel.track import smallest_number
from tablezoo.rules import CHOICES, FURTHER, Rules, own_options

MORE, THROW, GIFT = U(1 << 27), U(1 << 28), U(1 << 30)
STAGE = MORE | THROW | CHOOSE
"""Marks of what follows a stage."""
PLAIN, OPPONENT_PLAIN = U(59), U(61)
"""Shifts of the turn word's numbers (two bits) of turns to come in which doubles are plain, own and the opponent's."""
PLAINS = U(15 << 59)

_DOUBLES, _ACEY, _UNUSED = (FURTHER + own_options("track").index(name) for name in ("doubles", "acey_deucey", "unused"))
ONCE, ESCALATE, COMPLEMENT = (U(CHOICES["track"]["doubles"][reading]) for reading in ("once", "escalate", "complement"))
FOUR = U(4)


@helper
def once(rules: Rules) -> bool:
    """Whether a doublet is just two numbers."""
    return bool(rules.table[_DOUBLES] == ONCE)


@helper
def gives(rules: Rules) -> bool:
    """Whether unused numbers go to the opponent."""
    return bool(rules.table[_UNUSED] != ZERO)


@helper
def first_stage(rules: Rules, word: U, thrown: U) -> U:
    """Numbers and marks of the first stage of a roll (`dice.die`)."""
    doublet = thrown & DOUBLETS
    if doublet == ZERO or once(rules):
        return thrown | CHOOSE if rules.table[_ACEY] and thrown == die(ONE) + die(U(2)) else thrown
    left = thrown + doublet
    if rules.table[_DOUBLES] == ESCALATE and (word >> PLAIN) & U(3) == ZERO and smallest_number(left) < U(6):
        return left | MORE
    return left | MORE | THROW if rules.table[_DOUBLES] == COMPLEMENT else left


@helper
def chosen(rules: Rules, word: U, number: U) -> U:
    """Numbers and marks of the first stage of a double that a player has chosen."""
    return first_stage(rules, word, die(number) + die(number)) | THROW


@helper
def next_stage(rules: Rules, word: U) -> U:
    """Numbers and marks of the stage that follows one with `MORE`."""
    number = smallest_number(word)
    after = word & (THROW | GIFT)
    if rules.table[_DOUBLES] == COMPLEMENT:
        return after | FOUR * die(U(7) - number)
    return after | FOUR * die(number + ONE) | (MORE if number < U(5) else ZERO)


@helper
def after_stage(rules: Rules, word: U, left: U) -> U:
    """Numbers and marks of the node that follows a stage of a game that goes on, with `AGAIN` if the same player acts there.

    Args:
        word: the turn word of the stage, its last step or all of it still to be played.
        left: numbers that could not be played.
    """
    if left:
        if word & GIFT:
            return AGAIN
        return left | word & MORE | GIFT if gives(rules) else ZERO
    if word & MORE:
        return next_stage(rules, word) | AGAIN
    if word & CHOOSE:
        return CHOOSE | AGAIN
    return AGAIN if word & (THROW | GIFT) else ZERO


@helper
def plains_after(word: U) -> U:
    """The turns to come with plain doubles after a turn, seen by the other player."""
    mine = (word >> PLAIN) & U(3)
    return ((word >> OPPONENT_PLAIN) & U(3)) << PLAIN | (mine - ONE if mine else ZERO) << OPPONENT_PLAIN


@helper
def is_due(word: U) -> bool:
    """Whether a double is to be chosen."""
    return bool(word & CHOOSE and word & NUMBERS == ZERO)
