"""Widdershins, slow and plain: what its kernel is held to, and positions to try it on.

Nothing here comes from `tablezoo`. Spaces are their names, a side is the list of the spaces of its pieces, every path of
every move is walked, and the rule of most dice is applied by trying every order of the dice. The board is a reconstruction.
"""

import re
from collections.abc import Iterator
from dataclasses import dataclass, replace
from functools import cache
from itertools import pairwise
from typing import NamedTuple

from hypothesis import strategies as st

Spaces = tuple[str, ...]
World = tuple[tuple[str, str], ...]
"""Marks (space of a piece moved this turn, space it came from), sorted; read only where `uturn_scope` is "turn"."""

PIECES, GOAL, MOST_USES = 16, 5, 4
ARMS, ARCS = "NWSE", ("NW", "WS", "SE", "EN")
SKELETONS = {
    # name: spaces of an arm inside the circle, outside it, of an arc; runes: "bars", or (place of the inner rune, places of the arc runes)
    "W37-bars": (2, 2, 4, "bars"),
    "W37-alternating": (2, 2, 4, (1, (2, 4))),
    "W45-alternating": (3, 2, 5, (2, (2, 4))),
    "W33": (2, 1, 4, (1, (2, 4))),
    "W29": (2, 1, 3, (1, (1, 3))),
    "W21": (1, 1, 2, (1, (1, 2))),
    "W41-bars": (3, 1, 5, "bars"),
}


@dataclass(frozen=True)
class Reading:
    """The board and the options of the rules."""

    board: str = "W37-bars"
    numbers: str = "23456"
    turn_onto_circle: str = "ccw"
    uturn_scope: str = "move"
    pairs_block: bool = False
    enter_first: bool = False
    clear_door: str = "forced"
    credits: str = "per_capture"
    score_forced: bool = False
    reroll_after: str = "moves_and_entries"
    reroll_cap: str = "uses_and_dice"
    reroll_timing: str = "any"
    first_turn: str = "starter"
    forced_use: str = "max"


STANDARD = Reading()


class Board(NamedTuple):
    """The geometry."""

    spaces: Spaces
    steps: dict[str, Spaces]
    """Where a piece may step from each space, its past left aside."""
    runes: dict[str, str]
    doors: dict[str, dict[int, Spaces]]
    """By side and number: where that side enters and scores."""


@cache
def board_of(name: str, numbers: str) -> Board:
    """The board of that name with those numbers on N, W, S, E and the centre."""
    inner, outer, arc, pattern = SKELETONS[name]
    ring, end = inner + 1, inner + 1 + outer
    spaces = [space for arm, curve in zip(ARMS, ARCS, strict=True) for space in [f"{arm}{i + 1}" for i in range(end)] + [f"{curve}{i + 1}" for i in range(arc)]]
    edges: list[tuple[str, str]] = []
    for at, arm in enumerate(ARMS):
        bar = ["C"] + [f"{arm}{i + 1}" for i in range(end)]
        curve = [f"{arm}{ring}"] + [f"{ARCS[at]}{i + 1}" for i in range(arc)] + [f"{ARMS[(at + 1) % 4]}{ring}"]
        edges += [*pairwise(bar), *pairwise(bar[::-1]), *pairwise(curve)]
    runes = {}
    for at, (arm, curve) in enumerate(zip(ARMS, ARCS, strict=True)):
        mine, other = "xo" if at % 2 == 0 else "ox"
        if pattern == "bars":
            runes.update({f"{arm}{i + 1}": mine for i in range(end) if i + 1 != ring})
        else:
            runes[f"{arm}{end}"] = mine
            runes[f"{arm}{pattern[0]}"] = other
            runes.update({f"{curve}{i}": mine for i in pattern[1]})
    doors = {side: {1: tuple(f"{arm}{end}" for arm in ARMS if runes[f"{arm}{end}"] == side)} for side in "xo"}
    for side in "xo":
        doors[side] |= {int(number): (space,) for number, space in zip(numbers, [f"{arm}{ring}" for arm in ARMS] + ["C"], strict=True)}
    steps = {space: tuple(there for here, there in edges if here == space) for space in [*spaces, "C"]}
    return Board((*spaces, "C"), steps, runes, doors)


