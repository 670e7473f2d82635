"""TD(lambda): targets from recorded games, with the luck of the dice or without, and the learner that follows them."""

from abc import ABC, abstractmethod

import numpy as np
from numpy.typing import NDArray

from agents.nets.files import NetSpec
from agents.nets.gradient import Adam, learn, make_inputs
from agents.nets.value import Floats, make_net
from experiments.config import LearnConfig
from experiments.replay import Replay
from experiments.selfplay import Games
from tablezoo.kernel.board import AGAIN, TURN, Rows
from tablezoo.kernel.jit import kernel


@kernel
def lambda_targets(values: Floats, means: Floats, rows: Rows, ends: NDArray[np.int64], lam: np.float32, targets: Floats) -> None:
    """Fill `targets` with the lambda returns of games recorded under one net.

    Gₜ = eₜ + λ mirror[Gₜ₊₁ - vₜ₊₁], and at the last node the outcome itself: values are distributions
    over wins then losses for the player to act, so where he changes `mirror` swaps the halves.
    As played, eₜ = mirror[vₜ₊₁] (Sutton & Barto, "Reinforcement Learning", 2nd ed., eq. 12.18, without discount).
    With the mean over all rolls in its place the return has the same mean, for the best play was made, but no luck in it:
    each roll is worth to the return what it is worth to the net more than the mean, and just that is taken off.
    What is left is by how much the net contradicts itself on the way.

    Args:
        values: vₜ, (nodes, outcomes); certain at the end of each game.
        means: eₜ, (nodes, outcomes), or none: as played.
        rows: (nodes, ROW); marked `AGAIN` where the player of the node before acts again.
        ends: (games,): one past each game's last node.
        lam: λ, 0 to 1.
        targets: Gₜ, (nodes, outcomes).
    """
    n = values.shape[1]
    ahead = means.shape[0] > 0
    begin = 0
    for game in range(ends.shape[0]):
        last = ends[game] - 1
        targets[last] = values[last]
        for t in range(last - 1, begin - 1, -1):
            shift = 0 if rows[t + 1, TURN] & AGAIN else n // 2
            for j in range(n):
                k = (j + shift) % n
                expected = means[t, k] if ahead else values[t + 1, j]
                targets[t, k] = expected + lam * (targets[t + 1, j] - values[t + 1, j])
        begin = ends[game]


class Learner(ABC):
    """A value net that learns.

    Attributes:
        theta: (parameters,) the latest weights.
        average: (parameters,) their running average.
        mean, square: (parameters,) Adam's state.
        step: optimiser steps taken.
        batches: batches of games learned from.
        replay: positions kept to be learned from again.
    """

    def __init__(self, spec: NetSpec, theta: Floats, config: LearnConfig, seed: int) -> None:
        self.spec = spec
        self.config = config
        self.seed = seed
        self.theta = theta.copy()
        self.average = theta.copy()
        self.mean = np.zeros_like(theta)
        self.square = np.zeros_like(theta)
        self.step = 0
        self.batches = 0
        self.replay = Replay(config.replay, len(spec.outcomes))

    def learn(self, games: Games, rate: float, lam: float) -> float:
        """Learn from the lambda returns of recorded games, and again from kept ones, in one shuffled pass; returns the mean loss."""
        rows, targets = games.rows, np.empty_like(games.values)
        lambda_targets(games.values, games.means, rows, games.ends, np.float32(lam), targets)
        inside = np.ones(len(rows), bool)
        inside[games.ends - 1] = False
        order, rng = np.flatnonzero(inside), np.random.default_rng((self.seed, self.batches))
        if self.config.replay:
            order = self.replay.add(rows[order], targets[order])
            rows, targets = self.replay.rows, self.replay.targets
            again = min((self.config.passes - 1) * len(order), len(self.replay))
            order = np.append(order, rng.integers(len(self.replay), size=again))
        loss = self._follow(rows, targets, rng.permutation(order), rate)
        self.batches += 1
        share = (1 + self.config.memory) / (self.batches + self.config.memory)
        self.average += np.float32(share) * (self.theta - self.average)
        return loss

    @abstractmethod
    def _follow(self, rows: NDArray[np.uint64], targets: Floats, order: NDArray[np.int64], rate: float) -> float:
        """An Adam step after each `config.batch` of the examples `order`; returns the mean loss before the steps."""


class NumbaLearner(Learner):
    """Learns with our kernels."""

    def __init__(self, spec: NetSpec, theta: Floats, config: LearnConfig, seed: int) -> None:
        super().__init__(spec, theta, config, seed)
        self._net = make_net(self.theta, spec.hidden, spec.encoder, spec.outcomes)
        self._inputs = make_inputs(spec.encoder)
        self._gradient = np.zeros_like(theta)

    def _follow(self, rows: NDArray[np.uint64], targets: Floats, order: NDArray[np.int64], rate: float) -> float:
        adam = Adam(self._gradient, self.mean, self.square)
        loss, self.step = learn(self._net, self._inputs, adam, rows, targets, order, self.config.batch, np.float32(rate), self.step)
        return loss


def make_learner(spec: NetSpec, theta: Floats, config: LearnConfig, seed: int) -> Learner:
    """The learner that the config asks for.

    Raises:
        ValueError: cuda is asked for and there is none.
    """
    if config.device == "numba":
        return NumbaLearner(spec, theta, config, seed)
    from experiments.learn_torch import TorchLearner

    return TorchLearner(spec, theta, config, seed)
