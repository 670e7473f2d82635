"""Takhteh: positions worked by hand, and how the readings of its rules relate to each other."""

import itertools

import pytest

import tablezoo
from tablezoo.notation.play import parse

TAKHTEH = tablezoo.game("takhteh")


def legal(position: str, roll: tuple[int, int], text: str, **options: str | bool) -> bool:
    """Whether a play is legal."""
    pos = tablezoo.game("takhteh", **options).position(position).rolled(roll)
    try:
        return pos.play(text) in pos.plays()
    except ValueError:
        parse(text)  # at least it can be read
        return False


def only(position: str, roll: tuple[int, int], *texts: str, **options: str | bool) -> None:
    """These are all the plays there are."""
    pos = tablezoo.game("takhteh", **options).position(position).rolled(roll)
    assert {pos.play(text) for text in texts} == set(pos.plays())
    assert len(pos.plays()) == len(texts)


HITS_AT_HOME = "13:9 8:1 6:5 | 19:14 5:1"


def test_who_hits_at_home_does_not_run() -> None:
    assert len(TAKHTEH.position(HITS_AT_HOME).plays((3, 1))) == 11
    assert len(tablezoo.game("takhteh", hit_and_run="allowed").position(HITS_AT_HOME).plays((3, 1))) == 13
    for text in ("8/5*/4", "6/5*/2"):
        assert not legal(HITS_AT_HOME, (3, 1), text)
        assert legal(HITS_AT_HOME, (3, 1), text, hit_and_run="allowed")
    for text in ("8/5* 6/5", "8/5* 13/12", "6/5* 13/10", "6/5* 6/3"):
        assert legal(HITS_AT_HOME, (3, 1), text)


def test_who_hits_outside_may_go_on() -> None:
    assert legal("10:1 1:14 | 19:14 7:1", (3, 2), "10/7*/5")


def test_a_hitter_is_not_borne_off() -> None:
    """Bruce Scott's position."""
    only("5:2 4:2 2:2 | 19:12 3:1 1:2", (3, 2), "2/off 5/2", "4/2 5/2", "5/3* 5/2")
    assert not legal("5:2 4:2 2:2 | 19:12 3:1 1:2", (3, 2), "5/3*/off")


def test_a_number_is_lost_rather_than_hit_and_run() -> None:
    position = "9:1 | 20:12 7:2 5:1 (off=14)"
    only(position, (4, 2), "9/5*")
    only(position, (4, 2), "9/5*/3", hit_and_run="unless_wasted")


def test_hitters_that_may_run_may_do_so_for_the_whole_turn() -> None:
    """All four ones can be played only by running from 3 and from 2; step by step it is the same turn."""
    pos = tablezoo.game("takhteh", hit_and_run="unless_wasted").position("5:1 1:1 | 3:1 2:1 (off=13 ooff=13)").rolled((1, 1))
    play = pos.play("5/4/3*/2*/1")
    assert play.numbers == 4
    for step in ((5, 1), (4, 1), (3, 1)):
        pos = pos.step(step)
        assert "freed=1" in pos.text
        assert pos.game.position(pos.text) == pos
    assert pos.step((2, 1)) == play.after


def test_one_of_several_on_the_point_of_a_hit_stays_with_a_doublet() -> None:
    position = "13:13 5:2 | 19:14 4:1"
    assert legal(position, (1, 1), "5/4*(2) 4/3 13/12")
    assert not legal(position, (1, 1), "5/4* 4/3 13/12(2)")
    assert not legal(position, (1, 1), "5/4*(2) 4/3(2)")


def test_the_smaller_number_does_not_move_what_the_larger_bears_off() -> None:
    only("3:1 1:2 | 24:15", (5, 2), "3/off 1/off")
    only("3:1 1:2 | 24:15", (5, 2), "3/off 1/off", "3/1 1/off", waste_pips="off")


def test_the_last_checker_ends_the_game_whatever_is_left_of_the_roll() -> None:
    only("3:1 | 24:15", (5, 2), "3/off")
    play = TAKHTEH.position("3:1 | 24:15").rolled((5, 2)).plays()[0]
    assert play.after.outcome == 2


