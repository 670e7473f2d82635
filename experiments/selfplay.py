"""Self-play: whole games in one kernel, the net's best play at every turn, recorded for learning."""

from concurrent.futures import Executor, Future
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from agents.nets.value import Floats, Net
from experiments.turn import Buffers, make_player, play_turn
from tablezoo.kernel.bits import ONE, ZERO, U
from tablezoo.kernel.board import AGAIN, GOES_ON, ROW, TURN, Row, Rows, planes, put_row
from tablezoo.kernel.dice import below, stream
from tablezoo.kernel.jit import helper, kernel
from tablezoo.kernel.nodes import followed, is_roll, outcome, roll, rolled_word
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


class Manner(NamedTuple):
    """How games are played."""

    max_turns: int = 400
    """Plays after which a game is broken off."""
    astray: float = 0.0
    """Share of games that begin with random plays, which are not recorded."""
    random_plays: int = 1
    """They begin with 1 to so many."""
    ahead: bool = False
    """Whether `Games.means` are found."""
    width: int = 0
    """Most plays of a roll that the net values, those that the sieve finds best; 0: all."""


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
def play_games(rules: Rules, net: Net, sieve: Net, start: Row, seed: U, first: U, games: int, manner: Manner) -> tuple[Rows, Floats, NDArray[np.int64], Floats]:
    """Play games `first`, `first + 1`, ... and return the fields of `Games`.

    Args:
        sieve: a smaller net; any where all plays are valued.
    """
    row = np.empty(ROW, np.uint64)
    buffers = Buffers(np.empty_like(row), np.empty_like(row), np.empty((MAX_PLAYS, ROW), np.uint64), np.empty((MAX_PLAYS, ROW), np.uint64))
    player, first_look = make_player(net), make_player(sieve)
    ahead, width = manner.ahead, U(manner.width)
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
        if manner.astray > 0.0 and below(state, U(1 << 24)) < U(manner.astray * (1 << 24)):
            go_astray(rules, row, below(state, U(manner.random_plays)) + ONE, buffers.out, buffers.work, state)
        over = False
        begin = node
        while not over and node < begin + manner.max_turns:
            if node == rows.shape[0]:
                rows = np.concatenate((rows, np.empty_like(rows)))
                values = np.concatenate((values, np.empty_like(values)))
                means = np.concatenate((means, np.empty_like(means)))
            thrown = roll(rules, row[TURN], state) if is_roll(rules, row[TURN]) else ZERO
            recorded = ahead and node > begin
            mean = means[node - 1] if recorded else unused
            play_turn(rules, player, first_look, width, row, thrown, recorded, buffers, values[node], mean)
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


def submit_games(pool: Executor, game: Game, net: Net, sieve: Net, seed: int, first: int, games: int, manner: Manner) -> list[Future[Games]]:
    """Have games `first` to `first + games - 1` of a run played by the threads of a pool, a chunk at a time.

    Every game has its own dice, so the record does not depend on the number of threads. The nets must not
    change before the futures are done.
    """

    def chunk(begin: int, size: int) -> Games:
        return Games(*play_games(game.rules, net, sieve, game.start_row, U(seed), U(begin), size, manner))

    return [pool.submit(chunk, begin, min(CHUNK, first + games - begin)) for begin in range(first, first + games, CHUNK)]
