"""The action table of the `steps` mode: every (source, number) that any track game can offer, and the pass."""

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from tablezoo.kernel.board import BAR, OFF
from tablezoo.notation import play as play_text


class Action(NamedTuple):
    """What an action of the table means, in the numbering of the player who takes it."""

    source: int
    """Point of the checker that moves, 25 on the bar; 0 for the pass."""
    number: int
    """Number of the die that it uses; 0 for the pass."""
    text: str
    """`13/10`, `bar/22`, `6/off`, `pass`."""


ACTIONS: tuple[Action, ...] = (
    *(Action(p, d, play_text.write(((p, max(p - d, OFF)),), ())) for d in range(1, 7) for p in range(1, BAR + 1)),
    Action(0, 0, play_text.PASS),
)
"""Action 25 * (number - 1) + (source - 1); the pass is the last, 150."""
PASS = len(ACTIONS) - 1

_SOURCES = np.arange(1, BAR + 1, dtype=np.uint64)
_ONE = np.uint64(1)


def step_mask(sources: NDArray[np.uint64]) -> NDArray[np.int8]:
    """A fresh mask `int8[151]` over ACTIONS.

    Args:
        sources: shape (7,), the steps of a node as `kernel.plays.steps` gives them; the pass is offered where there are none.
    """
    mask = np.zeros(len(ACTIONS), np.int8)
    mask[:PASS] = ((sources[1:, None] >> _SOURCES) & _ONE).ravel()
    if not sources[1:].any():
        mask[PASS] = 1
    return mask
