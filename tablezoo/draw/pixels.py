"""The board as pixels, the same picture as `svg`, drawn with Pillow and the font that comes with it."""

from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray
from PIL import Image, ImageDraw, ImageFont

from tablezoo.draw.scene import scene
from tablezoo.draw.shapes import EDGE, Box, Disc, Polygon, Shape
from tablezoo.draw.svg import BASELINE

if TYPE_CHECKING:
    from tablezoo.position import Position

FINE = 3
"""Pixels drawn for each pixel and side of the result, whose mean it is: Pillow draws without antialiasing."""
LEAST = 60
"""Narrowest picture: fonts do not get smaller."""
ANCHORS = {"start": "ls", "middle": "ms", "end": "rs"}


def draw(position: "Position", width: int = 720) -> NDArray[np.uint8]:
    """Picture `uint8[height, width, 3]` of a position; needs no display and no fonts of the system.

    Raises:
        ValueError: a width below 60.
    """
    if width < LEAST:
        raise ValueError(f"width must be {LEAST} or more, not {width}")
    picture = scene(position)
    height = round(width * picture.height / picture.width)
    image = Image.new("RGB", (width * FINE, height * FINE))
    pen, scale = ImageDraw.Draw(image), width * FINE / picture.width
    for shape in picture.shapes:
        _paint(pen, shape, scale)
    return np.asarray(image.reduce(FINE)).copy()


def _paint(pen: ImageDraw.ImageDraw, shape: Shape, scale: float) -> None:
    thick = max(round(EDGE * scale), 1)
    match shape:
        case Polygon():
            pen.polygon([(x * scale, y * scale) for x, y in shape.corners], shape.fill)
        case Box():
            corners = [shape.x * scale, shape.y * scale, (shape.x + shape.width) * scale, (shape.y + shape.height) * scale]
            pen.rounded_rectangle(corners, shape.radius * scale, shape.fill, shape.edge or None, thick)
        case Disc():
            pen.circle((shape.x * scale, shape.y * scale), shape.radius * scale, shape.fill, shape.edge or None, thick)
        case _:
            font = ImageFont.load_default(shape.size * scale)
            pen.text((shape.x * scale, (shape.y + BASELINE * shape.size) * scale), shape.text, shape.fill, font, ANCHORS[shape.align])
