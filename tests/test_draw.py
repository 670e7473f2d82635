"""Drawings: what a person reads off them is the position."""

import math
import random
import re
import xml.etree.ElementTree as ET
from collections import Counter
from itertools import combinations, pairwise

import numpy as np
import pytest
from conftest import BACKGAMMON, random_nodes
from PIL import ImageFont

import tablezoo
from tablezoo.draw import look, pixels
from tablezoo.draw.scene import scene
from tablezoo.draw.shapes import Box, Disc, Picture, Polygon, Shape, Words

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


# Games of other kinds


def walk(game: tablezoo.Game, nodes: int, seed: int = 1) -> list[tablezoo.Position]:
    """Positions of random play from the start on, a new game begun by the other player where one ends."""
    chance, found = random.Random(seed), [game.start()]
    while len(found) < nodes:
        node = found[-1]
        if node.node == "over":
            found.append(tablezoo.Position(game, game.start_row, 1))
        elif node.node == "roll":
            rolls, weights = zip(*node.chances(), strict=True)
            found.append(node.rolled(chance.choices(rolls, weights)[0]))
        else:
            found.append(chance.choice(node.plays()).after)
    return found


def said(position: tablezoo.Position) -> tuple[tuple[dict[str, int], dict[str, int]], dict[str, str]]:
    """What position text says: counts by point or space of player 0 and player 1 (lying men as `6d`), and the counters."""
    sides, _, tail = position.text.partition("(")
    found: list[dict[str, int]] = []
    for side in sides.split("|"):
        found.append({})
        for place, up, lying in re.findall(r"(\w+):(\d+)(?:d(\d))?", side):
            found[-1] |= {name: int(n) for name, n in ((place, up), (f"{place}d", lying or 0)) if int(n)}
    own, opponent = found
    counters = dict(re.findall(r"([a-z]+)=([^\s)]+)", tail))
    return ((own, opponent) if position.player == 0 else (opponent, own)), counters


def counter(position: tablezoo.Position, name: str, player: int, default: int = 0) -> int:
    """A counter that each player has, as position text says it."""
    return int(said(position)[1].get(name if position.player == player else f"o{name}", default))


TODO = ("to roll", "to play", "to choose", "to reroll", "wins", "draws")


@pytest.mark.parametrize("name", tablezoo.games())
def test_every_game_is_drawn_in_every_way_from_start_to_end(name: str) -> None:
    for position in walk(tablezoo.game(name), 40):
        todo = [text for text in elements(position, "text") if text["text"].startswith(TODO)]
        assert len(todo) == 1
        assert sum(todo[0]["text"] in line for line in str(position).splitlines()) == 1, "text and picture say the same"
        expected = {"roll": "to r", "play": "to ", "over": "wins"}[position.node]
        assert todo[0]["text"].startswith(expected)
    picture = pixels.draw(position, 300)
    root = ET.fromstring(position.svg())
    assert picture.shape == (round(300 * float(root.attrib["height"]) / float(root.attrib["width"])), 300, 3)


@pytest.mark.parametrize("name", tablezoo.games())
def test_pixels_show_every_checker_of_the_svg(name: str) -> None:
    position = walk(tablezoo.game(name), 30)[-1]
    picture = pixels.draw(position, round(float(ET.fromstring(position.svg()).attrib["width"])))
    on_top = {(float(disc["cx"]), float(disc["cy"])): disc["fill"] for disc in elements(position, "circle")}
    shown = {at: fill for at, fill in on_top.items() if fill in (LIGHT, DARK)}
    assert len(shown) > min(position.game.checkers, 10)
    for (x, y), fill in shown.items():
        row, column = round(y), round(x)
        around = picture[row - 4 : row + 5, column - 4 : column + 5].reshape(-1, 3)  # on the middle itself may stand a number
        assert (around == list(bytes.fromhex(fill[1:]))).all(axis=1).any(), (x, y, fill)


# Track games other than backgammon

TRACKS = [name for name in tablezoo.games() if tablezoo.game(name).spec.kind == "track"]
RED = "#c0392b"
PLAKOTO, FEVGA, NANNON = (tablezoo.game(name) for name in ("plakoto", "fevga", "nannon"))

PINNED_TEXT = """\
plakoto
+-13-14-15-16-17-18-+---+-19-20-21-22-23-24-+  o  player 1: off 0, pips 105
|                   |   |  o           X    |
|                   |   |  o           o    |
|                   |   |  o           o    |
|                   |   |  o           o    |
|                   |   |  o           7    |
|                   |   |                   |
|        7          |   |        x          |
|        x          |   |        x          |
|        x          |   |        x     x    |
|        x     o    |   |        x     x    |
|        x     X    |   |        O     O    |
+-12-11-10--9--8--7-+---+--6--5--4--3--2--1-+  x  player 0: off 0, pips 121  to play 3 1
x moves 24 > 1, o the opposite way from 1
pinned: X on 23, 8; O on 4, 2"""
RUNNING_TEXT = """\
fevga
+-13-14-15-16-17-18-+---+-19-20-21-22-23-24-+  x  player 0: off 6, pips 170
|  x           o    |   |                 o |
|  x                |   |                 o |
|                   |   |                 o |
|                   |   |                 o |
|                   |   |                 9 |
|                   |   |                   |
|  7                |   |                   |
|  x                |   |                   |
|  x                |   |                   |
|  x                |   |                   |
|  x                |   |              o    |
+-12-11-10--9--8--7-+---+--6--5--4--3--2--1-+  o  player 1: off 4, pips 235  to roll
o moves 24 > 1, x the same way round from 12"""
SMALL_TRACK_TEXT = """\
nannon
+--6--5--4--3--2--1-+  x  player 0: hand 1, off 1, pips 10
|  o     x        o |
+--6--5--4--3--2--1-+  o  player 1: hand 0, off 1, pips 7  to play 5
o moves 6 > 1, x the opposite way from 1"""


