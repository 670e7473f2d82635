"""Looking ahead: the mean over all rolls of the best play of each, some plies deep, on top of an agent that values positions."""

import os
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from itertools import pairwise
from typing import TypeVar

import numpy as np
from numpy.typing import NDArray

from agents.endings import with_tables
from tablezoo.agent import Agent, Comparer, Overseer, costs_of, dislikes, ends_of, following, load_agent
from tablezoo.kernel.batch import count_rolls, fill_rolls, smallest
from tablezoo.kernel.board import AGAIN, ROW, TURN
from tablezoo.position import Game
from tablezoo.rows import for_kernels

Number = TypeVar("Number", int, float)
Result = TypeVar("Result")
AT_ONCE = 1 << 15
"""Nodes to play whose plays are in memory at once."""
MOST_PLIES = 4


class SearchAgent:
    """Values a position by what can follow it.

    At 0 plies a position is worth what the base agent says. At n plies it is worth the mean over its rolls of the best play of
    each; the best one is the one whose next node is worth most at 0 plies (so far as gnubg searches too), and counts what that
    node is worth at n - 1 plies. A player's own plays at the root are compared at n plies: all of them that the base agent finds
    within `margin` points of the best, at most `width`.

    Every node is valued once, however many ways lead to it, unless the base agent values all plays of a node at once.
    """

    def __init__(
        self,
        game: Game,
        base: str | Agent = "td",
        plies: str | int = 1,
        width: str | int = 8,
        margin: str | float = 0.16,
        tables: str | bool = True,
        threads: str | int = 1,
    ) -> None:
        """Settle how far to look.

        Args:
            base: name of an agent that values positions, or an agent.
            plies: 0 to 4.
            width: most plays that are searched at the root.
            margin: points by which a play may seem worse than the best and still is searched.
            tables: whether bear-offs of few checkers are looked up where the game has a table of them: yes or no.
            threads: that search side by side; 0 for one a core. Values do not depend on it.

        Raises:
            ValueError: an option is no number in its range, or the base agent only compares plays.
        """
        self.base = base_of("search", base, game, tables)
        self.plies = number_of("search: plies", plies, 0, MOST_PLIES, int)
        self.width = number_of("search: width", width, 1, 10_000, int)
        self.margin = number_of("search: margin", margin, 0.0, 1_000.0, float)
        self.threads = threads_of("search", threads)

    def values(self, game: Game, rows: NDArray[np.uint64]) -> NDArray[np.float32]:
        """See `tablezoo.agent.Agent`: every position at full depth."""
        return self._values(game, rows, self.plies)

    def costs(self, game: Game, nodes: NDArray[np.uint64], rows: NDArray[np.uint64]) -> NDArray[np.float32]:
        """See `tablezoo.agent.Comparer`: plays that seem too bad are not searched, and cost more than all that are."""
        zero = self._values(game, rows, 0)
        if self.plies == 0:
            return costs_of(rows, zero).astype(np.float32)
        return candidates(nodes, rows, zero, lambda some: self._values(game, some, self.plies), self.width, self.margin)

    def _values(self, game: Game, rows: NDArray[np.uint64], plies: int) -> NDArray[np.float32]:
        """Equity of the player to act in each row, (n,), so many plies deep."""
        bare = np.array(rows, np.uint64)
        bare[:, TURN] &= ~AGAIN
        unique, back = np.unique(bare, axis=0, return_inverse=True)
        if plies == 0:
            return self.base.values(game, unique)[back.reshape(-1)]
        rolls = np.append(0, count_rolls(game.rules, unique))
        threads = self.threads if plies == self.plies else 1
        most = min(AT_ONCE, -(-int(rolls[-1]) // threads))
        ends = [0]
        while ends[-1] < len(unique):
            ends.append(max(int(np.searchsorted(rolls, rolls[ends[-1]] + most, side="right")) - 1, ends[-1] + 1))

        def means(begin: int, end: int) -> NDArray[np.float32]:
            return self._means(game, unique[begin:end], rolls[begin + 1 : end + 1] - rolls[begin], plies)

        return np.concatenate([np.empty(0, np.float32), *side_by_side(threads, means, list(pairwise(ends)))])[back.reshape(-1)]

    def _means(self, game: Game, rows: NDArray[np.uint64], ends: NDArray[np.int64], plies: int) -> NDArray[np.float32]:
        """`_values` of a few different rows, whose rolls end there."""
        nodes, chances = np.empty((int(ends[-1]), ROW), np.uint64), np.empty(int(ends[-1]))
        fill_rolls(game.rules, for_kernels(rows), nodes, chances)
        follows = following(game, nodes)
        after, going = follows.rows, np.isnan(follows.points)
        if isinstance(self.base, Overseer):
            costs = dislikes(self.base, game, follows)
        else:
            costs = -follows.points
            costs[going] = costs_of(after[going], self._values(game, after[going], 0))
        best = smallest(costs, follows.ends)
        worth = -costs[best].astype(np.float64)
        if plies > 1:
            deeper = going[best]
            worth[deeper] = -costs_of(after[best[deeper]], self._values(game, after[best[deeper]], plies - 1))
        return np.add.reduceat(worth * chances, np.append(0, ends[:-1])).astype(np.float32)


def candidates(
    nodes: NDArray[np.uint64],
    rows: NDArray[np.uint64],
    values: NDArray[np.float32],
    deeper: Callable[[NDArray[np.uint64]], NDArray[np.float32]],
    width: int,
    margin: float,
) -> NDArray[np.float32]:
    """How little the player who chooses likes each next node, (n,), where only some are looked at more closely.

    Args:
        nodes: (n, ROW) the play node before each of them; those of one play node lie together.
        rows: (n, ROW).
        values: (n,) equity of the player to act in each row at first sight.
        deeper: gives better ones. The others cost a thousand points more than at first sight.
        width: most rows of a play node that are looked at.
        margin: points by which they may seem worse than the best.
    """
    if not len(rows):
        return np.empty(0, np.float32)
    costs = costs_of(rows, values).astype(np.float32)
    ends = ends_of(nodes)
    sizes = np.diff(ends, prepend=0)
    best = np.repeat(costs[smallest(costs, ends)], sizes)
    order = np.lexsort((costs, np.repeat(np.arange(len(ends)), sizes)))
    place = np.empty(len(rows), np.int64)
    place[order] = np.arange(len(rows)) - np.repeat(ends - sizes, sizes)
    chosen = (place < width) & (costs <= best + margin)
    found = costs + np.float32(1_000)
    found[chosen] = costs_of(rows[chosen], deeper(rows[chosen]))
    return found


def base_of(name: str, base: str | Agent, game: Game, tables: str | bool) -> Agent:
    """The agent behind one that looks ahead, with exact values of bear-offs if `tables` says so.

    Raises:
        ValueError: unknown, it only compares plays, or `tables` is neither yes nor no.
        OSError: a table cannot be kept.
    """
    agent = load_agent(base, game) if isinstance(base, str) else base
    if isinstance(agent, Comparer):
        raise ValueError(f"{name} needs an agent that puts values on positions; {base} only compares plays")
    if tables not in ("yes", "no", True, False):
        raise ValueError(f"{name}: tables must be yes or no, not {tables}")
    return with_tables(agent, game) if tables in ("yes", True) else agent


def side_by_side(threads: int, work: Callable[[int, int], Result], parts: list[tuple[int, int]]) -> list[Result]:
    """What becomes of each part, (begin, end), of some work, by so many threads."""
    if threads == 1 or len(parts) < 2:
        return [work(*part) for part in parts]
    with ThreadPoolExecutor(threads) as pool:
        return list(pool.map(lambda part: work(*part), parts))


def threads_of(name: str, given: str | int) -> int:
    """A number of threads from an option, of which 0 means one a core."""
    return number_of(f"{name}: threads", given, 0, 1_024, int) or os.cpu_count() or 1


def number_of(name: str, given: object, least: Number, most: Number, kind: type[Number]) -> Number:
    """A number from a word."""
    try:
        number = kind(str(given))
    except ValueError:
        number = least - 1
    if not least <= number <= most:
        raise ValueError(f"{name} must be {'a whole number' if kind is int else 'a number'} from {least} to {most}, not {given}")
    return number