@dataclass(frozen=True)
class State:
    """A node as the player to act sees it."""

    own: Spaces = ()
    opponent: Spaces = ()
    captured: int = 0
    victory: int = 0
    ocaptured: int = 0
    ovictory: int = 0
    side: str = "x"
    dice: tuple[int, ...] = ()
    stage: str = ""
    uses: int = 0
    pending: int = 0
    """Rerolls earned and not yet taken or declined, whether or not the limit of uses still lets them be taken."""
    credits: int = 0
    """Scores allowed; with `unlimited` 1 once there was a capture, with `one_per_turn` -1 once the score was made."""
    enter: bool = False
    """A play node at which an entry is still due this turn."""
    first: int = 0
    """1: the first turn of the game; 2: the second player's first turn, where `first_turn` is "each"."""
    came: tuple[World, ...] = ((),)
    """Every set of marks that fits the plays of this turn, since a play does not name the path; the pieces of a pair have none."""


def start(reading: Reading) -> State:
    """Two pieces on each rune, x to roll."""
    runes = board_of(reading.board, reading.numbers).runes
    own, opponent = (tuple(sorted(2 * [space for space in runes if runes[space] == side])) for side in "xo")
    return State(own, opponent, first=1)


def node(state: State, reading: Reading) -> str:
    """Which kind of node this is: "roll", "play" or "over"."""
    if GOAL in (state.victory, state.ovictory):
        return "over"
    return "roll" if state.stage or not (state.dice or state.uses) else "play"


def outcome(state: State, reading: Reading) -> int | None:
    """Points won by whoever made the last play."""
    return None if node(state, reading) != "over" else 1 if state.ovictory == GOAL else -1


def chances(state: State, reading: Reading) -> dict[tuple[int, ...], int]:
    """Weights of the rolls at a roll node."""
    if state.stage:
        return {(number,): 1 for number in range(1, 7)}
    return {(a, b): 1 if a == b else 2 for a in range(1, 7) for b in range(1, a + 1) if a != b or state.first != 1}


def rolled(state: State, roll: tuple[int, ...], reading: Reading) -> State:
    """The play node after that roll."""
    dice = tuple(sorted(state.dice + roll, reverse=True))
    if state.stage:
        return replace(state, dice=dice, stage="")
    return replace(state, dice=dice, enter=state.captured > 0)


def passed(state: State, reading: Reading) -> State:
    """The turn is over: the opponent's node."""
    return State(
        own=state.opponent,
        opponent=state.own,
        captured=state.ocaptured,
        victory=state.ovictory,
        ocaptured=state.captured,
        ovictory=state.victory,
        side="o" if state.side == "x" else "x",
        first=2 if state.first == 1 and reading.first_turn == "each" else 0,
    )


# One use of a die


def is_arc(space: str) -> bool:
    """Whether a space lies on the circle between two intersections."""
    return space[1:2].isalpha()


@cache
def landings(reading: Reading, origin: str, number: int, closed: frozenset[str], back: str | None) -> frozenset[tuple[str, str]]:
    """Every (landing space, space before it) of a move of `number` steps that neither begins towards `back` nor passes over a closed space."""
    steps = board_of(reading.board, reading.numbers).steps
    walks = {(origin, there) for there in steps[origin] if there != back}
    for _ in range(number - 1):
        walks = {
            (here, there)
            for before, here in walks
            if here not in closed
            for there in steps[here]
            if there != before and not (reading.turn_onto_circle == "never" and is_arc(there) and not is_arc(here) and not is_arc(before))
        }
    return frozenset((there, here) for here, there in walks)


class Use(NamedTuple):
    """One use of one die; the node after it is still the mover's."""

    text: str
    kind: str
    number: int
    after: State


def without(items: tuple, item: object) -> tuple:
    """The items less one."""
    at = items.index(item)
    return items[:at] + items[at + 1 :]


