"""The perfect player, where the game has been solved."""

import numpy as np
from numpy.typing import NDArray
from rich.console import Console
from rich.progress import Progress

from tablezoo.exact.unstack import Solution
from tablezoo.position import Game


class ExactAgent:
    """Knows the value of every position of a solved game; the table is built at first use and kept."""

    def __init__(self, game: Game) -> None:
        """Load the table, or build it under a progress bar.

        Raises:
            ValueError: the game is not solved.
            OSError: the table cannot be kept.
        """
        console = Console(stderr=True)
        with Progress(console=console, transient=True, disable=not console.is_terminal) as bar:
            task = bar.add_task(f"solving {game.name}, once", total=None)
            self.solution = Solution(game, lambda done, total: bar.update(task, completed=done, total=total))

    def values(self, game: Game, rows: NDArray[np.uint64]) -> NDArray[np.float32]:
        """See `tablezoo.agent.Agent`; rows are roll nodes.

        Raises:
            ValueError: a position that no game reaches.
        """
        return 2 * self.solution.chances(rows) - 1
