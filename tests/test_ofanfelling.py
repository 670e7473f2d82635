"""Ofanfelling: positions worked by hand, and every throw against the oracle."""

from dataclasses import fields, replace

import numpy as np
import oracle_ofanfelling as oracle
import pytest
from hypothesis import given, settings
from oracle_ofanfelling import DOWN, UP, Reading, Side, State

import tablezoo
from tablezoo.kernel.playout import random_games

GAME = tablezoo.game("ofanfelling")
READINGS: dict[str, Reading] = {
    "standard": Reading(),
    "void-throw": Reading(void_scope="throw"),
    "void-throw-no-carry": Reading(void_scope="throw", carry_over=False),
    "void-doublet-ends": Reading(void_doublet_rethrow=False),
    "no-carry": Reading(carry_over=False),
    "rethrow": Reading(bearoff_doublets="rethrow"),
    "exact": Reading(bearoff_over="exact"),
    "any": Reading(bearoff_over="any"),
    "rethrow-exact": Reading(bearoff_doublets="rethrow", bearoff_over="exact"),
    "rethrow-exact-void": Reading(bearoff_doublets="rethrow", bearoff_over="exact", void_doublet_rethrow=False),
    "both": Reading(phase_sync="both"),
    "both-no-carry": Reading(phase_sync="both", carry_over=False),
    "both-void-throw": Reading(phase_sync="both", void_scope="throw"),
    "equal-turns": Reading(equal_turns=True),
    "equal-turns-rethrow": Reading(equal_turns=True, bearoff_doublets="rethrow", bearoff_over="any"),
}
"""Readings of the rules, each option at least once."""


def game_of(reading: Reading) -> tablezoo.Game:
    """The game with these options."""
    return tablezoo.game("ofanfelling", **{field.name: getattr(reading, field.name) for field in fields(reading)})


def words(state: State, reading: Reading) -> str:
    """Position text; the oracle leaves a player who waits for the other in the phase he has finished, the text shows the one to come."""

    def shown(side: Side) -> Side:
        ended = (side.phase == DOWN and sum(side.down) == 6) or (side.phase == UP and not sum(side.down))
        return side._replace(phase=side.phase + 1) if ended else side

    return oracle.text(replace(state, own=shown(state.own), opponent=shown(state.opponent)), reading)


def check_against_oracle(game: tablezoo.Game, reading: Reading, state: State) -> None:
    """Same next nodes, each once, with the same player there and the same outcome."""
    text = words(state, reading)
    node = game.position(text)
    expected = {(words(after, reading), again): oracle.outcome(after, reading) for after, again in oracle.plays(state, reading).values()}
    plays = node.plays()
    got = {(play.after.text, play.again): play.after.outcome for play in plays}
    assert len(got) == len(plays), f"{game!r} {text}: a result is listed twice"
    assert got == expected, f"{game!r} {text}"
    for play in plays:
        assert node.play(play.text) == play
        assert game.position(play.after.text) == play.after
    by_steps = {play.after.text for play in plays if play.numbers}
    assert stepped(node) == by_steps, f"{game!r} {text}: step by step"


def stepped(node: tablezoo.Position) -> set[str]:
    """Nodes reached by any sequence of steps that ends the throw."""
    ends, level = set(), {node}
    while level:
        after = {pos.step(step) for pos in level for step in pos.steps()}
        ends |= {pos.text for pos in after if pos.node != "play"}
        level = {pos for pos in after if pos.node == "play"}
    return ends


@pytest.mark.parametrize("examples", [100, pytest.param(5_000, marks=pytest.mark.slow)])
@pytest.mark.parametrize("name", READINGS)
def test_throws_at_odd_positions(name: str, examples: int) -> None:
    reading = READINGS[name]
    game = game_of(reading)

    @settings(max_examples=examples)
    @given(state=oracle.states(reading))
    def check(state: State) -> None:
        check_against_oracle(game, reading, state)

    check()


@pytest.mark.parametrize(("games", "seed"), [(3, 1), pytest.param(200, 2, marks=pytest.mark.slow)])
@pytest.mark.parametrize("name", READINGS)
def test_throws_of_random_games(name: str, games: int, seed: int) -> None:
    """Whole games by the oracle's list of plays, node by node."""
    reading = READINGS[name]
    game, generator = game_of(reading), np.random.default_rng(seed)
    for _ in range(games):
        state, pos = oracle.start(reading), game.start()
        while oracle.node(state, reading) != "over":
            assert (pos.text, pos.node) == (words(state, reading), oracle.node(state, reading))
            chances = oracle.chances(state, reading)
            assert dict(pos.chances()) == chances
            roll = list(chances)[generator.choice(len(chances), p=np.array(list(chances.values())) / 36)]
            state = oracle.rolled(state, roll, reading)
            check_against_oracle(game, reading, state)
            plays = oracle.plays(state, reading)
            state, again = list(plays.values())[generator.integers(len(plays))]
            play = next(play for play in pos.rolled(roll).plays() if play.after.text == words(state, reading) and play.again == again)
            pos = play.after
        assert pos.outcome == oracle.outcome(state, reading)


# By hand

START = "6:2 5:2 4:2 3:2 2:2 1:2"


def lying(*points: int) -> str:
    """A side with the upper men of these points down."""
    return " ".join(f"{p}:1d1" if p in points else f"{p}:2" for p in range(6, 0, -1))


