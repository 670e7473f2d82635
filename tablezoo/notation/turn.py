"""What a position text says of a turn word beyond the numbers left, and what it leaves unsaid."""

import numpy as np
from numpy.typing import NDArray

from tablezoo.kernel import plays as kernel
from tablezoo.kernel.bits import U
from tablezoo.kernel.board import FREED, KEPT, OPENING, ROW, THRIFTY, TURN
from tablezoo.rows import Numbers, turn_word, unpack
from tablezoo.rules import CHOICES, Rules

Row = NDArray[np.uint64]


def opening_word(rules: Rules) -> int:
    """The turn word of the start: whether the first roll is the roll-off's."""
    return int(OPENING) if rules.opening == CHOICES["track"]["opening"]["rolloff_use_dice"] else 0


def implied(rules: Rules, start: Row, row: Row, numbers: Numbers) -> int:
    """The turn word where the text is silent: of the opening if all stand on the start, of a whole roll just thrown."""
    if len(numbers) == 4 or len(set(numbers)) == 2:
        after = np.empty(ROW, np.uint64)
        kernel.rolled(rules, row.copy(), U(numbers[0]), U(numbers[-1]), after)
        return int(after[TURN])
    if not numbers and (row[:TURN] == start[:TURN]).all():
        return opening_word(rules)
    return turn_word(numbers)


def read(rules: Rules, start: Row, row: Row, numbers: Numbers, marks: dict[str, str]) -> int:
    """The turn word of numbers left and the marks of a text.

    Raises:
        ValueError: a mark that this game or node does not have.
    """
    word = implied(rules, start, row, numbers)
    if "first" in marks:
        if numbers:
            raise ValueError("first belongs to a roll that is still to come: leave out dice or first")
        if marks["first"] == "1" and not opening_word(rules):
            raise ValueError("first=1: the opening of this game is a roll like any other")
        word = opening_word(rules) * int(marks["first"])
    if "freed" in marks:
        if rules.hit_and_run != CHOICES["track"]["hit_and_run"]["unless_wasted"] or not numbers:
            raise ValueError("freed=1: only while numbers are left, in a game with hit_and_run=unless_wasted")
        word |= int(FREED)
    if "thrift" in marks:
        if not rules.waste_pips or not numbers:
            raise ValueError(f"thrift={marks['thrift']}: only while numbers are left, in a game with waste_pips")
        word = word & ~int(THRIFTY) | int(THRIFTY) * int(marks["thrift"])
    if "kept" in marks:
        points = {int(point) for point in marks["kept"].split("+")}
        own, _ = unpack(row)
        if not rules.hit_and_run or not numbers or not all(own[point] for point in points):
            raise ValueError(f"kept={marks['kept']}: only points with a checker, while numbers are left, in a game that restricts hit_and_run")
        word |= sum(1 << int(KEPT) + point for point in points)
    return word


def marks(rules: Rules, start: Row, row: Row, numbers: Numbers) -> dict[str, str]:
    """The marks a text must have so that `read` gives this row's turn word."""
    word = int(row[TURN])
    changed = word ^ implied(rules, start, row, numbers)
    found: dict[str, str] = {}
    if changed & int(OPENING):
        found["first"] = str(int(word & int(OPENING) > 0))
    if kept := [point for point in range(6, 0, -1) if word >> int(KEPT) + point & 1]:
        found["kept"] = "+".join(map(str, kept))
    if word & int(FREED):
        found["freed"] = "1"
    if changed & int(THRIFTY):
        found["thrift"] = str(int(word & int(THRIFTY) > 0))
    return found
