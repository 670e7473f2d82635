"""Position text: `24:2 13:5 8:3 6:5 | 19:5 17:3 12:5 1:2 (bar=1 dice=31)`."""

import re
from collections.abc import Mapping
from dataclasses import dataclass

from tablezoo.kernel.board import BAR, OFF
from tablezoo.rows import SIDE, Numbers


@dataclass(frozen=True)
class Form:
    """What the positions of a track game look like.

    Attributes:
        checkers: of a side.
        points: of the board.
        doublet: how often the number of a doublet is played.
        dice: how many are thrown.
        stack: most checkers of a side on a point.
        bars: whether hit checkers stand on the bar.
        hands: whether checkers may be in hand.
        pins: whether checkers may lie under others.
    """

    checkers: int
    points: int = 24
    doublet: int = 4
    dice: int = 2
    stack: int = 99
    bars: bool = True
    hands: bool = False
    pins: bool = False


@dataclass(frozen=True)
class Sides:
    """The checkers of both sides in the numbering of the player to act.

    Attributes:
        own, opponent: counts as `tablezoo.rows.pack` takes them.
        hands: checkers in hand, his own and his opponent's.
        pinned: points on which a checker of each side lies under others.
    """

    own: list[int]
    opponent: list[int]
    hands: tuple[int, int] = (0, 0)
    pinned: tuple[frozenset[int], frozenset[int]] = (frozenset(), frozenset())


COUNTERS = ("bar", "hand", "off", "obar", "ohand", "ooff")
"""Counters of checkers beside the points, in the order of the text."""
MARKS = {
    "runner": (r"[01]", "1 for a runner who has arrived, else 0"),
    "orunner": (r"[01]", "1 for an opponent's runner who has arrived, else 0"),
    "first": (r"[01]", "1 before a roll-off, 0 after it"),
    "kept": (r"[1-6](\+[1-6])*", "points that must keep a checker, like 5 or 5+4"),
    "freed": (r"1", "1 in a turn in which hitters may run"),
    "thrift": (r"[01]", "1 where no pips may be wasted in this turn, else 0"),
    "stage": (r"end|more|throw|more\+throw|choose", "what follows once the stage is played whole: end, more (numbers), throw, more+throw or choose (a double)"),
    "gift": (r"1", "1 where the opponent left the numbers"),
    "turns": (r"\d{1,3}", "how many own turns have been played, while doubles are plain"),
    "oturns": (r"\d{1,3}", "how many turns the opponent has played, while doubles are plain"),
    "head": (r"[012]", "how many checkers may still leave the head in this turn, 0 to 2"),
}
"""What else a turn word may hold: its pattern, and what it means."""


def _side(counts: list[int], pinned: frozenset[int]) -> str:
    return " ".join(f"{p}:{counts[p]}{'*' if p in pinned else ''}" for p in range(24, 0, -1) if counts[p])


def numbers_text(numbers: Numbers, doublet: int = 4) -> str:
    """`31`; `33` for a doublet not yet begun; `3x2` for what is left of one later on; `3` for a single number."""
    if doublet == 4 and len(numbers) > 1 and numbers[0] == numbers[-1]:
        return str(numbers[0]) * 2 if len(numbers) == doublet else f"{numbers[0]}x{len(numbers)}"
    return "".join(map(str, numbers))


def parse_numbers(text: str, doublet: int = 4, dice: int = 2) -> Numbers:
    """Numbers of `numbers_text`.

    Raises:
        ValueError: not one or two numbers from 1 to 6 (three of three dice), or more than the dice give.
    """
    if dice == 3:
        if not re.fullmatch(r"[1-6]{1,3}", text):
            raise ValueError(f"dice={text}: three dice are thrown in this game: expected one to three numbers from 1 to 6")
        return tuple(sorted(map(int, text), reverse=True))
    match = re.fullmatch(r"([1-6])(?:([1-6])|x([1-4]))?", text)
    if not match:
        raise ValueError(f"dice={text}: expected one or two numbers from 1 to 6, or 3x2 for a number left twice")
    first, second, times = match.groups()
    if dice == 1 and (second or times):
        raise ValueError(f"dice={text}: one die is thrown in this game: expected one number from 1 to 6")
    if int(times or 1) > doublet:
        raise ValueError(f"dice={text}: the number of a doublet is played {doublet} times in this game")
    if times:
        return (int(first),) * int(times)
    if second is None:
        return (int(first),)
    return (int(first),) * doublet if first == second else tuple(sorted((int(first), int(second)), reverse=True))


