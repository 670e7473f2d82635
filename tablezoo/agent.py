"""What an agent is, how it chooses, and how its name in a config, on a command line or in an environment finds it."""

from importlib.metadata import entry_points
from typing import Protocol, runtime_checkable

import numpy as np
from numpy.typing import NDArray

from tablezoo.kernel.batch import count_results, fill_results, smallest
from tablezoo.kernel.board import AGAIN, ROW, TURN
from tablezoo.position import Game
from tablezoo.rows import for_kernels
from tablezoo.rules import closest

GROUP = "tablezoo.agents"
"""Entry-point group of agent factories, called as `factory(game, *arguments, **options)` with strings."""


@runtime_checkable
class Agent(Protocol):
    """A player: whoever can put a value on positions."""

    def values(self, game: Game, rows: NDArray[np.uint64]) -> NDArray[np.float32]:
        """Equity in points, shape (n,), for the player to act in each row `uint64[n, ROW]`; no row is a finished game.

        A row may be a roll node or, where a turn has several stages, a play node. To choose among plays, negate the values of
        their next nodes, unless the row is marked `tablezoo.kernel.board.AGAIN`: the same player acts there.
        """
        ...


@runtime_checkable
class Comparer(Agent, Protocol):
    """An agent whose values of next nodes can only be compared when the node they follow is known."""

    def costs(self, game: Game, nodes: NDArray[np.uint64], rows: NDArray[np.uint64]) -> NDArray[np.float32]:
        """How little the player who chooses at each play node likes each next node; shapes (n, ROW), (n, ROW), (n,)."""
        ...


def choose(agent: Agent, game: Game, nodes: NDArray[np.uint64]) -> NDArray[np.uint64]:
    """The agent's plays at many play nodes at once: shape (n, ROW) in, the nodes that follow out.

    The first of equally good plays is taken. A node that follows is marked `AGAIN` if the player who chose acts there.
    """
    rows, costs, ends = _compared(agent, game, nodes)
    return rows[smallest(costs, ends)]


def best_values(agent: Agent, game: Game, nodes: NDArray[np.uint64]) -> NDArray[np.float32]:
    """What the agent's plays at many play nodes are worth to the player who chooses, in its own view: shapes (n, ROW), (n,).

    Raises:
        ValueError: the agent only compares plays of one node.
    """
    if isinstance(agent, Comparer):
        raise ValueError(f"{type(agent).__name__} compares plays but puts no value on them; choose another judge, like td")
    _, costs, ends = _compared(agent, game, nodes)
    return -costs[smallest(costs, ends)]


def _compared(agent: Agent, game: Game, nodes: NDArray[np.uint64]) -> tuple[NDArray[np.uint64], NDArray[np.float32], NDArray[np.int64]]:
    """The nodes that follow each play node, how little the player who chooses likes them, and where those of each node end."""
    nodes = for_kernels(nodes)
    ends = count_results(game.rules, nodes)
    rows = np.empty((int(ends[-1]) if len(ends) else 0, ROW), np.uint64)
    points = np.empty(len(rows), np.float32)
    fill_results(game.rules, nodes, ends, rows, points)
    costs = -points
    going = np.isnan(points)
    if going.any():
        if isinstance(agent, Comparer):
            before = np.repeat(nodes, np.diff(ends, prepend=0), axis=0)
            costs[going] = agent.costs(game, before[going], rows[going])
        else:
            values = agent.values(game, rows[going])
            costs[going] = np.where(rows[going, TURN] & AGAIN, -values, values)
    return rows, costs, ends


def load_agent(name: str, game: Game) -> Agent:
    """Agent from `NAME` or `NAME:ARGUMENT,option=value,...`, for example `td:runs/quickstart` or `random:seed=3`.

    Raises:
        ValueError: unknown agent or option, with a suggestion; or whatever the agent finds wrong with its arguments.
    """
    kind, _, tail = name.partition(":")
    factories = {point.name: point for point in entry_points(group=GROUP)}
    if kind not in factories:
        raise ValueError(f"unknown agent {kind!r}{closest(kind, factories)}; known: {', '.join(sorted(factories))}")
    arguments = [part for part in tail.split(",") if part and "=" not in part]
    options = dict(part.split("=", 1) for part in tail.split(",") if "=" in part)
    factory = factories[kind].load()
    try:
        agent: Agent = factory(game, *arguments, **options)
    except TypeError as error:
        raise ValueError(f"agent {name!r}: {str(error).replace(f'{factory.__name__}.__init__() ', '')}") from None
    return agent
