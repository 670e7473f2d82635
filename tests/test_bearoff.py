"""Bear-off tables against GNU Backgammon's databases, an independent program and the oracle."""

from fractions import Fraction
from itertools import combinations_with_replacement

import numpy as np
import oracle_zoo as oracle
import pytest

import tablezoo
from tablezoo.exact import bearoff

GAME = tablezoo.game("backgammon")
ROUNDED = 1.5e-4
"""gnubg keeps chances and equities in 16 bits and goes on with what is rounded: its figures are off by so much."""
TURNS = {  # gnubg's one-sided database: checkers on points 1 to 6, turns on average
    (1, 0, 0, 0, 0, 0): 1.0,
    (0, 0, 0, 0, 0, 1): 1.25,
    (2, 0, 0, 0, 0, 0): 1.0,
    (1, 1, 1, 1, 1, 1): 3.46365,
    (2, 2, 2, 2, 2, 2): 6.36033,
    (3, 3, 3, 2, 2, 2): 7.55496,
    (2, 2, 2, 3, 3, 3): 8.13887,
    (15, 0, 0, 0, 0, 0): 6.97951,
    (0, 0, 0, 0, 0, 15): 12.26630,
    (0, 0, 0, 5, 5, 5): 10.07378,
    (7, 5, 3, 0, 0, 0): 6.98436,
    (5, 5, 5, 0, 0, 0): 7.00562,
    (0, 0, 0, 0, 0, 2): 2.10961,
    (0, 0, 1, 0, 0, 1): 1.75386,
    (0, 0, 0, 0, 1, 1): 1.96005,
    (0, 1, 0, 0, 0, 1): 1.65124,
}
CHANCES = {  # the same: chance of 1, 2, 3, ... turns
    (0, 0, 0, 0, 0, 1): (0.75, 0.25),
    (1, 1, 1, 1, 1, 1): (0, 0.0733, 0.42853, 0.45998, 0.03757, 0.00061),
    (0, 0, 0, 0, 0, 2): (0.11112, 0.67129, 0.21447, 0.00313),
    (0, 0, 1, 0, 0, 1): (0.27778,),
    (0, 0, 0, 0, 1, 1): (0.16667,),
    (0, 1, 0, 0, 0, 1): (0.3611,),
}
EQUITIES = {  # gnubg's two-sided database the thrower's side and the other
    ((1, 0, 0, 0, 0, 0), (1, 0, 0, 0, 0, 0)): 1.0,
    ((0, 0, 0, 0, 0, 1), (1, 0, 0, 0, 0, 0)): 0.5,
    ((0, 0, 0, 0, 0, 1), (0, 0, 0, 0, 0, 1)): 0.625,
    ((1, 1, 1, 1, 1, 1), (1, 1, 1, 1, 1, 1)): 0.40108,
    ((0, 0, 0, 0, 0, 6), (0, 0, 0, 0, 0, 6)): 0.30233,
}


def row(mine: tuple[int, ...], his: tuple[int, ...] = (1, 0, 0, 0, 0, 0), game: tablezoo.Game = GAME) -> np.ndarray:
    """A row by the checkers of both sides on their points 1 to 6."""
    own = " ".join(f"{p}:{n}" for p, n in enumerate(mine, 1) if n)
    opponent = " ".join(f"{25 - p}:{n}" for p, n in enumerate(his, 1) if n)
    return np.array(game.position(f"{own} | {opponent}").row[None])


@pytest.mark.parametrize("side", TURNS, ids=str)
def test_turns_to_bear_off(side: tuple[int, ...]) -> None:
    assert bearoff.OneSided(GAME).turns(row(side))[0] == pytest.approx(TURNS[side], abs=ROUNDED)


@pytest.mark.parametrize("side", CHANCES, ids=str)
def test_chances_of_so_many_turns(side: tuple[int, ...]) -> None:
    chances = bearoff.OneSided(GAME).distribution(row(side))[0]
    assert chances[0] == 0
    assert chances[1 : 1 + len(CHANCES[side])] == pytest.approx(CHANCES[side], abs=ROUNDED)
    assert chances.sum() == pytest.approx(1, abs=1e-9)


def test_there_are_54264_sides_of_15_checkers_and_924_of_6() -> None:
    assert len(bearoff.OneSided(GAME).table) == 54_264
    assert bearoff.TwoSided(GAME).table.shape == (924, 924)


def test_two_checkers_on_each_point_need_6_36032_turns() -> None:
    """By an independent program, in exact arithmetic (rules/seeds.md 2.4)."""
    assert bearoff.OneSided(GAME).turns(row((2,) * 6))[0] == pytest.approx(6.36032, abs=5e-6)


