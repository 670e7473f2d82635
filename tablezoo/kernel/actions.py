"""Actions of the environments: which are legal at a node, by their index, and what they lead to."""

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from tablezoo.kernel.bits import ONE, ZERO, U, lowest
from tablezoo.kernel.board import ROW, TURN, Board, Row, Rows, planes
from tablezoo.kernel.jit import helper
from tablezoo.kernel.nodes import CROSS
from tablezoo.kernel.plays import first_steps, plays, stepped
from tablezoo.rules import Rules

PLACES = U(64)
"""Sources of steps are below it."""
KEPT = 256
"""Results kept of a node, so that they need not be found again when one is chosen; in most games one node of two hundred has more."""

NUMBER, SOURCE, CODE = range(3)


class Actions(NamedTuple):
    """How actions are numbered: `plays` by their order at the node, `steps` by a table (`tablezoo.envs.actions`)."""

    whole: bool
    """Whether an action is a whole play."""
    indices: NDArray[np.int16]
    """(7 * PLACES,): index of the step by a number from a place."""
    table: NDArray[U]
    """(actions, 3): number of a step, 0 for the pass; where it begins; on a cross the code of the decision, ascending."""


@helper
def list_actions(rules: Rules, actions: Actions, row: Row, buffers: NDArray[U], kept: Rows, found: NDArray[np.int16]) -> int:
    """List the legal actions of a play node; those that are whole plays are only counted. There is at least one.

    Args:
        buffers: (2, MAX_PLAYS, ROW).
        kept: (KEPT, ROW); gets the results if actions are plays, or decisions on a cross.
        found: (actions,).
    """
    if not actions.whole and rules.kind != CROSS:
        return list_steps(rules, actions, row, buffers, found)
    out, work = buffers[0], buffers[1]
    n = int(np.int64(plays(rules, row, out, work)))
    if not actions.whole:
        for k in range(n):
            found[k] = place_of(actions, work[k, 0])
    words, copied = out.reshape(-1), kept.reshape(-1)
    for k in range(min(n, KEPT) * ROW):
        copied[k] = words[k]
    return n


@helper
def list_steps(rules: Rules, actions: Actions, row: Row, buffers: NDArray[U], found: NDArray[np.int16]) -> int:
    """`list_actions` of steps."""
    masks = buffers[1, :2].reshape(-1)
    first_steps(rules, row, masks, buffers[0])
    n = 0
    for number in range(1, 7):
        places = masks[number]
        while places:
            found[n] = actions.indices[U(number) * PLACES + lowest(places)]
            places &= places - ONE
            n += 1
    if n == 0:
        found[0] = actions.table.shape[0] - 1
        n = 1
    return n


@helper
def place_of(actions: Actions, code: U) -> int:
    """Index of a decision."""
    low, high = 0, actions.table.shape[0]
    while low < high:
        middle = (low + high) // 2
        if actions.table[middle, CODE] < code:
            low = middle + 1
        else:
            high = middle
    return low


@helper
def result_of(rules: Rules, actions: Actions, row: Row, action: np.int64, k: np.int64, buffers: NDArray[U], kept: Rows) -> tuple[Board, U]:
    """The result of a legal action, the k-th of those listed: the stage's or, with numbers left, of a part of it (`tablezoo.kernel.plays`)."""
    if not actions.whole and rules.kind != CROSS:
        if actions.table[action, NUMBER] != ZERO:
            return stepped(rules, row, actions.table[action, SOURCE], actions.table[action, NUMBER], buffers[0])
    elif k < KEPT:
        return planes(kept[k]), kept[k, TURN]
    plays(rules, row, buffers[0], buffers[1])
    return planes(buffers[0, k]), buffers[0, k, TURN]
