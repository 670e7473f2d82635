"""Actions of the environments: which are legal at a node, by their index, and what they lead to."""

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from tablezoo.kernel.bits import ONE, ZERO, U, lowest
from tablezoo.kernel.board import TURN, Board, Row, Rows, planes
from tablezoo.kernel.jit import helper
from tablezoo.kernel.nodes import CROSS
from tablezoo.kernel.plays import first_steps, plays, stepped
from tablezoo.rules import Rules

PLACES = U(64)
"""Sources of steps are below it."""


class Actions(NamedTuple):
    """How actions are numbered: `plays` by their order at the node, `steps` by a table (`tablezoo.envs.actions`)."""

    whole: bool
    """Whether an action is a whole play."""
    indices: NDArray[np.int16]
    """(7 * PLACES,): index of the step by a number from a place."""
    numbers: NDArray[U]
    """(actions,): number of each step; 0 for the pass."""
    sources: NDArray[U]
    """(actions,): where it begins."""
    codes: NDArray[U]
    """(actions,): on a cross the decisions, ascending; elsewhere empty."""


class Scratch(NamedTuple):
    """Buffers of a thread."""

    whole: Rows
    """(MAX_PLAYS, ROW), as are the next two."""
    out: Rows
    work: Rows
    mask: Row
    """(7,)."""
    which: NDArray[np.int64]
    """Inputs that are not zero, and their values (`tablezoo.features.active`)."""
    values: NDArray[np.float32]
    inputs: NDArray[np.float32]
    """An encoding."""


@helper
def list_actions(rules: Rules, actions: Actions, row: Row, scratch: Scratch, found: NDArray[np.int16]) -> int:
    """List the legal actions of a play node; those that are whole plays are only counted. There is at least one."""
    if actions.whole:
        return int(np.int64(plays(rules, row, scratch.out, scratch.work)))
    if rules.kind == CROSS:
        n = int(np.int64(plays(rules, row, scratch.out, scratch.work)))
        for k in range(n):
            found[k] = np.searchsorted(actions.codes, scratch.work[k, 0])
        return n
    mask = scratch.mask
    first_steps(rules, row, mask, scratch.whole, scratch.out, scratch.work)
    n = 0
    for number in range(1, 7):
        places = mask[number]
        while places:
            found[n] = actions.indices[U(number) * PLACES + lowest(places)]
            places &= places - ONE
            n += 1
    if n == 0:
        found[0] = actions.numbers.shape[0] - 1
        n = 1
    return n


@helper
def result_of(rules: Rules, actions: Actions, row: Row, action: np.int64, scratch: Scratch) -> tuple[Board, U]:
    """The result of a legal action, the stage's or, with numbers left, of a part of it (`tablezoo.kernel.plays`)."""
    out, work = scratch.out, scratch.work
    if not actions.whole and rules.kind != CROSS and actions.numbers[action] != ZERO:
        return stepped(rules, row, actions.sources[action], actions.numbers[action], out, work)
    plays(rules, row, out, work)
    k = action if actions.whole else np.int64(0)
    if not actions.whole and rules.kind == CROSS:
        while work[k, 0] != actions.codes[action]:
            k += 1
    return planes(out[k]), out[k, TURN]