@pytest.mark.parametrize(
    ("game", "text", "player", "drawing"),
    [
        (PLAKOTO, "23:1* 10:7 8:1* 4:4 2:2 | 23:7 19:5 8:1 4:1* 2:1* (dice=31)", 0, PINNED_TEXT),
        (FEVGA, "24:9 17:1 2:1 | 13:2 12:7 (off=4 ooff=6)", 1, RUNNING_TEXT),
        (NANNON, "6:1 1:1 | 4:1 (off=1 ohand=1 ooff=1 dice=5)", 1, SMALL_TRACK_TEXT),
    ],
)
def test_text_of_pins_parallel_ways_and_six_points(game: tablezoo.Game, text: str, player: int, drawing: str) -> None:
    assert str(tablezoo.Position(game, game.position(text).row, player)) == drawing


Standing = tuple[dict[int, int], dict[int, int], set[tuple[int, int]]]
"""Checkers free to move by point, of player 0 and of player 1, and (player, point) of the pinned, as the player to act numbers points."""


def stated(position: tablezoo.Position) -> Standing:
    """What position text says of the points."""
    sides = dict(zip((position.player, 1 - position.player), position.text.partition("(")[0].split("|"), strict=True))
    free = [{int(point): int(n) for point, n in re.findall(r"(\d+):(\d+)(?![\d*])", sides[player])} for player in (0, 1)]
    return free[0], free[1], {(player, int(point)) for player, side in sides.items() for point in re.findall(r"(\d+):1\*", side)}


def written(position: tablezoo.Position) -> Standing:
    """What the text says of the points."""
    lines = str(position).splitlines()
    first, last = (i for i, line in enumerate(lines) if line.startswith("+"))
    rows = [(lines[last], lines[last - 1 : first : -1])]
    if position.game.spec.points == 24:
        rows.append((lines[first], lines[first + 1 : last]))
    found: Standing = ({}, {}, set())
    for edge, levels in rows:
        for number in re.finditer(r"\d+", edge.partition("  ")[0]):
            cells = [line[number.end() - 2 : number.end()].strip() for line in levels[:5]]
            if cells[0].isupper():
                found[2].add(("XO".index(cells.pop(0)), int(number[0])))
            *pile, top = [cell for cell in cells if cell] or [""]
            assert [*pile, top] == cells[: len(pile) + 1], "no gaps"
            assert len({*pile, top if top.isalpha() else pile[0]} if top else ()) <= 1, "all of one player"
            if top:
                found["xo".index((pile or [top])[0])][int(number[0])] = int(top) if top.isdigit() else len(pile) + 1
    return found


def numbers_beside(position: tablezoo.Position) -> list[Words]:
    """The numbers beside the points of a picture."""
    return [shape for shape in scene(position).shapes if isinstance(shape, Words) and shape.size == 14 and shape.text.isdigit()]


def middle_of(polygon: Polygon) -> tuple[float, float]:
    """Mean of the corners."""
    xs, ys = zip(*polygon.corners, strict=True)
    return sum(xs) / len(xs), sum(ys) / len(ys)


def pictured(position: tablezoo.Position) -> Standing:
    """What the picture says of the points."""
    shapes, numbers = scene(position).shapes, numbers_beside(position)
    strokes = Counter(middle_of(shape) for shape in shapes if isinstance(shape, Polygon) and shape.fill == RED and len(shape.corners) == 4)
    found: tuple[Counter[int], Counter[int], set[tuple[int, int]]] = (Counter(), Counter(), set())

    def nearest(shape: Disc | Words) -> Words | None:
        """The number at the end of the column, if the shape is on a point."""
        return min((number for number in numbers if abs(number.x - shape.x) < 1), key=lambda number: abs(number.y - shape.y), default=None)

    for shape in shapes:
        if isinstance(shape, Disc) and shape.radius == 19 and (number := nearest(shape)):
            player, point = (LIGHT, DARK).index(shape.fill), int(number.text)
            if strokes.pop((shape.x, shape.y), 0) == 2:
                assert abs(number.y - shape.y) < 40, "at the edge of the board"
                found[2].add((player, point))
            else:
                found[player][point] += 1
        elif isinstance(shape, Words) and shape.size == 19 and (number := nearest(shape)):
            player, point = (DARK, LIGHT).index(shape.fill), int(number.text)
            assert found[player][point] == (4 if (1 - player, point) in found[2] else 5) < int(shape.text)
            found[player][point] = int(shape.text)
    assert not strokes, "every cross is on a checker"
    return dict(found[0]), dict(found[1]), found[2]


def either_to_act(game: tablezoo.Game, nodes: int) -> list[tablezoo.Position]:
    """Nodes of random games, each for both players."""
    return [tablezoo.Position(game, node.row, player) for node in walk(game, nodes)[::7] for player in (0, 1)]


