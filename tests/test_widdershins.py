"""Widdershins: the board and positions worked by hand, and every decision against the oracle."""

import re
from dataclasses import fields, replace

import numpy as np
import oracle_widdershins as oracle
import pytest
from conftest import nodes_of
from hypothesis import given, settings
from oracle_widdershins import Reading, State

import tablezoo

GAME = tablezoo.game("widdershins")
READINGS: dict[str, Reading] = {
    "standard": Reading(),
    **{board: Reading(board=board) for board in ("W37-alternating", "W45-alternating", "W33", "W29", "W21", "W41-bars")},
    "doors": Reading(numbers="23546"),
    "circle-never": Reading(turn_onto_circle="never"),
    "circle-never-W45": Reading(turn_onto_circle="never", board="W45-alternating"),
    "no-turning-back": Reading(uturn_scope="turn"),
    "pairs-block": Reading(pairs_block=True),
    "no-turning-back-past-pairs": Reading(pairs_block=True, uturn_scope="turn", turn_onto_circle="never"),
    "enter-first": Reading(enter_first=True),
    "clear-door-optional": Reading(clear_door="optional"),
    "credits-unlimited": Reading(credits="unlimited"),
    "one-credit": Reading(credits="one_per_turn"),
    "score-forced": Reading(score_forced=True),
    "reroll-moves": Reading(reroll_after="moves_only"),
    "reroll-any": Reading(reroll_after="any_use"),
    "reroll-uses": Reading(reroll_cap="uses"),
    "reroll-at-once": Reading(reroll_timing="immediate"),
    "first-turns": Reading(first_turn="each"),
    "greedy": Reading(forced_use="greedy"),
}
"""Readings of the rules, each option at least once."""


def game_of(reading: Reading) -> tablezoo.Game:
    """The game with these options."""
    return tablezoo.game("widdershins", **{field.name: getattr(reading, field.name) for field in fields(reading)})


def without_marks(text: str) -> str:
    """A position text without what it says of where pieces came from, which the oracle writes in another way."""
    return re.sub(r" came=[^ )]*", "", text)


def check_against_oracle(game: tablezoo.Game, reading: Reading, state: State) -> None:
    """Same decisions by name, each with the same next node, the same player there, and the same outcome."""
    words = oracle.text(state, reading)
    node = game.position(words)
    expected = oracle.plays(state, reading)
    got = {play.text: play for play in node.plays()}
    assert len(got) == len(node.plays()), f"{words}: a play is listed twice"
    assert set(got) == set(expected), f"{game!r} {words}"
    for text, (after, again) in expected.items():
        play = got[text]
        assert (without_marks(play.after.text), play.again) == (without_marks(oracle.text(after, reading)), again), f"{game!r} {words}: {text}"
        assert play.after.outcome == oracle.outcome(after, reading), f"{game!r} {words}: {text}"
        assert game.position(play.after.text) == play.after
        assert node.play(text) == play


@pytest.mark.parametrize("examples", [40, pytest.param(500, marks=pytest.mark.slow)])
@pytest.mark.parametrize("name", READINGS)
def test_decisions_at_odd_positions(name: str, examples: int) -> None:
    reading = READINGS[name]
    game = game_of(reading)

    @settings(max_examples=examples)
    @given(state=oracle.states(reading))
    def check(state: State) -> None:
        check_against_oracle(game, reading, state)

    check()


@pytest.mark.parametrize(("nodes", "step"), [(4_000, 80), pytest.param(50_000, 100, marks=pytest.mark.slow)])
@pytest.mark.parametrize("name", READINGS)
def test_decisions_of_random_games(name: str, nodes: int, step: int) -> None:
    reading = READINGS[name]
    game = game_of(reading)
    for row in nodes_of(game, nodes, seed=5)[::step]:
        check_against_oracle(game, reading, oracle.parse(tablezoo.Position(game, row, 0).text, reading))


@pytest.mark.parametrize("name", READINGS)
def test_rolls_of_whole_games(name: str) -> None:
    """Chances and the node after each roll, along games played by the oracle's list of plays."""
    reading = READINGS[name]
    state, pos = oracle.start(reading), game_of(reading).start()
    generator = np.random.default_rng(7)
    for _ in range(120):
        assert (without_marks(pos.text), pos.node) == (without_marks(oracle.text(state, reading)), oracle.node(state, reading))
        if pos.node == "over":
            break
        if pos.node == "roll":
            chances = oracle.chances(state, reading)
            assert dict(pos.chances()) == chances
            roll = list(chances)[generator.integers(len(chances))]
            state, pos = oracle.rolled(state, roll, reading), pos.rolled(roll)
            continue
        plays = oracle.plays(state, reading)
        text = sorted(plays)[generator.integers(len(plays))]
        player = pos.player
        pos, (state, again) = pos.play(text).after, plays[text]
        assert (pos.player == player) == again


# By hand, after the tables of the rules


def uses(position: str, *dice: int, **options: str | bool) -> set[str]:
    """Texts of the plays with these dice on the table; `side=x` unless the position says more."""
    body, _, counters = position.partition("(")
    counters = f"{counters.rstrip(')')} dice={''.join(map(str, dice))}"
    return {play.text for play in tablezoo.game("widdershins", **options).position(f"{body}({counters})").plays()}


