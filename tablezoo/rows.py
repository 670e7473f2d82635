"""Board rows from and to plain counts, for everything that is not a kernel."""

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from tablezoo.kernel.board import BAR, CHOOSE, FACE_BITS, NUMBERS, OFF, OPPONENT, ROW, TURN
from tablezoo.kernel.plays import MAX_PLAYS, all_plays
from tablezoo.rules import Rules

SIDE = BAR + 1
"""Places of a side: index 0 to 25, in the numbering of the player to act."""
Counts = tuple[list[int], list[int]]
"""Counts of both sides as `pack` takes them."""
Numbers = tuple[int, ...]
"""Numbers left to play, largest first, repeated as often as they may be played."""


def for_kernels(rows: NDArray[np.uint64]) -> NDArray[np.uint64]:
    """The rows as kernels take them, contiguous and writable: a copy only if they are not so already."""
    return np.require(rows, np.uint64, ["C", "W"])


_PLACES = np.arange(64, dtype=np.uint64)
_WEIGHTS = np.array([[1], [2], [4], [8]], np.uint64)


def row_of(places: Sequence[int], turn: int = 0) -> NDArray[np.uint64]:
    """Row from the numbers (0 to 15) at its 64 places, and the turn word."""
    planes = [sum((n >> plane & 1) << place for place, n in enumerate(places)) for plane in range(4)]
    return np.array([*planes, turn], np.uint64)


def places_of(row: NDArray[np.uint64]) -> list[int]:
    """The numbers at the 64 places of a row."""
    numbers: list[int] = (((row[:TURN, None] >> _PLACES) & np.uint64(1)) * _WEIGHTS).sum(axis=0).tolist()
    return numbers


def pack(own: Sequence[int], opponent: Sequence[int], turn: int = 0) -> NDArray[np.uint64]:
    """Row from counts.

    Args:
        own: 26 counts: borne off, points 1 to 24, bar.
        opponent: 26 counts by the same point numbers: his bar, points 1 to 24, borne off.
        turn: the turn word.
    """
    return row_of([*own, *[0] * (OPPONENT - SIDE), *opponent], turn)


def unpack(row: NDArray[np.uint64]) -> Counts:
    """The counts of `pack` from a row."""
    places = places_of(row)
    return places[OFF : OFF + SIDE], places[OPPONENT : OPPONENT + SIDE]


def buffers() -> tuple[NDArray[np.uint64], NDArray[np.uint64]]:
    """Fresh `out` and `work` buffers for the play kernels."""
    return np.empty((MAX_PLAYS, ROW), np.uint64), np.empty((MAX_PLAYS, ROW), np.uint64)


def results_of(rules: Rules, row: NDArray[np.uint64]) -> tuple[NDArray[np.uint64], list[int]]:
    """Results (n, ROW) of all plays of a play node in their order; on a cross also the codes of the decisions, elsewhere without meaning."""
    out, work = buffers()
    n = int(all_plays(rules, for_kernels(row), out, work))
    return out[:n].copy(), work[:n, 0].tolist()


def numbers_left(turn: int) -> Numbers:
    """Numbers of a turn word."""
    return tuple(d for d in range(6, 0, -1) for _ in range((int(turn) & int(NUMBERS)) >> FACE_BITS * (d - 1) & 7))


def is_choice(turn: int) -> bool:
    """Whether a turn word of a track game says that a double is to be chosen."""
    return bool(turn & int(CHOOSE)) and not turn & int(NUMBERS)


def turn_word(numbers: Numbers) -> int:
    """Turn word of numbers left."""
    return sum(1 << FACE_BITS * (d - 1) for d in numbers)
