"""XGID, eXtreme Gammon's one-line position: `XGID=-b----E-C---eE---c-e----B-:0:0:1:31:0:0:0:0:10`.

26 characters for the top player's bar, points 1 to 24 and the bottom player's bar, upper case for the
bottom player; then cube, owner, turn (1 bottom, -1 top), dice, scores, Crawford, match length, cube limit.
Cube and score do not belong to a position here: they are checked for form, and written as a money game's.
"""

import re

from tablezoo.kernel.board import BAR, OFF
from tablezoo.notation.gnubg import turned_side
from tablezoo.rows import SIDE, Counts, Numbers

FIELDS = ("position", "cube", "cube owner", "turn", "dice", "score", "opponent's score", "Crawford", "match length", "cube limit")


def write(sides: Counts, numbers: Numbers) -> str:
    """XGID with the player to act at the bottom.

    Raises:
        ValueError: the numbers left are not a whole roll.
    """
    own, opponent = sides
    if numbers and len(numbers) != (4 if numbers[0] == numbers[-1] else 2):
        raise ValueError("an XGID has no way to write a roll that is partly played")
    board = ""
    for place in range(SIDE):
        mine = own[place] if place != OFF else 0
        theirs = opponent[place] if place != BAR else 0
        board += chr(ord("A") + mine - 1) if mine else chr(ord("a") + theirs - 1) if theirs else "-"
    dice = f"{numbers[0]}{numbers[-1]}" if numbers else "00"
    return f"XGID={board}:0:0:1:{dice}:0:0:0:0:10"


def parse(text: str, checkers: int) -> tuple[Counts, Numbers]:
    """Counts seen by the player to act, and his roll if he has one.

    Raises:
        ValueError: names the field that cannot be read.
    """
    fields = text.removeprefix("XGID=").split(":")
    if len(fields) != len(FIELDS):
        raise ValueError(f"cannot read XGID {text!r}: {len(fields)} fields instead of {len(FIELDS)}")
    board, _, _, turn, dice, *_ = fields
    for name, value in zip(FIELDS, fields, strict=True):
        if name not in ("position", "dice") and not re.fullmatch(r"-?\d+", value):
            raise ValueError(f"XGID field {name} is {value!r}: expected a number")
    if not re.fullmatch(r"[A-Oa-o-]{26}", board):
        raise ValueError(f"XGID position {board!r}: expected 26 characters of A-O, a-o and -")
    if board[0].isupper() or board[25].islower():
        raise ValueError(f"XGID position {board!r}: the first place is the top player's bar (a-o), the last the bottom player's (A-O)")
    if turn not in ("1", "-1"):
        raise ValueError(f"XGID turn {turn!r}: expected 1 or -1")
    if not re.fullmatch(r"00|[1-6][1-6]", dice):
        raise ValueError(f"XGID dice {dice!r}: expected 00 or two numbers from 1 to 6 (cube decisions are not positions of this game)")
    own, opponent = [0] * SIDE, [0] * SIDE
    for place, letter in enumerate(board):
        if letter != "-":
            (own if letter.isupper() else opponent)[place] = ord(letter.upper()) - ord("A") + 1
    own[OFF], opponent[BAR] = checkers - sum(own), checkers - sum(opponent)
    for name, off in (("bottom", own[OFF]), ("top", opponent[BAR])):
        if off < 0:
            raise ValueError(f"XGID position: the {name} player has {checkers - off} checkers, at most {checkers} are possible")
    numbers: Numbers = ()
    if dice != "00":
        first, second = sorted(map(int, dice), reverse=True)
        numbers = (first,) * 4 if first == second else (first, second)
    if turn == "-1":
        own, opponent = turned_side(opponent), turned_side(own)
    return (own, opponent), numbers
