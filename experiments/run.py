"""What `tablezoo run` does: train or duel as a config says, with progress on the screen and a record in a folder."""

import math
import signal
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from types import FrameType

from rich.console import Console
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeElapsedColumn, TimeRemainingColumn
from rich.table import Table

from agents.nets.files import find_file
from experiments.config import DuelConfig, TrainConfig
from experiments.duel import DuelResult, duel
from experiments.store import Metrics, RunFolder
from experiments.train import Trainer
from tablezoo.agent import Agent, load_agent
from tablezoo.position import game

FREE = ("threads", "checkpoint_minutes")
"""Settings that may change when a run goes on: its results do not depend on them."""
INTERRUPTED = 130
"""Exit code after Ctrl-C, as shells have it."""


class Interrupted(Exception):
    """The user wants to stop."""


class Interrupt:
    """Ctrl-C and SIGTERM ask to stop at the next safe moment; a second Ctrl-C stops at once."""

    def __init__(self) -> None:
        self.asked = False

    def check(self, *_: object) -> None:
        """Stop here if asked to.

        Raises:
            Interrupted: so it is.
        """
        if self.asked:
            raise Interrupted

    @contextmanager
    def caught(self) -> Iterator[None]:
        """Within it, signals only ask."""

        def ask(number: int, frame: FrameType | None) -> None:
            if self.asked and number == signal.SIGINT:
                raise KeyboardInterrupt
            self.asked = True

        before = {number: signal.signal(number, ask) for number in (signal.SIGINT, signal.SIGTERM)}
        try:
            yield
        finally:
            for number, handler in before.items():
                signal.signal(number, handler)


def progress_bar(console: Console) -> Progress:
    """A bar with games, speed, loss and time left."""
    return Progress(
        TextColumn("{task.description}"),
        BarColumn(),
        MofNCompleteColumn(),
        TextColumn("games"),
        TextColumn("{task.fields[note]}"),
        TimeElapsedColumn(),
        TextColumn("left"),
        TimeRemainingColumn(),
        console=console,
        disable=not console.is_terminal,
    )


def play_duel(name: str, play: Callable[[Callable[[int], None]], DuelResult], games: int, bar: Progress, interrupt: Interrupt) -> DuelResult:
    """Play a duel under a progress bar."""
    task = bar.add_task(name, total=games, note="")

    def advance(played: int) -> None:
        bar.advance(task, played)
        interrupt.check()

    try:
        return play(advance)
    finally:
        bar.remove_task(task)


def results_table(title: str, rows: list[tuple[str, DuelResult]]) -> Table:
    """Points per game against each opponent."""
    table = Table(title=title, title_justify="left")
    for column in ("against", "points per game", "standard error", "wins", "games"):
        table.add_column(column, justify="left" if column == "against" else "right")
    for name, result in rows:
        table.add_row(name, f"{result.ppg:+.3f}", f"{result.se:.3f}", f"{result.wins:.1%}", f"{result.games:,}")
    if unfinished := sum(result.unfinished for _, result in rows):
        table.caption = f"{unfinished:,} games were broken off without a winner and count 0"
    return table


def run_duel(config: DuelConfig, console: Console) -> DuelResult:
    """Two agents play each other.

    Raises:
        ValueError: unknown game or agent, or a judge that only compares plays.
        Interrupted: by Ctrl-C.
    """
    played = game(config.game, **config.options)
    a, b = load_agent(config.a, played), load_agent(config.b, played)
    judge = load_agent(config.judge, played) if config.judge else None
    interrupt = Interrupt()
    with interrupt.caught(), progress_bar(console) as bar:
        title = f"{config.a} against {config.b}"
        return play_duel(title, lambda advance: duel(played, a, b, config.games, config.seed, advance, judge), config.games, bar, interrupt)


