"""Bear-offs without contact: how many turns a side needs, and who bears off first.

A side is its checkers on points 1 to 6; the others are off. `one_sided` holds for every side the distribution of its turns if it
needs as few as possible on average; `two_sided`, for sides of few checkers, the equity of the player to throw against each other side.
All by the plays of the game itself, for games in which the sides do not meet at home.
"""

from math import comb
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from tablezoo.exact.store import kept
from tablezoo.kernel.bits import ZERO, U
from tablezoo.kernel.board import OFF, OPPONENT, OUTSIDE, OWN, ROW, TURN, Rows, count, occupied, planes
from tablezoo.kernel.dice import BEGINS, ROLLS, THROWS
from tablezoo.kernel.jit import helper, kernel
from tablezoo.kernel.nodes import THREE_DICE, TWO_DICE, WEIGHTS, rolled_word
from tablezoo.kernel.plays import MAX_PLAYS, plays, turn_rows
from tablezoo.notation.track import across
from tablezoo.position import Game
from tablezoo.rows import for_kernels
from tablezoo.rules import CHAINS, Rules

VERSION = 1
POINTS = 6
TURNS = 48
"""Most turns of the distributions."""
PAIRED = 6
"""Checkers of a side up to which pairs of sides are kept."""
WAYS = np.array([[comb(checkers + points, points) for checkers in range(17)] for points in range(POINTS + 1)], np.int64)
"""(points, checkers): ways to have so many checkers, or fewer, on so many points."""


class Sides(NamedTuple):
    """All sides of at most n checkers, and where their rolls lead.

    Attributes:
        rows: `uint64[sides, ROW]`, by their number.
        ends: `int64[sides * rolls]`, one past the last target of each side and roll.
        targets: `int32`, numbers of the sides that a roll can lead to.
        chances: `float64[rolls]`.
    """

    rows: NDArray[np.uint64]
    ends: NDArray[np.int64]
    targets: NDArray[np.int32]
    chances: NDArray[np.float64]


@helper
def number_of(row: NDArray[U], checkers: int) -> int:
    """Number of the own side: sides of fewer checkers, those with fewer on the higher points, come first."""
    board = planes(row)
    number, left = 0, checkers
    for point in range(POINTS, 0, -1):
        here = int(np.int64(count(board, U(point))))
        for fewer in range(here):
            number += int(WAYS[point - 1, left - fewer])
        left -= here
    return number


@kernel
def numbers_of(rows: Rows, checkers: int, numbers: NDArray[np.int32]) -> None:
    """Number of the own side of each row, -1 if not all its checkers are at home or it has more than so many."""
    for i in range(rows.shape[0]):
        board = planes(rows[i])
        on = 0
        for point in range(1, POINTS + 1):
            on += int(np.int64(count(board, U(point))))
        numbers[i] = number_of(rows[i], checkers) if not occupied(board) & OWN & OUTSIDE and on <= checkers else -1


@kernel
def draw(rules: Rules, rows: Rows, checkers: int, dice: int, ends: NDArray[np.int64], targets: NDArray[np.int32]) -> int:
    """Fill `ends` and `targets` of `Sides`; returns how many targets there are, also if there is no room for them."""
    out, work = np.empty((MAX_PLAYS, ROW), np.uint64), np.empty((MAX_PLAYS, ROW), np.uint64)
    node = np.empty(ROW, np.uint64)
    rolls, n = BEGINS[dice + 1] - BEGINS[dice], 0
    for i in range(rows.shape[0]):
        for roll in range(rolls):
            node[:] = rows[i]
            node[TURN] = rolled_word(rules, planes(node), rows[i, TURN], THROWS[BEGINS[dice] + roll])
            for k in range(plays(rules, node, out, work) if i > 0 else ZERO):
                if n < targets.shape[0]:
                    targets[n] = number_of(out[k], checkers)
                n += 1
            ends[i * rolls + roll] = n
    return n


