"""Play text: `8/5 6/5*`, `bar/22`, `13/9(2)`, `6/off`, `pass`."""

import re
from collections import Counter
from collections.abc import Collection, Iterable
from itertools import pairwise

from tablezoo.kernel.board import BAR, OFF

Hop = tuple[int, int]
"""(source, target): one checker moved by one number, or in a text by several."""
Hops = tuple[Hop, ...]
"""Sorted, the highest source first."""

HAND = 26
"""Place of a checker that has not entered."""
PASS = "pass"


def _place(point: int) -> str:
    return {HAND: "hand", BAR: "bar", OFF: "off"}.get(point, str(point))


def write(hops: Hops, hits: Collection[int]) -> str:
    """Text of a play: hops of one checker joined, points on the way left out unless it hits there.

    Args:
        hops: steps of the play.
        hits: points where it hits.
    """
    left = sorted(hops, reverse=True)
    hit_left = set(hits)
    tokens: list[str] = []
    while left:
        source, target = left.pop(0)
        token = _place(source)
        while True:
            hit = target in hit_left
            hit_left.discard(target)
            onward = next((hop for hop in left if hop[0] == target and target != OFF), None)
            if hit or onward is None:
                token += f"/{_place(target)}{'*' if hit else ''}"
            if onward is None:
                break
            left.remove(onward)
            target = onward[1]
        tokens.append(token)
    counted = Counter(tokens)
    return " ".join(token if n == 1 else f"{token}({n})" for token, n in counted.items()) or PASS


def parse(text: str) -> tuple[list[Hop], set[int]]:
    """Hops of a text, each from one named place to the next, and the points marked as hit.

    Raises:
        ValueError: names the token that cannot be read.
    """
    hops: list[Hop] = []
    marked: set[int] = set()
    if text.strip().lower() == PASS:
        return hops, marked
    for token in text.split():
        match = re.fullmatch(r"((?:bar|hand|off|\d{1,2})\*?(?:/(?:bar|hand|off|\d{1,2})\*?)+)(?:\(([1-9])\))?", token.lower())
        if not match:
            raise ValueError(f"cannot read {token!r} in play {text!r}: expected source/target, like 13/9, bar/22*, 6/off or 8/4(2)")
        places = []
        for name in match[1].split("/"):
            bare = name.rstrip("*")
            place = int(bare) if bare.isdecimal() else {"hand": HAND, "bar": BAR, "off": OFF}[bare]
            if place > BAR and bare.isdecimal():
                raise ValueError(f"{token!r} in play {text!r}: there is no point {place}")
            if name.endswith("*"):
                marked.add(place)
            places.append(place)
        hops += list(pairwise(places)) * int(match[2] or 1)
    if not hops:
        raise ValueError("empty play text; a turn without a move is 'pass'")
    return hops, marked


def _covers(named: list[Hop], steps: Counter[Hop]) -> bool:
    """Whether steps join to exactly the named hops."""
    if not named:
        return not steps
    source, target = named[0]
    for step in list(steps):
        if step[0] != source:
            continue
        rest = steps.copy()
        rest[step] -= 1
        rest = +rest
        if step[1] == target:
            if _covers(named[1:], rest):
                return True
        elif _covers([(step[1], target), *named[1:]], rest):
            return True
    return False


def find(text: str, plays: Iterable[tuple[Collection[Hops], frozenset[int]]], blots: Collection[int]) -> int | None:
    """Index of the play that a text means, or None if it means none.

    A play is given by the ways to step it and the points where it hits. Where the same hops hit or do not
    hit on the way, the play meant hits on every named landing with a blot and nowhere else.

    Args:
        text: as `parse` reads it.
        plays: candidates.
        blots: points with a single opposing checker before the play.

    Raises:
        ValueError: unreadable, or it may mean several plays that hit on the way.
    """
    if re.search(r"\bin/", text.lower()):  # from wherever checkers enter
        listed = list(plays)
        tries = (find(re.sub(r"\bin/", f"{place}/", text.lower()), listed, blots) for place in ("bar", "hand"))
        return next((index for index in tries if index is not None), None)
    named, marked = parse(text)
    matching = [(index, hits) for index, (ways, hits) in enumerate(plays) if marked <= hits and any(_covers(named, Counter(way)) for way in ways)]
    if len(matching) > 1:
        implied = {target for _, target in named} & set(blots)
        meant = [(index, hits) for index, hits in matching if hits == implied]
        if not meant:
            raise ValueError(f"{text!r} may mean several plays: name the points on the way where it hits")
        matching = meant
    return matching[0][0] if matching else None
