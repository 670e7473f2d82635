"""The command line. Heavy modules are imported by the command that needs them."""

import signal
import sys
from importlib.metadata import version
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

from cyclopts import App, CycloptsError, Parameter

if TYPE_CHECKING:
    from rich.console import Console

    from tablezoo.kernel.nodes import Roll
    from tablezoo.position import Game

app = App(name="tablezoo", help="The zoo of tables games: play, train, measure.", version=lambda: version("tablezoo"))

Json = Annotated[bool, Parameter(name="--json", negative=(), help="Print one JSON object.")]
Options = Annotated[tuple[str, ...], Parameter(name=("--option", "-o"), help="Reading of a rule, like forced_use=greedy; may be repeated.", negative=())]

USER_ERROR = 2


def main() -> None:
    """Run a command; a user's mistake ends in one line on standard error and exit code 2."""
    try:
        result = app(sys.argv[1:], exit_on_error=False, print_error=False, result_action="return_value")
    except (CycloptsError, ValueError, OSError) as error:
        message = " ".join(str(error).split()) or type(error).__name__
        print(f"tablezoo: {message}", file=sys.stderr)
        sys.exit(USER_ERROR)
    except KeyboardInterrupt:
        sys.exit(130)
    sys.exit(result if isinstance(result, int) else 0)


def _console() -> "Console":
    from rich.console import Console

    return Console(highlight=False, markup=False)


def _print_json(**fields: Any) -> None:
    from experiments.store import dumps

    print(dumps(fields))


def _game(name: str, options: tuple[str, ...]) -> "Game":
    import tablezoo

    readings: dict[str, str | bool] = {}
    for option in options:
        key, equals, value = option.partition("=")
        if not equals:
            raise ValueError(f"cannot read option {option!r}: expected name=reading, like forced_use=greedy")
        readings[key] = {"true": True, "false": False}.get(value.lower(), value)
    return tablezoo.game(name, **readings)


def _roll(text: str) -> "Roll":
    if len(text) not in (1, 2, 3) or not text.isdecimal():
        raise ValueError(f"cannot read roll {text!r}: expected two digits from 1 to 6, like 31, or as many as dice are thrown")
    return tuple(map(int, text))


@app.command
def games(*, json: Json = False) -> None:
    """List the games of the zoo."""
    from tablezoo.games import ZOO

    if json:
        _print_json(
            games=[
                {"name": spec.name, "aliases": spec.aliases, "env": spec.env_id, "summary": spec.summary, "family": spec.family, "region": spec.region}
                | {"movement": spec.movement, "blots": spec.blots, "dice": spec.dice, "certainty": spec.certainty}
                for spec in ZOO
            ]
        )
        return
    from rich.box import SIMPLE_HEAD
    from rich.table import Table

    table = Table(box=SIMPLE_HEAD, padding=(0, 1, 0, 0))
    for column in ("game", "family", "region", "movement", "blots", "dice", "certainty"):
        table.add_column(column, no_wrap=column != "region", min_width=10 if column == "region" else None)
    for spec in sorted(ZOO, key=lambda spec: (spec.family, spec.name)):
        table.add_row(spec.name, spec.family, spec.region, spec.movement, spec.blots, str(spec.dice), spec.certainty)
    _console().print(table)


@app.command
def show(game: str, *, position: str | None = None, option: Options = ()) -> None:
    """Draw the board of a position, or of the start.

    Args:
        game: Name of the game.
        position: Position text, gnubg position id or XGID.
        option: Readings of rules.
    """
    played = _game(game, option)
    print(played.start() if position is None else played.position(position))


@app.command
def plays(game: str, *, roll: str | None = None, position: str | None = None, option: Options = (), json: Json = False) -> None:
    """List every play of a roll.

    Args:
        game: Name of the game.
        roll: Two digits, like 31, or as many as dice are thrown; may be left out where the position has its numbers.
        position: Position text, gnubg position id or XGID; the start if left out.
        option: Readings of rules.
        json: Print one JSON object.
    """
    played = _game(game, option)
    pos = played.start() if position is None else played.position(position)
    if roll is None and pos.node == "roll":
        raise ValueError("say which roll is played, like --roll 31")
    found = pos.plays(_roll(roll)) if roll is not None else pos.plays()
    if json:
        listed = [{"play": p.text, "after": p.result.text, "numbers": p.numbers, "again": p.again} for p in found]
        thrown = _roll(roll) if roll is not None else pos.numbers[: played.spec.dice]
        _print_json(game=played.name, position=pos.text, roll=list(thrown), plays=listed)
    else:
        print("\n".join(f"{p.text:<24} {p.result.text}" for p in found))


