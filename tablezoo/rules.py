"""The rules record: what the kernels read, and the one constructor that casts and checks it."""

import difflib
from collections.abc import Iterable, Mapping, Sequence
from itertools import permutations
from typing import Literal, NamedTuple, TypeAlias

import numpy as np
from numpy.typing import NDArray

Option: TypeAlias = str | bool | int
Reading: TypeAlias = str | bool
Readings: TypeAlias = dict[Reading, int]
"""The readings of an option, the default first, by the number that stands for each in the record."""

Kind: TypeAlias = Literal["track", "unstack", "cross"]
"""How a game's checkers go: round a track of points; up and down on six points, then off; over a cross of spaces."""
KINDS: dict[Kind | Literal["wide"], int] = {"track": 0, "unstack": 1, "cross": 2, "wide": 3}
"""Kernels; `wide` plays the track games whose rules go beyond backgammon's (`WIDE_IF`)."""


def _flag(default: bool) -> Readings:
    return {default: int(default), not default: int(not default)}


def _words(*readings: str) -> Readings:
    return {reading: number for number, reading in enumerate(readings)}


RECORDED: dict[str, Readings] = {
    # 0: the starter plays the two numbers of the roll-off, which differ; else he throws both dice (won by roll-off, white, by lot)
    "opening": {"rolloff_use_dice": 0, "rolloff_reroll": 1, "white_first": 2, "random": 3},
    # 0 max: as many numbers as possible must be played; 1 greedy: play on while any number can be played
    "forced_use": _words("max", "greedy"),
    # 1: if either of two numbers can be played but not both, the larger must be (with forced_use max)
    "larger_die": _flag(True),
    # most points a game can count; 15 stands for as many as the loser has checkers left
    "scoring": {"backgammon": 3, "gammon": 2, "single": 1, "men_left": 15},
    # 1: a point of the home board where a blot was hit keeps a checker until the end of the turn; 2: unless numbers would be wasted
    "hit_and_run": _words("allowed", "forbidden", "unless_wasted"),
    # which bear-offs of two different numbers are barred (`charge` in tablezoo/kernel/track.py): 1 the smaller number first where the larger would
    # bear off that checker; 2 those that waste more pips than necessary; 3 those that bear off fewer checkers than possible
    "waste_pips": _words("off", "no_small_first", "min_waste", "max_off"),
    # 0: that holds in turns that begin with all checkers at home; 1: in all turns
    "waste_scope": _words("turn_start", "always"),
    # what a number bears off: 0 the checker exactly so far away, or the highest if all are nearer; 1 only the former; 2 any that is not farther away
    "bear_off": _words("furthest", "exact", "anytime"),
}
"""Options of track games that the record has for all kinds, after the number of checkers."""

CHECKERS, OPENING_RULE, FORCED_USE, LARGER_DIE, SCORING, HIT_AND_RUN, WASTE_PIPS, WASTE_SCOPE, BEAR_OFF = range(1 + len(RECORDED))
"""Where the record's table has them."""
FURTHER = 1 + len(RECORDED)
"""Where the further options of a kind begin in it."""

