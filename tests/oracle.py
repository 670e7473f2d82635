"""What the kernels are held to: a slow, plain generator of plays, and positions to try it on.

Nothing here comes from `tablezoo`. A side is the list of the places of its checkers, a play is found by
trying every sequence of single steps, and the rules are applied to the list of all of them at the end.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import NamedTuple

from hypothesis import strategies as st

Places = tuple[int, ...]
"""The place of each checker, sorted. Own: 25 bar, 24..1, 0 off. The opponent's by the same points: 0 bar, 1..24, 25 off."""
Numbers = tuple[int, ...]
Step = tuple[int, int]
"""(place, number)"""

CHECKERS = 15


class Board(NamedTuple):
    """Both sides as the player to act numbers the points."""

    mine: Places
    theirs: Places


@dataclass(frozen=True)
class Reading:
    """The options that decide which plays are legal and what a win counts."""

    forced_use: str = "max"
    larger_die: bool = True
    scoring: str = "backgammon"
    hit_and_run: str = "allowed"
    waste_pips: str = "off"
    waste_scope: str = "turn_start"


STANDARD = Reading()
SIMPLE = Reading(forced_use="greedy", larger_die=False, scoring="single")
TAKHTEH = Reading(scoring="gammon", hit_and_run="forbidden", waste_pips="no_small_first")


class Line(NamedTuple):
    """A sequence of steps after which nothing more can be played."""

    first: Step
    used: Numbers
    end: Board
    last: int | None = None
    """Place of the second step, where one follows."""


def after_step(board: Board, place: int, number: int) -> Board | None:
    """The board after one checker moved by one number, or None if that is against the rules of a single move."""
    mine, theirs = list(board.mine), list(board.theirs)
    if 25 in mine and place != 25:
        return None
    target = place - number
    if target <= 0:
        everyone_home = max(mine) <= 6
        nobody_behind = max(mine) == place
        if not everyone_home or (target < 0 and not nobody_behind):
            return None
        target = 0
    elif theirs.count(target) > 1:
        return None
    elif theirs.count(target) == 1:
        theirs.remove(target)
        theirs.append(0)
    mine.remove(place)
    mine.append(target)
    return Board(tuple(sorted(mine)), tuple(sorted(theirs)))


Kept = frozenset[int]
"""Points that must keep a checker until the end of the turn."""


def single_steps(board: Board, left: Numbers, kept: Kept | None) -> Iterator[tuple[Step, Board, Kept | None]]:
    """Every single step with the board it leads to and the points then kept (None: no such rule)."""
    for number in set(left):
        for place in set(board.mine) - {0}:
            after = after_step(board, place, number)
            if after is None or (kept and place in kept and board.mine.count(place) == 1):
                continue
            hit = after.theirs.count(0) > board.theirs.count(0)
            yield (place, number), after, kept | {place - number} if kept is not None and hit and place - number <= 6 else kept


def won(board: Board) -> bool:
    """Whether the player to act has borne off all his checkers."""
    return set(board.mine) == {0}


def _without(left: Numbers, number: int) -> Numbers:
    at = left.index(number)
    return left[:at] + left[at + 1 :]


Ends = set[tuple[Numbers, Board, int | None]]
"""(numbers in the order of use, final board, place of the first step)."""


def _ends(board: Board, left: Numbers, kept: Kept | None, known: dict[tuple[Board, Numbers, Kept | None], Ends]) -> Ends:
    """All sequences of steps that go on while they can."""
    key = board, left, kept
    if key not in known:
        known[key] = {
            ((number, *used), end, place)
            for (place, number), after, keeping in single_steps(board, left, kept)
            for used, end, _ in _ends(after, _without(left, number), keeping, known)
        } or {((), board, None)}
    return known[key]


def all_lines(board: Board, left: Numbers, hitters_stay: bool) -> list[Line]:
    """All sequences of steps that go on while they can; none at a pass."""
    known: dict[tuple[Board, Numbers, Kept | None], Ends] = {}
    return [
        Line((place, number), (number, *used), end, last)
        for (place, number), after, keeping in single_steps(board, left, frozenset() if hitters_stay else None)
        for used, end, last in _ends(after, _without(left, number), keeping, known)
    ]


def worth(line: Line, left: Numbers) -> int:
    """Numbers that a line counts as having used."""
    return len(left) if won(line.end) else len(line.used)


def legal_lines(board: Board, left: Numbers, reading: Reading) -> list[Line]:
    """All sequences of steps the rules allow; none at a pass."""
    lines = all_lines(board, left, reading.hit_and_run != "allowed")
    if reading.hit_and_run == "unless_wasted":
        unbound = all_lines(board, left, False)
        if max((worth(line, left) for line in unbound), default=0) > max((worth(line, left) for line in lines), default=0):
            lines = unbound
    if reading.forced_use == "greedy" or not lines:
        return lines
    most = max(worth(line, left) for line in lines)
    lines = [line for line in lines if worth(line, left) == most]
    if len(left) != 2 or left[0] == left[1]:
        return lines
    if reading.larger_die and most == 1:
        larger = max(line.used[0] for line in lines)
        lines = [line for line in lines if line.used[0] == larger]
    if reading.waste_pips != "off" and (reading.waste_scope == "always" or max(board.mine) <= 6):
        fault = {"no_small_first": small_first, "min_waste": pips_wasted, "max_off": left_on}[reading.waste_pips]
        least = min(fault(board, line, left) for line in lines)
        lines = [line for line in lines if fault(board, line, left) == least]
    return lines


