"""What the kernels of the zoo's track games are held to: a slow, plain generator of plays, and positions to try it on.

Nothing here comes from `tablezoo`. A side is the list of the points of its checkers, every sequence of single steps is
tried, and the rules about whole sequences (most numbers, larger die, ...) are applied to all of them at the end.
`results` answers for one stage, the numbers of one decision; `stages` and `after_chain` say which stages a roll brings.
"""

from bisect import insort
from collections import defaultdict
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from itertools import combinations_with_replacement
from typing import NamedTuple

from hypothesis import assume
from hypothesis import strategies as st

Numbers = tuple[int, ...]
Step = tuple[int, int]
"""(place, number)"""
Points = tuple[int, ...]

BAR, HAND = 25, 26
"""Places of checkers that are not on the board, in games of any size."""


# The rules as data


@dataclass(frozen=True)
class Reading:
    """The options that decide which plays are legal and what a win counts; the defaults are those of backgammon."""

    points: int = 24
    home: int = 6
    checkers: int = 15
    dice: int = 2
    movement: str = "contrary"
    """contrary | parallel (from the diagonal corner: offset half the board) | same (both from the same corner: offset 0)"""
    block: int = 2
    blot: str = "hit"
    """hit | pin | none"""
    hit_to: str = "bar"
    """bar | hand: where a hit checker goes. From the bar it must enter before anything else moves."""
    doubles: str = "twice"
    """twice (four numbers) | once | escalate (d, d+1, ..., 6, four of each) | complement (four d, four 7-d, another throw)"""
    plain_doubles_turns: int = 0
    """In so many first turns of a player doubles do not escalate."""
    unused: str = "lost"
    """lost | opponent: what becomes of the numbers of a chain that were not played"""
    acey_deucey: bool = False
    """After a completed 2-1 the player chooses a double and, that completed, throws again."""
    forced_use: str = "max"
    """max | greedy (go on while anything can be played)"""
    larger_die: bool = True
    scoring: str = "backgammon"
    """single | gammon | backgammon | men_left"""
    hit_and_run: str = "allowed"
    """allowed | forbidden (a home point where a hit was made keeps a checker until the end of the turn) | unless_wasted"""
    hit_needs_home: bool = False
    """No hit while the player has no checker at home or off."""
    enter_hand_first: bool = False
    head_limit: int = 0
    """Checkers that may leave the start point in a turn; 0: any number."""
    head_first: str = "none"
    """none | 3-4-6 (one more on a first turn with 3-3, 4-4 or 6-6) | when_stuck (one more on a first turn that cannot be played whole without)"""
    runner: str = "none"
    """none | past_start | home: what the lead checker must reach before any other moves"""
    prime: str = "any"
    """any | ahead (no six in a row unless an opponent's checker is past them) | fevga (not all six first points; a prime in front of all the opponent's
    checkers, stacked right behind it, is opened)"""
    prime_check: str = "number"
    """number | turn: when the rules about occupied points are looked at"""
    points_limit: str = "none"
    """none | enemy_start (at most four points of the opponent's first six) | own_home (not all points of the own home)"""
    bear_off: str = "furthest"
    """furthest | exact | anytime (any checker by any number that suffices, wherever the others are)"""
    mother: str = "none"
    """none | pinner_home (the last checker of the start point is lost when pinned there, but not while the pinner has checkers on his own) | strict"""
    protect: str = "none"
    """none | adjacent (neighbours on the next point cannot be hit)"""
    stack_limit: int = 0
    half_gate: bool = False
    """No checker goes on to the second half of the board while others are in hand."""
    bear_off_gate: bool = True
    """All checkers must be at home before any is borne off."""

    def across(self, point: int) -> int:
        """The point as the other player numbers it."""
        if self.movement == "contrary":
            return self.points + 1 - point
        offset = self.points // 2 if self.movement == "parallel" else 0
        return (point - 1 + offset) % self.points + 1


BACKGAMMON = Reading()
PLAKOTO = Reading(blot="pin", scoring="gammon", mother="pinner_home")
RUNNING = Reading(movement="parallel", block=1, blot="none", scoring="gammon")
AMERICAN = Reading(acey_deucey=True, scoring="single")