@pytest.mark.parametrize("name", TRACKS)
def test_text_and_picture_of_a_track_show_who_stands_where_and_who_is_pinned(name: str) -> None:
    game = tablezoo.game(name)
    pins = 0
    for position in either_to_act(game, 220):
        expected = stated(position)
        assert pictured(position) == expected, position.text
        assert written(position) == expected, f"{position.text}\n{position}"
        pins += len(expected[2])
        named = [line for line in str(position).splitlines() if line.startswith("pinned: ")]
        assert len(named) == bool(expected[2])
        assert sum(len(re.findall(r"\d+", line)) for line in named) == len(expected[2])
    assert (pins > 10) == (game.options["blot"] == "pin")


@pytest.mark.parametrize("name", TRACKS)
def test_a_track_does_not_flip_when_the_turn_passes(name: str) -> None:
    turns = [(before, after) for before, after in pairwise(walk(tablezoo.game(name), 60)) if before.node == "play" and before.player != after.player]
    assert len(turns) > 10
    for before, after in turns:
        drawn = [{(shape.x, shape.y, shape.fill) for shape in scene(node).shapes if isinstance(shape, Disc) and shape.radius == 19} for node in (before, after)]
        assert len(drawn[0] - drawn[1]) <= 8, "four that move and four that are hit"


@pytest.mark.parametrize("player", [0, 1])
@pytest.mark.parametrize("name", TRACKS)
def test_arrows_show_both_players_ways_along_each_row(name: str, player: int) -> None:
    position = tablezoo.Position(tablezoo.game(name), tablezoo.game(name).start_row, player)
    rows: dict[float, list[tuple[float, int]]] = {}
    for number in numbers_beside(position):
        rows.setdefault(number.y, []).append((number.x, int(number.text)))
    expected = {}
    for y, row in rows.items():
        right = min(row)[1] > max(row)[1]  # numbers fall to the right, and so does the player to act go
        expected |= {(y, (LIGHT, DARK)[player]): right, (y, (DARK, LIGHT)[player]): right == (position.game.options["movement"] != "contrary")}
    arrows = [shape for shape in scene(position).shapes if isinstance(shape, Polygon) and len(shape.corners) == 7]
    drawn = {}
    for arrow in arrows:
        xs = [x for x, _ in arrow.corners]
        drawn[min(rows, key=lambda y: abs(y - middle_of(arrow)[1])), arrow.fill] = xs.count(max(xs)) == 1  # its tip
    assert drawn == expected
    assert len(arrows) == len(drawn) == (2 if position.game.spec.points == 6 else 4)


@pytest.mark.parametrize("player", [0, 1])
@pytest.mark.parametrize("name", TRACKS)
def test_text_tells_the_ways_where_they_are_not_backgammons_and_names_the_bar_where_there_is_one(name: str, player: int) -> None:
    position = tablezoo.Position(tablezoo.game(name), tablezoo.game(name).start_row, player)
    options, (mine, his) = position.game.options, ("xo", "ox")[player]
    ways = [line for line in str(position).splitlines() if " moves " in line]
    hits = options["blot"] == "hit" and options["hit_to"] == "bar"
    if options["movement"] != "contrary":
        assert ways == [f"{mine} moves 24 > 1, {his} the same way round from {12 if options['movement'] == 'parallel' else 24}"]
    else:
        assert ways == ([] if hits else [f"{mine} moves {position.game.spec.points} > 1, {his} the opposite way from 1"])
    assert ("|bar|" in str(position)) == hits


@pytest.mark.parametrize("player", [0, 1])
@pytest.mark.parametrize("name", TRACKS)
def test_heads_are_marked_where_all_checkers_begin_on_them(name: str, player: int) -> None:
    position = tablezoo.Position(tablezoo.game(name), tablezoo.game(name).start_row, player)
    begin = [list(free) for free in stated(position)[:2]]
    marks = [shape for shape in scene(position).shapes if isinstance(shape, Disc) and shape.radius == 11]
    marked = {mark.fill: int(number.text) for mark in marks for number in numbers_beside(position) if (number.x, number.y) == (mark.x, mark.y)}
    assert marked == ({LIGHT: begin[0][0], DARK: begin[1][0]} if len(begin[0]) == 1 else {})
    assert len(marks) == len(marked)


@pytest.mark.parametrize("name", TRACKS)
def test_checkers_off_lie_where_their_owners_way_ends_and_those_in_hand_on_the_other_side(name: str) -> None:
    hands = 0
    for position in either_to_act(tablezoo.game(name), 220):
        picture = scene(position)
        columns = {int(number.text): number.x for number in numbers_beside(position)}
        centre = (min(columns.values()) + max(columns.values())) / 2
        for player, colour in enumerate((LIGHT, DARK)):
            words = [shape for shape in picture.shapes if isinstance(shape, Words) and (shape.y > picture.height / 2) == (player == 0)]
            (off,) = [shape for shape in words if shape.text.endswith(" off")]
            slabs = [round(shape.x + 24) for shape in picture.shapes if isinstance(shape, Box) and (shape.width, shape.fill) == (48, colour)]
            assert slabs == [round(off.x)] * counter(position, "off", player)
            assert off.text == f"{len(slabs)} off"
            if player == position.player:
                assert (off.x > centre) == (columns[1] > centre)
            for hand in [shape for shape in words if shape.text.endswith(" in hand")]:
                held = counter(position, "hand", player)
                drawn = [shape.x for shape in picture.shapes if isinstance(shape, Disc) and (shape.radius, shape.fill) == (19, colour) and shape.x == hand.x]
                assert len(drawn) == min(held, 5)
                assert [shape.text for shape in words if (shape.x, shape.size) == (hand.x, 19)] == [str(held)] * (held > 5)
                assert hand.text == f"{held} in hand"
                assert (hand.x > centre) != (off.x > centre)
                assert f"player {player}: hand {held}, off {len(slabs)}, pips" in str(position)
                hands += held
    assert (hands > 10) == (tablezoo.game(name).spec.hand > 0)


