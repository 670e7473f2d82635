"""Pictures of what a net plays."""

from collections.abc import Iterator

import numpy as np
from numpy.typing import NDArray

from tablezoo.agent import Agent, choose
from tablezoo.draw.pixels import draw
from tablezoo.kernel.board import AGAIN, TURN
from tablezoo.position import Game, Position

ROLLS = 3
"""First rolls that are shown."""
WIDTH = 360
"""Of a picture, in pixels."""


def opening_plays(game: Game, agent: Agent) -> Iterator[tuple[str, NDArray[np.uint8]]]:
    """The boards after an agent's plays of a few first rolls, each with its tag."""
    start = game.start()
    chances = [roll for roll, _ in start.chances()]
    for roll in chances[:: -(-len(chances) // ROLLS)]:
        after = choose(agent, game, start.rolled(roll).row[None])[0]
        player = start.player if after[TURN] & AGAIN else 1 - start.player
        yield f"opening/{''.join(map(str, roll))}", draw(Position(game, after, player), WIDTH)
