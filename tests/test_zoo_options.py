"""Every option of the zoo's track games: positions worked by hand where its readings differ, input that is refused, and what the pages say."""

import re
from pathlib import Path

import pytest

import tablezoo
from tablezoo.rules import CHOICES

PAGES = Path(__file__).parents[1] / "docs" / "games"
WINNER_BEGINS = ("tavla", "portes", "plakoto", "tapa", "fevga", "moultezim", "long-narde", "gul-bara", "gioul")
ROLL_OFF_IS_PLAYED = ("nackgammon", "hypergammon", "longgammon", "irish", "jacquet", "nannon")
ROLL_OFF_IS_PLAYED += ("dutch", "acey-deucey-american", "acey-deucey-european", "russian")
GAMES = (*WINNER_BEGINS, *ROLL_OFF_IS_PLAYED, "mahbouseh", "tawla-31", "tabula")


def game(name: str, **options: str | bool | int) -> tablezoo.Game:
    return tablezoo.game(name, **options)


def only(rules: tablezoo.Game, position: str, *texts: str) -> None:
    """These are all the plays there are."""
    node = rules.position(position)
    assert {node.play(text) for text in texts} == set(node.plays()), [play.text for play in node.plays()]
    assert len(node.plays()) == len(texts)


def result(rules: tablezoo.Game, position: str, play: str) -> str:
    """The board after a play, in the numbering of the player who made it."""
    return rules.position(position).play(play).result.text


def outcome(rules: tablezoo.Game, position: str, play: str) -> int | None:
    return rules.position(position).play(play).after.outcome


# doubles


@pytest.mark.parametrize("name", ["irish", "nackgammon", "plakoto", "fevga", "long-narde", "tawla-31"])
def test_a_doublet_is_four_moves_or_two(name: str) -> None:
    position = "11:2 1:13 | 12:15 (dice=11)"
    only(game(name, doubles="twice"), position, "11/7", "11/8 11/10", "11/9(2)")
    only(game(name, doubles="once"), position, "11/9", "11/10(2)")


def test_what_is_left_of_a_doublet() -> None:
    position = "11:2 1:13 | 12:15 (dice=11)"
    assert game("fevga").position(position).step((11, 1)).text == "11:1 10:1 1:13 | 12:15 (dice=1x3)"
    assert game("irish").position(position).step((11, 1)).text == "11:1 10:1 1:13 | 12:15 (dice=1)"


# movement


def test_the_enemys_numbers_are_mirrored_or_half_way_round() -> None:
    position = "20:1 1:14 | 10:15 (dice=21)"
    for movement, after in (("parallel", "22:15 | 13:14 5:1"), ("contrary", "15:15 | 24:14 8:1")):
        rules = game("long-narde", movement=movement)
        only(rules, position, "20/17")
        assert rules.position(position).play("20/17").after.text == after
    assert game("long-narde").start().text == "24:15 | 12:15"
    assert game("long-narde", movement="contrary").start().text == "24:15 | 1:15"


def test_the_enemys_numbers_are_ones_own_where_both_enter_in_one_corner() -> None:
    rules, position = game("russian"), "| 22:1 (hand=15 ohand=14 dice=31)"
    only(rules, position, "hand/22* hand/24")
    assert result(rules, position, "hand/22* hand/24") == "24:1 22:1 | (hand=13 obar=1 ohand=14)"
    assert rules.position(position).play("hand/22* hand/24").after.text == "| 24:1 22:1 (bar=1 hand=14 ohand=13)"
    only(game("dutch", hit_needs_home=False), position, "hand/22* hand/24")
    assert game("dutch", hit_needs_home=False).position(position).play("hand/22* hand/24").after.text == "| 3:1 1:1 (bar=1 hand=14 ohand=13)"


def test_who_is_hit_enters_in_his_own_numbering() -> None:
    position = "20:1 1:14 | 17:1 10:14 (dice=3)"
    for movement, after in (("parallel", "22:14 | 13:14 5:1 (bar=1)"), ("contrary", "15:14 | 24:14 8:1 (bar=1)")):
        rules = game("irish", movement=movement)
        assert result(rules, position, "20/17*") == "17:1 1:14 | 10:14 (obar=1)"
        entering = rules.position(position).play("20/17*").after
        assert entering.text == after
        only(rules, f"{after[:-1]} dice=4)", "bar/21")


# block and blot


def test_one_checker_closes_a_point_or_two_do() -> None:
    """On the way from 10 to 7 by 2 and 1 a checker steps on 8 or on 9."""
    one, two = "10:1 1:14 | 23:14 8:1 (dice=21)", "10:1 1:14 | 23:13 8:2 (dice=21)"
    hitting = game("jacquet", block=2, blot="hit")
    only(hitting, one, "10/8*/7", "10/9/7")
    only(hitting, two, "10/9/7")
    for block, blot in ((1, "hit"), (1, "none"), (2, "none")):
        only(game("jacquet", block=block, blot=blot), one, "10/9/7")


def test_a_blot_is_pinned_or_hit_or_closes_its_point() -> None:
    position = "10:1 1:14 | 23:14 9:1 (dice=1)"
    for blot, after in (("pin", "9:1 1:14 | 23:14 9:1*"), ("hit", "9:1 1:14 | 23:14 (obar=1)")):
        rules = game("plakoto", blot=blot)
        only(rules, position, "10/9*")
        assert result(rules, position, "10/9*") == after
    only(game("plakoto", blot="none"), position, "pass")


@pytest.mark.parametrize("name", ["plakoto", "tapa", "mahbouseh"])
class TestPins:
    def test_a_pinned_checker_waits_and_its_point_is_closed(self, name: str) -> None:
        only(game(name), "10:1 9:1* 1:13 | 24:14 9:1 (dice=1)", "pass")

    def test_others_join_the_pinner(self, name: str) -> None:
        position = "10:1 9:1 1:13 | 24:14 9:1* (dice=1)"
        only(game(name), position, "10/9", "9/8")
        assert result(game(name), position, "10/9") == "9:2 1:13 | 24:14 9:1*"

    def test_the_last_to_leave_frees_the_pinned(self, name: str) -> None:
        assert result(game(name), "9:1 1:14 | 24:14 9:1* (dice=1)", "9/8") == "8:1 1:14 | 24:14 9:1"
        assert result(game(name), "9:2 1:13 | 24:14 9:1* (dice=1)", "9/8") == "9:1 8:1 1:13 | 24:14 9:1*"

    def test_nobody_bears_off_while_pinned(self, name: str) -> None:
        only(game(name), "5:14 3:1* | 24:14 3:1 (dice=5)", "pass")
        only(game(name), "5:14 3:1 | 24:14 3:1* (dice=5)", "5/off")

    def test_a_pin_passes_to_the_other_player_with_the_turn(self, name: str) -> None:
        after = game(name).position("10:1 1:14 | 24:14 9:1 (dice=1)").play("10/9*").after
        assert after.text == "16:1* 1:14 | 24:14 16:1"


# head_limit and head_first


def test_one_checker_a_turn_leaves_the_head() -> None:
    position, plays = "24:14 18:1 | 12:15 (dice=21)", ("24/21", "18/15", "24/22 18/17", "24/23 18/16")
    only(game("long-narde"), position, *plays)
    only(game("long-narde", head_limit=0), position, *plays, "24/22 24/23")


def test_whoever_has_left_the_head_is_counted_within_the_turn() -> None:
    rules = game("long-narde")
    node = rules.position("24:14 18:1 | 12:15 (dice=21)").step((24, 2))
    assert node.text == "24:13 22:1 18:1 | 12:15 (dice=1 head=0)"
    assert node.steps() == ((22, 1), (18, 1))
    only(rules, "24:13 22:1 18:1 | 12:15 (dice=1 head=1)", "24/23", "22/21", "18/17")


