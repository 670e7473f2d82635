"""Nets and training states on disk: safetensors, with a description in JSON as metadata."""

import contextlib
import hashlib
import json
import os
from itertools import pairwise
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray
from safetensors import SafetensorError, safe_open
from safetensors.numpy import save

from agents.nets.value import Floats, filled, parameters, questions
from tablezoo.features import NAMES, Encoder, encoder_of
from tablezoo.position import Game, game

FORMAT = 1
Tensors = dict[str, NDArray[Any]]


class NetSpec:
    """What a net's parameters mean.

    Attributes:
        game: the game it plays.
        hidden: widths of the hidden layers.
        encoder: its inputs.
        outcomes: points of the outcomes whose chances it gives.
    """

    def __init__(self, game: Game, hidden: tuple[int, ...], encoder: str) -> None:
        self.game = game
        self.hidden = hidden
        self.encoder: Encoder = encoder_of(game, encoder)
        self.outcomes = game.outcomes

    @property
    def sizes(self) -> tuple[int, ...]:
        """Inputs, hidden widths, questions."""
        return (self.encoder.size, *self.hidden, questions(self.outcomes))

    def split(self, theta: Floats) -> list[tuple[Floats, Floats]]:
        """Weight (outputs, inputs) and bias (outputs,) of each layer, as views of the parameters."""
        layers = []
        begin, rows = 0, self.encoder.size
        for inputs, outputs in pairwise(self.sizes):
            columns = filled(outputs)
            matrix = theta[begin : begin + (rows + 1) * columns].reshape(rows + 1, columns)
            layers.append((matrix[:inputs, :outputs].T, matrix[rows, :outputs]))
            begin, rows = begin + matrix.size, columns
        return layers

    def join(self, layers: list[tuple[Floats, Floats]]) -> Floats:
        """Parameters of layers as `split` gives them."""
        theta = np.zeros(parameters(self.sizes), np.float32)
        for (weight, bias), (weight_here, bias_here) in zip(layers, self.split(theta), strict=True):
            weight_here[:], bias_here[:] = weight, bias
        return theta

    def initial(self, seed: int) -> Floats:
        """Random parameters: ReLU layers by He's rule for the inputs that are not zero; half of the games won, few of them high."""
        rng = np.random.default_rng(seed)
        layers = []
        for k, (inputs, outputs) in enumerate(pairwise(self.sizes)):
            scale = 0.1 if k == 0 else 0.05 if k == len(self.hidden) else np.sqrt(2 / inputs)
            weight = (rng.standard_normal((outputs, inputs)) * scale).astype(np.float32)
            layers.append((weight, np.zeros(outputs, np.float32)))
        half = len(self.outcomes) // 2
        rarer = [max(1 - 2.5 * k, -4) for k in range(1, half)]
        layers[-1][1][:] = [0, *rarer, *rarer]
        return self.join(layers)

    def resembles(self, other: "NetSpec") -> bool:
        """Whether the other is for the same game and inputs."""
        mine, theirs = ((spec.game.name, spec.game.changed, spec.encoder.name) for spec in (self, other))
        return mine == theirs

    def deepened(self, theta: Floats, depth: int) -> tuple["NetSpec", Floats]:
        """A net of so many hidden layers, if it has fewer, that gives the same chances: the new ones hand on what the last one says."""
        more = max(depth - len(self.hidden), 0)
        width = self.hidden[-1]
        deeper = NetSpec(self.game, self.hidden + more * (width,), self.encoder.name)
        *hidden, last = self.split(theta)
        return deeper, deeper.join([*hidden, *more * [(np.eye(width, dtype=np.float32), np.zeros(width, np.float32))], last])

    def grown(self, spec: "NetSpec", theta: Floats, fresh: Floats) -> Floats:
        """Parameters that give the same chances as a smaller net's.

        Layers that it does not have hand on the one before (Chen, Goodfellow & Shlens, "Net2Net", 2016). Units that it does not have come
        from the parameters `fresh`, but for the weights by which they would matter, which are 0.

        Raises:
            ValueError: it is not a smaller net for the same game and inputs.
        """
        small, theta = spec.deepened(theta, len(self.hidden))
        if not small.resembles(self) or len(small.hidden) > len(self.hidden) or any(a > b for a, b in zip(small.hidden, self.hidden, strict=True)):
            raise ValueError(f"a net of {spec.describe()} cannot grow into one of {self.describe()}")
        layers = self.split(fresh.copy())
        for (weight, bias), (small_weight, small_bias) in zip(layers, small.split(theta), strict=True):
            outputs, inputs = small_weight.shape
            weight[:outputs, inputs:] = 0
            weight[:outputs, :inputs], bias[:outputs] = small_weight, small_bias
        return self.join(layers)

    def describe(self) -> dict[str, Any]:
        """For the metadata of a file."""
        described = {"format": FORMAT, "game": self.game.name, "hidden": list(self.hidden), "encoder": self.encoder.name, "outcomes": list(self.outcomes)}
        return {**described, "options": self.game.changed} if self.game.changed else described


