"""Drawings: what a person reads off them is the position."""

import re
import xml.etree.ElementTree as ET
from collections import Counter

import numpy as np
import pytest
from conftest import BACKGAMMON, random_nodes

import tablezoo
from tablezoo.draw import pixels

START = """\
backgammon
+-13-14-15-16-17-18-+---+-19-20-21-22-23-24-+  o  player 1: off 0, pips 167
|  x           o    |   |  o              x |
|  x           o    |   |  o              x |
|  x           o    |   |  o                |
|  x                |   |  o                |
|  x                |   |  o                |
|                   |bar|                   |
|  o                |   |  x                |
|  o                |   |  x                |
|  o           x    |   |  x                |
|  o           x    |   |  x              o |
|  o           x    |   |  x              o |
+-12-11-10--9--8--7-+---+--6--5--4--3--2--1-+  x  player 0: off 0, pips 167  to roll"""

CROWDED = "24:1 13:3 6:6 2:2 | 22:9 21:1 18:1 (bar=2 off=1 obar=1 ooff=3 dice=65)"
CROWDED_TEXT = """\
backgammon
+-13-14-15-16-17-18-+---+-19-20-21-22-23-24-+  o  player 1: off 3, pips 63
|  x              o |   |        o  o     x |
|  x                |   |           o       |
|  x                |   |           o       |
|                   | x |           o       |
|                   | x |           9       |
|                   |bar|                   |
|                   | o |  6                |
|                   |   |  x                |
|                   |   |  x                |
|                   |   |  x           x    |
|                   |   |  x           x    |
+-12-11-10--9--8--7-+---+--6--5--4--3--2--1-+  x  player 0: off 1, pips 153  to play 6 5"""
BLOCKED = "24:2 | 13:2 19:2 20:2 21:2 22:2 23:2 (off=13 ooff=3 dice=53)"
"""The player to act cannot move."""


def as_player_1(position: tablezoo.Position) -> tablezoo.Position:
    """The same node with player 1 to act."""
    return tablezoo.Position(position.game, position.row, 1)


def crowds() -> list[tablezoo.Position]:
    """Positions of both players from the start to the end of random games, and a crowded one."""
    nodes = [tablezoo.Position(BACKGAMMON, row, i % 2) for i, row in enumerate(random_nodes("backgammon", 150))]
    crowded = BACKGAMMON.position(CROWDED)
    return [*nodes, crowded, as_player_1(crowded)]


# Text


@pytest.mark.parametrize(("text", "drawing"), [(BACKGAMMON.start().text, START), (CROWDED, CROWDED_TEXT)])
def test_text_of_a_position(text: str, drawing: str) -> None:
    assert str(BACKGAMMON.position(text)) == drawing


def test_text_swaps_the_marks_but_not_the_view_when_player_1_acts() -> None:
    drawn = str(as_player_1(BACKGAMMON.position(CROWDED)))
    swapped = CROWDED_TEXT.replace("player 0", "player 2").replace("player 1", "player 0").replace("player 2", "player 1")
    other = {"x": "o", "o": "x"}
    assert drawn == re.sub(r"\b[xo]\b", lambda mark: other[mark[0]], swapped)


def read_text(drawing: str) -> dict[str, int]:
    """Checkers on points and bar by mark, read off a drawing."""
    lines = [line[:45] for line in drawing.splitlines()[2:13]]
    columns = [slice(start, start + 3) for start in (*range(1, 19, 3), 21, *range(25, 43, 3))]
    totals: Counter[str] = Counter()
    for half in (lines[:5], lines[6:]):
        for column in columns:
            cells = [line[column].strip() for line in half]
            marks = [cell for cell in cells if cell in ("x", "o")]
            number = [int(cell) for cell in cells if cell.isdigit()]
            assert len(set(marks)) <= 1
            if marks:
                totals[marks[0]] += number[0] if number else len(marks)
    return dict(totals)


def test_text_shows_every_checker() -> None:
    for position in crowds():
        drawing = str(position)
        off = {mark: int(n) for mark, n in re.findall(r"([xo])  player \d: off (\d+)", drawing)}
        shown = read_text(drawing)
        assert {mark: shown.get(mark, 0) + off[mark] for mark in "xo"} == {"x": 15, "o": 15}, drawing


@pytest.mark.parametrize(
    ("text", "line"),
    [
        ("6:1 | 1:15 (off=14)", "x  player 0: off 14, pips 6  to roll"),
        ("6:1 | 1:15 (off=14 dice=3x2)", "x  player 0: off 14, pips 6  to play 3 3"),
        ("1:1 | (off=14 ooff=15)", "o  player 1: off 15, pips 0  wins 1 point"),
        ("1:15 | (ooff=15)", "o  player 1: off 15, pips 0  wins 2 points"),
    ],
)
def test_text_tells_who_has_to_do_what(text: str, line: str) -> None:
    drawing = str(BACKGAMMON.position(text))
    assert line in drawing
    assert sum(word in drawing for word in ("to roll", "to play", "wins")) == 1


# SVG

