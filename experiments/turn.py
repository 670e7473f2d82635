"""One turn of self-play: the best play of a roll, and what a position is worth by the best plays of all rolls.

Looking ahead costs some twenty times as much as playing, since the plays of all rolls are valued. A sieve, a small net that values
them first, leaves only the best few to the net itself: several times as fast where that is large.
"""

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from agents.nets.value import F0, Floats, Net, certain, equity, first_layer, first_layer_after, later_layers, make_space
from agents.nets.value import Space as NetSpace
from tablezoo.kernel.bits import ZERO, U
from tablezoo.kernel.board import AGAIN, GOES_ON, TURN, Board, Row, Rows, planes, put_row
from tablezoo.kernel.dice import BEGINS, THROWS
from tablezoo.kernel.jit import helper, inlined, kernel
from tablezoo.kernel.nodes import NOTHING, WEIGHTS, followed, node_throw, outcome, rolled_word, shown_by, turned
from tablezoo.kernel.plays import MAX_PLAYS, plays
from tablezoo.rules import Rules


class Player(NamedTuple):
    """A net with the working space of its play."""

    net: Net
    theirs: Floats
    """First layer of the board before the play, as the opponent sees it."""
    mine: Floats
    """The same as the mover sees it; filled only when a play is met after which he acts again."""
    filled: NDArray[np.bool_]
    """(1,): whether it has been."""
    space: NetSpace
    trial: Floats
    """(outcomes,)."""
    best: Floats
    """(outcomes,): the distribution at the node after the best play."""
    worth: Floats
    """(MAX_PLAYS,): equities of plays."""


@kernel
def make_player(net: Net) -> Player:
    """A player with this net."""
    first = np.empty((2, net.sizes[1]), np.float32)
    values = np.empty((2, net.outcomes.shape[0]), np.float32)
    return Player(net, first[0], first[1], np.zeros(1, np.bool_), make_space(net), values[0], values[1], np.empty(MAX_PLAYS, np.float32))


@inlined
def view(rules: Rules, player: Player, board: Board) -> None:
    """Look at a board whose plays are to be valued: the first layer from which those of their results differ little."""
    first_layer(player.net, turned(rules, board), ZERO, player.space.terms, player.theirs)
    player.filled[0] = False


@inlined
def worth(rules: Rules, player: Player, board: Board, opposite: Board, result: Board, word: U) -> np.float32:
    """Equity for the mover of a play from a board that has been looked at; `player.trial` is the next node's distribution."""
    net, space = player.net, player.space
    won = outcome(rules, result, word)
    again = bool(word & AGAIN)
    if won != GOES_ON:
        certain(net.outcomes, -np.float32(won), player.trial)
    else:
        after, word = followed(rules, result, word)
        if again and not player.filled[0]:
            first_layer(net, board, ZERO, space.terms, player.mine)
            player.filled[0] = True
        if again:
            first_layer_after(net, board, player.mine, after, word, space.terms, space.layers[0])
        else:
            first_layer_after(net, opposite, player.theirs, after, word, space.terms, space.layers[0])
        later_layers(net, space.layers, player.trial)
    return equity(net, player.trial) if again else -equity(net, player.trial)


@inlined
def sift(rules: Rules, sieve: Player, board: Board, out: Rows, n: U, width: U) -> None:
    """Bring the results in `out` that the sieve finds best to the front; the board has been looked at."""
    opposite = turned(rules, board)
    for i in range(n):
        sieve.worth[i] = worth(rules, sieve, board, opposite, planes(out[i]), out[i, TURN])
    for front in range(width):
        best = U(front)
        for i in range(front, n):
            if sieve.worth[i] > sieve.worth[best]:
                best = U(i)
        result, word = planes(out[best]), out[best, TURN]
        put_row(out[best], planes(out[front]), out[front, TURN])
        put_row(out[front], result, word)
        sieve.worth[best] = sieve.worth[front]


@inlined
def best_play(rules: Rules, player: Player, board: Board, out: Rows, n: U) -> U:
    """Index of the result in `out` with the best equity for the mover; `player.best` is the next node's distribution.

    The board has been looked at.
    """
    best = ZERO
    best_worth = F0
    opposite = turned(rules, board)
    for i in range(n):
        mine = worth(rules, player, board, opposite, planes(out[i]), out[i, TURN])
        if mine > best_worth or i == 0:
            best_worth = mine
            best = U(i)
            for j in range(player.best.shape[0]):
                player.best[j] = player.trial[j]
    return best


@helper
def add_share(value: Floats, again: bool, share: np.float32, mean: Floats) -> None:
    """Add a share of the next node's distribution to a mean, turned to the view of the player before unless he acts there too."""
    n = value.shape[0]
    shift = 0 if again else n // 2
    for j in range(n):
        mean[(j + shift) % n] += share * value[j]


class Buffers(NamedTuple):
    """Working space for plays."""

    node: Row
    chosen: Row
    """The result of the play that is made."""
    out: Rows
    work: Rows


@inlined
def play_turn(rules: Rules, player: Player, sieve: Player, width: U, row: Row, thrown: U, ahead: bool, buffers: Buffers, value: Floats, mean: Floats) -> None:
    """Choose a play at a node: `buffers.chosen` is its result, `value` the next node's distribution.

    Args:
        width: most plays of a roll that the player values, those that the sieve finds best; 0: all.
        thrown: the dice, if it is a roll node.
        ahead: whether `mean` is filled, for which the plays of all rolls are valued (`experiments.selfplay.Games.means`).
    """
    board, word = planes(row), row[TURN]
    throw = node_throw(rules, word)
    dice = shown_by(throw)
    view(rules, player, board)
    if width:
        view(rules, sieve, board)
    if ahead:
        mean[:] = F0
    for k in range(BEGINS[dice], BEGINS[dice + 1]):
        chance = np.float32(WEIGHTS[throw, k - BEGINS[dice]])
        now = throw == NOTHING or THROWS[k] == thrown
        if not now and not (ahead and chance > F0):
            continue
        put_row(buffers.node, board, word if throw == NOTHING else rolled_word(rules, board, word, THROWS[k]))
        n = plays(rules, buffers.node, buffers.out, buffers.work)
        if width and n > width:
            sift(rules, sieve, board, buffers.out, n, width)
            n = width
        best = best_play(rules, player, board, buffers.out, n)
        if ahead:
            add_share(player.best, bool(buffers.out[best, TURN] & AGAIN), chance, mean)
        if now:
            put_row(buffers.chosen, planes(buffers.out[best]), buffers.out[best, TURN])
            for j in range(value.shape[0]):
                value[j] = player.best[j]
