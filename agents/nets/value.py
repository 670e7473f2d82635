"""Value nets in numba: inputs -> wide ReLU layer -> small ReLU layers -> chances of a game's outcomes.

The last layer answers yes-no questions, each by a sigmoid: won? won by two or more? by three? lost by two
or more? by three? The chances of the outcomes are differences of the answers and sum to 1. Against a
softmax over the outcomes this is worth 0.02 points a game after half a million games (docs/strength.md).

The first layer is never multiplied out. Each place of the board, and each number of the turn word, contributes a row
of a table, chosen by the number there, and a play changes few places: the first layer of a play's result is that
of the position plus a few rows of differences by one.
"""

from itertools import pairwise
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from tablezoo.features import BITS, FIELD_MASK, FIELDS, FIRST_MARK, MARK_MASK, MOST, PLACES, Encoder
from tablezoo.kernel.bits import ONE, ZERO, U, lowest
from tablezoo.kernel.board import FACE_BITS, TURN, Board, Rows, count, occupied, planes
from tablezoo.kernel.jit import fast_helper, helper, kernel

Floats = NDArray[np.float32]
Sizes = NDArray[np.int64]

F0 = np.float32(0)
F1 = np.float32(1)
ENTRIES = U(PLACES * MOST)
"""Rows of the first layer's table, numbered place * 16 + checkers."""


class Net(NamedTuple):
    """A value net as kernels read it."""

    theta: Floats
    """All parameters. First layer: weights (inputs, width), bias. Each later one: weights (outputs, inputs), bias."""
    sizes: Sizes
    """Inputs, width of each hidden layer, questions."""
    table: Floats
    """`(1696, width)` flat: what a place with such a number adds to the first layer."""
    changes: Floats
    """`(2, 1696, width)` flat: what one more (0) or less (1) at a place adds to it."""
    outcomes: Floats
    """Points of each outcome for the player to act: 1, 2, ... then -1, -2, ..."""


def parameters(sizes: tuple[int, ...]) -> int:
    """Length of `Net.theta`."""
    return sum((inputs + 1) * outputs for inputs, outputs in pairwise(sizes))


def questions(outcomes: tuple[int, ...]) -> int:
    """Outputs of the last layer for these outcomes."""
    return len(outcomes) - 1


