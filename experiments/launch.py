"""What `tablezoo run` does: the experiment that a config describes, in a folder of its own."""

from pathlib import Path

from rich.console import Console

from experiments.config import Config, DuelConfig, LeagueConfig
from experiments.store import RunFolder


def launch(config: Config, name: str, runs: Path, resume: bool, console: Console) -> RunFolder:
    """Run a config, or go on with the newest run of this name; returns its folder.

    Raises:
        ValueError: a user's mistake, in one line.
        Interrupted: by Ctrl-C; what was done is kept.
    """
    if isinstance(config, DuelConfig):
        from experiments.arena import run_duel

        return run_duel(config, name, runs, resume, console)
    if isinstance(config, LeagueConfig):
        from experiments.league import run_league

        return run_league(config, name, runs, resume, console)
    from experiments.lineage import train

    return train(config, name, runs, resume, console)
