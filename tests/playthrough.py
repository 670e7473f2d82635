"""One whole game of every game of the zoo, written down: `python tests/playthrough.py NAME` writes it anew.

A line: who acts, his roll (- where none is due), how many plays he has, the one he chooses, and the node that follows.
"""

import random
import sys
from collections.abc import Iterator
from pathlib import Path

import tablezoo

FOLDER = Path(__file__).parent / "data" / "playthroughs"


def lively(plays: tuple[tablezoo.Play, ...]) -> tuple[tablezoo.Play, ...]:
    """The plays to choose from: on a cross those that score or capture, if there are, or a game would have thousands of lines."""
    if plays[0].before.game.spec.kind != "cross":
        return plays
    return tuple(p for p in plays if p.text.startswith("score")) or tuple(p for p in plays if "*" in p.text) or plays


def record(name: str, seed: int = 1) -> Iterator[str]:
    """Lines of a game of random plays."""
    generator = random.Random(seed)
    pos = tablezoo.game(name).start()
    while pos.node != "over":
        roll: tuple[int, ...] = ()
        if pos.node == "roll":
            rolls, weights = zip(*pos.chances(), strict=True)
            roll = generator.choices(rolls, weights)[0]
        node = pos.rolled(roll) if roll else pos
        play = generator.choice(lively(node.plays()))
        yield line(pos, roll, node, play)
        pos = play.after
    yield end(pos)


def line(pos: tablezoo.Position, roll: tuple[int, ...], node: tablezoo.Position, play: tablezoo.Play) -> str:
    """What is written of a stage; `-` for no roll."""
    return f"{pos.player} {''.join(map(str, roll)) or '-'} {len(node.plays())} {play.text} => {play.after.text}"


def end(pos: tablezoo.Position) -> str:
    """What is written of the end of a game."""
    return f"{1 - pos.player} wins {pos.outcome}"


def replay(name: str) -> Iterator[tuple[str, str]]:
    """Each line of the recorded game, and the line as it comes out today."""
    *lines, last = (FOLDER / f"{name}.txt").read_text().splitlines()
    pos = tablezoo.game(name).start()
    for recorded in lines:
        head, _, _ = recorded.partition(" => ")
        _, dice, _, text = head.split(" ", 3)
        roll = () if dice == "-" else tuple(map(int, dice))
        node = pos.rolled(roll) if roll else pos
        play = node.play(text)
        yield recorded, line(pos, roll, node, play)
        assert tablezoo.game(name).position(play.after.text) == play.after, recorded
        pos = play.after
    yield last, end(pos)


if __name__ == "__main__":
    for game in sys.argv[1:]:
        (FOLDER / f"{game}.txt").write_text("".join(f"{written}\n" for written in record(game)))
