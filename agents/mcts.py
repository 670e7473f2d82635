"""Monte Carlo tree search without the Monte Carlo: every roll is enumerated, only what to look at is chosen by what was found so far."""

import numpy as np
from numpy.typing import NDArray

from agents.nets.value import Floats
from agents.search import base_of, number_of, side_by_side, threads_of
from agents.td import TDAgent
from agents.tree import NONE, Forest, Policy, consider, decide, descend, grow, make_forest, plant, reuse
from tablezoo.agent import Agent, Following, costs_of, ends_of, following
from tablezoo.kernel.batch import count_rolls, fill_rolls
from tablezoo.kernel.board import AGAIN, ROW, TURN
from tablezoo.position import Game
from tablezoo.rows import for_kernels

ROOM = 1 << 28
"""Bytes that the trees searched side by side may take."""
MOST_TREES = 256
PLAIN = np.array([1, -1], np.float32)
"""Outcomes of an agent that knows equities only."""


class Trees:
    """Searches of many games side by side: each step looks at one play in every tree, and values all leaves of the step at once.

    Attributes:
        forest: the trees.
        valued: positions the base agent was asked for.
    """

    def __init__(self, game: Game, base: Agent, policy: Policy, trees: int) -> None:
        self.game, self.base, self.policy = game, base, policy
        self.forest: Forest = make_forest(trees, policy, base.net.outcomes if isinstance(base, TDAgent) else PLAIN)
        self.valued = 0

    def plant(self, trees: NDArray[np.int64], nodes: NDArray[np.uint64]) -> tuple[Following, Floats]:
        """Begin these trees at play nodes `uint64[trees, ROW]`; returns what follows, and its equity for the player to act there, (plays,)."""
        after = following(self.game, nodes)
        values = self._values(after)
        plant(self.forest, self.policy, trees, after.nodes, after.ends, after.rows, after.points, values)
        return after, values @ self.forest.outcomes

    def plant_before(self, rows: NDArray[np.uint64]) -> None:
        """Begin every tree at a node where dice may be thrown: as the one play of a decision that is none."""
        marked = rows.copy()
        marked[:, TURN] |= AGAIN
        n = len(rows)
        nodes, goes_on, unknown = np.zeros((n, ROW), np.uint64), np.full(n, np.nan, np.float32), np.zeros((n, len(self.forest.outcomes)), np.float32)
        plant(self.forest, self.policy, np.arange(n), nodes, np.arange(1, n + 1), for_kernels(marked), goes_on, unknown)

    def follow(self, trees: NDArray[np.int64], chosen: NDArray[np.int64], nodes: NDArray[np.uint64]) -> None:
        """Go on in these trees where plays of their roots, and rolls, have led to, with what is known of that; `nodes` are play nodes, (trees, ROW)."""
        reused = np.zeros(len(trees), bool)
        reuse(self.forest, trees, chosen, for_kernels(nodes), reused)
        if not reused.all():
            self.plant(trees[~reused], nodes[~reused])

    def search(self, trees: NDArray[np.int64], noise: Floats | None = None) -> None:
        """Look ahead until each of these trees has its leaves, or nothing is left to find out.

        Args:
            noise: (all trees, width) points that are added to the plays of each root, best first, whenever they are compared.
        """
        self.forest.noise[:] = 0 if noise is None else noise
        consider(self.game.rules, self.forest, self.policy, trees)
        chosen = np.full(len(self.forest.decisions), -1)
        chosen[trees] = 0
        while True:
            descend(self.game.rules, self.forest, self.policy, chosen)
            looked = np.flatnonzero(chosen >= 0)
            if not len(looked):
                return
            rows = self.forest.after[looked, chosen[looked]]
            rolls = count_rolls(self.game.rules, rows)
            nodes, chances = np.empty((int(rolls[-1]), ROW), np.uint64), np.empty(int(rolls[-1]))
            fill_rolls(self.game.rules, rows, nodes, chances)
            after = following(self.game, nodes)
            values = self._values(after)
            grow(self.forest, self.policy, looked, chosen[looked], rolls, chances, after.nodes, after.ends, after.rows, after.points, values)

    def best(self, trees: NDArray[np.int64]) -> NDArray[np.int64]:
        """The play that the search settled on in each of these trees, (trees,)."""
        chosen = np.empty(len(trees), np.int64)
        decide(self.forest, trees, chosen)
        return chosen

    def made(self, trees: NDArray[np.int64]) -> tuple[NDArray[np.int64], NDArray[np.uint64], Floats]:
        """The play of each of these trees that the search settled on, the node after it, and what that is worth to the player to act there."""
        chosen = self.best(trees)
        rows, values = self.forest.after[trees, chosen], self.forest.value[trees, chosen]
        again = (rows[:, TURN] & AGAIN) != 0
        return chosen, rows, np.where(again[:, None], values, np.roll(values, values.shape[1] // 2, axis=1))

    def _values(self, after: Following) -> Floats:
        """What the base agent says of what follows, (plays, outcomes) for the player to act there."""
        going = np.isnan(after.points)
        self.valued += int(going.sum())
        if isinstance(self.base, TDAgent):
            return self.base.probabilities_after(after)
        values = np.zeros((len(after.rows), 2), np.float32)
        if going.any():
            values[going, 0] = self.base.values(self.game, after.rows[going])
        return values


class MctsAgent:
    """Compares plays by a tree search on top of an agent that values positions."""

    def __init__(
        self,
        game: Game,
        base: str | Agent = "td",
        sims: str | int = 200,
        width: str | int = 8,
        margin: str | float = 0.16,
        spread: str | float = 0.04,
        explore: str | float = 0.1,
        tables: str | bool = True,
        threads: str | int = 1,
    ) -> None:
        """Settle how far to look.

        Args:
            base: name of an agent that values positions, or an agent.
            sims: leaves valued for a decision, at most; a leaf is a play node, worth the best of its plays.
            width: most plays of a node that are ever looked at.
            margin: points by which a play may seem worse than the best and still is considered.
            spread: points; the priors of a node's plays are the softmax of their equities divided by it.
            explore: points; how much priors count against values.
            tables: whether bear-offs of few checkers are looked up where the game has a table of them: yes or no.
            threads: that search different positions side by side; 0 for one a core. Values do not depend on it.

        Raises:
            ValueError: an option is no number in its range, or the base agent only compares plays.
        """
        self.base = base_of("mcts", base, game, tables)
        self.policy = Policy(
            number_of("mcts: sims", sims, 1, 1_000_000, int),
            number_of("mcts: width", width, 1, 1_000, int),
            number_of("mcts: margin", margin, 0.0, 1_000.0, float),
            number_of("mcts: spread", spread, 1e-4, 1_000.0, float),
            number_of("mcts: explore", explore, 0.0, 1_000.0, float),
            0,
        )
        self.threads = threads_of("mcts", threads)

    def values(self, game: Game, rows: NDArray[np.uint64]) -> NDArray[np.float32]:
        """See `tablezoo.agent.Agent`: each position with all its leaves, or what the base agent says if they do not reach one roll ahead."""
        guesses = np.array(self.base.values(game, rows), np.float32)
        policy = self.policy._replace(least=np.iinfo(np.int32).max)

        def searched(begin: int, end: int) -> NDArray[np.float32]:
            trees = Trees(game, self.base, policy, end - begin)
            trees.plant_before(rows[begin:end])
            trees.search(np.arange(end - begin))
            return np.where(trees.forest.child[:, 0] != NONE, trees.forest.equity[:, 0], guesses[begin:end])

        return np.concatenate([guesses[:0], *side_by_side(self.threads, searched, self._parts(len(rows)))])

    def costs(self, game: Game, nodes: NDArray[np.uint64], rows: NDArray[np.uint64]) -> NDArray[np.float32]:
        """See `tablezoo.agent.Comparer`: the play that the search settles on costs least, those not looked at a thousand points more than they seem."""
        if not len(rows):
            return np.empty(0, np.float32)
        ends = ends_of(nodes)
        sizes = np.diff(ends, prepend=0)
        parts = side_by_side(self.threads, lambda begin, end: self._costs(game, nodes[ends[begin:end] - 1]), self._parts(len(ends)))
        found = [cost for part in parts for cost in part]
        return np.concatenate([np.tile(cost, size // len(cost)) for cost, size in zip(found, sizes, strict=True)])  # equal nodes may lie together

    def _costs(self, game: Game, nodes: NDArray[np.uint64]) -> list[NDArray[np.float32]]:
        """`costs` of the plays of each of some nodes, without those that end the game."""
        trees = Trees(game, self.base, self.policy, len(nodes))
        every = np.arange(len(nodes))
        after, guesses = trees.plant(every, nodes)
        trees.search(every)
        forest, chosen = trees.forest, trees.best(every)
        costs = []
        for t, end in enumerate(after.ends):
            begin = after.ends[t - 1] if t else 0
            cost = np.float32(1_000) + costs_of(after.rows[begin:end], guesses[begin:end]).astype(np.float32)
            kept = slice(0, forest.kept[t, 0])
            seen = (forest.child[t, kept] != NONE) | forest.certain[t, kept]
            seen[chosen[t]] = True
            least = -forest.equity[t, chosen[t]]
            cost[forest.place[t, kept][seen]] = np.maximum(-forest.equity[t, kept][seen], np.nextafter(least, np.float32(np.inf)))
            cost[forest.place[t, chosen[t]]] = least
            costs.append(cost[np.isnan(after.points[begin:end])])
        return costs

    def _parts(self, n: int) -> list[tuple[int, int]]:
        """Stretches, (begin, end), of n trees that fit into memory, and that keep all threads busy."""
        play = 8 * ROW + 4 * (len(PLAIN) * 3 + 8)
        fitting = ROOM // (self.threads * self.policy.leaves * self.policy.width * play)
        size = max(1, min(MOST_TREES, fitting, -(-n // self.threads)))
        return [(begin, min(begin + size, n)) for begin in range(0, n, size)]