def pieces_of(state: State, space: str, world: World) -> Iterator[tuple[str | None, World]]:
    """The pieces on a space that differ in where they came from: (that, marks of the others)."""
    marks = [mark for mark in world if mark[0] == space]
    if len(marks) < state.own.count(space):
        yield None, world
    for mark in set(marks):
        yield mark[1], without(world, mark)


def used(state: State, number: int, kind: str, reading: Reading) -> State:
    """Take the die off the table and count the use."""
    earning = {"moves_and_entries": ("move", "enter"), "moves_only": ("move",), "any_use": ("move", "enter", "score")}[reading.reroll_after]
    earned = number == 3 and kind in earning and not state.first
    return replace(state, dice=without(state.dice, number), uses=state.uses + 1, pending=state.pending + earned, enter=state.enter and kind != "enter")


def landed(state: State, space: str, reading: Reading) -> tuple[State, str]:
    """Put an own piece on a space, capturing what stands there; and the star of a capture."""
    if space in state.own:  # nobody can tell the two pieces of a pair apart
        state = replace(state, came=tuple(sorted({tuple(mark for mark in world if mark[0] != space) for world in state.came})))
    state = replace(state, own=tuple(sorted((*state.own, space))))
    if space not in state.opponent:
        return state, ""
    credits = {"per_capture": state.credits + 1, "unlimited": 1, "one_per_turn": state.credits or 1}[reading.credits]
    return replace(state, opponent=without(state.opponent, space), ocaptured=state.ocaptured + 1, credits=credits), "*"


def all_uses(state: State, reading: Reading) -> Iterator[Use]:
    """Every move, entry and score with one of the dice, the compulsion to use as many as possible left aside."""
    if state.uses == MOST_USES:
        return
    board = board_of(reading.board, reading.numbers)
    full = {space for side in (state.own, state.opponent) for space in side if side.count(space) > 1}
    for number in sorted(set(state.dice)):
        for space in board.doors[state.side][number]:
            if state.captured and space not in full:
                after, star = landed(used(state, number, "enter", reading), space, reading)
                yield Use(f"enter {space}{star}", "enter", number, replace(after, captured=state.captured - 1))
        if state.enter and reading.enter_first:
            continue
        for origin in sorted(set(state.own)):
            came: dict[str, set[World]] = {}
            for world in state.came:
                for back, others in pieces_of(state, origin, world):
                    for space, before in landings(reading, origin, number, frozenset(full if reading.pairs_block else ()), back):
                        mark = [(space, before)] if reading.uturn_scope == "turn" and before in board.steps[space] else []
                        came.setdefault(space, set()).add(tuple(sorted([*others, *mark])))
            for space in sorted(set(came) - full):
                lifted = replace(used(state, number, "move", reading), own=without(state.own, origin), came=tuple(sorted(came[space])))
                after, star = landed(lifted, space, reading)
                yield Use(f"{origin}-{space}{star}", "move", number, after)
        for space in board.doors[state.side][number]:
            if state.credits > 0 and space in state.own:
                came_left = tuple(sorted({others for world in state.came for _, others in pieces_of(state, space, world)}))
                credits = {"per_capture": state.credits - 1, "unlimited": 1, "one_per_turn": -1}[reading.credits]
                after = replace(
                    used(state, number, "score", reading), own=without(state.own, space), victory=state.victory + 1, credits=credits, came=came_left
                )
                yield Use(f"score {space}", "score", number, after)


# What must be used


def most(state: State, reading: Reading) -> int:
    """The most dice on the table that moves and entries can use (and scores, where they are compulsory); -1 if an entry is due and impossible."""
    limit = min(len(state.dice), MOST_USES - state.uses)
    best = -1 if state.enter else 0
    for use in all_uses(state, reading):
        if use.kind == "score" and not reading.score_forced:
            continue
        then = most(use.after, reading)
        if then >= 0:
            best = max(best, limit if use.after.victory == GOAL else 1 + then)
        if best == limit:
            break
    return best


def legal_uses(state: State, reading: Reading) -> Iterator[Use]:
    """The uses the rules allow: each keeps an entry that is due possible, and the most dice, unless it wins."""
    need = most(state, reading)
    if need < 0:
        return
    for use in all_uses(state, reading):
        then = most(use.after, reading)
        if then >= 0 and (reading.forced_use == "greedy" or use.after.victory == GOAL or 1 + then >= need):
            yield use


