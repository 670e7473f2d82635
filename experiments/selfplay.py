"""Self-play: whole games in one kernel, the net's best play at every turn, recorded for learning.

Looking ahead costs some twenty times as much, for all plays of all rolls are valued, and takes the luck of the next roll off
what is learned.
"""

from concurrent.futures import Executor, Future
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from agents.nets.value import F0, F1, Floats, Net, equity, first_layer, first_layer_after, later_layers, make_space
from agents.nets.value import Space as NetSpace
from experiments.config import SelfPlayConfig
from tablezoo.kernel.bits import ONE, ZERO, U
from tablezoo.kernel.board import AGAIN, GOES_ON, ROW, TURN, Board, Row, Rows, planes, put_row
from tablezoo.kernel.dice import BEGINS, THROWS, below, stream
from tablezoo.kernel.jit import helper, kernel
from tablezoo.kernel.nodes import NOTHING, WEIGHTS, followed, is_roll, node_throw, outcome, roll, rolled_word, shown_by, turned
from tablezoo.kernel.plays import MAX_PLAYS, plays
from tablezoo.position import Game
from tablezoo.rules import Rules

CHUNK = 32
"""Games a thread plays at a time."""


class Games(NamedTuple):
    """Recorded games: the nodes after every play, seen by the player to act, marked `AGAIN` if he made that play.

    The last node of a game is its end, whose value is certain; or the node where it was broken off
    after `max_turns` plays, valued by the net like any other.
    """

    rows: Rows
    """(nodes, ROW)."""
    values: Floats
    """(nodes, outcomes): the net's distribution at each node; at the end of a game the outcome itself."""
    ends: NDArray[np.int64]
    """(games,): one past each game's last node."""
    means: Floats = np.empty((0, 0), np.float32)
    """(nodes, outcomes): the mean over all rolls, by their chances, of the net's distribution at the node after the best play of each,
    as the player to act here sees it; undefined at the last node of a game. Empty if nobody looked ahead."""


