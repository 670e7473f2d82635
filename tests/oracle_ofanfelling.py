"""Ofanfelling, slow and plain: what its kernel is held to, and positions to try it on.

Nothing here comes from `tablezoo`. A throw is played by trying every order of its numbers and every man, and the rule of most
numbers is applied to the list of all sequences at the end. Phases 1 and 2 leave no choice, so a throw has one play there.
"""

import re
from collections.abc import Iterator
from dataclasses import dataclass, replace
from typing import NamedTuple

from hypothesis import strategies as st

Points = tuple[int, int, int, int, int, int]
"""A number for each of the points 1 to 6."""

MEN = 12
DOWN, UP, OFF = 1, 2, 3
"""Phases: bring the upper men down, put them back up, bear off."""


@dataclass(frozen=True)
class Reading:
    """The options of the rules."""

    void_scope: str = "die"
    void_doublet_rethrow: bool = True
    carry_over: bool = True
    bearoff_doublets: str = "backgammon"
    bearoff_over: str = "highest"
    phase_sync: str = "per_player"
    equal_turns: bool = False


STANDARD = Reading()


class Side(NamedTuple):
    """One player's men."""

    up: Points = (2, 2, 2, 2, 2, 2)
    down: Points = (0, 0, 0, 0, 0, 0)
    phase: int = DOWN

    @property
    def on_board(self) -> int:
        """Men not borne off."""
        return sum(self.up) + sum(self.down)


STACKED = Side()


@dataclass(frozen=True)
class State:
    """A node as the player to act sees it."""

    own: Side = STACKED
    opponent: Side = STACKED
    dice: tuple[int, ...] = ()
    starter: bool = False
    """The player to act began the game; read only under `equal_turns`."""


def start(reading: Reading) -> State:
    """All men stacked two on a point, the player who begins to throw."""
    return State(starter=reading.equal_turns)


def node(state: State, reading: Reading) -> str:
    """Which kind of node this is: "roll", "play" or "over"."""
    finished = not state.own.on_board or not state.opponent.on_board
    if finished and (state.starter or not reading.equal_turns):
        return "over"
    return "play" if state.dice else "roll"


def outcome(state: State, reading: Reading) -> int | None:
    """Points won by whoever made the last play: the opponent of the player to act."""
    if node(state, reading) != "over":
        return None
    return (not state.opponent.on_board) - (not state.own.on_board)


def chances(state: State, reading: Reading) -> dict[tuple[int, ...], int]:
    """Weights of the throws at a roll node."""
    return {(a, b): 1 if a == b else 2 for a in range(1, 7) for b in range(1, a + 1)}


def rolled(state: State, roll: tuple[int, ...], reading: Reading) -> State:
    """The play node after that throw."""
    return replace(state, dice=tuple(sorted(roll, reverse=True)))


def passed(state: State, reading: Reading) -> State:
    """The turn is over: the opponent's node."""
    return State(state.opponent, state.own, starter=reading.equal_turns and not state.starter)


# One number


def moved(points: Points, *changes: tuple[int, int]) -> Points:
    """The points with some numbers changed."""
    counts = list(points)
    for point, change in changes:
        counts[point - 1] += change
    return tuple(counts)


def advanced(own: Side, opponent: Side, reading: Reading) -> tuple[Side, Side]:
    """Both sides, their phases moved on where they have ended: each for himself, or both together."""

    def ended(side: Side) -> bool:
        return (side.phase == DOWN and sum(side.down) == 6) or (side.phase == UP and not sum(side.down))

    if reading.phase_sync == "both":
        both = ended(own) and ended(opponent)
        return (own._replace(phase=own.phase + 1), opponent._replace(phase=opponent.phase + 1)) if both else (own, opponent)
    return (own._replace(phase=own.phase + 1) if ended(own) else own), opponent


