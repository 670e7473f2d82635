"""One whole game of every game of the zoo, written down: `python tests/playthrough.py NAME` writes it anew.

A line: who acts, his roll, how many plays he has, the one he chooses, and the node that follows.
"""

import random
import sys
from collections.abc import Iterator
from pathlib import Path

import tablezoo

FOLDER = Path(__file__).parent / "data" / "playthroughs"


def record(name: str, seed: int = 1) -> Iterator[str]:
    """Lines of a game of random plays."""
    generator = random.Random(seed)
    pos = tablezoo.game(name).start()
    while pos.node != "over":
        rolls, weights = zip(*pos.chances(), strict=True)
        roll = generator.choices(rolls, weights)[0]
        plays = pos.plays(roll)
        play = generator.choice(plays)
        yield f"{pos.player} {roll[0]}{roll[1]} {len(plays)} {play.text} => {play.after.text}"
        pos = play.after
    yield f"{1 - pos.player} wins {pos.outcome}"


def replay(name: str) -> Iterator[tuple[str, str]]:
    """Each line of the recorded game, and the line as it comes out today."""
    *lines, end = (FOLDER / f"{name}.txt").read_text().splitlines()
    pos = tablezoo.game(name).start()
    for line in lines:
        head, _, _ = line.partition(" => ")
        _, roll, _, text = head.split(" ", 3)
        node = pos.rolled((int(roll[0]), int(roll[1])))
        play = node.play(text)
        yield line, f"{pos.player} {roll} {len(node.plays())} {play.text} => {play.after.text}"
        assert tablezoo.game(name).position(play.after.text) == play.after, line
        pos = play.after
    yield end, f"{1 - pos.player} wins {pos.outcome}"


if __name__ == "__main__":
    for game in sys.argv[1:]:
        (FOLDER / f"{game}.txt").write_text("".join(line + "\n" for line in record(game)))
