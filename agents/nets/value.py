"""Value nets in numba: inputs -> wide ReLU layer -> small ReLU layers -> chances of a game's outcomes.

The last layer answers yes-no questions, each by a sigmoid: won? won by two or more? by three? lost by two
or more? by three? The chances of the outcomes are differences of the answers and sum to 1. Against a
softmax over the outcomes this is worth 0.02 points a game after half a million games (docs/strength.md).

No layer is multiplied out: each is a sum of rows. In the first layer each place of the board, and each number of the
turn word, contributes a row of a table, chosen by the number there, and a play changes few places: the first layer of
a play's result is that of the position plus a few rows of differences by one. In the later layers only inputs above 0
contribute their row of weights, about one in six of a wide layer that has learned.
"""

from itertools import pairwise
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from tablezoo.features import BITS, FIELD_MASK, FIELDS, FIRST_MARK, MARK_MASK, MOST, PLACES, UNITS, Encoder
from tablezoo.kernel.bits import ONE, ZERO, U, lowest
from tablezoo.kernel.board import FACE_BITS, TURN, Board, Rows, count, occupied, planes
from tablezoo.kernel.jit import fast_helper, helper, inlined, kernel
from tablezoo.kernel.simd import LANES, load, multiply_add, plus, positive, splat, store

Floats = NDArray[np.float32]
Sizes = NDArray[np.int64]

F0 = np.float32(0)
F1 = np.float32(1)
ENTRIES = U(PLACES * MOST)
"""Rows of the first layer's table, numbered place * 16 + checkers; as many rows of differences follow."""
BLOCK = LANES + LANES
"""Layers are laid out in blocks of so many outputs; those that fill up the last block have no weights and come out as 0."""
QUAD = BLOCK + BLOCK
"""Outputs that are summed at once: what a processor can add while it waits for the sum before."""
WORD = U(64)


class Net(NamedTuple):
    """A value net as kernels read it."""

    theta: Floats
    """All parameters, layer by layer: weights (inputs, outputs), bias (outputs), filled up with zeros."""
    sizes: Sizes
    """Inputs, width of each hidden layer, questions; widths filled up to whole blocks."""
    table: Floats
    """`(2, 1696, width)` flat: what a place with such a number adds to the first layer, and what one more there adds to that."""
    outcomes: Floats
    """Points of each outcome for the player to act: 1, 2, ... then -1, -2, ..."""