ZOO: dict[str, Reading] = {
    "backgammon": BACKGAMMON,
    "simple-backgammon": Reading(forced_use="greedy", larger_die=False, scoring="single"),
    "tavla": Reading(hit_and_run="forbidden", scoring="gammon"),
    "portes": Reading(scoring="gammon"),
    "nackgammon": BACKGAMMON,
    "hypergammon": Reading(checkers=3),
    "longgammon": BACKGAMMON,
    "irish": Reading(doubles="once", scoring="single"),
    "plakoto": PLAKOTO,
    "tapa": PLAKOTO,
    "mahbouseh": Reading(blot="pin", scoring="men_left"),
    "fevga": Reading(movement="parallel", block=1, blot="none", scoring="gammon", runner="past_start", prime="fevga"),
    "moultezim": Reading(movement="parallel", block=1, blot="none", scoring="gammon", runner="past_start", points_limit="enemy_start"),
    "long-narde": Reading(movement="parallel", block=1, blot="none", scoring="gammon", head_limit=1, head_first="3-4-6", prime="ahead"),
    "tawla-31": Reading(block=1, blot="none", scoring="men_left", runner="home"),
    "jacquet": Reading(movement="parallel", block=1, blot="none", scoring="gammon", runner="home"),
    "gul-bara": Reading(movement="parallel", block=1, blot="none", scoring="gammon", doubles="escalate", plain_doubles_turns=3),
    "gioul": Reading(block=1, blot="none", scoring="gammon", doubles="escalate", unused="opponent"),
    "dutch": Reading(enter_hand_first=True, hit_needs_home=True),
    "acey-deucey-american": AMERICAN,
    "acey-deucey-european": Reading(acey_deucey=True, scoring="single", doubles="complement"),
    "russian": Reading(movement="same", enter_hand_first=True, doubles="complement", scoring="gammon"),
    "tabula": Reading(movement="same", dice=3, doubles="once", larger_die=False, scoring="single"),
    "nannon": Reading(
        points=6, home=6, checkers=3, dice=1, hit_to="hand", protect="adjacent", stack_limit=1, bear_off="anytime", doubles="once", scoring="gammon"
    ),
}

STANDARD_LAYOUT = ((24, 2), (13, 5), (8, 3), (6, 5))
ALL_ON_24 = ((24, 15),)
START: dict[str, tuple[tuple[int, int], ...]] = {
    **dict.fromkeys(("backgammon", "simple-backgammon", "tavla", "portes", "irish"), STANDARD_LAYOUT),
    "nackgammon": ((24, 2), (23, 2), (13, 4), (8, 3), (6, 4)),
    "hypergammon": ((24, 1), (23, 1), (22, 1)),
    **dict.fromkeys(("longgammon", "plakoto", "tapa", "mahbouseh", "fevga", "moultezim", "long-narde"), ALL_ON_24),
    **dict.fromkeys(("tawla-31", "jacquet", "gul-bara", "gioul"), ALL_ON_24),
    **dict.fromkeys(("dutch", "acey-deucey-american", "acey-deucey-european", "russian", "tabula"), ()),
    "nannon": ((6, 1), (5, 1)),
}
"""(point, checkers) of a side; the others are in hand."""


# Boards


class Side(NamedTuple):
    """The checkers of one side; points as the player to act numbers them."""

    men: Points = ()
    """The point of each checker that is free, sorted."""
    pinned: Points = ()
    """The point of each checker that lies under one of the other side, sorted."""
    bar: int = 0
    hand: int = 0
    off: int = 0
    arrived: bool = False
    """Whether the runner has arrived, where that cannot be read off the board (games with a runner and hits)."""


class Board(NamedTuple):
    """Both sides as the player to act numbers the points."""

    mine: Side
    theirs: Side


def side_of(men: Iterable[int], reading: Reading, pinned: Iterable[int] = (), bar: int = 0, hand: int = 0, arrived: bool = False) -> Side:
    """A side whose other checkers are off."""
    men, pinned = tuple(sorted(men)), tuple(sorted(pinned))
    return Side(men, pinned, bar, hand, reading.checkers - len(men) - len(pinned) - bar - hand, arrived)


def start(name: str) -> Board:
    """The board at the start of a game."""
    reading = ZOO[name]
    men = [point for point, n in START[name] for _ in range(n)]
    side = side_of(men, reading, hand=reading.checkers - len(men))
    return Board(side, _across(side, reading))


def _across(side: Side, reading: Reading) -> Side:
    men, pinned = (tuple(sorted(map(reading.across, points))) for points in (side.men, side.pinned))
    return side._replace(men=men, pinned=pinned)


def turned(board: Board, reading: Reading) -> Board:
    """The board as the other player sees it."""
    return Board(_across(board.theirs, reading), _across(board.mine, reading))


