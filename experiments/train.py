"""Training by self-play: while a net learns from one batch of games, the next is played."""

import math
import os
import time
from collections.abc import Mapping
from concurrent.futures import Future, ThreadPoolExecutor
from pathlib import Path
from types import MappingProxyType
from typing import Any

from agents.nets.files import NetSpec, find_file, merged, read_file, write_file
from agents.nets.value import Floats, Net, make_net, refresh
from agents.td import TDAgent
from experiments.config import MctsConfig, TrainConfig
from experiments.learn import make_learner
from experiments.selfplay import Games, Manner, join, submit_games
from experiments.selfplay_mcts import submit_searches
from tablezoo.position import Game, game

STATE = ("theta", "mean", "square", "acting")
"""Tensors of a checkpoint beside the net itself, which is the average; `acting` plays the next batch to be learned from."""


class Trainer:
    """All that changes during training, batch by batch.

    Games of batch k + 1 are played by the net as it was after batch k - 1, on the threads that do not learn
    from batch k. Which threads those are makes no difference to the result.

    Attributes:
        cpu_seconds: time of all threads that training has taken; not part of a checkpoint, which is the same whatever the machine.
    """

    def __init__(self, config: TrainConfig, made: Mapping[str, Path] = MappingProxyType({})) -> None:
        """A training before its first batch.

        Args:
            made: runs of the configs that this one names as nets to begin with or as its sieve.

        Raises:
            ValueError: a net that it names cannot be read, or does not fit into this one.
        """
        self.config = config
        self.made = made
        self.game: Game = game(config.game, **config.options)
        self.spec = NetSpec(self.game, config.net.hidden, config.net.encoder)
        theta = self._first_theta()
        self.learner = make_learner(self.spec, theta, config.learn, config.seed)
        self._acting: Net = make_net(theta.copy(), self.spec.hidden, self.spec.encoder, self.spec.outcomes)
        self._sieve = TDAgent(self.game, str(self.place(config.selfplay.sieve))).net if config.selfplay.sieve else self._acting
        self._pool = ThreadPoolExecutor(config.threads or os.cpu_count() or 1)
        self._recorded: Games | None = None
        self._recorded_by = theta.copy()
        self.cpu_seconds = 0.0

    def _first_theta(self) -> Floats:
        """Parameters to begin with.

        Raises:
            ValueError: a net to begin with cannot be read, or they do not fit into this one.
        """
        theta, start = self.spec.initial(self.config.seed), self.config.net.start
        if not start:
            return theta
        try:
            nets = [read_file(find_file(self.place(name)))[:2] for name in start]
            return self.spec.grown(*merged(nets), theta)
        except ValueError as error:
            raise ValueError(f"net.start = {list(start)}: {error}") from None

    def place(self, name: str) -> Path:
        """Where a net that the config names is."""
        return self.made.get(name, Path(name))

    @property
    def batches(self) -> int:
        """Batches of games in all."""
        return math.ceil(self.config.selfplay.games / self.config.selfplay.batch)

    @property
    def games_learned(self) -> int:
        """Games learned from so far."""
        return min(self.learner.batches * self.config.selfplay.batch, self.config.selfplay.games)

    @property
    def _fallen(self) -> float:
        """How far the learning rate has come from the first to the last: held, then along a cosine."""
        done, hold = self.learner.batches / self.batches, self.config.learn.hold
        return 0.0 if done <= hold else (1 - math.cos(math.pi * (done - hold) / (1 - hold))) / 2

    @property
    def rate(self) -> float:
        """Learning rate of the next batch."""
        learn = self.config.learn
        return learn.rate * (1 + self._fallen * (learn.final - 1))

    @property
    def lam(self) -> float:
        """Lambda of the next batch."""
        learn = self.config.learn
        return learn.lam * (1 + self._fallen * (learn.final_lam - 1))

    @property
    def agent(self) -> TDAgent:
        """The player it has become."""
        return TDAgent.of(self.spec, self.learner.average)

    @property
    def done(self) -> bool:
        """Whether all games have been learned from."""
        return self.learner.batches >= self.batches

    def _play(self, batch: int) -> list[Future[Games]]:
        """Have a batch of games played; none after the last."""
        first = batch * self.config.selfplay.batch
        config = self.config.selfplay
        games = min(config.batch, config.games - first)
        if games > 0 and self.config.learn.targets == "mcts":
            acting = TDAgent.of(self.spec, self._acting.theta, self.config.learn.device)
            return submit_searches(self._pool, self.game, acting, self.config.mcts or MctsConfig(), self.config.seed, first, games, config.max_turns)
        width = config.width if config.sieve else 0
        manner = Manner(config.max_turns, config.astray, config.random_plays, self.config.learn.targets == "lookahead", width)
        return submit_games(self._pool, self.game, self._acting, self._sieve, self.config.seed, first, games, manner) if games > 0 else []

    def advance(self) -> float:
        """Learn from one batch of games while the next is played; returns the mean loss."""
        began = time.process_time()
        if self._recorded is None:
            self._recorded = join([part.result() for part in self._play(self.learner.batches)])
            self._take_over()
        following = self.learner.batches + 1
        learning = self._pool.submit(self.learner.learn, self._recorded, self.rate, self.lam)
        self._recorded_by[:] = self._acting.theta
        parts = [part.result() for part in self._play(following)]
        loss = learning.result()
        self._recorded = join(parts) if parts else None
        self._take_over()
        self.cpu_seconds += time.process_time() - began
        return loss

    def _take_over(self) -> None:
        """Let the net as it has become play from now on."""
        self._acting.theta[:] = self.learner.average if self.config.selfplay.net == "average" else self.learner.theta
        refresh(self._acting, self.spec.encoder)

    @property
    def notes(self) -> dict[str, Any]:
        """How the net came to be: for its file."""
        return {"config": self.config.model_dump(mode="json"), "games": self.games_learned}

    def export(self, path: Path) -> None:
        """Write the net alone.

        Raises:
            OSError: the folder cannot be written.
        """
        write_file(path, self.spec, self.learner.average, {}, self.notes)

    def save(self, path: Path) -> None:
        """Write a checkpoint: training goes on from it exactly as it would have without it.

        Raises:
            OSError: the folder cannot be written.
        """
        learner = self.learner
        state = {"theta": learner.theta, "mean": learner.mean, "square": learner.square, "acting": self._recorded_by}
        notes = {**self.notes, "step": learner.step, "batches": learner.batches, "seen": learner.replay.seen}
        write_file(path, self.spec, learner.average, {**state, **learner.replay.tensors}, notes)

    def load(self, path: Path) -> None:
        """Go on from a checkpoint.

        Raises:
            ValueError: damaged, or of another training.
        """
        spec, average, state, notes = read_file(path)
        if spec.describe() != self.spec.describe():
            raise ValueError(f"{path}: a checkpoint of {spec.describe()}, not of {self.spec.describe()}")
        if any(name not in state or state[name].shape != average.shape for name in STATE) or not {"step", "batches"} <= notes.keys():
            raise ValueError(f"{path}: a net without the state of its training; it can play, but not be resumed")
        learner = self.learner
        learner.average[:], learner.theta[:] = average, state["theta"]
        learner.mean[:], learner.square[:] = state["mean"], state["square"]
        learner.step, learner.batches = int(notes["step"]), int(notes["batches"])
        if self.config.learn.replay:
            learner.replay.restore(state, int(notes.get("seen", 0)), str(path))
        self._acting.theta[:] = state["acting"]
        refresh(self._acting, self.spec.encoder)
        self._recorded = None

    def close(self) -> None:
        """End the threads."""
        self._pool.shutdown(cancel_futures=True)
