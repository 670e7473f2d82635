"""How track games are written: position text, GNU Backgammon's position id, XGID; plays by points."""

import re
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from tablezoo.kernel.board import BAR, OFF, TURN
from tablezoo.kernel.wide import HAND, UNDER
from tablezoo.notation import gnubg, text, turn, xgid
from tablezoo.notation import play as play_text
from tablezoo.notation.wording import Wording, ways
from tablezoo.rows import SIDE, Numbers, is_choice, numbers_left, pack, places_of, results_of, row_of, unpack

if TYPE_CHECKING:
    from tablezoo.position import Game, Position

Row = NDArray[np.uint64]


def form_of(game: "Game") -> text.Form:
    """What positions of a game look like."""
    options = game.options
    to_hand, single = options["hit_to"] == "hand", options["stack_limit"] == "1"
    return text.Form(
        checkers=game.checkers,
        points=game.spec.points,
        doublet=2 if options["doubles"] == "once" else 4,
        dice=game.spec.dice,
        stack=1 if single and all(n == 1 for _, n in game.spec.start) else 99,
        bars=options["blot"] == "hit" and not to_hand,
        hands=to_hand or game.spec.hand > 0,
        pins=options["blot"] == "pin",
    )


def start(game: "Game", roll_off: bool = True) -> Row:
    """See `kinds.Notation`."""
    own, opponent = [0] * SIDE, [0] * SIDE
    for point, n in game.spec.start:
        own[point] = n
        opponent[across(game, point)] = n
    hands = (game.spec.hand, game.spec.hand)
    return _row(text.Sides(own, opponent, hands), turn.plain_turns(game) | (turn.opening_word(game.rules) if roll_off else 0))


def across(game: "Game", point: int) -> int:
    """A point as the other player numbers it."""
    if game.options["movement"] == "parallel":
        return (point + 11) % 24 + 1
    if game.options["movement"] == "same":
        return point
    return game.spec.points + 1 - point


def _row(sides: text.Sides, word: int) -> Row:
    places = places_of(pack(sides.own, sides.opponent))
    places[HAND], places[63 - HAND] = sides.hands
    return row_of(places, word | sum(1 << int(UNDER) + point for point in sides.pinned[0]))


def sides_of(row: Row) -> text.Sides:
    """The checkers of a row."""
    places = places_of(row)
    own, opponent = unpack(row)
    under = frozenset(point for point in range(1, 25) if int(row[TURN]) >> int(UNDER) + point & 1)
    shared = frozenset(point for point in range(1, 25) if own[point] and opponent[point])
    return text.Sides(own, opponent, (places[HAND], places[63 - HAND]), (under, shared - under))


def read(game: "Game", position: str) -> Row:
    """See `kinds.Notation`: position text; of games on backgammon's board also a gnubg position id or an XGID."""
    numbers: Numbers = ()
    marks: dict[str, str] = {}
    form = form_of(game)
    if "|" in position:
        sides, numbers, marks = text.parse(position, form)
    elif game.options["movement"] != "contrary" or form.points != 24 or form.pins or form.hands:
        raise ValueError(f"cannot read position {position!r} of {game.name}: expected 'own points | opponent's points (counters)'")
    elif position.startswith("XGID=") or re.match(r"[A-Oa-o-]{26}:", position):
        counts, numbers = xgid.parse(position, game.checkers)
        sides = text.Sides(*counts)
    else:
        sides = text.Sides(*gnubg.parse(position, game.checkers))
    text.check(sides, form)
    row = _row(sides, 0)
    if game.checkers in (sides.own[OFF], sides.opponent[BAR]):
        named = [*(f"{name}={value}" for name, value in marks.items()), *(["dice"] if numbers else [])]
        if named:
            raise ValueError(f"the game is over: {named[0]} has no meaning")
    else:
        row[TURN] = turn.read(game, start(game), row, numbers, marks)
    return row


def write(game: "Game", row: Row) -> str:
    """See `kinds.Notation`."""
    sides, numbers = sides_of(row), numbers_left(int(row[TURN]))
    over = game.checkers in (sides.own[OFF], sides.opponent[BAR])
    return text.write(sides, numbers, {} if over else turn.marks(game, start(game), row, numbers), form_of(game))


def pips(game: "Game", row: Row) -> tuple[int, int]:
    """See `kinds.Notation`."""
    sides, points, beyond = sides_of(row), range(1, game.spec.points + 1), game.spec.points + 1
    own = sum(p * sides.own[p] for p in points) + beyond * (sides.own[BAR] + sides.hands[0])
    opponent = sum(across(game, p) * sides.opponent[p] for p in points) + beyond * (sides.opponent[OFF] + sides.hands[1])
    return own, opponent


def has_won(game: "Game", row: Row) -> bool:
    """See `kinds.Notation`."""
    return unpack(row)[0][OFF] == game.checkers


def wordings(node: "Position") -> list[Wording]:
    """See `kinds.Notation`."""
    if is_choice(int(node.row[TURN])):
        return [Wording(f"double {number}", 0, frozenset({()})) for number in range(1, 7)]
    found = ways(node, node.game.spec.points + 1)
    blots = blots_of(node)
    return [_wording(node.game, blots, row, frozenset(found.get(row[:TURN].tobytes(), {()}))) for row in results_of(node.game.rules, node.row)[0]]


def blots_of(node: "Position") -> set[int]:
    """Points on which a lone checker of the opponent is free to be hit or pinned."""
    sides = sides_of(node.row)
    return {p for p in range(1, 25) if sides.opponent[p] == 1 and p not in sides.pinned[1] and not sides.own[p]}


def _wording(game: "Game", blots: set[int], row: Row, hops: frozenset[play_text.Hops]) -> Wording:
    own, opponent = unpack(row)
    chosen = max(hops)
    pins = game.options["blot"] == "pin"
    hits = frozenset(p for p in blots if (own[p] if pins else not opponent[p]))
    return Wording(play_text.write(chosen, hits), len(chosen), hops, hits)


def find(node: "Position", play: str, said: list[Wording]) -> int | None:
    """See `kinds.Notation`."""
    if is_choice(int(node.row[TURN])):
        return next((index for index, wording in enumerate(said) if wording.text == " ".join(play.lower().split())), None)
    return play_text.find(play, [(wording.ways, wording.hits) for wording in said], blots_of(node))
