"""The rules record: what the kernels read, and the one constructor that casts and checks it."""

import difflib
from collections.abc import Iterable
from typing import NamedTuple, TypeAlias

import numpy as np

Option: TypeAlias = str | bool

CHOICES: dict[str, dict[Option, int]] = {
    "opening": {"rolloff_use_dice": 0, "rolloff_reroll": 1, "white_first": 2, "random": 3},
    "forced_use": {"max": 0, "greedy": 1},
    "larger_die": {False: 0, True: 1},
    "scoring": {"single": 1, "gammon": 2, "backgammon": 3},
    "hit_and_run": {"allowed": 0, "forbidden": 1, "unless_wasted": 2},
    "waste_pips": {"off": 0, "no_small_first": 1, "min_waste": 2, "max_off": 3},
    "waste_scope": {"turn_start": 0, "always": 1},
    "next_starter": {"roll": 0, "winner": 1},
}
"""The readings of every option, by the number that stands for each in the record."""


class Rules(NamedTuple):
    """The rules of a track game as numbers. Every field is a uint64: build it with `make_rules` only."""

    checkers: np.uint64
    """Checkers a side, 1 to 15."""
    opening: np.uint64
    """0: the starter plays the two numbers of the roll-off, which differ; else he throws both dice (won by roll-off, white, by lot)."""
    forced_use: np.uint64
    """0 max: as many numbers as possible must be played; 1 greedy: play on while any number can be played."""
    larger_die: np.uint64
    """1: if either of two numbers can be played but not both, the larger must be (with forced_use max)."""
    scoring: np.uint64
    """Most points a game can count: 1 single, 2 gammon, 3 backgammon."""
    hit_and_run: np.uint64
    """1: a point of the home board where a blot was hit keeps a checker until the end of the turn; 2: unless numbers would be wasted."""
    waste_pips: np.uint64
    """Which bear-offs of two different numbers are barred (`charge` in tablezoo/kernel/track.py): 0 none; 1 the smaller number first where the larger would
    bear off that checker; 2 those that waste more pips than necessary; 3 those that bear off fewer checkers than possible."""
    waste_scope: np.uint64
    """0: that holds in turns that begin with all checkers at home; 1: in all turns."""
    next_starter: np.uint64
    """Who begins the later games of a match: 0 whom the opening rule finds, 1 the winner of the game before, who throws both dice."""


def closest(word: str, known: Iterable[str]) -> str:
    """' (did you mean ...?)' with the most similar known word, or ''."""
    match = difflib.get_close_matches(word, list(known), n=1)
    return f" (did you mean {match[0]}?)" if match else ""


def make_rules(checkers: int, **options: Option) -> Rules:
    """Rules from options by name; options left out keep backgammon's reading.

    Raises:
        ValueError: unknown option or reading, named with a suggestion; checkers outside 1 to 15.
    """
    if not 1 <= checkers <= 15:
        raise ValueError(f"checkers must be 1 to 15, not {checkers}")
    readings: dict[str, Option] = {"opening": "rolloff_use_dice", "forced_use": "max", "larger_die": True, "scoring": "backgammon"}
    readings |= {"hit_and_run": "allowed", "waste_pips": "off", "waste_scope": "turn_start", "next_starter": "roll"}
    for name, value in options.items():
        if name not in CHOICES:
            raise ValueError(f"unknown option {name!r}{closest(name, CHOICES)}; options: {', '.join(CHOICES)}")
        if not isinstance(value, str | bool) or value not in CHOICES[name]:
            raise ValueError(f"option {name} cannot be {value!r}{closest(str(value), map(str, CHOICES[name]))}; readings: {', '.join(map(str, CHOICES[name]))}")
        readings[name] = value
    if readings["forced_use"] == "greedy" and readings["waste_pips"] != "off":
        raise ValueError("waste_pips compares the plays of most numbers: it goes with forced_use=max only")
    return Rules(np.uint64(checkers), **{name: np.uint64(CHOICES[name][reading]) for name, reading in readings.items()})