class TrainingRun:
    """A training with its folder, metrics and screen."""

    def __init__(self, config: TrainConfig, folder: RunFolder, trainer: Trainer, console: Console) -> None:
        self.config = config
        self.folder = folder
        self.trainer = trainer
        self.console = console
        self.interrupt = Interrupt()
        self.metrics = Metrics(folder, trainer.games_learned)
        trainer.cpu_seconds = self.metrics.cpu_seconds
        self.opponents: dict[str, Agent] = {name: load_agent(name, trainer.game) for name in config.evaluate.opponents}

    def evaluate(self, games: int, bar: Progress, seed: int) -> list[tuple[str, DuelResult]]:
        """Play each opponent, record and return the results."""
        results = []
        agent = self.trainer.agent
        for name, opponent in self.opponents.items():

            def play(advance: Callable[[int], None], opponent: Agent = opponent) -> DuelResult:
                return duel(self.trainer.game, agent, opponent, games, seed, advance)

            results.append((name, play_duel(f"against {name}", play, games, bar, self.interrupt)))
        scalars = {f"{name}/{key}": value for name, result in results for key, value in (("ppg", result.ppg), ("se", result.se))}
        self.metrics.add(self.trainer.games_learned, scalars)
        return results

    def save(self) -> Path:
        """Write a checkpoint and drop old ones."""
        path = self.folder.checkpoint(self.trainer.games_learned)
        self.trainer.save(path)
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
            if trainer.learner.batches % 10 == 0 or trainer.done:
                self.metrics.add(trainer.games_learned, {"loss": loss, "rate": rate, "games_per_second": speed, "cpu_seconds": trainer.cpu_seconds})
            if time.monotonic() - saved > 60 * self.config.checkpoint_minutes:
                self.save()
                saved = time.monotonic()
            self.interrupt.check()
        bar.remove_task(task)

    def run(self) -> int:
        """Train, save, evaluate; returns the exit code."""
        began = time.monotonic()
        self.metrics.add_text("config", f"```\n{(self.folder.path / 'config.toml').read_text()}```")
        try:
            with self.interrupt.caught(), progress_bar(self.console) as bar:
                self.train(bar)
                path = self.save()
                results = self.evaluate(self.config.evaluate.games, bar, self.config.seed + 2**40)
        except Interrupted:
            path = self.save()
            self.folder.describe(status="interrupted", games=self.trainer.games_learned)
            self.console.print(f"stopped after {self.trainer.games_learned:,} games, saved in {path}; go on with --resume", soft_wrap=True)
            return INTERRUPTED
        except BaseException as error:
            with suppress(OSError):
                self.folder.describe(status="failed", error=f"{type(error).__name__}: {error}")
            raise
        finally:
            self.metrics.close()
            self.trainer.close()
        self.folder.describe(status="finished", games=self.trainer.games_learned, results={n: {"ppg": r.ppg, "se": r.se, "games": r.games} for n, r in results})
        title = f"{self.config.game}: {self.trainer.games_learned:,} games of self-play, {time.monotonic() - began:.0f} s"
        self.console.print(results_table(title, results))
        self.console.print(f"net: td:{path}   curves: tensorboard --logdir {self.folder.path}", soft_wrap=True)
        return 0


def run_training(config: TrainConfig, name: str, runs: Path, resume: bool, console: Console) -> int:
    """Start or go on with a training; returns the exit code.

    Raises:
        ValueError: unknown game or agent, a folder that cannot be written, nothing to resume, another config.
    """
    trainer = Trainer(config)
    for opponent in config.evaluate.opponents:
        load_agent(opponent, trainer.game)
    if resume:
        folder = RunFolder.resumed(runs, name, config, FREE)
        if any(folder.checkpoints.glob("*.safetensors")):
            trainer.load(find_file(folder.path))
        console.print(f"going on with {folder.path} after {trainer.games_learned:,} games")
    else:
        folder = RunFolder.create(runs, name, config)
        console.print(f"run folder: {folder.path}")
    with folder.claimed():
        folder.describe(status="running")
        return TrainingRun(config, folder, trainer, console).run()
