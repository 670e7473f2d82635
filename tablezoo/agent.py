"""What an agent is, how it chooses, and how its name in a config, on a command line or in an environment finds it."""

from importlib.metadata import EntryPoint, entry_points
from typing import NamedTuple, Protocol, runtime_checkable

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


class Following(NamedTuple):
    """What follows the plays of some play nodes, in the order of the nodes and of their plays."""

    nodes: NDArray[np.uint64]
    """(n, ROW)."""
    rows: NDArray[np.uint64]
    """(plays, ROW): the nodes that follow, marked `AGAIN` where the player who chooses acts there."""
    points: NDArray[np.float32]
    """(plays,): what a finished game counts for him who chooses; NaN where the game goes on."""
    ends: NDArray[np.int64]
    """(n,): one past the last play of each node."""


@runtime_checkable
class Overseer(Agent, Protocol):
    """An agent that values what follows a node faster when it sees it all at once."""

    def values_after(self, game: Game, after: Following) -> NDArray[np.float32]:
        """Equity for the player to act in each row of `after`, shape (plays,); of no meaning where the game is over."""
        ...


def following(game: Game, nodes: NDArray[np.uint64]) -> Following:
    """What follows the plays of play nodes `uint64[n, ROW]`."""
    nodes = for_kernels(nodes)
    ends = count_results(game.rules, nodes)
    rows = np.empty((int(ends[-1]) if len(ends) else 0, ROW), np.uint64)
    points = np.empty(len(rows), np.float32)
    fill_results(game.rules, nodes, ends, rows, points)
    return Following(nodes, rows, points, ends)


def dislikes(agent: Agent, game: Game, after: Following) -> NDArray[np.float32]:
    """How little the agent likes each next node, (plays,), as the player who chooses."""
    costs = -after.points
    going = np.isnan(after.points)
    if isinstance(agent, Overseer):
        return np.where(going, costs_of(after.rows, agent.values_after(game, after)), costs)
    if going.any():
        rows = after.rows[going]
        if isinstance(agent, Comparer):
            before = np.repeat(after.nodes, np.diff(after.ends, prepend=0), axis=0)
            costs[going] = agent.costs(game, before[going], rows)
        else:
            costs[going] = costs_of(rows, agent.values(game, rows))
    return costs


def costs_of(rows: NDArray[np.uint64], values: NDArray[np.floating]) -> NDArray[np.floating]:
    """How little nodes of these values please the player who chooses them: the opponent acts there, unless they are marked `AGAIN`."""
    return np.where(rows[:, TURN] & AGAIN, -values, values)


def ends_of(nodes: NDArray[np.uint64]) -> NDArray[np.int64]:
    """One past the last of each stretch of equal nodes `uint64[n, ROW]`, as `Comparer.costs` gets them."""
    return np.flatnonzero(np.append((nodes[1:] != nodes[:-1]).any(axis=1), True)) + 1 if len(nodes) else np.empty(0, np.int64)


def best(agent: Agent, game: Game, after: Following) -> NDArray[np.int64]:
    """Index in `after.rows` of the agent's play at each node, the first of equally good ones."""
    return smallest(dislikes(agent, game, after), after.ends)


def best_values(agent: Agent, game: Game, nodes: NDArray[np.uint64]) -> NDArray[np.float32]:
    """What the agent's plays at many play nodes are worth to the player who chooses, in its own view: shapes (n, ROW), (n,).

    Raises:
        ValueError: the agent only compares plays of one node.
    """
    if isinstance(agent, Comparer):
        raise ValueError(f"{type(agent).__name__} compares plays but puts no value on them; choose another judge, like td")
    after = following(game, nodes)
    costs = dislikes(agent, game, after)
    return -costs[smallest(costs, after.ends)]


def choose(agent: Agent, game: Game, nodes: NDArray[np.uint64]) -> NDArray[np.uint64]:
    """The agent's plays at many play nodes at once: shape (n, ROW) in, the nodes that follow out.

    A node that follows is marked `AGAIN` if the player who chose acts there.
    """
    after = following(game, nodes)
    return after.rows[best(agent, game, after)]


def factory_of(name: str) -> EntryPoint:
    """What makes agents of this name, whatever follows it after a colon.

    Raises:
        ValueError: there is none, with a suggestion.
    """
    kind = name.partition(":")[0]
    factories = {point.name: point for point in entry_points(group=GROUP)}
    if kind not in factories:
        raise ValueError(f"unknown agent {kind!r}{closest(kind, factories)}; known: {', '.join(sorted(factories))}")
    return factories[kind]


def load_agent(name: str, game: Game) -> Agent:
    """Agent from `NAME` or `NAME:ARGUMENT,option=value,...`, for example `td:runs/quickstart` or `random:seed=3`.

    Raises:
        ValueError: unknown agent or option, with a suggestion; or whatever the agent finds wrong with its arguments.
    """
    tail = name.partition(":")[2]
    arguments = [part for part in tail.split(",") if part and "=" not in part]
    options = dict(part.split("=", 1) for part in tail.split(",") if "=" in part)
    factory = factory_of(name).load()
    try:
        agent: Agent = factory(game, *arguments, **options)
    except TypeError as error:
        raise ValueError(f"agent {name!r}: {str(error).replace(f'{factory.__name__}.__init__() ', '')}") from None
    return agent
