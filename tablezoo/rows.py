"""Board rows from and to plain counts, for everything that is not a kernel."""

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from tablezoo.kernel.board import BAR, FACE_BITS, NUMBERS, OFF, OPPONENT, ROW, TURN

SIDE = BAR + 1
"""Places of a side: index 0 to 25, in the numbering of the player to act."""
Counts = tuple[list[int], list[int]]
"""Counts of both sides as `pack` takes them."""
Numbers = tuple[int, ...]
"""Numbers left to play, largest first, repeated as often as they may be played."""


def for_kernels(rows: NDArray[np.uint64]) -> NDArray[np.uint64]:
    """The rows as kernels take them, contiguous and writable: a copy only if they are not so already."""
    return np.require(rows, np.uint64, ["C", "W"])


def pack(own: Sequence[int], opponent: Sequence[int], turn: int = 0) -> NDArray[np.uint64]:
    """Row from counts.

    Args:
        own: 26 counts: borne off, points 1 to 24, bar.
        opponent: 26 counts by the same point numbers: his bar, points 1 to 24, borne off.
        turn: the turn word.
    """
    row = [0] * ROW
    for place in range(SIDE):
        for plane in range(4):
            row[plane] |= (own[place] >> plane & 1) << place | (opponent[place] >> plane & 1) << (OPPONENT + place)
    row[TURN] = turn
    return np.array(row, np.uint64)


_PLACES = np.arange(64, dtype=np.uint64)
_WEIGHTS = np.array([[1], [2], [4], [8]], np.uint64)


def unpack(row: NDArray[np.uint64]) -> Counts:
    """The counts of `pack` from a row."""
    counts = (((row[:TURN, None] >> _PLACES) & np.uint64(1)) * _WEIGHTS).sum(axis=0).tolist()
    return counts[OFF : OFF + SIDE], counts[OPPONENT : OPPONENT + SIDE]


def numbers_left(turn: int) -> Numbers:
    """Numbers of a turn word."""
    return tuple(d for d in range(6, 0, -1) for _ in range((int(turn) & int(NUMBERS)) >> FACE_BITS * (d - 1) & 7))


def turn_word(numbers: Numbers) -> int:
    """Turn word of numbers left."""
    return sum(1 << FACE_BITS * (d - 1) for d in numbers)
