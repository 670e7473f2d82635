"""Kernels of the vector environment: many games, each with dice of its own, played on by one action each.

Everything lies in a few arrays, for tuples of many are copied word by word at every call.
"""

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from tablezoo.features import put_inputs
from tablezoo.kernel.actions import Actions, list_actions, result_of
from tablezoo.kernel.bits import ZERO, U
from tablezoo.kernel.board import AGAIN, FACE_BITS, GOES_ON, NUMBERS, TURN, Board, Row, Rows, planes, put_row
from tablezoo.kernel.dice import below, stream
from tablezoo.kernel.jit import helper, inlined, kernel
from tablezoo.kernel.nodes import followed, is_roll, outcome, roll, rolled_word, turned
from tablezoo.kernel.sharing import Shift, array_at, begun, done, ended, taken
from tablezoo.rules import Rules

Flags = NDArray[np.bool_]
Counts = NDArray[np.int64]

MOST_DICE, MOST_NUMBERS = 3, 4
"""Most dice thrown at once, and most numbers they give to play."""
FACES = 6

PLAYER, SEAT, STAGES, TAKEN, WON, ILLEGAL, COUNT, ENDED, DICE = range(9)
"""Columns of `Games.marks`: who acts; the agent's seat, -1 in self-play; decisions of both players; actions of the agent; points won (of the agent,
in self-play of who acted last) or `GOES_ON`; whether the last action was illegal; number of legal actions; whether no other game has begun since
this one ended; dice of this turn, the largest first, 0 where there is none."""
MARKS = DICE + MOST_DICE
STATE, SEED, NUMBER, STRIDE, DRAWN = range(5)
"""Columns of `Games.dice`: the generator; a new game has the dice of `game_seed(seed, number)`, its successor the number `stride` higher;
the generator after `Games.sampled` has been drawn."""
TO_MOVE, ROLL, LEFT = 0, 1, 1 + MOST_DICE
"""Columns of `View.facts`: who acts, the dice, the numbers left; both with the largest first, then zeros."""
FACTS = LEFT + MOST_NUMBERS
TERMINATED, TRUNCATED, WAS_ILLEGAL, CAPPED = range(4)
"""Rows of `Outcomes.flags`."""

UNLISTED = np.int64(-1)
"""Count of legal actions that are still to be listed."""
NEXT_STEP, SAME_STEP, DISABLED = range(3)
"""When a game that has ended gives way to a new one."""
USE, ACT, SETTLE, OBSERVE = 1, 2, 4, 8
"""Parts of a step: the use of what was sampled, from which the dice go on; the action; rewards, ends and new games; what is seen then, and the next
sample. Where there is an opponent he plays in between."""


class Games(NamedTuple):
    """The state of n games."""

    rows: Rows
    """(n, ROW): the node each game is at."""
    dice: NDArray[U]
    """(n, 5)."""
    marks: Counts
    """(n, MARKS)."""
    legal: NDArray[np.int16]
    """(n, actions): the legal ones; (n, 1) without meaning where an action is a whole play."""
    kept: NDArray[U]
    """(n, KEPT, ROW): results of the legal actions (`tablezoo.kernel.actions.list_actions`)."""
    sampled: Counts
    """(n,): a random legal action of each, drawn beforehand: the thread that plays a game on has it at hand, while to another it is far away."""


class Settings(NamedTuple):
    """What is the same for all games."""

    actions: Actions
    spans: Counts
    """(PLACES, 2): first input and number of inputs of each place (`tablezoo.features`)."""
    table: NDArray[np.float32]
    """The encoder's."""
    cells: Counts
    """(inputs,): which number of the encoding, or of the dice after it, each input is; empty: all in order. (See `tablezoo.envs.observations`.)"""
    inputs: int
    """Of an observation."""
    n_actions: int
    max_stages: int
    max_steps: int
    """0: no limit."""
    autoreset: int


class View(NamedTuple):
    """What is seen of n games."""

    observations: NDArray[np.float32]
    """(n, inputs)."""
    masks: NDArray[np.int8]
    """(n, actions)."""
    facts: Counts
    """(n, FACTS)."""


class Outcomes(NamedTuple):
    """What came of the actions."""

    rewards: NDArray[np.float64]
    """(n,)."""
    flags: Flags
    """(4, n)."""


