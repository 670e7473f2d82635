"""Encoders: board rows as float32 inputs, seen by the player to act, with named slices.

An encoder is a table: each place of the board, and each number in the turn word, contributes a few inputs
that depend only on the number there. That is what lets value nets keep their first layer as sums of table rows.
"""

from collections.abc import Callable, Iterable, Sequence
from functools import lru_cache

import numpy as np
from numpy.typing import NDArray

from tablezoo.kernel import chain, cross, unstack, wide
from tablezoo.kernel.bits import ONE, U, lowest
from tablezoo.kernel.board import BAR, FACE_BITS, OFF, OPPONENT, TURN, Board, Row, Rows, count, occupied, planes
from tablezoo.kernel.jit import helper, kernel
from tablezoo.position import Game
from tablezoo.rows import for_kernels
from tablezoo.rules import CHAINS

BITS = 64
FIELDS = 11
"""Numbers of the turn word, three bits each from bit 0 on: the six faces, then what a kind of game keeps there."""
MARKS = 31
"""Single bits of the turn word from bit 32 on."""
FIRST_MARK = 32
PLACES = BITS + FIELDS + MARKS
MOST = 16
"""Numbers at a place: 0 to 15."""
UNITS = 4
"""Most inputs of a place."""
FIELD_MASK = U((1 << 31) - 1)
MARK_MASK = U((1 << MARKS) - 1)

Unit = Callable[[int], float]
"""An input as a function of the number at a place, 0 for 0."""


class Encoder:
    """Inputs of a board.

    Attributes:
        name: its name in configs.
        size: number of inputs.
        slices: named ranges of inputs; points run from point 1 up.
        first: `int64[106]`, first input of each place: bits of the board row, then fields and marks of the turn word.
        units: `int64[106]`, number of inputs of each place; 0 where there is none.
        table: `float32[106, 16, 4]`, inputs of a place by the number there.
    """

    def __init__(self, name: str) -> None:
        self.name = name
        self.first = np.zeros(PLACES, np.int64)
        self.units = np.zeros(PLACES, np.int64)
        self.table = np.zeros((PLACES, MOST, UNITS), np.float32)
        self.slices: dict[str, slice] = {}
        self.size = 0

    def add(self, slice_name: str, places: Iterable[int], units: Sequence[Unit]) -> None:
        """Give each of these places its inputs."""
        begin = self.size
        for place in places:
            self.first[place], self.units[place] = self.size, len(units)
            self.size += len(units)
            self.table[place, :, : len(units)] = [[unit(n) for unit in units] for n in range(MOST)]
        self.slices[slice_name] = slice(begin, self.size)
        assert not self.table[:, 0].any()

    @property
    def spans(self) -> NDArray[np.int64]:
        """`int64[106, 2]`: `first` and `units`."""
        return np.stack((self.first, self.units), axis=1)

    def __call__(self, rows: NDArray[np.uint64]) -> NDArray[np.float32]:
        """Inputs `float32[n, size]` of rows `uint64[n, ROW]`."""
        out = np.empty((len(rows), self.size), np.float32)
        encode(for_kernels(rows), self.spans, self.table, out)
        return out


@helper
def active(
    row: Row, first: NDArray[np.int64], units: NDArray[np.int64], table: NDArray[np.float32], which: NDArray[np.int64], values: NDArray[np.float32]
) -> int:
    """List the inputs of a row that are not zero, by index and value; returns how many there are."""
    n = 0
    board = planes(row)
    places = occupied(board)
    while places:
        place = lowest(places)
        places &= places - ONE
        n = active_at(place, count(board, place), first, units, table, which, values, n)
    fields = row[TURN] & FIELD_MASK
    while fields:
        place = lowest(fields) // U(FACE_BITS)
        number = (fields >> (place * U(FACE_BITS))) & U(7)
        fields &= ~(U(7) << (place * U(FACE_BITS)))
        n = active_at(place + U(BITS), number, first, units, table, which, values, n)
    marks = (row[TURN] >> U(FIRST_MARK)) & MARK_MASK
    while marks:
        n = active_at(U(BITS + FIELDS) + lowest(marks), ONE, first, units, table, which, values, n)
        marks &= marks - ONE
    return n


