"""Boards of the cross games: two bars that cross, and a circle round the crossing that is walked one way only."""

import math
from dataclasses import dataclass, field
from functools import cached_property
from itertools import pairwise

ARMS = "NWSE"
"""In the direction of the circle, counter-clockwise from the top."""
ONE_WAY = 1 << 10
"""Mark of an edge into a space that cannot be walked back."""
END = 1
"""Number of the ends of the bars: a door only for the side whose rune it bears."""


@dataclass(frozen=True)
class CrossBoard:
    """A board of spaces.

    Attributes:
        name: its name as the option `board`.
        spaces: names of the spaces, in the order of their bits.
        edges: (from, to): a step that a piece may take; bars have both directions, the circle one.
        runes: side ("x" or "o") whose rune a space bears; two pieces of that side begin there.
        crossings: spaces whose numbers the option `numbers` gives, in its order.
        places: where to draw each space: x to the right, y downwards, in units of the distance between neighbours on a bar.
    """

    name: str
    spaces: tuple[str, ...]
    edges: tuple[tuple[str, str], ...]
    runes: dict[str, str]
    crossings: tuple[str, ...]
    places: dict[str, tuple[float, float]] = field(repr=False)

    @cached_property
    def leaving(self) -> dict[str, tuple[str, ...]]:
        """Where a step may lead from each space."""
        return {space: tuple(end for start, end in self.edges if start == space) for space in self.spaces}

    def one_way(self, start: str, end: str) -> bool:
        """Whether a step may not be taken backwards: it is one of the circle's."""
        return (end, start) not in self.edges

    def ends(self, rune: str) -> list[str]:
        """Spaces with one neighbour that bear a side's rune."""
        return [
            space
            for space in self.spaces
            if self.runes.get(space) == rune and len(self.leaving[space]) == 1 and not self.one_way(space, self.leaving[space][0])
        ]

    def doors(self, numbers: str) -> dict[str, list[list[str]]]:
        """Spaces numbered 0 to 6 for each side; `numbers` are those of the crossings."""
        return {side: [[], self.ends(side), *([self.crossings[numbers.index(str(n))]] for n in range(2, 7))] for side in "xo"}


def cross_board(name: str, inner: int, outer: int, arc: int, runes: dict[str, str]) -> CrossBoard:
    """A board of four equal arms.

    Args:
        name: of the board.
        inner: spaces of an arm inside the circle.
        outer: spaces of an arm outside it, the end included.
        arc: spaces of a quarter of the circle, crossings left out.
        runes: spaces by the side whose rune they bear.
    """
    crossing, end = inner + 1, inner + 1 + outer
    spaces: list[str] = []
    edges: list[tuple[str, str]] = []
    places: dict[str, tuple[float, float]] = {"C": (0.0, 0.0)}
    for k, arm in enumerate(ARMS):
        following = ARMS[(k + 1) % 4]
        bar = [f"{arm}{i}" for i in range(1, end + 1)]
        ring = [f"{arm}{following}{i}" for i in range(1, arc + 1)]
        spaces += [*bar, *ring]
        for one, other in zip(["C", *bar], bar, strict=False):
            edges += [(one, other), (other, one)]
        walk = [f"{arm}{crossing}", *ring, f"{following}{crossing}"]
        edges += list(pairwise(walk))
        angle = math.pi / 2 * (k + 1)
        places |= {f"{arm}{i}": (i * math.cos(angle), -i * math.sin(angle)) for i in range(1, end + 1)}
        for i, space in enumerate(ring, 1):
            turn = angle + math.pi / 2 * i / (arc + 1)
            places[space] = (crossing * math.cos(turn), -crossing * math.sin(turn))
    crossings = (*(f"{arm}{crossing}" for arm in ARMS), "C")
    return CrossBoard(name, (*spaces, "C"), tuple(edges), runes, crossings, places)


def _bars(inner: int, outer: int) -> dict[str, str]:
    """All spaces of the upright bar bear x and all of the other o, crossings left out."""
    numbers = [i for i in range(1, inner + outer + 2) if i != inner + 1]
    return {f"{arm}{i}": "xo"[k % 2] for k, arm in enumerate(ARMS) for i in numbers}


def _alternating(inner: int, outer: int, middle: int, arcs: tuple[int, int]) -> dict[str, str]:
    """Runes spread over the board: an arm's end and two of its arc bear one side's, its inner space `middle` the other's."""
    runes: dict[str, str] = {}
    for k, arm in enumerate(ARMS):
        side, other = ("x", "o") if k % 2 == 0 else ("o", "x")
        runes |= {f"{arm}{inner + 1 + outer}": side, f"{arm}{middle}": other, **{f"{arm}{ARMS[(k + 1) % 4]}{i}": side for i in arcs}}
    return runes


BOARDS: dict[str, CrossBoard] = {
    board.name: board
    for board in (
        cross_board("W37-bars", 2, 2, 4, _bars(2, 2)),
        cross_board("W37-alternating", 2, 2, 4, _alternating(2, 2, 1, (2, 4))),
        cross_board("W45-alternating", 3, 2, 5, _alternating(3, 2, 2, (2, 4))),
        cross_board("W33", 2, 1, 4, _alternating(2, 1, 1, (2, 4))),
        cross_board("W29", 2, 1, 3, _alternating(2, 1, 1, (1, 3))),
        cross_board("W21", 1, 1, 2, _alternating(1, 1, 1, (1, 2))),
        cross_board("W41-bars", 3, 1, 5, _bars(3, 1)),
    )
}
"""Reconstructions: no drawing of the original board is publicly known."""


def walks(board: CrossBoard, turn_onto_circle: str, numbers: str) -> list[int]:
    """What the kernel knows of a board (`tablezoo.kernel.cross`), as a flat table.

    A walker is on a space, about to move, or has come to it by an edge in the middle of a move, or had come
    to it by an edge when an earlier move of the turn ended there. It goes on by any edge but the one it came by.
    """
    index = {space: i for i, space in enumerate(board.spaces)}
    walkers: list[tuple[str, str | None, bool]] = [(space, None, True) for space in board.spaces]
    for starts in (False, True):
        walkers += [(end, start, starts) for start, end in board.edges]
    number = {walker: i for i, walker in enumerate(walkers)}

    def following(walker: tuple[str, str | None, bool]) -> list[int]:
        space, came, starts = walker
        onward = [end for end in board.leaving[space] if end != came]
        if came is not None and not starts and turn_onto_circle == "never" and not board.one_way(came, space):
            onward = [end for end in onward if not board.one_way(space, end)]
        return [number[(end, space, False)] for end in onward]

    steps = [following(walker) for walker in walkers]
    reach: list[int] = []
    for walker in range(len(walkers)):
        reach.append(0)
        front = {walker}
        for _ in range(6):
            front = {after for one in front for after in steps[one]}
            reach.append(sum({1 << index[walkers[one][0]] for one in front}))
    spaces = [index[space] for space, _, _ in walkers]
    nexts = [after for onward in steps for after in (*(one + 1 for one in onward), 0, 0, 0, 0)[:4]]
    entered = [[number[(end, start, False)] + 1 + ONE_WAY * board.one_way(start, end) for start, end in board.edges if end == space] for space in board.spaces]
    doors = [sum(1 << index[space] for space in open_) for side in "xo" for open_ in board.doors(numbers)[side]]
    return [
        len(board.spaces),
        len(walkers),
        len(board.edges),
        *doors,
        *reach,
        *spaces,
        *nexts,
        *(one for ways in entered for one in (*ways, 0, 0, 0, 0)[:4]),
    ]
