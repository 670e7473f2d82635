"""Whole games with uniformly random plays: the plainest use of the generator, and its benchmark."""

import numpy as np
from numpy.typing import NDArray

from tablezoo.kernel.bits import ZERO, U
from tablezoo.kernel.board import ROW, TURN, Row, Rows, planes, put_row, turned
from tablezoo.kernel.dice import below, roll, stream
from tablezoo.kernel.jit import kernel
from tablezoo.kernel.plays import MAX_PLAYS, is_opening, plays, points_won, roll_word
from tablezoo.rules import Rules


@kernel
def random_games(rules: Rules, start: Row, seed: U, first: U, results: NDArray[np.int64], sample: Rows) -> U:
    """Play games `first`, `first + 1`, ... with a uniformly random play at every turn.

    Args:
        results: shape (games, 2); for each game the points of player 0 and the turns played.
        sample: filled from the top with every play node met, until full.

    Returns:
        Number of rows written to `sample`.
    """
    out = np.empty((MAX_PLAYS, ROW), np.uint64)
    work = np.empty((MAX_PLAYS, ROW), np.uint64)
    state = np.empty(1, np.uint64)
    row = np.empty(ROW, np.uint64)
    sampled = ZERO
    for game in range(results.shape[0]):
        state[0] = stream(seed, first + U(game))
        row[:] = start
        turns = 0
        won = ZERO
        while won == ZERO:
            one, two = roll(state, is_opening(row))
            row[TURN] = roll_word(rules, planes(row), one, two)
            if sampled < U(sample.shape[0]):
                sample[sampled] = row
                sampled += U(1)
            chosen = planes(out[below(state, plays(rules, row, out, work))])
            won = points_won(rules, chosen)
            put_row(row, turned(chosen), ZERO)
            turns += 1
        results[game, 0] = np.int64(won) if turns % 2 else -np.int64(won)
        results[game, 1] = turns
    return sampled


@kernel
def count_plays(rules: Rules, nodes: Rows) -> int:
    """Total number of plays of the play nodes."""
    out = np.empty((MAX_PLAYS, ROW), np.uint64)
    work = np.empty((MAX_PLAYS, ROW), np.uint64)
    total = 0
    for i in range(U(nodes.shape[0])):
        total += int(np.int64(plays(rules, nodes[i], out, work)))
    return total
