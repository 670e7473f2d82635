"""Kernels of the vector environment: many games, each with dice of its own, played on by one action each."""

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from tablezoo.features import active
from tablezoo.kernel.actions import Actions, Scratch, list_actions, result_of
from tablezoo.kernel.bits import ZERO, U
from tablezoo.kernel.board import AGAIN, FACE_BITS, GOES_ON, NUMBERS, TURN, Board, Row, Rows, planes, put, put_row
from tablezoo.kernel.dice import below, stream
from tablezoo.kernel.jit import helper, kernel
from tablezoo.kernel.nodes import followed, is_roll, outcome, roll, rolled_word, turned
from tablezoo.rules import Rules

Flags = NDArray[np.bool_]
Counts = NDArray[np.int64]

MOST_DICE, MOST_NUMBERS = 2, 4
"""Most dice thrown at once, and most numbers they give to play."""

UNLISTED = np.int64(-1)
"""Count of legal actions that are still to be listed."""

NEXT_STEP, SAME_STEP, DISABLED = range(3)
"""When a game that has ended gives way to a new one."""
ACT, SETTLE, OBSERVE = 1, 2, 4
"""Parts of a step: the action; rewards, ends and new games; what is seen then. Where there is an opponent he plays in between."""


class Games(NamedTuple):
    """The state of n games."""

    rows: Rows
    """(n, ROW): the node each game is at."""
    dice: NDArray[U]
    """(n,): generator states."""
    seeds: NDArray[U]
    """(n,): a new game has the dice of `game_seed(seed, number)`; its successor the number `strides` higher."""
    numbers: NDArray[U]
    strides: NDArray[U]
    players: NDArray[np.int64]
    """(n,): who acts."""
    seats: NDArray[np.int64]
    """(n,): the agent's seat, -1 in self-play."""
    rolls: NDArray[np.int64]
    """(n, MOST_DICE): dice of this turn, the largest first, 0 where there is none."""
    stages: Counts
    """(n,): decisions of both players so far."""
    taken: Counts
    """(n,): actions of the agent so far."""
    won: Counts
    """(n,): points of the agent, in self-play of who acted last; or `GOES_ON`."""
    illegal: Flags
    """(n,): whether the last action was."""
    counts: Counts
    """(n,): how many actions are legal."""
    legal: NDArray[np.int16]
    """(n, actions): which; (n, 1) without meaning where an action is a whole play."""
    ended: Flags
    """(n,): whether the game has ended and no other has begun."""


class Settings(NamedTuple):
    """What is the same for all games."""

    actions: Actions
    first: Counts
    units: Counts
    table: NDArray[np.float32]
    """The encoder (`tablezoo.features`)."""
    cells: Counts
    """(inputs,): which number of the encoding, or of the dice after it, each input is; empty: all in order. (See `tablezoo.envs.observations`.)"""
    size: int
    """Numbers of an encoding without dice."""
    max_stages: int
    max_steps: int
    """0: no limit."""
    autoreset: int


class View(NamedTuple):
    """What is seen of n games; all arrays are fresh at every step."""

    observations: NDArray[np.float32]
    """(n, inputs)."""
    masks: NDArray[np.int8]
    """(n, actions)."""
    to_move: Counts
    """(n,)."""
    rolls: Counts
    """(n, MOST_DICE)."""
    numbers: Counts
    """(n, MOST_NUMBERS): numbers left to play, the largest first."""


class Outcomes(NamedTuple):
    """What came of the actions."""

    rewards: NDArray[np.float64]
    """(n,), as all of them."""
    terminated: Flags
    truncated: Flags
    capped: Flags
    illegal: Flags


@helper
def throw(rules: Rules, row: Row, state: NDArray[U], shown: Counts) -> None:
    """From a roll node to its play node, in place; `shown` gets the dice. Play nodes stay."""
    if is_roll(rules, row[TURN]):
        one, two = roll(rules, row[TURN], state)
        row[TURN] = rolled_word(rules, planes(row), row[TURN], one, two)
        shown[0], shown[1] = np.int64(max(one, two)), np.int64(min(one, two))


@kernel
def throw_dice(rules: Rules, row: Row, state: NDArray[U], shown: Counts) -> None:
    """`throw` for callers in Python."""
    throw(rules, row, state, shown)


