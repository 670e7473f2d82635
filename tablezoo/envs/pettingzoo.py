"""Every game as a PettingZoo AEC environment of two agents; needs the extra `pettingzoo`.

`env("long-narde")`, or after importing this module `pettingzoo.make("aec", "tablezoo/LongNarde-v0")`.
"""

from collections.abc import Mapping
from typing import Any, TypeAlias

import numpy as np
from gymnasium import logger, spaces
from numpy.typing import NDArray
from pettingzoo import AECEnv, register
from pettingzoo.utils.wrappers import AssertOutOfBoundsWrapper, OrderEnforcingWrapper

from tablezoo.envs.setup import MOST_STAGES, RENDER_MODES, choice
from tablezoo.envs.single import TablesEnv
from tablezoo.envs.window import Window
from tablezoo.games import ZOO
from tablezoo.kernel.plays import turn_rows
from tablezoo.rules import Option

Observation: TypeAlias = dict[str, NDArray[Any]]

AGENTS = ("player_0", "player_1")
WITH_WINDOW = (*RENDER_MODES, "human")
FPS = 2
"""Frames a second in a window."""


def env(game: str = "backgammon", **arguments: Any) -> OrderEnforcingWrapper:
    """The environment in PettingZoo's usual wrappers; arguments are those of `raw_env`."""
    return OrderEnforcingWrapper(AssertOutOfBoundsWrapper(raw_env(game, **arguments)))


class raw_env(AECEnv):  # type: ignore[misc]
    """A game between `player_0`, who throws first, and `player_1`.

    Actions, action modes and encoders are those of `tablezoo.envs.single.TablesEnv`. An observation is `{"observation": ..., "action_mask": ...}`,
    the board as that agent sees it, with the numbers left to whoever acts; the mask (int8) is all zero for the agent who does not act.
    An agent may act several times in turn. At the end the winner's reward are the points of the game, the loser's their negative.
    An illegal action ends the game: who took it loses 1 point, and `infos` say `illegal`; with `on_illegal="raise"` it raises
    `IllegalAction`. A game is truncated after `max_stages` decisions. `infos` hold `action_mask`, `roll` and `numbers` of `TablesEnv`.
    `reset(options={"position": ...})` begins at a position text.
    """

    def __init__(
        self,
        game: str = "backgammon",
        *,
        options: Mapping[str, Option] | None = None,
        action_mode: str = "steps",
        observation: str = "tesauro",
        on_illegal: str = "loss",
        render_mode: str | None = None,
        max_stages: int = MOST_STAGES,
    ) -> None:
        """Settle game and spaces.

        Raises:
            ValueError: one line that names the argument and what it can be.
        """
        super().__init__()
        self.render_mode = None if render_mode is None else choice("render_mode", render_mode, WITH_WINDOW)
        self._env = TablesEnv(
            game,
            options=options,
            action_mode=action_mode,
            observation=observation,
            on_illegal=on_illegal,
            render_mode="rgb_array" if render_mode == "human" else render_mode,
            max_stages=max_stages,
        )
        self.metadata = {"render_modes": list(WITH_WINDOW), "render_fps": FPS, "name": f"{self._env.game.name}_v0", "is_parallelizable": False}
        self._window = Window(self._env.game.name) if render_mode == "human" else None
        self.possible_agents = list(AGENTS)
        actions = len(self._env.action_masks())
        mask: spaces.Space[Any] = spaces.Box(0, 1, (actions,), np.int8)
        self.observation_spaces = {agent: spaces.Dict({"observation": self._env.layout.space, "action_mask": mask}) for agent in AGENTS}
        self.action_spaces = {agent: spaces.Discrete(actions) for agent in AGENTS}

    def observation_space(self, agent: str) -> spaces.Dict:
        """The space of an agent's observations, always the same object."""
        return self.observation_spaces[agent]

    def action_space(self, agent: str) -> spaces.Discrete:
        """The space of an agent's actions, always the same object."""
        return self.action_spaces[agent]

    @property
    def game_env(self) -> TablesEnv:
        """The game, in self-play view: its `position`, `actions` and `game`."""
        return self._env

    def reset(self, seed: int | None = None, options: dict[str, Any] | None = None) -> None:
        """Begin a game; of the options only `position` means something.

        Raises:
            ValueError: no such position, or its game is over.
        """
        _, info = self._env.reset(seed=seed, options={name: value for name, value in (options or {}).items() if name == "position"})
        self.agents = list(AGENTS)
        self.rewards = dict.fromkeys(AGENTS, 0.0)
        self._cumulative_rewards = dict.fromkeys(AGENTS, 0.0)
        self.terminations = dict.fromkeys(AGENTS, False)
        self.truncations = dict.fromkeys(AGENTS, False)
        self._tell(info)
        self._show()

    def step(self, action: Any) -> None:
        """Take an action for the agent who acts."""
        mover = self.agent_selection
        if self.terminations[mover] or self.truncations[mover]:
            self._was_dead_step(action)
            return
        _, reward, terminated, truncated, info = self._env.step(action)
        self._cumulative_rewards[mover] = 0.0
        self.rewards = {agent: reward if agent == mover else -reward for agent in AGENTS}
        self.terminations = dict.fromkeys(AGENTS, terminated)
        self.truncations = dict.fromkeys(AGENTS, truncated)
        self._tell(info)
        self._accumulate_rewards()
        self._show()

    def observe(self, agent: str) -> Observation:
        """What an agent sees."""
        mask, row = self._env.action_masks().astype(np.int8), np.array(self._env.position.row)
        if AGENTS[self._env.position.player] != agent:
            turn_rows(self._env.game.rules, row[None])
            mask[:] = 0
        return {"observation": self._env.layout(row), "action_mask": mask}

    def render(self) -> Any:
        """The board in the render mode; None where a window shows it."""
        if self.render_mode is None:
            logger.warn("render() draws nothing without a render mode")
            return None
        return self._show() if self._window is not None else self._env.render()

    def close(self) -> None:
        """Close the window."""
        if self._window is not None:
            self._window.close()

    def _tell(self, info: dict[str, Any]) -> None:
        """Who acts, and what the infos say."""
        self.agent_selection = AGENTS[info.pop("to_move")]
        idle = np.zeros_like(info["action_mask"])
        self.infos = {agent: {**info, "action_mask": info["action_mask"] if agent == self.agent_selection else idle} for agent in AGENTS}

    def _show(self) -> None:
        if self._window is not None:
            self._window.show(self._env.render(), FPS)


for spec in ZOO:
    register("aec", spec.env_id, entry_point="tablezoo.envs.pettingzoo:env", kwargs={"game": spec.name})
