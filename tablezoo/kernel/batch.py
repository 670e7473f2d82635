"""Many games at once: rolls, results and choices for arrays of rows."""

import numpy as np
from numpy.typing import NDArray

from tablezoo.kernel.bits import U
from tablezoo.kernel.board import ROW, TURN, Rows, planes, put, turned
from tablezoo.kernel.dice import roll
from tablezoo.kernel.jit import kernel
from tablezoo.kernel.plays import MAX_PLAYS, is_opening, plays, points_won, roll_word
from tablezoo.rules import Rules


@kernel
def roll_all(rules: Rules, rows: Rows, states: NDArray[U]) -> None:
    """Turn roll nodes into play nodes, in place, each with the dice of its own generator state (n,)."""
    for i in range(rows.shape[0]):
        one, two = roll(states[i : i + 1], is_opening(rows[i]))
        rows[i, TURN] = roll_word(rules, planes(rows[i]), one, two)


@kernel
def count_results(rules: Rules, nodes: Rows) -> NDArray[np.int64]:
    """For each play node, one past the end of its results in the array that `fill_results` fills."""
    out = np.empty((MAX_PLAYS, ROW), np.uint64)
    work = np.empty((MAX_PLAYS, ROW), np.uint64)
    ends = np.empty(nodes.shape[0], np.int64)
    total = 0
    for i in range(nodes.shape[0]):
        total += int(np.int64(plays(rules, nodes[i], out, work)))
        ends[i] = total
    return ends


@kernel
def fill_results(rules: Rules, nodes: Rows, ends: NDArray[np.int64], rows: Rows) -> None:
    """Fill `rows` with the nodes that follow each play node, seen by whoever acts there."""
    out = np.empty((MAX_PLAYS, ROW), np.uint64)
    work = np.empty((MAX_PLAYS, ROW), np.uint64)
    begin = 0
    for i in range(nodes.shape[0]):
        plays(rules, nodes[i], out, work)
        for k in range(begin, ends[i]):
            put(rows, U(k), turned(planes(out[k - begin])), U(0))
        begin = ends[i]


@kernel
def finished(rules: Rules, rows: Rows, values: NDArray[np.float32]) -> NDArray[np.bool_]:
    """Which rows are over; `values` gets what the game then counts for the player who would act (he has lost), else 0."""
    over = np.empty(rows.shape[0], np.bool_)
    for i in range(rows.shape[0]):
        points = points_won(rules, turned(planes(rows[i])))
        values[i] = -np.float32(points)
        over[i] = points != U(0)
    return over


@kernel
def smallest(costs: NDArray[np.float32], ends: NDArray[np.int64]) -> NDArray[np.int64]:
    """Index of the smallest cost of each stretch that `ends` ends; the first of equals."""
    chosen = np.empty(ends.shape[0], np.int64)
    begin = 0
    for i in range(ends.shape[0]):
        best = begin
        for k in range(begin, ends[i]):
            if costs[k] < costs[best]:
                best = k
        chosen[i] = best
        begin = ends[i]
    return chosen
