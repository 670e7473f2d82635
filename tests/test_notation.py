"""Texts: position text, play text, gnubg position ids and XGIDs, and what is refused."""

import itertools
import random
import re
from collections.abc import Callable

import pytest
from conftest import BACKGAMMON, GAMES, board26, random_nodes, referee_file
from hypothesis import given, settings
from hypothesis import strategies as st
from oracle import PART_ROLLS, WHOLE_ROLLS, Board, Numbers, boards, counts, numbers, text

import tablezoo

START_TEXT = "24:2 13:5 8:3 6:5 | 19:5 17:3 12:5 1:2"
START_XGID = "XGID=-b----E-C---eE---c-e----B-:0:0:1:00:0:0:0:0:10"
ILLEGAL = {  # I05: recorded in public match files
    "XGID=--bB-BCDB-----AAa---acdbb-:0:0:1:65:0:0:0:0:9": "14/8 15/10 6/8",
    "XGID=---BB-DB--A--B--bcdf-B----:0:0:1:63:0:0:0:0:9": "13/9 13/7",
    "XGID=-CBBb-EC----------a-bbccb-:0:0:1:41:0:0:0:0:9": "7/1",
    "XGID=----BCD-AA-AAAA--cbebc----:0:0:1:13:0:0:0:0:7": "14/10 13/12",
}


def nodes_of_random_games(step: int) -> list[tablezoo.Position]:
    """Play nodes of random backgammon games."""
    return [tablezoo.Position(BACKGAMMON, row, 0) for row in random_nodes("backgammon", 20_000)[::step]]


# Position text


@pytest.mark.parametrize(
    ("written", "normal"),
    [
        (START_TEXT, START_TEXT),
        ("  6:5 8:3 13:5 24:2|1:2 12:5 17:3 19:5 ", START_TEXT),
        ("22:1 20:1 | 23:1 (bar=1 ooff=14, off=12)", "22:1 20:1 | 23:1 (bar=1 off=12 ooff=14)"),
        ("22:1 20:1 | 23:1 (bar=1)", "22:1 20:1 | 23:1 (bar=1 off=12 ooff=14)"),
        ("5:1 | 24:15 (dice=13)", "5:1 | 24:15 (off=14 dice=31)"),
        ("5:15 | 24:14 (obar=1 dice=33)", "5:15 | 24:14 (obar=1 dice=33)"),
        ("24:15 | (ooff=15)", "24:15 | (ooff=15)"),
        ("24:0 5:15 | 7:15 (bar=0)", "5:15 | 7:15"),
        (f"{START_TEXT} (first=1)", START_TEXT),
        (f"{START_TEXT} (first=0)", f"{START_TEXT} (first=0)"),
        ("5:15 | 24:15 (first=1)", "5:15 | 24:15 (first=1)"),
        ("5:15 | 24:15 (first=0)", "5:15 | 24:15"),
    ],
)
def test_position_text_is_read_and_written_in_normal_form(written: str, normal: str) -> None:
    pos = BACKGAMMON.position(written)
    assert pos.text == normal
    assert BACKGAMMON.position(normal) == pos


@pytest.mark.parametrize(("dice", "left"), [("31", (3, 1)), ("33", (3, 3, 3, 3)), ("3x3", (3, 3, 3)), ("3x2", (3, 3)), ("3", (3,))])
def test_numbers_left_in_the_text(dice: str, left: Numbers) -> None:
    pos = BACKGAMMON.position(f"8:15 | 24:15 (dice={dice})")
    assert (pos.numbers, pos.text) == (left, f"8:15 | 24:15 (dice={dice})")


def test_the_opening_roll_needs_no_mark_at_the_start_only() -> None:
    assert [len(BACKGAMMON.position(t).chances()) for t in (START_TEXT, f"{START_TEXT} (first=0)", "5:15 | 24:15 (first=1)")] == [15, 21, 15]
    assert BACKGAMMON.position(START_TEXT) == BACKGAMMON.start()
    assert GAMES["simple-backgammon"][0].position(START_TEXT) == GAMES["simple-backgammon"][0].start()