def may_reroll(state: State, reading: Reading) -> bool:
    """Whether a reroll can be taken now."""
    total = state.uses + (len(state.dice) if reading.reroll_cap == "uses_and_dice" else 0)
    return state.pending > 0 and not state.first and not state.enter and total < MOST_USES


def settled(state: State, reading: Reading) -> tuple[State, bool]:
    """The node after a use: the mover's while anything but the end of his turn is left to him."""
    idle = not may_reroll(state, reading) and next(legal_uses(state, reading), None) is None
    return (passed(state, reading), False) if state.victory == GOAL or idle else (state, True)


def plays(state: State, reading: Reading) -> dict[str, tuple[State, bool]]:
    """Every play of the stage: the next node, and whether the same player acts there."""
    reroll = {"reroll": (replace(state, stage="reroll", pending=state.pending - 1), True)}
    if may_reroll(state, reading) and reading.reroll_timing == "immediate":
        return reroll | {"keep": settled(replace(state, pending=state.pending - 1), reading)}
    uses = list(legal_uses(state, reading))
    texts = [use.text for use in uses]
    found = {use.text + (f"({use.number})" if texts.count(use.text) > 1 else ""): settled(use.after, reading) for use in uses}
    if may_reroll(state, reading):
        found |= reroll
    # With clear_door="optional" a player whose every door is shut, some by his own pair, may clear and enter or lose the whole turn.
    declines = reading.clear_door == "optional" and state.enter and not any(use.kind == "enter" for use in all_uses(state, reading))
    if declines or all(use.kind == "score" and not reading.score_forced for use in uses):
        found["end"] = passed(state, reading), False
    return found


# Texts

COUNTERS = ("captured", "victory", "ocaptured", "ovictory", "side", "dice", "stage", "uses", "pending", "credits", "enter", "first", "came")


def text(state: State, reading: Reading) -> str:
    """Position text. Marks: `came=N3<N2+W2<W3/-`, the worlds apart by `/`, an empty one `-`."""
    order = board_of(reading.board, reading.numbers).spaces
    own, opponent = (" ".join(f"{space}:{side.count(space)}" for space in order if space in side) for side in (state.own, state.opponent))
    values = {name: getattr(state, name) for name in COUNTERS}
    values["dice"] = "".join(map(str, state.dice))
    values["enter"] = int(state.enter and state.uses > 0)
    values["came"] = "" if state.came == ((),) else "/".join("+".join(f"{here}<{there}" for here, there in world) or "-" for world in state.came)
    return f"{own} | {opponent}".strip() + f" ({' '.join(f'{name}={value}' for name, value in values.items() if value)})"


def parse(words: str, reading: Reading) -> State:
    """Read a position text."""
    match = re.fullmatch(r"([^|]*)\|([^(]*)(?:\((.*)\))?\s*", words)
    assert match, words
    own, opponent = (tuple(sorted(s for word in part.split() for s in [word.split(":")[0]] * int(word.split(":")[1]))) for part in match.groups()[:2])
    assert set(own + opponent) <= set(board_of(reading.board, reading.numbers).spaces), words
    values: dict[str, object] = {}
    for name, value in (word.split("=") for word in (match[3] or "").replace(",", " ").split()):
        assert name in COUNTERS, words
        values[name] = value if name in ("side", "stage", "dice", "came") else int(value)
    values["dice"] = tuple(sorted(map(int, str(values.get("dice", ""))), reverse=True))
    enter = values.get("enter", values.get("captured", 0) and values["dice"] and not values.get("uses", 0))
    worlds = str(values.get("came", "-")).split("/")
    came = tuple(tuple((mark.split("<")[0], mark.split("<")[1]) for mark in world.split("+") if mark != "-") for world in worlds)
    return State(own, opponent, **(values | {"enter": bool(enter), "came": came}))


# Positions to try


