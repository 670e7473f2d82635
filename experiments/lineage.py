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
    for key, names in (("net.start", config.net.start), ("selfplay.sieve", (config.selfplay.sieve,))):
        for each in names:
            if each and (not Path(each).exists() or each.endswith(".toml")):
                try:
                    made[each] = _made(each, config, runs, console, above)
                except ValueError as error:
                    raise ValueError(f"{key}: {error}") from None
    return run_training(config, name, runs, resume, console, made)


def _made(name: str, by: TrainConfig, runs: Path, console: Console, above: tuple[str, ...]) -> Path:
    """The finished run of a config, with the seed of the training that names it."""
    if name in above:
        raise ValueError(f"{name} begins from itself")
    try:
        find_config(name)
    except ValueError as error:
        raise ValueError(f"{name} is no file and no run folder, and {error}") from None
    config = load_config(name)
    if not isinstance(config, TrainConfig) or config.sweep:
        raise ValueError(f"{name} is not the config of a single training")
    config = config.model_copy(update={"seed": by.seed, "threads": by.threads})
    folder = run_of(config, runs)
    if folder is None or folder.status != "finished":
        console.print(f"first: {name}")
        folder = train(config, folder.path.name if folder else Path(name).stem, runs, folder is not None, console, (*above, name))
    return folder.path


def run_of(config: TrainConfig, runs: Path) -> RunFolder | None:
    """A run of a config, whatever its name; a finished one before others."""
    settings, same = config.model_dump(exclude=set(FREE)), []
    for path in sorted(runs.glob(f"*/{CONFIG}")):
        folder = RunFolder(path.parent)
        with suppress(ValueError):  # a damaged one is none
            if folder.config().model_dump(exclude=set(FREE)) == settings:
                same.append(folder)
    return min(same, key=lambda folder: folder.status != "finished", default=None)