def test_nothing_is_barred_where_no_pip_is_wasted() -> None:
    only("4:2 1:1 | 24:15", (6, 1), "4/off 1/off", "4/off 4/3")
    only("4:1 3:1 | 24:15", (3, 1), "3/off 4/3", "4/1 3/2")


def test_both_numbers_come_before_thrift() -> None:
    only("4:1 3:2 | 24:13 1:2", (5, 2), "4/2 3/off")


def test_the_opening_winner_throws_anew() -> None:
    assert len(TAKHTEH.start().chances()) == 21
    assert sum(weight for _, weight in TAKHTEH.start().chances()) == 36
    assert len(tablezoo.game("takhteh", opening="rolloff_use_dice").start().chances()) == 15


def test_a_loser_with_none_off_loses_two_points_even_from_the_bar() -> None:
    after = TAKHTEH.position("1:1 | 24:14 (obar=1)").rolled((2, 1)).plays()[0].after
    assert after.outcome == 2
    assert TAKHTEH.outcomes == (1, 2, -1, -2)


def test_perft() -> None:
    """At depth 1 no hit is possible and nobody bears off: backgammon's 447; deeper, hitters stay."""
    assert TAKHTEH.perft(1) == 447
    assert TAKHTEH.perft(2) < 202_782
    assert tablezoo.game("takhteh", hit_and_run="allowed").perft(2) == 202_782


def test_readings_of_wasting_pips_on_every_small_race() -> None:
    """Counts by an independent program over the 6,915 pairs of a race position of up to five checkers and two different numbers."""
    games = {name: tablezoo.game("takhteh", waste_pips=name) for name in ("off", "no_small_first", "min_waste", "max_off")}
    pairs = differing = 0
    binding = dict.fromkeys(games, 0)
    for n in range(1, 6):
        for men in itertools.combinations_with_replacement(range(6, 0, -1), n):
            text = " ".join(f"{p}:{men.count(p)}" for p in range(6, 0, -1) if p in men) + " | 24:15"
            for roll in itertools.combinations(range(6, 0, -1), 2):
                results = {name: {play.result for play in game.position(text).plays(roll)} for name, game in games.items()}
                rows = {name: {result.row.tobytes() for result in found} for name, found in results.items()}
                pairs += 1
                for name, found in rows.items():
                    binding[name] += found != rows["off"]
                    assert found <= rows["off"]
                assert rows["min_waste"] <= rows["no_small_first"]
                differing += rows["min_waste"] != rows["no_small_first"]
    assert pairs == 6_915
    assert (binding["no_small_first"], binding["min_waste"], binding["max_off"], differing) == (1_615, 1_900, 4_134, 285)


def test_positions_within_a_turn_come_back_from_their_text() -> None:
    pos = TAKHTEH.position(HITS_AT_HOME).rolled((3, 1)).step((8, 3))
    assert pos.text == "13:9 6:5 5:1 | 19:14 (obar=1 dice=1 kept=5)"
    assert TAKHTEH.position(pos.text) == pos
    assert (5, 1) not in pos.steps()
    game = tablezoo.game("takhteh", waste_pips="min_waste")
    pos = game.position("6:2 1:2 | 24:15 (off=11)").rolled((5, 1)).step((6, 5))
    assert "thrift=1" in pos.text
    assert game.position(pos.text) == pos


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("24:15 | 1:15 (dice=31 kept=5)", "kept=5: only points with a checker"),
        ("5:15 | 1:15 (kept=5)", "kept=5"),
        ("5:15 | 1:15 (dice=3 kept=7)", "kept=7: expected points"),
        ("5:15 | 1:15 (thrift=1)", "thrift=1"),
        ("5:15 | 1:15 (dice=3 thrift=2)", "thrift=2: expected"),
        ("5:15 | 1:15 (dice=3 freed=1)", "freed=1: only"),
    ],
)
def test_a_mark_out_of_place_is_named(text: str, message: str) -> None:
    with pytest.raises(ValueError, match=message):
        TAKHTEH.position(text)


def test_backgammon_knows_neither_mark() -> None:
    game = tablezoo.game("backgammon")
    for text in ("5:15 | 1:15 (dice=3 kept=5)", "5:15 | 1:15 (dice=31 thrift=1)"):
        with pytest.raises(ValueError, match=r"kept=5|thrift=1"):
            game.position(text)