@kernel
def first_dice(seed: U, number: U, by_lot: bool, state: NDArray[U]) -> int:
    """Set the dice of a game; returns who begins: player 0, or the one on whom the lot falls."""
    state[0] = stream(seed, number)
    return int(np.int64(below(state, U(2)))) if by_lot else 0


@helper
def begin(rules: Rules, games: Games, i: int, start: Row) -> None:
    """A new game; the agent has seat 0."""
    state = games.dice[i : i + 1]
    state[0] = stream(games.seeds[i], games.numbers[i])
    games.numbers[i] += games.strides[i]
    games.seats[i] = min(games.seats[i], 0)
    games.players[i] = np.int64(below(state, U(2))) if games.seats[i] == 0 else 0
    put(games.rows, U(i), planes(start), start[TURN])
    games.stages[i] = games.taken[i] = 0
    games.won[i], games.illegal[i], games.ended[i], games.counts[i] = GOES_ON, False, False, UNLISTED
    throw(rules, games.rows[i], state, games.rolls[i])


@kernel
def begin_games(rules: Rules, games: Games, which: Flags, start: Row) -> None:
    """New games where asked for."""
    for i in range(which.shape[0]):
        if which[i]:
            begin(rules, games, i, start)


@helper
def arrive(rules: Rules, games: Games, i: int, board: Board, word: U, won: np.int64) -> None:
    """Go on to the node after a decision, marked `AGAIN` if its player acts there too, and throw the dice; `won` are his points."""
    games.stages[i] += 1
    player = games.players[i]
    put(games.rows, U(i), board, word & ~AGAIN)
    if word & AGAIN == ZERO:
        games.players[i] = 1 - player
        if won != GOES_ON:
            games.won[i] = won if games.seats[i] < 0 or games.seats[i] == player else -won
            return
    throw(rules, games.rows[i], games.dice[i : i + 1], games.rolls[i])


@kernel
def reply_games(rules: Rules, games: Games, which: Counts, nodes: Rows) -> None:
    """Go on to the nodes that an opponent has chosen."""
    for k in range(which.shape[0]):
        board, word = planes(nodes[k]), nodes[k, TURN]
        before, left = followed(rules, board, word & ~AGAIN)  # following twice is going back
        arrive(rules, games, which[k], board, word, outcome(rules, before, left))


@kernel
def waiting(games: Games) -> Counts:
    """Games in which the opponent acts."""
    found = np.empty(games.won.shape[0], np.int64)
    n = 0
    for i in range(games.won.shape[0]):
        if games.seats[i] >= 0 and games.players[i] != games.seats[i] and games.won[i] == GOES_ON and not games.illegal[i]:
            found[n] = i
            n += 1
    return found[:n].copy()


@helper
def is_legal(games: Games, settings: Settings, i: int, action: np.int64) -> bool:
    """Whether the mask of a game offers an action."""
    if settings.actions.whole:
        return bool(0 <= action < games.counts[i])
    found = False
    for k in range(games.counts[i]):
        found = found or games.legal[i, k] == action
    return found


@kernel
def first_illegal(games: Games, settings: Settings, actions: Counts) -> int:
    """The first game whose action is illegal, or -1."""
    for i in range(actions.shape[0]):
        if not games.ended[i] and not is_legal(games, settings, i, actions[i]):
            return i
    return -1


@helper
def act(rules: Rules, games: Games, settings: Settings, i: int, action: np.int64, start: Row, scratch: Scratch) -> None:
    """Take an action; where the game has ended begin a new one instead."""
    if games.ended[i]:
        begin(rules, games, i, start)
        return
    games.taken[i] += 1
    if not is_legal(games, settings, i, action):
        games.illegal[i] = True
        return
    board, word = result_of(rules, settings.actions, games.rows[i], action, scratch)
    won = outcome(rules, board, word) if word & AGAIN == ZERO else GOES_ON
    board, word = followed(rules, board, word)
    arrive(rules, games, i, board, word, won)


