"""How track games are written: position text, GNU Backgammon's position id, XGID; plays by points."""

import re
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from tablezoo.kernel.board import BAR, OFF, TURN
from tablezoo.notation import gnubg, text, turn, xgid
from tablezoo.notation import play as play_text
from tablezoo.notation.wording import Wording, results, ways
from tablezoo.rows import SIDE, Numbers, numbers_left, pack, unpack

if TYPE_CHECKING:
    from tablezoo.position import Game, Position

Row = NDArray[np.uint64]


def start(game: "Game", roll_off: bool = True) -> Row:
    """See `kinds.Notation`."""
    side = [0] * SIDE
    for point, n in game.spec.start:
        side[point] = n
    row = pack(side, side[::-1])
    row[TURN] = turn.opening_word(game.rules) if roll_off else 0
    return row


def read(game: "Game", position: str) -> Row:
    """See `kinds.Notation`: position text, a gnubg position id or an XGID."""
    numbers: Numbers = ()
    marks: dict[str, str] = {}
    if "|" in position:
        sides, numbers, marks = text.parse(position, game.checkers)
    elif position.startswith("XGID=") or re.match(r"[A-Oa-o-]{26}:", position):
        sides, numbers = xgid.parse(position, game.checkers)
    else:
        sides = gnubg.parse(position, game.checkers)
    text.check(*sides, game.checkers)
    row = pack(*sides)
    if sides[0][OFF] == game.checkers or sides[1][BAR] == game.checkers:
        named = [*(f"{name}={value}" for name, value in marks.items()), *(["dice"] if numbers else [])]
        if named:
            raise ValueError(f"the game is over: {named[0]} has no meaning")
    else:
        row[TURN] = turn.read(game.rules, start(game), row, numbers, marks)
    return row


def write(game: "Game", row: Row) -> str:
    """See `kinds.Notation`."""
    sides, numbers = unpack(row), numbers_left(int(row[TURN]))
    over = game.checkers in (sides[0][OFF], sides[1][BAR])
    return text.write(sides, numbers, {} if over else turn.marks(game.rules, start(game), row, numbers))


def has_won(game: "Game", row: Row) -> bool:
    """See `kinds.Notation`."""
    return unpack(row)[0][OFF] == game.checkers


def wordings(node: "Position") -> list[Wording]:
    """See `kinds.Notation`."""
    found = ways(node)
    _, before = node.counts()
    return [_wording(before, row, frozenset(found.get(row[:TURN].tobytes(), {()}))) for row in results(node)]


def _wording(before: list[int], row: Row, hops: frozenset[play_text.Hops]) -> Wording:
    _, after = unpack(row)
    hits = frozenset(p for p in range(1, 25) if before[p] == 1 and after[p] == 0)
    chosen = max(hops)
    return Wording(play_text.write(chosen, hits), len(chosen), hops, hits)


def find(node: "Position", play: str) -> int | None:
    """See `kinds.Notation`."""
    _, opponent = node.counts()
    blots = {p for p in range(1, 25) if opponent[p] == 1}
    return play_text.find(play, [(said.ways, said.hits) for said in wordings(node)], blots)