def small_first(board: Board, line: Line, left: Numbers) -> int:
    """1 if the smaller number moves a checker that the larger could then have borne off."""
    place, number = line.first
    could = place <= max(left) and after_step(board, place, max(left)) is not None
    return int(number == min(left) and place > number and could)


def pips_wasted(board: Board, line: Line, left: Numbers) -> int:
    """Pips of the numbers used that moved nothing."""
    places = [line.first[0], *([line.last] if line.last is not None else [])]
    return sum(max(number - place, 0) for place, number in zip(places, line.used, strict=True))


def left_on(board: Board, line: Line, left: Numbers) -> int:
    """Checkers not borne off."""
    return CHECKERS - line.end.mine.count(0)


def results(board: Board, left: Numbers, reading: Reading) -> dict[Board, int]:
    """Final boards of the legal plays, each with the most numbers that lead to it; a pass leaves the board as it is."""
    found: dict[Board, int] = {}
    for line in legal_lines(board, left, reading):
        found[line.end] = max(found.get(line.end, 0), len(line.used))
    return found or {board: 0}


def first_steps(board: Board, left: Numbers, reading: Reading) -> set[Step]:
    """Steps that begin a legal play."""
    return {line.first for line in legal_lines(board, left, reading)}


def points(board: Board, reading: Reading) -> int:
    """What the player to act has won if his last checker is off: 1, 2 (loser has none off), 3 (and one on the bar or in the winner's home)."""
    if 25 in board.theirs or reading.scoring == "single":
        return 1
    return 3 if min(board.theirs) <= 6 and reading.scoring == "backgammon" else 2


def counts(board: Board) -> bytes:
    """26 + 26 checker counts: the form in which boards are compared."""
    return bytes(side.count(place) for side in board for place in range(26))


def numbers_of(roll: tuple[int, int]) -> Numbers:
    """The numbers to play after a roll: four of a doublet."""
    return roll if roll[0] != roll[1] else roll * 2


def text(board: Board, left: Numbers = ()) -> str:
    """Position text."""
    own, opponent = (" ".join(f"{p}:{side.count(p)}" for p in range(24, 0, -1) if p in side) for side in board)
    counters = {"bar": board.mine.count(25), "off": board.mine.count(0), "obar": board.theirs.count(0), "ooff": board.theirs.count(25)}
    words = [f"{name}={n}" for name, n in counters.items() if n] + [f"dice={dice_text(left)}"] * bool(left)
    return f"{own} | {opponent}".strip() + (f" ({' '.join(words)})" if words else "")


def dice_text(left: Numbers) -> str:
    """How a position text writes numbers left: 31, 33 (all four), 3x2 (two of them), 3."""
    if len(left) < 2 or left[0] != left[-1]:
        return "".join(map(str, sorted(left, reverse=True)))
    return str(left[0]) * 2 if len(left) == 4 else f"{left[0]}x{len(left)}"


# Positions to try

WHOLE_ROLLS = tuple(numbers_of((a, b)) for a in range(1, 7) for b in range(1, a + 1))
PART_ROLLS = tuple((d,) * n for d in range(1, 7) for n in (1, 2, 3))
HOME, NEAR, ANYWHERE = range(1, 7), range(1, 10), range(1, 25)


def side_of(men: list[int], off: int) -> Places:
    """Places of a side whose other checkers stand `off`."""
    return tuple(sorted(men + [off] * (CHECKERS - len(men))))


@st.composite
def boards(draw: st.DrawFn) -> Board:
    """Boards that random games seldom meet: few checkers, odd stacks, many on the bar, bearing off against anchors and blots."""
    few = st.integers(1, 4)
    pool = draw(st.sampled_from([HOME, NEAR, ANYWHERE, (*ANYWHERE, 25, 25, 25), (1, 2, 6, 7, 13, 24, 25)]))
    mine = draw(st.lists(st.sampled_from(pool), min_size=1, max_size=draw(few | st.just(15))))
    their_pool = draw(st.sampled_from([HOME, NEAR, ANYWHERE, (0, 0, 19, 20, 21, 22, 23, 24), (0, *ANYWHERE)]))
    free = sorted(set(their_pool) - set(mine)) or [0]
    theirs = draw(st.lists(st.sampled_from(free), min_size=1, max_size=draw(few | st.just(15))))
    return Board(side_of(mine, 0), side_of(theirs, 25))


def numbers() -> st.SearchStrategy[Numbers]:
    """What may be left of a roll: all of it, or a part."""
    return st.sampled_from(WHOLE_ROLLS) | st.sampled_from(PART_ROLLS)
