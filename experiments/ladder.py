"""How much better agents play for more time: decision loss and points a game against time per decision, in a table and two plots.

`python -m experiments.ladder decisions.jsonl --out docs/ladder`
"""

import csv
import math
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
OPPONENTS = ("gnubg:plies=0", "gnubg:plies=1")
WARM = 20
"""Decisions made before the clock runs: kernels are compiled, tables read."""
PATIENCE = 10
"""Times the seconds of a duel that all decisions may take."""
DECISIONS = 25
"""Of a player in a game, about."""
ENOUGH = 20
"""Games below which a standard error says nothing, and a duel is not drawn."""
JUDGING = 2.0
"""Milliseconds that the luck of a decision and its reply takes, about."""


@dataclass(frozen=True)
class Rung:
    """An agent on the ladder.

    Attributes:
        milliseconds: CPU time a decision.
        values: positions its net values a decision; NaN where that is not known.
        loss_mp: equity lost a decision, in thousandths of a point.
        ppg0, ppg1: points a game against gnubg-nn's 0 plies and 1 ply, luck taken off by the net that ships.
    """

    agent: str
    milliseconds: float
    values: float
    loss_mp: float
    loss_se: float
    decisions: int
    ppg0: float
    se0: float
    games0: int
    ppg1: float
    se1: float
    games1: int


def rung(name: str, played: Game, decisions: Path, seconds: float, games: int, seed: int) -> Rung:
    """Measure an agent; duels take about so many seconds, and at most so many games. A slow agent is asked every second decision, or third, ..."""
    agent, asked = load_agent(name, played), read_decisions(decisions, played)
    net = getattr(agent, "base", agent)
    choose(agent, played, np.array([decision.node.row for decision in asked[:WARM]]))
    began = time.process_time()
    choose(agent, played, np.array([decision.node.row for decision in asked[:WARM]]))
    asked = asked[:: max(1, math.ceil(len(asked) * (time.process_time() - began) / WARM / (seconds * PATIENCE)))]
    began, before = time.process_time(), getattr(net, "valued", 0)
    lost = losses(played, agent, asked) * MP
    milliseconds = (time.process_time() - began) / len(asked) * 1000
    values = (getattr(net, "valued", np.nan) - before) / len(asked)
    duels: list[float] = []
    for opponent, slow in zip(OPPONENTS, (0.1, 15.0), strict=True):
        most = int(seconds * 1000 / (milliseconds + slow + JUDGING) / DECISIONS)
        result = duel(played, agent, load_agent(opponent, played), max(4, min(games, most) // 2 * 2), seed, judge=load_agent("td", played))
        duels += [result.ppg, result.se, result.games]
    return Rung(name, milliseconds, values, *mean_with_error(lost), len(asked), *duels)  # type: ignore[arg-type]


def draw(rungs: list[Rung], path: Path) -> None:
    """Draw the ladder: what is lost a decision, and what is won a game, by time."""
    figure = Figure(figsize=(7.2, 8), layout="constrained")
    loss, weak, strong = figure.subplots(3, 1, sharex=True)
    for place, (family, label) in enumerate(FAMILIES.items()):
        some = sorted((r for r in rungs if r.agent.partition(":")[0] == family), key=lambda r: r.milliseconds)
        for axes, value, error, number in ((loss, "loss_mp", "loss_se", "decisions"), (weak, "ppg0", "se0", "games0"), (strong, "ppg1", "se1", "games1")):
            told = [r for r in some if axes is loss or getattr(r, number) >= ENOUGH]
            times, values, errors = ([getattr(r, name) for r in told] for name in ("milliseconds", value, error))
            if told:
                axes.errorbar(times, values, yerr=errors, label=label, color=f"C{place}", marker="o", markersize=3, linewidth=1, capsize=2)
    loss.set(xscale="log", ylabel="mp lost a decision", ylim=(0, None))
    weak.set(ylabel="points a game\nagainst gnubg-nn, 0 plies")
    strong.set(xlabel="CPU milliseconds a decision", ylabel="points a game\nagainst its 1 ply")
    strong.xaxis.set_major_formatter(StrMethodFormatter("{x:g}"))
    for axes in (weak, strong):
        axes.axhline(0, color="black", linewidth=1)
    for axes in (loss, weak, strong):
        axes.grid(alpha=0.3)
    loss.legend()
    figure.savefig(path, metadata={"Date": None})


def read_table(path: Path) -> list[Rung]:
    """The rungs of a table."""
    with path.open(newline="") as file:
        return [Rung(line.pop("agent"), **{key: float(value) for key, value in line.items()}) for line in csv.DictReader(file)]  # type: ignore[arg-type]


def main(
    decisions: Path,
    *,
    out: Path = Path("runs/ladder"),
    seconds: float = 60,
    games: int = 1_000,
    seed: int = 1,
    agents: tuple[str, ...] = RUNGS,
) -> None:
    """Measure agents of backgammon, one after the other on one thread; one that the table has already is not measured again.

    Args:
        decisions: a set of valued decisions, as for `tablezoo score`.
        out: the table and the plot, without their endings.
        seconds: of a duel, about; a tenth of what the decisions may take.
        games: of a duel, at most.
        seed: of the dice.
        agents: their names.
    """
    played, table = game("backgammon"), out.with_suffix(".csv")
    out.parent.mkdir(parents=True, exist_ok=True)
    rungs = read_table(table) if table.exists() else []
    known = {r.agent for r in rungs}
    for name in track([name for name in agents if name not in known], description="measuring"):
        rungs.append(rung(name, played, decisions, seconds, games, seed))
        with table.open("w", newline="") as file:
            writer = csv.DictWriter(file, list(asdict(rungs[0])))
            writer.writeheader()
            writer.writerows(asdict(r) for r in rungs)
    draw(rungs, out.with_suffix(".svg"))


if __name__ == "__main__":
    cyclopts.run(main)
