"""Exact values against published ones, and how their tables are kept."""

import json
from pathlib import Path

import numpy as np
import pytest

import tablezoo
from agents.exact import ExactAgent
from experiments.duel import duel
from tablezoo.agent import load_agent
from tablezoo.exact import store, unstack

GAME = tablezoo.game("ofanfelling")
STACKED = "6:2 5:2 4:2 3:2 2:2 1:2"
LYING = "6:1d1 5:1d1 4:1d1 3:1d1 2:1d1 1:1d1"
PHASES = {1: f"{STACKED} | {STACKED} (phase=1 ophase=1)", 2: f"{LYING} | {LYING} (phase=2 ophase=2)", 3: f"{STACKED} | {STACKED}"}


def number(arrows: unstack.Arrows, game: tablezoo.Game, text: str) -> int:
    """Number of the own side's state in a position."""
    found = np.empty(1, np.int32)
    unstack.states_of(arrows.numbers, unstack.BINOMIALS, game.position(text).row[None].copy(), found)
    return int(found[0])


def test_a_side_of_ofanfelling_has_7878_states_by_single_dice() -> None:
    """rules/seeds.md 2.4: 63 + 63 + 7,752 reachable by single dice; 7,505 + 126 at turn ends with four-fold doublets and no number carried over."""

    def states(**options: str | bool) -> int:
        return (len(unstack.arrows_of(tablezoo.game("ofanfelling", **options)).begins) - 1) // unstack.ROLLS

    assert states(bearoff_doublets="rethrow") == 7_878
    assert states(carry_over=False) == 7_505 + 126


