"""Whole games with uniformly random plays: the plainest use of the generator, and its benchmark."""

import numpy as np
from numpy.typing import NDArray

from tablezoo.kernel.bits import ZERO, U
from tablezoo.kernel.board import AGAIN, GOES_ON, ROW, TURN, Row, Rows, planes, put_row
from tablezoo.kernel.dice import below, stream
from tablezoo.kernel.jit import kernel
from tablezoo.kernel.nodes import followed, is_roll, outcome, roll, rolled_word
from tablezoo.kernel.plays import MAX_PLAYS, plays
from tablezoo.rules import Rules

MOST_STAGES = 1_000_000


@kernel
def random_games(rules: Rules, start: Row, seed: U, first: U, results: NDArray[np.int64], sample: Rows) -> U:
    """Play games `first`, `first + 1`, ... with a uniformly random play at every stage.

    Args:
        results: shape (games, 2); for each game the points of player 0 (0 too if it was broken off after MOST_STAGES) and the stages played.
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
        stages = 0
        sign = 1
        won = GOES_ON
        while won == GOES_ON and stages < MOST_STAGES:
            if is_roll(rules, row[TURN]):
                thrown = roll(rules, row[TURN], state)
                row[TURN] = rolled_word(rules, planes(row), row[TURN], thrown)
            if sampled < U(sample.shape[0]):
                sample[sampled] = row
                sampled += U(1)
            chosen = out[below(state, plays(rules, row, out, work))]
            board, word = planes(chosen), chosen[TURN]
            won = outcome(rules, board, word)
            board, word = followed(rules, board, word)
            put_row(row, board, word & ~AGAIN)
            stages += 1
            if won == GOES_ON and word & AGAIN == ZERO:
                sign = -sign
        results[game, 0] = won * sign if won != GOES_ON else 0
        results[game, 1] = stages
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