@helper
def settle(rules: Rules, games: Games, settings: Settings, i: int, start: Row, outcomes: Outcomes, final: View, scratch: Scratch) -> None:
    """What came of an action; in SAME_STEP the end of a game, and a new one."""
    over = games.won[i] != GOES_ON
    capped = not over and not games.illegal[i] and games.stages[i] >= settings.max_stages
    outcomes.rewards[i] = -1.0 if games.illegal[i] else float(games.won[i]) if over else 0.0
    outcomes.terminated[i] = over or games.illegal[i]
    outcomes.truncated[i] = capped or (settings.max_steps > 0 and games.taken[i] >= settings.max_steps)
    outcomes.capped[i], outcomes.illegal[i] = capped, games.illegal[i]
    games.counts[i] = 0 if outcomes.terminated[i] or capped else UNLISTED
    games.ended[i] = outcomes.terminated[i] or outcomes.truncated[i]
    if games.ended[i] and settings.autoreset == SAME_STEP:
        observe(rules, games, settings, i, final, scratch)
        begin(rules, games, i, start)


@helper
def observe(rules: Rules, games: Games, settings: Settings, i: int, view: View, scratch: Scratch) -> None:
    """What is seen of a game, after listing what is legal that has not been listed."""
    row = games.rows[i]
    if games.counts[i] == UNLISTED:
        games.counts[i] = list_actions(rules, settings.actions, row, scratch, games.legal[i])
    put_mask(games, settings, i, view.masks[i])
    view.to_move[i] = games.players[i]
    if games.seats[i] >= 0 and games.players[i] != games.seats[i]:  # the agent has won
        put_row(scratch.mask, turned(rules, planes(row)), row[TURN])
        row = scratch.mask
        view.to_move[i] = games.seats[i]
    for k in range(MOST_DICE):
        view.rolls[i, k] = games.rolls[i, k]
    put_numbers(row[TURN], view.numbers[i])
    if settings.cells.shape[0] == 0:
        put_inputs(settings, row, view.observations[i], scratch)
        return
    put_inputs(settings, row, scratch.inputs, scratch)
    for k in range(settings.cells.shape[0]):
        view.observations[i, k] = scratch.inputs[settings.cells[k]]


@helper
def put_mask(games: Games, settings: Settings, i: int, mask: NDArray[np.int8]) -> None:
    """1 for every legal action."""
    n = games.counts[i]
    if settings.actions.whole:
        mask[:n] = 1
        mask[n:] = 0
        return
    mask[:] = 0
    for k in range(n):
        mask[games.legal[i, k]] = 1


@helper
def put_numbers(word: U, numbers: Counts) -> None:
    """The numbers of a turn word, the largest first, then zeros."""
    n = 0
    for face in range(6, 0, -1):
        for _ in range((word >> U(FACE_BITS * (face - 1))) & U(7)):
            numbers[n] = face
            n += 1
    numbers[n:] = 0


@helper
def put_inputs(settings: Settings, row: Row, inputs: NDArray[np.float32], scratch: Scratch) -> None:
    """The encoding of a row, then how often each number is left."""
    inputs[:] = np.float32(0)
    for k in range(active(row, settings.first, settings.units, settings.table, scratch.which, scratch.values)):
        inputs[scratch.which[k]] = scratch.values[k]
    left = row[TURN] & NUMBERS
    for face in range(6):
        inputs[settings.size + face] = np.float32((left >> U(FACE_BITS * face)) & U(7))


@kernel
def play_on(
    rules: Rules,
    games: Games,
    settings: Settings,
    actions: Counts,
    start: Row,
    outcomes: Outcomes,
    final: View,
    view: View,
    scratch: Scratch,
    begin_at: int,
    end_at: int,
    parts: int,
) -> None:
    """Parts of a step of games `begin_at` to `end_at - 1`."""
    for i in range(begin_at, end_at):
        if parts & ACT:
            act(rules, games, settings, i, actions[i], start, scratch)
        if parts & SETTLE:
            settle(rules, games, settings, i, start, outcomes, final, scratch)
        if parts & OBSERVE:
            observe(rules, games, settings, i, view, scratch)


@kernel
def put_masks(games: Games, settings: Settings, masks: NDArray[np.int8]) -> None:
    """The masks of all games."""
    for i in range(masks.shape[0]):
        put_mask(games, settings, i, masks[i])


@kernel
def sample(games: Games, settings: Settings, actions: Counts) -> None:
    """A legal action for each game, uniformly by its own dice; 0 where there is none."""
    for i in range(actions.shape[0]):
        n = games.counts[i]
        k = np.int64(below(games.dice[i : i + 1], U(n))) if n > 0 else np.int64(0)
        actions[i] = k if settings.actions.whole else games.legal[i, k]
