"""The shapes that pictures consist of, which `svg` and `pixels` put on paper."""

from dataclasses import dataclass
from typing import TypeAlias

Point: TypeAlias = tuple[float, float]

EDGE = 1.5
"""Width of all edges."""


@dataclass(frozen=True)
class Polygon:
    """A filled polygon."""

    corners: tuple[Point, ...]
    fill: str


@dataclass(frozen=True)
class Box:
    """A rectangle with round corners and perhaps an edge."""

    x: float
    y: float
    width: float
    height: float
    fill: str
    edge: str = ""
    radius: float = 0


@dataclass(frozen=True)
class Disc:
    """A circle around (x, y) and perhaps its edge."""

    x: float
    y: float
    radius: float
    fill: str
    edge: str = ""


@dataclass(frozen=True)
class Words:
    """A line of text whose middle is at height y; `align` says what of it is at x."""

    x: float
    y: float
    text: str
    size: float
    fill: str
    align: str = "middle"
    """"start", "middle" or "end"."""


Shape: TypeAlias = Polygon | Box | Disc | Words


@dataclass(frozen=True)
class Picture:
    """Shapes from back to front on paper of width x height; y points downwards."""

    width: float
    height: float
    shapes: tuple[Shape, ...]
