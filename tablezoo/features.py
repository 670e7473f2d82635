"""Encoders: board rows as float32 inputs, seen by the player to act, with named slices.

An encoder is a table: each place of the board contributes a few inputs that depend only on the number
of checkers there. That is what lets value nets keep their first layer as sums of table rows.
"""

from collections.abc import Callable, Sequence

import numpy as np
from numpy.typing import NDArray

from tablezoo.kernel.bits import ONE, U, lowest
from tablezoo.kernel.board import BAR, OPPONENT, Rows, count, occupied, planes
from tablezoo.kernel.jit import kernel
from tablezoo.rows import SIDE, for_kernels

BITS = 64
MOST = 16
"""Counts at a place: 0 to 15."""
UNITS = 4
"""Most inputs of a place."""


class Encoder:
    """Inputs of a board.

    Attributes:
        name: its name in configs.
        size: number of inputs.
        slices: named ranges of inputs; `own_points` and `opponent_points` run from point 1 to 24.
        first: `int64[64]`, first input of each place, by its bit in the board row.
        units: `int64[64]`, number of inputs of each place; 0 for bits without a place.
        table: `float32[64, 16, 4]`, inputs of a place by the number of checkers there.
    """

    def __init__(self, name: str, point: Sequence[Callable[[int], float]], bar: Callable[[int], float], off: Callable[[int], float]) -> None:
        self.name = name
        self.first = np.zeros(BITS, np.int64)
        self.units = np.zeros(BITS, np.int64)
        self.table = np.zeros((BITS, MOST, UNITS), np.float32)
        self.slices: dict[str, slice] = {}
        self.size = 0
        own = {"off": [0], "points": list(range(1, BAR)), "bar": [BAR]}
        opponent = {"bar": [0], "points": list(range(1, BAR)), "off": [BAR]}
        for side, shift, places in (("own", 0, own), ("opponent", OPPONENT, opponent)):
            for kind, members in places.items():
                begin = self.size
                functions = {"off": [off], "bar": [bar], "points": point}[kind]
                for place in members:
                    self._add(place + shift, functions)
                self.slices[f"{side}_{kind}"] = slice(begin, self.size)

    def _add(self, bit: int, functions: Sequence[Callable[[int], float]]) -> None:
        self.first[bit], self.units[bit] = self.size, len(functions)
        self.size += len(functions)
        self.table[bit, :, : len(functions)] = [[function(n) for function in functions] for n in range(MOST)]

    def __call__(self, rows: NDArray[np.uint64]) -> NDArray[np.float32]:
        """Inputs `float32[n, size]` of rows `uint64[n, ROW]`."""
        out = np.zeros((len(rows), self.size), np.float32)
        encode(for_kernels(rows), self.first, self.units, self.table, out)
        return out


@kernel
def encode(rows: Rows, first: NDArray[np.int64], units: NDArray[np.int64], table: NDArray[np.float32], out: NDArray[np.float32]) -> None:
    """Fill `out` (zeros before), whose rows are encodings; places without checkers must encode to zeros."""
    for i in range(rows.shape[0]):
        board = planes(rows[i])
        places = occupied(board)
        while places:
            bit = lowest(places)
            places &= places - ONE
            n = count(board, U(bit))
            for unit in range(units[bit]):
                out[i, first[bit] + unit] = table[bit, n, unit]


TESAURO = Encoder(
    "tesauro",
    point=(lambda n: float(n >= 1), lambda n: float(n >= 2), lambda n: float(n >= 3), lambda n: max(n - 3, 0) / 2),
    bar=lambda n: n / 2,
    off=lambda n: n / 15,
)
"""196 inputs like TD-Gammon's: per point at least 1, 2, 3 checkers and half of those above 3; half the bar, a fifteenth of those off.

Source: G. Tesauro, "Practical issues in temporal difference learning", 1992 (there 198, with two for the side to act).
"""

COUNTS = Encoder("counts", point=(float,), bar=float, off=float)
"""52 inputs: the number of checkers at every place."""

ENCODERS: dict[str, Encoder] = {encoder.name: encoder for encoder in (TESAURO, COUNTS)}

assert all(not encoder.table[:, 0].any() for encoder in ENCODERS.values())
assert SIDE == BAR + 1