@helper
def active_at(
    place: U,
    number: U,
    first: NDArray[np.int64],
    units: NDArray[np.int64],
    table: NDArray[np.float32],
    which: NDArray[np.int64],
    values: NDArray[np.float32],
    n: int,
) -> int:
    """Append the inputs of a place that are not zero; returns how many there are now.

    Writing all of them, each over the last that was zero, is faster than a branch that cannot be foreseen.
    """
    for unit in range(units[place]):
        value = table[place, number, unit]
        which[n] = first[place] + unit
        values[n] = value
        n += int(value != np.float32(0))
    return n


@helper
def put_inputs(board: Board, word: U, spans: NDArray[np.int64], table: NDArray[np.float32], out: NDArray[np.float32]) -> None:
    """Write the inputs of a board and its turn word; `spans` (106, 2) has `first` and `units` of each place."""
    out[:] = np.float32(0)
    places = occupied(board)
    while places:
        place = lowest(places)
        places &= places - ONE
        put_at(place, count(board, place), spans, table, out)
    fields = word & FIELD_MASK
    while fields:
        place = lowest(fields) // U(FACE_BITS)
        number = (fields >> (place * U(FACE_BITS))) & U(7)
        fields &= ~(U(7) << (place * U(FACE_BITS)))
        put_at(place + U(BITS), number, spans, table, out)
    marks = (word >> U(FIRST_MARK)) & MARK_MASK
    while marks:
        put_at(U(BITS + FIELDS) + lowest(marks), ONE, spans, table, out)
        marks &= marks - ONE


@helper
def put_at(place: U, number: U, spans: NDArray[np.int64], table: NDArray[np.float32], out: NDArray[np.float32]) -> None:
    """Write the inputs of a place."""
    first, units = spans[place, 0], spans[place, 1]
    if units == UNITS:  # all at once
        a, b, c, d = table[place, number, 0], table[place, number, 1], table[place, number, 2], table[place, number, 3]
        out[first], out[first + 1], out[first + 2], out[first + 3] = a, b, c, d
        return
    for unit in range(units):
        out[first + unit] = table[place, number, unit]


@kernel
def encode(rows: Rows, spans: NDArray[np.int64], table: NDArray[np.float32], out: NDArray[np.float32]) -> None:
    """Fill `out`, whose rows are encodings."""
    for i in range(rows.shape[0]):
        put_inputs(planes(rows[i]), rows[i, TURN], spans, table, out[i])


def at_least(least: int) -> Unit:
    """1 from so many on."""
    return lambda n: float(n >= least)


def per(whole: float) -> Unit:
    """The number in parts of a whole."""
    return lambda n: n / whole


def bit(which: int) -> Unit:
    """A binary digit of the number."""
    return lambda n: float(n >> which & 1)


def above(least: int) -> Unit:
    """Half of what is above so many."""
    return lambda n: max(n - least, 0) / 2


TESAURO_POINT = (at_least(1), at_least(2), at_least(3), above(3))


def mark(bit: int) -> int:
    """The place of a bit of the turn word from 32 on."""
    return BITS + FIELDS + bit - FIRST_MARK


