"""GNU Backgammon's position id: 80 bits in 14 characters of base64.

For the player not on roll, then the player on roll: for each own point 1 to 24 and the bar as many
ones as checkers, then a zero; bits fill bytes from the lowest. (GNU Backgammon manual, "A technical
description of the Position ID"; the player not on roll comes first.)
"""

import base64
import binascii
import re

from tablezoo.kernel.board import OFF
from tablezoo.rows import SIDE, Counts


def turned_side(counts: list[int]) -> list[int]:
    """A side's counts in the other player's numbering."""
    return counts[::-1]


def write(sides: Counts) -> str:
    """Position id of counts seen by the player on roll."""
    own, opponent = sides
    bits = "".join("1" * counts[p] + "0" for counts in (turned_side(opponent), own) for p in range(1, SIDE))
    key = int(bits.ljust(80, "0")[::-1], 2).to_bytes(10, "little")
    return base64.b64encode(key).decode().rstrip("=")


def parse(text: str, checkers: int) -> Counts:
    """Counts of a position id.

    Raises:
        ValueError: not 14 characters of base64, or not a position of this many checkers a side.
    """
    if not re.fullmatch(r"[A-Za-z0-9+/]{14}", text):
        raise ValueError(f"cannot read position id {text!r}: expected 14 characters of A-Z a-z 0-9 + /")
    try:
        key = int.from_bytes(base64.b64decode(text + "==", validate=True), "little")
    except binascii.Error:
        raise ValueError(f"cannot read position id {text!r}: not base64") from None
    sides = []
    for _ in range(2):
        counts = [0] * SIDE
        for place in range(1, SIDE):
            while key & 1:
                counts[place] += 1
                key >>= 1
            key >>= 1
        counts[OFF] = checkers - sum(counts)
        if counts[OFF] < 0:
            raise ValueError(f"position id {text}: {sum(counts[1:])} checkers on one side, at most {checkers} are possible")
        sides.append(counts)
    if key:
        raise ValueError(f"position id {text}: bits are left over after both sides")
    return sides[1], turned_side(sides[0])
