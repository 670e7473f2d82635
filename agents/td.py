"""The player with a value net, looking no further than the plays themselves."""

from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from agents.nets.files import NetSpec, find_file, read_file
from agents.nets.plays import evaluate_plays
from agents.nets.value import Floats, evaluate, make_net
from tablezoo.agent import Following
from tablezoo.features import encoder_of
from tablezoo.position import Game
from tablezoo.rows import for_kernels

WEIGHTS = Path(__file__).parent / "nets" / "weights"
"""Nets that ship, one file a game."""


class TDAgent:
    """Values positions with a net; from a file, a run's folder, or the net that ships for the game.

    Attributes:
        valued: how many positions it has valued so far.
    """

    valued = 0

    def __init__(self, game: Game, path: str | None = None, device: str = "numba") -> None:
        """Load the net.

        Args:
            path: its file, or a run's folder; the net that ships for the game if left out.
            device: what computes: numba, or torch on the cpu or on cuda, which pays for large nets and many positions at once.

        Raises:
            ValueError: there is none, it cannot be read, or it plays another game; no such device.
        """
        shipped = WEIGHTS / f"{game.name}.safetensors"
        if path is None and not shipped.exists():
            raise ValueError(f"no net ships for {game.name}; train one and name it, like td:runs/quickstart")
        file = find_file(Path(path)) if path else shipped
        spec, theta, _, _ = read_file(file)
        if spec.game.name != game.name or spec.outcomes != game.outcomes or spec.encoder.size != encoder_of(game, spec.encoder.name).size:
            raise ValueError(f"{file}: a net for {spec.game!r} with outcomes {spec.outcomes}, not for {game!r} with {game.outcomes}")
        self._set(spec, theta, device)

    @classmethod
    def of(cls, spec: NetSpec, theta: Floats, device: str = "numba") -> "TDAgent":
        """The player with these parameters."""
        agent = cls.__new__(cls)
        agent._set(spec, theta, device)
        return agent

    def _set(self, spec: NetSpec, theta: Floats, device: str) -> None:
        self.spec = spec
        self.net = make_net(theta.copy(), spec.hidden, spec.encoder, spec.outcomes)
        self._torch = None
        if device != "numba":
            from agents.nets.torch_net import TorchValues

            self._torch = TorchValues(spec, self.net.theta, device)

    def probabilities(self, rows: NDArray[np.uint64]) -> Floats:
        """Chances of the game's outcomes for the player to act in each row, shape (n, outcomes)."""
        self.valued += len(rows)
        if self._torch:
            return self._torch(rows)
        out = np.empty((len(rows), len(self.spec.outcomes)), np.float32)
        evaluate(self.net, for_kernels(rows), out)
        return out

    def values(self, game: Game, rows: NDArray[np.uint64]) -> NDArray[np.float32]:
        """See `tablezoo.agent.Agent`."""
        equities: NDArray[np.float32] = self.probabilities(rows) @ self.net.outcomes
        return equities

    def probabilities_after(self, after: Following) -> Floats:
        """Chances of the outcomes for the player to act in each row that follows a play, (plays, outcomes); 0 where the game is over."""
        out = np.zeros((len(after.rows), len(self.spec.outcomes)), np.float32)
        going = np.isnan(after.points)
        self.valued += int(going.sum())
        if self._torch:
            out[going] = self._torch(after.rows[going])
            return out
        evaluate_plays(self.spec.game.rules, self.net, after.nodes, after.ends, after.rows, after.points, out)
        return out

    def values_after(self, game: Game, after: Following) -> NDArray[np.float32]:
        """See `tablezoo.agent.Overseer`."""
        equities: NDArray[np.float32] = self.probabilities_after(after) @ self.net.outcomes
        return equities
