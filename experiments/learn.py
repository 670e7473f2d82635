"""TD(lambda): targets from recorded games, and the learner that follows them."""

import numpy as np
from numpy.typing import NDArray

from agents.nets.gradient import make_adam, make_inputs
from agents.nets.gradient import learn as learn_kernel
from agents.nets.value import F1, Floats, make_net
from experiments.selfplay import Games
from tablezoo.features import Encoder
from tablezoo.kernel.jit import kernel


@kernel
def lambda_targets(values: Floats, ends: NDArray[np.int64], lam: np.float32, targets: Floats) -> None:
    """Fill `targets` with the lambda returns of games recorded under one net.

    Gₜ = mirror[(1 - λ) vₜ₊₁ + λ Gₜ₊₁], and at the last node the outcome itself: values are distributions
    over wins then losses for the player to act, who changes at every node, so `mirror` swaps the halves.
    (Sutton & Barto, "Reinforcement Learning", 2nd ed., eq. 12.18, without discount.)

    Args:
        values: vₜ, (nodes, outcomes); certain at the end of each game.
        ends: (games,): one past each game's last node.
        lam: λ, 0 to 1.
        targets: Gₜ, (nodes, outcomes).
    """
    n = values.shape[1]
    begin = 0
    for game in range(ends.shape[0]):
        last = ends[game] - 1
        targets[last] = values[last]
        for t in range(last - 1, begin - 1, -1):
            for j in range(n):
                targets[t, (j + n // 2) % n] = (F1 - lam) * values[t + 1, j] + lam * targets[t + 1, j]
        begin = ends[game]


class Learner:
    """A value net that learns: its parameters, their running average, and the optimiser's state.

    Attributes:
        theta: (parameters,) the latest weights.
        average: (parameters,) their running average, which plays and is kept in the end.
        step: optimiser steps taken.
        batches: batches of games learned from.
    """

    def __init__(self, theta: Floats, hidden: tuple[int, ...], encoder: Encoder, outcomes: tuple[int, ...], memory: float) -> None:
        """Begin at `theta`; the average forgets over `memory` batches of games at first, more as learning goes on."""
        self.theta = theta.copy()
        self.average = theta.copy()
        self.memory = memory
        self.step = 0
        self.batches = 0
        self.adam = make_adam(len(theta))
        self._net = make_net(self.theta, hidden, encoder, outcomes)
        self._inputs = make_inputs(encoder)

    def learn(self, games: Games, lam: float, batch: int, rate: float, seed: int) -> float:
        """Learn from recorded games in one shuffled pass; returns the mean cross-entropy.

        Args:
            games: recorded under one net.
            lam: λ of the targets.
            batch: examples of an optimiser step.
            rate: learning rate.
            seed: of the shuffle, together with the number of batches learned so far.
        """
        targets = np.empty_like(games.values)
        lambda_targets(games.values, games.ends, np.float32(lam), targets)
        inside = np.ones(len(games.rows), bool)
        inside[games.ends - 1] = False
        order = np.random.default_rng((seed, self.batches)).permutation(np.flatnonzero(inside))
        loss, self.step = learn_kernel(self._net, self._inputs, self.adam, games.rows, targets, order, batch, np.float32(rate), self.step)
        self.batches += 1
        self.average += np.float32((1 + self.memory) / (self.batches + self.memory)) * (self.theta - self.average)
        return loss
