"""What a position text says of a turn word beyond the numbers left, and what it leaves unsaid."""

from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from tablezoo.kernel import plays as kernel
from tablezoo.kernel.bits import U
from tablezoo.kernel.board import FREED, KEPT, OPENING, ROW, THRIFTY, TURN
from tablezoo.kernel.wide import LASTING, OPPONENT_RUN, QUOTA, QUOTA_BITS, RUN, STUCK
from tablezoo.rows import Numbers, turn_word, unpack
from tablezoo.rules import CHOICES, KINDS, OPENING_RULE, Rules

if TYPE_CHECKING:
    from tablezoo.position import Game

Row = NDArray[np.uint64]


def opening_word(rules: Rules) -> int:
    """The turn word of the start: whether the first roll is the roll-off's."""
    return int(OPENING) if rules.table[OPENING_RULE] == CHOICES["track"]["opening"]["rolloff_use_dice"] else 0


def implied(game: "Game", start: Row, row: Row, numbers: Numbers) -> int:
    """The turn word where the text is silent: of the opening if all stand on the start, of a whole roll just thrown, of a part of one.

    What lasts beyond the turn is taken from the row.
    """
    lasting = int(row[TURN]) & int(LASTING)
    whole = len(numbers) == 4 or len(set(numbers)) == 2 or (game.options["doubles"] == "once" and len(numbers) == 2)
    if whole or (game.spec.dice == 1 and numbers):
        node = row.copy()
        node[TURN] = lasting
        after = np.empty(ROW, np.uint64)
        kernel.rolled(game.rules, node, U(numbers[0]), U(numbers[-1] if whole else 0), after)
        return int(after[TURN])
    if not numbers and (row[:TURN] == start[:TURN]).all():
        return opening_word(game.rules) | lasting
    quota = int(game.options["head_limit"]) or 3
    return turn_word(numbers) | lasting | (quota << int(QUOTA) if numbers and game.rules.kind == KINDS["wide"] else 0)


def read(game: "Game", start: Row, row: Row, numbers: Numbers, marks: dict[str, str]) -> int:
    """The turn word of numbers left and the marks of a text; the row's holds what lasts.

    Raises:
        ValueError: a mark that this game or node does not have.
    """
    options = game.options
    for name, mark in (("runner", RUN), ("orunner", OPPONENT_RUN)):
        if name in marks:
            if options["runner"] == "none" or options["blot"] != "hit":
                raise ValueError(f"{name}={marks[name]}: only in a game with a runner who may be hit")
            row[TURN] |= U(int(mark) * int(marks[name]))
    word = implied(game, start, row, numbers)
    if "first" in marks:
        if numbers:
            raise ValueError("first belongs to a roll that is still to come: leave out dice or first")
        if marks["first"] == "1" and not opening_word(game.rules):
            raise ValueError("first=1: the opening of this game is a roll like any other")
        word = word & ~int(OPENING) | opening_word(game.rules) * int(marks["first"])
    if "freed" in marks:
        if options["hit_and_run"] != "unless_wasted" or not numbers:
            raise ValueError("freed=1: only while numbers are left, in a game with hit_and_run=unless_wasted")
        word |= int(FREED)
    if "thrift" in marks:
        if options["waste_pips"] == "off" or not numbers:
            raise ValueError(f"thrift={marks['thrift']}: only while numbers are left, in a game with waste_pips")
        word = word & ~int(THRIFTY) | int(THRIFTY) * int(marks["thrift"])
    if "kept" in marks:
        points = {int(point) for point in marks["kept"].split("+")}
        own, _ = unpack(row)
        if options["hit_and_run"] == "allowed" or not numbers or not all(own[point] for point in points):
            raise ValueError(f"kept={marks['kept']}: only points with a checker, while numbers are left, in a game that restricts hit_and_run")
        word |= sum(1 << int(KEPT) + point for point in points)
    if "head" in marks:
        if options["head_limit"] == "0" or not numbers:
            raise ValueError(f"head={marks['head']}: only while numbers are left, in a game with head_limit")
        word = word & ~int(QUOTA_BITS | STUCK) | int(marks["head"]) << int(QUOTA)
    return word


def marks(game: "Game", start: Row, row: Row, numbers: Numbers) -> dict[str, str]:
    """The marks a text must have so that `read` gives this row's turn word."""
    word = int(row[TURN])
    changed = word ^ implied(game, start, row, numbers)
    found: dict[str, str] = {}
    for name, mark in (("runner", RUN), ("orunner", OPPONENT_RUN)):
        if word & int(mark):
            found[name] = "1"
    if changed & int(OPENING):
        found["first"] = str(int(word & int(OPENING) > 0))
    if game.rules.kind == KINDS["wide"]:
        if changed & int(QUOTA_BITS | STUCK):
            found["head"] = str((word & int(QUOTA_BITS)) >> int(QUOTA))
        return found
    if kept := [point for point in range(6, 0, -1) if word >> int(KEPT) + point & 1]:
        found["kept"] = "+".join(map(str, kept))
    if word & int(FREED):
        found["freed"] = "1"
    if changed & int(THRIFTY):
        found["thrift"] = str(int(word & int(THRIFTY) > 0))
    return found
