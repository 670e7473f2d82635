"""What the tests share: settings, games, play nodes of random games, and readers of rows and boards."""

import string
from collections.abc import Iterable
from dataclasses import replace
from functools import cache
from pathlib import Path

import numpy as np
import pytest
from hypothesis import HealthCheck, settings
from numpy.typing import NDArray
from oracle import SIMPLE, STANDARD, TAKHTEH, Board, Numbers, Reading, side_of

import tablezoo
from tablezoo.kernel.playout import random_games

settings.register_profile("tablezoo", derandomize=True, database=None, deadline=None, suppress_health_check=list(HealthCheck))
settings.load_profile("tablezoo")

DATA = Path(__file__).parent / "data"
REFEREE_FILES = Path(__file__).parents[1] / ".." / "shared" / "referee" / "files"
"""Other projects' public files: read where they are present, never copied into this repository."""

GAMES: dict[str, tuple[tablezoo.Game, Reading]] = {
    "backgammon": (tablezoo.game("backgammon"), STANDARD),
    "simple-backgammon": (tablezoo.game("simple-backgammon"), SIMPLE),
    "greedy": (tablezoo.game("backgammon", forced_use="greedy"), Reading(forced_use="greedy")),
    "either-die": (tablezoo.game("backgammon", larger_die=False), Reading(larger_die=False)),
    "takhteh": (tablezoo.game("takhteh"), TAKHTEH),
    "unless-wasted": (tablezoo.game("takhteh", hit_and_run="unless_wasted"), replace(TAKHTEH, hit_and_run="unless_wasted")),
    "min-waste": (tablezoo.game("takhteh", waste_pips="min_waste", larger_die=False), replace(TAKHTEH, waste_pips="min_waste", larger_die=False)),
    "min-waste-unless-wasted": (
        tablezoo.game("takhteh", waste_pips="min_waste", hit_and_run="unless_wasted"),
        replace(TAKHTEH, waste_pips="min_waste", hit_and_run="unless_wasted"),
    ),
    "max-off": (tablezoo.game("takhteh", waste_pips="max_off", waste_scope="always"), replace(TAKHTEH, waste_pips="max_off", waste_scope="always")),
}
"""Games that differ in which plays are legal, each with the oracle's reading of its rules."""

BACKGAMMON = GAMES["backgammon"][0]


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Tests about the whole session's use of the kernels come last."""
    items.sort(key=lambda item: item.get_closest_marker("last") is not None)


def pytest_configure(config: pytest.Config) -> None:
    """Register the marker of such tests."""
    config.addinivalue_line("markers", "last: runs after all other tests")


def referee_file(name: str) -> list[str]:
    """Lines of a referee file without comments; the test is skipped where the folder is absent."""
    path = REFEREE_FILES / name
    if not path.exists():
        pytest.skip(f"{path} is not here")
    return [line for line in path.read_text().splitlines() if line and not line.startswith("#")]


@cache
def random_nodes(game: str, nodes: int, seed: int = 1) -> NDArray[np.uint64]:
    """Rows of the first play nodes of a run of random games of one of GAMES."""
    return nodes_of(GAMES[game][0], nodes, seed)


def nodes_of(game: tablezoo.Game, nodes: int, seed: int) -> NDArray[np.uint64]:
    """Rows of the first play nodes of a run of random games."""
    sample = np.empty((nodes, game.start_row.size), np.uint64)
    results = np.empty((20, 2), np.int64)
    found, first = 0, 0
    while found < nodes:
        found += int(random_games(game.rules, game.start_row, np.uint64(seed), np.uint64(first), results, sample[found:]))
        first += len(results)
    return sample


def decoded(rows: NDArray[np.uint64]) -> NDArray[np.uint8]:
    """Counts (n, 52) of rows, read by the layout that `tablezoo.kernel.board` documents."""
    places = np.concatenate([np.arange(26), np.arange(38, 64)]).astype(np.uint64)
    bits = (rows[:, :4, None] >> places[None, None, :]) & np.uint64(1)
    return (bits * np.array([1, 2, 4, 8], np.uint64)[None, :, None]).sum(axis=1).astype(np.uint8)


def boards_after(plays: Iterable[tablezoo.Play]) -> list[bytes]:
    """Counts of the plays' results, as the mover numbers the points."""
    return [row.tobytes() for row in decoded(np.array([play.result.row for play in plays]))]


def board_of(position: tablezoo.Position) -> tuple[Board, Numbers]:
    """The oracle's board of a position, and the numbers left to play."""
    mine, theirs = decoded(position.row[None])[0].reshape(2, 26).tolist()
    turn = int(position.row[4])
    left = tuple(d for d in range(6, 0, -1) for _ in range(turn >> 3 * (d - 1) & 7))
    return Board(*(tuple(place for place in range(26) for _ in range(side[place])) for side in (mine, theirs))), left


def board26(letters: str) -> Board:
    """Board of an XGID's 26 letters: the opponent's bar, points 1 to 24, the own bar; capitals are the mover's."""
    places = [(place, letter) for place, letter in enumerate(letters) for _ in range(string.ascii_lowercase.find(letter.lower()) + 1)]
    return Board(side_of([p for p, letter in places if letter.isupper()], 0), side_of([p for p, letter in places if letter.islower()], 25))