STAGES = [
    ("acey-deucey-american", "| (hand=15 ohand=15 dice=31)", "to play 3 1"),
    ("acey-deucey-american", "| (hand=15 ohand=15 dice=21)", "to play 2 1, then to choose a double"),
    ("acey-deucey-american", "23:1 | (hand=14 ohand=15 dice=1 stage=choose)", "to play 1, then to choose a double"),
    ("acey-deucey-american", "24:1 23:1 | (hand=13 ohand=15 stage=choose)", "to choose a double"),
    ("acey-deucey-american", "24:1 23:1 | (hand=13 ohand=15 dice=66 stage=throw)", "to play 6 6 6 6, then to roll again"),
    ("acey-deucey-european", "24:1 23:1 | (hand=13 ohand=15 dice=6x3)", "to play 6 6 6, then more"),
    ("acey-deucey-european", "24:1 23:1 | (hand=13 ohand=15 dice=6x3 stage=throw)", "to play 6 6 6, then to roll again"),
    ("russian", "| (hand=15 ohand=15 dice=66)", "to play 6 6 6 6, then more"),
    ("tabula", "| (hand=15 ohand=15 dice=641)", "to play 6 4 1"),
    ("gul-bara", "24:15 | 12:15 (dice=55)", "to play 5 5 5 5"),
    ("gul-bara", "24:15 | 12:15 (dice=55 turns=3 oturns=3)", "to play 5 5 5 5, then more"),
    ("gul-bara", "24:15 | 12:15 (dice=66 turns=3 oturns=3)", "to play 6 6 6 6"),
    ("gioul", "24:14 18:1 | 1:15 (dice=6x2 gift=1)", "to play 6 6 left by the opponent"),
    ("gioul", "24:14 18:1 | 1:15 (dice=55 gift=1 stage=more)", "to play 5 5 5 5 left by the opponent, then more"),
]
"""What a player with his numbers has to do, and what follows if he can."""


@pytest.mark.parametrize(("name", "text", "todo"), STAGES)
def test_a_stage_is_told_with_what_follows_it(name: str, text: str, todo: str) -> None:
    game = tablezoo.game(name)
    for position in (game.position(text), as_player_1(game.position(text))):
        assert todo in [words["text"] for words in elements(position, "text")]
        (line,) = [line for line in str(position).splitlines() if f"player {position.player}:" in line]
        assert line.endswith(f"  {todo}")


SAME_WAY_TEXT = """\
russian
+-13-14-15-16-17-18-+---+-19-20-21-22-23-24-+  x  player 0: hand 2, off 0, pips 214
|  x     o          |   |        o          |
|        o          |   |        o          |
|                   | o |        o          |
|                   | o |        o          |
|                   | o |        6          |
|                   |bar|                   |
| 10                | x |                   |
|  x                |   |                   |
|  x                |   |                   |
|  x                |   |                   |
|  x                |   |  x                |
+-12-11-10--9--8--7-+---+--6--5--4--3--2--1-+  o  player 1: hand 4, off 0, pips 331  to play 3 3, then more
o moves 24 > 1, x the same way round from 24"""


def test_text_of_players_who_enter_in_the_same_corner() -> None:
    """Pips: 7 x 25 + 6 x 21 + 2 x 15 against 3 x 25 + 13 + 10 x 12 + 6."""
    game = tablezoo.game("russian")
    position = game.position("21:6 15:2 | 13:1 12:10 6:1 (bar=3 hand=4 obar=1 ohand=2 dice=3x2 stage=more+throw)")
    assert str(as_player_1(position)) == SAME_WAY_TEXT


@pytest.mark.parametrize("player", [0, 1])
def test_a_board_of_six_points_is_drawn_as_six_points_and_its_die_as_one(player: int) -> None:
    position = tablezoo.Position(NANNON, NANNON.position("6:1 1:1 | 4:1 (off=1 ohand=1 ooff=1 dice=5)").row, player)
    points = [shape for shape in scene(position).shapes if isinstance(shape, Polygon) and shape.fill in look.POINTS]
    assert len(points) == 6
    (right, left) = (max, min) if player == 0 else (min, max)
    numbers = {number.text: number.x for number in numbers_beside(position)}
    assert set(numbers) == set("123456")
    assert numbers["1"] == right(numbers.values()), "each bears off to his right hand"
    assert numbers["6"] == left(numbers.values())
    dice = [shape.fill for shape in scene(position).shapes if isinstance(shape, Box) and shape.width == 36]
    assert dice == [(LIGHT, DARK)[player]]


@pytest.mark.parametrize("game", [NANNON, tablezoo.game("nannon", protect="none", stack_limit="0")], ids=["nannon", "stacks"])
def test_six_points_are_as_high_in_text_as_their_stacks_can_be(game: tablezoo.Game) -> None:
    levels = [line for line in str(game.start()).splitlines() if line.startswith("|")]
    assert len(levels) == (1 if game == NANNON else 5)


