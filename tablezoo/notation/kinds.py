"""What each kind of game writes and reads: positions and plays as text."""

from typing import TYPE_CHECKING, Protocol

import numpy as np
from numpy.typing import NDArray

from tablezoo.notation import cross, track, unstack
from tablezoo.notation.wording import Wording
from tablezoo.rules import Kind

if TYPE_CHECKING:
    from tablezoo.position import Game, Position

__all__ = ["NOTATIONS", "Notation", "Wording"]


class Notation(Protocol):
    """How a kind of game is written."""

    def start(self, game: "Game", roll_off: bool = True) -> NDArray[np.uint64]:
        """A fresh row of the start; without a roll-off its dice are not played either."""
        ...

    def read(self, game: "Game", text: str) -> NDArray[np.uint64]:
        """The row of a position text.

        Raises:
            ValueError: one line that names the token and what is wrong with it.
        """
        ...

    def write(self, game: "Game", row: NDArray[np.uint64]) -> str:
        """Position text of a row."""
        ...

    def pips(self, game: "Game", row: NDArray[np.uint64]) -> tuple[int, int]:
        """Pip counts of the player to act and of his opponent.

        Raises:
            ValueError: the game is no race.
        """
        ...

    def has_won(self, game: "Game", row: NDArray[np.uint64]) -> bool:
        """Whether the player to act has already won."""
        ...

    def wordings(self, node: "Position") -> list[Wording]:
        """What to say of each play of a node, in the order of `node.plays()`."""
        ...

    def find(self, node: "Position", text: str, said: list[Wording]) -> int | None:
        """Index of the play that a text means, None if it is none of the node's.

        Args:
            node: a play node.
            text: of a play.
            said: the node's `wordings`.

        Raises:
            ValueError: unreadable.
        """
        ...


NOTATIONS: dict[Kind, Notation] = {"track": track, "unstack": unstack, "cross": cross}
