"""The perfect player, where the game has been solved."""

from collections.abc import Callable

import numpy as np
from numpy.typing import NDArray
from rich.console import Console
from rich.progress import Progress

from tablezoo.exact import bearoff, few, unstack
from tablezoo.position import Game

Values = Callable[[NDArray[np.uint64]], NDArray[np.floating]]


class ExactAgent:
    """Knows the value of every position of a solved game; the table is built at first use and kept."""

    def __init__(self, game: Game) -> None:
        """Load the table, or build it under a progress bar.

        Raises:
            ValueError: the game is not solved.
            OSError: the table cannot be kept.
        """
        self._values = solution(game)

    def values(self, game: Game, rows: NDArray[np.uint64]) -> NDArray[np.float32]:
        """See `tablezoo.agent.Agent`; rows are nodes that follow a play.

        Raises:
            ValueError: a position that no game reaches.
        """
        return self._values(rows).astype(np.float32)


def solution(game: Game) -> Values:
    """What gives equities of a solved game by board rows; its table is built under a progress bar if it is not there.

    Raises:
        ValueError: the game is not solved.
        OSError: the table cannot be kept.
    """
    console = Console(stderr=True)
    with Progress(console=console, transient=True, disable=not console.is_terminal) as bar:
        task = bar.add_task(f"solving {game.name}, once", total=None)
        if game.spec.kind == "unstack":
            pairs = unstack.Solution(game, lambda done, total: bar.update(task, completed=done, total=total))
            return lambda rows: 2 * pairs.chances(rows) - 1
        return few.Solution(game, lambda what, done: bar.update(task, description=f"solving {game.name}: {what}", completed=done)).equities


def facts(game: Game) -> dict[str, float]:
    """What the tables of a game say at its start, by name; they are built if they are not there.

    Raises:
        ValueError: there are none for this game.
        OSError: they cannot be kept.
    """
    if game.spec.kind == "track" and game.checkers > few.MOST_CHECKERS:
        one, both = bearoff.OneSided(game), bearoff.TwoSided(game)
        return {"sides": len(one.table), "most_turns_on_average": float(one.table[:, 0].max()), "pairs_of_sides": both.table.size}
    value = float(solution(game)(game.start_row[None])[0])
    return {"equity_of_the_starter": value}
