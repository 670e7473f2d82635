"""Position text: `24:2 13:5 8:3 6:5 | 19:5 17:3 12:5 1:2 (bar=1 dice=31)`."""

import re
from collections.abc import Mapping

from tablezoo.kernel.board import BAR, OFF
from tablezoo.rows import SIDE, Numbers

Sides = tuple[list[int], list[int]]
"""Counts of both sides as `tablezoo.rows.pack` takes them."""

COUNTERS = ("bar", "off", "obar", "ooff")
"""Counters of checkers beside the points, in the order of the text."""
MARKS = {
    "first": (r"[01]", "1 before a roll-off, 0 after it"),
    "kept": (r"[1-6](\+[1-6])*", "points that must keep a checker, like 5 or 5+4"),
    "freed": (r"1", "1 in a turn in which hitters may run"),
    "thrift": (r"[01]", "1 where no pips may be wasted in this turn, else 0"),
}
"""What else a turn word may hold: its pattern, and what it means."""


def _side(counts: list[int]) -> str:
    return " ".join(f"{p}:{counts[p]}" for p in range(24, 0, -1) if counts[p])


def numbers_text(numbers: Numbers) -> str:
    """`31`; `33` for a doublet not yet begun; `3x2` for what is left of one later on; `3` for a single number."""
    if len(numbers) > 1 and numbers[0] == numbers[-1]:
        return str(numbers[0]) * 2 if len(numbers) == 4 else f"{numbers[0]}x{len(numbers)}"
    return "".join(map(str, numbers))


def parse_numbers(text: str) -> Numbers:
    """Numbers of `numbers_text`.

    Raises:
        ValueError: not one or two numbers from 1 to 6.
    """
    match = re.fullmatch(r"([1-6])(?:([1-6])|x([1-4]))?", text)
    if not match:
        raise ValueError(f"dice={text}: expected one or two numbers from 1 to 6, or 3x2 for a number left twice")
    first, second, times = match.groups()
    if times:
        return (int(first),) * int(times)
    if second is None:
        return (int(first),)
    return (int(first),) * 4 if first == second else tuple(sorted((int(first), int(second)), reverse=True))


def write(sides: Sides, numbers: Numbers, marks: Mapping[str, str]) -> str:
    """Position text of counts.

    Args:
        sides: counts as `tablezoo.rows.pack` takes them.
        numbers: numbers left to play; none at a roll node.
        marks: by their names in MARKS, those that differ from what the rest of the text implies.
    """
    own, opponent = sides
    values = dict(zip(COUNTERS, (own[BAR], own[OFF], opponent[OFF], opponent[BAR]), strict=True))
    counters = [f"{name}={value}" for name, value in values.items() if value]
    if numbers:
        counters.append(f"dice={numbers_text(numbers)}")
    counters += [f"{name}={value}" for name, value in marks.items()]
    text = f"{_side(own)} | {_side(opponent)}".strip()
    return f"{text} ({' '.join(counters)})" if counters else text


def _parse_side(text: str, owner: str) -> list[int]:
    counts = [0] * SIDE
    for token in text.split():
        match = re.fullmatch(r"(\d{1,2}):(\d{1,2})", token)
        if not match:
            raise ValueError(f"cannot read {token!r}: expected point:checkers, like 13:5")
        point, n = int(match[1]), int(match[2])
        if not 1 <= point <= 24:
            raise ValueError(f"{token}: there is no point {point}; points are 1 to 24")
        if counts[point]:
            raise ValueError(f"{token}: point {point} of {owner} is given twice")
        counts[point] = n
    return counts


def parse_counters(text: str, known: Mapping[str, str], meanings: Mapping[str, str] = {}) -> dict[str, str]:
    """Counters of a text, `name=value` separated by spaces or commas.

    Args:
        text: without the brackets.
        known: the pattern of each counter's value.
        meanings: what to say if the value does not match, for some.

    Raises:
        ValueError: names the token.
    """
    counters: dict[str, str] = {}
    for token in re.split(r"[\s,]+", text.strip()):
        name, equals, value = token.partition("=")
        if not token:
            continue
        if name not in known or not equals:
            raise ValueError(f"unknown counter {token!r}; known: {', '.join(known)} (as name=value)")
        if name in counters:
            raise ValueError(f"counter {name} is given twice")
        if not re.fullmatch(known[name], value):
            raise ValueError(f"{token}: expected {meanings.get(name, 'a number')}")
        counters[name] = value
    return counters


def parse_parts(text: str) -> tuple[str, str, str]:
    """The own side, the opponent's and the counters of a position text.

    Raises:
        ValueError: it has not that form.
    """
    match = re.fullmatch(r"([^|()]*)\|([^|()]*)(?:\(([^()]*)\))?\s*", text)
    if not match:
        raise ValueError(f"cannot read position {text!r}: expected 'own points | opponent's points (counters)'")
    return match[1], match[2], match[3] or ""


KNOWN = {**{name: r"\d{1,2}" for name in COUNTERS}, "dice": r".*", **{name: pattern for name, (pattern, _) in MARKS.items()}}


def parse(text: str, checkers: int) -> tuple[Sides, Numbers, dict[str, str]]:
    """Counts, numbers left and the marks that are named of a position text.

    Raises:
        ValueError: one line that names the token and what is wrong with it.
    """
    mine, theirs, tail = parse_parts(text)
    counters = parse_counters(tail, KNOWN, {name: meaning for name, (_, meaning) in MARKS.items()})
    sides: list[list[int]] = []
    for owner, points, prefix in (("the player to act", mine, ""), ("the opponent", theirs, "o")):
        counts = _parse_side(points, owner)
        bar = int(counters.get(prefix + "bar", 0))
        total = sum(counts) + bar
        off = int(counters.get(prefix + "off", checkers - total))
        if total + off != checkers or off < 0:
            raise ValueError(f"{owner} has {total} checkers on points and bar and {max(off, 0)} off: {checkers} in all are needed")
        ours = prefix == ""
        counts[OFF], counts[BAR] = (off, bar) if ours else (bar, off)
        sides.append(counts)
    own, opponent = sides
    check(own, opponent, checkers)
    numbers = parse_numbers(counters["dice"]) if "dice" in counters else ()
    return (own, opponent), numbers, {name: value for name, value in counters.items() if name in MARKS}


def check(own: list[int], opponent: list[int], checkers: int) -> None:
    """Refuse counts that no game can reach.

    Raises:
        ValueError: a wrong total, both sides on one point, or both sides finished.
    """
    for owner, counts in (("the player to act", own), ("the opponent", opponent)):
        if sum(counts) != checkers:
            raise ValueError(f"{owner} has {sum(counts)} checkers, not {checkers}")
    for point in range(1, 25):
        if own[point] and opponent[point]:
            raise ValueError(f"both sides have checkers on point {point}")
    if own[OFF] == opponent[BAR] == checkers:
        raise ValueError("both sides have borne off all checkers")
