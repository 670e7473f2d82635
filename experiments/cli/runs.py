"""Commands about experiments."""

from pathlib import Path
from typing import Annotated

from cyclopts import Parameter

from experiments.cli.app import Json, app, game_of, print_json, screen


@app.command
def run(
    config: str,
    *overrides: str,
    resume: Annotated[bool, Parameter(negative=())] = False,
    runs: Path = Path("runs"),
    name: str | None = None,
) -> int:
    """Run an experiment from a config.

    Args:
        config: A TOML file, or the name of one that comes with the package, like quickstart.
        overrides: key=value pairs that change it, like seed=2 or learn.rate=1e-3.
        resume: Go on with the newest run of this name.
        runs: Folder that holds the runs.
        name: Name of the run; the config's if left out.

    Returns:
        0; 1 if trials of a sweep have failed, 130 after Ctrl-C.
    """
    from experiments.config import find_config, load_config

    settled, called = load_config(config, overrides), name or find_config(config).stem
    from experiments.interrupt import EXIT_CODE, Interrupted

    console = screen()
    try:
        if settled.sweep:
            from experiments.sweep import run_sweep

            folder = run_sweep(settled, settled.sweep, str(find_config(config)), called, runs, resume, console)
        else:
            from experiments.launch import launch

            folder = launch(settled, called, runs, resume, console)
    except Interrupted:
        console.print("stopped; what was done is kept: go on with --resume")
        return EXIT_CODE
    from experiments.report import write_report

    console.print(f"report: {write_report(folder.path)}", soft_wrap=True)
    return int(folder.facts().failed)


@app.command(name="runs")
def list_runs(*, runs: Path = Path("runs"), json: Json = False) -> None:
    """List the runs below a folder, with their status and results.

    Args:
        runs: Folder that holds the runs.
        json: Print one JSON object.
    """
    from experiments.runs import listed, runs_table

    found = listed(runs)
    if json:
        print_json(runs=[vars(run) for run in found])
    else:
        screen().print(runs_table(found))


@app.command
def report(run: Path, *, decisions: Path | None = None, out: Path | None = None) -> None:
    """Write what a run tells as one HTML page that needs nothing else.

    Args:
        run: A run's folder, like runs/quickstart.
        decisions: A file of valued decisions, as for score; the net's costliest mistakes on it are shown as boards.
        out: File to write; report.html in the run's folder if left out.
    """
    from experiments.report import write_report

    screen().print(f"report: {write_report(run, decisions, out)}", soft_wrap=True)


@app.command
def curve(runs: tuple[Path, ...], /, *, out: Path, against: str = "gnubg", game: str = "backgammon", games: int = 1_000, seed: int = 1) -> None:
    """Draw how strong the nets of runs were on the way, against CPU time.

    Args:
        runs: Run folders.
        out: Picture to write, like curve.svg.
        against: The agent whose level they are held to.
        game: Name of the game.
        games: Games of each net against it, even; their luck is taken off.
        seed: Seed of the dice.
    """
    from experiments.curve import curve as play
    from experiments.curve import draw
    from tablezoo.agent import load_agent

    played, console = game_of(game, ()), screen()
    opponent = load_agent(against, played)
    curves = {}
    for run in runs:
        curves[run.name] = play(run, played, opponent, games, seed)
        for mark in curves[run.name]:
            console.print(f"{run.name} {mark.games:>12,} games {mark.cpu_seconds:>10,.0f} s {mark.ppg:+.4f} ± {mark.se:.4f}", soft_wrap=True)
    draw(curves, against, out)