@app.command
def perft(game: str, *, depth: int, option: Options = (), json: Json = False) -> None:
    """Count the leaves of the tree of all rolls and plays.

    Args:
        game: Name of the game.
        depth: Stages from the start.
        option: Readings of rules.
        json: Print one JSON object.
    """
    import time

    played = _game(game, option)
    handler = signal.signal(signal.SIGINT, signal.SIG_DFL)  # a kernel does not look for Ctrl-C
    try:
        played.perft(min(depth, 1))
        began = time.process_time()
        leaves = played.perft(depth)
        seconds = time.process_time() - began
    finally:
        signal.signal(signal.SIGINT, handler)
    if json:
        _print_json(game=played.name, depth=depth, perft=leaves, seconds=seconds)
    else:
        print(f"{leaves:,} leaves in {seconds:.3f} s")


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

    console = _console()
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


@app.command
def duel(
    a: str,
    b: str,
    *,
    game: str = "backgammon",
    games: int = 10_000,
    seed: int = 1,
    judge: str = "",
    until: str = "games",
    option: Options = (),
    json: Json = False,
) -> int:
    """Let two agents play each other, in pairs of games with the same dice and the seats swapped; Ctrl-C tells what was played.

    Args:
        a: An agent, like td, pubeval, random, or td:runs/quickstart.
        b: Its opponent.
        game: Name of the game.
        games: Number of games, even.
        seed: Seed of the dice.
        judge: An agent by whose values the luck of the dice is taken off the results, like td.
        until: "decided" to stop as soon as it is settled who is the stronger, wrong in one of 20 cases at most; "games" for all games.
        option: Readings of rules.
        json: Print one JSON object.
    """
    from rich.console import Console

    from experiments.arena import play_duel
    from experiments.config import DuelConfig, check_config
    from experiments.interrupt import EXIT_CODE
    from experiments.screen import results_table, verdict

    played = _game(game, option)
    table = {"kind": "duel", "game": game, "options": played.options, "a": a, "b": b, "games": games, "seed": seed, "judge": judge, "until": until}
    config = check_config(table, "duel")
    assert isinstance(config, DuelConfig)
    result, whole = play_duel(config, Console(stderr=True) if json else _console())
    if result is not None and json:
        fields: dict[str, object] = {"game": played.name, "a": a, "b": b, "games": result.games, "ppg": result.ppg, "se": result.se, "wins": result.wins}
        if judge:
            fields["judge"] = judge
        if config.until == "decided":
            fields |= {"decided": result.decided, "interval": list(result.interval)}
        _print_json(**fields, seed=seed)
    elif result is not None:
        _console().print(results_table(f"{played.name}: {a}", [(b, result)]))
        if config.until == "decided":
            _console().print(verdict((a, b), result))
    else:
        print("tablezoo: stopped before the first games had come to their end", file=sys.stderr)
    return 0 if whole else EXIT_CODE


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
        _print_json(runs=[vars(run) for run in found])
    else:
        _console().print(runs_table(found))


@app.command
def report(run: Path, *, decisions: Path | None = None, out: Path | None = None) -> None:
    """Write what a run tells as one HTML page that needs nothing else.

    Args:
        run: A run's folder, like runs/quickstart.
        decisions: A file of valued decisions, as for score; the net's costliest mistakes on it are shown as boards.
        out: File to write; report.html in the run's folder if left out.
    """
    from experiments.report import write_report

    _console().print(f"report: {write_report(run, decisions, out)}", soft_wrap=True)


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

    played, console = _game(game, ()), _console()
    opponent = load_agent(against, played)
    curves = {}
    for run in runs:
        curves[run.name] = play(run, played, opponent, games, seed)
        for mark in curves[run.name]:
            console.print(f"{run.name} {mark.games:>12,} games {mark.cpu_seconds:>10,.0f} s {mark.ppg:+.4f} ± {mark.se:.4f}", soft_wrap=True)
    draw(curves, against, out)


