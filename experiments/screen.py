"""What a running experiment shows."""

from collections.abc import Iterator

from rich.console import Console
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeElapsedColumn, TimeRemainingColumn
from rich.table import Table

from experiments.duel import DuelResult


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


def watched(name: str, rounds: Iterator[DuelResult], games: int, bar: Progress) -> Iterator[DuelResult]:
    """A duel's rounds, shown on a bar while they are played."""
    task = bar.add_task(name, total=games, note="")
    try:
        for result in rounds:
            bar.update(task, completed=result.games, note=f"{result.ppg:+.3f}")
            yield result
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


def verdict(pair: tuple[str, str], result: DuelResult) -> str:
    """What a duel that may stop early has settled, in one line."""
    low, high = result.interval
    said = f"{pair[0] if low > 0 else pair[1]} is stronger" if result.decided else "undecided"
    return f"{said}: 95 % interval {low:+.3f} to {high:+.3f}, early stopping allowed for"