def check(game: Game) -> None:
    """Refuse games whose bear-off is no race of two sides that never meet, or not one play a turn.

    Raises:
        ValueError: names the game and what is in the way.
    """
    way = "it is no track game" if game.spec.kind != "track" else ""
    if not way and game.spec.points != 24:
        way = f"its board has {game.spec.points} points"
    if not way and game.options["movement"] == "same":
        way = "both sides bear off from the same points"
    if not way:
        way = next(
            (f"with {name}={game.options[name]} a turn may have several stages" for name, plain in CHAINS.items() if game.options[name] not in plain), ""
        )
    if way:
        raise ValueError(f"{game.name} has no bear-off tables: {way}")


def sides_of(game: Game, checkers: int) -> Sides:
    """All sides of at most so many checkers, in the order of their numbers.

    Raises:
        ValueError: the game has no such bear-off.
    """
    check(game)
    counts = _counts(checkers)
    places = np.zeros((len(counts), 64), np.int64)
    places[:, POINTS:0:-1] = counts
    places[:, OFF] = game.checkers - counts.sum(axis=1)
    places[:, OPPONENT + across(game, 1)] = game.checkers
    rows = np.zeros((len(counts), ROW), np.uint64)
    for plane in range(TURN):
        rows[:, plane] = ((places.astype(np.uint64) >> U(plane) & U(1)) << np.arange(64, dtype=np.uint64)).sum(axis=1, dtype=np.uint64)
    chances = WEIGHTS[THREE_DICE if game.spec.dice == 3 else TWO_DICE, : len(ROLLS[game.spec.dice])]
    ends = np.empty(len(rows) * len(chances), np.int64)
    room = int(draw(game.rules, rows, checkers, game.spec.dice, ends, np.empty(0, np.int32)))
    targets = np.empty(room, np.int32)
    draw(game.rules, rows, checkers, game.spec.dice, ends, targets)
    return Sides(rows, ends, targets, chances.copy())


def _counts(checkers: int) -> NDArray[np.int64]:
    """Checkers on points 6 to 1 of every side of at most so many, in the order of their numbers."""
    sides = np.zeros((1, 0), np.int64)
    for _ in range(POINTS):
        left = checkers - sides.sum(axis=1)
        sides = np.concatenate([np.column_stack((side[None].repeat(n + 1, 0), np.arange(n + 1))) for side, n in zip(sides, left, strict=True)])
    return sides


@kernel
def race(ends: NDArray[np.int64], targets: NDArray[np.int32], chances: NDArray[np.float64], table: NDArray[np.float64]) -> None:
    """Fill the `table` of `OneSided`."""
    table[0, :] = 0.0
    table[0, 1] = 1.0
    rolls = chances.shape[0]
    for i in range(1, table.shape[0]):
        table[i, :] = 0.0
        for roll in range(rolls):
            begin = ends[i * rolls + roll - 1]
            best = targets[begin]
            for k in range(begin + 1, ends[i * rolls + roll]):
                if table[targets[k], 0] < table[best, 0]:
                    best = targets[k]
            table[i, 0] += chances[roll] * (1.0 + table[best, 0])
            for turns in range(TURNS):
                table[i, turns + 2] += chances[roll] * table[best, turns + 1]


@kernel
def duels(ends: NDArray[np.int64], targets: NDArray[np.int32], chances: NDArray[np.float64], table: NDArray[np.float64]) -> None:
    """Fill the `table` of `TwoSided`: pairs in the order of the sum of their numbers, which every play lowers."""
    n, rolls = table.shape[0], chances.shape[0]
    table[0, :] = 1.0
    table[:, 0] = -1.0
    for both in range(2, 2 * n - 1):
        for mine in range(max(1, both - n + 1), min(both, n)):
            his = both - mine
            value = 0.0
            for roll in range(rolls):
                best = -1.0
                for k in range(ends[mine * rolls + roll - 1], ends[mine * rolls + roll]):
                    best = max(best, 1.0 if targets[k] == 0 else -table[his, targets[k]])
                value += chances[roll] * best
            table[mine, his] = value


