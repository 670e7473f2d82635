"""Game, Position and Play: nodes, chances, outcomes, identity."""

import copy
import pickle
import random
from collections.abc import Callable
from typing import Any

import pytest
from conftest import BACKGAMMON, GAMES, board26, random_nodes
from oracle import text

import tablezoo

SIMPLE = GAMES["simple-backgammon"][0]
START = "24:2 13:5 8:3 6:5 | 19:5 17:3 12:5 1:2"
M14 = text(board26("-aIBB-AA-----a-------c-bh-"))
M16 = "24:2 | 23:2 22:2 21:2 20:2 19:2 13:2 (off=13 ooff=3)"


def pips(pos: tablezoo.Position) -> tuple[int, int]:
    """Pip counts taken from the position's text."""
    own, _, rest = pos.text.partition("|")
    opponent, _, counters = rest.partition("(")
    bars = dict(word.split("=") for word in counters.rstrip(")").split())
    points = [[tuple(map(int, word.split(":"))) for word in side.split()] for side in (own, opponent)]
    return (
        sum(p * n for p, n in points[0]) + 25 * int(bars.get("bar", 0)),
        sum((25 - p) * n for p, n in points[1]) + 25 * int(bars.get("obar", 0)),
    )


# The zoo


def test_games_are_listed_sorted_and_found_by_alias() -> None:
    assert tablezoo.games() == sorted(tablezoo.games())
    assert {"backgammon", "simple-backgammon"} <= set(tablezoo.games())
    assert tablezoo.game("bg") == BACKGAMMON


def test_options_override_the_preset() -> None:
    plain = {"hit_and_run": "allowed", "waste_pips": "off", "waste_scope": "turn_start", "bear_off": "furthest", "next_starter": "roll"}
    standard = {"opening": "rolloff_use_dice", "forced_use": "max", "larger_die": True, "scoring": "backgammon", **plain}
    simple = {"opening": "white_first", "forced_use": "greedy", "larger_die": False, "scoring": "single", **plain}
    assert {name: BACKGAMMON.options[name] for name in standard} == standard
    assert {name: SIMPLE.options[name] for name in simple} == simple
    assert BACKGAMMON.changed == {}
    assert {name: SIMPLE.options[name] for name in BACKGAMMON.options if name not in simple} == {
        name: BACKGAMMON.options[name] for name in BACKGAMMON.options if name not in standard
    }
    assert tablezoo.game("simple-backgammon", scoring="gammon").options == {**SIMPLE.options, "scoring": "gammon"}
    assert repr(tablezoo.game("backgammon", larger_die=False)) == "game('backgammon', larger_die=False)"


def test_outcomes_follow_the_scoring() -> None:
    assert BACKGAMMON.outcomes == (1, 2, 3, -1, -2, -3)
    assert tablezoo.game("backgammon", scoring="gammon").outcomes == (1, 2, -1, -2)
    assert SIMPLE.outcomes == (1, -1)


# Nodes and dice


def test_the_start() -> None:
    start = BACKGAMMON.start()
    assert (start.text, start.node, start.player, start.numbers, start.outcome) == (START, "roll", 0, (), None)
    assert start.pips() == pips(start) == (167, 167)
    assert start.counts()[0][25] == start.counts()[1][0] == 0, "nobody is on the bar"


def test_the_opening_roll_is_no_doublet_where_its_dice_are_the_roll_offs() -> None:
    chances = BACKGAMMON.start().chances()
    assert {roll: weight for roll, weight in chances} == {(a, b): 2 for a in range(1, 7) for b in range(1, a)}
    assert sum(weight for _, weight in chances) == 30


@pytest.mark.parametrize(
    "pos",
    [SIMPLE.start(), BACKGAMMON.start().plays((3, 1))[0].after, tablezoo.game("backgammon", opening="rolloff_reroll").start(), BACKGAMMON.position(M14)],
    ids=["white throws first", "after the opening roll", "the starter throws anew", "later"],
)
def test_every_other_roll_is_two_free_dice(pos: tablezoo.Position) -> None:
    assert dict(pos.chances()) == {(a, b): 1 if a == b else 2 for a in range(1, 7) for b in range(1, a + 1)}
    assert sum(weight for _, weight in pos.chances()) == 36