CHOICES: dict[Kind, dict[str, Readings]] = {
    "track": {
        **RECORDED,
        # what a doublet d-d brings: d four times; twice; d, d + 1 and so on to 6, four times each; d and then 7 - d, four times each, and another throw
        "doubles": _words("twice", "once", "escalate", "complement"),
        # first turns of each player in which doubles do not escalate
        "plain_doubles_turns": _words("0", "1", "2", "3"),
        # what becomes of numbers that cannot be played: nothing; the opponent plays them, and what they would have brought, before he throws
        "unused": _words("lost", "opponent"),
        # whether 2-1, played whole, lets a player choose a double, and that, played whole, throw again
        "acey_deucey": _flag(False),
        # contrary; parallel, from opposite corners; the same way from the same corner
        "movement": _words("contrary", "parallel", "same"),
        "block": {"2": 2, "1": 1},
        "blot": _words("hit", "pin", "none"),
        "head_limit": _words("0", "1"),
        "head_first": _words("none", "3-4-6", "when_stuck"),
        "runner": _words("none", "past_start", "home"),
        "prime": _words("any", "ahead", "fevga"),
        "prime_check": _words("number", "turn"),
        "points_limit": _words("none", "enemy_start", "own_home"),
        "mother": _words("none", "pinner_home", "strict"),
        "protect": _words("none", "adjacent"),
        "stack_limit": _words("0", "1"),
        "hit_to": _words("bar", "hand"),
        # whether all checkers in hand must enter before others move
        "enter_hand_first": _flag(False),
        # whether a player may hit only if he has a checker at home or off
        "hit_needs_home": _flag(False),
        # whether nobody passes to the second half of the board before all have entered
        "half_gate": _flag(False),
        # whether all checkers must be at home before one is borne off
        "bear_off_gate": _flag(True),
        "next_starter": _words("roll", "winner"),
    },
    "unstack": {
        "void_scope": _words("die", "throw"),
        "void_doublet_rethrow": _flag(True),
        "carry_over": _flag(True),
        "bearoff_doublets": _words("backgammon", "rethrow"),
        "bearoff_over": _words("highest", "exact", "any"),
        "phase_sync": _words("per_player", "both"),
        "equal_turns": _flag(False),
        "starter": _words("total", "one_die", "fixed"),
        "next_starter": _words("roll", "winner"),
    },
    "cross": {
        "turn_onto_circle": _words("ccw", "never"),
        "uturn_scope": _words("move", "turn"),
        "pairs_block": _flag(False),
        "enter_first": _flag(False),
        "clear_door": _words("forced", "optional"),
        "credits": _words("per_capture", "unlimited", "one_per_turn"),
        "score_forced": _flag(False),
        "reroll_after": _words("moves_and_entries", "moves_only", "any_use"),
        "reroll_cap": _words("uses_and_dice", "uses"),
        "reroll_timing": _words("any", "immediate"),
        "first_turn": _words("starter", "each"),
        "forced_use": _words("max", "greedy"),
        "board": _words("W37-bars", "W37-alternating", "W45-alternating", "W33", "W29", "W21", "W41-bars"),
        "numbers": {"".join(order): int("".join(order)) for order in permutations("23456")},
        "next_starter": _words("roll", "winner"),
    },
}
"""The options of each kind of game."""

WIDE_IF = (
    *("movement", "block", "blot", "head_limit", "runner", "prime", "points_limit", "mother", "protect", "stack_limit", "hit_to"),
    *("unused", "acey_deucey", "enter_hand_first", "hit_needs_home", "half_gate", "bear_off_gate"),
)
"""Options of track games that, off their defaults, need the general kernel."""
WIDE_READINGS: dict[str, tuple[Reading, ...]] = {"bear_off": ("anytime",), "scoring": ("men_left",), "doubles": ("escalate", "complement")}
"""Readings of others that need it."""


BACKGAMMONS = (24, 2, 0)
"""Points, dice and checkers in hand of backgammon."""
CHAINS: dict[str, tuple[Reading, ...]] = {"doubles": ("twice", "once"), "acey_deucey": (False,), "unused": ("lost",)}
"""Options that may bring several stages to a turn, and their readings that do not."""


class Rules(NamedTuple):
    """The rules of a game as numbers: build it with `make_rules` only. Two fields, because kernels pass them on from call to call."""

    kind: np.uint64
    """`KINDS`."""
    table: NDArray[np.uint64]
    """The number of checkers, the options of `RECORDED`, those of the kind (`own_options`), and what else its kernels look up."""


def own_options(kind: Kind) -> list[str]:
    """Options of a kind beyond those that the record has for all."""
    return [name for name in CHOICES[kind] if kind != "track" or name not in RECORDED]


def closest(word: str, known: Iterable[str]) -> str:
    """' (did you mean ...?)' with the most similar known word, or ''."""
    match = difflib.get_close_matches(word, list(known), n=1)
    return f" (did you mean {match[0]}?)" if match else ""


def readings(kind: Kind, options: Mapping[str, Option]) -> dict[str, Reading]:
    """The reading of every option of a kind; options left out keep the default.

    Raises:
        ValueError: unknown option or reading, named with a suggestion; or two that do not go together.
    """
    choices = CHOICES[kind]
    settled = {name: next(iter(known)) for name, known in choices.items()}
    for name, given in options.items():
        value = str(given) if isinstance(given, int) and not isinstance(given, bool) else given
        if name not in choices:
            raise ValueError(f"unknown option {name!r}{closest(name, choices)}; options: {', '.join(choices)}")
        known = choices[name]
        if not isinstance(value, str | bool) or value not in known:
            some = [*map(str, list(known)[:12]), *(["..."] if len(known) > 12 else [])]
            raise ValueError(f"option {name} cannot be {given!r}{closest(str(value), map(str, known))}; readings: {', '.join(some)}")
        settled[name] = value
    if kind == "track":
        check_track(settled)
    return settled