@settings(max_examples=300)
@given(board=boards(), left=numbers() | st.just(()), name=st.sampled_from(sorted(GAMES)))
def test_position_text_says_the_board_and_comes_back(board: Board, left: Numbers, name: str) -> None:
    pos = GAMES[name][0].position(text(board, left))
    assert counts(board) == bytes(itertools.chain(*pos.counts())), text(board, left)
    assert sorted(pos.numbers) == sorted(left), text(board, left)
    assert (pos.text, pos.player) == (text(board, left), 0)


@pytest.mark.parametrize("name", GAMES)
def test_every_node_of_random_games_comes_back(name: str) -> None:
    """Play nodes, partly played turns, roll nodes and finished games."""
    game, seen = GAMES[name][0], set()
    generator = random.Random(3)
    for _ in range(3):
        pos = game.start()
        while True:
            assert game.position(pos.text) == pos, pos.text
            seen.add((pos.node, len(pos.numbers)))
            if pos.node == "over":
                break
            steps = pos.steps() if pos.node == "play" else ()
            if pos.node == "roll":
                pos = pos.rolled(generator.choice(pos.chances())[0])
            else:
                pos = pos.step(generator.choice(steps)) if steps else pos.play("pass").after
    assert seen == {("roll", 0), ("over", 0), *(("play", n) for n in (1, 2, 3, 4))}


# GNU Backgammon's position id


@pytest.mark.parametrize(
    ("posid", "letters"),
    [
        ("4HPwATDgc/ABMA", "-b----E-C---eE---c-e----B-"),
        ("HC/wATDg8+AxAA", "-b----E-D---eD--B-ad--c---"),  # I04: 16:2 13:4 8:4 6:5 on roll, not the other way round
        ("4HPwAVDgc/ABMA", "aa----E-C---eE---c-e----B-"),  # M35: one of the opponent's on the bar
        ("4HPwAVDgOfgAWA", "aa----D-C---eE---c-e----BA"),  # M35: one of either side's
    ],
)
def test_worked_position_ids(posid: str, letters: str) -> None:
    pos = BACKGAMMON.position(text(board26(letters)))
    assert BACKGAMMON.position(posid) == pos
    assert pos.gnubg_id == posid


def test_position_id_of_a_known_side_on_roll() -> None:
    """wildbg#27: on roll 3:3 2:2 1:3 with 7 off, the opponent has one off."""
    pos = BACKGAMMON.position("mxmAQ4PbAQAAAA")
    assert pos.text.startswith("3:3 2:2 1:3 |")
    assert pos.text.endswith("(off=7 ooff=1)")
    assert pos.gnubg_id == "mxmAQ4PbAQAAAA"


def test_position_id_after_the_first_play() -> None:
    """The player who did not move is on roll after 31: 8/5 6/5."""
    assert BACKGAMMON.start().rolled((3, 1)).play("8/5 6/5").after.gnubg_id == "sGfwATDgc/ABMA"


@settings(max_examples=300)
@given(board=boards())
def test_position_ids_come_back(board: Board) -> None:
    pos = BACKGAMMON.position(text(board))
    assert len(pos.gnubg_id) == 14
    assert BACKGAMMON.position(pos.gnubg_id) == pos, f"{pos.text} {pos.gnubg_id}"


def test_position_ids_are_gnubgs() -> None:
    gnubg_nn = pytest.importorskip("gnubg_nn")
    for pos in nodes_of_random_games(20):
        mine, theirs = pos.counts()
        board = [[theirs[25 - p] for p in range(1, 26)], [mine[p] for p in range(1, 26)]]
        assert pos.gnubg_id == gnubg_nn.position_id(board), pos.text


@pytest.mark.parametrize("name", ["contact", "race"])
def test_public_position_ids_come_back(name: str) -> None:
    for posid in referee_file(f"wildbg_{name}_1000.csv"):
        assert BACKGAMMON.position(posid).gnubg_id == posid