@st.composite
def boards(draw: st.DrawFn, reading: Reading) -> tuple[Spaces, Spaces]:
    """Pieces of both sides: few or many, singles and pairs, often on doors and beside them."""
    board = board_of(reading.board, reading.numbers)
    doors = sorted({space for side in board.doors.values() for spaces in side.values() for space in spaces})
    near = sorted({*doors, *(there for space in doors for there in board.steps[space])})
    pool = draw(st.sampled_from([doors, near, list(board.spaces)]))
    most_spots = min(draw(st.sampled_from([3, 6, 10, 20])), len(pool))
    spots = draw(st.lists(st.sampled_from(pool), unique=True, min_size=most_spots * 2 // 3, max_size=most_spots))
    sides: tuple[list[str], list[str]] = ([], [])
    for spot in spots:
        side, count = draw(st.sampled_from(sides)), draw(st.sampled_from([1, 2, 2]))
        side += [spot] * min(count, PIECES - len(side))
    return tuple(sorted(sides[0])), tuple(sorted(sides[1]))


def met(state: State, reading: Reading) -> bool:
    """Whether a game can stop at this play node: the turn has not ended by itself (a number just rolled always waits for an answer)."""
    rolled_now = bool(state.dice) and (state.uses == 0 or state.uses + len(state.dice) > 2)
    return rolled_now or settled(state, reading)[1]


@st.composite
def states(draw: st.DrawFn, reading: Reading, whole: bool = False) -> State:
    """Play nodes that random games seldom meet: prisoners, shut doors, credits and rerolls in hand, a win near; with `whole` 16 pieces a side."""

    def drawn() -> State:
        own, opponent = draw(boards(reading))
        victory, ovictory = (min(draw(st.sampled_from([0, 1, 3, GOAL - 1, GOAL - 1])), PIECES - len(side)) for side in (own, opponent))
        captured, ocaptured = (
            PIECES - len(side) - scored if whole else min(draw(st.sampled_from([0, 0, 1, 2])), PIECES - len(side) - scored)
            for side, scored in ((own, victory), (opponent, ovictory))
        )
        uses = draw(st.integers(0, MOST_USES - 1))
        enter = captured > 0 and uses < 2 and (uses == 0 or draw(st.booleans()))
        first = 0 if whole or uses > 1 or captured else draw(st.sampled_from([0, 0, 0, 1]))
        threes = 0 if first else draw(st.integers(0, uses))
        least = max(uses - 2, 0)
        total = 4 if reading.reroll_cap == "uses_and_dice" else 5
        rerolls = 0 if enter or first else draw(st.integers(least, max(least, min(threes, uses, total - 2))))
        threes = max(threes, rerolls)
        faces = st.integers(1, 6)
        dice = draw(st.lists(faces, min_size=2 + rerolls - uses, max_size=2 + rerolls - uses, unique=bool(first)))
        bound = min(uses, ocaptured) if reading.credits == "per_capture" else min(uses, ocaptured, 1)
        spent = reading.credits == "one_per_turn" and uses >= 2 and victory > 0 and draw(st.booleans())
        credits = -1 if spent else draw(st.sampled_from([bound, bound, 0]))
        marks = [
            (s, t) for s in sorted(set(own)) if own.count(s) == 1 and not is_arc(s) for t in board_of(reading.board, reading.numbers).steps[s] if not is_arc(t)
        ]
        marked = reading.uturn_scope == "turn" and uses > 0 and marks and draw(st.booleans())
        return State(
            own,
            opponent,
            captured=captured,
            victory=victory,
            ocaptured=ocaptured,
            ovictory=ovictory,
            side=draw(st.sampled_from("xo")),
            dice=tuple(sorted(dice, reverse=True)),
            uses=uses,
            pending=threes - rerolls,
            credits=credits,
            enter=enter,
            first=first,
            came=((draw(st.sampled_from(marks)),) if marked else (),),
        )

    for _ in range(20):
        state = drawn()
        if node(state, reading) == "play" and met(state, reading):
            return state
    return replace(
        state, dice=draw(st.sampled_from([(2, 1), (4, 3), (6, 5), (3, 3)])), uses=0, pending=0, credits=0, enter=state.captured > 0, first=0, came=((),)
    )
