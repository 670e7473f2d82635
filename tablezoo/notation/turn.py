"""What a position text says of a turn word beyond the numbers left, and what it leaves unsaid."""

from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from tablezoo.kernel import plays as kernel
from tablezoo.kernel.bits import U
from tablezoo.kernel.board import CHOOSE, FREED, KEPT, NUMBERS, OPENING, ROW, THRIFTY, TURN
from tablezoo.kernel.chain import GIFT, MORE, OPPONENT_PLAIN, PLAIN, PLAINS, STAGE, THROW
from tablezoo.kernel.wide import LASTING, OPPONENT_RUN, QUOTA, QUOTA_BITS, RUN, STUCK
from tablezoo.rows import Numbers, turn_word, unpack
from tablezoo.rules import CHOICES, KINDS, OPENING_RULE, Rules

if TYPE_CHECKING:
    from tablezoo.position import Game

Row = NDArray[np.uint64]


def opening_word(rules: Rules) -> int:
    """The turn word of the start: whether the first roll is the roll-off's."""
    return int(OPENING) if rules.table[OPENING_RULE] == CHOICES["track"]["opening"]["rolloff_use_dice"] else 0


STAGES = {"end": 0, "more": int(MORE), "throw": int(THROW), "more+throw": int(MORE | THROW), "choose": int(CHOOSE)}
"""What follows a stage, by the words of the mark `stage`."""


def implied(game: "Game", start: Row, row: Row, numbers: Numbers, gift: bool = False) -> int:
    """The turn word where the text is silent: of the opening if all stand on the start, of a whole roll just thrown, of a part of one.

    What lasts beyond the turn is taken from the row. A number left twice or three times is a doublet's.
    """
    lasting = int(row[TURN]) & int(LASTING)
    if not numbers:
        return (opening_word(game.rules) if stands(start, row) else 0) | lasting
    once, doublet = game.options["doubles"] == "once", len(numbers) > 1 and numbers[0] == numbers[-1]
    thrown = numbers[:1] * 2 if doublet and not once else numbers
    node = row.copy()
    node[TURN] = lasting
    after = np.empty(ROW, np.uint64)
    kernel.rolled(game.rules, node, U(turn_word(thrown)), after)
    word = int(after[TURN]) & ~int(NUMBERS) | turn_word(numbers)
    whole = len(numbers) == 4 or (len(thrown) == game.spec.dice and not (doublet and not once))
    if not whole:
        quota = (int(game.options["head_limit"]) or 3) << int(QUOTA)
        word &= int(LASTING) | int(NUMBERS) | int(STAGE)
        word |= quota if game.rules.kind == KINDS["wide"] else 0
    return word & ~int(THROW | CHOOSE) | int(GIFT) if gift else word


def stands(start: Row, row: Row) -> bool:
    """Whether all checkers stand on the start."""
    return bool((row[:TURN] == start[:TURN]).all())


def plain_turns(game: "Game") -> int:
    """The bits of the turns to come in which doubles are plain, at the start."""
    limit = int(game.options["plain_doubles_turns"])
    return limit << int(PLAIN) | limit << int(OPPONENT_PLAIN)


def read_plain(game: "Game", start: Row, row: Row, marks: dict[str, str]) -> int:
    """The bits of the turns to come in which doubles are plain: all of them on the start, else none, unless the text counts turns.

    Raises:
        ValueError: turns are counted in a game where it does not matter.
    """
    limit, word = int(game.options["plain_doubles_turns"]), 0
    for name, shift in (("turns", PLAIN), ("oturns", OPPONENT_PLAIN)):
        if name in marks and not limit:
            raise ValueError(f"{name}={marks[name]}: only in a game with plain_doubles_turns")
        played = int(marks.get(name, 0 if stands(start, row) else limit))
        word |= max(limit - played, 0) << int(shift)
    return word


def read_stage(game: "Game", word: int, numbers: Numbers, marks: dict[str, str]) -> int:
    """The turn word with what the text says of the stage.

    Raises:
        ValueError: a mark that this game or node does not have.
    """
    options, faces = game.options, sorted(set(numbers))
    if "gift" in marks and (options["unused"] != "opponent" or not numbers):
        raise ValueError("gift=1: only while numbers are left, in a game with unused=opponent")
    if "stage" not in marks:
        return word
    stage = STAGES[marks["stage"]]
    if stage & int(CHOOSE) and not (options["acey_deucey"] and faces in ([], [1], [2], [1, 2]) and len(faces) == len(numbers)):
        raise ValueError("stage=choose: only in a game with acey_deucey, with dice=21, a part of it or none")
    if stage & int(MORE | THROW) and len(faces) != 1:
        raise ValueError(f"stage={marks['stage']}: only while one number is left, once or more often")
    if stage & int(MORE) and (options["doubles"] in ("twice", "once") or (options["doubles"] == "escalate" and faces == [6])):
        raise ValueError(f"stage={marks['stage']}: no more numbers follow these")
    if stage & int(THROW) and ("gift" in marks or not (options["doubles"] == "complement" or options["acey_deucey"])):
        raise ValueError(f"stage={marks['stage']}: these numbers bring no other throw")
    if stage & int(CHOOSE) and "gift" in marks:
        raise ValueError("stage=choose: who plays numbers left by the opponent does not choose a double")
    return word & ~int(STAGE) | stage


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
    row[TURN] |= U(read_plain(game, start, row, marks))
    word = read_stage(game, implied(game, start, row, numbers, "gift" in marks), numbers, marks)
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
    gift = bool(word & int(GIFT))
    changed = word ^ implied(game, start, row, numbers, gift)
    found = {"gift": "1"} if gift else {}
    if changed & int(STAGE):
        found["stage"] = next(name for name, bits in STAGES.items() if bits == word & int(STAGE))
    if (word & int(PLAINS)) != read_plain(game, start, row, {}):
        limit = int(game.options["plain_doubles_turns"])
        found |= {name: str(limit - (word >> int(shift) & 3)) for name, shift in (("turns", PLAIN), ("oturns", OPPONENT_PLAIN))}
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