def test_a_roll_gives_the_numbers_to_play() -> None:
    start = BACKGAMMON.start()
    assert [start.rolled(roll).numbers for roll in ((3, 1), (1, 3), (4, 4))] == [(3, 1), (3, 1), (4, 4, 4, 4)]
    play_node = start.rolled((3, 1))
    assert (play_node.node, play_node.player) == ("play", 0)
    assert start.plays((3, 1)) == play_node.plays()


def test_dice_do_not_outlive_the_turn() -> None:
    """M19: one of two numbers was played; the opponent starts without dice."""
    [play] = BACKGAMMON.position(M16).plays((6, 5))
    assert (play.text, play.numbers, play.again) == ("24/18", 1, False)
    assert (play.after.node, play.after.numbers, play.after.player) == ("roll", (), 1)
    assert play.after.text == "12:2 6:2 5:2 4:2 3:2 2:2 | 7:1 1:1 (off=3 ooff=13)"


def test_a_turn_without_a_move_is_one_explicit_pass() -> None:
    pos = BACKGAMMON.position(M16).rolled((5, 3))
    [play] = pos.plays()
    assert (play.text, play.numbers, play.hits, play.hops) == ("pass", 0, frozenset(), ())
    assert play.result.text == M16
    assert pos.play("pass") == play


@pytest.mark.parametrize("roll", [(0, 1), (7, 1), (1, -2), (3,), (1, 2, 3), (), "ab", None])
def test_a_roll_of_other_than_two_dice_is_refused(roll: tuple[int, int]) -> None:
    with pytest.raises(ValueError, match=r"roll.*(a die shows 1 to 6|two numbers like \(3, 1\))") as error:
        BACKGAMMON.start().rolled(roll)
    assert "\n" not in str(error.value)


def test_what_a_node_does_not_have_is_refused() -> None:
    roll, play = BACKGAMMON.start(), BACKGAMMON.start().rolled((3, 1))
    over = BACKGAMMON.position("24:15 | (ooff=15)")
    refused = {
        "roll": [roll.plays, roll.steps, lambda: roll.play("8/5 6/5"), lambda: roll.step((8, 3))],
        "play": [play.chances, lambda: play.rolled((3, 1)), lambda: play.plays((3, 1))],
        "over": [over.chances, over.plays, over.steps, lambda: over.rolled((3, 1)), lambda: over.plays((3, 1)), lambda: over.play("pass")],
    }
    for node, calls in refused.items():
        for call in calls:
            with pytest.raises(ValueError, match=rf"^this node is '{node}': it has no [a-z ]+$"):
                call()


# Hits, turns, outcomes


def test_hits_are_told() -> None:
    """M21 and M23: the opponent's bar rises with the hit, and only then."""
    node = BACKGAMMON.position(M14).rolled((6, 1))
    hit, quiet = node.play("7/1* 3/2"), node.play("7/6/off")
    assert (hit.hits, quiet.hits) == (frozenset({1}), frozenset())
    assert "obar=1" in hit.result.text
    assert "bar" not in quiet.result.text
    assert hit.after.text.split("(")[1].startswith("bar=1"), "the player who was hit acts next"


def test_a_play_leaves_the_position_it_came_from() -> None:
    """M20: going back is keeping the position."""
    node = BACKGAMMON.position(M14).rolled((6, 1))
    before = node.row.tobytes()
    for text_of_play in ("7/1* 3/2", "7/1*/off"):
        assert node.play(text_of_play).after != node
        assert node.play(text_of_play).before == node
    assert node.step((7, 6)).numbers == (1,)
    assert node.row.tobytes() == before