# A single step


def runner_out(board: Board, reading: Reading) -> bool:
    """Whether nobody but the lead checker may move yet."""
    mine = board.mine
    if reading.runner == "none" or mine.arrived or mine.off or not mine.men:
        return False
    bound = reading.across(reading.points) - 1 if reading.runner == "past_start" else reading.home
    return mine.men[0] > bound


def closed(board: Board, point: int, reading: Reading) -> bool:
    """Whether the player to act may not land on a point."""
    mine, theirs = board
    opponents = theirs.men.count(point)
    if point in mine.pinned or opponents >= reading.block or (opponents and reading.blot == "none"):
        return True
    if reading.stack_limit and mine.men.count(point) >= reading.stack_limit:
        return True
    if opponents and reading.hit_needs_home and not mine.off and not any(p <= reading.home for p in mine.men):
        return True
    return bool(opponents) and reading.protect == "adjacent" and (point - 1 in theirs.men or point + 1 in theirs.men)


def _may_bear_off(mine: Side, place: int, number: int, reading: Reading) -> bool:
    """Whether a number that leads off the board may bear off the checker on a point."""
    if reading.bear_off == "anytime":
        return True
    if reading.bear_off_gate and (mine.bar or mine.hand or mine.pinned or mine.men[-1] > reading.home):
        return False
    if number == place:
        return True
    return reading.bear_off == "furthest" and place == mine.men[-1] and not mine.hand


def _without(points: Points, point: int) -> Points:
    at = points.index(point)
    return points[:at] + points[at + 1 :]


def _with(points: Points, point: int) -> Points:
    longer = list(points)
    insort(longer, point)
    return tuple(longer)