NAMESPACE = "{http://www.w3.org/2000/svg}"
LIGHT, DARK = "#fbf6ea", "#2c2a32"


def elements(position: tablezoo.Position, kind: str) -> list[dict[str, str]]:
    """Attributes of all elements of a kind, with their text."""
    return [{**element.attrib, "text": element.text or ""} for element in ET.fromstring(position.svg()).iter(NAMESPACE + kind)]


def checkers(position: tablezoo.Position) -> set[tuple[str, str, str]]:
    """Colour and place of every checker drawn on points and bar."""
    return {(c["fill"], c["cx"], c["cy"]) for c in elements(position, "circle") if c["r"] == "19"}


def test_svg_shows_every_checker() -> None:
    for position in crowds():
        totals = Counter(colour for colour, _, _ in checkers(position))
        totals.update(slab["fill"] for slab in elements(position, "rect") if slab["width"] == "48")
        for label in elements(position, "text"):
            if label["font-size"] == "19":  # the number on the fifth checker of a taller stack
                totals[DARK if label["fill"] == LIGHT else LIGHT] += int(label["text"]) - 5
        assert totals == {LIGHT: 15, DARK: 15}, position.text


def test_svg_checkers_stay_where_they_are_when_the_turn_passes() -> None:
    blocked = BACKGAMMON.position(BLOCKED)
    after = blocked.play("pass").after
    assert after.player == 1
    assert checkers(blocked) == checkers(after)


@pytest.mark.parametrize("player", [0, 1])
def test_svg_shows_whose_turn_it_is_at_his_side_of_the_board(player: int) -> None:
    position = tablezoo.Position(BACKGAMMON, BACKGAMMON.start_row, player)
    (todo,) = [float(text["y"]) for text in elements(position, "text") if text["text"] == "to roll"]
    (name,) = [float(text["y"]) for text in elements(position, "text") if text["text"].startswith(f"player {player} ({'xo'[player]}), pips 167")]
    assert abs(todo - name) < 5
    assert (todo > 300) == (player == 0), "player 0 sits at the bottom"


@pytest.mark.parametrize("player", [0, 1])
def test_svg_numbers_points_for_the_player_to_act(player: int) -> None:
    position = tablezoo.Position(BACKGAMMON, BACKGAMMON.start_row, player)
    (ace,) = [text for text in elements(position, "text") if text["text"] == "1"]
    assert (float(ace["y"]) > 300) == (player == 0), "the mover's ace point is in his own home board"
    assert float(ace["x"]) > 550, "both bear off to the right"


@pytest.mark.parametrize(("dice", "spots"), [("31", [4, 4]), ("55", [20, 20]), ("5x3", [15, 15]), ("6", [6, 6])])
def test_svg_shows_the_numbers_left_as_dice_in_the_movers_colours(dice: str, spots: list[int]) -> None:
    for player in (0, 1):
        position = tablezoo.Position(BACKGAMMON, BACKGAMMON.position(f"{BACKGAMMON.start().text} (dice={dice})").row, player)
        found = [circle["fill"] for circle in elements(position, "circle") if circle["r"] == "3.4"]
        assert found == [(DARK, LIGHT)[player]] * spots[player]


def test_svg_of_a_finished_game_has_no_dice_and_names_the_winner() -> None:
    over = BACKGAMMON.position("1:15 | (ooff=15)")
    words = [text["text"] for text in elements(over, "text")]
    assert "wins 2 points" in words
    assert "15 off" in words
    assert not [circle for circle in elements(over, "circle") if circle["r"] == "3.4"]


# Pixels


def test_pixels_show_the_start() -> None:
    picture = pixels.draw(BACKGAMMON.start(), 720)
    assert (picture.dtype, picture.shape) == (np.uint8, (591, 720, 3))
    two_of_player_0, two_of_player_1, empty_point = picture[90, 603], picture[500, 603], picture[500, 558]
    assert two_of_player_0.tolist() == [0xFB, 0xF6, 0xEA]
    assert two_of_player_1.tolist() == [0x2C, 0x2A, 0x32]
    assert empty_point.tolist() == [0xF0, 0xE4, 0xC8] or empty_point.tolist() == [0xA9, 0x60, 0x3F]


def test_pixels_draw_text_without_fonts_of_the_system() -> None:
    to_roll = pixels.draw(BACKGAMMON.start())
    waiting = pixels.draw(as_player_1(BACKGAMMON.start()))
    assert (to_roll[555:, 270:350] != to_roll[590, 0]).any(), "'to roll' beside player 0"
    assert (waiting[555:, 270:350] == waiting[590, 0]).all()


@pytest.mark.parametrize("width", [60, 97, 400])
def test_pixels_have_the_width_asked_for(width: int) -> None:
    assert pixels.draw(BACKGAMMON.position(CROWDED), width).shape[1:] == (width, 3)


def test_pixels_refuse_a_width_nobody_can_read() -> None:
    with pytest.raises(ValueError, match="width must be 60 or more, not 59"):
        pixels.draw(BACKGAMMON.start(), 59)