def test_the_board_turns_with_the_player() -> None:
    play = BACKGAMMON.start().rolled((3, 1)).play("8/5 6/5")
    assert play.result.text == "24:2 13:5 8:2 6:4 5:2 | 19:5 17:3 12:5 1:2"
    assert play.after.text == "24:2 13:5 8:3 6:5 | 20:2 19:4 17:2 12:5 1:2"
    assert (play.result.player, play.after.player, play.after.plays((2, 1))[0].after.player) == (0, 1, 0)


@pytest.mark.parametrize(
    ("theirs", "won"),
    [
        ("1:15 (off=14", 3),
        ("6:1 7:14 (off=14", 3),
        ("24:14 (off=14 obar=1", 3),
        ("7:15 (off=14", 2),
        ("24:15 (off=14", 2),
        ("24:13 (off=14 obar=1 ooff=1", 1),
        ("6:14 (off=14 ooff=1", 1),
    ],
)
def test_points_won(theirs: str, won: int) -> None:
    """M24: a loser who has borne off loses one; else two; three with a checker on the bar or in the winner's home."""
    for scoring, most in (("backgammon", 3), ("gammon", 2), ("single", 1)):
        game = tablezoo.game("backgammon", scoring=scoring)
        [play] = game.position(f"2:1 | {theirs})").plays((6, 6))
        assert (play.after.node, play.after.outcome, play.after.player) == ("over", min(won, most), 1), scoring


def test_the_game_goes_on_until_the_last_checker_is_off() -> None:
    outcomes = {play.text: play.after.outcome for play in BACKGAMMON.position("2:1 1:1 | 24:15 (off=13)").plays((2, 1))}
    assert outcomes == {"2/off 1/off": 2, "2/off": None}, "two off, or one of them by both numbers"


# Conservation in random games


def replay(game: tablezoo.Game, seed: int) -> int:
    """A random game through the objects, with checks at every turn (M22); its number of turns."""
    generator = random.Random(seed)
    pos, turns = game.start(), 0
    while pos.node != "over":
        rolls, weights = zip(*pos.chances(), strict=True)
        node = pos.rolled(generator.choices(rolls, weights)[0])
        play = generator.choice(node.plays())
        check_balance(node, play)
        pos, turns = play.after, turns + 1
        assert pos.player == turns % 2
    return turns


def check_balance(node: tablezoo.Position, play: tablezoo.Play) -> None:
    """Checkers are kept; the mover's pips fall by the numbers used, less what bearing off wastes; the opponent's rise by hits only."""
    case = f"{node.text}: {play.text}"
    assert [sum(side) for side in play.result.counts()] == [15, 15], case
    (own, other), (own_after, other_after) = pips(node), pips(play.result)
    assert play.result.pips() == (own_after, other_after), case
    used = sum(node.numbers) if play.numbers == len(node.numbers) else None
    possible = [used] if used else [play.numbers * d for d in set(node.numbers)]
    borne_off = play.result.counts()[0][0] - node.counts()[0][0]
    fall = own - own_after
    assert fall in possible or (borne_off > 0 and fall < max(possible)), f"{case}: {fall} pips"
    assert other_after - other == sum(play.hits), f"{case}: a checker hit on point p has p pips more to go"
    assert play.result.counts()[1][0] - node.counts()[1][0] == len(play.hits), case


@pytest.mark.parametrize("name", GAMES)
def test_random_games_keep_checkers_and_pips(name: str) -> None:
    assert sum(replay(GAMES[name][0], seed) for seed in range(5)) > 200


# Identity


def test_equal_states_are_equal_whoever_acts() -> None:
    first = BACKGAMMON.start().rolled((3, 1)).play("8/5 6/5").after
    same = BACKGAMMON.position(first.text)
    assert (first.player, same.player) == (1, 0)
    assert first == same
    assert hash(first) == hash(same)
    assert len({first, same}) == 1


def test_ways_that_meet_are_one_state() -> None:
    node = BACKGAMMON.start().rolled((3, 1))
    assert node.step((24, 3)).step((21, 1)) == node.step((24, 1)).step((23, 3))


def test_states_that_differ_are_unequal() -> None:
    start = BACKGAMMON.start()
    others = [SIMPLE.start(), start.rolled((3, 1)), BACKGAMMON.position(f"{START} (first=0)"), start.plays((3, 1))[0].after]
    for other in others:
        assert start != other, other.text
    assert start.rolled((3, 1)) != start.rolled((3, 2))
    assert start != START