def check_track(settled: Mapping[str, Reading]) -> None:
    """Refuse readings of a track game that do not go together.

    Raises:
        ValueError: names them.
    """
    if settled["forced_use"] == "greedy" and settled["waste_pips"] != "off":
        raise ValueError("waste_pips compares the plays of most numbers: it goes with forced_use=max only")
    if settled["runner"] == "past_start" and settled["movement"] != "parallel":
        raise ValueError("runner=past_start: nobody passes the opponent's start except in movement=parallel, and no other checker would ever move")
    if settled["plain_doubles_turns"] != "0" and settled["doubles"] != "escalate":
        raise ValueError(f"plain_doubles_turns={settled['plain_doubles_turns']}: only where doubles=escalate")
    chains = [f"{name}={settled[name]}" for name, plain in CHAINS.items() if settled[name] not in plain]
    if chains and settled["head_limit"] != "0":
        raise ValueError(f"head_limit={settled['head_limit']} counts the checkers of a turn: it does not go with {chains[0]}")
    if chains and settled["forced_use"] != "max":
        raise ValueError(f"forced_use={settled['forced_use']}: with {chains[0]} all plays of a stage must use as many numbers")
    if settled["unused"] == "opponent" and not settled["larger_die"]:
        raise ValueError("larger_die=False: with unused=opponent it would not be plain which number is left")


def make_rules(kind: Kind, checkers: int, settled: Mapping[str, Reading], further: Sequence[int] = ()) -> Rules:
    """The record of settled readings.

    Args:
        kind: of the game.
        checkers: a side.
        settled: as `readings` gives them.
        further: what the table holds beyond the options of the kind; of a track game its points, dice, and checkers that begin in hand.

    Raises:
        ValueError: checkers outside 1 to 15, or readings that do not go with the board or the dice.
    """
    if not 1 <= checkers <= (16 if kind == "cross" else 15):
        raise ValueError(f"checkers must be 1 to 15, not {checkers}")
    numbers = {name: known[settled[name]] for name, known in CHOICES[kind].items()}
    plain = {name: 0 for name in RECORDED} | {"opening": 1, "scoring": 1, "bear_off": numbers.get("bearoff_over", 0)}
    common = numbers if kind == "track" else plain
    table = [checkers, *(common[name] for name in RECORDED), *(numbers[name] for name in own_options(kind))]
    odd = [name for name in WIDE_IF if kind == "track" and settled[name] != next(iter(CHOICES[kind][name]))]
    if kind == "track":
        odd += [f"{name}={settled[name]}" for name, known in WIDE_READINGS.items() if settled[name] in known]
        check_board(settled, *further)
    wide = kind == "track" and bool(odd or tuple(further) != BACKGAMMONS)
    if wide and (settled["hit_and_run"] != "allowed" or settled["waste_pips"] != "off"):
        name = "hit_and_run" if settled["hit_and_run"] != "allowed" else "waste_pips"
        raise ValueError(f"{name}={settled[name]} goes with backgammon's board and movement only, not with {' or '.join(odd) or 'this game'}")
    return Rules(np.uint64(KINDS["wide" if wide else kind]), np.array([*table, *further, 0], np.uint64))


def check_board(settled: Mapping[str, Reading], points: int, dice: int, hand: int) -> None:
    """Refuse readings of a track game that do not go with its board, its dice or its hands.

    Raises:
        ValueError: names them.
    """
    if settled["movement"] == "parallel" and points != 24:
        raise ValueError("movement=parallel goes with a board of 24 points only")
    if settled["movement"] == "same" and not hand:
        raise ValueError("movement=same goes with games that begin with all checkers in hand: both sides would start on the same points")
    two_only: dict[str, tuple[Reading, ...]] = {"doubles": WIDE_READINGS["doubles"], "acey_deucey": (True,), "unused": ("opponent",)}
    three_not: dict[str, tuple[Reading, ...]] = {"doubles": ("twice",), "opening": ("rolloff_use_dice",), "larger_die": (True,)}
    refused = [*two_only.items(), *three_not.items()] if dice == 3 else list(two_only.items()) if dice == 1 else []
    for name, bad in refused:
        if settled[name] in bad:
            raise ValueError(f"{name}={settled[name]} does not go with {'one die' if dice == 1 else 'three dice'}")
