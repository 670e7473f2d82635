"""Perft: leaves of the tree of all rolls and plays, the classic check of a move generator."""

import numpy as np
from numpy.typing import NDArray

from tablezoo.kernel.bits import U
from tablezoo.kernel.board import AGAIN, GOES_ON, ROW, TURN, Board, Row, Rows, planes, put
from tablezoo.kernel.dice import BEGINS, THROWS
from tablezoo.kernel.jit import helper, kernel
from tablezoo.kernel.nodes import followed, node_throw, outcome, rolled_word, shown_by
from tablezoo.kernel.plays import MAX_PLAYS, plays
from tablezoo.rules import Rules


@helper
def _leaves(rules: Rules, board: Board, word: U, depth: int, nodes: Rows, results: NDArray[U], work: Rows) -> int:
    """Leaves below a node; level `depth` uses `nodes[depth]` and `results[depth]`."""
    total = 0
    out = results[depth]
    dice = shown_by(node_throw(rules, word))
    for i in range(BEGINS[dice], BEGINS[dice + 1]):
        put(nodes, U(depth), board, rolled_word(rules, board, word, THROWS[i]) if dice else word)
        n = plays(rules, nodes[depth], out, work)
        if depth == 0:
            total += int(np.int64(n))
            continue
        for k in range(n):
            after, left = planes(out[k]), out[k, TURN]
            if outcome(rules, after, left) != GOES_ON:
                total += 1
            else:
                after, left = followed(rules, after, left)
                total += _leaves(rules, after, left & ~AGAIN, depth - 1, nodes, results, work)
    return total


@kernel
def perft(rules: Rules, row: Row, depth: int) -> int:
    """Leaves `depth` stages below a node, over all distinct rolls, unweighted; a finished game or a pass is one leaf."""
    if depth == 0:
        return 1
    nodes = np.empty((depth, ROW), np.uint64)
    results = np.empty((depth, MAX_PLAYS, ROW), np.uint64)
    work = np.empty((MAX_PLAYS, ROW), np.uint64)
    return _leaves(rules, planes(row), row[TURN], depth - 1, nodes, results, work)
