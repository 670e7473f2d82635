"""The same value nets in torch: the definition numba is held to, and the learner for a GPU or large nets."""

from itertools import pairwise

import numpy as np
import torch
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
        """Logarithms of the outcomes' chances (n, outcomes) from inputs (n, inputs)."""
        *hidden, last = self.layers
        for layer in hidden:
            inputs = torch.relu(layer(inputs))
        logits: torch.Tensor = last(inputs)
        yes, no = nn.functional.logsigmoid(logits), nn.functional.logsigmoid(-logits)
        half = len(self.spec.outcomes) // 2
        chances: list[torch.Tensor] = []
        for first, left in ((1, yes[:, 0]), (half, no[:, 0])):
            for question in range(first, first + half - 1):
                chances.append(left + no[:, question])
                left = left + yes[:, question]
            chances.append(left)
        stacked: torch.Tensor = torch.stack(chances, dim=1)
        return stacked

    def loss(self, inputs: torch.Tensor, targets: torch.Tensor) -> torch.Tensor:
        """Mean cross-entropy with target distributions (n, outcomes)."""
        logarithms: torch.Tensor = self(inputs)
        return -(targets * logarithms).sum(dim=1).mean()

    def join(self, tensors: list[torch.Tensor]) -> Floats:
        """Flat array, in the order of `Net.theta`, of one tensor a parameter."""
        arrays = [tensor.detach().cpu().numpy() for tensor in tensors]
        return self.spec.join(list(zip(arrays[::2], arrays[1::2], strict=True)))

    def theta(self) -> Floats:
        """Its parameters in the order of `Net.theta`."""
        return self.join(list(self.parameters()))
