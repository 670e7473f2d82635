"""Learning of value nets in numba: gradients of the summed cross-entropies of the questions, and Adam.

Only inputs that are not zero touch the first layer, in both directions.
"""

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from agents.nets.value import BLOCK, F0, F1, WORD, Floats, Net, Sizes, Terms, add_rows, exponential, later_layers, make_space, positives, sigmoid
from agents.nets.value import Space as NetSpace
from tablezoo.features import Encoder, active
from tablezoo.kernel.bits import ONE, ZERO, U, lowest
from tablezoo.kernel.board import Row, Rows
from tablezoo.kernel.jit import fast_helper, helper, kernel
from tablezoo.kernel.simd import LANES, load, multiply, multiply_add, splat, store, total


class Inputs(NamedTuple):
    """An encoder's table as kernels read it (`tablezoo.features.Encoder`)."""

    first: Sizes
    units: Sizes
    table: Floats


class Adam(NamedTuple):
    """State of the Adam optimiser (Kingma & Ba 2015) with the paper's decay rates."""

    gradient: Floats
    """(parameters,): sum over the examples of a batch; zero between batches."""
    mean: Floats
    """(parameters,): running mean of the gradient."""
    square: Floats
    """(parameters,): running mean of its square."""


BETA1 = np.float32(0.9)
BETA2 = np.float32(0.999)
EPSILON = np.float32(1e-8)


def make_inputs(encoder: Encoder) -> Inputs:
    """The encoder's table."""
    return Inputs(encoder.first, encoder.units, encoder.table)


@helper
def accumulate(sums: Floats, begin: U, factor: np.float32, values: Floats, n: U) -> None:
    """`sums[begin:] += factor * values`, for n values."""
    for i in range(ZERO, n, LANES):
        store(sums, begin + i, multiply_add(splat(factor), load(values, i), load(sums, begin + i)))


@helper
def first_layer_backward(net: Net, terms: Terms, n: U, slope: Floats, gradient: Floats) -> None:
    """Add the gradient of the first layer's parameters, given that of its sums."""
    width = U(net.sizes[1])
    accumulate(gradient, U(net.sizes[0]) * width, F1, slope, width)
    for k in range(n):
        accumulate(gradient, terms.rows[k], terms.factors[k], slope, width)


@helper
def dense_backward(net: Net, begin: U, inputs: Floats, n_inputs: U, slope: Floats, n_outputs: U, gradient: Floats, below: Floats) -> None:
    """Add the gradient of a later layer, and fill `below` with that of the sums under its ReLU inputs."""
    accumulate(gradient, begin + n_inputs * n_outputs, F1, slope, n_outputs)
    for i in range(n_inputs):
        below[i] = F0
    for j in range(ZERO, n_outputs, BLOCK):
        a, b = load(slope, U(j)), load(slope, j + LANES)
        for i in range(ZERO, n_inputs, WORD):
            mask = positives(inputs, U(i))
            while mask:
                input = U(i) + lowest(mask)
                mask &= mask - ONE
                row, factor = begin + input * n_outputs + j, splat(inputs[input])
                store(gradient, row, multiply_add(factor, a, load(gradient, row)))
                store(gradient, row + LANES, multiply_add(factor, b, load(gradient, row + LANES)))
                below[input] += total(multiply_add(b, load(net.theta, row + LANES), multiply(a, load(net.theta, row))))


@fast_helper
def answer(logits: Floats, question: int, truth: np.float32, slopes: Floats) -> np.float32:
    """Cross-entropy of one question, whose gradient by its logit goes to `slopes`.

    A chance below 0 or above 1, which returns without luck can have, counts as 0 or 1: its logit would grow without end.
    """
    x = logits[question]
    truth = min(max(truth, F0), F1)
    slopes[question] = sigmoid(x) - truth
    return np.float32(max(x, F0) - x * truth + np.log(F1 + exponential(-abs(x))))


@fast_helper
def answers(logits: Floats, target: Floats, slopes: Floats) -> np.float32:
    """Summed cross-entropy of the questions of `distribution`, given the target chances of the outcomes."""
    half = target.shape[0] // 2
    loss = F0
    for side in range(2):
        truth = F0  # target chance of an outcome as large or larger
        for k in range(half - 1, 0, -1):
            truth += target[side * half + k]
            loss += answer(logits, side * (half - 1) + k, truth, slopes)
        if side == 0:
            loss += answer(logits, 0, truth + target[0], slopes)
    return loss