def _track(encoder: Encoder, game: Game, point: Sequence[Unit], bar: Unit, off: Unit) -> None:
    """The places of a track, those of the opponent in the order of the same points; then what only some games have."""
    points = range(1, game.spec.points + 1)
    encoder.add("own_off", [OFF], [off])
    encoder.add("own_points", points, point)
    encoder.add("own_bar", [BAR], [bar])
    encoder.add("opponent_bar", [OPPONENT], [bar])
    encoder.add("opponent_points", [OPPONENT + p for p in points], point)
    encoder.add("opponent_off", [OPPONENT + BAR], [off])
    if game.options["hit_to"] == "hand" or game.spec.hand:
        encoder.add("own_hand", [wide.HAND], [bar])
        encoder.add("opponent_hand", [BITS - 1 - wide.HAND], [bar])
    if game.options["blot"] == "pin":
        encoder.add("own_pinned", [mark(int(wide.UNDER) + p) for p in points], [at_least(1)])
    if game.options["runner"] != "none" and game.options["blot"] == "hit":
        encoder.add("runners", [mark(int(bit).bit_length() - 1) for bit in (wide.RUN, wide.OPPONENT_RUN)], [at_least(1)])
    if any(game.options[name] not in plain for name, plain in CHAINS.items()):
        encoder.add("dice", range(BITS, BITS + 6), [at_least(1), at_least(2), at_least(3), at_least(4)])
        encoder.add("stage", [BITS + int(chain.MORE).bit_length() // FACE_BITS], [bit(0), bit(1), bit(2)])
        encoder.add("gift", [BITS + int(chain.GIFT).bit_length() // FACE_BITS], [bit(0)])
    if game.options["plain_doubles_turns"] != "0":
        encoder.add("plain_turns", [mark(int(shift) + k) for shift in (chain.PLAIN, chain.OPPONENT_PLAIN) for k in (0, 1)], [at_least(1)])


def _unstack(encoder: Encoder, point: Sequence[Unit], number: Callable[[float], Unit], checkers: int) -> None:
    """Men on the six points, those who lie, laps to go and men off, of both sides."""
    own = range(unstack.LYING + 7)
    for side, places in (("own", own), ("opponent", [BITS - 1 - place for place in own])):
        encoder.add(f"{side}_off", [places[OFF]], [number(checkers)])
        encoder.add(f"{side}_points", places[1:7], point)
        encoder.add(f"{side}_lying", places[unstack.LYING + 1 :], [number(1)])
        encoder.add(f"{side}_laps", [places[unstack.LAPS]], [at_least(1), at_least(2)])


def _cross(encoder: Encoder, spaces: int) -> None:
    """Single pieces and pairs of both sides on every space, boxes, the side, and what the turn word holds."""
    encoder.add("spaces", range(spaces), [bit(0), bit(1), bit(2), bit(3)])
    for side, shift in (("own", 0), ("opponent", 1)):
        encoder.add(f"{side}_captured", [cross.CAPTURED + shift], [at_least(1), at_least(2), per(4)])
        encoder.add(f"{side}_victory", [cross.VICTORY + shift], [at_least(1), at_least(2), at_least(3), at_least(4)])
    encoder.add("side", [cross.SIDE], [at_least(1)])
    encoder.add("dice", range(BITS, BITS + 6), [at_least(1), at_least(2)])
    encoder.add("uses", [BITS + 6], [at_least(1), at_least(2), at_least(3)])
    encoder.add("pending", [BITS + 7], [at_least(1), at_least(2)])
    spent = int(cross.SPENT)
    encoder.add("credits", [BITS + 8], [lambda n: float(0 < n < spent), lambda n: float(1 < n < spent), at_least(spent)])
    encoder.add("marks", [BITS + 9], [bit(0), bit(1)])
    encoder.add("reroll", [BITS + 10], [bit(0)])


NAMES = ("tesauro", "counts")
"""Encoders by name.

tesauro: for track games 196 inputs like TD-Gammon's: per point at least 1, 2, 3 checkers and half of those above 3; half the bar,
a fifteenth of those off. (G. Tesauro, "Practical issues in temporal difference learning", 1992; there 198, with two for the side
to act.) For the other kinds the same idea: every number that matters by thresholds.
counts: the numbers at every place, 52 for track games.
"""


@lru_cache(maxsize=64)
def encoder_of(game: Game, name: str) -> Encoder:
    """The encoder of that name for a game."""
    encoder = Encoder(name)
    plain = name == "counts"
    if game.spec.kind == "cross":
        _cross(encoder, len(game.board.spaces))
    elif game.spec.kind == "unstack":
        _unstack(encoder, [float] if plain else TESAURO_POINT, (lambda whole: float) if plain else per, game.checkers)
    else:
        point = [unit for unit in TESAURO_POINT if unit(game.checkers)]
        _track(encoder, game, [float] if plain else point, float if plain else per(2), float if plain else per(game.checkers))
    return encoder
