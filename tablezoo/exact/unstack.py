"""The unstacking games solved: the mover's winning chance for every pair of both sides' states.

The sides never meet, so a side has a state of its own: a lap with some men down, or a placement in the bear-off.
A throw leads it to other states, the player choosing where there is a choice; a throw that changes nothing and passes
the turn leads back to the same pair with the roles changed. With states in the order of the work they have left, the two
values of a pair follow from those of pairs before it by a system of two linear equations.
"""

from collections.abc import Callable
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from tablezoo.exact.store import kept
from tablezoo.kernel.bits import ONE, ZERO, U
from tablezoo.kernel.board import AGAIN, ROW, TURN, Board, Row, Rows, count, occupied, planes
from tablezoo.kernel.dice import BEGINS, THROWS
from tablezoo.kernel.jit import helper, kernel
from tablezoo.kernel.nodes import TWO_DICE, WEIGHTS, rolled_word
from tablezoo.kernel.plays import MAX_PLAYS, plays, turn_rows
from tablezoo.kernel.unstack import ALL_LYING, LYING, laps
from tablezoo.position import Game
from tablezoo.rows import for_kernels
from tablezoo.rules import Rules

VERSION = 1
"""Of the tables; raise it when their meaning changes."""
FREE_OPTIONS = ("starter", "next_starter")
"""Options that do not change the values."""
LAP_STATES = 63
PLACEMENTS = 18_564
"""Ways to have at most 12 men on six points."""
KEYS = 2 * LAP_STATES + PLACEMENTS
FINISHED = 2 * LAP_STATES
"""Key of a side without men."""
ROLLS = 21
MOST_ARROWS = 4_000_000
CHUNK = 50
"""States between two reports of progress."""


class Arrows(NamedTuple):
    """Where throws lead a side: states are numbered by the work they have left, 0 is finished.

    Attributes:
        numbers: `int32[KEYS]`, number of the state of each key, -1 if it cannot come up.
        begins: `int64[states * 21 + 1]`, first arrow of each state and roll.
        targets: `int32[arrows]`, state after a play.
        again: `bool[arrows]`, whether the same player throws again.
    """

    numbers: NDArray[np.int32]
    begins: NDArray[np.int64]
    targets: NDArray[np.int32]
    again: NDArray[np.bool_]


@helper
def key_of(board: Board, binomials: NDArray[np.int64]) -> int:
    """Key of the own side's state, 0 to KEYS - 1."""
    if laps(board) != ZERO:
        lying = int(np.int64((occupied(board) & ALL_LYING) >> U(LYING + 1)))
        return lying if laps(board) == U(2) else LAP_STATES + lying - 1
    rank, men = 0, 0
    for point in range(1, 7):  # the placements with fewer men on the points up to this one come first
        men += int(np.int64(count(board, U(point))))
        rank += binomials[men + point - 1, point]
    return FINISHED + rank


@helper
def work_of(board: Board) -> int:
    """Men who have still to turn, the pips of the bear-off in the last lap: every change makes it less."""
    pips = 0
    for point in range(1, 7):
        pips += point * int(np.int64(count(board, U(point)) + ((occupied(board) >> U(LYING + point)) & ONE)))
    turns = 0
    for point in range(1, 7):
        lies = (occupied(board) >> U(LYING + point)) & ONE
        if laps(board) == U(2):
            turns += 2 - int(np.int64(lies))
        elif laps(board) == ONE:
            turns += int(np.int64(lies))
    return pips + turns


@kernel
def find_states(rules: Rules, start: Row, binomials: NDArray[np.int64], rows: Rows, works: NDArray[np.int64], numbers: NDArray[np.int32]) -> int:
    """List the own side's states that can come up, in the order they are found; returns how many there are."""
    out, work = np.empty((MAX_PLAYS, ROW), np.uint64), np.empty((MAX_PLAYS, ROW), np.uint64)
    node = np.empty(ROW, np.uint64)
    rows[0] = start
    works[0] = work_of(planes(start))
    numbers[key_of(planes(start), binomials)] = 0
    found = 1
    state = 0
    while state < found:
        for roll in range(ROLLS):
            node[:] = rows[state]
            node[TURN] = rolled_word(rules, planes(node), ZERO, THROWS[BEGINS[2] + roll])
            for i in range(plays(rules, node, out, work)):
                key = key_of(planes(out[i]), binomials)
                if numbers[key] < 0:
                    numbers[key] = np.int32(found)
                    works[found] = work_of(planes(out[i]))
                    rows[found] = out[i]
                    rows[found, TURN] = ZERO
                    found += 1
        state += 1
    return found