FIRST_TURNS: dict[str, dict[str, tuple[str, ...]]] = {
    # 18/12 is closed: a second checker must leave if it may
    "24:15 | 12:15 (dice=66)": {"none": ("24/18",), "3-4-6": ("24/18(2)",), "when_stuck": ("24/18(2)",)},
    "24:15 | 12:15 (dice=44)": {"none": ("24/16",), "3-4-6": ("24/16(2)",), "when_stuck": ("24/16(2)",)},
    "24:15 | 12:15 (dice=33)": {"none": ("24/15",), "3-4-6": ("24/15 24/21", "24/18(2)"), "when_stuck": ("24/15 24/21", "24/18(2)")},
    # one checker plays all
    "24:15 | 12:15 (dice=55)": {"none": ("24/4",), "3-4-6": ("24/4",), "when_stuck": ("24/4",)},
    # an enemy on 9 stops the fives, one on 16 both ways of 6-2
    "24:15 | 12:14 9:1 (dice=55)": {"none": ("24/14",), "3-4-6": ("24/14",), "when_stuck": ("24/14(2)",)},
    "24:15 | 16:1 12:14 (dice=62)": {"none": ("24/18",), "3-4-6": ("24/18",), "when_stuck": ("24/18 24/22",)},
    # no first turn
    "24:14 1:1 | 12:15 (dice=66)": {"none": ("24/18",), "3-4-6": ("24/18",), "when_stuck": ("24/18",)},
}


@pytest.mark.parametrize("position", FIRST_TURNS)
@pytest.mark.parametrize("head_first", ["none", "3-4-6", "when_stuck"])
def test_two_leave_the_head_in_a_first_turn(position: str, head_first: str) -> None:
    only(game("long-narde", head_first=head_first), position, *FIRST_TURNS[position][head_first])


# runner


def test_the_runner_must_pass_the_enemys_start_or_come_home() -> None:
    position = "24:14 14:1 | 12:15 (dice=52)"
    for name in ("fevga", "moultezim", "jacquet"):
        only(game(name, runner="past_start"), position, "14/7", "14/9 24/22")
        only(game(name, runner="home"), position, "14/7")
        only(game(name, runner="none"), position, "14/7", "14/9 24/22", "24/19 24/22", "24/17")


def test_eleven_is_past_the_start() -> None:
    only(game("fevga"), "24:14 13:1 | 12:15 (dice=21)", "13/10", "13/11 24/23")


def test_six_is_home() -> None:
    position = "24:14 9:1 | 12:15 (dice=31)"
    only(game("jacquet"), position, "9/5", "9/6 24/23")
    only(game("jacquet", runner="past_start"), position, "9/5", "9/6 24/23", "9/8 24/21", "24/21 24/23", "24/20")


def test_the_lead_man_of_contrary_movement_goes_home() -> None:
    position = "24:14 10:1 | 9:1 1:14 (dice=41)"
    only(game("tawla-31"), position, "10/5", "10/6 24/23")
    only(game("tawla-31", runner="none"), position, "10/5", "10/6 24/23", "24/19", "24/20 24/23")


def test_a_runner_who_has_arrived_frees_the_others_even_when_hit() -> None:
    hitting = game("jacquet", block=2, blot="hit")
    only(hitting, "24:14 | 12:15 (bar=1 dice=21)", "bar/22")
    only(hitting, "24:14 | 12:15 (bar=1 dice=21 runner=1)", "bar/24/22", "bar/23 24/23")


# prime and prime_check


def test_the_own_starting_table_is_never_filled() -> None:
    position, plays = "24:10 23:1 22:1 21:1 20:1 1:1 | 12:15 (dice=5)", ("23/18", "22/17", "21/16", "20/15")
    only(game("fevga"), position, *plays)
    only(game("fevga", prime="ahead"), position, *plays)
    only(game("fevga", prime="any"), position, *plays, "24/19")


def test_a_wall_may_stand_where_an_enemy_has_passed_it() -> None:
    """An enemy on 18 is past the starting table, but for Fevga that makes no difference."""
    position = "24:10 23:1 22:1 21:1 20:1 1:1 | 18:1 17:1 16:1 15:1 12:11 (dice=5)"
    only(game("long-narde", head_limit=0), position, "24/19")
    only(game("fevga", prime="any"), position, "24/19")
    only(game("fevga"), position, "pass")


def test_six_in_a_row_only_behind_an_enemy() -> None:
    wall, plays = "20:10 18:1 17:1 16:1 15:1 14:1", ("18/17", "17/16", "16/15", "15/14")
    only(game("long-narde"), f"{wall} | 12:14 7:1 (dice=1)", *plays, "14/13")
    only(game("long-narde"), f"{wall} | 13:1 12:14 (dice=1)", *plays, "20/19")
    for prime in ("any", "fevga"):
        only(game("long-narde", prime=prime), f"{wall} | 12:14 7:1 (dice=1)", *plays, "14/13", "20/19")


def test_one_and_twenty_four_are_neighbours_on_the_enemys_way() -> None:
    position, plays = "24:10 23:2 3:1 2:1 1:1 | 12:15 (dice=1)", ("24/23", "3/2", "2/1")
    only(game("long-narde"), position, *plays)
    for prime in ("any", "fevga"):
        only(game("long-narde", prime=prime), position, *plays, "23/22")


def test_the_enemys_way_ends_between_thirteen_and_twelve() -> None:
    only(game("long-narde"), "15:10 13:1 12:1 11:1 10:1 9:1 | 24:15 (dice=1)", "15/14", "13/12", "12/11", "11/10", "10/9", "9/8")


def test_a_wall_before_all_enemies_on_one_point_is_opened() -> None:
    wall, opening = "20:9 11:1 10:1 9:1 8:1 7:1 6:1", ("11/10", "10/9", "9/8", "8/7", "7/6", "6/5")
    only(game("fevga"), f"{wall} | 12:15 (dice=1)", *opening)
    only(game("fevga", prime="any"), f"{wall} | 12:15 (dice=1)", *opening, "20/19")
    only(game("fevga"), f"{wall} | 24:1 12:14 (dice=1)", *opening, "20/19")
    only(game("fevga"), f"{wall} | 13:15 (dice=1)", *opening, "20/19")


def test_a_wall_that_cannot_be_opened_stands() -> None:
    wall = "20:9 6:1 5:1 4:1 3:1 2:1 1:1 | 7:15"
    only(game("fevga"), f"{wall} (dice=6)", "20/14")
    only(game("fevga"), f"{wall} (dice=1)", "6/5", "5/4", "4/3", "3/2", "2/1")


def test_a_wall_may_stand_for_a_moment_if_looked_at_in_the_end() -> None:
    """18 is closed, so the checker that goes from 24 to 13 must pass 19."""
    position = "24:10 23:1 22:1 21:1 20:1 1:1 | 18:1 17:1 16:1 15:1 14:1 12:10 (dice=65)"
    only(game("fevga"), position, "pass")
    only(game("fevga", prime_check="turn"), position, "24/19/13")
    only(game("fevga", prime_check="turn"), position.replace("65", "5"), "pass")


def test_a_wall_of_narde_for_a_moment() -> None:
    """12 is closed, so the checker that goes from 14 to 6 must pass 8, and 11 to 6 are held meanwhile."""
    node = "14:1 11:1 10:1 9:1 7:1 6:1 1:9 | 12:15 (dice=62)"
    with pytest.raises(ValueError, match="not a legal play"):
        game("long-narde").position(node).play("14/6")
    assert result(game("long-narde", prime_check="turn"), node, "14/6") == "11:1 10:1 9:1 7:1 6:2 1:9 | 12:15"


# points_limit


def test_at_most_four_points_of_the_enemys_starting_table() -> None:
    position, plays = "13:1 11:1 10:1 9:1 8:1 1:10 | 12:15 (dice=6)", ("11/5", "10/4", "9/3", "8/2")
    only(game("moultezim"), position, *plays)
    for limit in ("none", "own_home"):
        only(game("moultezim", points_limit=limit), position, *plays, "13/7")
    only(game("moultezim"), position.replace("6)", "1)"), "11/10", "10/9", "9/8", "8/7")


def test_never_all_points_of_the_own_home() -> None:
    position = "7:1 6:1 5:1 4:1 3:1 1:10 | 12:15 (dice=5)"
    only(game("moultezim", points_limit="own_home"), position, "6/1")
    for limit in ("none", "enemy_start"):
        only(game("moultezim", points_limit=limit), position, "6/1", "7/2")