def after_step(board: Board, place: int, number: int, reading: Reading) -> Board | None:
    """The board after one checker moved by one number, or None if that is against the rules of where it may land."""
    mine, theirs = board
    target = (reading.points + 1 if place in (BAR, HAND) else place) - number
    if target <= 0:
        if place in (BAR, HAND) or not _may_bear_off(mine, place, number, reading):
            return None
    elif closed(board, target, reading) or (reading.half_gate and mine.hand and place != HAND and target <= reading.points // 2 < place):
        return None

    if place == BAR:
        mine = mine._replace(bar=mine.bar - 1)
    elif place == HAND:
        mine = mine._replace(hand=mine.hand - 1)
    else:
        mine = mine._replace(men=_without(mine.men, place))
        if place in theirs.pinned and place not in mine.men:
            theirs = theirs._replace(pinned=_without(theirs.pinned, place), men=_with(theirs.men, place))

    if target <= 0:
        return Board(mine._replace(off=mine.off + 1), theirs)
    mine = mine._replace(men=_with(mine.men, target))
    if target in theirs.men:
        theirs = theirs._replace(men=_without(theirs.men, target))
        if reading.blot == "pin":
            theirs = theirs._replace(pinned=_with(theirs.pinned, target))
        elif reading.hit_to == "hand":
            theirs = theirs._replace(hand=theirs.hand + 1)
        else:
            theirs = theirs._replace(bar=theirs.bar + 1)
    after = Board(mine, theirs)
    if reading.runner != "none" and reading.blot == "hit" and not runner_out(after, reading):
        after = Board(mine._replace(arrived=True), theirs)
    return after


def formation_ok(board: Board, reading: Reading) -> bool:
    """Whether the points the player to act holds are allowed: primes and limits."""
    held = set(board.mine.men)
    if reading.points_limit == "enemy_start":
        first = {reading.across(p) for p in _first_points(reading)}
        if len(held & first) > 4:
            return False
    if reading.points_limit == "own_home" and held >= set(range(1, reading.home + 1)):
        return False
    if reading.prime == "fevga":
        return not held >= set(_first_points(reading))
    if reading.prime == "ahead" and not board.theirs.off:
        wall = {reading.across(p) for p in held}
        opponents = {reading.across(p) for p in board.theirs.men}
        for lowest in range(1, reading.points - 4):
            if wall >= set(range(lowest, lowest + 6)) and not any(p < lowest for p in opponents):
                return False
    return True


def _first_points(reading: Reading) -> range:
    return range(reading.points - 5, reading.points + 1)


def walled_in(board: Board, reading: Reading) -> bool:
    """Whether all the opponent's checkers on the board stand on one point and the next six on their way are held."""
    opponents = {reading.across(p) for p in board.theirs.men}
    if len(opponents) != 1 or board.theirs.bar or board.theirs.hand:
        return False
    point = opponents.pop()
    wall = {reading.across(p) for p in board.mine.men}
    return point > 6 and wall >= set(range(point - 6, point))


# Sequences of steps


class Context(NamedTuple):
    """What matters of the part of a turn that has been played; the default is the start of a turn."""

    quota: int | None = None
    """Checkers that may still leave the head, in games that limit them. None: as many as at the start of a turn."""
    kept: frozenset[int] = frozenset()
    """Points that must keep a checker until the end of the turn, in games without hit-and-run."""


TURN_START = Context()


class Node(NamedTuple):
    """A moment in a sequence of steps."""

    board: Board
    left: Numbers
    quota: int | None
    """Checkers that may still leave the head. None: any number."""
    kept: frozenset[int] | None
    """Points that must keep a checker. None: no such rule."""


def single_steps(node: Node, reading: Reading) -> Iterator[tuple[Step, Node]]:
    """Every single step the rules allow at a moment, with what follows; none when the game is over."""
    board, left, quota, kept = node
    mine = board.mine
    if mine.bar:
        places = {BAR}
    elif mine.hand and reading.enter_hand_first:
        places = {HAND}
    else:
        places = {mine.men[0]} if runner_out(board, reading) else set(mine.men)
        if quota == 0:
            places.discard(reading.points)
        places -= {p for p in kept or () if mine.men.count(p) == 1}
        if mine.hand:
            places.add(HAND)
    for number in set(left):
        for place in places:
            after = after_step(board, place, number, reading)
            if after is None or (reading.prime_check == "number" and not formation_ok(after, reading)):
                continue
            quota_then = quota - 1 if quota is not None and place == reading.points else quota
            kept_then = kept
            if kept is not None and len(after.theirs.men) < len(board.theirs.men):
                point = (reading.points + 1 if place in (BAR, HAND) else place) - number
                kept_then = kept | {point} if point <= reading.home else kept
            yield (place, number), Node(after, _without(left, number), quota_then, kept_then)


Lines = dict[Node, set[Step]]
"""Where sequences of steps end, with the first steps of those that end there."""


def all_lines(begin: Node, reading: Reading) -> Lines:
    """All sequences of at least one step, whole or broken off, up to the end of the game."""
    found: Lines = {}
    layer: Lines = {begin: set()}
    while layer:
        following: Lines = defaultdict(set)
        for node, firsts in layer.items():
            if node is not begin and outcome(node.board, reading) is not None:
                continue
            for step, after in single_steps(node, reading):
                following[after] |= firsts or {step}
        found |= following
        layer = following
    return found


def worth(node: Node, left: Numbers, reading: Reading) -> int:
    """Numbers that a sequence counts as having used: all, if it ends the game."""
    return len(left) if outcome(node.board, reading) is not None else len(left) - len(node.left)


def _goes_on(node: Node, reading: Reading) -> bool:
    """Whether a legal sequence goes on from here."""
    if outcome(node.board, reading) is not None:
        return False
    return any(formation_ok(after.board, reading) or _goes_on(after, reading) for _, after in single_steps(node, reading))


def _begins(board: Board, left: Numbers, reading: Reading, context: Context) -> list[Node]:
    """The moment before the first step, and the same with a rule lifted that yields where more numbers can then be played."""
    kept = context.kept if reading.hit_and_run != "allowed" else None
    if not reading.head_limit:
        return [Node(board, left, None, kept)] + [Node(board, left, None, None)] * (reading.hit_and_run == "unless_wasted")
    if context.quota is not None:
        return [Node(board, left, context.quota, kept)]
    limit = reading.head_limit
    if board.mine.men == (reading.points,) * reading.checkers:
        if reading.head_first == "3-4-6" and len(left) > 1 and set(left) in ({3}, {4}, {6}):
            limit += 1
        if reading.head_first == "when_stuck":
            return [Node(board, left, limit, kept), Node(board, left, limit + 1, kept)]
    return [Node(board, left, limit, kept)]


def legal_lines(board: Board, left: Numbers, reading: Reading, context: Context = TURN_START) -> Lines:
    """The sequences of steps that the rules allow as plays of a stage; none at a pass."""

    def most(lines: Lines) -> int:
        return max((worth(node, left, reading) for node in lines), default=0)

    tries = [all_lines(begin, reading) for begin in _begins(board, left, reading, context)]
    tries = [{node: firsts for node, firsts in lines.items() if formation_ok(node.board, reading)} for lines in tries]
    lines = max(tries, key=most)
    if reading.forced_use == "greedy":
        return {node: firsts for node, firsts in lines.items() if not _goes_on(node, reading)}
    best = most(lines)
    lines = {node: firsts for node, firsts in lines.items() if worth(node, left, reading) == best}
    if reading.larger_die and best == 1 and len(left) == 2:
        smallest_left = min(min(node.left) for node in lines)
        lines = {node: firsts for node, firsts in lines.items() if min(node.left) == smallest_left}
    if reading.prime == "fevga":
        opened = {node: firsts for node, firsts in lines.items() if not walled_in(node.board, reading)}
        lines = opened or lines
    return lines


def results(board: Board, left: Numbers, reading: Reading, context: Context = TURN_START) -> dict[Board, int]:
    """Final boards of the legal plays of a stage, each with the most numbers that lead to it; a pass leaves the board as it is."""
    found: dict[Board, int] = {}
    for node in legal_lines(board, left, reading, context):
        found[node.board] = max(found.get(node.board, 0), len(left) - len(node.left))
    return found or {board: 0}


def first_steps(board: Board, left: Numbers, reading: Reading, context: Context = TURN_START) -> set[Step]:
    """Steps that begin a legal play of a stage."""
    return set().union(*legal_lines(board, left, reading, context).values())


def unplayed(board: Board, left: Numbers, reading: Reading, context: Context = TURN_START) -> dict[Board, set[Numbers]]:
    """Final boards of the legal plays of a stage, each with the numbers that may remain: where `unused` is `opponent` they and later stages are his."""
    found: dict[Board, set[Numbers]] = defaultdict(set)
    for node in legal_lines(board, left, reading, context):
        found[node.board].add(node.left)
    return dict(found) or {board: {left}}


# The end of the game


def outcome(board: Board, reading: Reading) -> int | None:
    """Points of the player whose view this is and who has just played; 0 a draw; None if the game goes on.

    When both sides have a checker pinned on their start points neither can ever bear off: a draw, whatever `mother` says.
    """
    mine, theirs = board
    if mine.off == reading.checkers:
        if reading.scoring == "single":
            return 1
        if reading.scoring == "men_left":
            return reading.checkers - theirs.off
        if theirs.off:
            return 1
        far_behind = theirs.bar or theirs.hand or any(p <= reading.home for p in theirs.men)
        return 3 if far_behind and reading.scoring == "backgammon" else 2
    if reading.across(reading.points) in theirs.pinned:
        if reading.points in mine.pinned:
            return 0
        if reading.mother == "strict" or (reading.mother == "pinner_home" and reading.points not in mine.men):
            return {"single": 1, "men_left": reading.checkers - theirs.off}.get(reading.scoring, 2)
    return None


# Rolls and stages


def all_rolls(reading: Reading) -> list[Numbers]:
    """All distinct rolls, each from the highest number down."""
    return [roll[::-1] for roll in combinations_with_replacement(range(1, 7), reading.dice)]


def stages(roll: Numbers, reading: Reading, turns: int | None = None, chosen: bool = False) -> list[Numbers]:
    """The stages a roll brings one after the other, each begun only if the play chosen for the one before used all its numbers.

    Args:
        turns: turns the player had played before this one; None: so many that it does not matter.
        chosen: whether the roll is the double a player chose after 2-1.
    """
    numbers = tuple(sorted(roll, reverse=True))
    if len(numbers) != 2 or numbers[0] != numbers[1] or reading.doubles == "once":
        return [numbers]
    d = numbers[0]
    if reading.doubles == "escalate" and (turns is None or turns >= reading.plain_doubles_turns):
        return [(n,) * 4 for n in range(d, 7)]
    return [(d,) * 4, (7 - d,) * 4] if reading.doubles == "complement" else [(d,) * 4]


def after_chain(roll: Numbers, reading: Reading, chosen: bool = False) -> str:
    """What follows when all stages of a roll were completed: `end` of the turn, `throw` again, or `choose` a double."""
    if reading.acey_deucey and sorted(roll) == [1, 2]:
        return "choose"
    doubled = len(roll) == 2 and roll[0] == roll[1]
    return "throw" if chosen or (doubled and reading.doubles == "complement") else "end"


# Position text

COUNTERS = ("bar", "hand", "off")
MARKS = ("gift", "stage", "turns", "oturns", "runner", "orunner")


def dice_text(left: Numbers, reading: Reading = BACKGAMMON) -> str:
    """How a position text writes numbers left: 31, 33 (a whole doublet), 3x2 (two of its four), 3, 631."""
    if len(left) < 2 or left[0] != left[-1] or reading.doubles == "once":
        return "".join(map(str, sorted(left, reverse=True)))
    return str(left[0]) * 2 if len(left) == 4 else f"{left[0]}x{len(left)}"


def parse_dice(word: str, reading: Reading = BACKGAMMON) -> Numbers:
    """The numbers that `dice_text` writes so."""
    if "x" in word:
        number, times = word.split("x")
        return (int(number),) * int(times)
    numbers = tuple(sorted(map(int, word), reverse=True))
    return numbers * 2 if len(numbers) == 2 and numbers[0] == numbers[1] and reading.doubles != "once" else numbers


def _side_text(side: Side) -> str:
    words = {p: f"{p}:{side.men.count(p)}" for p in side.men} | {p: f"{p}:1*" for p in side.pinned}
    return " ".join(words[p] for p in sorted(words, reverse=True))


def text(board: Board, left: Numbers = (), reading: Reading = BACKGAMMON, **marks: int | str) -> str:
    """Position text. `marks` are counters that are not part of a board, such as `turns`."""
    pairs = [(prefix + name, getattr(side, name)) for prefix, side in zip(("", "o"), board, strict=True) for name in COUNTERS]
    words = [f"{name}={n}" for name, n in pairs if n] + [f"dice={dice_text(left, reading)}"] * bool(left)
    marks |= {name: 1 for name, side in zip(("runner", "orunner"), board, strict=True) if side.arrived}
    words += [f"{name}={marks[name]}" for name in MARKS if name in marks]
    return f"{_side_text(board.mine)} | {_side_text(board.theirs)}".strip() + (f" ({' '.join(words)})" if words else "")


class Parsed(NamedTuple):
    """What a position text says."""

    board: Board
    left: Numbers
    marks: dict[str, str]


def parse(position: str, reading: Reading = BACKGAMMON) -> Parsed:
    """The position that a text describes. Checkers it does not mention are off.

    Raises:
        ValueError: a token cannot be read, or the checkers do not add up.
    """
    body, _, tail = position.partition("(")
    own, bar, opponent = body.partition("|")
    if not bar:
        raise ValueError(f"{position!r}: no | between the sides")
    counters = dict(word.split("=", 1) for word in tail.strip().removesuffix(")").replace(",", " ").split())
    left = parse_dice(counters.pop("dice"), reading) if "dice" in counters else ()
    unknown = set(counters) - {prefix + name for prefix in ("", "o") for name in COUNTERS} - set(MARKS)
    if unknown:
        raise ValueError(f"{position!r}: unknown counters {sorted(unknown)}")
    numeric = {name: int(n) for name, n in counters.items() if name.isalpha() and n.isdecimal()}
    sides = []
    for prefix, points in (("", own), ("o", opponent)):
        men: list[int] = []
        pinned: list[int] = []
        for token in points.split():
            point, n = token.rstrip("*").split(":")
            if not 1 <= int(point) <= reading.points or (token.endswith("*") and n != "1"):
                raise ValueError(f"{position!r}: {token}")
            (pinned if token.endswith("*") else men).extend([int(point)] * int(n))
        side = side_of(men, reading, pinned, numeric.get(f"{prefix}bar", 0), numeric.get(f"{prefix}hand", 0), bool(numeric.get(f"{prefix}runner", 0)))
        if side.off < 0 or numeric.get(f"{prefix}off", side.off) != side.off:
            raise ValueError(f"{position!r}: not {reading.checkers} checkers")
        sides.append(side)
    board = Board(*sides)
    if not sides_apart(board):
        raise ValueError(f"{position!r}: both sides on one point")
    return Parsed(board, left, {name: n for name, n in counters.items() if name in MARKS and not name.endswith("runner")})


def sides_apart(board: Board) -> bool:
    """Whether the sides share no point but by pins, and every pinned checker lies alone under the other side."""
    mine, theirs = board
    if set(mine.men) & set(theirs.men):
        return False
    if not set(mine.pinned) <= set(theirs.men) or not set(theirs.pinned) <= set(mine.men):
        return False
    return all(p not in side.men and side.pinned.count(p) == 1 for side in board for p in side.pinned)


# Positions to try


def possible(board: Board, reading: Reading) -> bool:
    """Whether a position respects the rules that every position of a game does, for both sides, and the game is not over."""
    for view in (board, turned(board, reading)):
        mine = view.mine
        on_board = mine.men + mine.pinned
        if outcome(view, reading) is not None:
            return False
        if sum((len(on_board), mine.bar, mine.hand, mine.off)) != reading.checkers or mine.off < 0 or not formation_ok(view, reading):
            return False
        if reading.stack_limit and any(mine.men.count(p) > reading.stack_limit for p in mine.men):
            return False
        if reading.hit_to == "bar" and mine.hand and mine.off and reading.bear_off_gate and reading.bear_off != "anytime":
            return False
        if reading.blot != "hit" and mine.off and any(p > reading.home for p in on_board):
            return False
        if reading.enter_hand_first and mine.hand and any(p < reading.points - 5 for p in mine.men):
            return False
        if reading.half_gate and mine.hand and any(p <= reading.points // 2 for p in mine.men):
            return False
        if runner_out(view, reading) and len([p for p in mine.men if p != reading.points]) > 1:
            return False
    return sides_apart(board)


def _some_side(draw: st.DrawFn, reading: Reading, free: list[int], hand: bool) -> Side:
    """A side of a position, in its own numbering, on free points."""
    top, n = reading.points, reading.checkers
    home, near, first = (range(1, reading.home + 1), range(1, min(reading.home + 3, top) + 1), range(max(top - 5, 1), top + 1))
    special = (1, 2, 6, 7, 11, 12, 13, 18, 19, 23, 24)
    pool: Iterable[int] = draw(st.sampled_from([home, near, range(1, top + 1), range(1, top + 1), first, special, [top]]))
    in_hand = draw(st.integers(0, n)) if hand else 0
    if in_hand and reading.enter_hand_first:
        pool = first
    pool = [p for p in pool if p in free] or free
    room = n - in_hand
    if reading.stack_limit:
        room = min(room, len(pool) * reading.stack_limit)
    sizes = [range(1, 5), range(5, n + 1), range(5, n + 1)] if n > 4 else [range(1, n + 1), [n]]
    size = min(draw(st.sampled_from(sizes).flatmap(st.sampled_from)), room)
    men = draw(st.lists(st.sampled_from(pool), min_size=size, max_size=size, unique=bool(reading.stack_limit)))
    rest = room - size
    stacked = draw(st.booleans()) and not reading.stack_limit

    if reading.blot == "hit":
        if reading.hit_to == "hand":
            in_hand += draw(st.integers(0, n - in_hand - size)) if hand else 0
            return side_of(men, reading, hand=in_hand)
        bar = draw(st.integers(0, min(3, rest))) if draw(st.booleans()) else 0
        if men and (stacked or (in_hand and reading.bear_off_gate)):
            men += [draw(st.sampled_from(men))] * (rest - bar)
        elif in_hand and reading.bear_off_gate:
            in_hand += rest - bar
        return side_of(men, reading, bar=bar, hand=in_hand)

    if stacked or any(p > reading.home for p in men):
        men += [draw(st.sampled_from(men))] * rest
    return _on_his_way(draw, side_of(men, reading), reading, free)


def _on_his_way(draw: st.DrawFn, side: Side, reading: Reading, free: list[int]) -> Side:
    """The side with its runner either arrived, or alone off the start point."""
    if not runner_out(Board(side, Side()), reading):
        return side
    top = reading.points
    if top in free and draw(st.booleans()):
        return side_of([side.men[0], *[top] * (reading.checkers - 1)], reading)
    beyond = [p for p in free if not runner_out(Board(Side((p,)), Side()), reading)]
    return side_of([draw(st.sampled_from(beyond or free)), *side.men[1:]], reading)


def _two_sides(draw: st.DrawFn, reading: Reading, hands: bool) -> Board:
    everywhere = list(range(1, reading.points + 1))
    mine = _some_side(draw, reading, everywhere, hands and draw(st.booleans()))
    free = [p for p in everywhere if reading.across(p) not in mine.men]
    return Board(mine, _across(_some_side(draw, reading, free, hands and draw(st.booleans())), reading))


def _with_pins(draw: st.DrawFn, board: Board, reading: Reading) -> Board:
    """A board on which a few checkers lie under others, or the last ones of the start points are in danger."""
    for view in (board, turned(board, reading)):
        if draw(st.integers(0, 2)) == 0 and not view.mine.off and reading.points not in (*view.theirs.men, *view.mine.pinned):
            others = [p for p in view.mine.men if p < reading.points] or [reading.points - 1]
            men = [reading.points, *others, *others[:1] * (reading.checkers - 1 - len(others))][: reading.checkers]
            lonely = Board(side_of(men, reading), view.theirs)
            if possible(lonely, reading):
                board = lonely if view == board else turned(lonely, reading)
    for _ in range(draw(st.integers(0, 3))):
        view = turned(board, reading) if draw(st.booleans()) else board
        under, over = view.theirs, view.mine
        spots = sorted(set(over.men) - set(under.pinned))
        if not spots or not under.men:
            continue
        start_point = reading.across(reading.points)
        spot = start_point if start_point in spots and draw(st.booleans()) else draw(st.sampled_from(spots))
        donor = draw(st.sampled_from(under.men))
        men = list(under.men) + ([donor] * under.off if reading.across(spot) > reading.home else [])
        men.remove(donor)
        pinned = Board(over, side_of(men, reading, [*under.pinned, spot]))
        if possible(pinned, reading):
            board = pinned if view is board else turned(pinned, reading)
    return board


def _with_wall(draw: st.DrawFn, reading: Reading) -> Board:
    """A board with five or six of the player's points in a row on the opponent's way, who may be stacked right behind or on the bar."""
    table = 7 if reading.prime == "fevga" else 19
    lowest = draw(st.just(table) | st.integers(1, reading.points - 5) | st.integers(1, reading.points - 5))
    wall = [reading.across(p) for p in range(lowest, lowest + 6)]
    whole = formation_ok(Board(Side(tuple(wall)), Side()), reading) and draw(st.integers(0, 2)) == 0
    missing = None if whole else draw(st.sampled_from(wall))
    men = [p for p in wall if p != missing]
    while not formation_ok(Board(side_of(men, reading), Side()), reading):
        men.remove(draw(st.sampled_from(men)))
    men *= reading.block
    everywhere = range(1, reading.points + 1)
    free = [p for p in everywhere if reading.across(p) not in wall]
    behind = lowest + 6
    if behind in free and draw(st.booleans()):
        in_play = draw(st.integers(1, reading.checkers)) if reading.blot == "hit" else reading.checkers
        theirs = side_of([behind] * in_play, reading)
    else:
        theirs = _some_side(draw, reading, free, False)
    theirs = _across(theirs, reading)

    spots = [p for p in everywhere if p not in theirs.men and p != missing]
    extra = draw(st.lists(st.sampled_from(spots), min_size=1, max_size=reading.checkers - len(men) - 1))
    upstream = [p for p in spots if missing and missing < p <= missing + 6]
    extra += [draw(st.sampled_from(upstream or spots))]
    men += extra
    men += [extra[0]] * (reading.checkers - len(men))
    if runner_out(Board(side_of(men, reading), Side()), reading):
        beyond = [p for p in spots if not runner_out(Board(Side((p,)), Side()), reading)]
        men[-2] = draw(st.sampled_from(beyond or spots))
    return Board(side_of(men, reading), theirs)


@st.composite
def _boards(draw: st.DrawFn, reading: Reading, hands: bool) -> Board:
    matters = reading.prime != "any" or reading.points_limit != "none"
    if reading.checkers > 6 * reading.block and draw(st.integers(0, 1 if matters else 4)) == 0:
        board = _with_wall(draw, reading)
        if draw(st.booleans()):
            board = turned(board, reading)
    else:
        board = _two_sides(draw, reading, hands)
    if reading.blot == "pin":
        board = _with_pins(draw, board, reading)
    assume(possible(board, reading))
    return board


def boards(reading: Reading, hands: bool | None = None) -> st.SearchStrategy[Board]:
    """Boards that random games seldom meet: few checkers, odd stacks, pins, walls, the runner on his way, checkers on the bar or in hand.

    Args:
        hands: whether checkers may be in hand; None: in the games of the zoo that begin so.
    """
    if hands is None:
        hands = any(START[name] == () or reading.hit_to == "hand" for name in ZOO if ZOO[name] == reading)
    return _boards(reading, hands)


def numbers(reading: Reading, parts: bool = False) -> st.SearchStrategy[Numbers]:
    """What is left of a stage: all of it, or (`parts`) perhaps less."""
    whole = sorted({stage for roll in all_rolls(reading) for turns in (0, None) for stage in stages(roll, reading, turns)})
    fewer = sorted({stage[n:] for stage in whole for n in range(1, len(stage))})
    return st.sampled_from(whole) | st.sampled_from(fewer) if parts and fewer else st.sampled_from(whole)