def filled(width: int) -> int:
    """Outputs of a layer with those that fill up its last block."""
    return -(-width // int(BLOCK)) * int(BLOCK)


def parameters(sizes: tuple[int, ...]) -> int:
    """Length of `Net.theta`."""
    inputs, *widths = sizes
    return sum((a + 1) * b for a, b in pairwise([inputs, *map(filled, widths)]))


def questions(outcomes: tuple[int, ...]) -> int:
    """Outputs of the last layer for these outcomes."""
    return len(outcomes) - 1


def make_net(theta: Floats, hidden: tuple[int, ...], encoder: Encoder, outcomes: tuple[int, ...]) -> Net:
    """A net of these parameters (shared, not copied), its table filled."""
    sizes = (encoder.size, *hidden, questions(outcomes))
    assert len(theta) == parameters(sizes)
    width = filled(hidden[0])
    net = Net(
        theta,
        np.array([encoder.size, *map(filled, sizes[1:])], np.int64),
        np.zeros(2 * int(ENTRIES) * width, np.float32),
        np.array(outcomes, np.float32),
    )
    refresh(net, encoder)
    return net


def refresh(net: Net, encoder: Encoder) -> None:
    """Fill the table anew after the parameters have changed."""
    tabulate(net, encoder.first, encoder.units, encoder.table)


@kernel
def tabulate(net: Net, first: Sizes, units: Sizes, inputs: Floats) -> None:
    """Fill `net.table` from the first layer's weights."""
    width = net.sizes[1]
    both = net.table.reshape((2, PLACES, MOST, width))
    table, changes = both[0], both[1]
    table[:] = F0
    for place in range(PLACES):
        for n in range(MOST):
            for unit in range(units[place]):
                value = inputs[place, n, unit]
                begin = (first[place] + unit) * width
                if value != F0:
                    for h in range(width):
                        table[place, n, h] += value * net.theta[begin + h]
        for n in range(MOST - 1):
            for h in range(width):
                changes[place, n, h] = table[place, n + 1, h] - table[place, n, h]


class Terms(NamedTuple):
    """Working space: rows of a matrix, by where they begin, and what each is multiplied by in a sum of rows."""

    rows: NDArray[U]
    factors: Floats


class Space(NamedTuple):
    """Working space of a net."""

    layers: Floats
    """(layers, widest + 32): row k holds the sums of layer k + 1 before its ReLU, the last the logits; zeros follow."""
    terms: Terms


@kernel
def make_space(net: Net) -> Space:
    """Working space for a net."""
    layers = np.zeros((net.sizes.shape[0] - 1, max(net.sizes[1:]) + int(BLOCK)), np.float32)
    return Space(layers, Terms(np.empty(PLACES * UNITS, np.uint64), np.empty(PLACES * UNITS, np.float32)))


@helper
def add_rows(start: Floats, begin: U, matrix: Floats, terms: Terms, n: U, width: U, out: Floats) -> None:
    """Fill `out` with `start[begin:]` plus n terms, rows of the matrix."""
    whole = width // QUAD * QUAD
    for j in range(ZERO, whole, QUAD):
        a, b, c, d = load(start, begin + j), load(start, begin + j + LANES), load(start, begin + j + BLOCK), load(start, begin + j + BLOCK + LANES)
        for k in range(n):
            row, factor = terms.rows[k] + j, splat(terms.factors[k])
            a = multiply_add(factor, load(matrix, row), a)
            b = multiply_add(factor, load(matrix, row + LANES), b)
            c = multiply_add(factor, load(matrix, row + BLOCK), c)
            d = multiply_add(factor, load(matrix, row + BLOCK + LANES), d)
        store(out, j, a)
        store(out, j + LANES, b)
        store(out, j + BLOCK, c)
        store(out, j + BLOCK + LANES, d)
    if whole < width:
        a, b = load(start, begin + whole), load(start, begin + whole + LANES)
        for k in range(n):
            row, factor = terms.rows[k] + whole, splat(terms.factors[k])
            a = multiply_add(factor, load(matrix, row), a)
            b = multiply_add(factor, load(matrix, row + LANES), b)
        store(out, whole, a)
        store(out, whole + LANES, b)


@helper
def positives(values: Floats, begin: U) -> U:
    """A mask of those among 64 values that are above 0."""
    mask = ZERO
    for k in range(ZERO, WORD, LANES):
        mask |= positive(load(values, begin + k)) << k
    return mask


@helper
def dense(inputs: Floats, n_inputs: U, theta: Floats, begin: U, n_outputs: U, out: Floats) -> None:
    """Fill `out` with a layer's sums, given those under its ReLU inputs; its parameters begin at `theta[begin]`."""
    bias = begin + n_inputs * n_outputs
    whole = n_outputs // QUAD * QUAD
    for j in range(ZERO, whole, QUAD):
        a, b, c, d = load(theta, bias + j), load(theta, bias + j + LANES), load(theta, bias + j + BLOCK), load(theta, bias + j + BLOCK + LANES)
        for i in range(ZERO, n_inputs, WORD):
            mask = positives(inputs, U(i))
            while mask:
                input = U(i) + lowest(mask)
                mask &= mask - ONE
                row, factor = begin + input * n_outputs + j, splat(inputs[input])
                a = multiply_add(factor, load(theta, row), a)
                b = multiply_add(factor, load(theta, row + LANES), b)
                c = multiply_add(factor, load(theta, row + BLOCK), c)
                d = multiply_add(factor, load(theta, row + BLOCK + LANES), d)
        store(out, j, a)
        store(out, j + LANES, b)
        store(out, j + BLOCK, c)
        store(out, j + BLOCK + LANES, d)
    if whole < n_outputs:
        a, b, c, d = load(theta, bias + whole), load(theta, bias + whole + LANES), splat(F0), splat(F0)
        for i in range(ZERO, n_inputs, WORD):
            mask = positives(inputs, U(i))
            while mask:
                input = U(i) + lowest(mask)
                mask &= mask - ONE
                row, factor = begin + input * n_outputs + whole, splat(inputs[input])
                a = multiply_add(factor, load(theta, row), a)
                b = multiply_add(factor, load(theta, row + LANES), b)
                if mask:
                    input = U(i) + lowest(mask)
                    mask &= mask - ONE
                    row, factor = begin + input * n_outputs + whole, splat(inputs[input])
                    c = multiply_add(factor, load(theta, row), c)
                    d = multiply_add(factor, load(theta, row + LANES), d)
        store(out, whole, plus(a, c))
        store(out, whole + LANES, plus(b, d))


@helper
def entry(net: Net, place: U, number: U) -> U:
    """Where the table's row for a number at a place begins."""
    return ((place << U(4)) | number) * U(net.sizes[1])


@helper
def difference(net: Net, place: U, number: U) -> U:
    """Where the table's row begins that tells one more than a number at a place from that number."""
    return (ENTRIES + ((place << U(4)) | number)) * U(net.sizes[1])


@helper
def add_term(terms: Terms, n: U, row: U, factor: np.float32) -> U:
    """Append a term; returns how many there are now."""
    terms.rows[n], terms.factors[n] = row, factor
    return n + ONE


@helper
def word_terms(net: Net, word: U, terms: Terms, n: U) -> U:
    """Append the numbers and marks of a turn word; returns how many terms there are now."""
    fields = word & FIELD_MASK
    while fields:
        place = lowest(fields) // U(FACE_BITS)
        number = (fields >> (place * U(FACE_BITS))) & U(7)
        fields &= ~(U(7) << (place * U(FACE_BITS)))
        n = add_term(terms, n, entry(net, place + U(BITS), number), F1)
    marks = (word >> U(FIRST_MARK)) & MARK_MASK
    while marks:
        n = add_term(terms, n, entry(net, U(BITS + FIELDS) + lowest(marks), ONE), F1)
        marks &= marks - ONE
    return n


@helper
def first_layer(net: Net, board: Board, word: U, terms: Terms, sums: Floats) -> None:
    """Fill `sums` with the first layer before its ReLU, for a board and turn word seen by the player to act."""
    n = ZERO
    places = occupied(board)
    while places:
        place = lowest(places)
        places &= places - ONE
        n = add_term(terms, n, entry(net, place, count(board, place)), F1)
    n = word_terms(net, word, terms, n)
    width = U(net.sizes[1])
    add_rows(net.theta, U(net.sizes[0]) * width, net.table, terms, n, width, sums)


@helper
def first_layer_after(net: Net, before: Board, base: Floats, after: Board, word: U, terms: Terms, sums: Floats) -> None:
    """The first layer of a board and turn word, from that of another board without turn word; all seen by the player to act."""
    n = ZERO
    changed = (before[0] ^ after[0]) | (before[1] ^ after[1]) | (before[2] ^ after[2]) | (before[3] ^ after[3])
    while changed:
        place = lowest(changed)
        changed &= changed - ONE
        was, now = count(before, place), count(after, place)
        sign = F1 if now > was else -F1
        for number in range(min(was, now), max(was, now)):
            n = add_term(terms, n, difference(net, place, U(number)), sign)
    n = word_terms(net, word, terms, n)
    add_rows(base, ZERO, net.table, terms, n, U(net.sizes[1]), sums)


@fast_helper
def exponential(x: np.float32) -> np.float32:
    """exp(x) for x <= 0, from 2**k in the exponent's bits times a polynomial on [-ln 2 / 2, ln 2 / 2].

    The relative error is below 1e-6 down to -10, 4e-6 down to -80; below -87 it stays at exp(-87).
    """
    x = max(x, np.float32(-87)) * np.float32(1.44269504)
    k = np.floor(x + np.float32(0.5))
    r = (x - k) * np.float32(0.69314718)
    p = np.float32(1 / 720)
    for coefficient in (np.float32(1 / 120), np.float32(1 / 24), np.float32(1 / 6), np.float32(0.5), F1, F1):
        p = p * r + coefficient
    return p * np.int32((np.int32(k) + np.int32(127)) << np.int32(23)).view(np.float32)


@fast_helper
def sigmoid(x: np.float32) -> np.float32:
    """1 / (1 + exp(-x))."""
    e = exponential(-abs(x))
    return F1 / (F1 + e) if x >= F0 else e / (F1 + e)


@fast_helper
def distribution(logits: Floats, values: Floats) -> None:
    """Chances of the outcomes from the logits of the questions: "won?", then those of wins, then those of losses.

    An answer counts only up to that of the question before it, so that no chance is negative.
    """
    half = values.shape[0] // 2
    won = sigmoid(logits[0])
    for side in range(2):
        left = F1 - won if side else won
        for k in range(half - 1):
            more = min(left, sigmoid(logits[1 + side * (half - 1) + k]))
            values[side * half + k] = left - more
            left = more
        values[side * half + half - 1] = left


@helper
def later_layers(net: Net, layers: Floats, values: Floats) -> None:
    """From the first layer's sums in `layers[0]` to the chances of the outcomes in `values`."""
    depth = net.sizes.shape[0] - 1
    begin = U((net.sizes[0] + 1) * net.sizes[1])
    for k in range(1, depth):
        inputs, outputs = U(net.sizes[k]), U(net.sizes[k + 1])
        dense(layers[k - 1], inputs, net.theta, begin, outputs, layers[k])
        begin += (inputs + ONE) * outputs
    distribution(layers[depth - 1], values)


@inlined
def certain(outcomes: Floats, points: np.float32, values: Floats) -> None:
    """The chances of an outcome of so many points that is sure; a draw is half a win and half a loss, points that are no outcome so many times the first."""
    found = False
    for j in range(outcomes.shape[0]):
        values[j] = F1 if outcomes[j] == points else F0
        found |= outcomes[j] == points
    if points == F0:
        values[0] = values[values.shape[0] // 2] = F1 / np.float32(2)
    elif not found:
        values[0] = points


@helper
def equity(net: Net, probabilities: Floats) -> np.float32:
    """Mean points of a distribution over the outcomes."""
    total = F0
    for i in range(net.outcomes.shape[0]):
        total += net.outcomes[i] * probabilities[i]
    return total


@kernel
def evaluate(net: Net, rows: Rows, probabilities: Floats) -> None:
    """Fill `probabilities` (n, outcomes) for the player to act in each row."""
    space = make_space(net)
    for i in range(rows.shape[0]):
        first_layer(net, planes(rows[i]), rows[i, TURN], space.terms, space.layers[0])
        later_layers(net, space.layers, probabilities[i])
