"""Many games at once as a Gymnasium vector environment: numba kernels over a batch of board rows."""

import os
from collections.abc import Mapping, Sequence
from copy import deepcopy
from typing import Any, TypeAlias

import numpy as np
from gymnasium.error import ResetNeeded
from gymnasium.utils import seeding
from gymnasium.vector import AutoresetMode, VectorEnv
from gymnasium.vector.utils import batch_space
from numpy.typing import ArrayLike, NDArray

from tablezoo.agent import Agent, Following, choose, following
from tablezoo.draw import pixels
from tablezoo.envs import batch
from tablezoo.envs.actions import kernel_actions
from tablezoo.envs.batch import FACTS, LEFT, MOST_DICE, NO_ACTIONS, NO_OUTCOMES, NO_VIEW, ROLL, TO_MOVE, Games, Outcomes, Scratch, Settings, Task, View
from tablezoo.envs.crew import Crew
from tablezoo.envs.setup import MOST_STAGES, RENDER_MODES, IllegalAction, Setup, choice, first_position, settle, whole_number
from tablezoo.kernel.actions import KEPT
from tablezoo.kernel.bits import U
from tablezoo.kernel.board import ROW
from tablezoo.kernel.plays import MAX_PLAYS
from tablezoo.position import Position
from tablezoo.rules import Option

Observations: TypeAlias = NDArray[np.float32]
Infos: TypeAlias = dict[str, Any]

RESET_OPTIONS = ("seat", "position", "reset_mask")
MODES = {mode: number for number, mode in enumerate((AutoresetMode.NEXT_STEP, AutoresetMode.SAME_STEP, AutoresetMode.DISABLED))}
LEAST = 64
"""Games that are worth a thread."""