def test_a_fifth_point_for_a_moment() -> None:
    """12 is closed, so the checker that goes from 13 to 8 must pass 9, and five points are held meanwhile."""
    position = "13:1 11:1 10:1 8:1 7:1 1:10 | 12:15 (dice=41)"
    with pytest.raises(ValueError, match="not a legal play"):
        game("moultezim").position(position).play("13/8")
    assert result(game("moultezim", prime_check="turn"), position, "13/8") == "11:1 10:1 8:2 7:1 1:10 | 12:15"


# bear_off


@pytest.mark.parametrize("name", ["irish", "portes", "plakoto", "fevga", "long-narde", "tawla-31", "acey-deucey-european", "russian", "tabula", "gul-bara"])
def test_what_a_number_bears_off(name: str) -> None:
    expected: dict[str, dict[str, tuple[str, ...]]] = {
        "4:1 2:1 | 24:15 (dice=5)": {"furthest": ("4/off",), "exact": ("pass",), "anytime": ("4/off", "2/off")},
        "4:1 2:1 | 24:15 (dice=3)": {"furthest": ("4/1",), "exact": ("4/1",), "anytime": ("4/1", "2/off")},
        "4:1 2:1 | 24:15 (dice=2)": {"furthest": ("4/2", "2/off"), "exact": ("4/2", "2/off"), "anytime": ("4/2", "2/off")},
        "9:1 2:14 | 24:15 (dice=3)": {"furthest": ("9/6",), "exact": ("9/6",), "anytime": ("9/6", "2/off")},
    }
    for position, readings in expected.items():
        for bear_off, plays in readings.items():
            only(game(name, bear_off=bear_off), position, *plays)


def test_what_a_number_bears_off_at_nannon() -> None:
    waiting, last = "3:1 1:1 | 6:1 (hand=1 ohand=2 dice=4)", "3:1 1:1 | 6:1 (off=1 ohand=2 dice=4)"
    for bear_off, with_hand, without in (
        ("anytime", ("3/off", "1/off"), ("3/off", "1/off")),
        ("furthest", ("pass",), ("3/off",)),
        ("exact", ("pass",), ("pass",)),
    ):
        only(game("nannon", bear_off=bear_off), waiting, *with_hand)
        only(game("nannon", bear_off=bear_off), last, *without)


def test_whether_all_must_be_at_home_before_one_is_borne_off() -> None:
    apart = "20:1 4:2 | 24:15 (off=12 dice=4)"
    only(game("tabula"), apart, "20/16")
    only(game("tabula", bear_off_gate=False), apart, "20/16", "4/off")
    in_hand = "4:2 | 24:15 (hand=1 off=12 dice=4)"
    only(game("tabula"), in_hand, "hand/21")
    only(game("tabula", bear_off_gate=False), in_hand, "hand/21", "4/off")
    on_the_bar = in_hand.replace("hand", "bar")
    for gate in (True, False):
        only(game("tabula", bear_off_gate=gate), on_the_bar, "bar/21")


def test_only_the_furthest_of_all_goes_by_a_larger_number() -> None:
    """A checker on 20, or in hand, is further away than the one on 4."""
    for bear_off, play in (("furthest", "4/off"), ("exact", "pass")):
        free = game("tabula", bear_off_gate=False, bear_off=bear_off)
        only(free, "4:1 2:1 | 24:15 (off=13 dice=5)", play)
        only(free, "20:1 4:1 | 24:15 (off=13 dice=5)", "20/15")
        only(free, "4:1 2:1 | 24:13 20:2 (hand=1 off=12 dice=5)", "pass")


# mother


def test_the_mother_is_lost_at_once_in_the_middle_of_a_roll() -> None:
    position = "18:1 7:14 | 12:14 1:1 (dice=66)"
    for name, mother in (("plakoto", "pinner_home"), ("tapa", "pinner_home"), ("plakoto", "strict")):
        rules = game(name, mother=mother)
        only(rules, position, "7/1*")
        assert result(rules, position, "7/1*") == "18:1 7:13 1:1 | 12:14 1:1*"
        assert outcome(rules, position, "7/1*") == 2
    only(game("mahbouseh"), position, "7/1*(4)")
    assert outcome(game("mahbouseh"), position, "7/1*(4)") is None


def test_the_mother_is_not_lost_while_the_pinner_has_not_left() -> None:
    position = "24:1 7:14 | 12:14 1:1 (dice=6)"
    for mother, points in (("pinner_home", None), ("strict", 2), ("none", None)):
        only(game("plakoto", mother=mother), position, "24/18", "7/1*")
        assert outcome(game("plakoto", mother=mother), position, "7/1*") == points
        assert outcome(game("plakoto", mother=mother), position, "24/18") is None


def test_the_mother_is_lost_when_the_pinner_leaves_later() -> None:
    position = "24:1 7:13 1:1 | 12:14 1:1* (dice=6)"
    for mother, points in (("pinner_home", 2), ("none", None)):
        only(game("plakoto", mother=mother), position, "24/18", "7/1")
        assert outcome(game("plakoto", mother=mother), position, "24/18") == points
        assert outcome(game("plakoto", mother=mother), position, "7/1") is None


def test_the_order_of_leaving_and_pinning_in_one_roll() -> None:
    """18/12 is closed. A roll that ends the game early counts as played."""
    position = "24:1 7:14 | 12:14 1:1 (dice=66)"
    only(game("plakoto"), position, "7/1*(4)", "24/18 7/1*", "24/18 7/1*(2)", "24/18 7/1*(3)")
    only(game("plakoto", mother="strict"), position, "7/1*", "24/18 7/1*")
    only(game("plakoto", mother="none"), position, "7/1*(4)", "24/18 7/1*(3)")
    assert outcome(game("plakoto"), position, "7/1*(4)") is None
    assert outcome(game("plakoto"), position, "24/18 7/1*(2)") == 2


def test_two_on_the_start_point_are_no_last_checker() -> None:
    only(game("plakoto"), "18:1 7:14 | 12:13 1:2 (dice=6)", "pass")


@pytest.mark.parametrize("name", ["plakoto", "tapa", "mahbouseh"])
def test_checkers_pinned_on_both_start_points_are_a_draw(name: str) -> None:
    position = "24:1* 7:14 | 24:1 12:13 1:1 (dice=6)"
    only(game(name), position, "7/1*")
    assert outcome(game(name), position, "7/1*") == 0


def test_after_a_draw_nobody_has_won_the_right_to_begin() -> None:
    rules = game("plakoto")
    drawn = rules.position("24:1* 7:14 | 24:1 12:13 1:1 (dice=6)").play("7/1*").after
    assert drawn.node == "over"
    match = tablezoo.Match(rules, 5, (1, 2)).after(drawn)
    assert (match.score, match.winner, match.starter) == ((1, 2), None, None)


def test_a_lost_mother_is_a_win_like_any_other_if_a_win_is_a_win() -> None:
    rules = game("plakoto", scoring="single")
    assert outcome(rules, "18:1 7:14 | 12:14 1:1 (dice=66)", "7/1*") == 1
    assert rules.outcomes == (1, -1)


# protect, stack_limit and hands


def test_neighbours_protect_each_other() -> None:
    adjacent, free = game("nannon"), game("nannon", protect="none")
    position = "6:1 | 5:1 4:1 (hand=2 ohand=1 dice=1)"
    only(adjacent, position, "pass")
    only(free, position, "6/5*")
    assert result(free, position, "6/5*") == "5:1 | 4:1 (hand=2 ohand=2)"
    apart = "6:1 | 5:1 3:1 (hand=2 ohand=1 dice=1)"
    only(adjacent, apart, "6/5*")
    only(free, apart, "6/5*")


def test_protected_points_are_closed_to_who_enters() -> None:
    only(game("nannon"), "| 4:1 3:1 (hand=3 ohand=1 dice=3)", "pass")
    only(game("nannon", protect="none"), "| 4:1 3:1 (hand=3 ohand=1 dice=3)", "hand/4*")
    only(game("nannon"), "| 4:1 2:1 (hand=3 ohand=1 dice=3)", "hand/4*")