class Task(NamedTuple):
    """What is to be done with the games; its arrays are fresh at every step.

    Only thread 0 is given them, and tells the others where they lie: those must not keep them alive while they wait for the next step.
    """

    parts: int
    actions: Counts
    """(n,)."""
    outcomes: Outcomes
    final: View
    """Of the ends of games, in SAME_STEP mode."""
    shown: View
    where: NDArray[U]
    """(9,): where the arrays lie, in the order of the fields."""


NO_VIEW = View(np.empty((0, 0), np.float32), np.empty((0, 0), np.int8), np.empty((0, 0), np.int64))
NO_ACTIONS, NO_OUTCOMES = np.empty(0, np.int64), Outcomes(np.empty(0), np.empty((0, 0), np.bool_))


class Scratch(NamedTuple):
    """Buffers of a thread."""

    buffers: NDArray[U]
    """(2, MAX_PLAYS, ROW)."""
    inputs: NDArray[np.float32]
    """An encoding, the numbers left, and a zero."""


@helper
def throw(rules: Rules, row: Row, dice: NDArray[U], shown: Counts) -> None:
    """From a roll node to its play node, in place; `shown` gets the dice. Play nodes stay."""
    if is_roll(rules, row[TURN]):
        thrown = roll(rules, row[TURN], dice)
        row[TURN] = rolled_word(rules, planes(row), row[TURN], thrown)
        put_faces(thrown, shown)


@helper
def put_faces(word: U, shown: Counts) -> None:
    """The numbers of a turn word, the largest first, then zeros."""
    n = 0
    for face in range(FACES, 0, -1):
        for _ in range((word >> U(FACE_BITS * (face - 1))) & U(7)):
            shown[n] = face
            n += 1
    shown[n:] = 0


@kernel
def throw_dice(rules: Rules, row: Row, dice: NDArray[U], shown: Counts) -> None:
    """`throw` for callers in Python."""
    throw(rules, row, dice, shown)


@kernel
def first_dice(seed: U, number: U, by_lot: bool, dice: NDArray[U]) -> int:
    """Set the dice of a game; returns who begins: player 0, or the one on whom the lot falls."""
    dice[STATE] = stream(seed, number)
    return int(np.int64(below(dice, U(2)))) if by_lot else 0


@helper
def begin(rules: Rules, start: Row, row: Row, dice: NDArray[U], marks: Counts) -> None:
    """A new game; the agent has seat 0."""
    dice[STATE] = stream(dice[SEED], dice[NUMBER])
    dice[NUMBER] += dice[STRIDE]
    marks[SEAT] = min(marks[SEAT], 0)
    marks[PLAYER] = np.int64(below(dice, U(2))) if marks[SEAT] == 0 else 0
    put_row(row, planes(start), start[TURN])
    marks[STAGES], marks[TAKEN], marks[WON], marks[ILLEGAL], marks[COUNT], marks[ENDED] = 0, 0, GOES_ON, 0, UNLISTED, 0
    throw(rules, row, dice, marks[DICE:])


@kernel
def begin_games(rules: Rules, games: Games, which: Flags, start: Row) -> None:
    """New games where asked for."""
    for i in range(which.shape[0]):
        if which[i]:
            begin(rules, start, games.rows[i], games.dice[i], games.marks[i])


@helper
def arrive(rules: Rules, row: Row, dice: NDArray[U], marks: Counts, board: Board, word: U, won: np.int64) -> None:
    """Go on to the node after a decision, marked `AGAIN` if its player acts there too, and throw the dice; `won` are his points."""
    marks[STAGES] += 1
    put_row(row, board, word & ~AGAIN)
    if word & AGAIN == ZERO:
        player = marks[PLAYER]
        marks[PLAYER] = 1 - player
        if won != GOES_ON:
            marks[WON] = won if marks[SEAT] < 0 or marks[SEAT] == player else -won
            return
    throw(rules, row, dice, marks[DICE:])


