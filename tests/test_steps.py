"""Steps: single moves of one checker that begin a legal play, and the nodes they lead to."""

import itertools

import pytest
from conftest import BACKGAMMON, GAMES, board_of, random_nodes
from hypothesis import given, settings
from oracle import PART_ROLLS, WHOLE_ROLLS, Board, Numbers, Reading, boards, first_steps, numbers, text
from test_plays import small_boards

import tablezoo


def ends_of(start: tablezoo.Position) -> set[tablezoo.Position]:
    """Every node of the other player, or finished game, that steps lead to from a play node."""
    ends: set[tablezoo.Position] = set()
    seen = {start}
    todo = [start]
    while todo:
        node = todo.pop()
        for step in node.steps():
            after = node.step(step)
            if after.player != start.player:
                ends.add(after)
            elif after not in seen:
                seen.add(after)
                todo.append(after)
    return ends


def check_steps(game: tablezoo.Game, reading: Reading, board: Board, left: Numbers) -> None:
    """The steps are the first steps of legal plays, each once, and all the ways they go end in the results of `plays`."""
    pos = game.position(text(board, left))
    steps = pos.steps()
    assert len(steps) == len(set(steps)), f"{game!r} {pos.text}: a step is listed twice"
    assert set(steps) == first_steps(board, left, reading), f"{game!r} {pos.text}"
    passed = {play.after for play in pos.plays() if play.numbers == 0}
    assert ends_of(pos) | passed == {play.after for play in pos.plays()}, f"{game!r} {pos.text}"


@pytest.mark.parametrize("name", GAMES)
@settings(max_examples=60)
@given(board=boards(), left=numbers())
def test_steps_of_odd_positions(name: str, board: Board, left: Numbers) -> None:
    check_steps(*GAMES[name], board, left)


@pytest.mark.parametrize("name", GAMES)
def test_steps_of_random_games(name: str) -> None:
    game, reading = GAMES[name]
    for row in random_nodes(name, 20_000)[::300]:
        check_steps(game, reading, *board_of(tablezoo.Position(game, row, 0)))


@pytest.mark.parametrize("name", GAMES)
def test_steps_of_every_way_to_bear_off_the_last_checker(name: str) -> None:
    for theirs, left in itertools.product([(24,), (1,), (2, 2), (0, 3)], WHOLE_ROLLS + PART_ROLLS):
        for board in small_boards(range(1, 14), 1, theirs):
            check_steps(*GAMES[name], board, left)


@pytest.mark.slow
@pytest.mark.parametrize("name", GAMES)
@settings(max_examples=2_000)
@given(board=boards(), left=numbers())
def test_steps_of_many_odd_positions(name: str, board: Board, left: Numbers) -> None:
    check_steps(*GAMES[name], board, left)


@pytest.mark.slow
@pytest.mark.parametrize("name", GAMES)
def test_steps_of_many_random_games(name: str) -> None:
    game, reading = GAMES[name]
    for row in random_nodes(name, 200_000, seed=2)[::200]:
        check_steps(game, reading, *board_of(tablezoo.Position(game, row, 0)))


def test_a_step_that_would_waste_a_number_is_not_offered() -> None:
    """M01: after 8/6 with the 2 no 6 is left to play."""
    pos = BACKGAMMON.position("24:1 8:1 6:13 | 20:4 19:4 18:3 16:2 4:2 (dice=62)")
    assert set(pos.steps()) == {(24, 2), (8, 6)}


def test_only_the_larger_of_two_numbers_is_offered_where_one_can_be_played() -> None:
    pos = "13:1 | 6:2 (off=14 ooff=13 dice=61)"
    assert BACKGAMMON.position(pos).steps() == ((13, 6),)
    assert set(GAMES["simple-backgammon"][0].position(pos).steps()) == {(13, 6), (13, 1)}


@pytest.mark.parametrize("place", [1, 4])
def test_either_number_may_end_the_game(place: int) -> None:
    pos = BACKGAMMON.position(f"{place}:1 | 24:2 23:2 (off=14 ooff=11 dice=64)")
    assert set(pos.steps()) == {(place, 6), (place, 4)}
    assert {pos.step(step).outcome for step in pos.steps()} == {1}


def test_the_turn_ends_when_nothing_more_can_be_played() -> None:
    """M16 and M19: one of two numbers can be played; the other does not go to the opponent."""
    pos = BACKGAMMON.position("24:2 | 23:2 22:2 21:2 20:2 19:2 13:2 (off=13 ooff=3 dice=65)")
    after = pos.step((24, 6))
    assert (after.node, after.numbers, after.player) == ("roll", (), 1)


def test_numbers_left_are_counted_down() -> None:
    pos = BACKGAMMON.start().rolled((2, 2))
    seen = [pos.numbers]
    while pos.node == "play":
        pos = pos.step(pos.steps()[0])
        seen.append(pos.numbers)
    assert seen == [(2, 2, 2, 2), (2, 2, 2), (2, 2), (2,), ()]
    pos = BACKGAMMON.start().rolled((1, 3))
    assert (pos.numbers, pos.step((8, 3)).numbers, pos.step((8, 1)).numbers) == ((3, 1), (1,), (3,))


def test_steps_are_ordered_by_number_then_source() -> None:
    assert BACKGAMMON.start().rolled((2, 1)).steps() == ((24, 2), (13, 2), (8, 2), (6, 2), (24, 1), (8, 1), (6, 1))


def test_a_pass_has_no_steps() -> None:
    pos = BACKGAMMON.position("24:2 | 23:2 22:2 21:2 20:2 19:2 13:2 (off=13 ooff=3 dice=53)")
    assert pos.steps() == ()


@pytest.mark.parametrize("step", [(8, 2), (25, 3), (7, 1), (12, 3), (0, 1), (8, 9)])
def test_a_step_that_begins_no_legal_play_is_refused(step: tuple[int, int]) -> None:
    with pytest.raises(ValueError, match=rf"^step \({step[0]}, {step[1]}\) does not begin a legal play here$"):
        BACKGAMMON.start().rolled((3, 1)).step(step)
