"""How the unstacking games are written: `6:2 5:1d1 | 6:2 5:2 (phase=1 ophase=2)`, plays like `down 6 down 2` or `up 5 6/off`.

Each side stands in its own numbering; `dk` counts the men who lie on a point.
"""

import re
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from tablezoo.kernel.board import BAR, OFF, TURN
from tablezoo.kernel.unstack import DOWN, LYING, STARTER, UP
from tablezoo.notation import play as play_text
from tablezoo.notation.text import numbers_text, parse_counters, parse_numbers, parse_parts
from tablezoo.notation.wording import Wording, ways
from tablezoo.rows import numbers_left, places_of, results_of, row_of, turn_word

if TYPE_CHECKING:
    from tablezoo.position import Game, Position

Row = NDArray[np.uint64]
Side = tuple[list[int], int]
"""Counts at bits 0 to 31 of an own side, and the phase."""

POINTS = range(6, 0, -1)
HEIGHT = 2
"""Men on a point before the bear-off."""
COUNTERS = {
    "off": r"\d{1,2}", "ooff": r"\d{1,2}", "dice": r".*", "phase": r"[123]", "ophase": r"[123]", "starter": r"[01]",
}  # fmt: skip
WORDS = {DOWN: "down", UP: "up"}


def start(game: "Game", roll_off: bool = True) -> Row:
    """See `kinds.Notation`."""
    side = [0] * 32
    for point, n in game.spec.start:
        side[point] = n
    side[BAR] = 2
    return row_of([*side, *side[::-1]], int(STARTER) if game.options["equal_turns"] else 0)


def counts(row: Row) -> tuple[list[int], list[int]]:
    """Counts at bits 0 to 31 of both sides, each as its owner sees them (`tablezoo.kernel.unstack`)."""
    places = places_of(row)
    return places[:32], places[:31:-1]


def read(game: "Game", position: str) -> Row:
    """See `kinds.Notation`."""
    own_text, opponent_text, tail = parse_parts(position)
    counters = parse_counters(tail, COUNTERS)
    own, opponent = _read_side(game, own_text, "", counters), _read_side(game, opponent_text, "o", counters)
    if own[OFF] == opponent[OFF] == game.checkers and not game.options["equal_turns"]:
        raise ValueError("both sides have borne off all men")
    word = turn_word(parse_numbers(counters["dice"])) if "dice" in counters else 0
    if "starter" in counters and not game.options["equal_turns"]:
        raise ValueError(f"starter={counters['starter']}: only in a game with equal_turns=True")
    row = row_of([*own, *opponent[::-1]], word | int(STARTER) * int(counters.get("starter", "0")))
    if "dice" in counters and game.checkers in (own[OFF], opponent[OFF]) and not game.options["equal_turns"]:
        raise ValueError("the game is over: dice has no meaning")
    return row


def _read_side(game: "Game", text: str, prefix: str, counters: dict[str, str]) -> list[int]:
    owner = "the opponent" if prefix else "the player to act"
    side = [0] * 32
    for token in text.split():
        match = re.fullmatch(r"([1-9]\d?):(\d{1,2})(?:d(\d))?", token)
        if not match:
            raise ValueError(f"cannot read {token!r}: expected point:men, like 6:2, or 6:1d1 where one lies")
        point, up, lying = int(match[1]), int(match[2]), int(match[3] or 0)
        if point > 6:
            raise ValueError(f"{token}: there is no point {point}; points are 1 to 6")
        if side[point] or side[LYING + point]:
            raise ValueError(f"{token}: point {point} of {owner} is given twice")
        if up > game.checkers or lying > 1:
            raise ValueError(f"{token}: at most {game.checkers} men stand and 1 lies on a point")
        side[point], side[LYING + point] = up, lying
    total, lying = sum(side[1:7]) + sum(side[LYING + 1 :]), sum(side[LYING + 1 :])
    phase = int(counters.get(prefix + "phase", 3))
    off = int(counters.get(prefix + "off", game.checkers - total))
    if total + off != game.checkers or off < 0:
        raise ValueError(f"{owner} has {total} men on the points and {max(off, 0)} off: {game.checkers} in all are needed")
    if phase == 3 and lying:
        raise ValueError(f"{owner} has men who lie: name {prefix}phase=1 or {prefix}phase=2")
    if phase < 3 and any(side[p] + side[LYING + p] != HEIGHT or side[p] > HEIGHT for p in POINTS):
        raise ValueError(f"{prefix}phase={phase}: before the bear-off {owner} has two men on every point, one of whom may lie")
    if (phase, lying) in ((1, 6), (2, 0)):
        raise ValueError(f"{prefix}phase={phase}: with {lying} men lying, phase {phase + 1} has begun")
    side[OFF], side[BAR] = off, 3 - phase
    return side


