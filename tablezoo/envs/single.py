"""One game at a time as a Gymnasium environment, the same class for every game of the zoo."""

import operator
from collections.abc import Mapping
from copy import deepcopy
from typing import Any

import gymnasium
import numpy as np
from gymnasium.error import ResetNeeded
from gymnasium.utils import seeding
from numpy.typing import NDArray

from tablezoo.agent import Agent, choose
from tablezoo.draw import pixels
from tablezoo.envs.actions import Action, legal_actions, result_of
from tablezoo.envs.batch import MOST_DICE, first_dice, throw_dice
from tablezoo.envs.setup import MOST_STAGES, RENDER_MODES, IllegalAction, first_position, settle
from tablezoo.kernel import plays as kernel
from tablezoo.kernel.bits import U
from tablezoo.kernel.board import AGAIN, GOES_ON, ROW, TURN
from tablezoo.position import Position
from tablezoo.rows import buffers, numbers_left
from tablezoo.rules import Option

Observation = NDArray[np.float32]
Info = dict[str, Any]

RESET_OPTIONS = ("seat", "position")


class TablesEnv(gymnasium.Env[Observation, np.int64]):
    """A tables game, played by one agent against itself or against an opponent.

    ## Description
    Two players race their checkers; the dice are thrown inside `reset` and `step`, and the same player may act several times. With
    `opponent=None` (self-play view) one agent acts for both players, who take turns as the rules say. With an
    opponent (opponent view) the agent has one seat and the opponent's turns are played inside `reset` and `step`.
    Player 0 throws first in self-play; against an opponent the starter is drawn by lot. The first roll follows the rules of
    the game: where the starter plays the dice of the roll-off it is never a doublet.

    ## Action Space
    `action_mode="steps"`: `Discrete` over the table `env.unwrapped.actions`. In track games it has 151 entries: action
    25 * (number - 1) + (source - 1) moves a checker from its source (1 to 24, 25 is the bar) by a number of the dice;
    the last action is the pass. A step is offered only if it begins a legal play of the numbers left, so that a
    sequence of steps can never break the rule to use both dice; the pass is offered only if there is no step. The other
    kinds have tables of their own (`tablezoo.envs.actions.actions_of`): Ofanfelling's 49 steps of six points, `down n` and `up n`;
    on a cross every move, entry and score, `reroll`, `keep` and `end`, each of which is a whole stage.
    `action_mode="plays"`: `Discrete(game.max_plays)`, an index into the distinct plays of the numbers left in the order of
    `env.unwrapped.position.plays()`; a pass is a play.
    Points are always numbered by the player to act, who moves from 24 to 1.

    ## Observation Space
    `Box` of float32, seen by the player to act: the inputs of the encoder (`tablezoo.features`: 196 for "tesauro" and 52 for
    "counts" in track games), then how often each number 1 to 6 is left to play. "planes" shows the inputs of "tesauro" and the
    numbers as the planes of an image (`tablezoo.envs.observations`): 18 x 2 x 12 in backgammon. At the end of a game all numbers are 0
    and the board is seen by the agent's seat in opponent view, in self-play by the player who would be next, the one who did not
    make the last move.

    ## Rewards
    Points of the game (for backgammon 1, 2 for a gammon, 3 for a backgammon) at its end, 0 before. In self-play they go to the
    player who took the action: a win is positive for him, so learners must flip signs when the player changes. In opponent
    view they are the agent's, negative if the opponent wins.

    ## Episode End
    `terminated` when the game is over, or at an illegal action (`on_illegal="loss"`): who took it loses 1 point, the
    state stays as it was and `info["illegal"]` is True. `truncated` after `max_stages` decisions of both players, where
    `info["capped"]` is True: there are players who never end a game. `gymnasium.make` can limit the steps too.
    A step after the end raises `gymnasium.error.ResetNeeded`.

    ## Information
    - `action_mask`: int8, 1 for every legal action; at least one before the end of the game, none after it. The method
      `action_masks()` gives it as bool.
    - `to_move`: 0 or 1, the player who sees the observation.
    - `roll`: the dice thrown for this turn, the larger first; `numbers`: those left to play, the largest first.
    - `capped`: True where the game was truncated after `max_stages`, else absent.
    - `illegal`: True after an illegal action, else absent.

    ## Arguments
    - `game`: name or alias; the registered ids give it.
    - `options`: rule options by name, as `tablezoo.game` takes them.
    - `action_mode`: "steps" or "plays".
    - `opponent`: None, the name of an agent ("random", "pips", "td:PATH") or an `Agent`. Games can be repeated
      by their seed if its values depend on nothing but the position, as those of the agents with names do.
    - `observation`: "tesauro", "counts" or "planes".
    - `max_stages`: decisions of both players after which a game is truncated.
    - `on_illegal`: "loss", or "raise" to get `IllegalAction` (a ValueError) with the state unchanged.
    - `render_mode`: "ansi" (text), "svg" (text of a document) or "rgb_array" (uint8[591, 720, 3]); `gymnasium.make` makes "human",
      a window, of the last.

    Game k after `reset(seed=s)`, from 0 on, has the dice of `tablezoo.kernel.dice.game_seed(s, k)`.
    `reset(options=...)` takes `seat` (opponent view: the agent's seat, 0 unless given) and `position` (position text;
    the game goes on from there: player 0 acts first, or the agent against an opponent).

    ## Version History
    - v0: first version.
    """

    metadata: dict[str, Any] = {"render_modes": list(RENDER_MODES), "render_fps": 2}  # noqa: RUF012 - Gymnasium's declaration

    def __init__(
        self,
        game: str = "backgammon",
        *,
        options: Mapping[str, Option] | None = None,
        action_mode: str = "steps",
        opponent: str | Agent | None = None,
        observation: str = "tesauro",
        on_illegal: str = "loss",
        render_mode: str | None = None,
        max_stages: int = MOST_STAGES,
    ) -> None:
        """Settle game, spaces and opponent.

        Raises:
            ValueError: one line that names the argument and what it can be.
        """
        self._setup = settle(game, options, action_mode, opponent, observation, on_illegal, render_mode, max_stages)
        self.game = self._setup.game
        self.action_mode = action_mode
        self.opponent = self._setup.opponent
        self.layout = self._setup.layout
        self.render_mode = render_mode
        self.actions: tuple[Action, ...] = self._setup.actions
        """The action table of the steps mode; empty in the plays mode, whose actions mean something else at every node."""
        self.action_space = self._setup.action_space
        self.observation_space = self.layout.space
        self._out, self._work = buffers()
        self._dice = np.zeros(1, np.uint64)
        self._seed: int | None = None
        self._games = 0
        self._seat = 0
        self._player = 0
        self._row = self.game.start_row
        self._roll: tuple[int, ...] = ()
        self._stages = 0
        self._legal = np.zeros(self._setup.n_actions, np.int8)

    @property
    def position(self) -> Position:
        """The node at which the next action is taken."""
        return Position(self.game, self._row, self._player)

    def action_masks(self) -> NDArray[np.bool_]:
        """Which actions are legal now; the name is the one sb3-contrib looks for."""
        return self._legal.astype(np.bool_)

    def reset(self, *, seed: int | None = None, options: dict[str, Any] | None = None) -> tuple[Observation, Info]:
        """Begin a game.

        Raises:
            ValueError: an unknown or wrong option.
        """
        super().reset(seed=seed)
        self._seat, position = first_position(self._setup, options or {}, RESET_OPTIONS)
        self._player = self._next_dice(seed)
        self._row = self.game.start_row
        if position is not None:
            self._player, self._row = self._seat, position.row.copy()
            self._roll = position.numbers[:MOST_DICE]
        self._stages = 0
        self._throw()
        self._reply()
        return self._observe(going=True)

    def step(self, action: np.int64 | int) -> tuple[Observation, float, bool, bool, Info]:
        """Take an action for the player to act.

        Raises:
            ResetNeeded: the game is over or has not begun.
            IllegalAction: the mask does not offer the action, with `on_illegal="raise"`.
        """
        if not self._legal.any():
            raise ResetNeeded("no game is going on: call reset() before step()")
        index = operator.index(action)
        if not (0 <= index < len(self._legal) and self._legal[index]):
            return self._refuse(index)
        won = self._follow(self._result_of(index))
        if won is None:
            replied = self._reply()
            won = None if replied is None else -replied
        capped = won is None and self._stages >= self._setup.max_stages
        observation, info = self._observe(going=won is None and not capped)
        if capped:
            info["capped"] = True
        return observation, float(won or 0), won is not None, capped, info

    def render(self) -> Any:
        """The board in the render mode: str for "ansi" and "svg", uint8[591, 720, 3] for "rgb_array", None without one."""
        match self.render_mode:
            case "ansi":
                return str(self.position)
            case "svg":
                return self.position.svg()
            case "rgb_array":
                return pixels.draw(self.position)
        gymnasium.logger.warn('render() draws nothing without a render mode: make the environment with render_mode="ansi", "rgb_array" or "svg"')
        return None

    def __deepcopy__(self, memo: dict[int, Any]) -> "TablesEnv":
        """A copy in the same state that throws other dice.

        Its generator is seeded afresh by the system: a search on copies must neither know nor move the dice that
        the original is going to throw.
        """
        copy = type(self).__new__(type(self))
        memo[id(self)] = copy
        copy.__dict__.update({name: deepcopy(value, memo) for name, value in self.__dict__.items() if name != "_np_random"})
        copy._np_random, copy._np_random_seed = seeding.np_random()
        copy._dice = copy._np_random.integers(2**64, size=1, dtype=np.uint64)
        copy._seed = None
        return copy

    def _next_dice(self, seed: int | None) -> int:
        """Set the dice of a new game; return who begins by lot against an opponent, else 0."""
        if seed is not None or self._seed is None:
            self._seed = int(self.np_random.integers(2**64, dtype=np.uint64)) if seed is None else seed % 2**64
            self._games = 0
        player = first_dice(U(self._seed), U(self._games), self.opponent is not None, self._dice)
        self._games += 1
        return int(player)

    def _throw(self) -> None:
        """From a roll node to its play node; play nodes stay."""
        if self.position.node == "roll":
            shown = np.zeros(MOST_DICE, np.int64)
            throw_dice(self.game.rules, self._row, self._dice, shown)
            self._roll = tuple(shown[shown > 0].tolist())

    def _result_of(self, index: int) -> NDArray[np.uint64]:
        """The result of a legal action."""
        return self._out[index] if self._setup.whole_plays else result_of(self.game, self._row, index)

    def _follow(self, result: NDArray[np.uint64]) -> int | None:
        """Go on to the node after the mover's action, dice thrown; return the points he has won, None if the game goes on."""
        node = np.empty(ROW, np.uint64)
        kernel.follow(self.game.rules, result, node)
        return self._go_on(node)

    def _go_on(self, node: NDArray[np.uint64]) -> int | None:
        """The same for the node itself, marked `AGAIN` if the mover acts there."""
        again = bool(node[TURN] & AGAIN)
        node[TURN] &= ~AGAIN
        self._row = node
        self._stages += 1
        if again:
            self._throw()
            return None
        self._player = 1 - self._player
        won = kernel.points(self.game.rules, node)
        if won != GOES_ON:
            return int(won)
        self._throw()
        return None

    def _reply(self) -> int | None:
        """Play the opponent's turns until the agent acts; return the points the opponent has won, None if the game goes on."""
        won = None
        while self.opponent is not None and self._player != self._seat and won is None:
            won = self._go_on(choose(self.opponent, self.game, self._row[None])[0])
        return won

    def _refuse(self, index: int) -> tuple[Observation, float, bool, bool, Info]:
        if self._setup.raises:
            raise IllegalAction(f"action {index} is illegal here: {self._legal.sum()} of {len(self._legal)} are legal, see info['action_mask']")
        observation, info = self._observe(going=False)
        return observation, -1.0, True, False, {**info, "illegal": True}

    def _observe(self, going: bool) -> tuple[Observation, Info]:
        """Observation and info of this node, after settling what is legal: nothing if the game does not go on."""
        self._legal = np.zeros(len(self._legal), np.int8)
        if going and not self._setup.whole_plays:
            self._legal = legal_actions(self.game, self._row)
        elif going:
            self._legal[: int(kernel.all_plays(self.game.rules, self._row, self._out, self._work))] = 1
        seen_by, row = self._player, self._row
        if self.opponent is not None and self._player != self._seat:  # the agent has won
            seen_by, row = self._seat, self._row.copy()
            kernel.turn_rows(self.game.rules, row[None])
        info = {"action_mask": self._legal.copy(), "to_move": seen_by, "roll": self._roll, "numbers": numbers_left(int(row[TURN]))}
        return self.layout(row), info
