"""GNU Backgammon as a referee, in process through the package gnubg-nn (extra `referees`); never a teacher."""

from typing import Any

import numpy as np
from numpy.typing import NDArray

from agents.points26 import both_sides, must_play, points26
from tablezoo.position import Game


class GnubgAgent:
    """gnubg's cubeless money equity of positions."""

    def __init__(self, game: Game, *, plies: str = "0") -> None:
        """Option `plies`: how far it looks ahead, 0 to 2.

        Raises:
            ValueError: gnubg-nn is not installed, or it does not play this game.
        """
        if plies not in ("0", "1", "2"):
            raise ValueError(f"gnubg: plies must be 0, 1 or 2, not {plies!r}")
        must_play(game, "gnubg")
        try:
            import gnubg_nn
        except ImportError:
            raise ValueError("gnubg needs the package gnubg-nn: pip install 'tablezoo[referees]'") from None
        self._gnubg: Any = gnubg_nn
        self.plies = int(plies)

    def values(self, game: Game, rows: NDArray[np.uint64]) -> NDArray[np.float32]:
        """See `tablezoo.agent.Agent`."""
        return np.array([self._equity(points) for points in points26(game, rows)], np.float32)

    def _equity(self, points: NDArray[np.int64]) -> float:
        """Of a board."""
        win, win_gammon, win_backgammon, lose_gammon, lose_backgammon = self._gnubg.probabilities(both_sides(points), self.plies)
        return float(2 * win - 1 + win_gammon + win_backgammon - lose_gammon - lose_backgammon)
