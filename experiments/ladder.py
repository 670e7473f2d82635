"""How much better agents play for more time: decision loss and points a game against time per decision, in a table and two plots.

`python -m experiments.ladder decisions.jsonl --out docs/ladder`
"""

import csv
import time
from dataclasses import asdict, dataclass
from pathlib import Path

import cyclopts
import numpy as np
from matplotlib.figure import Figure
from matplotlib.ticker import StrMethodFormatter
from rich.progress import track

from experiments.duel import duel
from experiments.score import MP, losses, read_decisions
from experiments.statistics import mean_with_error
from tablezoo.agent import choose, load_agent
from tablezoo.position import Game, game

RUNGS = (
    "td",
    *(f"search:td,plies={plies},width={width}" for plies, width in ((1, 4), (1, 8), (2, 4), (2, 8))),
    *(f"mcts:td,sims={sims}" for sims in (25, 50, 100, 200, 400, 800, 1600, 3200)),
    *(f"rollout:td,games={games},plies={plies}" for games, plies in ((36, 7), (144, 11))),
    "gnubg:plies=0",
    "gnubg:plies=1",
)
FAMILIES = {"td": "net", "search": "search", "mcts": "tree search", "rollout": "rollout", "gnubg": "gnubg-nn"}
WARM = 20
"""Decisions made before the clock runs: kernels are compiled, tables read."""


@dataclass(frozen=True)
class Rung:
    """An agent on the ladder.

    Attributes:
        milliseconds: CPU time a decision.
        values: positions its net values a decision; NaN where that is not known.
        loss_mp: equity lost a decision, in thousandths of a point.
        ppg: points a game against the opponent.
    """

    agent: str
    milliseconds: float
    values: float
    loss_mp: float
    loss_se: float
    decisions: int
    ppg: float
    ppg_se: float
    games: int


def rung(name: str, played: Game, decisions: Path, opponent: str, games: int, seed: int) -> Rung:
    """Measure an agent."""
    agent, asked = load_agent(name, played), read_decisions(decisions, played)
    net = getattr(agent, "base", agent)
    choose(agent, played, np.array([decision.node.row for decision in asked[:WARM]]))
    began, before = time.process_time(), getattr(net, "valued", 0)
    lost = losses(played, agent, asked) * MP
    taken, valued = time.process_time() - began, getattr(net, "valued", np.nan) - before
    loss, loss_se = mean_with_error(lost)
    result = duel(played, agent, load_agent(opponent, played), games, seed, judge=load_agent("td", played))
    return Rung(name, taken / len(asked) * 1000, valued / len(asked), loss, loss_se, len(asked), result.ppg, result.se, games)


def draw(rungs: list[Rung], opponent: str, path: Path) -> None:
    """Draw the ladder: what is lost a decision, and what is won a game, by time."""
    figure = Figure(figsize=(7.2, 6.4), layout="constrained")
    top, bottom = figure.subplots(2, 1, sharex=True)
    for family, label in FAMILIES.items():
        some = sorted((r for r in rungs if r.agent.partition(":")[0] == family), key=lambda r: r.milliseconds)
        times = [r.milliseconds for r in some]
        for axes, values, errors in ((top, [r.loss_mp for r in some], [r.loss_se for r in some]), (bottom, [r.ppg for r in some], [r.ppg_se for r in some])):
            axes.errorbar(times, values, yerr=errors, label=label, marker="o", markersize=3, linewidth=1, capsize=2)
    top.set(xscale="log", ylabel="mp lost a decision", ylim=(0, None))
    bottom.set(xlabel="CPU milliseconds a decision", ylabel=f"points a game against {opponent}")
    bottom.axhline(0, color="black", linewidth=1)
    bottom.xaxis.set_major_formatter(StrMethodFormatter("{x:g}"))
    for axes in (top, bottom):
        axes.grid(alpha=0.3)
    top.legend()
    figure.savefig(path, metadata={"Date": None})


def main(
    decisions: Path, *, out: Path = Path("runs/ladder"), opponent: str = "gnubg", games: int = 400, seed: int = 1, agents: tuple[str, ...] = RUNGS
) -> None:
    """Measure agents of backgammon, one after the other on one thread; one that the table has already is not measured again."""
    played, table = game("backgammon"), out.with_suffix(".csv")
    out.parent.mkdir(parents=True, exist_ok=True)
    rungs = [Rung(**{k: v if k == "agent" else float(v) for k, v in line.items()}) for line in csv.DictReader(table.open())] if table.exists() else []  # type: ignore[arg-type]
    known = {r.agent for r in rungs}
    for name in track([name for name in agents if name not in known], description="measuring"):
        rungs.append(rung(name, played, decisions, opponent, games, seed))
        with table.open("w", newline="") as file:
            writer = csv.DictWriter(file, list(asdict(rungs[0])))
            writer.writeheader()
            writer.writerows(asdict(r) for r in rungs)
    draw(rungs, opponent, out.with_suffix(".svg"))


if __name__ == "__main__":
    cyclopts.run(main)
