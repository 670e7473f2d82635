"""The same value nets in torch: the definition numba is held to, and the learner for a GPU or large nets."""

from itertools import pairwise

import numpy as np
import torch
from numpy.typing import NDArray
from torch import nn

from agents.nets.files import NetSpec
from agents.nets.value import Floats


class TorchNet(nn.Module):
    """Inputs -> ReLU layers -> logits of the questions (`agents.nets.value`)."""

    def __init__(self, spec: NetSpec, theta: Floats) -> None:
        super().__init__()
        self.spec = spec
        self.layers = nn.ModuleList(nn.Linear(inputs, outputs) for inputs, outputs in pairwise(spec.sizes))
        with torch.no_grad():
            for layer, (weight, bias) in zip(self.linear(), spec.split(theta), strict=True):
                layer.weight.copy_(torch.from_numpy(np.ascontiguousarray(weight)))
                layer.bias.copy_(torch.from_numpy(bias))

    def linear(self) -> list[nn.Linear]:
        """Its layers."""
        return [layer for layer in self.layers if isinstance(layer, nn.Linear)]

    def forward(self, inputs: torch.Tensor) -> torch.Tensor:
        """Logits of the questions (n, questions) from inputs (n, inputs)."""
        *hidden, last = self.layers
        for layer in hidden:
            inputs = torch.relu(layer(inputs))
        logits: torch.Tensor = last(inputs)
        return logits

    def chances(self, inputs: torch.Tensor) -> torch.Tensor:
        """Chances of the outcomes (n, outcomes)."""
        answers = torch.sigmoid(self(inputs))
        half = len(self.spec.outcomes) // 2
        columns = []
        for first, left in ((1, answers[:, 0]), (half, 1 - answers[:, 0])):
            at_least = [left, *answers[:, first : first + half - 1].unbind(dim=1)]
            for k in range(1, half):
                at_least[k] = torch.minimum(at_least[k], at_least[k - 1])
            columns += [more - most for more, most in zip(at_least, [*at_least[1:], torch.zeros_like(left)], strict=True)]
        return torch.stack(columns, dim=1)

    def loss(self, inputs: torch.Tensor, targets: torch.Tensor) -> torch.Tensor:
        """Cross-entropy summed over the questions, mean over the examples, for target chances (n, outcomes)."""
        half = len(self.spec.outcomes) // 2
        wins, losses = targets[:, :half], targets[:, half:]
        truth = torch.cat([wins.flip(1).cumsum(1).flip(1), losses.flip(1).cumsum(1).flip(1)[:, 1:]], dim=1).clamp(0, 1)
        summed = nn.functional.binary_cross_entropy_with_logits(self(inputs), truth, reduction="none").sum(dim=1)
        return summed.mean()

    def join(self, tensors: list[torch.Tensor]) -> Floats:
        """Flat array, in the order of `Net.theta`, of one tensor a parameter."""
        arrays = [tensor.detach().cpu().numpy() for tensor in tensors]
        return self.spec.join(list(zip(arrays[::2], arrays[1::2], strict=True)))

    def theta(self) -> Floats:
        """Its parameters in the order of `Net.theta`."""
        return self.join(list(self.parameters()))


AT_ONCE = 1 << 16
"""Positions valued at once."""


class TorchValues:
    """A net's chances of the outcomes for many positions at once, by torch."""

    def __init__(self, spec: NetSpec, theta: Floats, device: str) -> None:
        """Put the net on a device.

        Raises:
            ValueError: there is no such device.
        """
        self.device = device_of(device)
        self.net = TorchNet(spec, theta).to(self.device)

    def __call__(self, rows: NDArray[np.uint64]) -> Floats:
        """Chances (n, outcomes) for the player to act in each row `uint64[n, ROW]`."""
        found = np.empty((len(rows), len(self.net.spec.outcomes)), np.float32)
        with torch.inference_mode():
            for begin in range(0, len(rows), AT_ONCE):
                inputs = torch.from_numpy(self.net.spec.encoder(rows[begin : begin + AT_ONCE])).to(self.device)
                found[begin : begin + AT_ONCE] = self.net.chances(inputs).cpu().numpy()
        return found


def device_of(name: str) -> torch.device:
    """A device by its name.

    Raises:
        ValueError: there is no such device here.
    """
    if name not in ("cpu", "cuda"):
        raise ValueError(f"device must be numba, cpu or cuda, not {name}")
    if name == "cuda" and not torch.cuda.is_available():
        raise ValueError("device cuda: torch finds no GPU; use numba or cpu")
    return torch.device(name)