@pytest.mark.parametrize("player", [0, 1])
def test_a_pinned_mother_loses_and_two_pinned_mothers_draw(player: int) -> None:
    lost = str(tablezoo.Position(PLAKOTO, PLAKOTO.position("24:1* 6:14 | 24:14 23:1").row, player))
    assert f"player {1 - player}: off 0, pips 16  wins 2 points" in lost
    drawn = tablezoo.Position(PLAKOTO, PLAKOTO.position("24:1* 6:13 1:1 | 24:13 23:1 1:1*").row, player)
    assert drawn.outcome == 0
    assert str(drawn).count("draws") == 2
    assert [shape.text for shape in scene(drawn).shapes if isinstance(shape, Words)].count("draws") == 2
    assert pictured(drawn)[2] == {(player, 24), (1 - player, 1)}


# Ofanfelling

OFANFELLING = tablezoo.game("ofanfelling")
FALLING = "6:2 5:1d1 4:1d1 3:2 2:2 1:2 | 6:1 1:8 (ooff=3 dice=31 phase=1)"
FALLING_TEXT = """\
ofanfelling
+--6---5---4---3---2---1---+  o  player 1: off 3, phase 3: off
|  o                   o   |
|                      o   |
|                      o   |
|                      o   |
|                      8   |
|                          |
|                          |
|                          |
|     _x_ _x_              |
|  x           x   x   x   |
|  x   x   x   x   x   x   |
+--6---5---4---3---2---1---+  x  player 0: off 0, phase 1: down  to play 3 1"""


FALLING_FOR_PLAYER_1 = """\
ofanfelling
+--6---5---4---3---2---1---+  o  player 1: off 0, phase 1: down  to play 3 1
|  o   o   o   o   o   o   |
|  o           o   o   o   |
|     _o_ _o_              |
|                          |
|                          |
|                          |
|                      8   |
|                      x   |
|                      x   |
|                      x   |
|  x                   x   |
+--6---5---4---3---2---1---+  x  player 0: off 3, phase 3: off"""


@pytest.mark.parametrize("player", [0, 1])
def test_text_shows_who_lies_and_who_stands_with_player_0_at_the_bottom(player: int) -> None:
    position = tablezoo.Position(OFANFELLING, OFANFELLING.position(FALLING).row, player)
    assert str(position) == (FALLING_TEXT, FALLING_FOR_PLAYER_1)[player]


def men(position: tablezoo.Position) -> tuple[dict[str, int], dict[str, int]]:
    """Men of both players by point as the picture shows them, those who lie as `6d`."""
    found: tuple[Counter[str], Counter[str]] = (Counter(), Counter())
    numbers = [text for text in elements(position, "text") if text["font-size"] == "14" and text["text"].isdigit()]

    def point(x: float, y: float) -> tuple[int, str]:
        """Whose point it is, and its number."""
        nearest = min(numbers, key=lambda text: abs(float(text["x"]) - x) + abs(float(text["y"]) - y))
        assert abs(float(nearest["x"]) - x) < 1
        return int(float(nearest["y"]) < 300), nearest["text"]

    for disc in elements(position, "circle"):
        if disc["r"] == "19":
            player, number = point(float(disc["cx"]), float(disc["cy"]))
            assert disc["fill"] == (LIGHT, DARK)[player]
            found[player][number] += 1
    for slab in elements(position, "rect"):
        if slab["width"] == "58" and slab["fill"] in (LIGHT, DARK):
            player, number = point(float(slab["x"]) + 29, float(slab["y"]) + 9)
            assert slab["fill"] == (LIGHT, DARK)[player]
            found[player][f"{number}d"] += 1
    for label in elements(position, "text"):
        if label["font-size"] == "19":
            player, number = point(float(label["x"]), float(label["y"]))
            found[player][number] += int(label["text"]) - 5
    return dict(found[0]), dict(found[1])


def test_svg_shows_every_man_on_his_owners_side() -> None:
    lying = 0
    for position in [*walk(OFANFELLING, 150), OFANFELLING.position(FALLING), as_player_1(OFANFELLING.position(FALLING))]:
        assert men(position) == said(position)[0], position.text
        lying += "d1" in position.text
        borne_off = Counter(slab["fill"] for slab in elements(position, "rect") if slab["width"] == "48")
        labels = [text["text"] for text in elements(position, "text")]
        for player in (0, 1):
            off = counter(position, "off", player)
            assert borne_off[(LIGHT, DARK)[player]] == off
            assert f"{off} off" in labels
            phase = {1: "phase 1: down", 2: "phase 2: up", 3: "phase 3: off"}[counter(position, "phase", player, 3)]
            assert f"player {player} ({'xo'[player]}), {phase}" in labels
    assert lying > 30


def test_svg_numbers_both_players_points_towards_the_tray() -> None:
    numbers = [text for text in elements(OFANFELLING.start(), "text") if text["text"] in {*"123456"}]
    for side in (True, False):
        row = sorted((float(text["x"]), text["text"]) for text in numbers if (float(text["y"]) > 300) == side)
        assert [number for _, number in row] == [*"654321"]


def test_svg_shows_all_four_numbers_of_a_doublet() -> None:
    position = OFANFELLING.position("6:1 1:9 | 6:2 5:2 4:2 3:2 2:2 1:2 (off=2 dice=5x4)")
    assert [circle["fill"] for circle in elements(position, "circle") if circle["r"] == "3.4"] == [DARK] * 20


