"""Agents that know bear-offs from tables, and value the rest as they did."""

import numpy as np
from numpy.typing import NDArray

from agents.nets.value import Floats
from agents.td import TDAgent
from tablezoo.agent import Agent, Following
from tablezoo.exact.bearoff import TwoSided
from tablezoo.position import Game


def with_tables(agent: Agent, game: Game) -> Agent:
    """The agent with the exact values of bear-offs of few checkers on each side; itself where the game has no table of them.

    The table is built at first use, in some seconds, and kept.

    Raises:
        OSError: it cannot be kept.
    """
    try:
        table = TwoSided(game)
    except ValueError:
        return agent
    return TabledNet(agent, table) if isinstance(agent, TDAgent) else Tabled(agent, table)


class Tabled:
    """An agent behind a table."""

    def __init__(self, base: Agent, table: TwoSided) -> None:
        self.base, self.table = base, table

    def values(self, game: Game, rows: NDArray[np.uint64]) -> NDArray[np.float32]:
        """See `tablezoo.agent.Agent`."""
        known = self.table.covers(rows)
        values = np.empty(len(rows), np.float32)
        values[known] = self.table.equities(rows[known])
        if not known.all():
            values[~known] = self.base.values(game, rows[~known])
        return values


class TabledNet(TDAgent):
    """A net behind a table: a bear-off of few checkers is won or lost by one point."""

    def __init__(self, base: TDAgent, table: TwoSided) -> None:
        self.__dict__.update(vars(base))
        self.table = table

    def probabilities(self, rows: NDArray[np.uint64]) -> Floats:
        """See `TDAgent`."""
        return self._known(rows, super().probabilities(rows))

    def probabilities_after(self, after: Following) -> Floats:
        """See `TDAgent`."""
        return self._known(after.rows, super().probabilities_after(after))

    def _known(self, rows: NDArray[np.uint64], chances: Floats) -> Floats:
        known = self.table.covers(rows)
        won = (1 + self.table.equities(rows[known])) / 2
        chances[known] = 0
        chances[known, 0], chances[known, chances.shape[1] // 2] = won, 1 - won
        return chances