def test_a_point_holds_one_checker_or_any_number() -> None:
    position = "6:1 5:1 | 1:1 (hand=1 ohand=2 dice=1)"
    only(game("nannon"), position, "5/4")
    only(game("nannon", stack_limit=0), position, "5/4", "6/5", "hand/6")
    only(game("hypergammon"), "8:1 7:1 1:1 | 24:1 23:1 22:1 (dice=1)", "8/7", "7/6")
    only(game("hypergammon", stack_limit=1), "8:1 7:1 1:1 | 24:1 23:1 22:1 (dice=1)", "7/6")


def test_a_hit_checker_goes_to_the_hand_and_need_not_enter_first() -> None:
    position = "5:1 | 2:1 (hand=2 ohand=2 dice=3)"
    only(game("nannon"), position, "5/2*", "hand/4")
    assert result(game("nannon"), position, "5/2*") == "2:1 | (hand=2 ohand=3)"
    assert result(game("nannon"), position, "hand/4") == "5:1 4:1 | 2:1 (hand=1 ohand=2)"


def test_the_first_throws_of_nannon() -> None:
    start = "6:1 5:1 | 2:1 1:1 (hand=1 ohand=1)"
    assert game("nannon").start().text == start
    throws = {1: ("5/4",), 2: ("6/4", "5/3"), 3: ("6/3", "hand/4"), 4: ("hand/3",), 5: ("5/off",), 6: ("6/off", "5/off")}
    for number, plays in throws.items():
        only(game("nannon"), f"{start[:-1]} dice={number})", *plays)
    assert game("nannon").perft(1) == 9


@pytest.mark.parametrize("name", ["dutch", "russian"])
def test_all_enter_before_any_moves(name: str) -> None:
    forced, free = game(name), game(name, enter_hand_first=False)
    many = "24:2 | (hand=13 ohand=15 dice=65)"
    only(forced, many, "hand/19 hand/20")
    only(free, many, "hand/19 hand/20", "hand/19 24/19", "hand/20 24/18", "24/18 24/19", "hand/14", "24/13")
    last = "24:14 | (hand=1 ohand=15 dice=65)"
    only(forced, last, "hand/19 24/19", "hand/20 24/18", "hand/14")
    only(free, last, "hand/19 24/19", "hand/20 24/18", "hand/14", "24/18 24/19", "24/13")
    shut = "24:2 | 22:2 20:2 (hand=13 ohand=11 dice=53)"
    only(forced, shut, "pass")
    only(free, shut, "24/19 24/21", "24/16")


@pytest.mark.parametrize("name", ["acey-deucey-american", "acey-deucey-european", "tabula"])
def test_who_has_entered_may_go_on_before_the_others_enter(name: str) -> None:
    start = "| (hand=15 ohand=15 dice=63)"
    only(game(name), start, "hand/19 hand/22", "hand/16")
    assert result(game(name), start, "hand/16") == "16:1 | (hand=14 ohand=15)"
    assert result(game(name), start, "hand/19 hand/22") == "22:1 19:1 | (hand=13 ohand=15)"


@pytest.mark.parametrize("name", ["acey-deucey-american", "tabula"])
def test_who_was_hit_enters_before_those_in_hand(name: str) -> None:
    only(game(name), "21:1 | (bar=1 hand=13 ohand=15 dice=63)", "bar/19 hand/22", "bar/19 21/18", "bar/22 21/15", "bar/16")
    only(game(name), "21:1 | (bar=2 hand=12 ohand=15 dice=63)", "bar/19 bar/22")
    only(game(name), "21:1 | 22:2 19:2 (bar=1 hand=13 ohand=11 dice=63)", "pass")


def test_nobody_bears_off_while_others_are_in_hand() -> None:
    only(game("acey-deucey-american"), "4:1 2:13 | 24:15 (hand=1 dice=4)", "hand/21")


def test_nobody_passes_to_the_second_half_while_others_are_in_hand() -> None:
    gate, free = game("tabula", half_gate=True), game("tabula")
    position = "14:2 13:1 | (hand=12 ohand=15 dice=2)"
    only(gate, position, "hand/23")
    only(free, position, "hand/23", "14/12", "13/11")
    only(gate, "14:2 13:13 | 24:15 (dice=2)", "14/12", "13/11")
    last, plays = "14:14 | (hand=1 ohand=15 dice=62)", ("hand/19 14/12", "hand/23 14/8", "hand/17")
    only(gate, last, *plays)
    only(free, last, *plays, "14/12 14/8", "14/6")
    hit = "14:1 10:13 | (hand=1 ohand=15 dice=2)"
    only(game("tabula", half_gate=True, hit_to="hand"), hit, "hand/23", "10/8")
    only(game("tabula", hit_to="hand"), hit, "hand/23", "10/8", "14/12")


# hit_needs_home


def test_a_blot_closes_its_point_to_who_has_nobody_at_home() -> None:
    entering, on_the_bar = "24:2 | 22:1 (hand=13 ohand=14 dice=31)", "20:14 | 22:1 1:14 (bar=1 dice=3)"
    only(game("dutch"), entering, "hand/24")
    only(game("dutch", hit_needs_home=False), entering, "hand/24 hand/22*")
    only(game("dutch"), on_the_bar, "pass")
    only(game("dutch", hit_needs_home=False), on_the_bar, "bar/22*")


def test_a_checker_at_home_or_off_gives_the_right_to_hit() -> None:
    only(game("dutch"), "20:14 7:1 | 17:1 1:14 (dice=3)", "7/4")
    only(game("dutch"), "20:14 6:1 | 17:1 1:14 (dice=3)", "20/17*", "6/3")
    only(game("dutch"), "20:14 | 17:1 1:14 (off=1 dice=3)", "20/17*")
    only(game("dutch"), "20:13 | 22:1 1:14 (bar=1 off=1 dice=3)", "bar/22*")


def test_the_right_to_hit_is_won_and_used_in_one_roll() -> None:
    position, plays = "20:14 8:1 | 17:1 1:14 (dice=32)", ("8/6 20/17*", "8/5 20/18", "8/3", "20/18/15")
    only(game("dutch"), position, *plays)
    only(game("dutch", hit_needs_home=False), position, *plays, "20/17* 20/18", "20/17*/15")
    doublet = "22:1 13:13 8:1 | 20:1 11:2 1:12 (dice=2x2)"
    only(game("dutch"), doublet, "22/20* 8/6", "8/4")
    only(game("dutch", hit_needs_home=False), doublet, "22/20* 8/6", "8/4", "22/20*/18")


# Three dice


def test_equal_numbers_of_three_dice_bring_nothing_more() -> None:
    only(game("tabula"), "| (hand=15 ohand=15 dice=666)", "hand/19(3)", "hand/19 hand/13", "hand/7")
    only(game("tabula"), "24:1 | 1:15 (off=14 dice=665)", "24/7")
    assert game("tabula").start().rolled((6, 6, 6)).play("hand/7").after.text == "| 7:1 (hand=15 ohand=14)"


def test_all_three_numbers_are_played_if_they_can_be() -> None:
    """Only the five enters; the others have to be played by the same checker."""
    only(game("tabula"), "| 24:2 22:2 (hand=15 ohand=11 dice=531)", "hand/16")


def test_zenos_throw() -> None:
    """Palatine Anthology IX 482: one play, and eight checkers stand alone."""
    position = "19:7 16:1 15:2 6:2 5:2 2:1 | 17:2 14:2 13:2 12:1 11:2 10:2 7:2 4:2 (dice=652)"
    only(game("tabula"), position, "15/9 6/1 5/3")
    own, _ = result(game("tabula"), position, "15/9 6/1 5/3").split("|")
    assert own.split() == ["19:7", "16:1", "15:1", "9:1", "6:1", "5:1", "3:1", "2:1", "1:1"]


def test_of_three_numbers_any_two_or_any_one_if_not_all() -> None:
    only(game("tabula"), "24:1 | 15:2 1:13 (off=14 dice=531)", "24/16", "24/18", "24/20")
    only(game("tabula"), "24:1 | 20:2 18:2 16:2 1:9 (off=14 dice=531)", "24/19", "24/21", "24/23")


# doubles, plain_doubles_turns, unused and acey_deucey: stages


def followed(rules: tablezoo.Game, position: str, play: str) -> tuple[str, bool, str]:
    """The node after a play: what it is, whether the same player acts there, and its text as he who acts sees it."""
    made = rules.position(position).play(play)
    assert made.again == (made.after.player == 0)
    assert rules.position(made.after.text) == made.after
    return made.after.node, made.again, made.after.text