@app.command
def score(
    agent: str, decisions: Path | None = None, *, game: str = "backgammon", exact: str | None = None, number: int = 20_000, seed: int = 1, json: Json = False
) -> None:
    """Measure how much equity an agent loses, on a set of valued decisions or in games of its own whose values are known.

    Args:
        agent: An agent, like td or pubeval.
        decisions: JSONL file with pid, dice, cls and moves a line.
        game: Name of the game that they are of.
        exact: In place of a file a solved game, like hypergammon.
        number: Decisions of it, at least.
        seed: Of its dice.
        json: Print one JSON object.
    """
    from agents.exact import solution
    from experiments.regret import regret
    from experiments.score import read_decisions
    from experiments.score import score as measure
    from tablezoo.agent import load_agent

    if (decisions is None) == (exact is None):
        raise ValueError("name either a file of decisions or a solved game, like --exact hypergammon")
    if number < 1:
        raise ValueError(f"--number must be a whole number from 1 on, not {number}")
    played = _game(exact or game, ())
    if exact is not None:
        result = regret(played, load_agent(agent, played), solution(played), number, seed)
    else:
        assert decisions is not None
        result = measure(played, load_agent(agent, played), read_decisions(decisions, played))
    if json:
        parts = {kind: {"decisions": n, "loss_mp": loss, "se_mp": error} for kind, (n, loss, error) in result.by_class.items()}
        _print_json(agent=agent, decisions=result.decisions, loss_mp=result.loss_mp, se_mp=result.se_mp, by_class=parts)
        return
    from rich.table import Table

    table = Table(title=f"{agent}: equity lost a decision, in thousandths of a point", title_justify="left")
    for column in ("phase", "decisions", "loss", "standard error"):
        table.add_column(column, justify="left" if column == "phase" else "right")
    for kind, (n, loss, error) in {"all": (result.decisions, result.loss_mp, result.se_mp), **result.by_class}.items():
        table.add_row(kind, f"{n:,}", f"{loss:.2f}", f"{error:.2f}")
    _console().print(table)


@app.command
def rollout(
    game: str,
    *,
    roll: str | None = None,
    position: str | None = None,
    base: str = "td",
    games: int = 216,
    plies: int = 0,
    seed: int = 1,
    keep: Path | None = None,
    json: Json = False,
) -> None:
    """Play out every play of a roll many times, and tell what each is worth.

    Args:
        game: Name of the game.
        roll: Two digits, like 31, or as many as dice are thrown; may be left out where the position has its numbers.
        position: Position text, gnubg position id or XGID; the start if left out.
        base: The agent that plays both sides.
        games: From each play.
        plies: Decisions after which a game is broken off and valued; 0 for none.
        seed: Of the dice, which are the same for every play.
        keep: File that keeps the games: the same command goes on from it, with more games too.
        json: Print one JSON object.
    """
    from rich.console import Console

    from experiments.rolling import plays_rolled_out
    from tablezoo.agent import load_agent

    played = _game(game, ())
    pos = played.start() if position is None else played.position(position)
    node = pos.rolled(_roll(roll)) if roll is not None else pos
    agent = load_agent(f"rollout:{base},games={games},plies={plies},seed={seed}", played)
    found = plays_rolled_out(node, agent, Console(stderr=True), keep, base)
    if json:
        listed = [{"play": play.text, "equity": mean, "se": error} for play, mean, error in found]
        _print_json(game=played.name, position=pos.text, games=games, plays=listed)
    else:
        _console().print("\n".join(f"{play.text:<24} {mean:+.4f} ± {error:.4f}" for play, mean, error in found))


@app.command
def solve(game: str, *, option: Options = (), json: Json = False) -> None:
    """Solve a game, or its bear-off where it is too large, and keep the tables; later calls find them there.

    Args:
        game: Name of the game.
        option: Readings of rules.
        json: Print one JSON object.
    """
    from agents.exact import facts

    played = _game(game, option)
    found = facts(played)
    if json:
        _print_json(game=played.name, **found)
    else:
        _console().print("\n".join(f"{name.replace('_', ' '):<24} {value:,.10g}" for name, value in found.items()))


@app.command
def bench(*names: str, json: Json = False, compare: Path | None = None, page: Path | None = None) -> None:
    """Measure the speed of this machine's kernels; each benchmark first makes sure of its answer.

    Args:
        names: Of the benchmarks; all if none are given.
        json: Print one JSON object.
        compare: What `--json` printed before: tell how many times as much it is now.
        page: File to write the figures to, as a page of Markdown.
    """
    from rich.console import Console
    from rich.progress import Progress

    from experiments.bench.measure import load, machine
    from experiments.bench.page import line_of, page_of, place_of, write_page
    from experiments.bench.run import BENCHES, chosen, earlier

    before, target, busy = {} if compare is None else earlier(compare), None if page is None else place_of(page), load()
    results = []
    console = Console(stderr=True, highlight=False)
    with Progress(console=console, disable=not console.is_terminal, transient=True, redirect_stdout=False) as bar:
        out = bar.console if sys.stdout.isatty() else _console()
        for measure in bar.track(chosen(names), description="measuring"):
            for result in measure():
                results.append(result)
                if not json:
                    out.print(line_of(result, before.get(result.name)), soft_wrap=True)
    if target is not None:
        write_page(target, page_of(results, machine(), busy, BENCHES))
    if json:
        _print_json(machine=machine(), load=busy, results=[{"name": r.name, "value": r.value, "unit": r.unit} for r in results])
