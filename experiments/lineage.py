"""What a training begins from: nets of other trainings, which are made first where a config names theirs."""

from contextlib import suppress
from pathlib import Path

from rich.console import Console

from experiments.config import TrainConfig, find_config, load_config
from experiments.run import FREE, run_training
from experiments.store import CONFIG, RunFolder


def train(config: TrainConfig, name: str, runs: Path, resume: bool, console: Console, above: tuple[str, ...] = ()) -> RunFolder:
    """Start or go on with a training, after those whose configs it names; returns its folder.

    Args:
        above: configs that wait for this one.

    Raises:
        ValueError: a config that waits for itself, or is none of a training; see `run_training`.
        Interrupted: by Ctrl-C.
    """
    made: dict[str, Path] = {}
    started = False
    for each, first in _first(config, above).items():
        folder = run_of(first, runs)
        started |= folder is not None
        if folder is None or folder.status != "finished":
            console.print(f"first: {each}")
            folder = train(first, folder.path.name if folder else Path(each).stem, runs, folder is not None, console, (*above, each))
        made[each] = folder.path
    if started and RunFolder.newest(runs, name) is None:
        resume = False  # it was stopped while those were made
    return run_training(config, name, runs, resume, console, made)


def _first(config: TrainConfig, above: tuple[str, ...]) -> dict[str, TrainConfig]:
    """The configs that a training names, with its seed."""
    found = {}
    for key, names in (("net.start", config.net.start), ("selfplay.sieve", (config.selfplay.sieve,))):
        for each in names:
            if each and (not Path(each).exists() or each.endswith(".toml")):
                try:
                    found[each] = _named(each, config, above)
                except ValueError as error:
                    raise ValueError(f"{key}: {error}") from None
    return found


def _named(name: str, by: TrainConfig, above: tuple[str, ...]) -> TrainConfig:
    if name in above:
        raise ValueError(f"{name} begins from itself")
    if name.endswith(".safetensors"):
        raise ValueError(f"{name}: no such file or run folder")
    try:
        find_config(name)
    except ValueError as error:
        raise ValueError(f"{name} is no file and no run folder, and {error}") from None
    config = load_config(name)
    if not isinstance(config, TrainConfig) or config.sweep:
        raise ValueError(f"{name} is not the config of a single training")
    return config.model_copy(update={"seed": by.seed, "threads": by.threads})


def run_of(config: TrainConfig, runs: Path) -> RunFolder | None:
    """A run of a config, whatever its name; a finished one before others."""
    settings, same = config.model_dump(exclude=set(FREE)), []
    for path in sorted(runs.glob(f"*/{CONFIG}")):
        folder = RunFolder(path.parent)
        with suppress(ValueError):  # a damaged one is none
            if folder.config().model_dump(exclude=set(FREE)) == settings:
                same.append(folder)
    return min(same, key=lambda folder: folder.status != "finished", default=None)