def merged(nets: list[tuple[NetSpec, Floats]]) -> tuple[NetSpec, Floats]:
    """Nets of one depth side by side in one: its logits are the means of theirs.

    Raises:
        ValueError: they are not for the same game, inputs and depth.
    """
    specs = [spec for spec, _ in nets]
    first = specs[0]
    for spec in specs[1:]:
        if not spec.resembles(first) or len(spec.hidden) != len(first.hidden):
            raise ValueError(f"nets of {first.describe()} and of {spec.describe()} cannot be merged")
    whole = NetSpec(first.game, tuple(sum(spec.hidden[k] for spec in specs) for k in range(len(first.hidden))), first.encoder.name)
    theta = np.zeros(parameters(whole.sizes), np.float32)
    layers = whole.split(theta)
    rows, columns = [0] * len(layers), [0] * len(layers)
    for spec, part in nets:
        for k, (weight, bias) in enumerate(spec.split(part)):
            outputs, inputs = weight.shape
            last = k == len(layers) - 1
            scale = np.float32(1 / len(nets) if last else 1)
            row, column = 0 if last else rows[k], 0 if k == 0 else columns[k]
            layers[k][0][row : row + outputs, column : column + inputs] = scale * weight
            layers[k][1][row : row + outputs] += scale * bias
            rows[k], columns[k] = row + outputs, column + inputs
    return whole, theta


def write_file(path: Path, spec: NetSpec, theta: Floats, extra: Tensors, notes: dict[str, Any]) -> None:
    """Write a net, further tensors and notes in one step: the file is whole or not there.

    Raises:
        OSError: the folder cannot be written.
    """
    tensors: Tensors = dict(extra)
    for k, (weight, bias) in enumerate(spec.split(theta)):
        tensors[f"layers.{k}.weight"], tensors[f"layers.{k}.bias"] = np.ascontiguousarray(weight), bias
    description = {**spec.describe(), **notes, "sha256": checksum(tensors)}
    write_whole(path, save(tensors, metadata={"tablezoo": json.dumps(description)}))


def checksum(tensors: Tensors) -> str:
    """SHA-256 over all tensors."""
    digest = hashlib.sha256()
    for name in sorted(tensors):
        digest.update(name.encode() + np.ascontiguousarray(tensors[name]).tobytes())
    return digest.hexdigest()


def write_whole(path: Path, data: bytes) -> None:
    """Write a file in one step: it is whole or as it was.

    Raises:
        OSError: it cannot be written; names the file.
    """
    temporary = path.with_name(f".{path.name}.{os.getpid()}")
    try:
        with temporary.open("wb") as file:
            file.write(data)
            file.flush()
            os.fsync(file.fileno())
        temporary.replace(path)
    except OSError as error:
        with contextlib.suppress(OSError):
            temporary.unlink(missing_ok=True)
        raise unwritable(path, error) from None


def unwritable(path: Path, error: OSError) -> OSError:
    """The error to raise where a file cannot be written: it names the file and the mend."""
    return OSError(f"{path}: cannot be written: {error.strerror or error}; make room or choose another place")


def read_file(path: Path) -> tuple[NetSpec, Floats, Tensors, dict[str, Any]]:
    """What `write_file` wrote: the net, its parameters, the further tensors, the notes.

    Raises:
        ValueError: missing, damaged, not a net of this project, or of a later format.
    """
    try:
        with safe_open(path, framework="numpy") as file:
            notes = json.loads((file.metadata() or {})["tablezoo"])
            tensors: Tensors = {name: file.get_tensor(name) for name in file.keys()}  # noqa: SIM118
        if notes["format"] != FORMAT:
            raise ValueError(f"{path}: written by another version of tablezoo: its format is {notes['format']!r}, not {FORMAT}")
        if notes.pop("sha256") != checksum(tensors):
            raise ValueError(f"{path}: damaged: its checksum does not match; use another checkpoint")
        spec = NetSpec(game(str(notes["game"]), **notes.get("options", {})), tuple(notes["hidden"]), _known(notes["encoder"]))
        layers = [(tensors.pop(f"layers.{k}.weight"), tensors.pop(f"layers.{k}.bias")) for k in range(len(spec.hidden) + 1)]
        return spec, spec.join(layers), tensors, notes
    except OSError as error:
        raise ValueError(f"{path}: cannot be read: {error.strerror or error}") from None
    except (SafetensorError, KeyError, TypeError, json.JSONDecodeError) as error:
        raise ValueError(f"{path}: not a net of tablezoo, or damaged ({error})") from None


def is_sound(path: Path) -> bool:
    """Whether `read_file` can read a file."""
    try:
        read_file(path)
    except ValueError:
        return False
    return True


def _known(encoder: str) -> str:
    if encoder not in NAMES:
        raise KeyError(f"encoder {encoder}")
    return encoder


def find_file(path: Path) -> Path:
    """The file a path means: itself, or the newest checkpoint of a run folder.

    Raises:
        ValueError: there is none.
    """
    if path.is_dir():
        files = sorted((path / "checkpoints").glob("*.safetensors"))
        if not files:
            raise ValueError(f"{path}: no checkpoints/*.safetensors in this folder")
        return files[-1]
    if not path.exists():
        raise ValueError(f"{path}: no such file or run folder")
    return path