@kernel
def reply_games(rules: Rules, games: Games, which: Counts, nodes: Rows) -> None:
    """Go on to the nodes that an opponent has chosen."""
    for k in range(which.shape[0]):
        i = which[k]
        board, word = planes(nodes[k]), nodes[k, TURN]
        before, left = followed(rules, board, word & ~AGAIN)  # following twice is going back
        arrive(rules, games.rows[i], games.dice[i], games.marks[i], board, word, outcome(rules, before, left))


@helper
def agent_acts(marks: Counts) -> bool:
    """Whether the agent acts, or would if the game went on."""
    return bool(marks[SEAT] < 0 or marks[PLAYER] == marks[SEAT])


@kernel
def waiting(games: Games) -> Counts:
    """Games in which the opponent acts."""
    found = np.empty(games.marks.shape[0], np.int64)
    n = 0
    for i in range(games.marks.shape[0]):
        if not agent_acts(games.marks[i]) and games.marks[i, WON] == GOES_ON and games.marks[i, ILLEGAL] == 0:
            found[n] = i
            n += 1
    return found[:n].copy()


@helper
def find_action(whole: bool, legal: NDArray[np.int16], count: np.int64, action: np.int64) -> np.int64:
    """Place of an action among the legal ones, or -1."""
    if whole:
        return action if 0 <= action < count else np.int64(-1)
    for k in range(count):
        if legal[k] == action:
            return np.int64(k)
    return np.int64(-1)


@kernel
def first_illegal(games: Games, settings: Settings, actions: Counts) -> int:
    """The first game whose action is illegal, or -1."""
    for i in range(actions.shape[0]):
        marks = games.marks[i]
        if not marks[ENDED] and find_action(settings.actions.whole, games.legal[i], marks[COUNT], actions[i]) < 0:
            return i
    return -1


@helper
def observe(rules: Rules, settings: Settings, row: Row, marks: Counts, inputs: NDArray[np.float32], facts: Counts, shown: NDArray[np.float32]) -> None:
    """What is seen of a game."""
    facts[TO_MOVE] = marks[PLAYER]
    board = planes(row)
    if not agent_acts(marks):  # he has won
        board = turned(rules, board)
        facts[TO_MOVE] = marks[SEAT]
    for k in range(MOST_DICE):
        facts[ROLL + k] = marks[DICE + k]
    left = row[TURN] & NUMBERS
    put_faces(left, facts[LEFT:])
    plain = settings.cells.shape[0] == 0
    target = inputs if not plain else shown
    put_inputs(board, row[TURN], settings.spans, settings.table, target)
    size = inputs.shape[0] - FACES - 1
    for face in range(FACES):
        target[size + face] = np.float32((left >> U(FACE_BITS * face)) & U(7))
    if not plain:
        for k in range(settings.cells.shape[0]):
            shown[k] = inputs[settings.cells[k]]


@helper
def put_mask(whole: bool, legal: NDArray[np.int16], count: np.int64, mask: NDArray[np.int8]) -> None:
    """1 for every legal action."""
    if whole:
        mask[:count] = 1
        mask[count:] = 0
        return
    mask[:] = 0
    for k in range(count):
        mask[legal[k]] = 1


@helper
def tell(task: Task) -> None:
    """Fill `where`."""
    where = task.where
    where[0] = task.actions.ctypes.data
    where[1], where[2] = task.outcomes.rewards.ctypes.data, task.outcomes.flags.ctypes.data
    where[3], where[4], where[5] = task.final.observations.ctypes.data, task.final.masks.ctypes.data, task.final.facts.ctypes.data
    where[6], where[7], where[8] = task.shown.observations.ctypes.data, task.shown.masks.ctypes.data, task.shown.facts.ctypes.data


@inlined
def view_at(where: NDArray[U], k: int, n: int, settings: Settings) -> View:
    """A view of n games that lies where three words say."""
    observations, masks = array_at(where[k], (n, settings.inputs), np.float32), array_at(where[k + 1], (n, settings.n_actions), np.int8)
    return View(observations, masks, array_at(where[k + 2], (n, FACTS), np.int64))


@helper
def draw(whole: bool, dice: NDArray[U], count: np.int64, legal: NDArray[np.int16]) -> np.int64:
    """A legal action, uniformly by the dice; 0 if there is none. The dice stay where they are until it is used."""
    state = dice[STATE]
    k = np.int64(below(dice, U(count))) if count > 0 else np.int64(0)
    dice[DRAWN], dice[STATE] = dice[STATE], state
    return legal[k] if count > 0 and not whole else k


