"""The picture of a position as an SVG document (`tablezoo.draw.scene`)."""

from typing import TYPE_CHECKING
from xml.sax.saxutils import escape

from tablezoo.draw.scene import scene
from tablezoo.draw.shapes import EDGE, Box, Disc, Polygon, Shape

if TYPE_CHECKING:
    from tablezoo.position import Position

BASELINE = 0.35
"""Drop of the baseline below the middle of a line of text, in font sizes: renderers disagree on `dominant-baseline`."""


def draw(position: "Position") -> str:
    """SVG document of a position: valid XML that needs nothing from outside.

    Player 0 (light) always sits at the bottom, player 1 (dark) at the top, so that the frames of a game do not flip;
    the numbers beside the points of a track are those of the player to act.
    """
    picture = scene(position)
    body = "\n".join(map(_element, picture.shapes))
    size = f'viewBox="0 0 {picture.width:g} {picture.height:g}" width="{picture.width:g}" height="{picture.height:g}"'
    return f'<svg xmlns="http://www.w3.org/2000/svg" {size} font-family="Helvetica, Arial, DejaVu Sans, sans-serif" font-weight="600">\n{body}\n</svg>'


def _element(shape: Shape) -> str:
    match shape:
        case Polygon():
            corners = " ".join(f"{x:g},{y:g}" for x, y in shape.corners)
            return f'<polygon points="{corners}" fill="{shape.fill}"/>'
        case Box():
            place = f'x="{shape.x:g}" y="{shape.y:g}" width="{shape.width:g}" height="{shape.height:g}" rx="{shape.radius:g}"'
            return f'<rect {place} fill="{shape.fill}"{_edge(shape.edge)}/>'
        case Disc():
            return f'<circle cx="{shape.x:g}" cy="{shape.y:g}" r="{shape.radius:g}" fill="{shape.fill}"{_edge(shape.edge)}/>'
    place = f'x="{shape.x:g}" y="{shape.y + BASELINE * shape.size:g}" font-size="{shape.size:g}" text-anchor="{shape.align}"'
    return f'<text {place} fill="{shape.fill}">{escape(shape.text)}</text>'


def _edge(colour: str) -> str:
    return f' stroke="{colour}" stroke-width="{EDGE:g}"' if colour else ""