ACEYS = pytest.mark.parametrize("name", ["acey-deucey-american", "acey-deucey-european"])


@ACEYS
def test_after_two_and_one_a_double_is_chosen(name: str) -> None:
    position, due = "24:1 | (hand=14 ohand=15 dice=21)", "24:1 22:1 | (hand=13 ohand=15 stage=choose)"
    assert followed(game(name), position, "24/22 hand/24") == ("play", True, due)
    only(game(name), due, *(f"double {number}" for number in range(1, 7)))
    assert game(name).position(due).numbers == ()
    assert game(name).position(due).steps() == tuple((0, number) for number in range(6, 0, -1))
    assert game(name).start().rolled((2, 1)).play("hand/22").after.text == "22:1 | (hand=14 ohand=15 stage=choose)"
    assert followed(game(name, acey_deucey=False), position, "24/22 hand/24") == ("roll", False, "| 3:1 1:1 (hand=15 ohand=13)")


@ACEYS
def test_two_and_one_not_played_whole_brings_nothing(name: str) -> None:
    one, none = "24:15 | 23:2 21:2 1:11 (dice=21)", "24:15 | 23:2 22:2 1:11 (dice=21)"
    only(game(name), one, "24/22")
    assert followed(game(name), one, "24/22") == ("roll", False, "24:11 4:2 2:2 | 3:1 1:14")
    only(game(name), none, "pass")
    assert followed(game(name), none, "pass") == ("roll", False, "24:11 3:2 2:2 | 1:15")


def test_a_chosen_double_played_whole_brings_another_throw() -> None:
    rules, double = game("acey-deucey-american"), "24:15 | 12:15 (dice=66 stage=throw)"
    assert followed(rules, "24:15 | 12:15 (stage=choose)", "double 6") == ("play", True, double)
    only(rules, double, "24/18(4)")
    assert followed(rules, double, "24/18(4)") == ("roll", True, "24:11 18:4 | 12:15")
    again = rules.position(double).play("24/18(4)").after
    assert sum(weight for _, weight in again.chances()) == 36
    assert again.rolled((2, 1)).play("24/21").after.text == "24:10 21:1 18:4 | 12:15 (stage=choose)"
    assert followed(rules, "24:15 | 12:15 (dice=66)", "24/18(4)") == ("roll", False, "13:15 | 7:4 1:11")


@ACEYS
def test_a_chosen_double_not_played_whole_ends_the_turn(name: str) -> None:
    none, one = "24:1 1:14 | 18:2 13:13 (dice=66 stage=throw)", "24:1 1:14 | 13:13 12:2 (dice=66 stage=throw)"
    only(game(name), none, "pass")
    assert followed(game(name), none, "pass") == ("roll", False, "12:13 7:2 | 24:14 1:1")
    only(game(name), one, "24/18")
    assert followed(game(name), one, "24/18") == ("roll", False, "13:2 12:13 | 24:14 7:1")


@pytest.mark.parametrize("name", ["acey-deucey-european", "russian"])
def test_a_double_brings_its_complement_and_another_throw(name: str) -> None:
    double, complement = "24:1 1:14 | 23:15 (dice=44)", "8:1 1:14 | 23:15 (dice=33 stage=throw)"
    only(game(name), double, "24/8")
    assert followed(game(name), double, "24/8") == ("play", True, complement)
    only(game(name), complement, "8/5/2/off 1/off")
    assert followed(game(name), complement, "8/5/2/off 1/off") == ("roll", True, "1:13 | 23:15 (off=2)")
    assert followed(game(name, doubles="twice"), double, "24/8")[:2] == ("roll", False)


@pytest.mark.parametrize("name", ["acey-deucey-european", "russian"])
def test_a_double_or_complement_not_played_whole_ends_the_turn(name: str) -> None:
    for position, play in (
        ("24:1 13:14 | 20:2 9:13 (dice=44)", "pass"),
        ("24:1 13:14 | 16:2 9:13 (dice=44)", "24/20"),
        ("24:11 20:4 | 21:2 17:13 (dice=33 stage=throw)", "pass"),
        ("24:11 13:4 | 21:2 10:13 (dice=33 stage=throw)", "pass"),
    ):
        only(game(name), position, play)
        assert followed(game(name), position, play)[:2] == ("roll", False)


def test_a_chosen_double_brings_its_complement_too() -> None:
    rules, complement = game("acey-deucey-european"), "24:11 18:4 | 1:15 (dice=11 stage=throw)"
    assert followed(rules, "24:15 | 1:15 (stage=choose)", "double 6") == ("play", True, "24:15 | 1:15 (dice=66)")
    assert followed(rules, "24:15 | 1:15 (dice=66)", "24/18(4)") == ("play", True, complement)
    assert followed(rules, complement, "18/17(4)") == ("roll", True, "24:11 17:4 | 1:15")


def test_a_double_while_all_enter() -> None:
    rules, complement = game("russian"), "19:4 | (hand=11 ohand=15 dice=11 stage=throw)"
    only(rules, "| (hand=15 ohand=15 dice=66)", "hand/19(4)")
    assert followed(rules, "| (hand=15 ohand=15 dice=66)", "hand/19(4)") == ("play", True, complement)
    only(rules, complement, "hand/24(4)")
    assert followed(rules, complement, "hand/24(4)") == ("roll", True, "24:4 19:4 | (hand=7 ohand=15)")


def test_doubles_are_plain_in_three_turns_and_then_go_on_to_the_sixes() -> None:
    """12 is closed, so a checker comes as far as 4 or no further than 14."""
    rules, plays = game("gul-bara"), ("24/19(4)", "24/19(2) 24/14", "24/14(2)", "24/19 24/9", "24/4")
    for turns, after in (
        ("", ("roll", False, "24:15 | 16:1 12:14 (turns=0 oturns=1)")),
        (" turns=2 oturns=2", ("roll", False, "24:15 | 16:1 12:14 (turns=2 oturns=3)")),
        (" turns=3 oturns=2", ("play", True, "24:14 4:1 | 12:15 (dice=66 turns=3 oturns=2)")),
        (" turns=3 oturns=3", ("play", True, "24:14 4:1 | 12:15 (dice=66)")),
    ):
        only(rules, f"24:15 | 12:15 (dice=55{turns})", *plays)
        assert followed(rules, f"24:15 | 12:15 (dice=55{turns})", "24/4") == after
    only(rules, "24:14 4:1 | 12:15 (dice=66)", "24/18(4)")
    assert followed(rules, "24:14 4:1 | 12:15 (dice=66)", "24/18(4)") == ("roll", False, "24:15 | 16:1 12:10 6:4")
    assert game("gul-bara", plain_doubles_turns=0).start().rolled((5, 5)).play("24/4").after.text == "24:14 4:1 | 12:15 (dice=66)"


def test_a_turn_without_a_move_is_a_turn() -> None:
    position = "24:15 | 19:1 18:1 12:13 (dice=65 turns=1 oturns=1)"
    assert followed(game("gul-bara"), position, "pass") == ("roll", False, "24:13 7:1 6:1 | 12:15 (turns=1 oturns=2)")


def test_a_double_goes_on_through_all_that_are_larger() -> None:
    rules = game("gioul")
    node = rules.start().rolled((3, 3)).play("24/12").after
    assert (node.text, node.player) == ("24:14 12:1 | 1:15 (dice=44)", 0)
    node = node.play("24/8").after
    assert (node.text, node.player) == ("24:13 12:1 8:1 | 1:15 (dice=55)", 0)
    node = node.play("24/4").after
    assert (node.text, node.player) == ("24:12 12:1 8:1 4:1 | 1:15 (dice=66)", 0)
    node = node.play("24/18(4)").after
    assert (node.text, node.node, node.player) == ("24:15 | 21:1 17:1 13:1 7:4 1:8", "roll", 1)


