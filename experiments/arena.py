"""Agents who play each other under a progress bar, until all is played or the user stops."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

from rich.console import Console
from rich.progress import Progress

from experiments.config import ArenaConfig, DuelConfig
from experiments.duel import DuelResult, Until, rounds
from experiments.duels import Duels, Pair
from experiments.interrupt import Interrupt, Interrupted
from experiments.screen import progress_bar, results_table, verdict, watched
from experiments.store import RunFolder
from tablezoo.agent import Agent, Comparer, load_agent
from tablezoo.position import Game, game

FREE = ("games", "until")
"""What may change when a duel goes on."""


@dataclass(frozen=True)
class Arena:
    """Where agents meet."""

    game: Game
    agents: dict[str, Agent]
    """By name."""
    judge: Agent | None
    games: int
    """Of a duel."""
    seed: int
    until: Until = "games"

    @classmethod
    def of(cls, config: ArenaConfig, names: Sequence[str], until: Until = "games") -> "Arena":
        """The arena of a config.

        Raises:
            ValueError: unknown game or agent, or a judge that only compares plays.
        """
        played = game(config.game, **config.options)
        agents = {name: load_agent(name, played) for name in names}
        judge = load_agent(config.judge, played) if config.judge else None
        if isinstance(judge, Comparer):
            raise ValueError(f"judge: {config.judge} compares plays but puts no value on them; choose another judge, like td")
        return cls(played, agents, judge, config.games, config.seed, until)

    def rounds(self, pair: Pair, so_far: DuelResult | None, bar: Progress, interrupt: Interrupt) -> Iterator[DuelResult]:
        """A duel as it stands after each round; nothing if it has ended.

        Raises:
            Interrupted: by Ctrl-C; rounds that were played to their end have been yielded.
        """
        a, b = (self.agents[name] for name in pair)
        left = rounds(self.game, a, b, self.games, self.seed, self.judge, self.until, so_far, interrupt.check)
        return watched(" against ".join(pair), left, self.games, bar)

    def play(self, pairs: Sequence[Pair], duels: Duels, bar: Progress, interrupt: Interrupt) -> Iterator[Pair]:
        """Play what is missing of duels, kept after every round; yields each that has been added to.

        Raises:
            Interrupted: by Ctrl-C.
        """
        for pair in pairs:
            kept = pair[::-1] if pair[::-1] in duels.played else pair
            before = duels.played.get(kept)
            for result in self.rounds(kept, before, bar, interrupt):
                duels.add(kept, result)
            if duels.played[kept] is not before:
                yield kept


def play_duel(config: DuelConfig, console: Console) -> tuple[DuelResult | None, bool]:
    """A duel that leaves no record: what was played of it, and whether the user let it come to its end.

    Raises:
        ValueError: unknown game or agent, or a judge that only compares plays.
    """
    arena, interrupt, result = Arena.of(config, (config.a, config.b), config.until), Interrupt(), None
    try:
        with interrupt.caught(), progress_bar(console) as bar:
            for result in arena.rounds((config.a, config.b), None, bar, interrupt):  # noqa: B007 - the last one counts
                pass
    except Interrupted:
        return result, False
    return result, True


def run_duel(config: DuelConfig, name: str, runs: Path, resume: bool, console: Console) -> RunFolder:
    """Play a duel, or what is missing of it, and keep it in a folder, which is returned.

    Raises:
        ValueError: unknown game or agent, a judge that only compares plays, a folder that cannot be written, nothing to resume, another config.
        Interrupted: by Ctrl-C; what was played is kept.
    """
    arena, pair, interrupt = Arena.of(config, (config.a, config.b), config.until), (config.a, config.b), Interrupt()
    folder = RunFolder.opened(runs, name, config, resume, FREE)
    console.print(f"run folder: {folder.path}")
    with folder.at_work():
        duels = Duels(folder.path / "duels.jsonl")
        with interrupt.caught(), progress_bar(console) as bar:
            for _ in arena.play([pair], duels, bar, interrupt):
                pass
        folder.describe(results={config.b: duels.played[pair].summary})
        console.print(results_table(f"{config.game}: {config.a}", [(config.b, duels.played[pair])]))
        if config.until == "decided":
            console.print(verdict(pair, duels.played[pair]))
    return folder