def reached(space: str, die: int, **options: str) -> set[str]:
    """Spaces one piece alone may move to by a die."""
    return {text.split("-")[1] for text in uses(f"{space}:1 | (uses=1)", die, **options)}


@pytest.mark.parametrize(
    ("space", "die", "spaces"),
    [
        ("NW4", 1, "W3"), ("NW4", 2, "W2 W4 WS1"), ("NW4", 4, "C WS3"), ("N5", 2, "N3"), ("N5", 3, "N2 NW1"), ("N5", 6, "W1 S1 E1 NW4"),
        ("N4", 2, "N2 NW1"), ("C", 4, "N4 W4 S4 E4 NW1 WS1 SE1 EN1"), ("C", 6, "NW3 WS3 SE3 EN3"), ("N3", 1, "N2 N4 NW1"), ("N3", 5, "W2 W3 S2 E2"),
    ],
)  # fmt: skip
def test_paths_on_an_empty_board(space: str, die: int, spaces: str) -> None:
    assert reached(space, die) == set(spaces.split())


@pytest.mark.parametrize(("space", "die", "spaces"), [("N5", 6, "W1 S1 E1"), ("N4", 2, "N2"), ("C", 4, "N4 W4 S4 E4"), ("N3", 1, "N2 N4 NW1")])
def test_paths_where_nobody_turns_onto_the_circle(space: str, die: int, spaces: str) -> None:
    assert reached(space, die, turn_onto_circle="never") == set(spaces.split())


def test_the_default_board_has_37_spaces_20_of_them_on_the_circle_and_16_runes() -> None:
    board = GAME.board
    circle = {end for start, end in board.edges if board.one_way(start, end)}
    assert (len(board.spaces), len(circle)) == (37, 20)
    assert [sum(rune == side for rune in board.runes.values()) for side in "xo"] == [8, 8]
    assert {side: set(board.doors("23456")[side][1]) for side in "xo"} == {"x": {"N5", "S5"}, "o": {"W5", "E5"}}


@pytest.mark.parametrize("side", "xo")
def test_uses_at_the_start(side: str) -> None:
    text = GAME.start().text
    own, _, opponent = text.partition(" (")[0].partition(" | ")
    position = f"{own} | {opponent} (uses=1 side=x)" if side == "x" else f"{opponent} | {own} (uses=1 side=o)"
    assert [len(uses(position, die)) for die in range(1, 7)] == [6, 10, 8, 16, 22, 20]
    assert not any("*" in text for die in range(1, 7) for text in uses(position, die))
    if side == "x":
        assert uses(position, 1) == {"N1-C", "N2-N3", "N4-N3", "S1-C", "S2-S3", "S4-S3"}


def test_nobody_ends_where_two_pieces_stand() -> None:
    position = "NW1:1 NW4:1 NW3:2 | (uses=1)"
    assert uses(position, 2) == {"NW3-W3", "NW4-W2", "NW4-W4", "NW4-WS1"}
    assert "NW1-NW4" in uses(position, 3)
    assert "NW1-NW4" not in uses(position, 3, pairs_block=True)


CAPTURE = "N2:1 C:2 | N3:1 S2:2 (victory=4)"


def test_who_captures_may_score() -> None:
    pos = GAME.position(f"{CAPTURE[:-1]} dice=21)")
    assert not any(play.text.startswith("score") for play in pos.plays())
    after = pos.play("N2-N3*").after
    assert {play.text for play in after.plays()} == {"score N3", "C-E2", "C-N2", "C-W2", "N3-N1", "N3-N5", "N3-NW2"}
    end = after.play("score N3").after
    assert (end.node, end.outcome, end.player) == ("over", 1, 1)


def test_a_credit_lapses_with_the_turn() -> None:
    after = GAME.position(f"{CAPTURE[:-1]} dice=21)").play("C-E2").after.play("N2-N3*").after
    assert (after.node, after.player) == ("roll", 1)
    assert "credits" not in after.text


def test_a_turn_without_an_entry_is_lost() -> None:
    assert uses("W2:2 | N3:2 S3:2 (captured=1)", 4, 2) == {"end"}


def test_a_die_is_kept_for_the_entry() -> None:
    assert uses("W2:2 | N3:2 (captured=1)", 4, 2) == {"enter S3", "W2-C", "W2-W4", "W2-WS1"}
    after = GAME.position("W2:2 | N3:2 (captured=1 dice=42)").play("W2-C").after
    assert {play.text for play in after.plays()} == {"enter S3"}


def test_the_own_door_is_cleared_if_nothing_else_enters() -> None:
    position = "N3:2 W2:2 | S3:2 (captured=1)"
    assert uses(position, 4, 2) == {"N3-W1", "N3-S1", "N3-E1", "N3-NW4"}
    assert uses(position, 4, 2, clear_door="optional") == {"N3-W1", "N3-S1", "N3-E1", "N3-NW4", "end"}