# XGID


def test_xgid_of_the_start() -> None:
    assert BACKGAMMON.start().xgid == START_XGID
    assert BACKGAMMON.position(START_XGID) == BACKGAMMON.start()
    assert BACKGAMMON.start().rolled((3, 1)).xgid == START_XGID.replace(":00:", ":31:")
    assert BACKGAMMON.start().rolled((3, 3)).xgid == START_XGID.replace(":00:", ":33:")


@pytest.mark.parametrize(
    ("xgid", "expected"),
    [
        ("-CCCBBB------------cccbbb-:0:0:1:00:0:0:0:0:8", "6:2 5:2 4:2 3:3 2:3 1:3 | 24:2 23:2 22:2 21:3 20:3 19:3"),
        ("XGID=b-----B------------c-----C:0:0:1:00:0:0:0:0:8", "6:2 | 19:3 (bar=3 off=10 obar=2 ooff=10)"),
        ("XGID=--CBCBC------B--b--cabbcb-:1:1:1:21:0:0:0:0:8", "13:2 6:3 5:2 4:3 3:2 2:3 | 24:2 23:3 22:2 21:2 20:1 19:3 16:2 (dice=21)"),
        ("XGID=-A-Bb-DBB---bBa---bcbbaA-A:0:0:-1:00:4:0:0:0:8", "21:2 13:2 11:1 7:2 6:3 5:2 4:2 3:1 | 24:1 22:2 19:4 18:2 17:2 12:2 2:1 (obar=1)"),
    ],
)
def test_xgids_of_public_reports(xgid: str, expected: str) -> None:
    """I03 and I06: cube and score are passed over, turn -1 is the top player's view, counters follow from the total."""
    assert BACKGAMMON.position(xgid).text == expected


def test_xgid_with_known_pips_and_plays() -> None:
    """I02"""
    pos = BACKGAMMON.position("XGID=----abF-B--BbB-Bacbd----A-:0:0:1:41:1:0:0:11:10")
    assert pos.pips() == (154, 158)
    assert len(pos.plays()) == 28
    assert len({pos.play(legal) for legal in ("24/23 6/2", "13/8", "6/1", "15/14 15/11")}) == 4
    pos = BACKGAMMON.position("XGID=-B-CBBB---a---A---ABcbbbd-:1:-1:1:21:3:6:0:7:10")
    assert (len(pos.plays()), pos.pips()) == (47, (111, 52))


@settings(max_examples=300)
@given(board=boards(), left=st.sampled_from([(), *WHOLE_ROLLS]))
def test_xgids_come_back(board: Board, left: Numbers) -> None:
    pos = BACKGAMMON.position(text(board, left))
    assert BACKGAMMON.position(pos.xgid) == pos, f"{pos.text} {pos.xgid}"


@settings(max_examples=100)
@given(board=boards(), left=st.sampled_from(WHOLE_ROLLS))
def test_an_xgid_of_the_top_player_is_the_same_position_turned(board: Board, left: Numbers) -> None:
    pos = BACKGAMMON.position(text(board, left))
    letters, *fields = pos.xgid.removeprefix("XGID=").split(":")
    from_the_top = ":".join([letters[::-1].swapcase(), *fields[:2], "-1", *fields[3:]])
    assert BACKGAMMON.position(from_the_top) == pos, from_the_top


@pytest.mark.parametrize("left", PART_ROLLS, ids=str)
def test_a_partly_played_roll_has_no_xgid(left: Numbers) -> None:
    pos = BACKGAMMON.position(text(board26("-b----E-C---eE---c-e----B-"), left))
    with pytest.raises(ValueError, match=r"^an XGID has no way to write a roll that is partly played$"):
        _ = pos.xgid


# Play text


def shuffled(play: str, generator: random.Random) -> str:
    """The parts of a play text in another order, repetitions written out."""
    parts = [part for word in play.split() for part in [re.sub(r"\(\d\)", "", word)] * int((re.findall(r"\((\d)\)", word) or ["1"])[0])]
    return " ".join(generator.sample(parts, len(parts)))


