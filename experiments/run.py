"""What `tablezoo run` does for a training: train as a config says, with progress on the screen and a record in a folder."""

import math
import time
from collections.abc import Iterable, Mapping
from pathlib import Path

from rich.console import Console
from rich.progress import Progress

from agents.nets.files import is_sound
from experiments.boards import opening_plays
from experiments.config import TrainConfig
from experiments.duel import DuelResult, rounds
from experiments.interrupt import Interrupt, Interrupted
from experiments.metrics import EVERY, Metrics, cpu_seconds, entries
from experiments.screen import progress_bar, results_table, watched
from experiments.store import METRICS, RunFolder
from experiments.train import Trainer
from tablezoo.agent import Agent, load_agent

FREE = ("threads", "checkpoint_minutes")
"""Settings that may change when a run goes on: its results do not depend on them."""


class TrainingRun:
    """A training with its folder, metrics and screen."""

    def __init__(self, config: TrainConfig, folder: RunFolder, trainer: Trainer, console: Console) -> None:
        self.config = config
        self.folder = folder
        self.trainer = trainer
        self.console = console
        self.interrupt = Interrupt()
        every = EVERY * config.selfplay.batch
        learned = trainer.games_learned if trainer.done else trainer.games_learned // every * every
        self.metrics = Metrics(folder, trainer.games_learned, learned)
        trainer.cpu_seconds = self.metrics.cpu_seconds
        self.opponents: dict[str, Agent] = {name: load_agent(name, trainer.game) for name in config.evaluate.opponents}

    def evaluate(self, games: int, bar: Progress, seed: int) -> list[tuple[str, DuelResult]]:
        """Play each opponent, record and return the results."""
        results = []
        agent = self.trainer.agent
        for name, opponent in self.opponents.items():
            played = rounds(self.trainer.game, agent, opponent, games, seed, check=self.interrupt.check)
            *_, result = watched(f"against {name}", played, games, bar)
            results.append((name, result))
        scalars = {f"{name}/{key}": value for name, result in results for key, value in (("ppg", result.ppg), ("se", result.se))}
        self.metrics.add(self.trainer.games_learned, scalars)
        for tag, picture in opening_plays(self.trainer.game, agent):
            self.metrics.add_picture(tag, self.trainer.games_learned, picture)
        return results

    def save(self) -> Path:
        """Write a checkpoint and drop old ones."""
        self.metrics.sync()
        path = self.folder.checkpoint(self.trainer.games_learned)
        self.trainer.save(path)
        self.folder.describe(games=self.trainer.games_learned)
        self.folder.prune()
        return path

    def report(self, bar: Progress) -> None:
        """Evaluate on the way, and keep the net as it is."""
        self.trainer.export(self.folder.mark(self.trainer.games_learned))
        results = self.evaluate(self.config.evaluate.mark_games, bar, self.config.seed + self.trainer.learner.batches)
        line = ", ".join(f"{r.ppg:+.3f} ± {r.se:.3f} against {n}" for n, r in results)
        bar.console.print(f"{self.trainer.games_learned:>12,} games: {line}", soft_wrap=True)

    def train(self, bar: Progress) -> None:
        """Learn from all games that are left, with evaluations and checkpoints on the way."""
        trainer, total = self.trainer, self.config.selfplay.games
        marks = {round(trainer.batches * k / (self.config.evaluate.marks + 1)) for k in range(1, self.config.evaluate.marks + 1)}
        task = bar.add_task("self-play", total=total, completed=trainer.games_learned, note="")
        saved = time.monotonic()
        while not trainer.done:
            if trainer.learner.batches in marks:
                self.report(bar)
            before, began = trainer.games_learned, time.monotonic()
            rate, loss = trainer.rate, trainer.advance()
            if not math.isfinite(loss):
                raise ValueError(f"learning has diverged after {trainer.games_learned:,} games (loss {loss}): try a lower learn.rate")
            speed = (trainer.games_learned - before) / (time.monotonic() - began)
            bar.update(task, completed=trainer.games_learned, note=f"{speed:,.0f} games/s, loss {loss:.4f}")
            if trainer.learner.batches % EVERY == 0 or trainer.done:
                self.metrics.add(trainer.games_learned, {"loss": loss, "rate": rate, "games_per_second": speed, "cpu_seconds": trainer.cpu_seconds})
            if time.monotonic() - saved > 60 * self.config.checkpoint_minutes:
                self.save()
                saved = time.monotonic()
            self.interrupt.check()
        bar.remove_task(task)

    def run(self) -> None:
        """Train, save, evaluate.

        Raises:
            Interrupted: by Ctrl-C; what was learned is saved.
            ValueError: learning has diverged.
        """
        began = time.monotonic()
        self.metrics.add_settings(self.config.model_dump(), [f"{name}/ppg" for name in self.opponents])
        try:
            with self.interrupt.caught(), progress_bar(self.console) as bar:
                self.train(bar)
                path = self.save()
                results = self.evaluate(self.config.evaluate.games, bar, self.config.seed + 2**40)
        except Interrupted:
            path = self.save()
            self.console.print(f"stopped after {self.trainer.games_learned:,} games, saved in {path}", soft_wrap=True)
            raise
        finally:
            self.metrics.close()
            self.trainer.close()
        self.folder.describe(results={name: result.summary for name, result in results})
        title = f"{self.config.game}: {self.trainer.games_learned:,} games of self-play, {time.monotonic() - began:.0f} s"
        if before := sum(self.folder.facts().begins.values()):
            title += f", {(before + self.trainer.cpu_seconds) / 60:.0f} CPU minutes from nothing on"
        self.console.print(results_table(title, results))
        self.console.print(f"net: td:{path}   curves: tensorboard --logdir {self.folder.path}", soft_wrap=True)