def test_no_reroll_while_an_entry_is_due() -> None:
    position = "N5:1 S4:2 | W3:2 (captured=1)"
    assert uses(position, 5, 3) == {"N5-N2", "N5-NW1", "S4-S1", "S4-SE2", "enter E3"}
    after = GAME.position(f"{position[:-1]} dice=53)").play("N5-N2").after
    assert {play.text for play in after.plays()} == {"enter E3"}
    entered = after.play("enter E3").after
    assert {play.text for play in entered.plays()} == {"reroll", "end"}
    thrown = entered.play("reroll").after
    assert (thrown.node, thrown.chances()) == ("roll", tuple(((face,), 1) for face in range(1, 7)))
    assert thrown.player == 0


def test_an_entry_by_a_three_earns_its_reroll() -> None:
    after = GAME.position("N5:1 S4:2 | (captured=1 dice=53)").play("enter W3").after
    assert "reroll" in {play.text for play in after.plays()}
    moves_only = tablezoo.game("widdershins", reroll_after="moves_only").position("N5:1 S4:2 | (captured=1 dice=53)").play("enter W3").after
    assert "reroll" not in {play.text for play in moves_only.plays()}


def test_five_scored_win_whoever_is_captured() -> None:
    pos = GAME.position("N5:1 | W3:1 (captured=2 victory=4 dice=31)")
    end = pos.play("enter W3*").after.play("score N5").after
    assert end.outcome == 1
    assert "ocaptured=1" in end.text


def test_as_many_dice_as_possible_are_used() -> None:
    blocked = "N5:1 | N3:2 NW1:2 N2:2"
    assert uses(f"{blocked} (victory=0)", 2, 1) == {"N5-N4"}
    both = uses(f"{blocked} (victory=0)", 4, 1)
    assert both == {"N5-N4", "N5-N1", "N5-NW2"}


def test_the_first_turn_rerolls_no_threes() -> None:
    start = GAME.start()
    assert {roll for roll, _ in start.chances()} == {(a, b) for a in range(1, 7) for b in range(1, a)}
    after = start.rolled((3, 1)).play("N1-NW1" if "N1-NW1" in {p.text for p in start.plays((3, 1))} else start.plays((3, 1))[0].text).after
    assert "pending" not in after.text
    other = next(play for play in after.plays()).after
    assert other.player == 1
    assert len(other.chances()) == 21
    threes = other.rolled((3, 3)).plays()[0].after
    assert "pending=1" in threes.text


def test_at_most_four_uses_in_a_turn() -> None:
    pos = GAME.position("W1:2 S1:2 E1:2 N1:2 | NW4:1 (side=x dice=33)")
    for _ in range(2):
        pos = next(play for play in pos.plays() if play.numbers).after
    for _ in range(2):
        pos = pos.play("reroll").after.rolled((3,))
        pos = next(play for play in pos.plays() if play.numbers).after
    assert (pos.node, pos.player) == ("roll", 1), "after the fourth use the turn is over, though two more threes were used"


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("N9:1 |", ("N9", "no space")),
        ("N1:3 |", ("N1:3", "1 or 2")),
        ("N1:1 N1:1 |", ("N1", "twice")),
        ("N1:1 | N1:1", ("both sides", "N1")),
        ("N1:1 | (captured=16)", ("17 pieces", "at most 16")),
        ("N1:1 | (victory=6)", ("6 pieces", "5 win")),
        ("N1:1 | (side=y)", ("side=y", "x or o")),
        ("N1:1 | (dice=311)", ("dice=311", "one or two dice")),
        ("N1:1 | (credits=1)", ("pending and credits",)),
        ("N1:1 | (stage=reroll)", ("stage=reroll", "uses")),
        ("N1:1 | (uses=3 dice=31)", ("uses=3", "four uses")),
        ("N1:1 | (first=4)", ("first=4", "expected 1 for")),
        ("N1:1 | (enter=1)", ("enter=1",)),
        ("N1:1 | (came=N1<C dice=1)", ("came", "uturn_scope")),
        ("N1:1 | (height=2)", ("height=2", "unknown")),
        ("N1:1", ("cannot read position",)),
    ],
)
def test_bad_positions_are_named(text: str, words: tuple[str, ...]) -> None:
    with pytest.raises(ValueError, match=r".") as error:
        GAME.position(text)
    assert all(word in str(error.value) for word in words), str(error.value)
    assert "\n" not in str(error.value)


@pytest.mark.parametrize(
    ("text", "words"), [("N1-X9", ("X9", "no space")), ("fly N1", ("cannot read",)), ("N1-N5", ("not a legal play",)), ("", ("cannot read",))]
)
def test_bad_plays_are_named(text: str, words: tuple[str, ...]) -> None:
    with pytest.raises(ValueError, match=r".") as error:
        GAME.start().rolled((3, 1)).play(text)
    assert all(word in str(error.value) for word in words), str(error.value)


def test_two_dice_with_the_same_path_are_told_apart() -> None:
    pos = GAME.position("NW4:1 | (dice=21)")
    state = replace(oracle.parse("NW4:1 | (dice=21)", READINGS["standard"]))
    assert {play.text for play in pos.plays()} == set(oracle.plays(state, READINGS["standard"]))