class TablesVectorEnv(VectorEnv[Observations, NDArray[np.int64], NDArray[Any]]):
    """`num_envs` games of `tablezoo.envs.single.TablesEnv`, whose actions, observations, rewards and views are the same.

    ## Dice
    Every game has its own: with `reset(seed=s)` game i of the batch has the dice of `game_seed(s, i)`, and the k-th game after it in
    its place those of `game_seed(s, i + k * num_envs)`. Given a list of seeds, place i plays the games of
    a single environment with seed i of the list. Neither threads nor batch size change a game.

    ## Infos
    `action_mask` int8 (n, actions), `to_move` (n,), `roll` (n, 2), or (n, 3) where three dice are thrown, and `numbers` (n, 4),
    both with the largest first and 0 where there is none,
    and where they occur `illegal` and `capped`, each with its mask `_action_mask` and so on. All arrays are fresh.

    ## Autoreset
    NEXT_STEP: the step after the end of a game ignores its action, pays 0 and shows the new game. SAME_STEP: the step that ends it
    shows the new one, and `final_obs` and `final_info` the old. DISABLED: `reset(options={"reset_mask": ended})` begins those anew;
    until then a step raises `gymnasium.error.ResetNeeded`.

    ## Arguments
    Those of `TablesEnv`, and
    - `num_envs`: games.
    - `autoreset_mode`: a member or value of `gymnasium.vector.AutoresetMode`, or its name.
    - `max_episode_steps`: actions after which a game is truncated; None: no limit.
    - `threads`: None for as many as the process may use, if there are games enough.
    """

    metadata: dict[str, Any] = {"render_modes": list(RENDER_MODES), "render_fps": 2, "autoreset_mode": AutoresetMode.NEXT_STEP}  # noqa: RUF012

    def __init__(
        self,
        num_envs: int = 1,
        game: str = "backgammon",
        *,
        options: Mapping[str, Option] | None = None,
        action_mode: str = "steps",
        opponent: str | Agent | None = None,
        observation: str = "tesauro",
        on_illegal: str = "loss",
        render_mode: str | None = None,
        max_stages: int = MOST_STAGES,
        max_episode_steps: int | None = None,
        autoreset_mode: str | AutoresetMode = AutoresetMode.NEXT_STEP,
        threads: int | None = None,
    ) -> None:
        """Settle games, spaces and opponent.

        Raises:
            ValueError: one line that names the argument and what it can be.
        """
        self._setup = settle(game, options, action_mode, opponent, observation, on_illegal, render_mode, max_stages)
        self.num_envs = whole_number("num_envs", num_envs)
        self.game = self._setup.game
        self.action_mode = action_mode
        self._dice = max(self.game.spec.dice, 2)
        self.actions = self._setup.actions
        self.layout = self._setup.layout
        self.render_mode = render_mode
        self.autoreset_mode = _autoreset(autoreset_mode)
        self.metadata = {**self.metadata, "autoreset_mode": self.autoreset_mode}
        self.single_action_space = self._setup.action_space
        self.action_space = batch_space(self.single_action_space, num_envs)
        self.single_observation_space = self.layout.space
        self.observation_space = batch_space(self.single_observation_space, num_envs)
        steps = 0 if max_episode_steps is None else whole_number("max_episode_steps", max_episode_steps)
        self._settings = _settings(self._setup, steps, MODES[self.autoreset_mode])
        self._games = _games(self.num_envs, self._setup)
        self._start = self.game.start_row
        self._begun = False
        self._used = False
        most = len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1
        self._threads = min(most, max(num_envs // LEAST, 1)) if threads is None else whole_number("threads", threads)
        self._open()

    def _open(self) -> None:
        """Threads and their buffers."""
        self._scratch = [_scratch(self.layout.size) for _ in range(self._threads)]
        self._crew = Crew(self._threads)
        self._where = np.zeros(9, np.uint64)

    def reset(self, *, seed: int | Sequence[int | None] | None = None, options: dict[str, Any] | None = None) -> tuple[Observations, Infos]:
        """Begin all games, or those of `options["reset_mask"]`; `seat` and `position` are those of the single environment.

        Raises:
            ValueError: an unknown or wrong option, or another number of seeds than games.
        """
        options = dict(options or {})
        which = _reset_mask(options.pop("reset_mask", None), self.num_envs)
        seat, position = first_position(self._setup, options, RESET_OPTIONS)
        self._use()
        self._sow(seed, which)
        if position is None:
            batch.begin_games(self.game.rules, self._games, which, self._start)
        else:
            self._games.marks[which, batch.DICE :] = [*position.numbers, *[0] * MOST_DICE][:MOST_DICE]
            batch.begin_games(self.game.rules, self._games, which, np.array(position.row))
            self._games.marks[which, batch.PLAYER] = seat
        if self._setup.opponent is not None:
            self._games.marks[which, batch.SEAT] = seat
        self._begun = True
        self._reply()
        view = self._view()
        self._run(batch.OBSERVE, NO_ACTIONS, NO_OUTCOMES, view)
        return self._observations(view), _infos(view, which, self._dice)

    def step(self, actions: ArrayLike) -> tuple[Observations, NDArray[np.float64], NDArray[np.bool_], NDArray[np.bool_], Infos]:
        """Take an action in every game.

        Raises:
            ResetNeeded: no game has begun, or in DISABLED mode one has ended.
            IllegalAction: a mask does not offer its action, with `on_illegal="raise"`; no game has changed.
            ValueError: not one whole number for each game.
        """
        chosen = self._checked(actions)
        n = self.num_envs
        outcomes = Outcomes(np.empty(n), np.empty((4, n), np.bool_))
        same_step = self.autoreset_mode is AutoresetMode.SAME_STEP
        view, final = self._view(), self._view() if same_step else NO_VIEW
        use, self._used = batch.USE * self._used, False
        if self._setup.opponent is None:
            self._run(use | batch.ACT | batch.SETTLE | batch.OBSERVE, chosen, outcomes, view, final)
        else:
            self._run(use | batch.ACT, chosen, outcomes, view)
            self._reply()
            self._run(batch.SETTLE, chosen, outcomes, view, final)
            if same_step:
                self._reply()
            self._run(batch.OBSERVE, chosen, outcomes, view)
        infos = _infos(view, np.ones(n, np.bool_), self._dice)
        terminated, truncated, illegal, capped = outcomes.flags
        ended = terminated | truncated
        marks = {name: which for name, which in (("illegal", illegal), ("capped", capped)) if which.any()}
        if same_step and ended.any():
            infos |= self._final(final, ended, marks)
        else:
            infos |= _marked(marks)
        return self._observations(view), outcomes.rewards, terminated, truncated, infos

    def sample_actions(self) -> NDArray[np.int64]:
        """A legal action for every game, each as likely as any other, drawn from the game's own dice; 0 where a game has ended.

        Whoever plays only these plays the games of `tablezoo.kernel.playout.random_games` (with `action_mode="plays"`).
        """
        if self._used:
            self._use()
            batch.sample(self._games, self._settings)
        self._used = True
        return self._games.sampled.copy()

    def afterstates(self) -> Following:
        """What follows each play of each game, in the order of its actions; for who values positions rather than actions.

        Raises:
            ValueError: actions are not plays.
            ResetNeeded: a game has ended and no other begun (not so in SAME_STEP mode).
        """
        if not self._setup.whole_plays:
            raise ValueError('afterstates are those of plays: make the environment with action_mode="plays"')
        if not self._games.marks[:, batch.COUNT].all():
            raise ResetNeeded("a game has ended: step() begins another; in SAME_STEP mode none is ever over")
        return following(self.game, self._games.rows)

    def action_masks(self) -> NDArray[np.bool_]:
        """Which actions are legal now, (n, actions)."""
        masks = np.empty((self.num_envs, self._setup.n_actions), np.int8)
        batch.put_masks(self._games, self._settings, masks)
        return masks.view(np.bool_)

    @property
    def positions(self) -> tuple[Position, ...]:
        """The nodes at which the next actions are taken."""
        return tuple(Position(self.game, row, int(player)) for row, player in zip(self._games.rows, self._games.marks[:, batch.PLAYER], strict=True))

    def render(self) -> tuple[Any, ...] | None:
        """The boards in the render mode, as the single environment draws them; None without one."""
        match self.render_mode:
            case "ansi":
                return tuple(map(str, self.positions))
            case "svg":
                return tuple(position.svg() for position in self.positions)
            case "rgb_array":
                return tuple(map(pixels.draw, self.positions))
        return None

    def close_extras(self, **kwargs: Any) -> None:
        """End the threads."""
        self._crew.dismiss()

    def __deepcopy__(self, memo: dict[int, Any]) -> "TablesVectorEnv":
        """A copy in the same state that throws other dice: it must neither know nor move those of the original."""
        copy = type(self).__new__(type(self))
        memo[id(self)] = copy
        own = ("_np_random", "_crew", "_scratch", "_where")
        copy.__dict__.update({name: deepcopy(value, memo) for name, value in self.__dict__.items() if name not in own})
        copy._np_random, copy._np_random_seed = seeding.np_random()
        copy._games.dice[:, : batch.NUMBER] = copy._np_random.integers(2**64, size=(self.num_envs, 2), dtype=np.uint64)
        copy._used = False
        batch.sample(copy._games, copy._settings)
        copy._open()
        return copy

    def _checked(self, actions: ArrayLike) -> NDArray[np.int64]:
        """The actions as the kernels take them."""
        given = np.asarray(actions)
        if given.shape != (self.num_envs,) or given.dtype.kind not in "iu":
            raise ValueError(f"actions must be {self.num_envs} whole numbers, one a game, not {given.dtype}{list(given.shape)}")
        if not self._begun:
            raise ResetNeeded("no games are going on: call reset() before step()")
        ended = self._games.marks[:, batch.ENDED]
        if self.autoreset_mode is AutoresetMode.DISABLED and ended.any():
            raise ResetNeeded(f'games {np.flatnonzero(ended).tolist()} have ended: call reset(options={{"reset_mask": ...}}) before step()')
        chosen = np.array(given, np.int64)
        if self._setup.raises:
            i = batch.first_illegal(self._games, self._settings, chosen)
            if i >= 0:
                raise IllegalAction(f"action {chosen[i]} is illegal in game {i}: {self._games.marks[i, batch.COUNT]} are legal, see infos['action_mask']")
        return chosen

    def _sow(self, seed: int | Sequence[int | None] | None, which: NDArray[np.bool_]) -> None:
        """Take seeds for the dice of new games; where there are none go on with those before."""
        dice, n = self._games.dice, self.num_envs
        if isinstance(seed, (int, np.integer)):
            super().reset(seed=int(seed))
        if seed is None and not self._begun:
            seed = int(self.np_random.integers(2**64, dtype=np.uint64))
        if seed is None:
            return
        if isinstance(seed, (int, np.integer)):
            numbers = np.arange(n, dtype=np.uint64)
            dice[which, batch.SEED], dice[which, batch.NUMBER], dice[which, batch.STRIDE] = U(int(seed) % 2**64), numbers[which], U(n)
            return
        if len(seed) != n:
            raise ValueError(f"give one seed or one for each of {n} games, not {len(seed)}")
        for i in np.flatnonzero(which).tolist():
            each = seed[i]
            if each is None and not self._begun:
                each = int(self.np_random.integers(2**64, dtype=np.uint64))
            if each is not None:
                dice[i, batch.SEED : batch.DRAWN] = U(each % 2**64), U(0), U(1)

    def _use(self) -> None:
        """Let the dice go on after the actions that were sampled, if those have been given away."""
        if self._used:
            self._games.dice[:, batch.STATE], self._used = self._games.dice[:, batch.DRAWN], False

    def _reply(self) -> None:
        """Play the opponent's turns until the agent acts everywhere."""
        while self._setup.opponent is not None:
            which = batch.waiting(self._games)
            if not len(which):
                return
            batch.reply_games(self.game.rules, self._games, which, choose(self._setup.opponent, self.game, self._games.rows[which]))

    def _run(self, parts: int, actions: NDArray[np.int64], outcomes: Outcomes, view: View, final: View = NO_VIEW) -> None:
        """Have the threads do these parts of a step."""
        task = Task(parts, actions, outcomes, final, view, self._where)
        told = Task(parts, NO_ACTIONS, NO_OUTCOMES, NO_VIEW, NO_VIEW, self._where)
        lasting, scratch = (self.game.rules, self._games, self._settings, self._start), self._scratch
        self._crew.run(
            lambda shift, hand: batch.play_on(*lasting, task, scratch[hand], shift, hand),
            lambda shift, hand: batch.play_on(*lasting, told, scratch[hand], shift, hand),
        )

    def _view(self) -> View:
        n = self.num_envs
        return View(
            np.empty((n, self._settings.inputs), np.float32),
            np.empty((n, self._settings.n_actions), np.int8),
            np.empty((n, FACTS), np.int64),
        )

    def _observations(self, view: View) -> Observations:
        return view.observations.reshape(self.num_envs, *self.layout.shape)

    def _final(self, final: View, ended: NDArray[np.bool_], marks: dict[str, NDArray[np.bool_]]) -> Infos:
        """`final_obs` and `final_info` of the games that have ended."""
        observations = np.full(self.num_envs, None, object)
        for i in np.flatnonzero(ended):
            observations[i] = final.observations[i].reshape(self.layout.shape).copy()
        info = {**_infos(final, ended, self._dice), **_marked(marks)}
        return {"final_obs": observations, "_final_obs": ended.copy(), "final_info": info, "_final_info": ended.copy()}


def _infos(view: View, which: NDArray[np.bool_], dice: int) -> Infos:
    """The infos of these games, thrown with so many dice; those of the others are 0."""
    facts = view.facts
    parts = {"to_move": facts[:, TO_MOVE], "roll": facts[:, ROLL : ROLL + dice], "numbers": facts[:, LEFT:]}
    infos: Infos = {"action_mask": view.masks, **parts}
    if not which.all():
        for array in infos.values():
            array[~which] = 0
    return infos | {f"_{name}": which.copy() for name in infos}


def _marked(marks: dict[str, NDArray[np.bool_]]) -> Infos:
    """Marks with their masks."""
    return {**marks, **{f"_{name}": which.copy() for name, which in marks.items()}}


def _autoreset(mode: str | AutoresetMode) -> AutoresetMode:
    if isinstance(mode, AutoresetMode):
        return mode
    known = {name: each for each in AutoresetMode for name in (each.name, each.value)}
    return known[choice("autoreset_mode", mode, known)]


def _reset_mask(mask: object, n: int) -> NDArray[np.bool_]:
    if mask is None:
        return np.ones(n, np.bool_)
    if not isinstance(mask, np.ndarray) or mask.dtype != np.bool_ or mask.shape != (n,) or not mask.any():
        raise ValueError(f"reset_mask must be an array bool[{n}] that is True somewhere")
    return mask.copy()


def _settings(setup: Setup, max_steps: int, autoreset: int) -> Settings:
    encoder = setup.layout.encoder
    actions = kernel_actions(setup.game, setup.whole_plays)
    inputs = len(setup.layout.cells) or setup.layout.size
    return Settings(actions, encoder.spans, encoder.table.copy(), setup.layout.cells.copy(), inputs, setup.n_actions, setup.max_stages, max_steps, autoreset)


def _games(n: int, setup: Setup) -> Games:
    """Room for n games, none of which has begun."""
    marks = np.zeros((n, batch.MARKS), np.int64)
    marks[:, batch.SEAT] = -1 if setup.opponent is None else 0
    legal = np.zeros((n, max(len(setup.actions), 1)), np.int16)
    plays = setup.whole_plays or setup.game.spec.kind == "cross"
    kept = np.zeros((n, KEPT if plays else 0, ROW), np.uint64)
    return Games(np.zeros((n, ROW), np.uint64), np.zeros((n, 5), np.uint64), marks, legal, kept, np.zeros(n, np.int64))


def _scratch(size: int) -> Scratch:
    """Buffers of a thread for observations of so many numbers."""
    return Scratch(np.empty((2, MAX_PLAYS, ROW), np.uint64), np.zeros(size + 1, np.float32))
