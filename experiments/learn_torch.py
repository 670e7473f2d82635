"""The learner in torch, for large nets or a GPU; the same steps as the numba learner's up to rounding."""

import numpy as np
import torch
from numpy.typing import NDArray

from agents.nets.files import NetSpec
from agents.nets.torch_net import TorchNet, device_of
from agents.nets.value import Floats
from experiments.config import LearnConfig
from experiments.learn import Learner


class TorchLearner(Learner):
    """Learns with torch."""

    def __init__(self, spec: NetSpec, theta: Floats, config: LearnConfig, seed: int) -> None:
        super().__init__(spec, theta, config, seed)
        self._device = device_of(config.device)

    def _follow(self, rows: NDArray[np.uint64], targets: Floats, order: NDArray[np.int64], rate: float) -> float:
        net = TorchNet(self.spec, self.theta).to(self._device)
        optimiser = torch.optim.Adam(net.parameters(), lr=rate)
        self._restore(net, optimiser)
        total = 0.0
        for begin in range(0, len(order), self.config.batch):
            chosen = order[begin : begin + self.config.batch]
            inputs = torch.from_numpy(self.spec.encoder(rows[chosen])).to(self._device)
            loss = net.loss(inputs, torch.from_numpy(targets[chosen]).to(self._device))
            optimiser.zero_grad()
            loss.backward()  # type: ignore[no-untyped-call]
            optimiser.step()
            total += loss.item() * len(chosen)
            self.step += 1
        states = [optimiser.state[p] for p in net.parameters()]
        self.theta[:] = net.theta()
        self.mean[:] = net.join([state["exp_avg"] for state in states])
        self.square[:] = net.join([state["exp_avg_sq"] for state in states])
        return total / max(len(order), 1)

    def _restore(self, net: TorchNet, optimiser: torch.optim.Adam) -> None:
        """Put Adam's state into torch's optimiser."""
        flat = [[torch.from_numpy(np.ascontiguousarray(array)) for layer in self.spec.split(state) for array in layer] for state in (self.mean, self.square)]
        for parameter, mean, square in zip(net.parameters(), *flat, strict=True):
            optimiser.state[parameter] = {
                "step": torch.tensor(float(self.step)),
                "exp_avg": mean.clone().to(self._device),
                "exp_avg_sq": square.clone().to(self._device),
            }