@pytest.mark.parametrize(("text", "player"), [("| 1:3 (off=12 ooff=9)", 0), ("1:3 | (off=9 ooff=12)", 1)])
def test_the_winner_is_named_whoever_would_act(text: str, player: int) -> None:
    drawing = str(OFANFELLING.position(text))
    assert f"player {player}: off 12, phase 3: off  wins 1 point" in drawing
    assert drawing.count("wins") == 1


def test_a_second_player_with_a_last_turn_may_draw_or_lose() -> None:
    ends = [node for seed in range(12) for node in walk(tablezoo.game("ofanfelling", equal_turns=True), 150, seed) if node.node == "over"]
    drawn = [node for node in ends if node.outcome == 0]
    assert 0 < len(drawn) < len(ends)
    for node in ends:
        lines = [line for line in str(node).splitlines() if "player" in line]
        off = {player: counter(node, "off", player) for player in (1, 0)}
        assert [("wins" in line, "draws" in line) for line in lines] == [(off[p] > off[1 - p], off[0] == off[1]) for p in (1, 0)]


# Widdershins

WIDDERSHINS = tablezoo.game("widdershins")
BOARDS = ("W37-bars", "W37-alternating", "W45-alternating", "W33", "W29", "W21", "W41-bars")
CROSSES = [tablezoo.game("widdershins", board=board, numbers=numbers) for board, numbers in zip(BOARDS, ("23456", "23546", *["65432"] * 5), strict=True)]
SMALL = "N1:1 N3:2 C:1 EN2:1 | W3:2 WS1:1 N2:2 (captured=1 victory=4 ovictory=2 side=x dice=31 uses=1 pending=1 credits=1)"
SMALL_TEXT = """\
widdershins
o  player 1: captured 0, victory 2 of 5

                        N3=1
                        )xx(
                          |
                        N2=2
                 NW1  < [oo]  <  EN2
                )  (      |     (x ) <
           NW2           N1            EN1
          )  (          (x )          (  )
           v              |              ^
W3=1    W2=3     W1      C=6     E1     E2=5    E3=1
(oo)----[  ]----)  (----[x ]----)  (----[  ]----(  )
           v              |              ^
           WS1           S1            SE2
          (o ) >        (  )          )  (
                 WS2      |      SE1
                (  )  > S2=4  > )  (
                        [  ]
                          |
                        S3=1
                        )  (

x  player 0: captured 1, victory 4 of 5  to play 3 1, 1 used, 1 credit, 1 reroll
)  ( rune of x   (  ) rune of o   [  ] no rune
=n  door for n, an end only with one's own rune
the circle goes one way: N to W to S to E"""


def test_text_resembles_the_cross() -> None:
    assert str(tablezoo.game("widdershins", board="W21").position(SMALL)) == SMALL_TEXT


def sides_of(position: tablezoo.Position) -> str:
    """Sides of player 0 and of player 1, "xo" or "ox"."""
    side = said(position)[1]["side"]
    return "xo" if (side == "x") == (position.player == 0) else "ox"


def spaces_in_text(drawing: str) -> dict[str, tuple[str, str, str]]:
    """Number, brackets and pieces of each space of a drawn cross."""
    lines = drawing.splitlines()
    found = {}
    for line, below in pairwise(lines):
        for name in re.finditer(r"\b((?:NW|WS|SE|EN|[NWSE])\d|C)(?:=(\d))?", line):
            cell = next((cell for cell in re.finditer(r"([)(\[])([xo ]{2})([()\]])", below) if cell.start() - 1 <= name.start() < cell.end()), None)
            if cell:
                assert name[1] not in found
                found[name[1]] = (name[2] or "", cell[1] + cell[3], cell[2].strip())
    return found


@pytest.mark.parametrize("game", CROSSES, ids=BOARDS)
def test_text_shows_every_space_with_its_rune_number_and_pieces(game: tablezoo.Game) -> None:
    board, numbers = game.board, str(game.options["numbers"])
    crossings = dict(zip(board.crossings, numbers, strict=True))
    for position in walk(game, 60)[::3]:
        drawing = str(position)
        assert max(map(len, drawing.splitlines())) <= 110
        pieces = {space: side * n for side, own in zip(sides_of(position), said(position)[0], strict=True) for space, n in own.items()}
        brackets = {"x": ")(", "o": "()"}
        last = max(board.places, key=lambda space: board.places[space][0])[1:]  # the number of the ends
        ends = {f"{arm}{last}" for arm in "NWSE"}
        expected = {
            space: ("1" if space in ends else crossings.get(space, ""), brackets.get(board.runes.get(space, ""), "[]"), pieces.get(space, ""))
            for space in board.spaces
        }
        assert spaces_in_text(drawing) == expected, drawing
        for player in (0, 1):
            boxed = f"captured {counter(position, 'captured', player)}, victory {counter(position, 'victory', player)} of 5"
            assert f"{sides_of(position)[player]}  player {player}: {boxed}" in drawing


TILE, MAN, RUNE, BADGE = "26", "12.5", "6", "10"
"""Radii of spaces, pieces on them, the runes that are rings, and the numbers of doors."""


def spots(position: tablezoo.Position) -> dict[str, complex]:
    """Where the picture has each space, as x + iy."""
    names = {text["text"]: complex(float(text["x"]), float(text["y"])) for text in elements(position, "text") if text["text"] in position.game.board.spaces}
    tiles = [complex(float(tile["cx"]), float(tile["cy"])) for tile in elements(position, "circle") if tile["r"] == TILE]
    return {name: min(tiles, key=lambda tile: abs(tile - at)) for name, at in names.items()}