@helper
def certain(net: Net, points: np.float32, values: Floats) -> None:
    """The distribution that is sure of an outcome of so many points; a draw is half a win and half a loss."""
    for j in range(net.outcomes.shape[0]):
        values[j] = F1 if net.outcomes[j] == points else F0
    if points == F0:
        values[0] = values[values.shape[0] // 2] = F1 / np.float32(2)


class Space(NamedTuple):
    """Working space of a player."""

    theirs: Floats
    """First layer of the board before the play, as the opponent sees it."""
    mine: Floats
    """The same as the mover sees it."""
    net: NetSpace
    trial: Floats
    """(outcomes,)."""
    best: Floats
    """(outcomes,): the distribution at the node after the best play."""


@kernel
def player_space(net: Net) -> Space:
    """Working space for a player with this net."""
    first = np.empty((2, net.sizes[1]), np.float32)
    values = np.empty((2, net.outcomes.shape[0]), np.float32)
    return Space(first[0], first[1], make_space(net), values[0], values[1])


@helper
def view(rules: Rules, net: Net, board: Board, space: Space) -> None:
    """Look at a board whose plays are to be valued: the first layer from which those of their results differ little."""
    first_layer(net, turned(rules, board), ZERO, space.net.terms, space.theirs)


@helper
def best_play(rules: Rules, net: Net, board: Board, out: Rows, n: U, space: Space) -> U:
    """Index of the result in `out` with the best equity for the mover; `space.best` is the next node's distribution.

    The board has been looked at (`view`).
    """
    best = ZERO
    best_equity = np.float32(-1e9)
    opposite = turned(rules, board)
    any_again = False
    for i in range(n):
        result, word = planes(out[i]), out[i, TURN]
        won = outcome(rules, result, word)
        again = bool(word & AGAIN)
        if won != GOES_ON:
            certain(net, -np.float32(won), space.trial)
        else:
            after, word = followed(rules, result, word)
            if again and not any_again:
                first_layer(net, board, ZERO, space.net.terms, space.mine)
                any_again = True
            if again:
                first_layer_after(net, board, space.mine, after, word, space.net.terms, space.net.layers[0])
            else:
                first_layer_after(net, opposite, space.theirs, after, word, space.net.terms, space.net.layers[0])
            later_layers(net, space.net.layers, space.trial)
        mine = equity(net, space.trial) if again else -equity(net, space.trial)
        if mine > best_equity or i == 0:
            best_equity = mine
            best = U(i)
            for j in range(space.best.shape[0]):
                space.best[j] = space.trial[j]
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


@helper
def play_turn(rules: Rules, net: Net, row: Row, thrown: U, ahead: bool, space: Space, buffers: Buffers, value: Floats, mean: Floats) -> None:
    """Choose a play at a node: `buffers.chosen` is its result, `value` the next node's distribution.

    Args:
        thrown: the dice, if it is a roll node.
        ahead: whether `mean` is filled, for which the plays of all rolls are valued (`Games.means`).
    """
    board, word = planes(row), row[TURN]
    throw = node_throw(rules, word)
    dice = shown_by(throw)
    view(rules, net, board, space)
    if ahead:
        mean[:] = F0
    for k in range(BEGINS[dice], BEGINS[dice + 1]):
        chance = np.float32(WEIGHTS[throw, k - BEGINS[dice]])
        now = throw == NOTHING or THROWS[k] == thrown
        if not now and not (ahead and chance > F0):
            continue
        put_row(buffers.node, board, word if throw == NOTHING else rolled_word(rules, board, word, THROWS[k]))
        best = best_play(rules, net, board, buffers.out, plays(rules, buffers.node, buffers.out, buffers.work), space)
        if ahead:
            add_share(space.best, bool(buffers.out[best, TURN] & AGAIN), chance, mean)
        if now:
            put_row(buffers.chosen, planes(buffers.out[best]), buffers.out[best, TURN])
            for j in range(value.shape[0]):
                value[j] = space.best[j]


@helper
def go_astray(rules: Rules, row: Row, n: U, out: Rows, work: Rows, state: NDArray[U]) -> None:
    """Make n random plays from a roll node, or as many as leave the game going."""
    for _ in range(n):
        if is_roll(rules, row[TURN]):
            thrown = roll(rules, row[TURN], state)
            row[TURN] = rolled_word(rules, planes(row), row[TURN], thrown)
        chosen = out[below(state, plays(rules, row, out, work))]
        if outcome(rules, planes(chosen), chosen[TURN]) != GOES_ON:
            return
        board, word = followed(rules, planes(chosen), chosen[TURN])
        put_row(row, board, word & ~AGAIN)


@kernel
def play_games(
    rules: Rules, net: Net, start: Row, seed: U, first: U, games: int, max_turns: int, astray: float, random_plays: int, ahead: bool
) -> tuple[Rows, Floats, NDArray[np.int64], Floats]:
    """Play games `first`, `first + 1`, ... and return the fields of `Games`; a longer one is broken off.

    A share `astray` of them begins with 1 to `random_plays` random plays, which are not recorded.
    """
    row = np.empty(ROW, np.uint64)
    buffers = Buffers(np.empty_like(row), np.empty_like(row), np.empty((MAX_PLAYS, ROW), np.uint64), np.empty((MAX_PLAYS, ROW), np.uint64))
    space = player_space(net)
    state = np.empty(1, np.uint64)
    outcomes = net.outcomes.shape[0]
    rows = np.empty((games * 64, ROW), np.uint64)
    values = np.empty((games * 64, outcomes), np.float32)
    means = np.empty((games * 64 if ahead else 0, outcomes), np.float32)
    unused = np.empty(outcomes, np.float32)
    ends = np.empty(games, np.int64)
    node = 0
    for game in range(games):
        state[0] = stream(seed, first + U(game))
        row[:] = start
        if astray > 0.0 and below(state, U(1 << 24)) < U(astray * (1 << 24)):
            go_astray(rules, row, below(state, U(random_plays)) + ONE, buffers.out, buffers.work, state)
        over = False
        begin = node
        while not over and node < begin + max_turns:
            if node == rows.shape[0]:
                rows = np.concatenate((rows, np.empty_like(rows)))
                values = np.concatenate((values, np.empty_like(values)))
                means = np.concatenate((means, np.empty_like(means)))
            thrown = roll(rules, row[TURN], state) if is_roll(rules, row[TURN]) else ZERO
            recorded = ahead and node > begin
            play_turn(rules, net, row, thrown, recorded, space, buffers, values[node], means[node - 1] if recorded else unused)
            chosen = buffers.chosen
            over = outcome(rules, planes(chosen), chosen[TURN]) != GOES_ON
            board, word = followed(rules, planes(chosen), chosen[TURN])
            put_row(rows[node], board, word)
            put_row(row, board, word & ~AGAIN)
            node += 1
        ends[game] = node
    return rows[:node].copy(), values[:node].copy(), ends, means[:node].copy()


def join(parts: list[Games]) -> Games:
    """One record of games played in parts."""
    offsets = np.cumsum([0, *(len(part.rows) for part in parts[:-1])])
    return Games(
        np.concatenate([part.rows for part in parts]),
        np.concatenate([part.values for part in parts]),
        np.concatenate([part.ends + offset for part, offset in zip(parts, offsets, strict=True)]),
        np.concatenate([part.means for part in parts]),
    )


def submit_games(pool: Executor, game: Game, net: Net, seed: int, first: int, games: int, config: SelfPlayConfig, ahead: bool) -> list[Future[Games]]:
    """Have games `first` to `first + games - 1` of a run played by the threads of a pool, a chunk at a time.

    Every game has its own dice, so the record does not depend on the number of threads. The net must not
    change before the futures are done.
    """

    def chunk(begin: int, size: int) -> Games:
        strays = config.astray, config.random_plays
        return Games(*play_games(game.rules, net, game.start_row, U(seed), U(begin), size, config.max_turns, *strays, ahead))

    return [pool.submit(chunk, begin, min(CHUNK, first + games - begin)) for begin in range(first, first + games, CHUNK)]