def make_net(theta: Floats, hidden: tuple[int, ...], encoder: Encoder, outcomes: tuple[int, ...]) -> Net:
    """A net of these parameters (shared, not copied), its table filled."""
    sizes = (encoder.size, *hidden, questions(outcomes))
    assert len(theta) == parameters(sizes)
    width = hidden[0]
    net = Net(
        theta,
        np.array(sizes, np.int64),
        np.zeros(int(ENTRIES) * width, np.float32),
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
    """Fill `net.table` and `net.changes` from the first layer's weights."""
    width = net.sizes[1]
    table = net.table.reshape((PLACES, MOST, width))
    changes = net.changes.reshape((2, PLACES, MOST, width))
    table[:] = F0
    for bit in range(PLACES):
        for n in range(MOST):
            for unit in range(units[bit]):
                value = inputs[bit, n, unit]
                begin = (first[bit] + unit) * width
                if value != F0:
                    for h in range(width):
                        table[bit, n, h] += value * net.theta[begin + h]
        for n in range(MOST - 1):
            for h in range(width):
                change = table[bit, n + 1, h] - table[bit, n, h]
                changes[0, bit, n, h] = change
                changes[1, bit, n + 1, h] = -change


@fast_helper
def first_layer(net: Net, board: Board, word: U, sums: Floats) -> None:
    """Fill `sums` with the first layer before its ReLU, for a board and turn word seen by the player to act."""
    width = U(net.sizes[1])
    bias = U(net.sizes[0]) * width
    for h in range(width):
        sums[h] = net.theta[bias + U(h)]
    places = occupied(board)
    while places:
        bit = lowest(places)
        places &= places - ONE
        add_entry(net, bit, count(board, bit), sums)
    add_word(net, word, sums)


@fast_helper
def add_entry(net: Net, place: U, number: U, sums: Floats) -> None:
    """Add what a number at a place contributes to the first layer."""
    width = U(net.sizes[1])
    row = ((place << U(4)) | number) * width
    for h in range(width):
        sums[h] += net.table[row + U(h)]


@fast_helper
def add_word(net: Net, word: U, sums: Floats) -> None:
    """Add what the numbers and marks of a turn word contribute to the first layer."""
    fields = word & FIELD_MASK
    while fields:
        place = lowest(fields) // U(FACE_BITS)
        number = (fields >> (place * U(FACE_BITS))) & U(7)
        fields &= ~(U(7) << (place * U(FACE_BITS)))
        add_entry(net, place + U(BITS), number, sums)
    marks = (word >> U(FIRST_MARK)) & MARK_MASK
    while marks:
        add_entry(net, U(BITS + FIELDS) + lowest(marks), ONE, sums)
        marks &= marks - ONE


@fast_helper
def first_layer_after(net: Net, before: Board, base: Floats, after: Board, word: U, sums: Floats) -> None:
    """The first layer of a board and turn word, from that of another board without turn word; all seen by the player to act."""
    width = U(net.sizes[1])
    for h in range(width):
        sums[h] = base[h]
    changed = (before[0] ^ after[0]) | (before[1] ^ after[1]) | (before[2] ^ after[2]) | (before[3] ^ after[3])
    while changed:
        bit = lowest(changed)
        changed &= changed - ONE
        n, target = count(before, bit), count(after, bit)
        less = ENTRIES if n > target else ZERO
        while n != target:
            row = (less + ((bit << U(4)) | n)) * width
            for h in range(width):
                sums[h] += net.changes[row + U(h)]
            n = n - ONE if less else n + ONE
    add_word(net, word, sums)


@fast_helper
def dense(inputs: Floats, n_inputs: U, theta: Floats, begin: U, outputs: Floats, n_outputs: U) -> None:
    """`outputs = weights @ inputs + bias`, four outputs at a time."""
    bias = begin + n_inputs * n_outputs
    done = ZERO
    while done + U(4) <= n_outputs:
        row = begin + done * n_inputs
        a, b, c, d = F0, F0, F0, F0
        for i in range(n_inputs):
            x = inputs[i]
            a += x * theta[row + U(i)]
            b += x * theta[row + n_inputs + U(i)]
            c += x * theta[row + U(2) * n_inputs + U(i)]
            d += x * theta[row + U(3) * n_inputs + U(i)]
        outputs[done] = a + theta[bias + done]
        outputs[done + U(1)] = b + theta[bias + done + U(1)]
        outputs[done + U(2)] = c + theta[bias + done + U(2)]
        outputs[done + U(3)] = d + theta[bias + done + U(3)]
        done += U(4)
    while done < n_outputs:
        row = begin + done * n_inputs
        a = F0
        for i in range(n_inputs):
            a += inputs[i] * theta[row + U(i)]
        outputs[done] = a + theta[bias + done]
        done += ONE


@fast_helper
def relu(values: Floats, n: U) -> None:
    """Negative values become 0."""
    for i in range(n):
        values[i] = max(values[i], F0)


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


@fast_helper
def later_layers(net: Net, layers: Floats, values: Floats) -> None:
    """From the first layer's sums in `layers[0]` to the chances of the outcomes in `values`.

    `layers` is (layers, widest): row k ends as the activations of layer k + 1, the last as the logits.
    """
    depth = net.sizes.shape[0] - 1
    begin = U((net.sizes[0] + 1) * net.sizes[1])
    for k in range(1, depth):
        n_inputs, n_outputs = U(net.sizes[k]), U(net.sizes[k + 1])
        relu(layers[k - 1], n_inputs)
        dense(layers[k - 1], n_inputs, net.theta, begin, layers[k], n_outputs)
        begin += (n_inputs + ONE) * n_outputs
    distribution(layers[depth - 1], values)


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
    layers = np.empty((net.sizes.shape[0] - 1, max(net.sizes[1:])), np.float32)
    for i in range(rows.shape[0]):
        first_layer(net, planes(rows[i]), rows[i, TURN], layers[0])
        later_layers(net, layers, probabilities[i])