class OneSided:
    """Turns to bear off."""

    def __init__(self, game: Game) -> None:
        """Load the table, or build it: a second or two, 21 MB.

        Raises:
            ValueError: the game has no such bear-off.
            OSError: the table cannot be kept.
        """
        check(game)
        self.game = game
        self.table: NDArray[np.float64] = kept("one-sided", _meaning(game, game.checkers), lambda: self._built(game))
        """(sides, 2 + TURNS): turns on average, then the chance of each number of turns from 0 on."""

    @staticmethod
    def _built(game: Game) -> NDArray[np.float64]:
        sides = sides_of(game, game.checkers)
        table = np.empty((len(sides.rows), 2 + TURNS))
        race(sides.ends, sides.targets, sides.chances, table)
        return table

    def turns(self, rows: NDArray[np.uint64]) -> NDArray[np.float64]:
        """Turns, (n,), that the own side needs on average if it needs as few as possible.

        Raises:
            ValueError: a side that is not all at home.
        """
        return np.asarray(self.table[_numbers(rows, self.game.checkers), 0])

    def distribution(self, rows: NDArray[np.uint64]) -> NDArray[np.float64]:
        """Chance, (n, TURNS + 1), that the own side needs 0, 1, 2, ... turns.

        Raises:
            ValueError: a side that is not all at home.
        """
        return np.asarray(self.table[_numbers(rows, self.game.checkers), 1:])


class TwoSided:
    """Who bears off first, where both sides have few checkers left."""

    def __init__(self, game: Game) -> None:
        """Load the table, or build it: some seconds, 7 MB.

        Raises:
            ValueError: the game has no such bear-off, or a win there may count more than one point.
            OSError: the table cannot be kept.
        """
        check(game)
        if game.checkers <= PAIRED or game.options["scoring"] == "men_left":
            raise ValueError(f"{game.name} has no table of pairs: a win may count more than one point")
        self.game = game
        self.table: NDArray[np.float64] = kept("two-sided", _meaning(game, PAIRED), lambda: self._built(game))
        """(sides, sides): equity in points of the player to throw by his side and the other."""

    @staticmethod
    def _built(game: Game) -> NDArray[np.float64]:
        sides = sides_of(game, PAIRED)
        table = np.empty((len(sides.rows), len(sides.rows)))
        duels(sides.ends, sides.targets, sides.chances, table)
        return table

    def covers(self, rows: NDArray[np.uint64]) -> NDArray[np.bool_]:
        """Whether the table has each row, (n,): both sides all at home, with at most PAIRED checkers left."""
        mine, his = self._pairs(rows)
        return (mine >= 0) & (his >= 0)

    def equities(self, rows: NDArray[np.uint64]) -> NDArray[np.float64]:
        """Equity in points, (n,), of the player to throw.

        Raises:
            ValueError: a position that the table does not cover.
        """
        mine, his = self._pairs(rows)
        if min(mine.min(initial=0), his.min(initial=0)) < 0:
            raise ValueError(f"a position that is not in the table: both sides must be at home with at most {PAIRED} checkers left")
        return np.asarray(self.table[mine, his])

    def _pairs(self, rows: NDArray[np.uint64]) -> tuple[NDArray[np.int32], NDArray[np.int32]]:
        mine, his = np.empty(len(rows), np.int32), np.empty(len(rows), np.int32)
        numbers_of(for_kernels(rows), PAIRED, mine)
        turned = for_kernels(rows).copy()
        turn_rows(self.game.rules, turned)
        numbers_of(turned, PAIRED, his)
        return mine, his


def _numbers(rows: NDArray[np.uint64], checkers: int) -> NDArray[np.int32]:
    numbers = np.empty(len(rows), np.int32)
    numbers_of(for_kernels(rows), checkers, numbers)
    if numbers.min(initial=0) < 0:
        raise ValueError("a side that is not all at home has no bear-off")
    return numbers


def _meaning(game: Game, checkers: int) -> dict[str, object]:
    return {"version": VERSION, "checkers": checkers, "rules": game.rules.table.tolist()}
