"""docs/performance.md: what the benchmarks told, beside what they should."""

from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path

from experiments.bench.measure import Result

INTRODUCTION = """# Performance

Measured by `tablezoo bench --page docs/performance.md`, which made this page, on {machine}.
Other processes wanted {load:.1f} of its cores when it began.

Every benchmark asserts its answer before it is timed: counts of plays, of games, of perft; agreement with the fused kernel, with
gnubg's values and number of plays. Rates are per CPU second of one thread, medians of seven runs; ratios are medians of runs taken in turn.
`tablezoo bench --json > before.json` keeps the figures, and `tablezoo bench --compare before.json` tells how they changed.
`tablezoo bench NAME ...` runs some of them: {names}.
Where others use the machine, `chrt -r 1 tablezoo bench` (Linux, root) keeps them away for a few minutes.
"""
PEERS = """
The vector environment (`make_vec`, 1,024 games) plays random legal actions with observations and masks. An action is a checker's move in `steps` and in pgx, a
whole turn in `plays`, the play of two checkers in OpenSpiel, whose rate is without observations. Those of others are measured only where they are installed
(`pip install 'tablezoo[peers,referees]'`; for the rows of C a compiler `cc`, whose programs are in [bench/c](../experiments/bench/c)).
"""
GAMES = """
## Every game

Millions a second: stages whose plays are all found, plays found, actions of the vector environment by single checkers and by whole plays
(1,024 games, random legal actions, observations and masks included). A stage is a decision, in most games a whole roll.
The vector environment finds all plays of every decision: where there are 30 to 80 of them, as in the acey-deuceys,
Russian and Tabula, that is what a step in `plays` costs.

| game | stages | plays found | `steps` | `plays` |
|---|---|---|---|---|
"""
COLUMNS = ("plays()", "afterstates", "steps", "plays")


def page_of(results: Sequence[Result], machine: str, load: float, names: Iterable[str]) -> str:
    """The page; `load` is what else the machine did when they began."""
    singles = [result for result in results if ": " not in result.name]
    return "".join(
        (
            INTRODUCTION.format(machine=machine, load=load, names=", ".join(f"`{name}`" for name in names)),
            "\n| what | figure | should be |\n|---|---|---|\n",
            *(f"| {each.name} | {in_words(each)} | {each.bar} |\n" for each in singles),
            PEERS,
            GAMES,
            *rows(results),
        )
    )


def line_of(result: Result, before: float | None) -> str:
    """A figure for the screen, and how many times as much it is as before."""
    change = f"{result.value / before:6.2f} times before" if before else ""
    return f"{result.name:<42}{result.value:>14,.6g} {result.unit:<24}{result.bar:<20} {'' if result.good else 'MISSED':<7}{change}".rstrip()


def rows(results: Iterable[Result]) -> Iterator[str]:
    """A line for each game."""
    found: dict[str, dict[str, float]] = {}
    for result in results:
        name, colon, what = result.name.partition(": ")
        if colon:
            found.setdefault(name, {})[what] = result.value
    for name, figures in found.items():
        yield f"| {name} | " + " | ".join(f"{figures[column] / 1e6:.2f}" if column in figures else "" for column in COLUMNS) + " |\n"


def in_words(result: Result) -> str:
    """The figure with its unit."""
    return f"{result.value:,.0f} {result.unit}" if result.value >= 1000 else f"{result.value:.3g} {result.unit}"


def place_of(path: Path) -> Path:
    """The path, before minutes of measuring are lost for it.

    Raises:
        ValueError: no file can be written there.
    """
    if path.is_dir() or not path.parent.is_dir():
        raise ValueError(f"--page {path}: {'this is a folder' if path.is_dir() else f'there is no folder {path.parent}'}; give a file in a folder that exists")
    return path