def thrown(own: str, phase: int, roll: tuple[int, int], **options: str | bool) -> list[tuple[str, str, bool]]:
    """(text, own side afterwards, throws again) of every play of a throw."""
    game = tablezoo.game("ofanfelling", **options)
    pos = game.position(f"{own} | {START} (phase={phase})")
    return [(play.text, play.result.text.partition("|")[0].strip(), play.again) for play in pos.plays(roll)]


def test_a_throw_brings_two_men_down() -> None:
    assert thrown(START, 1, (6, 2)) == [("down 6 down 2", lying(6, 2), False)]


def test_a_doublet_throws_again_even_if_it_does_nothing() -> None:
    assert thrown(START, 1, (3, 3)) == [("down 3", lying(3), True)]
    assert thrown(lying(3), 1, (3, 3)) == [("pass", lying(3), True)]
    assert thrown(lying(3), 1, (3, 3), void_doublet_rethrow=False) == [("pass", lying(3), False)]
    assert thrown(lying(3), 1, (5, 1)) == [("down 5 down 1", lying(5, 3, 1), False)]


def test_a_number_of_a_man_already_down_counts_for_nothing() -> None:
    assert thrown(lying(6), 1, (6, 2)) == [("down 2", lying(6, 2), False)]
    assert thrown(lying(6), 1, (6, 2), void_scope="throw") == [("pass", lying(6), False)]


def test_the_number_left_is_carried_into_the_next_phase() -> None:
    all_but_four = lying(6, 5, 3, 2, 1)
    assert thrown(all_but_four, 1, (4, 1)) == [("down 4 up 1", lying(6, 5, 4, 3, 2), False)]
    assert thrown(all_but_four, 1, (4, 1), carry_over=False) == [("down 4", lying(6, 5, 4, 3, 2, 1), False)]
    assert thrown(all_but_four, 1, (2, 1)) == [("pass", all_but_four, False)]


def test_the_number_left_bears_a_man_off() -> None:
    assert thrown(lying(5), 2, (6, 5)) == [("up 5 6/off", "6:1 5:2 4:2 3:2 2:2 1:2", False)]


def bear_off(own: str, roll: tuple[int, int], **options: str | bool) -> set[str]:
    """Own sides after the plays of a roll in the last phase."""
    return {after for _, after, _ in thrown(own, 3, roll, **options)}


def test_bearing_off_is_as_at_backgammon() -> None:
    assert bear_off("5:2 3:1", (6, 4)) == {"3:1 1:1"}
    assert bear_off("4:1 3:1", (3, 1)) == {"3:1", "2:1 1:1"}
    assert thrown("2:1 1:2", 3, (2, 2)) == [("2/off 1/off(2)", "", False)]


def test_a_doublet_may_bear_off_one_man_and_throw_again() -> None:
    assert ("2/off", "1:2", True) in thrown("2:1 1:2", 3, (2, 2), bearoff_doublets="rethrow")


def test_the_equivalent_of_two_men_over() -> None:
    assert bear_off("5:2 3:1", (6, 4), bearoff_over="exact") == {"5:1 3:1 1:1"}
    assert "5:2" in bear_off("5:2 3:1 1:1", (4, 3), bearoff_over="any")


@pytest.mark.parametrize(
    ("text", "message"),
    [
        (f"7:2 | {START}", "no point 7"),
        (f"6:1d2 | {START} (phase=1)", "1 lies"),
        (f"6:1d1 5:2 4:2 3:2 2:2 1:2 | {START}", "name phase=1"),
        (f"6:2 | {START} (phase=1 ophase=1)", "two men on every point"),
        (f"{START} | {START} (phase=2)", "phase 3 has begun"),
        (f"6:13 | {START}", "at most 12"),
        (f"6:2 6:2 | {START}", "given twice"),
        (f"6:3 | {START} (off=3)", "12 in all"),
        (f"{START} | {START} (dice=7)", "dice=7"),
        (f"{START} | {START} (starter=1)", "equal_turns"),
        (f"{START} | (dice=31)", "the game is over"),
        ("|", "both sides"),
        (f"6:x | {START}", "cannot read '6:x'"),
    ],
)
def test_bad_positions_are_named(text: str, message: str) -> None:
    with pytest.raises(ValueError, match=r".") as error:
        GAME.position(text)
    assert message in str(error.value)
    assert "\n" not in str(error.value)


@pytest.mark.parametrize(("text", "message"), [("down 7", "down 7"), ("up 6", "not a legal play"), ("6/off", "not a legal play"), ("sideways", "cannot read")])
def test_bad_plays_are_named(text: str, message: str) -> None:
    with pytest.raises(ValueError, match=r".") as error:
        GAME.start().rolled((6, 2)).play(text)
    assert message in str(error.value)


def test_random_games_favour_the_first_player() -> None:
    results = np.empty((20_000, 2), np.int64)
    random_games(GAME.rules, GAME.start_row, np.uint64(1), np.uint64(0), results, np.empty((0, 5), np.uint64))
    wins = (results[:, 0] == 1).mean()
    assert set(results[:, 0]) == {1, -1}
    assert abs(wins - 0.5409) < 0.015, "a greedy bear-off wins 0.5409 of 20,000 games (rules/seeds.md 2.4 by an independent program)"
