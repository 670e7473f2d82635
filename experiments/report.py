"""What a run tells, as one HTML page that needs nothing else: results, plots, mistakes, config, environment."""

from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from jinja2 import Environment, FileSystemLoader, StrictUndefined

from agents.td import TDAgent
from experiments import plots
from experiments.config import DuelConfig, LeagueConfig, TrainConfig
from experiments.duels import Duels
from experiments.facts import Attempt, Outcome
from experiments.metrics import entries
from experiments.mistakes import Mistake, costliest
from experiments.rating import ratings
from experiments.score import read_decisions
from experiments.store import CONFIG, METRICS, RunFolder, replace
from experiments.sweep import summary
from tablezoo.position import game

MISTAKES = 12
"""Shown at most."""


@dataclass(frozen=True)
class Sheet:
    """A table of texts."""

    title: str
    heads: list[str]
    rows: list[list[str]]


@dataclass(frozen=True)
class Contents:
    """What there is to show of a run."""

    tables: list[Sheet] = field(default_factory=list)
    plots: list[tuple[str, str]] = field(default_factory=list)
    """Titles and SVG."""
    mistakes: list[Mistake] | None = None
    """None if no decisions were asked about."""


def write_report(run: Path, decisions: Path | None = None, out: Path | None = None) -> Path:
    """Write the page; returns where.

    Args:
        run: the run's folder.
        decisions: valued decisions on which its net's mistakes are looked for; none are shown without.
        out: the file; `report.html` in the run's folder if left out.

    Raises:
        ValueError: not a run's folder, or what lies in it is damaged, or the decisions are.
        OSError: the page cannot be written.
    """
    folder = RunFolder(run)
    if not (run / CONFIG).exists():
        raise ValueError(f"{run}: not the folder of a run: it has no {CONFIG}")
    config, facts = folder.config(), folder.facts()
    if decisions is not None and (config.sweep or not isinstance(config, TrainConfig)):
        raise ValueError(f"{run}: decisions are for a training's net; this is the folder of a {'sweep' if config.sweep else config.kind}")
    if config.sweep:
        contents = Contents([of_sweep(facts.trials)])
    elif isinstance(config, LeagueConfig):
        contents = of_league(folder, config)
    elif isinstance(config, DuelConfig):
        contents = of_duel(folder)
    else:
        contents = of_training(folder, config, decisions)
    page = _template().render(
        name=run.resolve().name,
        status=folder.status,
        facts=facts,
        config=(run / CONFIG).read_text(encoding="utf-8"),
        tables=contents.tables,
        plots=contents.plots,
        mistakes=contents.mistakes,
    )
    out = out or run / "report.html"
    replace(out, page)
    return out


def _template() -> Any:
    return Environment(loader=FileSystemLoader(Path(__file__).parent), autoescape=True, undefined=StrictUndefined).get_template("report.html")


def of_training(folder: RunFolder, config: TrainConfig, decisions: Path | None) -> Contents:
    """Strength and learning curves, speed, and the mistakes of the newest net."""
    metrics = entries(folder.path / METRICS)
    drawn = []
    if any("ppg" in tag for entry in metrics for tag in entry):
        drawn.append(("Strength", plots.strength(metrics, config.evaluate.opponents)))
    if any("loss" in entry for entry in metrics):
        drawn.append(("Loss", plots.learning(metrics, "loss", "mean loss")))
        drawn.append(("Speed", plots.learning(metrics, "games_per_second", "games of self-play a second")))
    mistakes = None
    if decisions is not None:
        played = game(config.game, **config.options)
        mistakes = costliest(played, TDAgent(played, str(folder.path)), read_decisions(decisions, played), MISTAKES)
    return Contents([results(folder.facts().results)], drawn, mistakes)


def results(found: dict[str, Outcome]) -> Sheet:
    """Points per game against each opponent."""
    rows = [[name, *str(r).split(" ± "), f"{r.wins:.1%}", f"{r.games:,}"] for name, r in found.items()]
    return Sheet("Results", ["against", "points per game", "standard error", "wins", "games"], rows)


def of_duel(folder: RunFolder) -> Contents:
    """The result, and how it came about."""
    duels = Duels(folder.path / "duels.jsonl")
    told = {b: Outcome.model_validate(result.summary) for (_, b), result in duels.played.items()}
    return Contents([results(told)], [("Course", plots.course(result)) for result in duels.played.values()])


def of_league(folder: RunFolder, config: LeagueConfig) -> Contents:
    """Ratings and points per game of those who have all met."""
    duels = Duels(folder.path / "duels.jsonl").among(config.agents)
    if len(duels) < len(config.agents) * (len(config.agents) - 1) // 2:
        return Contents([Sheet("Duels", ["a", "b", "points per game"], [[a, b, f"{signed(r.ppg)} ± {r.se:.3f}"] for (a, b), r in duels.items()])])
    found = ratings(config.agents, duels)
    standings = [[name, f"{r.elo:+.0f}", f"{r.low:+.0f} to {r.high:+.0f}", signed(r.ppg), f"{r.games:,}"] for name, r in found.items()]
    meetings = {**duels, **{(b, a): result.turned for (a, b), result in duels.items()}}
    matrix = [[a, *("" if a == b else f"{signed(meetings[a, b].ppg)} ± {meetings[a, b].se:.3f}" for b in found)] for a in found]
    return Contents(
        [
            Sheet("Ratings", ["agent", "rating", "95 % interval", "points per game", "games"], standings),
            Sheet("Points per game of each row's agent against each column's", ["", *found], matrix),
        ],
        [("Standings", plots.standings(found))],
    )


def of_sweep(told: dict[str, Attempt]) -> Sheet:
    """What came of each setting."""
    heads, *rows = summary(told)
    return Sheet("Trials", heads, rows)


def signed(points: float) -> str:
    """Points with their sign."""
    return f"{points:+.3f}"