@pytest.mark.parametrize("game", CROSSES, ids=BOARDS)
def test_svg_shows_every_piece_on_its_space_and_in_its_box(game: tablezoo.Game) -> None:
    for position in walk(game, 80)[::2]:
        where = spots(position)
        assert set(where) == set(game.board.spaces)
        assert len(set(where.values())) == len(where)
        drawn: tuple[Counter[str], Counter[str]] = (Counter(), Counter())
        for disc in elements(position, "circle"):
            if disc["r"] == MAN:
                at = complex(float(disc["cx"]), float(disc["cy"]))
                space = min(where, key=lambda name: abs(where[name] - at))
                assert abs(where[space] - at) <= float(TILE) - float(MAN), "whole inside its space"
                drawn[(LIGHT, DARK).index(disc["fill"])][space] += 1
        assert drawn == said(position)[0], position.text
        words = {(text["text"], float(text["y"]) > float(where["C"].imag)) for text in elements(position, "text")}
        boxed = Counter((disc["r"], disc["fill"]) for disc in elements(position, "circle"))
        for player, colour in enumerate((LIGHT, DARK)):
            captured, victory = counter(position, "captured", player), counter(position, "victory", player)
            assert {(f"captured {captured}", player == 0), (f"victory {victory} of 5", player == 0)} <= words, "player 0's boxes are below"
            assert (boxed["10.5", colour], boxed["11.5", colour]) == (captured, victory)


@pytest.mark.parametrize("player", [0, 1], ids=["player 0 is x", "player 1 is x"])
@pytest.mark.parametrize("game", CROSSES, ids=BOARDS)
def test_svg_shows_runes_in_their_owners_colours_and_the_numbers_of_doors(game: tablezoo.Game, player: int) -> None:
    position, board = tablezoo.Position(game, game.start_row, player), game.board
    where, owners = spots(position), {"x": (LIGHT, DARK)[player], "o": (DARK, LIGHT)[player]}

    def nearest(x: float, y: float) -> str:
        return min(where, key=lambda name: abs(where[name] - complex(x, y)))

    rings = [(nearest(float(ring["cx"]), float(ring["cy"])), ring["fill"]) for ring in elements(position, "circle") if ring["r"] == RUNE]
    strokes = []
    for polygon in elements(position, "polygon"):
        corners = [complex(*map(float, corner.split(","))) for corner in polygon["points"].split()]
        if polygon["fill"] in (LIGHT, DARK):
            middle = sum(corners) / len(corners)
            strokes.append((nearest(middle.real, middle.imag), polygon["fill"]))
    assert sorted(rings) == sorted((space, owners["o"]) for space, rune in board.runes.items() if rune == "o")
    assert sorted(strokes) == sorted((space, owners["x"]) for space, rune in board.runes.items() if rune == "x" for _ in range(2))
    numbers = {nearest(float(text["x"]), float(text["y"])): text["text"] for text in elements(position, "text") if re.fullmatch("[1-6]", text["text"])}
    ends = {space: "1" for space in board.spaces if len(board.leaving[space]) == 1 and len(space) == 2}
    assert numbers == {**ends, **dict(zip(board.crossings, str(game.options["numbers"]), strict=True))}
    assert len(ends) == 4


@pytest.mark.parametrize("game", CROSSES, ids=BOARDS)
def test_svg_arrowheads_point_counter_clockwise(game: tablezoo.Game) -> None:
    position = game.start()
    centre = spots(position)["C"]
    arrows = 0
    for polygon in elements(position, "polygon"):
        if polygon["fill"] == "#33291f":
            tip, *tail = (complex(*map(float, corner.split(","))) - centre for corner in polygon["points"].split())
            assert (tip * (sum(tail) / len(tail)).conjugate()).imag < 0, "y points downwards"
            arrows += 1
    assert arrows == sum(game.board.one_way(*edge) for edge in game.board.edges)


CROWDS = (
    "N1:1 | (captured=12 victory=3 ocaptured=16 side=o dice=3 uses=3 pending=2 credits=3)",
    "C:1 | N1:1 (captured=11 victory=4 ocaptured=12 ovictory=3 dice=66 uses=1 pending=1 credits=1 enter=1)",
    "N1:1 | W1:1 (dice=6 stage=reroll uses=2 pending=1 credits=2)",
)


def crowded_pictures() -> list[tuple[tablezoo.Position, list[Shape], Picture]]:
    """Shapes of crowded positions of every game and of both players."""
    positions = [cross.position(text) for cross in CROSSES for text in CROWDS]
    positions += [cross.start() for cross in CROSSES]
    positions += [OFANFELLING.position(FALLING), BACKGAMMON.position(CROWDED)]
    positions += [tablezoo.game(name).position(text) for name, text, _ in STAGES]
    positions += [node for name in TRACKS for node in walk(tablezoo.game(name), 30)[::5]]
    return [(seen, list(scene(seen).shapes), scene(seen)) for position in positions for seen in (position, as_player_1(position))]


def extent(words: Words) -> tuple[float, float, float, float]:
    """Left, top, right and bottom of a line of text."""
    width = ImageFont.load_default(words.size).getlength(words.text)
    left = words.x - width * {"start": 0, "middle": 0.5, "end": 1}[words.align]
    return left, words.y - words.size / 2.6, left + width, words.y + words.size / 2.6