def run_training(config: TrainConfig, name: str, runs: Path, resume: bool, console: Console, made: Mapping[str, Path]) -> RunFolder:
    """Start or go on with a training; returns its folder.

    Args:
        made: see `experiments.train.Trainer`.

    Raises:
        ValueError: unknown game or agent, a folder that cannot be written, nothing to resume, another config, a damaged checkpoint.
        Interrupted: by Ctrl-C.
    """
    trainer = Trainer(config, made)
    for opponent in config.evaluate.opponents:
        load_agent(opponent, trainer.game)
    begins = begun_from([trainer.place(each) for each in (*config.net.start, config.selfplay.sieve) if each])
    folder = RunFolder.opened(runs, name, config, resume, FREE, begins=begins)
    if resume:
        load_newest(trainer, folder)
        console.print(f"going on with {folder.path} after {trainer.games_learned:,} games")
    else:
        console.print(f"run folder: {folder.path}")
    with folder.at_work():
        TrainingRun(config, folder, trainer, console).run()
    return folder


def begun_from(nets: Iterable[Path]) -> dict[str, float]:
    """Runs that a training begins from, see `experiments.facts.Facts`; of nets that are files it is not known what they took."""
    found: dict[str, float] = {}
    for path in nets:
        if path.is_dir():
            found |= RunFolder(path).facts().begins | {str(path.resolve()): cpu_seconds(entries(path / METRICS))}
    return found


def load_newest(trainer: Trainer, folder: RunFolder) -> None:
    """Go on from a run's newest checkpoint, or begin if it was broken off before the first.

    Raises:
        ValueError: the checkpoint is damaged, with the last sound one if there is one; or it is missing.
    """
    paths = sorted(folder.checkpoints.glob("*.safetensors"))
    if not paths:
        if games := folder.facts().games:
            raise ValueError(f"{folder.checkpoints}: the checkpoint after {games:,} games is missing: put it back, or start anew without --resume")
        return
    newest, older = paths[-1], paths[-2::-1]
    try:
        trainer.load(newest)
    except ValueError as error:
        sound = next((path.name for path in older if is_sound(path)), None)
        raise ValueError(f"{error}; {sound} is sound: delete {newest.name} to go on from there" if sound else str(error)) from None
