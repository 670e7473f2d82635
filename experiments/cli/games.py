"""Commands about games."""

import signal

from experiments.cli.app import Json, Options, app, game_of, print_json, roll_of, screen


@app.command
def games(*, json: Json = False) -> None:
    """List the games of the zoo."""
    from tablezoo.games import ZOO

    if json:
        print_json(
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
    screen().print(table)


@app.command
def show(game: str, *, position: str | None = None, option: Options = ()) -> None:
    """Draw the board of a position, or of the start.

    Args:
        game: Name of the game.
        position: Position text, gnubg position id or XGID.
        option: Readings of rules.
    """
    played = game_of(game, option)
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
    played = game_of(game, option)
    pos = played.start() if position is None else played.position(position)
    if roll is None and pos.node == "roll":
        raise ValueError("say which roll is played, like --roll 31")
    found = pos.plays(roll_of(roll)) if roll is not None else pos.plays()
    if json:
        listed = [{"play": p.text, "after": p.result.text, "numbers": p.numbers, "again": p.again} for p in found]
        thrown = roll_of(roll) if roll is not None else pos.numbers[: played.spec.dice]
        print_json(game=played.name, position=pos.text, roll=list(thrown), plays=listed)
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

    played = game_of(game, option)
    handler = signal.signal(signal.SIGINT, signal.SIG_DFL)  # a kernel does not look for Ctrl-C
    try:
        played.perft(min(depth, 1))
        began = time.process_time()
        leaves = played.perft(depth)
        seconds = time.process_time() - began
    finally:
        signal.signal(signal.SIGINT, handler)
    if json:
        print_json(game=played.name, depth=depth, perft=leaves, seconds=seconds)
    else:
        print(f"{leaves:,} leaves in {seconds:.3f} s")


@app.command
def solve(game: str, *, option: Options = (), json: Json = False) -> None:
    """Solve a game, or its bear-off where it is too large, and keep the tables; later calls find them there.

    Args:
        game: Name of the game.
        option: Readings of rules.
        json: Print one JSON object.
    """
    from agents.exact import facts

    played = game_of(game, option)
    found = facts(played)
    if json:
        print_json(game=played.name, **found)
    else:
        screen().print("\n".join(f"{name.replace('_', ' '):<24} {value:,.10g}" for name, value in found.items()))