def test_what_is_left_of_a_chain_is_lost_or_the_opponents() -> None:
    position, after = "24:1 1:14 | 12:15 (dice=44)", "24:15 | 13:14 4:1"
    lost, given = game("gul-bara"), game("gul-bara", unused="opponent")
    for rules in (lost, given):
        only(rules, position, "24/16")
    assert followed(lost, position, "24/16") == ("roll", False, after)
    assert followed(given, position, "24/16") == ("play", False, f"{after} (dice=4x2 gift=1)")


def test_the_opponent_plays_what_is_left_and_then_throws() -> None:
    rules, gift = game("gioul"), "12:14 6:1 | 24:14 7:1 (dice=5 gift=1)"
    position = "24:1 1:14 | 19:1 13:14 (dice=65)"
    only(rules, position, "24/18")
    assert followed(rules, position, "24/18") == ("play", False, gift)
    only(rules, gift, "6/1")
    assert followed(rules, gift, "6/1") == ("roll", True, "12:14 1:1 | 24:14 7:1")
    assert followed(game("gioul", unused="lost"), position, "24/18") == ("roll", False, "12:14 6:1 | 24:14 7:1")
    stuck = "24:15 | 19:1 18:1 1:13 (dice=65)"
    only(rules, stuck, "pass")
    assert followed(rules, stuck, "pass") == ("play", False, "24:13 7:1 6:1 | 1:15 (dice=65 gift=1)")


def test_what_the_opponent_cannot_play_either_is_lost() -> None:
    none, some = "12:15 | 24:14 7:1 (dice=5 gift=1)", "18:14 9:1 | 24:14 14:1 (dice=4x3 gift=1)"
    only(game("gioul"), none, "pass")
    assert followed(game("gioul"), none, "pass") == ("roll", True, "12:15 | 24:14 7:1")
    only(game("gioul"), some, "9/1")
    assert followed(game("gioul"), some, "9/1") == ("roll", True, "18:14 1:1 | 24:14 14:1")


def test_the_opponent_plays_the_rest_of_a_double() -> None:
    """20/16 is closed to the player, 9/5 to his opponent."""
    rules, position, gift = game("gioul"), "24:1 1:14 | 16:1 7:14 (dice=44)", "18:14 9:1 | 24:14 5:1 (dice=4x3 gift=1)"
    only(rules, position, "24/20")
    assert followed(rules, position, "24/20") == ("play", False, gift)
    only(rules, gift, "18/14(3)", "18/14 18/10", "18/6")
    fives, sixes = "18:13 9:1 6:1 | 24:14 5:1 (dice=55 gift=1)", "18:9 13:4 9:1 6:1 | 24:14 5:1 (dice=66 gift=1)"
    assert followed(rules, gift, "18/6") == ("play", True, fives)
    assert followed(rules, fives, "18/13(4)") == ("play", True, sixes)
    assert followed(rules, sixes, "18/12(4)") == ("roll", True, "18:5 13:4 12:4 9:1 6:1 | 24:14 5:1")


def test_a_gift_is_no_turn_and_as_plain_as_the_double_it_is_of() -> None:
    rules, position, after = game("gul-bara", unused="opponent"), "24:1 1:14 | 12:15 (dice=44", "24:15 | 13:14 4:1"
    assert followed(rules, f"{position} turns=1 oturns=1)", "24/16") == ("play", False, f"{after} (dice=4x2 gift=1 turns=1 oturns=2)")
    assert followed(rules, f"{position} turns=2 oturns=3)", "24/16") == ("play", False, f"{after} (dice=4x2 gift=1 stage=end)")
    for marks, turns in (("gift=1 turns=1 oturns=2", " (turns=1 oturns=2)"), ("gift=1 stage=end", "")):
        only(rules, f"{after} (dice=4x2 {marks})", "24/20(2)", "24/16")
        assert followed(rules, f"{after} (dice=4x2 {marks})", "24/16") == ("roll", True, f"24:14 16:1 | 13:14 4:1{turns}")


def test_a_part_of_a_stage_remembers_what_follows() -> None:
    for name, position, step, text in (
        ("acey-deucey-american", "24:1 | (hand=14 ohand=15 dice=21)", (24, 2), "22:1 | (hand=14 ohand=15 dice=1 stage=choose)"),
        ("acey-deucey-american", "22:1 | (hand=14 ohand=15 dice=1 stage=choose)", (22, 1), "21:1 | (hand=14 ohand=15 stage=choose)"),
        ("acey-deucey-american", "24:15 | 1:15 (stage=choose)", (0, 4), "24:15 | 1:15 (dice=44 stage=throw)"),
        ("acey-deucey-american", "24:15 | 1:15 (dice=44 stage=throw)", (24, 4), "24:14 20:1 | 1:15 (dice=4x3 stage=throw)"),
        ("acey-deucey-european", "24:15 | 1:15 (dice=44)", (24, 4), "24:14 20:1 | 1:15 (dice=4x3)"),
        ("gioul", "24:1 1:14 | 19:1 13:14 (dice=65)", (24, 6), "12:14 6:1 | 24:14 7:1 (dice=5 gift=1)"),
        ("tabula", "| (hand=15 ohand=15 dice=641)", (26, 4), "21:1 | (hand=14 ohand=15 dice=61)"),
    ):
        assert game(name).position(position).step(step).text == text


@pytest.mark.parametrize(
    ("name", "position", "play", "points"),
    [
        ("gul-bara", "6:1 5:2 | 12:15 (off=12 dice=55)", "6/1/off 5/off(2)", 2),
        ("gul-bara", "1:1 | 12:14 (off=14 ooff=1 dice=11)", "1/off", 1),
        ("gioul", "1:1 | 24:15 (off=14 dice=55 gift=1)", "1/off", 2),
        ("acey-deucey-american", "1:1 | 24:15 (off=14 dice=21)", "1/off", 1),
        ("acey-deucey-american", "1:1 | 24:15 (off=14 dice=11 stage=throw)", "1/off", 1),
        ("acey-deucey-european", "2:1 1:1 | 24:15 (off=13 dice=11)", "2/1/off 1/off", 1),
        ("russian", "1:1 | 24:15 (off=14 dice=66)", "1/off", 2),
    ],
)
def test_a_game_ends_in_the_middle_of_a_chain(name: str, position: str, play: str, points: int) -> None:
    only(game(name), position, play)
    made = game(name).position(position).play(play)
    assert (made.after.node, made.after.outcome, made.again) == ("over", points, False)


# scoring


STAKES = {
    "1:1 | 24:14 6:1 (dice=1)": {"single": 1, "gammon": 2, "backgammon": 3, "men_left": 15},
    "1:1 | 24:15 (dice=1)": {"single": 1, "gammon": 2, "backgammon": 2, "men_left": 15},
    "1:1 | 24:2 3:1 (dice=1)": {"single": 1, "gammon": 1, "backgammon": 1, "men_left": 3},
}


@pytest.mark.parametrize("position", STAKES)
@pytest.mark.parametrize("name", ["portes", "irish", "plakoto", "mahbouseh", "fevga", "long-narde", "tawla-31", "jacquet", "dutch", "gioul"])
def test_what_a_win_counts(name: str, position: str) -> None:
    for scoring, points in STAKES[position].items():
        assert outcome(game(name, scoring=scoring), position, "1/off") == points


def test_a_loser_on_the_bar_or_in_hand() -> None:
    for scoring, points in (("single", 1), ("gammon", 2), ("backgammon", 3), ("men_left", 15)):
        assert outcome(game("longgammon", scoring=scoring), "1:1 | 24:14 (obar=1 dice=1)", "1/off") == points
        assert outcome(game("dutch", scoring=scoring), "1:1 | 24:14 (ohand=1 dice=1)", "1/off") == points


def test_what_a_win_counts_at_nannon() -> None:
    none_off, one_off = "1:1 | 5:1 (ohand=2 dice=1)", "1:1 | 5:1 (ohand=1 ooff=1 dice=1)"
    for scoring, shutout, win in (("gammon", 2, 1), ("single", 1, 1), ("men_left", 3, 2)):
        assert outcome(game("nannon", scoring=scoring), none_off, "1/off") == shutout
        assert outcome(game("nannon", scoring=scoring), one_off, "1/off") == win