def test_fewest_turns_to_the_end() -> None:
    """rules/seeds.md 2.4, by an independent program."""
    arrows = unstack.arrows_of(GAME)
    turns = np.empty((len(arrows.begins) - 1) // unstack.ROLLS)
    unstack.fewest_turns(arrows, turns)
    expected = {1: 18.33728, 2: 12.35135, 3: 6.36032}
    for phase, value in expected.items():
        assert turns[number(arrows, GAME, PHASES[phase])] == pytest.approx(value, abs=5e-6)


def test_the_last_point_of_a_lap_takes_one_turn_in_11_of_31() -> None:
    """rules/seeds.md 2.4: a turn ends the lap with chance 11/36 + 5/36 of the same again."""
    game = tablezoo.game("ofanfelling", carry_over=False)
    arrows = unstack.arrows_of(game)
    turns = np.empty((len(arrows.begins) - 1) // unstack.ROLLS)
    unstack.fewest_turns(arrows, turns)
    one_up = "6:2 5:1d1 4:1d1 3:1d1 2:1d1 1:1d1"
    # a throw: 1/36 the doublet that ends the lap and throws on, 10/36 ends it, 5/36 throws on, 20/36 passes
    after = turns[number(arrows, game, PHASES[2])]
    assert turns[number(arrows, game, f"{one_up} | {STACKED} (phase=1)")] == pytest.approx((1 * after + 10 * (1 + after) + 20) / (36 - 5 - 20), abs=1e-9)


def two_man_bear_offs() -> list[str]:
    """Positions of both sides with one or two men left."""
    sides = ["1:1", "2:1", "4:1", "6:1", "2:1 1:1", "3:2", "6:1 5:1", "6:2"]
    return [f"{own} | {opponent}" for own in sides for opponent in sides]


def test_values_of_late_bear_offs_by_plain_search() -> None:
    """Against a search over plays and rolls that knows nothing of states and equations."""
    arrows, table = unstack.arrows_of(GAME), unstack.solve(GAME, states=250)

    def chance(pos: tablezoo.Position) -> float:
        if pos.text not in known:
            known[pos.text] = sum(
                weight / 36 * max(1.0 if play.after.outcome else 1 - chance(play.after) for play in pos.plays(roll)) for roll, weight in pos.chances()
            )
        return known[pos.text]

    known: dict[str, float] = {}
    for text in two_man_bear_offs():
        pos = GAME.position(text)
        own, opponent = (number(arrows, GAME, side) for side in (text, " | ".join(text.split(" | ")[::-1])))
        assert max(own, opponent) < 250
        assert table[own, opponent] == pytest.approx(chance(pos), abs=1e-6), text


@pytest.mark.slow
@pytest.mark.parametrize(
    ("options", "first", "others"),
    [
        ({}, 0.541715, {2: 0.561475, 3: 0.656444}),
        ({"bearoff_doublets": "rethrow"}, 0.542077, {}),
        ({"carry_over": False}, 0.540717, {}),
        ({"void_doublet_rethrow": False}, 0.535177, {}),
    ],
    ids=str,
)
def test_the_first_player_s_chance(options: dict[str, str | bool], first: float, others: dict[int, float]) -> None:
    """rules/seeds.md 2.4, by an independent program."""
    game = tablezoo.game("ofanfelling", **options)
    arrows, table = unstack.arrows_of(game), unstack.solve(game)
    for phase, value in {1: first, **others}.items():
        state = number(arrows, game, PHASES[phase])
        assert table[state, state] == pytest.approx(value, abs=1e-6)


@pytest.mark.slow
def test_the_perfect_player_is_not_beaten() -> None:
    exact = load_agent("exact", GAME)
    for name in ("random", "pips"):
        result = duel(GAME, exact, load_agent(name, GAME), 20_000, seed=11)
        assert result.ppg > 2 * result.se, name
    assert duel(GAME, exact, exact, 2_000, seed=1).ppg == 0


@pytest.mark.parametrize(
    ("name", "options"), [("backgammon", {}), ("widdershins", {}), ("ofanfelling", {"phase_sync": "both"}), ("ofanfelling", {"equal_turns": True})], ids=str
)
def test_games_that_are_not_solved_are_named(name: str, options: dict[str, str | bool]) -> None:
    with pytest.raises(ValueError, match="is not solved: only"):
        ExactAgent(tablezoo.game(name, **options))


# How tables are kept


@pytest.fixture
def cache(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("TABLEZOO_CACHE", str(tmp_path))
    return tmp_path / "exact"


def counting(values: list[float]) -> tuple[list[int], object]:
    """A builder and the list it grows each time it is called."""
    calls: list[int] = []

    def build() -> np.ndarray:
        calls.append(1)
        return np.array(values, np.float32)

    return calls, build


def test_a_table_is_built_once_and_read_only(cache: Path) -> None:
    calls, build = counting([1, 2, 3])
    for _ in range(2):
        table = store.kept("small", {"version": 1}, build)  # type: ignore[arg-type]
        assert table.tolist() == [1, 2, 3]
        assert not table.flags.writeable
    assert len(calls) == 1
    store.kept("small", {"version": 2}, build)  # type: ignore[arg-type]
    assert len(calls) == 2, "another meaning is another table"


@pytest.mark.parametrize("damage", ["byte", "cut", "empty", "no note", "foreign note"])
def test_a_damaged_table_is_built_again(cache: Path, damage: str) -> None:
    calls, build = counting([1, 2, 3])
    store.kept("small", {"version": 1}, build)  # type: ignore[arg-type]
    (table,) = cache.glob("*.npy")
    note = table.with_suffix(".json")
    data = bytearray(table.read_bytes())
    match damage:
        case "byte":
            data[-1] ^= 1
            table.write_bytes(data)
        case "cut":
            table.write_bytes(data[:-4])
        case "empty":
            table.write_bytes(b"")
        case "no note":
            note.unlink()
        case "foreign note":
            note.write_text(json.dumps(["sha256"]))
    assert store.kept("small", {"version": 1}, build).tolist() == [1, 2, 3]  # type: ignore[arg-type]
    assert len(calls) == 2


def test_a_table_that_cannot_be_kept_is_named(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "file").write_text("")
    monkeypatch.setenv("TABLEZOO_CACHE", str(tmp_path / "file"))
    _, build = counting([1])
    with pytest.raises(OSError, match=r"cannot keep the table: .*; make room, or set TABLEZOO_CACHE"):
        store.kept("small", {}, build)  # type: ignore[arg-type]


def test_a_failed_build_leaves_nothing(cache: Path) -> None:
    def build() -> np.ndarray:
        raise RuntimeError("no")

    with pytest.raises(RuntimeError):
        store.kept("small", {}, build)
    assert not list(cache.glob("*.npy")) + list(cache.glob("*.json"))
