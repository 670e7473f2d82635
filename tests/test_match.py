"""Matches: score, end, and who begins the next game."""

import pytest

import tablezoo
from tablezoo import Match

BACKGAMMON, TAKHTEH = tablezoo.game("backgammon"), tablezoo.game("takhteh")


def end(game: tablezoo.Game, text: str, winner: int) -> tablezoo.Position:
    """The end of a game that a player wins with 1/off from a position."""
    pos = game.position(text).rolled((2, 1))
    after = pos.plays()[0].after
    assert after.node == "over"
    return tablezoo.Position(game, after.row, 1 - winner)


def gammon(game: tablezoo.Game, winner: int) -> tablezoo.Position:
    return end(game, "1:1 | 19:15 (off=14)", winner)


def test_the_winner_of_a_takhteh_begins_the_next_and_throws_both_dice() -> None:
    match = Match(TAKHTEH, 5).after(gammon(TAKHTEH, winner=1))
    assert (match.score, match.starter) == ((0, 2), 1)
    pos = match.start()
    assert pos.player == 1
    assert len(pos.chances()) == 21


def test_backgammon_rolls_off_every_game() -> None:
    match = Match(BACKGAMMON, 5).after(gammon(BACKGAMMON, winner=1))
    assert (match.score, match.starter) == ((0, 2), None)
    for nobody in (None, 7):
        with pytest.raises(ValueError, match="say who won the opening"):
            match.start(nobody)
    pos = match.start(0)
    assert (pos.player, len(pos.chances())) == (0, 15)


def test_a_winner_who_begins_at_backgammon_has_no_roll_off() -> None:
    game = tablezoo.game("backgammon", next_starter="winner")
    match = Match(game, 5).after(gammon(game, winner=0))
    assert len(match.start().chances()) == 21
    with pytest.raises(ValueError, match="player 0 begins"):
        match.start(1)


def test_a_match_ends_when_its_points_are_reached() -> None:
    match = Match(TAKHTEH, 3)
    for winner, score in ((0, (2, 0)), (1, (2, 2)), (0, (4, 2))):
        assert match.winner is None
        match = match.after(gammon(TAKHTEH, winner))
        assert match.score == score
    assert match.winner == 0
    with pytest.raises(ValueError, match="player 0 has won by 4 to 2"):
        match.start()


@pytest.mark.parametrize(("length", "score", "starter"), [(0, (0, 0), None), (3, (-1, 0), None), (3, (3, 3), None), (3, (0, 0), 2)])
def test_impossible_matches_are_refused(length: int, score: tuple[int, int], starter: int | None) -> None:
    with pytest.raises(ValueError, match=r"match|impossible|starter"):
        Match(TAKHTEH, length, score, starter)


def test_only_the_end_of_a_game_of_the_match_counts() -> None:
    for pos in (TAKHTEH.start(), gammon(BACKGAMMON, 0)):
        with pytest.raises(ValueError, match="expected the end of a game of takhteh"):
            Match(TAKHTEH, 3).after(pos)


def test_matches_of_the_other_kinds_follow_their_start_rule() -> None:
    game = tablezoo.game("widdershins", next_starter="winner", first_turn="each")
    match = Match(game, 2).after(game.position("N5:1 | (victory=4 dice=31 credits=1 uses=1)").play("score N5").after)
    assert (match.score, match.starter) == ((1, 0), 0)
    pos = match.start()
    assert len(pos.chances()) == 21, "without a roll-off both dice are thrown"
    threes = pos.rolled((3, 3)).plays()[0].after
    assert "pending" not in threes.text, "it is a first turn all the same"
    assert game.position(pos.text) == pos
    other = tablezoo.game("ofanfelling", equal_turns=True)
    assert Match(other, 1).start(1).text.endswith("starter=1)")
