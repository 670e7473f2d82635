"""Games with few checkers, solved completely: the value of every node that a game can reach, by value iteration.

Nodes are numbered in the order in which a search from the start meets them. What each roll at each of them leads to is kept in
memory as one long list of numbers (`Arrows`); sweeps over it, the last nodes first, set each value to the mean over the rolls
of the best that can follow, in place (Gauss-Seidel), until nothing changes any more. What is kept on disk is a 64-bit
fingerprint of each node, sorted, and its value.
"""

from collections.abc import Callable
from dataclasses import replace
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from tablezoo.exact.store import kept
from tablezoo.kernel.bits import U
from tablezoo.kernel.board import AGAIN, GOES_ON, ROW, TURN, Board, Rows, planes, put
from tablezoo.kernel.dice import BEGINS, ROLLS, THROWS, mix
from tablezoo.kernel.jit import helper, kernel
from tablezoo.kernel.nodes import WEIGHTS, followed, node_throw, outcome, rolled_word, shown_by
from tablezoo.kernel.plays import MAX_PLAYS, plays
from tablezoo.position import Game
from tablezoo.rows import for_kernels
from tablezoo.rules import Rules

VERSION = 1
MOST_CHECKERS = 3
MOST_NODES = 20_000_000
"""Nodes of a game that is still solved, in some 15 GB of memory."""
CHUNK = 8192
"""Nodes whose arrows lie in one array."""
CLOSE, CHANCES_CLOSE = 1e-10, 1e-7
"""Values that change by less have settled, and chances."""
EQUAL = 1e-8
"""Values that differ by less are equal: more than settled values are wrong by."""
ENDS = 1 << 30
"""A target from here on is the end of a game: that many points more, plus MIDDLE."""
MIDDLE = 128

Progress = Callable[[str, int], None]
"""Called with what is being done and how much of it is."""


class Arrows(NamedTuple):
    """Where the plays of a stretch of nodes lead."""

    first: int
    """Number of the first node."""
    counts: NDArray[np.uint16]
    """(nodes, rolls): plays of each roll; 0 where it cannot be thrown."""
    targets: NDArray[np.int32]
    """One a play: twice the number of the node that follows, and 1 more if the same player acts there; or an end."""
    throws: NDArray[np.uint8]
    """(nodes,): what is thrown (`tablezoo.kernel.nodes`)."""


@helper
def fingerprint(board: Board, word: U) -> U:
    """64 bits that tell nodes apart."""
    a, b, c, d = board
    return mix(mix(mix(a) + b) + mix(mix(c + word) + d))


@helper
def find(keys: NDArray[U], table: NDArray[np.int32], key: U) -> U:
    """The slot of the table that holds the node with this key, or is free for it."""
    last = U(table.shape[0] - 1)
    slot = key & last
    while table[slot] >= 0 and keys[table[slot]] != key:
        slot = (slot + U(1)) & last
    return slot


@kernel
def enter(rows: Rows, keys: NDArray[U], table: NDArray[np.int32], n: int) -> None:
    """Enter the first n nodes into a fresh table."""
    for i in range(n):
        keys[i] = fingerprint(planes(rows[i]), rows[i, TURN])
        table[find(keys, table, keys[i])] = i


@kernel
def draw_arrows(
    rules: Rules,
    rows: Rows,
    keys: NDArray[U],
    table: NDArray[np.int32],
    first: int,
    last: int,
    found: int,
    counts: NDArray[np.uint16],
    targets: NDArray[np.int32],
    throws: NDArray[np.uint8],
) -> tuple[int, int]:
    """Draw the arrows of nodes first..last-1, numbering nodes that are new from `found` on.

    Returns:
        How many nodes are known and how many arrows have been drawn; (-1, 0) if there is no room for all nodes, (0, -1) for all arrows.
    """
    out, work = np.empty((MAX_PLAYS, ROW), np.uint64), np.empty((MAX_PLAYS, ROW), np.uint64)
    node = np.empty(ROW, np.uint64)
    n = 0
    for i in range(first, last):
        word = rows[i, TURN]
        throw = node_throw(rules, word)
        throws[i - first] = throw
        dice = shown_by(throw)
        for k in range(BEGINS[dice], BEGINS[dice + 1]):
            roll = k - BEGINS[dice]
            if WEIGHTS[throw, roll] == 0.0:
                continue
            node[:] = rows[i]
            if dice:
                node[TURN] = rolled_word(rules, planes(node), word, THROWS[k])
            count = int(np.int64(plays(rules, node, out, work)))
            counts[i - first, roll] = count
            if n + count > targets.shape[0]:
                return 0, -1
            for j in range(count):
                board, left = planes(out[j]), out[j, TURN]
                won = outcome(rules, board, left)
                if won != GOES_ON:
                    targets[n] = ENDS + MIDDLE + won
                    n += 1
                    continue
                board, left = followed(rules, board, left)
                again = 1 if left & AGAIN else 0
                key = fingerprint(board, left & ~AGAIN)
                slot = find(keys, table, key)
                if table[slot] < 0:
                    if found == rows.shape[0]:
                        return -1, 0
                    put(rows, U(found), board, left & ~AGAIN)
                    keys[found], table[slot] = key, found
                    found += 1
                targets[n] = 2 * table[slot] + again
                n += 1
    return found, n