@pytest.mark.parametrize(("mine", "his"), EQUITIES, ids=str)
def test_equities_of_small_races(mine: tuple[int, ...], his: tuple[int, ...]) -> None:
    assert bearoff.TwoSided(GAME).equities(row(mine, his))[0] == pytest.approx(EQUITIES[mine, his], abs=ROUNDED)


def test_three_on_the_ace_point_each() -> None:
    """He who throws loses only if he throws no doublet (30 of 36) and the other does (6 of 36)."""
    equity = bearoff.TwoSided(GAME).equities(row((3, 0, 0, 0, 0, 0), (3, 0, 0, 0, 0, 0)))[0]
    assert equity == pytest.approx(2 * (1 - 30 / 36 * 6 / 36) - 1, abs=1e-12)


def test_turns_of_three_checkers_by_the_oracle() -> None:
    """Exact fractions over the oracle's plays."""
    reading = oracle.ZOO["backgammon"]
    opponent = oracle.side_of([24], reading)
    turns: dict[tuple[int, ...], Fraction] = {(): Fraction(0)}
    for men in sorted((men for n in (1, 2, 3) for men in combinations_with_replacement(range(1, 7), n)), key=sum):
        board = oracle.Board(oracle.side_of(men, reading), opponent)
        turns[men] = Fraction(1)
        for roll in oracle.all_rolls(reading):
            ends = oracle.results(board, oracle.stages(roll, reading)[0], reading)
            turns[men] += Fraction(1 if roll[0] == roll[1] else 2, 36) * min(turns[end.mine.men] for end in ends)
        side = tuple(men.count(point) for point in range(1, 7))
        assert bearoff.OneSided(GAME).turns(row(side))[0] == pytest.approx(float(turns[men]), abs=1e-12), men


def test_two_sides_of_one_sided_chances() -> None:
    """With one checker each there is no choice: the chance to win is that of needing no more turns than the other."""
    one, both = bearoff.OneSided(GAME), bearoff.TwoSided(GAME)
    sides = [tuple(int(p == q) for q in range(6)) for p in range(6)]
    for mine in sides:
        for his in sides:
            m, h = one.distribution(row(mine))[0], one.distribution(row(his))[0]
            wins = sum(m[k] * h[k:].sum() for k in range(len(m)))
            assert both.equities(row(mine, his))[0] == pytest.approx(2 * wins - 1, abs=1e-12)


@pytest.mark.parametrize("name", ["plakoto", "fevga", "long-narde", "tavla", "longgammon"])
def test_relatives_bear_off_as_backgammon_does(name: str) -> None:
    game = tablezoo.game(name)
    assert bearoff.OneSided(game).table == pytest.approx(np.asarray(bearoff.OneSided(GAME).table))


def test_with_single_doublets_it_takes_longer() -> None:
    """Three checkers on the ace point: in backgammon the 6 doublets of 36 bear off all of them, in Irish none does."""
    irish = tablezoo.game("irish")
    assert bearoff.OneSided(irish).turns(row((3, 0, 0, 0, 0, 0), game=irish))[0] == pytest.approx(2)
    assert bearoff.OneSided(GAME).turns(row((3, 0, 0, 0, 0, 0)))[0] == pytest.approx(1 + 30 / 36)


@pytest.mark.parametrize(
    ("name", "why"),
    [
        ("russian", "same points"),
        ("gioul", "several stages"),
        ("nannon", "6 points"),
        ("widdershins", "no track game"),
        ("acey-deucey-american", "acey_deucey"),
    ],
)
def test_other_bear_offs_are_refused(name: str, why: str) -> None:
    with pytest.raises(ValueError, match=why):
        bearoff.OneSided(tablezoo.game(name))


def test_positions_outside_the_tables_are_refused() -> None:
    start = np.array(GAME.position("24:2 13:5 8:3 6:5 | 19:5 17:3 12:5 1:2").row[None])
    with pytest.raises(ValueError, match="not all at home"):
        bearoff.OneSided(GAME).turns(start)
    both = bearoff.TwoSided(GAME)
    assert not both.covers(start)[0]
    assert both.covers(row((0, 0, 0, 0, 0, 6), (6, 0, 0, 0, 0, 0)))[0]
    with pytest.raises(ValueError, match="at most 6 checkers"):
        both.equities(row((0, 0, 0, 0, 0, 7)))
    for name, options in (("hypergammon", {}), ("backgammon", {"scoring": "men_left"})):
        with pytest.raises(ValueError, match="more than one point"):
            bearoff.TwoSided(tablezoo.game(name, **options))