@kernel
def play_on(rules: Rules, games: Games, settings: Settings, start: Row, task: Task, scratch: Scratch, shift: Shift, hand: int) -> bool:
    """Do what a thread takes of a task; of thread 0 whether all is done."""
    number, items = U(hand), U(games.rows.shape[0])
    if hand == 0:
        tell(task)
    if not begun(shift, number):
        return False
    first, last = taken(shift, number, items)
    played = ZERO
    while first < last:
        play_each(rules, games, settings, start, task, scratch, first, last)
        played += last - first
        first, last = taken(shift, number, items)
    done(shift, played)
    return ended(shift, number, items)


@helper
def play_each(rules: Rules, games: Games, settings: Settings, start: Row, task: Task, scratch: Scratch, first: U, last: U) -> None:
    """A task for games `first` to `last - 1`, without reference counts for what is taken of the arrays."""
    use, act, settle, observing = task.parts & USE, task.parts & ACT, task.parts & SETTLE, task.parts & OBSERVE
    whole, n = settings.actions.whole, games.rows.shape[0]
    where = task.where
    actions, rewards, flags = array_at(where[0], (n,), np.int64), array_at(where[1], (n,), np.float64), array_at(where[2], (4, n), np.bool_)
    final, shown = view_at(where, 3, n, settings), view_at(where, 6, n, settings)
    for i in range(np.int64(first), np.int64(last)):
        row, dice, marks, legal, kept = games.rows[i], games.dice[i], games.marks[i], games.legal[i], games.kept[i]
        if use:
            dice[STATE] = dice[DRAWN]
        if act and marks[ENDED]:
            begin(rules, start, row, dice, marks)
        elif act:
            marks[TAKEN] += 1
            k = find_action(whole, legal, marks[COUNT], actions[i])
            if k < 0:
                marks[ILLEGAL] = 1
            else:
                board, word = result_of(rules, settings.actions, row, actions[i], k, scratch.buffers, kept)
                won = outcome(rules, board, word) if word & AGAIN == ZERO else GOES_ON
                board, word = followed(rules, board, word)
                arrive(rules, row, dice, marks, board, word, won)
        if settle:
            over = marks[WON] != GOES_ON
            illegal = marks[ILLEGAL] != 0
            capped = not over and not illegal and marks[STAGES] >= settings.max_stages
            rewards[i] = -1.0 if illegal else float(marks[WON]) if over else 0.0
            flags[TERMINATED, i], flags[WAS_ILLEGAL, i], flags[CAPPED, i] = over or illegal, illegal, capped
            flags[TRUNCATED, i] = capped or (settings.max_steps > 0 and marks[TAKEN] >= settings.max_steps)
            marks[COUNT] = 0 if over or illegal or capped else UNLISTED
            marks[ENDED] = flags[TERMINATED, i] or flags[TRUNCATED, i]
        for at_end in range(1 if settle and settings.autoreset == SAME_STEP and marks[ENDED] else 0, -1, -1):
            if at_end == 0 and not observing:
                continue
            seen = final if at_end else shown
            if marks[COUNT] == UNLISTED:
                marks[COUNT] = list_actions(rules, settings.actions, row, scratch.buffers, kept, legal)
            put_mask(whole, legal, marks[COUNT], seen.masks[i])
            observe(rules, settings, row, marks, scratch.inputs, seen.facts[i], seen.observations[i])
            if at_end:
                begin(rules, start, row, dice, marks)
            else:
                games.sampled[i] = draw(whole, dice, marks[COUNT], legal)


@kernel
def put_masks(games: Games, settings: Settings, masks: NDArray[np.int8]) -> None:
    """The masks of all games."""
    for i in range(masks.shape[0]):
        put_mask(settings.actions.whole, games.legal[i], games.marks[i, COUNT], masks[i])


@kernel
def sample(games: Games, settings: Settings) -> None:
    """Draw `Games.sampled` anew."""
    for i in range(games.sampled.shape[0]):
        games.sampled[i] = draw(settings.actions.whole, games.dice[i], games.marks[i, COUNT], games.legal[i])