def test_games_are_equal_by_name_and_rules() -> None:
    same = tablezoo.game("backgammon", larger_die=True)
    assert (same, hash(same)) == (BACKGAMMON, hash(BACKGAMMON))
    assert tablezoo.game("backgammon", larger_die=False) != BACKGAMMON
    as_simple = tablezoo.game("backgammon", **SIMPLE.options)
    assert as_simple != SIMPLE, "the name counts"


def test_plays_are_equal_by_node_and_result() -> None:
    node = BACKGAMMON.start().rolled((3, 1))
    assert node.plays() == BACKGAMMON.start().plays((1, 3))
    assert len({*node.plays(), *BACKGAMMON.start().plays((1, 3))}) == 16
    assert node.play("8/5 6/5") != node.play("8/4")


@pytest.mark.parametrize("how", [copy.copy, copy.deepcopy, lambda thing: pickle.loads(pickle.dumps(thing))], ids=["copy", "deepcopy", "pickle"])
def test_copies_are_equal(how: Callable[[Any], Any]) -> None:
    node = BACKGAMMON.start().rolled((3, 1)).play("8/5 6/5").after.rolled((6, 6))
    greedy = GAMES["greedy"][0]
    for thing in (BACKGAMMON, greedy, greedy.start(), BACKGAMMON.start(), node, node.plays()[0]):
        twin = how(thing)
        assert (twin, hash(twin), repr(twin)) == (thing, hash(thing), repr(thing))
    assert how(node).player == node.player == 1
    assert how(node).plays() == node.plays()


def test_positions_and_plays_cannot_be_changed() -> None:
    pos = BACKGAMMON.start()
    play = pos.plays((3, 1))[0]
    for thing, name in ((pos, "player"), (pos, "game"), (pos, "row"), (pos, "note"), (play, "before"), (play, "note")):
        with pytest.raises(AttributeError):
            setattr(thing, name, 1)
    for row in (pos.row, play.after.row, play.result.row):
        with pytest.raises(ValueError, match="read-only"):
            row[0] = 1


def test_changing_arrays_given_or_got_changes_no_position() -> None:
    row = BACKGAMMON.start_row
    pos = tablezoo.Position(BACKGAMMON, row, 0)
    row[0] += 1
    pos.counts()[0][6] = 9
    assert pos == BACKGAMMON.start()
    assert BACKGAMMON.start_row[0] != row[0]


def test_the_order_of_plays_is_that_of_an_equal_node() -> None:
    for row in random_nodes("backgammon", 20_000)[::1000]:
        pos = tablezoo.Position(BACKGAMMON, row, 1)
        assert [p.text for p in pos.plays()] == [p.text for p in BACKGAMMON.position(pos.text).plays()], pos.text


def test_the_result_of_a_winning_play_is_over_in_the_winner_s_numbering_too() -> None:
    play = BACKGAMMON.position("1:1 | 24:15 (off=14)").rolled((2, 1)).plays()[0]
    assert play.result.text == "| 24:15 (off=15)"
    assert play.after.text == "1:15 | (ooff=15)"
    assert (play.result.node, play.result.outcome) == (play.after.node, play.after.outcome) == ("over", 2)


@pytest.mark.parametrize("depth", [-1, 13, 10**20, 1.5, "2"])
def test_a_depth_that_cannot_be_counted_is_refused(depth: object) -> None:
    with pytest.raises(ValueError, match="depth must be a whole number from 0 to 12"):
        BACKGAMMON.perft(depth)  # type: ignore[arg-type]


@pytest.mark.parametrize("roll", ["31", (2.5, 1), (1,), 5, (1, 2, 3)])
def test_a_roll_is_two_whole_numbers(roll: object) -> None:
    with pytest.raises(ValueError, match="a roll is two numbers like"):
        BACKGAMMON.start().rolled(roll)  # type: ignore[arg-type]
