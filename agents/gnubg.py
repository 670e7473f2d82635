"""GNU Backgammon as a referee, in process through the package gnubg-nn (extra `referees`); never a teacher."""

from typing import Any

import numpy as np
from numpy.typing import NDArray

from tablezoo.features import encoder_of
from tablezoo.kernel.board import BAR
from tablezoo.position import Game
from tablezoo.rows import SIDE


class GnubgAgent:
    """gnubg's cubeless money equity of positions."""

    def __init__(self, game: Game, *, plies: str = "0") -> None:
        """Option `plies`: how far it looks ahead, 0 to 2.

        Raises:
            ValueError: gnubg-nn is not installed, or it does not play this game.
        """
        if plies not in ("0", "1", "2"):
            raise ValueError(f"gnubg: plies must be 0, 1 or 2, not {plies!r}")
        if game.name != "backgammon" or game.outcomes != (1, 2, 3, -1, -2, -3):
            raise ValueError(f"gnubg plays backgammon for 1, 2 or 3 points, not {game!r}")
        try:
            import gnubg_nn
        except ImportError:
            raise ValueError("gnubg needs the package gnubg-nn: pip install 'tablezoo[referees]'") from None
        self._gnubg: Any = gnubg_nn
        self.plies = int(plies)

    def values(self, game: Game, rows: NDArray[np.uint64]) -> NDArray[np.float32]:
        """See `tablezoo.agent.Agent`."""
        counts = encoder_of(game, "counts")(rows).astype(int).tolist()
        return np.array([self._equity(sides[:SIDE], sides[SIDE:]) for sides in counts], np.float32)

    def _equity(self, own: list[int], opponent: list[int]) -> float:
        """Of counts as `tablezoo.rows.unpack` gives them; gnubg takes both sides by their own points, the bar last."""
        board = [opponent[BAR - 1 :: -1], own[1:]]
        win, win_gammon, win_backgammon, lose_gammon, lose_backgammon = self._gnubg.probabilities(board, self.plies)
        return float(2 * win - 1 + win_gammon + win_backgammon - lose_gammon - lose_backgammon)