def test_no_words_overlap_or_leave_the_paper() -> None:
    for position, shapes, picture in crowded_pictures():
        lines = [(*extent(shape), shape.text) for shape in shapes if isinstance(shape, Words) and shape.text]
        for left, top, right, bottom, text in lines:
            assert 0 <= left < right <= picture.width, (position, text)
            assert 0 <= top < bottom <= picture.height, (position, text)
        for (a, b, c, d, one), (e, f, g, h, other) in combinations(lines, 2):
            assert a >= g or e >= c or b >= h or f >= d, (position, one, other)


def test_spaces_numbers_runes_names_and_dice_do_not_overlap() -> None:
    for position, shapes, _ in crowded_pictures():
        if position.game.spec.kind != "cross":
            continue
        discs = [shape for shape in shapes if isinstance(shape, Disc)]
        tiles, badges = ([disc for disc in discs if f"{disc.radius:g}" == radius] for radius in (TILE, BADGE))
        runes, pieces = ([disc for disc in discs if f"{disc.radius:g}" == radius] for radius in (RUNE, MAN))
        dice = [shape for shape in shapes if isinstance(shape, Box) and shape.width == 36]
        assert (len(dice), len(badges)) == (len(position.numbers), 9)
        for one, other in combinations(tiles, 2):
            assert apart(one, other) > 9, "room for an arrowhead"
        for badge in badges:
            assert sum(apart(badge, tile) < 0 for tile in tiles) == 1, "at its own space"
        assert all(apart(piece, rune) >= 0 for piece in pieces for rune in runes)
        names = [extent(shape) for shape in shapes if isinstance(shape, Words) and shape.text in position.game.board.spaces]
        assert all(outside(disc, name) for disc in [*pieces, *badges] for name in names)
        assert all(outside(disc, (die.x, die.y, die.x + die.width, die.y + die.height)) for disc in [*tiles, *badges] for die in dice)


def apart(one: Disc, other: Disc) -> float:
    """Room between two discs."""
    return math.hypot(one.x - other.x, one.y - other.y) - one.radius - other.radius


def outside(disc: Disc, box: tuple[float, float, float, float]) -> bool:
    """Whether a disc leaves a box free."""
    left, top, right, bottom = box
    return math.hypot(max(left - disc.x, 0, disc.x - right), max(top - disc.y, 0, disc.y - bottom)) >= disc.radius


@pytest.mark.parametrize(
    ("text", "todo"),
    [
        ("N1:1 | W1:1 (dice=31)", "to play 3 1"),
        ("N1:1 | W1:1 (captured=1 dice=62)", "to play 6 2, must enter"),
        ("N1:1 | W1:1 (captured=1 dice=6 uses=1 enter=0 credits=2)", "to play 6, 1 used, 2 credits"),
        ("N1:1 | W1:1 (dice=6 uses=1 pending=1)", "to play 6, 1 used, 1 reroll"),
        ("N1:1 | W1:1 (uses=2 pending=2)", "to reroll or end, 2 used, 2 rerolls"),
        ("N1:1 | W1:1 (uses=2 stage=reroll credits=1)", "to reroll, 2 used, 1 credit"),
        ("N1:1 | W1:1 (dice=4 uses=1 stage=reroll)", "to reroll, 4 stays, 1 used"),
        ("N1:1 | W1:1 (first=1)", "to roll"),
    ],
)
def test_a_turn_on_the_cross_is_told(text: str, todo: str) -> None:
    for position in (WIDDERSHINS.position(text), as_player_1(WIDDERSHINS.position(text))):
        assert todo in [words["text"] for words in elements(position, "text")]
        (line,) = [line for line in str(position).splitlines() if f"player {position.player}:" in line]
        assert line.endswith(f"  {todo}")


@pytest.mark.parametrize(
    ("credits", "text", "todo"),
    [
        ("unlimited", "N1:1 | W1:1 (dice=6 uses=1 credits=1)", "to play 6, 1 used, may score"),
        ("one_per_turn", "N1:1 | W1:1 (victory=1 dice=6 uses=1 credits=-1)", "to play 6, 1 used, score made"),
    ],
)
def test_credits_are_told_as_the_option_counts_them(credits: str, text: str, todo: str) -> None:
    position = tablezoo.game("widdershins", credits=credits).position(text)
    assert str(position).splitlines()[-4].endswith(f"  {todo}")


@pytest.mark.parametrize(("text", "player"), [("N1:1 | (victory=5)", 0), ("| N1:1 (ovictory=5)", 1)])
def test_five_in_the_victory_box_win(text: str, player: int) -> None:
    position = WIDDERSHINS.position(text)
    drawing = str(position)
    assert f"player {player}: captured 0, victory 5 of 5  wins 1 point" in drawing
    assert drawing.count("wins") == 1
    (wins,) = [float(words["y"]) for words in elements(position, "text") if words["text"] == "wins 1 point"]
    assert (wins > 300) == (player == 0)


def test_the_cross_does_not_flip_when_the_turn_passes() -> None:
    position = WIDDERSHINS.position("N1:2 NW2:1 | W1:1 C:2 (dice=6 uses=1)")
    after = position.play("NW2-WS3").after
    assert after.player == 1

    def drawn(node: tablezoo.Position) -> set[tuple[str, str, str]]:
        return {(disc["fill"], disc["cx"], disc["cy"]) for disc in elements(node, "circle") if disc["r"] == MAN}

    assert len(drawn(position) & drawn(after)) == len(drawn(position)) - 1 == len(drawn(after)) - 1
