"""Perft: leaves of the tree of all rolls and plays, the classic check of a move generator."""

import numpy as np
from numpy.typing import NDArray

from tablezoo.kernel.bits import ZERO, U
from tablezoo.kernel.board import ROW, Board, Row, Rows, planes, put, turned
from tablezoo.kernel.jit import helper, kernel
from tablezoo.kernel.plays import MAX_PLAYS, plays, points_won, roll_word
from tablezoo.rules import Rules


@helper
def _leaves(rules: Rules, board: Board, depth: int, nodes: Rows, results: NDArray[U], work: Rows) -> int:
    """Leaves below a roll node; level `depth` uses `nodes[depth]` and `results[depth]`."""
    total = 0
    out = results[depth]
    for a in range(1, 7):
        for b in range(1, a + 1):
            put(nodes, U(depth), board, roll_word(rules, board, U(a), U(b)))
            n = plays(rules, nodes[depth], out, work)
            if depth == 0:
                total += int(np.int64(n))
                continue
            for i in range(n):
                after = planes(out[i])
                if points_won(rules, after) != ZERO:
                    total += 1
                else:
                    total += _leaves(rules, turned(after), depth - 1, nodes, results, work)
    return total


@kernel
def perft(rules: Rules, row: Row, depth: int) -> int:
    """Leaves `depth` stages below a roll node, over all 21 rolls, unweighted; a finished game or a pass is one leaf."""
    if depth == 0:
        return 1
    nodes = np.empty((depth, ROW), np.uint64)
    results = np.empty((depth, MAX_PLAYS, ROW), np.uint64)
    work = np.empty((MAX_PLAYS, ROW), np.uint64)
    return _leaves(rules, planes(row), depth - 1, nodes, results, work)
