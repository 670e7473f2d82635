"""Commands about agents: how strong and how fast they are."""

import sys
from pathlib import Path

from experiments.cli.app import Json, Options, app, game_of, print_json, roll_of, screen


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

    played = game_of(game, option)
    table = {"kind": "duel", "game": game, "options": played.options, "a": a, "b": b, "games": games, "seed": seed, "judge": judge, "until": until}
    config = check_config(table, "duel")
    assert isinstance(config, DuelConfig)
    result, whole = play_duel(config, Console(stderr=True) if json else screen())
    if result is not None and json:
        fields: dict[str, object] = {"game": played.name, "a": a, "b": b, "games": result.games, "ppg": result.ppg, "se": result.se, "wins": result.wins}
        if judge:
            fields["judge"] = judge
        if config.until == "decided":
            fields |= {"decided": result.decided, "interval": list(result.interval)}
        print_json(**fields, seed=seed)
    elif result is not None:
        screen().print(results_table(f"{played.name}: {a}", [(b, result)]))
        if config.until == "decided":
            screen().print(verdict((a, b), result))
    else:
        print("tablezoo: stopped before the first games had come to their end", file=sys.stderr)
    return 0 if whole else EXIT_CODE


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
    played = game_of(exact or game, ())
    if exact is not None:
        result = regret(played, load_agent(agent, played), solution(played), number, seed)
    else:
        assert decisions is not None
        result = measure(played, load_agent(agent, played), read_decisions(decisions, played))
    if json:
        parts = {kind: {"decisions": n, "loss_mp": loss, "se_mp": error} for kind, (n, loss, error) in result.by_class.items()}
        print_json(agent=agent, decisions=result.decisions, loss_mp=result.loss_mp, se_mp=result.se_mp, by_class=parts)
        return
    from rich.table import Table

    table = Table(title=f"{agent}: equity lost a decision, in thousandths of a point", title_justify="left")
    for column in ("phase", "decisions", "loss", "standard error"):
        table.add_column(column, justify="left" if column == "phase" else "right")
    for kind, (n, loss, error) in {"all": (result.decisions, result.loss_mp, result.se_mp), **result.by_class}.items():
        table.add_row(kind, f"{n:,}", f"{loss:.2f}", f"{error:.2f}")
    screen().print(table)


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

    played = game_of(game, ())
    pos = played.start() if position is None else played.position(position)
    node = pos.rolled(roll_of(roll)) if roll is not None else pos
    agent = load_agent(f"rollout:{base},games={games},plies={plies},seed={seed}", played)
    found = plays_rolled_out(node, agent, Console(stderr=True), keep, base)
    if json:
        listed = [{"play": play.text, "equity": mean, "se": error} for play, mean, error in found]
        print_json(game=played.name, position=pos.text, games=games, plays=listed)
    else:
        screen().print("\n".join(f"{play.text:<24} {mean:+.4f} ± {error:.4f}" for play, mean, error in found))


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
    from experiments.bench.page import line_of, page_of, place_of
    from experiments.bench.run import BENCHES, chosen, earlier
    from experiments.store import replace

    before, target, busy = {} if compare is None else earlier(compare), None if page is None else place_of(page), load()
    results = []
    console = Console(stderr=True, highlight=False)
    with Progress(console=console, disable=not console.is_terminal, transient=True, redirect_stdout=False) as bar:
        out = bar.console if sys.stdout.isatty() else screen()
        for measure in bar.track(chosen(names), description="measuring"):
            for result in measure():
                results.append(result)
                if not json:
                    out.print(line_of(result, before.get(result.name)), soft_wrap=True)
    if target is not None:
        replace(target, page_of(results, machine(), busy, BENCHES))
    if json:
        print_json(machine=machine(), load=busy, results=[{"name": r.name, "value": r.value, "unit": r.unit} for r in results])
