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
        "doubles": _words("twice", "once"),
        "movement": _words("contrary", "parallel"),
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

WIDE_IF = ("movement", "block", "blot", "head_limit", "runner", "prime", "points_limit", "mother", "protect", "stack_limit", "hit_to")
"""Options of track games that, off their defaults, need the general kernel."""


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
    if kind == "track" and settled["forced_use"] == "greedy" and settled["waste_pips"] != "off":
        raise ValueError("waste_pips compares the plays of most numbers: it goes with forced_use=max only")
    if kind == "track" and settled["runner"] == "past_start" and settled["movement"] == "contrary":
        raise ValueError("runner=past_start: nobody passes the opponent's start in movement=contrary, and no other checker would ever move")
    return settled


def make_rules(kind: Kind, checkers: int, settled: Mapping[str, Reading], further: Sequence[int] = (), special: bool = False) -> Rules:
    """The record of settled readings.

    Args:
        kind: of the game.
        checkers: a side.
        settled: as `readings` gives them.
        further: what the table holds beyond the options of the kind.
        special: whether a track game has another board or other dice than backgammon.

    Raises:
        ValueError: checkers outside 1 to 15.
    """
    if not 1 <= checkers <= (16 if kind == "cross" else 15):
        raise ValueError(f"checkers must be 1 to 15, not {checkers}")
    numbers = {name: known[settled[name]] for name, known in CHOICES[kind].items()}
    plain = {name: 0 for name in RECORDED} | {"opening": 1, "scoring": 1, "bear_off": numbers.get("bearoff_over", 0)}
    common = numbers if kind == "track" else plain
    table = [checkers, *(common[name] for name in RECORDED), *(numbers[name] for name in own_options(kind))]
    odd = [name for name in WIDE_IF if kind == "track" and settled[name] != next(iter(CHOICES[kind][name]))]
    if kind == "track":
        odd += [f"{name}={reading}" for name, reading in (("bear_off", "anytime"), ("scoring", "men_left")) if settled[name] == reading]
    wide = kind == "track" and bool(odd or special)
    if special and settled["movement"] == "parallel":
        raise ValueError("movement=parallel goes with a board of 24 points only")
    if wide and (settled["hit_and_run"] != "allowed" or settled["waste_pips"] != "off"):
        name = "hit_and_run" if settled["hit_and_run"] != "allowed" else "waste_pips"
        raise ValueError(f"{name}={settled[name]} goes with backgammon's board and movement only, not with {' or '.join(odd) or 'this game'}")
    return Rules(np.uint64(KINDS["wide" if wide else kind]), np.array([*table, *further, 0], np.uint64))
