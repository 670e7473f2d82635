"""What an environment shows of a node: the inputs of an encoder and the numbers left, in a row or as the planes of an image."""

from functools import lru_cache

import numpy as np
from gymnasium import spaces
from numpy.typing import NDArray

from tablezoo.envs.batch import FACES, MOST_NUMBERS
from tablezoo.features import NAMES as ENCODERS
from tablezoo.features import PLACES, encoder_of
from tablezoo.kernel.board import FACE_BITS, TURN
from tablezoo.position import Game

PLANES = "planes"
NAMES = (*ENCODERS, PLANES)
"""Observations by name: those of the encoders, in a row; and the inputs of "tesauro" as planes (`Layout`)."""
ON_BOARD = ("points", "pinned", "lying", "spaces")
"""Endings of the names of slices that have the same number of inputs for each place of the board."""


class Layout:
    """What an observation of a game holds.

    In planes every input of a point has a plane of its own, laid out as the board is; whatever belongs to no point (bars, checkers off,
    the numbers left) fills a plane. A track of 24 points is two rows, points 13 to 24 above 12 to 1; one of six a row, from point 6 on.
    A cross is the smallest grid on which no two spaces meet.

    Attributes:
        encoder: the encoder.
        shape: of an observation.
        cells: `int64[inputs]`, where each number of an observation is among the encoding, the numbers left and a zero; empty: as they come.
        high: `float32[shape]`, the bounds that checkers and dice set; the least is 0.
    """

    def __init__(self, game: Game, name: str) -> None:
        self.encoder = encoder_of(game, ENCODERS[0] if name == PLANES else name)
        self.size = self.encoder.size + FACES
        grid = _grid(game)
        planes = [] if name != PLANES else self._planes(grid)
        self.cells = np.array(planes, np.int64).reshape(-1)
        self.shape: tuple[int, ...] = (len(planes), *grid.shape) if planes else (self.size,)
        high = np.full(self.size + 1, MOST_NUMBERS, np.float32)
        high[-1] = 1  # Gymnasium warns of spaces without width
        for place in range(PLACES):
            units = slice(self.encoder.first[place], self.encoder.first[place] + self.encoder.units[place])
            high[units] = self.encoder.table[place, : game.checkers + 1, : self.encoder.units[place]].max(axis=0)
        self.high = high[self.cells].reshape(self.shape) if planes else high[:-1]

    @property
    def space(self) -> "spaces.Box[np.float32]":
        """A fresh space."""
        return spaces.Box(np.zeros_like(self.high), self.high, dtype=np.float32)

    def __call__(self, row: NDArray[np.uint64]) -> NDArray[np.float32]:
        """A fresh observation of a board row."""
        left = (int(row[TURN]) >> FACE_BITS * np.arange(FACES)) & 7
        flat = np.concatenate((self.encoder(row[None])[0], left.astype(np.float32), np.zeros(1, np.float32)))
        return flat[self.cells].reshape(self.shape) if len(self.cells) else flat[:-1].copy()

    def _planes(self, grid: NDArray[np.int64]) -> list[NDArray[np.int64]]:
        """The cells of each plane."""
        planes = []
        number = int(grid.max()) + 1
        for name, part in self.encoder.slices.items():
            per_place, rest = divmod(part.stop - part.start, number)
            if name.endswith(ON_BOARD) and not rest:
                planes += [np.where(grid < 0, self.size, part.start + grid * per_place + unit) for unit in range(per_place)]
            else:
                planes += [np.full(grid.shape, which) for which in range(part.start, part.stop)]
        return [*planes, *(np.full(grid.shape, self.encoder.size + face) for face in range(FACES))]


@lru_cache(maxsize=64)
def layout_of(game: Game, name: str) -> Layout:
    """The layout of that name for a game."""
    return Layout(game, name)


def _grid(game: Game) -> NDArray[np.int64]:
    """The place of the board at each cell of an image, from 0 on; -1 where there is none."""
    if game.spec.kind == "cross":
        return _cross_grid(game)
    if game.spec.kind == "unstack" or game.spec.points == FACES:
        return np.arange(FACES - 1, -1, -1)[None]
    return np.array([range(12, 24), range(11, -1, -1)])


def _cross_grid(game: Game) -> NDArray[np.int64]:
    """Spaces where they are drawn, on the coarsest grid that keeps them apart."""
    places = np.array([game.board.places[space] for space in game.board.spaces])
    for halves in range(2, 20):
        cells = np.rint(places * halves / 2).astype(np.int64)
        if len(np.unique(cells, axis=0)) == len(cells):
            break
    cells -= cells.min(axis=0)
    grid = np.full(cells.max(axis=0)[::-1] + 1, -1)
    grid[cells[:, 1], cells[:, 0]] = np.arange(len(cells))
    return grid