def write(sides: Sides, numbers: Numbers, marks: Mapping[str, str], form: Form) -> str:
    """Position text.

    Args:
        sides: the checkers.
        numbers: numbers left to play; none at a roll node.
        marks: by their names in MARKS, those that differ from what the rest of the text implies.
        form: of the game.
    """
    own, opponent = sides.own, sides.opponent
    values = dict(zip(COUNTERS, (own[BAR], sides.hands[0], own[OFF], opponent[OFF], sides.hands[1], opponent[BAR]), strict=True))
    counters = [f"{name}={value}" for name, value in values.items() if value]
    if numbers:
        counters.append(f"dice={numbers_text(numbers, form.doublet)}")
    counters += [f"{name}={value}" for name, value in marks.items()]
    text = f"{_side(own, sides.pinned[0])} | {_side(opponent, sides.pinned[1])}".strip()
    return f"{text} ({' '.join(counters)})" if counters else text


def _parse_side(text: str, owner: str, form: Form) -> tuple[list[int], frozenset[int]]:
    counts, pinned = [0] * SIDE, set()
    for token in text.split():
        match = re.fullmatch(r"(\d{1,2}):(\d{1,2})(\*?)", token)
        if not match:
            raise ValueError(f"cannot read {token!r}: expected point:checkers, like 13:5")
        point, n = int(match[1]), int(match[2])
        if not 1 <= point <= form.points:
            raise ValueError(f"{token}: there is no point {point}; points are 1 to {form.points}")
        if counts[point]:
            raise ValueError(f"{token}: point {point} of {owner} is given twice")
        if match[3]:
            if not form.pins:
                raise ValueError(f"{token}: nobody is pinned in this game")
            if n != 1:
                raise ValueError(f"{token}: a pinned checker lies alone")
            pinned.add(point)
        if n > form.stack:
            raise ValueError(f"{token}: a point holds at most {form.stack} of a side's checkers in this game")
        counts[point] = n
    return counts, frozenset(pinned)


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


def parse(text: str, form: Form) -> tuple[Sides, Numbers, dict[str, str]]:
    """Checkers, numbers left and the marks that are named of a position text.

    Raises:
        ValueError: one line that names the token and what is wrong with it.
    """
    mine, theirs, tail = parse_parts(text)
    counters = parse_counters(tail, KNOWN, {name: meaning for name, (_, meaning) in MARKS.items()})
    sides: list[list[int]] = []
    pinned: list[frozenset[int]] = []
    hands: list[int] = []
    for owner, points, prefix in (("the player to act", mine, ""), ("the opponent", theirs, "o")):
        counts, under = _parse_side(points, owner, form)
        bar, hand = (int(counters.get(prefix + name, 0)) for name in ("bar", "hand"))
        for name, there, known in (("bar", bar, form.bars), ("hand", hand, form.hands)):
            if there and not known:
                raise ValueError(f"{prefix}{name}={there}: there is no {name} in this game")
        total = sum(counts) + bar + hand
        off = int(counters.get(prefix + "off", form.checkers - total))
        if total + off != form.checkers or off < 0:
            raise ValueError(f"{owner} has {total} checkers on points and bar and {max(off, 0)} off: {form.checkers} in all are needed")
        ours = prefix == ""
        counts[OFF], counts[BAR] = (off, bar) if ours else (bar, off)
        sides.append(counts)
        pinned.append(under)
        hands.append(hand)
    found = Sides(sides[0], sides[1], (hands[0], hands[1]), (pinned[0], pinned[1]))
    check(found, form)
    numbers = parse_numbers(counters["dice"], form.doublet, form.dice) if "dice" in counters else ()
    return found, numbers, {name: value for name, value in counters.items() if name in MARKS}


def check(sides: Sides, form: Form) -> None:
    """Refuse checkers that no game can reach.

    Raises:
        ValueError: a wrong total, both sides on one point, a pin that is none, or both sides finished.
    """
    own, opponent = sides.own, sides.opponent
    for owner, counts, hand in (("the player to act", own, sides.hands[0]), ("the opponent", opponent, sides.hands[1])):
        if sum(counts) + hand != form.checkers:
            raise ValueError(f"{owner} has {sum(counts) + hand} checkers, not {form.checkers}")
    for point in range(1, 25):
        pins = [point in pinned for pinned in sides.pinned]
        if own[point] and opponent[point] and not any(pins):
            raise ValueError(f"both sides have checkers on point {point}")
        if all(pins) or (any(pins) and not (own[point] and opponent[point])):
            raise ValueError(f"{point}:1*: a pinned checker lies under checkers of the other side")
    if own[OFF] == opponent[BAR] == form.checkers:
        raise ValueError("both sides have borne off all checkers")