class Graph(NamedTuple):
    """All nodes that a game can reach."""

    keys: NDArray[np.uint64]
    """(n,): the fingerprint of each node."""
    arrows: list[Arrows]


def _doubled(array: NDArray[np.uint64]) -> NDArray[np.uint64]:
    return np.concatenate((array, np.empty_like(array)))


def graph_of(game: Game, progress: Progress = lambda what, done: None) -> Graph:
    """Search a game from its start, which is node 0, and from the start after the opening.

    Raises:
        ValueError: more than MOST_NODES nodes.
    """
    starts = [game.notation.start(game, roll_off) for roll_off in (True, False)]
    rows, keys = np.zeros((CHUNK, ROW), np.uint64), np.zeros(CHUNK, np.uint64)
    found = len({start.tobytes() for start in starts})
    rows[:found] = starts[:found]
    table = _table(rows, keys, found)
    arrows: list[Arrows] = []
    room, first = CHUNK * 64, 0
    rolls = max(len(ROLLS[game.spec.dice]) if game.spec.kind == "track" else len(ROLLS[2]), 1)
    while first < found:
        last = min(first + CHUNK, found)
        counts, throws = np.zeros((last - first, rolls), np.uint16), np.empty(last - first, np.uint8)
        targets = np.empty(room, np.int32)
        known, n = draw_arrows(game.rules, rows, keys, table, first, last, found, counts, targets, throws)
        if known < 0 or n < 0:  # the nodes found meanwhile stay, and those that were not are met again
            found = int((keys != 0).sum())
            room = room * 2 if n < 0 else room
            if known < 0:
                if len(rows) >= MOST_NODES:
                    raise ValueError(f"{game.name} has more than {MOST_NODES} positions: too many to solve")
                rows, keys = _doubled(rows), np.concatenate((keys, np.zeros_like(keys)))
                table = _table(rows, keys, found)
            continue
        found = known
        arrows.append(Arrows(first, counts, targets[:n].copy(), throws))
        first = last
        progress("positions met", first)
    return Graph(keys[:found].copy(), arrows)


def _table(rows: NDArray[np.uint64], keys: NDArray[np.uint64], found: int) -> NDArray[np.int32]:
    """A fresh hash table with room for all rows, half full at most."""
    table = np.full(1 << (2 * len(rows) - 1).bit_length(), -1, np.int32)
    enter(rows, keys, table, found)
    return table


@helper
def worth(target: np.int32, values: NDArray[np.float64]) -> float:
    """What a play counts for its player."""
    if target >= ENDS:
        return float(target - ENDS - MIDDLE)
    value = float(values[target >> 1])
    return value if target & 1 else -value


@helper
def best_worth(targets: NDArray[np.int32], begin: np.int64, end: np.int64, values: NDArray[np.float64]) -> float:
    """What the best of these plays counts."""
    best = -1000.0
    for k in range(begin, end):
        best = max(best, worth(targets[k], values))
    return best


@kernel
def sweep(
    first: int, counts: NDArray[np.uint16], targets: NDArray[np.int32], throws: NDArray[np.uint8], weights: NDArray[np.float64], values: NDArray[np.float64]
) -> float:
    """Set the values of a stretch of nodes, the last first, to the mean over the rolls of the best that follows; returns the largest change."""
    change, end = 0.0, targets.shape[0]
    for i in range(counts.shape[0] - 1, -1, -1):
        total = 0.0
        for roll in range(counts.shape[1] - 1, -1, -1):
            begin = end - np.int64(counts[i, roll])
            if begin < end:
                total += weights[throws[i], roll] * best_worth(targets, begin, end, values)
            end = begin
        change = max(change, abs(total - values[first + i]))
        values[first + i] = total
    return change


@helper
def add_chances(target: np.int32, share: float, chances: NDArray[np.float64], mine: NDArray[np.float64]) -> None:
    """Add the chances of the outcomes after a play, so often made, to those of its player."""
    wins = mine.shape[0] // 2
    points = target - ENDS - MIDDLE
    if target < ENDS:
        for k in range(2 * wins):
            mine[k] += share * chances[target >> 1, k if target & 1 else (k + wins) % (2 * wins)]
    elif points:
        mine[points - 1 if points > 0 else wins - points - 1] += share


