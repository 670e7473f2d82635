"""Open Sage (bgsage) as a referee, in process (extra `referees`); never a teacher."""

from typing import Any

import numpy as np
from numpy.typing import NDArray

from agents.points26 import must_play, points26, turned
from tablezoo.position import Game

MOST_PLIES = 3


class BgsageAgent:
    """Open Sage's cubeless money equity of positions."""

    def __init__(self, game: Game, *, plies: str = "0", threads: str = "1") -> None:
        """Take its shipped net.

        Args:
            game: backgammon.
            plies: how far it looks ahead, 0 to 3; what it calls 1-ply is its net alone, 0 here.
            threads: that it may use; 0 for one a core.

        Raises:
            ValueError: bgsage is not installed, or it does not play this game.
        """
        if plies not in map(str, range(MOST_PLIES + 1)):
            raise ValueError(f"bgsage: plies must be 0 to {MOST_PLIES}, not {plies!r}")
        if not threads.isdecimal():
            raise ValueError(f"bgsage: threads must be a whole number, not {threads!r}")
        must_play(game, "bgsage")
        try:
            import bgbot_cpp
            from bgsage.weights import bearoff_db_path, default_weights
        except ImportError:
            raise ValueError("bgsage needs the package bgsage: pip install 'tablezoo[referees]'") from None
        self._engine: Any = bgbot_cpp
        self._bearoff = bgbot_cpp.BearoffDB()
        self._bearoff.load(bearoff_db_path())
        weights = default_weights()
        net = weights.strategy_type, weights.weight_paths_list, weights.hidden_sizes_list
        if plies == "0":
            self._strategy = bgbot_cpp.BearoffStrategy(bgbot_cpp.create_strategy(*net), self._bearoff)
        else:
            self._strategy = bgbot_cpp.create_multipy(*net, n_plies=int(plies) + 1, parallel_evaluate=False)
            bgbot_cpp.multipy_set_bearoff_db(self._strategy, self._bearoff)
        self._threads = int(threads)

    def values(self, game: Game, rows: NDArray[np.uint64]) -> NDArray[np.float32]:
        """See `tablezoo.agent.Agent`; bgsage values a board for the player who has just moved."""
        boards = turned(points26(game, rows))
        boards[:, 0] = np.abs(boards[:, 0])  # it counts the opponent's bar up
        centred = self._engine.CubeOwner.CENTERED
        found = self._engine.batch_evaluate_post_move([(board, centred) for board in boards.tolist()], self._strategy, self._threads, jacoby=False)
        return np.array([-result["cubeless_equity"] for result in found], np.float32)