def test_what_each_game_counts() -> None:
    counted = {name: game(name).options["scoring"] for name in GAMES}
    assert {name for name in GAMES if counted[name] == "men_left"} == {"mahbouseh", "tawla-31"}
    assert {name for name in GAMES if counted[name] == "single"} == {"irish", "acey-deucey-american", "acey-deucey-european", "tabula"}
    assert {name for name in GAMES if counted[name] == "backgammon"} == {"nackgammon", "hypergammon", "longgammon", "dutch"}


# opening and next_starter


@pytest.mark.parametrize("name", [name for name in GAMES if name not in ("nannon", "tabula")])
def test_the_first_throw(name: str) -> None:
    """Without doublets where the roll-off is played."""
    assert game(name).options["opening"] == ("rolloff_use_dice" if name in ROLL_OFF_IS_PLAYED else "rolloff_reroll")
    for opening in CHOICES["track"]["opening"]:
        chances = game(name, opening=opening).start().chances()
        assert (len(chances), sum(weight for _, weight in chances)) == ((15, 30) if opening == "rolloff_use_dice" else (21, 36))


def test_the_first_throw_of_nannon_is_the_difference() -> None:
    """Of the 30 ways for two dice to differ 10 differ by 1, 8 by 2, ..."""
    start = game("nannon").start()
    assert start.chances() == (((1,), 10), ((2,), 8), ((3,), 6), ((4,), 4), ((5,), 2))
    one_die = tuple(((face,), 1) for face in range(1, 7))
    assert start.rolled((4,)).play("hand/3").after.chances() == one_die
    for opening in ("rolloff_reroll", "white_first", "random"):
        assert game("nannon", opening=opening).start().chances() == one_die


def test_every_throw_of_three_dice() -> None:
    """6 triples, 30 pairs with another number in three orders each, 20 of three numbers in six orders."""
    start = game("tabula").start()
    for node in (start, start.rolled((6, 4, 1)).play("hand/19 hand/21 hand/24").after):
        weights = [weight for _, weight in node.chances()]
        assert sorted(weights) == [1] * 6 + [3] * 30 + [6] * 20
        assert [roll for roll, weight in node.chances() if weight == 1] == [(face,) * 3 for face in range(1, 7)]


@pytest.mark.parametrize("name", GAMES)
def test_who_begins_the_next_game(name: str) -> None:
    assert game(name).options["next_starter"] == ("winner" if name in WINNER_BEGINS else "roll")
    for reading in ("winner", "roll"):
        rules = game(name, next_starter=reading)
        last = "1:1 | 5:1 (ohand=2 dice=1)" if name == "nannon" else "1:1 | 24:3 (dice=1)"
        match = tablezoo.Match(rules, 31).after(rules.position(last).play("1/off").after)
        assert match.starter == (0 if reading == "winner" else None)
        first = match.start() if reading == "winner" else match.start(1)
        assert first.player == (0 if reading == "winner" else 1)
        die_or_dice = {"nannon": 6, "tabula": 216}.get(name, 36)
        assert sum(weight for _, weight in first.chances()) == (30 if reading == "roll" and name in ROLL_OFF_IS_PLAYED else die_or_dice)


# forced_use, larger_die and hit_and_run


@pytest.mark.parametrize("name", ["irish", "portes", "plakoto", "mahbouseh", "tawla-31"])
def test_as_many_numbers_as_possible_or_while_any_can_be_played(name: str) -> None:
    """After 10/9 no five can be played: 9/4 is closed, and nobody bears off."""
    position = "10:1 1:14 | 24:13 4:2 (dice=51)"
    only(game(name, forced_use="max"), position, "10/5 1/off")
    only(game(name, forced_use="greedy"), position, "10/5 1/off", "10/9")


@pytest.mark.parametrize("name", ["irish", "longgammon", "plakoto", "fevga", "long-narde", "jacquet"])
def test_the_larger_number_if_not_both(name: str) -> None:
    position = "24:1 1:14 | 15:2 12:13 (dice=54)"
    only(game(name, larger_die=True), position, "24/19")
    only(game(name, larger_die=False), position, "24/19", "24/20")


@pytest.mark.parametrize("name", ["tavla", "portes"])
def test_who_hits_at_home_does_not_run(name: str) -> None:
    both, lost = "9:1 8:1 | 20:12 7:2 5:1 (dice=42)", "9:1 | 20:12 7:2 5:1 (dice=42)"
    for hit_and_run, plays in (("forbidden", ()), ("unless_wasted", ()), ("allowed", ("9/5*/3",))):
        only(game(name, hit_and_run=hit_and_run), both, "9/5* 8/6", "8/2", *plays)
    for hit_and_run, play in (("forbidden", "9/5*"), ("unless_wasted", "9/5*/3"), ("allowed", "9/5*/3")):
        only(game(name, hit_and_run=hit_and_run), lost, play)


# What is refused


@pytest.mark.parametrize(
    ("name", "position", "message"),
    [
        ("irish", "24:14 9:1* | 9:1 1:14", r"9:1\*: nobody is pinned in this game"),
        ("fevga", "24:14 9:1* | 9:1 12:14", r"9:1\*: nobody is pinned in this game"),
        ("plakoto", "24:13 2:2* | 2:1 1:14", r"2:2\*: a pinned checker lies alone"),
        ("plakoto", "24:14 9:1* | 1:15", r"9:1\*: a pinned checker lies under"),
        ("plakoto", "24:14 9:1* | 9:1* 1:14", r"9:1\*: a pinned checker lies under"),
        ("plakoto", "24:14 9:1 | 9:1 1:14", "both sides have checkers on point 9"),
        ("plakoto", "24:14 | 1:15 (hand=1)", "hand=1: there is no hand"),
        ("plakoto", "24:14 | 1:15 (bar=1)", "bar=1: there is no bar"),
        ("fevga", "24:15 | 12:14 (obar=1)", "obar=1: there is no bar"),
        ("hypergammon", "24:1 | 1:3 (hand=2)", "hand=2: there is no hand"),
        ("nannon", "6:1 | 1:1 (bar=1 hand=1 ohand=2)", "bar=1: there is no bar"),
        ("fevga", "24:14 9:1 | 12:15 (runner=1)", "runner=1: only"),
        ("long-narde", "24:15 | 12:15 (orunner=1)", "orunner=1: only"),
        ("fevga", "24:15 | 12:15 (dice=1 head=1)", "head=1: only"),
        ("long-narde", "24:15 | 12:15 (head=1)", "head=1: only"),
        ("long-narde", "24:15 | 12:15 (dice=1 head=3)", "head=3: expected"),
        ("plakoto", "24:15 | 1:15 (dice=3 kept=5)", "kept=5: only"),
        ("fevga", "24:15 | 12:15 (dice=3 freed=1)", "freed=1: only"),
        ("fevga", "24:15 | 12:15 (dice=3 thrift=1)", "thrift=1: only"),
        ("plakoto", "24:15 | 1:15 (first=1)", "first=1: the opening of this game"),
        ("plakoto", "24:15 | 1:16", "16 checkers"),
        ("hypergammon", "24:15 | 1:15", "3 in all"),
        ("nannon", "7:1 | 1:1 (hand=2 ohand=2)", "7:1: there is no point 7; points are 1 to 6"),
        ("nannon", "6:1 | 1:1 (hand=1 ohand=2 off=2)", "3 in all"),
        ("plakoto", "4HPwATDgc/ABMA", "cannot read position"),
        ("fevga", "XGID=-b----E-C---eE---c-e----B-:0:0:1:31:0:0:0:0:10", "cannot read position"),
        ("nannon", "4HPwATDgc/ABMA", "cannot read position"),
        ("dutch", "4HPwATDgc/ABMA", "cannot read position"),
        ("dutch", "| (hand=15 ohand=16)", "16 checkers"),
        ("dutch", "| (hand=15 ohand=15 stage=choose)", "stage=choose: only in a game with acey_deucey"),
        ("acey-deucey-american", "| (hand=15 ohand=15 dice=31 stage=choose)", "stage=choose: only"),
        ("acey-deucey-american", "| (hand=15 ohand=15 stage=throw)", "stage=throw: only while one number is left"),
        ("acey-deucey-american", "| (hand=15 ohand=15 dice=66 stage=more)", "stage=more: no more numbers follow"),
        ("acey-deucey-american", "| (hand=15 ohand=15 dice=66 stage=trow)", "stage=trow: expected"),
        ("acey-deucey-american", "| 24:15 (off=15 stage=choose)", "the game is over: stage=choose"),
        ("gul-bara", "24:15 | 12:15 (dice=66 stage=more)", "stage=more: no more numbers follow"),
        ("gul-bara", "24:15 | 12:15 (dice=55 stage=throw)", "stage=throw: these numbers bring no other throw"),
        ("gul-bara", "24:15 | 12:15 (dice=55 gift=1)", "gift=1: only"),
        ("gioul", "24:15 | 1:15 (gift=1)", "gift=1: only while numbers are left"),
        ("gioul", "24:15 | 1:15 (turns=1)", "turns=1: only in a game with plain_doubles_turns"),
        ("tabula", "| (hand=15 ohand=15 dice=6x2)", "dice=6x2: three dice are thrown"),
        ("tabula", "| (hand=15 ohand=15 dice=6543)", "dice=6543: three dice are thrown"),
    ],
)
def test_a_text_that_is_no_position_of_the_game(name: str, position: str, message: str) -> None:
    with pytest.raises(ValueError, match=message) as caught:
        game(name).position(position)
    assert "\n" not in str(caught.value)