def write(game: "Game", row: Row) -> str:
    """See `kinds.Notation`."""
    own, opponent = counts(row)
    numbers = numbers_left(int(row[TURN]))
    counters = [f"{name}={side[OFF]}" for name, side in (("off", own), ("ooff", opponent)) if side[OFF]]
    counters += [f"dice={numbers_text(numbers)}"] * bool(numbers)
    counters += [f"{name}={3 - side[BAR]}" for name, side in (("phase", own), ("ophase", opponent)) if side[BAR]]
    counters += ["starter=1"] * bool(row[TURN] & STARTER)
    text = f"{_side_text(own)} | {_side_text(opponent)}".strip()
    return f"{text} ({' '.join(counters)})" if counters else text


def _side_text(side: list[int]) -> str:
    return " ".join(f"{p}:{side[p]}" + (f"d{side[LYING + p]}" if side[LYING + p] else "") for p in POINTS if side[p] or side[LYING + p])


def pips(game: "Game", row: Row) -> tuple[int, int]:
    """See `kinds.Notation`: of all men on the points, whether they stand or lie."""
    own, opponent = (sum(p * (side[p] + side[LYING + p]) for p in POINTS) for side in counts(row))
    return own, opponent


def has_won(game: "Game", row: Row) -> bool:
    """See `kinds.Notation`."""
    return not game.options["equal_turns"] and counts(row)[0][OFF] == game.checkers


def wordings(node: "Position") -> list[Wording]:
    """See `kinds.Notation`."""
    found = ways(node)
    said = []
    for row in results_of(node.game.rules, node.row)[0]:
        hops = frozenset(found.get(row[:TURN].tobytes(), {()}))
        chosen = max(hops)
        said.append(Wording(_play_text(chosen), len(chosen), hops))
    return said


def _play_text(hops: play_text.Hops) -> str:
    laps = sorted((hop for hop in hops if hop[0] in WORDS), key=lambda hop: (-hop[0], hop[1]))
    turned = [f"{WORDS[source]} {source - target}" for source, target in laps]
    moved = play_text.write(tuple(hop for hop in hops if hop[0] not in WORDS), ())
    return " ".join([*turned, *([moved] if moved != play_text.PASS or not turned else [])])


def find(node: "Position", play: str, said: list[Wording]) -> int | None:
    """See `kinds.Notation`."""
    words = re.sub(r"\b(down|up)\s+", r"\1_", play.strip().lower()).split()
    named = [word for word in words if "_" in word]
    laps = []
    for word in named:
        verb, _, which = word.partition("_")
        if not re.fullmatch(r"[1-6]", which):
            raise ValueError(f"cannot read '{verb} {which}' in play {play!r}: expected a point from 1 to 6")
        source = DOWN if verb == "down" else UP
        laps.append((source, source - int(which)))
    rest = " ".join(word for word in words if "_" not in word)
    fitting = [
        (index, frozenset(tuple(hop for hop in way if hop[0] not in WORDS) for way in wording.ways))
        for index, wording in enumerate(said)
        if any(sorted(laps) == sorted(hop for hop in way if hop[0] in WORDS) for way in wording.ways)
    ]
    if not rest and laps:
        return next((index for index, others in fitting if () in others), None)
    found = play_text.find(rest, [(others, frozenset()) for _, others in fitting], ())
    return None if found is None else fitting[found][0]