@kernel
def draw_arrows(
    rules: Rules,
    rows: Rows,
    binomials: NDArray[np.int64],
    numbers: NDArray[np.int32],
    begins: NDArray[np.int64],
    targets: NDArray[np.int32],
    again: NDArray[np.bool_],
) -> int:
    """Fill `Arrows` for the states of `rows`; returns the number of arrows."""
    out, work = np.empty((MAX_PLAYS, ROW), np.uint64), np.empty((MAX_PLAYS, ROW), np.uint64)
    node = np.empty(ROW, np.uint64)
    n = 0
    for state in range(rows.shape[0]):
        for roll in range(ROLLS):
            begins[state * ROLLS + roll] = n
            node[:] = rows[state]
            node[TURN] = rolled_word(rules, planes(node), ZERO, THROWS[BEGINS[2] + roll])
            for i in range(plays(rules, node, out, work) if state > 0 else ZERO):
                targets[n] = numbers[key_of(planes(out[i]), binomials)]
                again[n] = bool(out[i, TURN] & AGAIN)
                n += 1
    begins[rows.shape[0] * ROLLS] = n
    return n


def _binomials() -> NDArray[np.int64]:
    table = np.zeros((20, 8), np.int64)
    table[:, 0] = 1
    for n in range(1, 20):
        table[n, 1:] = table[n - 1, 1:] + table[n - 1, :-1]
    return table


BINOMIALS = _binomials()


def arrows_of(game: Game) -> Arrows:
    """All states of a side and where throws lead it.

    Raises:
        ValueError: no unstacking game, or one whose sides are not independent.
    """
    check(game)
    rows, works = np.empty((KEYS, ROW), np.uint64), np.empty(KEYS, np.int64)
    numbers = np.full(KEYS, -1, np.int32)
    found = int(find_states(game.rules, game.start_row, BINOMIALS, rows, works, numbers))
    order = np.argsort(works[:found], kind="stable")
    places = np.empty(found, np.int32)
    places[order] = np.arange(found, dtype=np.int32)
    numbers[numbers >= 0] = places[numbers[numbers >= 0]]
    begins = np.empty(found * ROLLS + 1, np.int64)
    targets, again = np.empty(MOST_ARROWS, np.int32), np.empty(MOST_ARROWS, np.bool_)
    n = int(draw_arrows(game.rules, rows[order], BINOMIALS, numbers, begins, targets, again))
    return Arrows(numbers, begins, targets[:n].copy(), again[:n].copy())


def check(game: Game) -> None:
    """Refuse games that this does not solve.

    Raises:
        ValueError: it is one.
    """
    if game.spec.kind != "unstack" or game.options["phase_sync"] != "per_player" or game.options["equal_turns"]:
        raise ValueError(f"{game!r} is not solved: only unstacking games with phase_sync=per_player and equal_turns=False are")


@kernel
def standing(arrows: Arrows, stays: NDArray[np.float64], passes: NDArray[np.float64]) -> None:
    """Fill (states,) with the chances that a throw changes nothing and is followed by another, or passes the turn.

    Such a play is the only one of its throw.
    """
    for state in range(stays.shape[0]):
        stays[state], passes[state] = 0.0, 0.0
        for roll in range(ROLLS):
            k = arrows.begins[state * ROLLS + roll]
            if k < arrows.begins[state * ROLLS + roll + 1] and arrows.targets[k] == state:
                if arrows.again[k]:
                    stays[state] += WEIGHTS[TWO_DICE, roll]
                else:
                    passes[state] += WEIGHTS[TWO_DICE, roll]


@kernel
def fewest_turns(arrows: Arrows, turns: NDArray[np.float64]) -> None:
    """Fill `turns` (states,) with the least expected number of own turns to the end."""
    turns[0] = 0.0
    for state in range(1, turns.shape[0]):
        total, stay = 0.0, 0.0
        for roll in range(ROLLS):
            best = np.inf
            for k in range(arrows.begins[state * ROLLS + roll], arrows.begins[state * ROLLS + roll + 1]):
                target = arrows.targets[k]
                if target == state:  # then it is the only play
                    stay += WEIGHTS[TWO_DICE, roll]
                    best = 0.0 if arrows.again[k] else 1.0
                else:
                    best = min(best, turns[target] + (0.0 if arrows.again[k] else 1.0))
            total += WEIGHTS[TWO_DICE, roll] * best
        turns[state] = total / (1.0 - stay)


class Pairs(NamedTuple):
    """Values of all pairs of states, and what their equations need."""

    mover: NDArray[np.float64]
    """`[states, states]`, winning chance of a player in the first state who is to throw, against one in the second."""
    waiter: NDArray[np.float64]
    """The same transposed: `waiter[b, a]` is `mover[a, b]`."""
    stays: NDArray[np.float64]
    """(states,): see `standing`."""
    passes: NDArray[np.float64]
    """(states,)."""
    column: NDArray[np.float64]
    """(states,): working space."""
    best: NDArray[np.float64]
    """(states,): working space."""