def uncombined(play: tablezoo.Play) -> str:
    """Every step for itself, the bar as 25 and off as 0."""
    return " ".join(f"{source}/{target}{'*' if target in play.hits else ''}" for source, target in play.hops)


def check_play_texts(pos: tablezoo.Position) -> None:
    """Every play is found again by its text, however its parts are ordered."""
    generator = random.Random(1)
    plays = pos.plays()
    texts = [play.text for play in plays]
    assert len(set(texts)) == len(plays), f"{pos.text}: two plays have one text"
    for play in plays[:: max(1, len(plays) // 8)]:
        for written in (play.text, play.text.upper(), shuffled(play.text, generator)):
            assert pos.play(written) == play, f"{pos.text}: {written!r} for {play.text!r}"
        if play.numbers:
            assert pos.play(uncombined(play)) == play, f"{pos.text}: {uncombined(play)!r} for {play.text!r}"


@settings(max_examples=100)
@given(board=boards(), left=numbers(), name=st.sampled_from(sorted(GAMES)))
def test_play_texts_come_back(board: Board, left: Numbers, name: str) -> None:
    check_play_texts(GAMES[name][0].position(text(board, left)))


def test_play_texts_of_random_games_come_back() -> None:
    for pos in nodes_of_random_games(200):
        check_play_texts(pos)


@pytest.mark.slow
def test_play_texts_of_many_random_games_come_back() -> None:
    for pos in nodes_of_random_games(13):
        check_play_texts(pos)


def test_hits_need_no_mark_where_the_play_is_clear_without() -> None:
    """The points a text names decide; a blot passed over in silence is hit only if there is no other way."""
    for pos in nodes_of_random_games(100):
        plays = pos.plays()
        for play in plays[::7]:
            bare = play.text.replace("*", "")
            assert pos.play(bare) == play, f"{pos.text}: {bare!r} for {play.text!r}"


@pytest.mark.parametrize(
    ("position", "dice", "texts", "hits"),
    [
        ("10:1 | 6:1 (off=14 ooff=14)", (4, 2), ("10/6*/4", "10/6/4", "10/6 6/4", "10/6* 6/4", "6/4 10/6"), {6}),
        ("10:1 | 6:1 (off=14 ooff=14)", (4, 2), ("10/4", "10/8/4", "10/8 8/4"), set()),
        ("| 22:1 (bar=1 off=14 ooff=14)", (3, 2), ("bar/22*/20", "25/22/20", "bar/22 22/20"), {22}),
        ("| 22:1 (bar=1 off=14 ooff=14)", (3, 2), ("bar/20", "bar/23/20", "25/23 23/20"), set()),
    ],
)
def test_one_path_with_and_without_a_hit_is_two_plays(position: str, dice: tuple[int, int], texts: tuple[str, ...], hits: set[int]) -> None:
    """M30"""
    pos = BACKGAMMON.position(position).rolled(dice)
    assert len(pos.plays()) == 2
    for written in texts:
        assert pos.play(written).hits == hits, written


@pytest.mark.parametrize(
    ("position", "dice", "normal", "others"),
    [
        (START_TEXT, (3, 1), "8/5 6/5", ("6/5 8/5", "8/5  6/5", "8/5\t6/5")),
        (START_TEXT, (6, 5), "24/13", ("24/18/13", "24/18 18/13", "18/13 24/18")),
        (START_TEXT, (4, 4), "24/20(2) 13/9(2)", ("13/9(2) 24/20(2)", "24/20 13/9 24/20 13/9", "13/9 24/20(2) 13/9")),
        (START_TEXT, (2, 2), "13/5", ("13/11/9/7/5", "13/9 9/5", "13/11 11/9 9/7 7/5", "13/7/5")),
        ("24:14 | 1:2 (bar=1 ooff=13)", (5, 3), "bar/17", ("bar/20/17", "bar/22 22/17", "25/17", "Bar/17")),
        ("6:2 4:2 | 24:4", (5, 4), "6/1 4/off", ("4/0 6/1", "4/OFF 6/1")),
        ("6:2 | 24:4", (6, 6), "6/off(2)", ("6/0 6/0", "6/off 6/off")),
        ("4:1 | 24:4", (6, 2), "4/off", ("4/2/off", "4/2 2/0")),
        ("24:2 8:2 | 20:2 4:1", (4, 4), "8/4*(2)", ("8/4* 8/4", "8/4(2)", "8/4 8/4*")),
    ],
)
def test_ways_to_write_a_play(position: str, dice: tuple[int, int], normal: str, others: tuple[str, ...]) -> None:
    pos = BACKGAMMON.position(position).rolled(dice)
    play = pos.play(normal)
    for written in others:
        assert pos.play(written) == play, written


def test_texts_that_are_written() -> None:
    written = {
        ("24:14 | 1:2 (bar=1 ooff=13)", (5, 3)): {"bar/17", "bar/20 24/21", "bar/22 24/19"},
        ("6:2 4:2 | 24:2", (5, 4)): {"6/1 4/off", "6/2 6/1"},
        ("6:1 4:1 | 24:2", (6, 6)): {"6/off 4/off"},
        ("6:3 | 24:2", (6, 6)): {"6/off(3)"},
        ("7:1 2:14 | 1:1", (6, 1)): {"7/1* 2/1", "7/off", "7/1*/off"},
        ("24:2 | 18:2 19:2 20:2 21:2 22:2 23:2 (off=13)", (5, 3)): {"pass"},
    }
    for (position, dice), texts in written.items():
        assert {play.text for play in BACKGAMMON.position(position).plays(dice)} == texts, position


@pytest.mark.parametrize(("xgid", "play"), ILLEGAL.items())
def test_illegal_plays_of_public_match_files_are_refused(xgid: str, play: str) -> None:
    pos = BACKGAMMON.position(xgid)
    with pytest.raises(ValueError, match=rf"^'{play}' is not a legal play of {pos.numbers[0]}{pos.numbers[1]} here; there are {len(pos.plays())}, like '"):
        pos.play(play)


@pytest.mark.parametrize(
    "play", ["8/5", "8/5 6/5 6/5", "8/5* 6/5", "13/10 13/11", "8/3", "5/8 6/5", "pass", "6/off", "bar/22 6/5", "8/5/5 6/5", "13/10 6/4", "24/20 8/8"]
)
def test_plays_that_are_not_legal_are_refused(play: str) -> None:
    with pytest.raises(ValueError, match=f"^{re.escape(repr(play))} is not a legal play of 31 here"):
        BACKGAMMON.start().rolled((3, 1)).play(play)


def test_a_mark_where_nothing_is_hit_is_refused() -> None:
    pos = BACKGAMMON.position("10:1 | 6:1 (off=14 ooff=14 dice=42)")
    for play in ("10/8*/4", "10/8/4*", "10/6*/4*"):
        with pytest.raises(ValueError, match="is not a legal play of 42 here"):
            pos.play(play)


@pytest.mark.parametrize(
    ("play", "token"),
    [
        ("8-5 6/5", "8-5"),
        ("8/5 6", "6"),
        ("8/x", "8/x"),
        ("/5", "/5"),
        ("8/", "8/"),
        ("8/5(0)", "8/5(0)"),
        ("8/5 26/23", "26/23"),
        ("8/99", "8/99"),
        ("8/5 pass", "pass"),
    ],
)
def test_unreadable_play_text_names_the_token(play: str, token: str) -> None:
    with pytest.raises(ValueError, match=re.escape(repr(token))) as error:
        BACKGAMMON.start().rolled((3, 1)).play(play)
    assert "\n" not in str(error.value)


@pytest.mark.parametrize("play", ["", "  "])
def test_empty_play_text_is_refused(play: str) -> None:
    with pytest.raises(ValueError, match=r"^empty play text; a turn without a move is 'pass'$"):
        BACKGAMMON.start().rolled((3, 1)).play(play)


# What is refused


def refusal(call: Callable[..., object], *args: object, **options: object) -> str:
    """The message of the ValueError that a call raises, which has to be one line."""
    with pytest.raises(ValueError) as error:  # noqa: PT011
        call(*args, **options)
    message = str(error.value)
    assert message
    assert "\n" not in message
    return message


@pytest.mark.parametrize(
    ("written", "tokens"),
    [
        ("", ("''",)),
        ("backgammon", ("'backgammon'",)),
        ("24:2 13:5 8:3 6:5", ("24:2 13:5 8:3 6:5",)),
        ("6:15 | 19:15 | 3:1", ("6:15 | 19:15 | 3:1",)),
        ("6:15 | 19:15 (bar=1", ("(bar=1",)),
        ("6:15 | 19:15 bar=1", ("'bar=1'",)),
        ("6:15 | 19:x", ("'19:x'",)),
        ("6;15 | 19:15", ("'6;15'",)),
        ("6:-15 | 19:15", ("'6:-15'",)),
        ("6:15\nx | 19:15", ("'x'",)),
        ("25:1 6:14 | 19:15", ("25:1", "no point 25")),
        ("6:15 | 0:1 19:14", ("0:1", "no point 0")),
        ("6:8 6:7 | 19:15", ("6:7", "twice")),
        ("6:16 | 19:15", ("the player to act", "16", "15")),
        ("6:15 | 19:14 18:2", ("the opponent", "16", "15")),
        ("6:14 | 19:15 (bar=2)", ("the player to act", "16")),
        ("6:14 | 19:15 (off=3)", ("the player to act", "14", "3")),
        ("6:14 | 19:15 (off=0)", ("the player to act", "14", "0")),
        ("6:15 | 19:15 (ooff=1)", ("the opponent", "15", "1")),
        ("6:14 5:1 | 19:14 5:1", ("point 5",)),
        ("| (off=15 ooff=15)", ("both sides",)),
        ("6:15 | 19:15 (foo=1)", ("'foo=1'",)),
        ("6:15 | 19:15 (bar)", ("'bar'",)),
        ("6:15 | 19:15 (bar=x)", ("bar=x",)),
        ("6:15 | 19:15 (bar=0 bar=0)", ("bar", "twice")),
        ("6:15 | 19:15 (hand=1)", ("hand=1", "no hand")),
        ("6:15 | 19:15 (first=2)", ("first=2",)),
        ("6:15 | 19:15 (first=yes)", ("first=yes",)),
        ("6:15 | 19:15 (dice=31 first=1)", ("first", "dice")),
        ("24:15 | (ooff=15 dice=31)", ("over", "dice")),
        ("24:15 | (ooff=15 first=1)", ("over", "first=1")),
        *((f"6:15 | 19:15 (dice={dice})", (f"dice={dice}",)) for dice in ("0", "00", "70", "37", "7", "311", "3x0", "3x5", "3-1", "", "x")),
    ],
)
def test_wrong_position_text_is_refused_by_name(written: str, tokens: tuple[str, ...]) -> None:
    message = refusal(BACKGAMMON.position, written)
    assert all(token in message for token in tokens), message


def test_the_opening_mark_is_refused_where_the_game_has_no_such_roll() -> None:
    assert "first=1" in refusal(GAMES["simple-backgammon"][0].position, f"{START_TEXT} (first=1)")


@pytest.mark.parametrize(
    ("posid", "why"),
    [
        ("4HPwATDgc/ABM", "14 characters"),
        ("4HPwATDgc/ABMAA", "14 characters"),
        ("4HPwATDgc-ABMA", "14 characters"),
        ("//////////////", "checkers on one side"),
        ("AAAAAAAAAAAAgA", "left over"),
    ],
)
def test_wrong_position_ids_are_refused_by_name(posid: str, why: str) -> None:
    message = refusal(BACKGAMMON.position, posid)
    assert posid in message
    assert why in message


@pytest.mark.parametrize(
    ("old", "new", "tokens"),
    [
        (START_XGID, "XGID=", ("XGID=", "fields")),
        (":10", "", ("9 fields instead of 10",)),
        (":10", ":10:0", ("11 fields instead of 10",)),
        ("-b----E", "b----E", ("position", "26")),
        ("-b----E", "--b----E", ("position", "26")),
        ("-b----E", "-p----E", ("position", "-p----E")),
        ("-b----E", "-?----E", ("position", "-?----E")),
        ("-b----E", "Ab----D", ("first place", "bar")),
        ("----B-:", "----Aa:", ("last", "bar")),
        ("-b----E", "-b----O", ("bottom", "25", "15")),
        ("-b----E", "-o----E", ("top", "28", "15")),
        (":0:0:1:", ":x:0:1:", ("cube", "'x'")),
        (":0:0:1:", ":0:y:1:", ("cube owner", "'y'")),
        (":0:0:1:", ":0:0:2:", ("turn", "'2'")),
        (":0:0:1:", ":0:0:0:", ("turn", "'0'")),
        (":0:0:1:", ":0:0::", ("turn", "''")),
        (":00:", ":07:", ("dice", "'07'")),
        (":00:", ":71:", ("dice", "'71'")),
        (":00:", ":1:", ("dice", "'1'")),
        (":00:", ":311:", ("dice", "'311'")),
        (":00:", ":D:", ("dice", "'D'")),
        (":00:0:0:0:0:", ":00:a:0:0:0:", ("score", "'a'")),
        (":00:0:0:0:0:", ":00:0:b:0:0:", ("opponent's score", "'b'")),
        (":00:0:0:0:0:", ":00:0:0:c:0:", ("Crawford", "'c'")),
        (":00:0:0:0:0:", ":00:0:0:0:d:", ("match length", "'d'")),
        (":0:10", ":0:e", ("cube limit", "'e'")),
    ],
)
def test_wrong_xgids_are_refused_by_field(old: str, new: str, tokens: tuple[str, ...]) -> None:
    assert old in START_XGID
    message = refusal(BACKGAMMON.position, START_XGID.replace(old, new))
    assert "XGID" in message
    assert all(token in message for token in tokens), message


@pytest.mark.parametrize(
    ("name", "options", "tokens"),
    [
        ("backgamon", {}, ("'backgamon'", "did you mean backgammon?")),
        ("chess", {}, ("'chess'",)),
        ("backgammon", {"forced_user": "max"}, ("'forced_user'", "did you mean forced_use?")),
        ("backgammon", {"colour": "red"}, ("'colour'", "forced_use", "larger_die", "opening", "scoring")),
        ("backgammon", {"forced_use": "greed"}, ("forced_use", "'greed'", "did you mean greedy?", "max")),
        ("backgammon", {"larger_die": "yes"}, ("larger_die", "'yes'", "True", "False")),
        ("backgammon", {"larger_die": 1}, ("larger_die", "1")),
        ("backgammon", {"scoring": 3}, ("scoring", "3", "gammon")),
        ("backgammon", {"scoring": True}, ("scoring", "True")),
        ("backgammon", {"opening": "rolloff"}, ("opening", "'rolloff'", "rolloff_use_dice")),
    ],
)
def test_unknown_games_options_and_readings_are_refused_by_name(name: str, options: dict[str, object], tokens: tuple[str, ...]) -> None:
    message = refusal(tablezoo.game, name, **options)
    assert all(token in message for token in tokens), message


def test_a_text_that_leaves_open_which_blot_is_hit_on_the_way_is_refused() -> None:
    pos = tablezoo.game("backgammon").position("10:1 | 8:1 6:1 (off=14 ooff=13 dice=42)")
    assert sorted(play.text for play in pos.plays()) == ["10/6*/4", "10/8*/4"]
    with pytest.raises(ValueError, match="may mean several plays"):
        pos.play("10/4")
    assert pos.play("10/6/4").hits == {6}
    assert pos.play("10/8*/4").hits == {8}
