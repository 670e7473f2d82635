"""Many games at once: rolls, results and choices for arrays of rows."""

import numpy as np
from numpy.typing import NDArray

from tablezoo.kernel.bits import ZERO, U
from tablezoo.kernel.board import AGAIN, GOES_ON, ROW, TURN, Rows, planes, put
from tablezoo.kernel.jit import kernel
from tablezoo.kernel.nodes import DIFFERENCE, ONE_DIE, TWO_DICE, followed, is_roll, outcome, roll, rolled_word, throw_of
from tablezoo.kernel.plays import MAX_PLAYS, plays
from tablezoo.rules import Rules


@kernel
def roll_all(rules: Rules, rows: Rows, states: NDArray[U]) -> None:
    """Turn roll nodes into play nodes, in place, each with the dice of its own generator state (n,); play nodes stay."""
    for i in range(rows.shape[0]):
        if is_roll(rules, rows[i, TURN]):
            one, two = roll(rules, rows[i, TURN], states[i : i + 1])
            rows[i, TURN] = rolled_word(rules, planes(rows[i]), rows[i, TURN], one, two)
        rows[i, TURN] &= ~AGAIN


@kernel
def every_roll(rules: Rules, rows: Rows, nodes: NDArray[U], chances: NDArray[np.float64]) -> None:
    """The play nodes that may follow each roll node, (n, 21, ROW), and their chances (n, 21): 0 for what is not thrown there."""
    for i in range(rows.shape[0]):
        throw = throw_of(rules, rows[i, TURN])
        k = 0
        for first in range(1, 7):
            for second in range(1, first + 1):
                doublet = first == second
                one, two = U(first), U(second)
                if throw == ONE_DIE:
                    two = ZERO
                elif throw == DIFFERENCE:
                    one, two = U(1 if doublet else first - second), ZERO
                thrown = throw == TWO_DICE or doublet == (throw == ONE_DIE)
                board = planes(rows[i])
                put(nodes[i], U(k), board, rolled_word(rules, board, rows[i, TURN], one, two) & ~AGAIN)
                chances[i, k] = 0.0 if not thrown else 1.0 if doublet else 2.0
                k += 1
        chances[i] /= chances[i].sum()


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
def fill_results(rules: Rules, nodes: Rows, ends: NDArray[np.int64], rows: Rows, points: NDArray[np.float32]) -> None:
    """Fill `rows` with the nodes that follow each play node, seen by whoever acts there, and `points` with what is settled.

    A row is marked `AGAIN` if the player who chooses acts there too. `points` (n,) is what a finished game counts for him
    who chooses, and NaN where the game goes on.
    """
    out = np.empty((MAX_PLAYS, ROW), np.uint64)
    work = np.empty((MAX_PLAYS, ROW), np.uint64)
    begin = 0
    for i in range(nodes.shape[0]):
        plays(rules, nodes[i], out, work)
        for k in range(begin, ends[i]):
            result = out[k - begin]
            won = outcome(rules, planes(result), result[TURN])
            points[k] = np.float32(won) if won != GOES_ON else np.float32(np.nan)
            board, word = followed(rules, planes(result), result[TURN])
            put(rows, U(k), board, word)
        begin = ends[i]


@kernel
def settled(rules: Rules, rows: Rows, points: NDArray[np.float32]) -> NDArray[np.bool_]:
    """Which nodes, as they follow a play, are the end of a game; `points` gets what it counts for the player who made the play, else 0."""
    over = np.zeros(rows.shape[0], np.bool_)
    for i in range(rows.shape[0]):
        points[i] = np.float32(0)
        if rows[i, TURN] & AGAIN:
            continue
        board, word = followed(rules, planes(rows[i]), rows[i, TURN])  # following twice is going back
        won = outcome(rules, board, word)
        if won != GOES_ON:
            points[i] = np.float32(won)
            over[i] = True
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