def after_number(own: Side, number: int, reading: Reading) -> Iterator[tuple[str, Side]]:
    """Every use of one number, with its text; none if it counts for nothing."""
    lying = own.down[number - 1]
    if own.phase == DOWN and not lying:
        yield f"down {number}", own._replace(up=moved(own.up, (number, -1)), down=moved(own.down, (number, 1)))
    if own.phase == UP and lying:
        yield f"up {number}", own._replace(up=moved(own.up, (number, 1)), down=moved(own.down, (number, -1)))
    if own.phase == OFF:
        places = [point for point in range(1, 7) if own.up[point - 1]]
        for place in places:
            if place > number:
                yield f"{place}/{place - number}", own._replace(up=moved(own.up, (place, -1), (place - number, 1)))
            elif place == number or reading.bearoff_over == "any" or (reading.bearoff_over == "highest" and place == max(places)):
                yield f"{place}/off", own._replace(up=moved(own.up, (place, -1)))


# A throw

Sequence = tuple[tuple[str, ...], Side, Side]
"""(texts of the uses in their order, own men, the opponent's)."""


def sequences(own: Side, opponent: Side, numbers: tuple[int, ...], reading: Reading) -> Iterator[Sequence]:
    """Every way to go through the numbers in the order given, a number that cannot be used counting for nothing."""
    if not numbers or not own.on_board:
        yield (), own, opponent
        return
    uses = list(after_number(own, numbers[0], reading))
    for words, after in uses:
        mine, theirs = advanced(after, opponent, reading)
        left = numbers[1:] if reading.carry_over or mine.phase == own.phase else ()
        for rest, end, other in sequences(mine, theirs, left, reading):
            yield (words, *rest), end, other
    if not uses:
        yield from sequences(own, opponent, numbers[1:], reading)


def throws_again(state: State, reading: Reading) -> bool:
    """Whether this throw is a doublet that moves one man and gives another throw."""
    return state.dice[0] == state.dice[1] and (state.own.phase != OFF or reading.bearoff_doublets == "rethrow")


def legal_sequences(state: State, reading: Reading) -> list[Sequence]:
    """The sequences the rules allow: those that use the most numbers; the end of the game counts as using all."""
    large, small = state.dice
    doublet = (large,) if throws_again(state, reading) else (large,) * 4
    orders = [doublet] if large == small else [(large, small), (small, large)]
    found = [sequence for order in orders for sequence in sequences(state.own, state.opponent, order, reading)]

    def worth(sequence: Sequence) -> int:
        return len(orders[0]) if not sequence[1].on_board else len(sequence[0])

    most = max(map(worth, found))
    if reading.void_scope == "throw" and state.own.phase != OFF and most < len(orders[0]):
        return [((), state.own, state.opponent)]
    return [sequence for sequence in found if worth(sequence) == most]


def written(uses: tuple[str, ...]) -> str:
    """Text of a play: men down and up in their order, then the moves from the highest point, equal ones combined."""
    moves = sorted((word for word in uses if "/" in word), reverse=True)
    combined = [word + (f"({moves.count(word)})" if moves.count(word) > 1 else "") for word in dict.fromkeys(moves)]
    return " ".join([word for word in uses if "/" not in word] + combined) or "pass"


def plays(state: State, reading: Reading) -> dict[str, tuple[State, bool]]:
    """Every play of the throw: the next node, and whether the same player throws again. Each next node once, under the first of its texts."""
    found: dict[tuple[State, bool], str] = {}
    for uses, own, opponent in legal_sequences(state, reading):
        again = throws_again(state, reading) and (bool(uses) or reading.void_doublet_rethrow) and own.on_board > 0
        after = replace(state, own=own, opponent=opponent, dice=())
        found.setdefault((after, True) if again else (passed(after, reading), False), written(uses))
    assert len(set(found.values())) == len(found)
    return {words: result for result, words in found.items()}


# Texts


