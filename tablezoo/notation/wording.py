"""What is said of a play, and the ways in which its steps can be made."""

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from tablezoo.kernel import plays as kernel
from tablezoo.kernel.bits import U
from tablezoo.kernel.board import AGAIN, BAR, FACE_BITS, NUMBERS, OFF, ROW, TURN
from tablezoo.notation.play import Hops
from tablezoo.rules import Rules

if TYPE_CHECKING:
    from tablezoo.position import Position


@dataclass(frozen=True)
class Wording:
    """What is said of a play.

    Attributes:
        text: its text.
        numbers: how many numbers it uses.
        ways: the ways to make it by steps (source, target), each sorted, the highest source first.
        hits: points where it hits.
    """

    text: str
    numbers: int
    ways: frozenset[Hops] = frozenset()
    hits: frozenset[int] = frozenset()


def ways(node: "Position", entry: int = 0) -> dict[bytes, set[Hops]]:
    """All ways to step through a stage, by the board (mover's view) they lead to; the longest ones only.

    Args:
        node: a play node.
        entry: the place from which checkers on the bar or in hand count, one beyond the highest point; 0 if there are none.
    """
    rules: Rules = node.game.rules
    found: dict[bytes, set[Hops]] = {}
    level: dict[bytes, set[Hops]] = {node.row.tobytes(): {()}}
    while level:
        following: dict[bytes, set[Hops]] = {}
        for data, hops in level.items():
            for source, number, result in _steps(rules, np.frombuffer(data, np.uint64).copy()):
                start = entry if entry and source >= BAR else source
                hop = (source, max(start - number, OFF))
                longer = {tuple(sorted((*way, hop), reverse=True)) for way in hops}
                if goes_on(data, number, result):
                    result[TURN] &= ~AGAIN
                    following.setdefault(result.tobytes(), set()).update(longer)
                else:
                    board = result[:TURN].tobytes()
                    found[board] = longer | {way for way in found.get(board, set()) if len(way) == len(next(iter(longer)))}
        level = following
    return found


def goes_on(before: bytes, number: int, result: NDArray[np.uint64]) -> bool:
    """Whether a stage goes on after a step by a number: the same player plays the numbers that were left."""
    left = int(np.frombuffer(before, np.uint64)[TURN]) - (1 << FACE_BITS * (number - 1)) & int(NUMBERS)
    return left != 0 and bool(result[TURN] & AGAIN) and int(result[TURN] & NUMBERS) == left


def _steps(rules: Rules, row: NDArray[np.uint64]) -> list[tuple[int, int, NDArray[np.uint64]]]:
    """(source, number, result) of every step that begins a play."""
    mask = np.zeros(7, np.uint64)
    kernel.steps(rules, row, mask)
    found = []
    for number in range(1, 7):
        for source in range(64):
            if int(mask[number]) >> source & 1:
                result = np.empty(ROW, np.uint64)
                kernel.step(rules, row, U(source), U(number), result)
                found.append((source, number, result))
    return found