@kernel
def solve_states(arrows: Arrows, first: int, last: int, pairs: Pairs) -> None:
    """Fill the values of all pairs of states first..last-1 with one another and with those before them."""
    mover, waiter, column, best = pairs.mover, pairs.waiter, pairs.column, pairs.best
    for b in range(first, last):
        # what a player in b gets by leaving it, against every state up to b
        column[: b + 1] = 0.0
        for roll in range(ROLLS):
            best[: b + 1] = 0.0
            for k in range(arrows.begins[b * ROLLS + roll], arrows.begins[b * ROLLS + roll + 1]):
                target = arrows.targets[k]
                if target == b:
                    continue
                if target == 0:
                    best[: b + 1] = 1.0
                elif arrows.again[k]:
                    for a in range(b + 1):
                        best[a] = max(best[a], mover[target, a])
                else:
                    for a in range(b + 1):
                        best[a] = max(best[a], 1.0 - waiter[target, a])
            for a in range(b + 1):
                column[a] += WEIGHTS[TWO_DICE, roll] * best[a]
        # the same for the other player in a, whose throws lead to pairs of this row; then both equations
        for a in range(1, b + 1):
            gain = 0.0
            for roll in range(ROLLS):
                value = 0.0
                for k in range(arrows.begins[a * ROLLS + roll], arrows.begins[a * ROLLS + roll + 1]):
                    target = arrows.targets[k]
                    if target == a:
                        continue
                    if target == 0:
                        value = 1.0
                    elif arrows.again[k]:
                        value = max(value, waiter[b, target])
                    else:
                        value = max(value, 1.0 - mover[b, target])
                gain += WEIGHTS[TWO_DICE, roll] * value
            if a == b:
                column[a] = gain  # both are in the same state, and its pairs with those before are known only now
            # x = v(a, b) = gain + stay_a x + pass_a (1 - y),  y = v(b, a) = column[a] + stay_b y + pass_b (1 - x)
            stay_a, pass_a, stay_b, pass_b = pairs.stays[a], pairs.passes[a], pairs.stays[b], pairs.passes[b]
            left, right = gain + pass_a, column[a] + pass_b
            x = (left * (1.0 - stay_b) - pass_a * right) / ((1.0 - stay_a) * (1.0 - stay_b) - pass_a * pass_b)
            y = (right - pass_b * x) / (1.0 - stay_b)
            mover[a, b] = waiter[b, a] = x
            mover[b, a] = waiter[a, b] = y


def solve(game: Game, states: int | None = None, progress: Callable[[int, int], None] = lambda done, total: None) -> NDArray[np.float32]:
    """Winning chances `float32[states, states]` of the player to throw, by his state and his opponent's (`Arrows.numbers`).

    Args:
        game: an unstacking game.
        states: only so many, those with the least work left.
        progress: called with the pairs done and in all.

    Raises:
        ValueError: the game is not one of those solved.
    """
    arrows = arrows_of(game)
    n = (len(arrows.begins) - 1) // ROLLS if states is None else states
    pairs = Pairs(np.zeros((n, n)), np.zeros((n, n)), np.empty(n), np.empty(n), np.empty(n), np.empty(n))
    pairs.mover[0, :], pairs.waiter[:, 0] = 1.0, 1.0
    standing(arrows, pairs.stays, pairs.passes)
    for first in range(1, n, CHUNK):
        last = min(first + CHUNK, n)
        solve_states(arrows, first, last, pairs)
        progress(last * last, n * n)
    return pairs.mover.astype(np.float32)


@kernel
def states_of(numbers: NDArray[np.int32], binomials: NDArray[np.int64], rows: Rows, states: NDArray[np.int32]) -> None:
    """Fill `states` (n,) with the number of the own side's state in each row, -1 if no game reaches it."""
    for i in range(rows.shape[0]):
        states[i] = numbers[key_of(planes(rows[i]), binomials)]


class Solution:
    """A solved unstacking game."""

    def __init__(self, game: Game, progress: Callable[[int, int], None] = lambda done, total: None) -> None:
        """Load the table, or build it: about ten seconds and 1 GB of memory, kept as a file of 250 MB.

        Raises:
            ValueError: the game is not one of those solved.
            OSError: the table cannot be kept.
        """
        check(game)
        self.game = game
        meaning = {"game": game.name, "version": VERSION, **{name: value for name, value in game.options.items() if name not in FREE_OPTIONS}}
        self.table: NDArray[np.float32] = kept(game.name, meaning, lambda: solve(game, progress=progress))
        self.numbers = arrows_of(game).numbers

    def chances(self, rows: NDArray[np.uint64]) -> NDArray[np.float32]:
        """Winning chance, shape (n,), of the player to throw in each roll node.

        Raises:
            ValueError: a position that no game reaches.
        """
        sides = []
        for turned in (False, True):
            views = for_kernels(rows).copy()
            if turned:
                turn_rows(self.game.rules, views)
            sides.append(np.empty(len(rows), np.int32))
            states_of(self.numbers, BINOMIALS, views, sides[-1])
        if min(side.min(initial=0) for side in sides) < 0:
            raise ValueError("a position that no game reaches has no exact value")
        return np.asarray(self.table[sides[0], sides[1]])