@kernel
def spread(
    first: int,
    counts: NDArray[np.uint16],
    targets: NDArray[np.int32],
    throws: NDArray[np.uint8],
    weights: NDArray[np.float64],
    values: NDArray[np.float64],
    chances: NDArray[np.float64],
) -> float:
    """`sweep` for the chances of each outcome, (n, 2 * m): wins of 1 to m points, then losses, if everybody makes the best play by `values`.

    Plays that are equally good are made equally often: which of them is made changes how often games end in what.
    """
    change, end = 0.0, targets.shape[0]
    mine = np.empty(chances.shape[1])
    for i in range(counts.shape[0] - 1, -1, -1):
        mine[:] = 0.0
        for roll in range(counts.shape[1] - 1, -1, -1):
            begin = end - np.int64(counts[i, roll])
            best, equal = best_worth(targets, begin, end, values), 0
            for k in range(begin, end):
                equal += worth(targets[k], values) > best - EQUAL
            for k in range(begin, end):
                if worth(targets[k], values) > best - EQUAL:
                    add_chances(targets[k], weights[throws[i], roll] / equal, chances, mine)
            end = begin
        for k in range(mine.shape[0]):
            change = max(change, abs(mine[k] - chances[first + i, k]))
            chances[first + i, k] = mine[k]
    return change


def values_of(graph: Graph, progress: Progress = lambda what, done: None) -> NDArray[np.float64]:
    """Equity in points, (n,), of who acts at each node of a graph."""
    values = np.zeros(len(graph.keys))
    change, sweeps = 1.0, 0
    while change > CLOSE:
        change = max(sweep(part.first, part.counts, part.targets, part.throws, WEIGHTS, values) for part in reversed(graph.arrows))
        sweeps += 1
        progress(f"values change by {change:.0e}", sweeps)
    return values


def chances_of(graph: Graph, values: NDArray[np.float64], game: Game) -> NDArray[np.float64]:
    """Chances, (n, outcomes), of `game.outcomes` for who acts at each node of a graph, with best play by its values."""
    chances = np.zeros((len(graph.keys), len(game.outcomes)))
    while max(spread(part.first, part.counts, part.targets, part.throws, WEIGHTS, values, chances) for part in reversed(graph.arrows)) > CHANCES_CLOSE:
        pass
    return chances


def solve(game: Game, progress: Progress = lambda what, done: None) -> NDArray[np.uint64]:
    """Fingerprint of every node, ascending, and its value, `uint64[2, n]`: the equity in points of who acts there, the bits of a float64.

    Raises:
        ValueError: the game has too many positions.
    """
    graph = graph_of(game, progress)
    values = values_of(graph, progress)
    order = np.argsort(graph.keys)
    solved = np.stack((graph.keys[order], values[order].view(np.uint64)))
    if (solved[0, 1:] == solved[0, :-1]).any():
        raise ValueError(f"{game.name}: two positions have one fingerprint")
    return solved


@kernel
def fingerprints(rows: Rows, keys: NDArray[U]) -> None:
    """Fill `keys` (n,) with the fingerprints of rows."""
    for i in range(rows.shape[0]):
        keys[i] = fingerprint(planes(rows[i]), rows[i, TURN] & ~AGAIN)


class Solution:
    """A game solved completely."""

    def __init__(self, game: Game, progress: Progress = lambda what, done: None) -> None:
        """Load the table, or build it.

        Raises:
            ValueError: the game has too many checkers to be solved.
            OSError: the table cannot be kept.
        """
        check(game)
        meaning = {"game": game.name, "version": VERSION, "rules": game.rules.table.tolist(), "start": game.start_row.tolist()}
        self.game = game
        self.table: NDArray[np.uint64] = kept(game.name, meaning, lambda: solve(game, progress))

    @property
    def size(self) -> int:
        """Nodes of the game."""
        return int(self.table.shape[1])

    def equities(self, rows: NDArray[np.uint64]) -> NDArray[np.float64]:
        """Equity in points, shape (n,), of the player to act at each node: a roll is to come, or in a chain of stages numbers are left.

        Raises:
            ValueError: a node that no game reaches.
        """
        keys = np.empty(len(rows), np.uint64)
        fingerprints(for_kernels(rows), keys)
        at = np.minimum(np.searchsorted(self.table[0], keys), self.size - 1)
        if (self.table[0][at] != keys).any():
            raise ValueError("a position that no game reaches has no exact value")
        return np.asarray(self.table[1][at]).view(np.float64)


def check(game: Game) -> None:
    """Refuse games that are too large.

    Raises:
        ValueError: names the game.
    """
    if game.spec.kind != "track" or game.checkers > MOST_CHECKERS:
        raise ValueError(f"{game.name} is not solved: only track games with at most {MOST_CHECKERS} checkers a side have few enough positions")


def miniature(game: Game, checkers: int) -> Game:
    """The same game with so few checkers a side: of those that begin on the board the rearmost.

    Raises:
        ValueError: no track game, or not so few.
    """
    spec = game.spec
    if spec.kind != "track" or not 1 <= checkers <= game.checkers:
        raise ValueError(f"a miniature of {game.name} has 1 to {game.checkers} checkers, not {checkers}" if spec.kind == "track" else f"{game.name} has none")
    points = [point for point, n in sorted(spec.start, reverse=True) for _ in range(n)][:checkers]
    start = tuple((point, points.count(point)) for point in sorted(set(points), reverse=True))
    return Game(replace(spec, name=f"{game.name}-{checkers}", start=start, hand=checkers - len(points)), **game.changed)