def side_text(side: Side) -> str:
    """Points 6 to 1: `5:2`, and `5:1d1` where a man lies down."""
    return " ".join(
        f"{p}:{side.up[p - 1]}" + (f"d{side.down[p - 1]}" if side.down[p - 1] else "") for p in range(6, 0, -1) if side.up[p - 1] + side.down[p - 1]
    )


def text(state: State, reading: Reading) -> str:
    """Position text."""
    counters = {
        "off": MEN - state.own.on_board,
        "ooff": MEN - state.opponent.on_board,
        "dice": "".join(map(str, state.dice)),
        "phase": state.own.phase % OFF,
        "ophase": state.opponent.phase % OFF,
        "starter": int(state.starter),
    }
    words = [f"{name}={value}" for name, value in counters.items() if value]
    return f"{side_text(state.own)} | {side_text(state.opponent)}".strip() + (f" ({' '.join(words)})" if words else "")


def parse(words: str, reading: Reading) -> State:
    """Read a position text; men who do not stand on it are off."""
    match = re.fullmatch(r"([^|]*)\|([^(]*)(?:\((.*)\))?\s*", words)
    assert match, words
    values = dict(word.split("=") for word in (match[3] or "").replace(",", " ").split())

    def side(part: str, phase: str) -> Side:
        up, down = [0] * 6, [0] * 6
        for point, men, lying in re.findall(r"(\d):(\d+)(?:d(\d))?", part):
            up[int(point) - 1], down[int(point) - 1] = int(men), int(lying or 0)
        return Side(tuple(up), tuple(down), int(values.get(phase, OFF)))

    own, opponent = side(match[1], "phase"), side(match[2], "ophase")
    assert values.get("off", str(MEN - own.on_board)) == str(MEN - own.on_board), words
    assert values.get("ooff", str(MEN - opponent.on_board)) == str(MEN - opponent.on_board), words
    dice = tuple(sorted(map(int, values.get("dice", "")), reverse=True))
    return State(own, opponent, dice, values.get("starter") == "1")


# Positions to try


@st.composite
def stacked(draw: st.DrawFn, phase: int, unended: bool) -> Side:
    """A side in phase 1 or 2, often with one point left; `unended` leaves it something to do there."""
    few = st.integers(1, 6).map(lambda point: {point})
    left = draw(few | st.sets(st.integers(1, 6), min_size=int(unended)))
    lying = [int((point in left) == (phase == UP)) for point in range(1, 7)]
    return Side(tuple(2 - d for d in lying), tuple(lying), phase)


@st.composite
def bearing_off(draw: st.DrawFn, least: int) -> Side:
    """A side in phase 3 with at least that many men on the board, often very few; no man stands behind where he began."""
    most = draw(st.sampled_from([2, 4, 7, MEN]))
    men = sorted(draw(st.lists(st.integers(1, 6), min_size=least, max_size=most)), reverse=True)
    men = [min(place, 6 - at // 2) for at, place in enumerate(men)]
    return Side(tuple(men.count(point) for point in range(1, 7)), phase=OFF)


@st.composite
def states(draw: st.DrawFn, reading: Reading) -> State:
    """Play nodes that random games seldom meet: few men left, one point left in a phase, phases far apart."""
    starter = reading.equal_turns and draw(st.booleans())
    may_be_finished = reading.equal_turns and not starter
    phase = draw(st.sampled_from([DOWN, UP, OFF, OFF]))
    ophase = phase if reading.phase_sync == "both" else draw(st.integers(DOWN, OFF))
    waiting = reading.phase_sync == "both" and draw(st.sampled_from(["nobody", "own", "opponent"]))
    own = draw(bearing_off(1) if phase == OFF else stacked(phase, waiting != "own"))
    opponent = draw(bearing_off(0 if may_be_finished else 1) if ophase == OFF else stacked(ophase, waiting != "opponent"))
    dice = draw(st.tuples(st.integers(1, 6), st.integers(1, 6)))
    return State(own, opponent, tuple(sorted(dice, reverse=True)), starter)