@pytest.mark.parametrize("position", ["3:2 | 5:1 (hand=1 ohand=2)", "3:1 | 5:2 (hand=2 ohand=1)"])
def test_two_checkers_on_a_point_of_nannon(position: str) -> None:
    with pytest.raises(ValueError, match=r"3:2|5:2"):
        game("nannon").position(position)
    assert game("nannon", stack_limit=0).position(position)


@pytest.mark.parametrize("dice", ["31", "33", "3x2"])
def test_two_numbers_at_nannon(dice: str) -> None:
    with pytest.raises(ValueError, match=f"dice={dice}"):
        game("nannon").position(f"3:1 | 5:1 (hand=2 ohand=2 dice={dice})")


@pytest.mark.parametrize("dice", ["3x3", "3x4"])
def test_more_than_two_of_a_doublet_at_irish(dice: str) -> None:
    with pytest.raises(ValueError, match=f"dice={dice}"):
        game("irish").position(f"24:15 | 1:15 (dice={dice})")


def test_throws_of_nannon() -> None:
    with pytest.raises(ValueError, match=r"a roll is one number like \(3,\)"):
        game("nannon").start().rolled((3, 1))
    with pytest.raises(ValueError, match=r"a roll is two numbers like \(3, 1\)"):
        game("tavla").start().rolled((3,))
    with pytest.raises(ValueError, match=r"a roll is three numbers like \(6, 3, 1\)"):
        game("tabula").start().rolled((3, 1))


@pytest.mark.parametrize(
    ("name", "options", "message"),
    [
        ("plakoto", {"hit_and_run": "forbidden"}, "hit_and_run=forbidden .* not with blot or mother"),
        ("fevga", {"waste_pips": "max_off"}, "waste_pips=max_off .* not with movement"),
        ("nannon", {"hit_and_run": "unless_wasted"}, "hit_and_run=unless_wasted .* not with protect or stack_limit"),
        ("tavla", {"scoring": "men_left"}, "hit_and_run=forbidden .* not with scoring"),
        ("tavla", {"bear_off": "anytime"}, "hit_and_run=forbidden .* not with bear_off"),
        ("plakoto", {"mother": "stict"}, r"option mother cannot be 'stict' \(did you mean strict\?\); readings: none, pinner_home, strict"),
        ("jacquet", {"block": 3}, "option block cannot be 3; readings: 2, 1"),
        ("jacquet", {"blot": "pinned"}, "option blot cannot be 'pinned'"),
        ("long-narde", {"head_limit": 2}, "option head_limit cannot be 2; readings: 0, 1"),
        ("long-narde", {"head_first": "346"}, "option head_first cannot be '346'"),
        ("fevga", {"prime": True}, "option prime cannot be True; readings: any, ahead, fevga"),
        ("fevga", {"prime_check": "end"}, "option prime_check cannot be 'end'"),
        ("moultezim", {"points_limit": "home"}, "option points_limit cannot be 'home'"),
        ("irish", {"doubles": 2}, "option doubles cannot be 2; readings: twice, once"),
        ("nannon", {"runer": "home"}, r"unknown option 'runer' \(did you mean runner\?\)"),
        ("nannon", {"movement": "parallel"}, "movement"),
        ("nannon", {"doubles": "escalate"}, "doubles=escalate does not go with one die"),
        ("nannon", {"acey_deucey": True}, "acey_deucey=True does not go with one die"),
        ("nannon", {"unused": "opponent"}, "unused=opponent does not go with one die"),
        ("tabula", {"doubles": "twice"}, "doubles=twice does not go with three dice"),
        ("tabula", {"acey_deucey": True}, "acey_deucey=True does not go with three dice"),
        ("tabula", {"larger_die": True}, "larger_die=True does not go with three dice"),
        ("tabula", {"opening": "rolloff_use_dice"}, "opening=rolloff_use_dice does not go with three dice"),
        ("gul-bara", {"doubles": "twice"}, "plain_doubles_turns=3: only where doubles=escalate"),
        ("gul-bara", {"plain_doubles_turns": 4}, "option plain_doubles_turns cannot be 4; readings: 0, 1, 2, 3"),
        ("irish", {"plain_doubles_turns": 1}, "plain_doubles_turns=1: only where doubles=escalate"),
        ("long-narde", {"doubles": "escalate"}, "head_limit=1 .* does not go with doubles=escalate"),
        ("long-narde", {"unused": "opponent"}, "head_limit=1 .* does not go with unused=opponent"),
        ("acey-deucey-american", {"forced_use": "greedy"}, "forced_use=greedy: with acey_deucey=True"),
        ("russian", {"forced_use": "greedy"}, "forced_use=greedy: with doubles=complement"),
        ("gioul", {"larger_die": False}, "larger_die=False: with unused=opponent"),
        ("tavla", {"doubles": "complement"}, "hit_and_run=forbidden .* not with doubles=complement"),
        ("tavla", {"hit_needs_home": True}, "hit_and_run=forbidden .* not with hit_needs_home"),
        ("dutch", {"enter_hand_first": "yes"}, "option enter_hand_first cannot be 'yes'"),
        ("russian", {"movement": "sam"}, r"option movement cannot be 'sam' \(did you mean same\?\)"),
        ("tawla-31", {"runner": "past_start"}, "runner"),
    ],
)
def test_options_that_are_refused(name: str, options: dict[str, str | bool | int], message: str) -> None:
    with pytest.raises(ValueError, match=message) as caught:
        game(name, **options)
    assert "\n" not in str(caught.value)


# The pages


@pytest.mark.parametrize("name", GAMES)
def test_the_options_on_a_page_are_those_of_the_game(name: str) -> None:
    """An option's readings stand in backquotes, the game's own first."""
    rows = re.findall(r"^\| `(\w+)` \| (.*) \|$", (PAGES / f"{name}.md").read_text(), re.MULTILINE)
    assert rows or "Those of [" in (PAGES / f"{name}.md").read_text()
    for option, told in rows:
        readings = {str(reading) for reading in CHOICES["track"][option]}
        words = [word for word in re.findall(r"`([^`]+)`", told) if not word.startswith("tablezoo.") and "=" not in word]
        assert words[0] == str(game(name).options[option]), option
        assert set(words) <= readings, option


@pytest.mark.parametrize("name", GAMES)
def test_the_positions_on_a_page_can_be_read(name: str) -> None:
    for text in re.findall(r"`([^`]*\d:\d+\*? \| [^`]*)`", (PAGES / f"{name}.md").read_text()):
        assert game(name).position(text).text == text


def test_a_step_after_which_the_other_number_is_lost_is_not_offered() -> None:
    """3/off by the 6 leads to the board that 3/2 2/off leads to, but then the 1 would be lost: 2/1 is closed."""
    pos = tablezoo.game("tawla-31").position("3:1 2:12 | 24:8 23:2 21:1 18:1 6:1 4:1 1:1 (off=2 dice=61)")
    assert pos.steps() == ((3, 1),)
    assert [play.hops for play in pos.plays()] == [((3, 2), (2, 0))]
