"""What an agent is, and how its name in a config, on a command line or in an environment finds it."""

from importlib.metadata import entry_points
from typing import Protocol, runtime_checkable

import numpy as np
from numpy.typing import NDArray

from tablezoo.position import Game
from tablezoo.rules import closest

GROUP = "tablezoo.agents"
"""Entry-point group of agent factories, called as `factory(game, *arguments, **options)` with strings."""


@runtime_checkable
class Agent(Protocol):
    """A player: whoever can put a value on positions."""

    def values(self, game: Game, rows: NDArray[np.uint64]) -> NDArray[np.float32]:
        """Equity in points, shape (n,), for the player to act in each row `uint64[n, ROW]`; no row is a finished game.

        To choose among plays, negate the values of their next nodes, unless the same player acts again.
        """
        ...


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
    try:
        agent: Agent = factories[kind].load()(game, *arguments, **options)
    except TypeError as error:
        raise ValueError(f"agent {name!r}: {error}") from None
    return agent
