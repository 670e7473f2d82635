"""Value nets on all plays of a position at once: each next node's first layer from that of the position before it."""

import numpy as np
from numpy.typing import NDArray

from agents.nets.value import Floats, Net, first_layer, first_layer_after, later_layers, make_space
from tablezoo.kernel.bits import ZERO
from tablezoo.kernel.board import AGAIN, TURN, Rows, planes
from tablezoo.kernel.jit import kernel
from tablezoo.kernel.nodes import turned
from tablezoo.rules import Rules


@kernel
def evaluate_plays(rules: Rules, net: Net, nodes: Rows, ends: NDArray[np.int64], rows: Rows, points: NDArray[np.float32], probabilities: Floats) -> None:
    """Fill `probabilities` (plays, outcomes) for the player to act in each row that follows a play; those of finished games stay.

    The arguments after the net are those of `tablezoo.agent.Following`. Nodes that differ in their dice only, one after the other,
    share what is known of their board.
    """
    space = make_space(net)
    first = np.empty((2, net.sizes[1]), np.float32)
    theirs, mine = first[0], first[1]
    begin, known = 0, False
    for i in range(nodes.shape[0]):
        board = planes(nodes[i])
        opposite = turned(rules, board)
        if i == 0 or planes(nodes[i - 1]) != board:
            first_layer(net, opposite, ZERO, space.terms, theirs)
            known = False
        for k in range(begin, ends[i]):
            if not np.isnan(points[k]):
                continue
            again = bool(rows[k, TURN] & AGAIN)
            if again and not known:
                first_layer(net, board, ZERO, space.terms, mine)
                known = True
            if again:
                first_layer_after(net, board, mine, planes(rows[k]), rows[k, TURN], space.terms, space.layers[0])
            else:
                first_layer_after(net, opposite, theirs, planes(rows[k]), rows[k, TURN], space.terms, space.layers[0])
            later_layers(net, space.layers, probabilities[k])
        begin = ends[i]
