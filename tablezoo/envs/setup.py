"""What all environments of a game are made of: their arguments, checked, and the spaces that follow from them."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any

from gymnasium import spaces

from tablezoo.agent import Agent, load_agent
from tablezoo.envs.actions import Action, actions_of
from tablezoo.envs.observations import NAMES, Layout, layout_of
from tablezoo.position import Game, Position
from tablezoo.position import game as find_game
from tablezoo.rules import Option, closest

ACTION_MODES = ("steps", "plays")
ON_ILLEGAL = ("loss", "raise")
RENDER_MODES = ("ansi", "rgb_array", "svg")
MOST_STAGES = 100_000
"""A game is truncated after so many decisions: some pairs of players never end. (Random play of Widdershins takes 3,700.)"""


class IllegalAction(ValueError):
    """An action that the mask does not offer, in an environment made with `on_illegal="raise"`."""


@dataclass(frozen=True)
class Setup:
    """A game, its actions and observations, and who plays."""

    game: Game
    whole_plays: bool
    actions: tuple[Action, ...]
    """The table of the steps mode; empty where actions are whole plays."""
    opponent: Agent | None
    layout: Layout
    raises: bool
    """Whether an illegal action raises."""
    render_mode: str | None
    max_stages: int

    @property
    def n_actions(self) -> int:
        """Number of actions."""
        return len(self.actions) or self.game.max_plays

    @property
    def action_space(self) -> spaces.Discrete:
        """A fresh action space."""
        return spaces.Discrete(self.n_actions)


def settle(
    game: str,
    options: Mapping[str, Option] | None,
    action_mode: str,
    opponent: str | Agent | None,
    observation: str,
    on_illegal: str,
    render_mode: str | None,
    max_stages: int,
) -> Setup:
    """Check the arguments of an environment.

    Raises:
        ValueError: one line that names the argument and what it can be.
    """
    if options is not None and not isinstance(options, Mapping):
        raise ValueError(f"options must be rule options by name, like {{'larger_die': False}}, not {options!r}")
    settled = find_game(game, **(options or {}))
    whole_plays = choice("action_mode", action_mode, ACTION_MODES) == "plays"
    return Setup(
        settled,
        whole_plays,
        () if whole_plays else actions_of(settled),
        _agent(opponent, settled),
        layout_of(settled, choice("observation", observation, NAMES)),
        choice("on_illegal", on_illegal, ON_ILLEGAL) == "raise",
        None if render_mode is None else choice("render_mode", render_mode, RENDER_MODES),
        whole_number("max_stages", max_stages),
    )


def choice(name: str, value: str, known: Iterable[str]) -> str:
    """The value, if it is one of those known.

    Raises:
        ValueError: it is not.
    """
    if value not in known:
        raise ValueError(f"{name} cannot be {value!r}{closest(str(value), known)}; choose from {', '.join(known)}")
    return value


def whole_number(name: str, value: int) -> int:
    """The value, if it is a whole number from 1 on.

    Raises:
        ValueError: it is not.
    """
    if not isinstance(value, int) or isinstance(value, bool) or value < 1:
        raise ValueError(f"{name} must be a whole number from 1 on, not {value!r}")
    return value


def first_position(setup: Setup, options: Mapping[str, Any], known: Iterable[str]) -> tuple[int, Position | None]:
    """The agent's seat and the position to begin with (None: the start) from reset options.

    Raises:
        ValueError: an option that is not known, or a wrong one.
    """
    for name in options:
        if name not in known:
            raise ValueError(f"unknown reset option {name!r}{closest(str(name), known)}; known: {', '.join(known)}")
    seat = options.get("seat", 0)
    if seat not in (0, 1):
        raise ValueError(f"seat must be 0 or 1, not {seat!r}")
    if "seat" in options and setup.opponent is None:
        raise ValueError("seat belongs to games against an opponent: make the environment with opponent=...")
    position = setup.game.position(str(options["position"])) if "position" in options else None
    if position is not None and position.node == "over":
        raise ValueError(f"position {options['position']!r}: the game is over")
    return int(seat), position


def _agent(opponent: str | Agent | None, game: Game) -> Agent | None:
    if isinstance(opponent, str):
        return load_agent(opponent, game)
    if opponent is not None and not isinstance(opponent, Agent):
        raise ValueError(f"opponent must be None, the name of an agent or an object with a method values(game, rows), not {opponent!r}")
    return opponent