class Space(NamedTuple):
    """Working space of a pass."""

    net: NetSpace
    which: Sizes
    """Inputs that are not zero."""
    slopes: Floats
    """(layers, widest); zeros where a layer is filled up."""
    chances: Floats
    """(outcomes,)."""


@kernel
def make_gradient_space(net: Net) -> Space:
    """Working space of a pass through a net."""
    space = make_space(net)
    return Space(space, np.empty(space.terms.rows.shape[0], np.int64), np.zeros_like(space.layers), np.empty(net.outcomes.shape[0], np.float32))


@helper
def add_gradient(net: Net, inputs: Inputs, row: Row, target: Floats, space: Space, gradient: Floats) -> np.float32:
    """Add the gradient of one example's loss, which is returned."""
    depth = net.sizes.shape[0] - 1
    width = U(net.sizes[1])
    layers, slopes, terms = space.net.layers, space.slopes, space.net.terms
    n = U(active(row, inputs.first, inputs.units, inputs.table, space.which, terms.factors))
    for k in range(n):
        terms.rows[k] = U(space.which[k]) * width
    add_rows(net.theta, U(net.sizes[0]) * width, net.theta, terms, n, width, layers[0])
    later_layers(net, layers, space.chances)
    loss = answers(layers[depth - 1], target, slopes[depth - 1])
    end = U(net.theta.shape[0])
    for k in range(depth - 1, 0, -1):
        n_inputs, n_outputs = U(net.sizes[k]), U(net.sizes[k + 1])
        end -= (n_inputs + ONE) * n_outputs
        dense_backward(net, end, layers[k - 1], n_inputs, slopes[k], n_outputs, gradient, slopes[k - 1])
    first_layer_backward(net, terms, n, slopes[0], gradient)
    return loss


@fast_helper
def adam_step(theta: Floats, adam: Adam, examples: np.float32, rate: np.float32, step: np.float32) -> None:
    """One Adam step along the mean gradient; `step` counts from 1. The gradient is zero afterwards."""
    scale = F1 / examples
    rate = rate / (F1 - BETA1**step)
    root = F1 / (F1 - BETA2**step)
    for i in range(theta.shape[0]):
        g = adam.gradient[i] * scale
        mean = BETA1 * adam.mean[i] + (F1 - BETA1) * g
        square = BETA2 * adam.square[i] + (F1 - BETA2) * g * g
        adam.mean[i] = mean
        adam.square[i] = square
        adam.gradient[i] = F0
        theta[i] -= rate * mean / (np.sqrt(square * root) + EPSILON)


@kernel
def learn(
    net: Net, inputs: Inputs, adam: Adam, rows: Rows, targets: Floats, order: NDArray[np.int64], batch: int, rate: np.float32, step: int
) -> tuple[float, int]:
    """One pass over the examples `order`, an Adam step after each `batch` of them.

    The table of the net is not refreshed.

    Args:
        rows: (n, ROW) roll nodes.
        targets: (n, outcomes) distributions.
        order: indices of rows, each used once.
        batch: examples of a step; what is left over at the end makes a smaller one.
        rate: learning rate.
        step: steps taken so far.

    Returns:
        Mean loss before each step, and the number of steps now taken.
    """
    space = make_gradient_space(net)
    total = 0.0
    for begin in range(0, order.shape[0], batch):
        end = min(begin + batch, order.shape[0])
        for index in range(begin, end):
            i = order[index]
            total += float(add_gradient(net, inputs, rows[i], targets[i], space, adam.gradient))
        step += 1
        adam_step(net.theta, adam, np.float32(end - begin), rate, np.float32(step))
    return total / max(order.shape[0], 1), step


@kernel
def gradient(net: Net, inputs: Inputs, rows: Rows, targets: Floats, out: Floats) -> float:
    """Fill `out` (parameters) with the gradient of the examples' summed loss, which is returned."""
    space = make_gradient_space(net)
    out[:] = F0
    total = 0.0
    for i in range(rows.shape[0]):
        total += float(add_gradient(net, inputs, rows[i], targets[i], space, out))
    return total
