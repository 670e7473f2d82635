"""Plays: the complete set of results against the oracle, the referee's cases and GNU Backgammon."""

import itertools
import json
import random
from typing import Any

import numpy as np
import pytest
from conftest import BACKGAMMON, DATA, GAMES, board26, board_of, boards_after, decoded, random_nodes, referee_file
from hypothesis import given, settings
from oracle import WHOLE_ROLLS, Board, Numbers, Reading, boards, counts, numbers, numbers_of, points, results, side_of, text, won

import tablezoo
from tablezoo.kernel.dice import ROLLS
from tablezoo.kernel.playout import count_plays
from tablezoo.kernel.plays import all_plays
from tablezoo.rows import buffers

CASES: list[dict[str, Any]] = json.loads((DATA / "backgammon_plays.json").read_text())
OPENING_COUNTS = {
    (1, 1): 42, (2, 1): 15, (2, 2): 75, (3, 1): 16, (3, 2): 17, (3, 3): 73, (4, 1): 14, (4, 2): 18, (4, 3): 17, (4, 4): 52, (5, 1): 8,
    (5, 2): 8, (5, 3): 9, (5, 4): 9, (5, 5): 4, (6, 1): 10, (6, 2): 14, (6, 3): 14, (6, 4): 14, (6, 5): 7, (6, 6): 11,
}  # fmt: skip


def check_against_oracle(game: tablezoo.Game, reading: Reading, board: Board, left: Numbers) -> None:
    """Same results, no result twice, the numbers used, and the points of plays that end the game."""
    case = f"{game!r} {text(board, left)}"
    plays = game.position(text(board, left)).plays()
    expected = {counts(end): (end, used) for end, used in results(board, left, reading).items()}
    got = boards_after(plays)
    assert len(got) == len(set(got)), f"{case}: a result is listed twice"
    assert set(got) == set(expected), f"{case}: {len(expected)} results expected; {[p.text for p in plays]}"
    for play, key in itertools.islice(zip(plays, got, strict=True), 40):
        end, used = expected[key]
        assert play.numbers == used, f"{case}: {play.text} uses {used} numbers"
        assert play.after.outcome == (points(end, reading) if won(end) else None), f"{case}: outcome of {play.text}"


def node_text(row: np.ndarray) -> str:
    """Text of a play node, for messages."""
    return tablezoo.Position(BACKGAMMON, row, 0).text


# Against the oracle


@pytest.mark.parametrize("name", GAMES)
@settings(max_examples=150)
@given(board=boards(), left=numbers())
def test_all_legal_plays_of_odd_positions(name: str, board: Board, left: Numbers) -> None:
    check_against_oracle(*GAMES[name], board, left)


def check_random_nodes(name: str, rows: np.ndarray) -> None:
    """`check_against_oracle` for play nodes of random games."""
    game, reading = GAMES[name]
    for row in rows:
        check_against_oracle(game, reading, *board_of(tablezoo.Position(game, row, 0)))


@pytest.mark.parametrize("name", GAMES)
def test_all_legal_plays_of_random_games(name: str) -> None:
    check_random_nodes(name, random_nodes(name, 20_000)[::100])


@pytest.mark.slow
@pytest.mark.parametrize("name", GAMES)
def test_all_legal_plays_of_many_random_games(name: str) -> None:
    check_random_nodes(name, random_nodes(name, 200_000, seed=2)[::40])


@pytest.mark.slow
@pytest.mark.parametrize("name", GAMES)
@settings(max_examples=5_000)
@given(board=boards(), left=numbers())
def test_all_legal_plays_of_many_odd_positions(name: str, board: Board, left: Numbers) -> None:
    check_against_oracle(*GAMES[name], board, left)


def small_boards(places: range, mine: int, theirs: tuple[int, ...]) -> list[Board]:
    """Every way to place so many own checkers, the opponent's standing as given."""
    ways = itertools.combinations_with_replacement(sorted(set(places) - set(theirs)), mine)
    return [Board(side_of(list(men), 0), side_of(list(theirs), 25)) for men in ways]


@pytest.mark.parametrize("theirs", [(24,), (1,), (2, 2), (0, 3), (1, 4, 4)], ids=str)
@pytest.mark.parametrize("name", GAMES)
def test_every_way_to_bear_off_two_checkers(name: str, theirs: tuple[int, ...]) -> None:
    for board, left in itertools.product(small_boards(range(1, 8), 2, theirs), WHOLE_ROLLS):
        check_against_oracle(*GAMES[name], board, left)


@pytest.mark.slow
@pytest.mark.parametrize("theirs", [(24,), (1,), (5,), (2, 2), (3, 3, 6), (0, 3), (1, 4, 4), (2, 3), (1, 1, 5, 5)], ids=str)
@pytest.mark.parametrize("name", GAMES)
def test_every_way_to_bear_off_up_to_four_checkers(name: str, theirs: tuple[int, ...]) -> None:
    for men in (1, 2, 3, 4):
        for board, left in itertools.product(small_boards(range(1, 10), men, theirs), WHOLE_ROLLS):
            check_against_oracle(*GAMES[name], board, left)


# The referee's cases


@pytest.mark.parametrize("case", CASES, ids=[case["id"] for case in CASES])
def test_referee_case(case: dict[str, Any]) -> None:
    board, roll = board26(case["board"]), (int(case["roll"][0]), int(case["roll"][1]))
    pos = BACKGAMMON.position(text(board))
    plays = pos.plays(roll)
    if case["n_plays"] == 0:
        assert [play.numbers for play in plays] == [0], f"{case['id']}: a pass is the one play"
        assert boards_after(plays) == [counts(board)]
        return
    assert len(plays) == case["n_plays"]
    assert {play.numbers for play in plays} == {case["dice_used"]}
    if "plays" in case:
        expected = {counts(board26(play["after"])): play["play"] for play in case["plays"]}
        got = boards_after(plays)
        assert set(got) == set(expected), f"{case['id']}: expected {list(expected.values())}, got {[p.text for p in plays]}"
    assert BACKGAMMON.position(case["posid"]) == pos, f"{case['id']}: the position id is the same position"


def test_referee_plays_are_read_as_written() -> None:
    for case in CASES:
        pos = BACKGAMMON.position(text(board26(case["board"]), numbers_of((int(case["roll"][0]), int(case["roll"][1])))))
        for play in case.get("plays", ()):
            result = pos.play(play["play"]).result
            assert counts(board_of(result)[0]) == counts(board26(play["after"])), f"{case['id']}: {play['play']}"


# Positions of the founding text, in White's absolute points: he moves from 1 to 24


def white(mine: str, black: str = "", roll: str = "", greedy: bool = False) -> set[str]:
    """Results of White's roll as `white | black` texts; checkers not named are off, Black's 15 stand behind White if none are named."""
    board = Board(side_of([25 - p for p in places(mine)], 0), side_of([25 - p for p in places(black or "1:15")], 25))
    game = GAMES["simple-backgammon" if greedy else "backgammon"][0]
    plays = game.position(text(board)).plays((int(roll[0]), int(roll[2])))
    return {white_text(board_of(play.result)[0], bool(black)) for play in plays}


def places(layout: str) -> list[int]:
    """Places of `bar:1 24:14`; White's bar is 0 and Black's 25 in White's points."""
    pairs = (word.split(":") for word in layout.split())
    return [int({"bar": "0", "obar": "25"}.get(point, point)) for point, n in pairs for _ in range(int(n))]


def white_text(board: Board, with_black: bool) -> str:
    """`white | black` in White's points, ascending, without checkers borne off."""
    mine, theirs = ([25 - p for p in side] for side in board)

    def side(men: list[int], off: int) -> str:
        names = {0: "bar", 25: "obar"}
        return " ".join(f"{names.get(p, p)}:{men.count(p)}" for p in sorted(set(men) - {off}))

    return f"{side(mine, 25)} | {side(theirs, 0)}" if with_black else side(mine, 25)


@pytest.mark.parametrize("name", ["backgammon", "simple-backgammon"])
@pytest.mark.parametrize("roll", OPENING_COUNTS, ids=str)
def test_number_of_opening_plays(name: str, roll: tuple[int, int]) -> None:
    assert len(GAMES[name][0].start().plays(roll)) == OPENING_COUNTS[roll]


def test_both_numbers_must_be_played_unless_greedy() -> None:
    assert white("12:1 20:1", "18:2", "6-1") == {"19:1 20:1 | 18:2"}
    assert white("12:1 20:1", "18:2", "6-1", greedy=True) == {"19:1 20:1 | 18:2", "12:1 21:1 | 18:2"}


def test_the_larger_number_must_be_played_in_the_standard_game_only() -> None:
    assert white("12:1", "19:2", "6-1") == {"18:1 | 19:2"}
    assert white("12:1", "19:2", "6-1", greedy=True) == {"18:1 | 19:2", "13:1 | 19:2"}


@pytest.mark.parametrize("greedy", [False, True])
def test_a_checker_on_the_bar_enters_first(greedy: bool) -> None:
    pairs = "2:2 3:2 5:2"
    assert white("bar:1 24:14", pairs, "5-3", greedy) == {f"bar:1 24:14 | {pairs}"}
    assert white("bar:1 24:14", pairs, "3-4", greedy) == {f"7:1 24:14 | {pairs}"}
    pairs = "1:2 3:2 5:2"
    assert white("bar:2 24:13", pairs, "6-4", greedy) == {f"4:1 6:1 24:13 | {pairs}"}
    assert white("bar:2 24:13", pairs, "4-3", greedy) == {f"bar:1 4:1 24:13 | {pairs}"}


@pytest.mark.parametrize("greedy", [False, True])
def test_bearing_off_by_a_larger_number_is_from_the_highest_point(greedy: bool) -> None:
    assert white("21:2 23:3", roll="6-4", greedy=greedy) == {"23:3"}
    assert white("19:1 22:2", roll="5-4", greedy=greedy) == {"22:1 24:1", "22:1 23:1"}


@pytest.mark.parametrize("greedy", [False, True])
def test_hitting_while_bearing_off(greedy: bool) -> None:
    assert white("22:2 24:1", "23:1", "6-1", greedy) == {"23:1 24:1 | obar:1", "22:1 | 23:1"}


@pytest.mark.parametrize("greedy", [False, True])
def test_nothing_is_borne_off_while_a_hit_checker_is_not_home_again(greedy: bool) -> None:
    assert white("bar:1 22:14", "2:2", "6-1", greedy) == {"7:1 22:14 | 2:2", "6:1 22:13 23:1 | 2:2"}


def test_a_move_that_ends_the_game_uses_the_whole_roll() -> None:
    pos = BACKGAMMON.position("4:1 | 24:2 23:2 (off=14 ooff=11)")
    for roll in ((6, 2), (5, 1), (6, 6)):
        plays = pos.plays(roll)
        assert [play.after.outcome for play in plays] == [1], f"{roll}: one play, and it ends the game"


def test_the_last_checker_may_pass_over_a_blot_or_hit_it() -> None:
    results = {play.text: play.result.text for play in BACKGAMMON.position("2:1 | 1:1 (off=14 ooff=14)").plays((2, 1))}
    assert results == {"2/off": "| 1:1 (off=15 ooff=14)", "2/1*/off": "| (off=15 obar=1 ooff=14)"}


# Counting


def test_perft_of_backgammon() -> None:
    assert [BACKGAMMON.perft(depth) for depth in range(4)] == [1, 447, 202_782, 116_154_993]


def test_perft_below_any_depth_is_refused() -> None:
    with pytest.raises(ValueError, match="depth must be a whole number from 0 to 12, not -1"):
        BACKGAMMON.perft(-1)


def test_leaves_by_probability() -> None:
    weight = {roll: 1 if roll[0] == roll[1] else 2 for roll in ROLLS[2]}
    first = [(weight[roll], play.after) for roll in ROLLS[2] for play in BACKGAMMON.start().plays(roll)]
    assert sum(w for w, _ in first) == 637
    assert sum(w * weight[roll] * len(after.plays(roll)) for w, after in first for roll in ROLLS[2]) == 419_783


@pytest.mark.parametrize(("kind", "doubles", "others", "largest"), [("contact", 218_356, 185_957, 450), ("race", 140_720, 122_570, 536)])
def test_wildbg_position_lists(kind: str, doubles: int, others: int, largest: int) -> None:
    found = {True: 0, False: 0}
    most = 0
    for posid in referee_file(f"wildbg_{kind}_1000.csv"):
        pos = BACKGAMMON.position(posid)
        for roll in ROLLS[2]:
            n = len(pos.plays(roll))
            found[roll[0] == roll[1]] += n
            most = max(most, n)
    assert (found[True], found[False], most) == (doubles, others, largest)


def test_wildbg_move_counts() -> None:
    rows = [line.split(",") for line in referee_file("wildbg_move_counts.csv")[1:]]
    assert len(rows) == 47
    for posid, first, second, n in rows:
        plays = BACKGAMMON.position(posid).plays((int(first), int(second)))
        got = 0 if plays[0].numbers == 0 else len(plays)
        assert got == int(n), f"{posid} {first}{second}"


def test_public_xgids() -> None:
    for line in referee_file("xgids.txt"):
        xgid, n = line.split("\t")[:2]
        pos = BACKGAMMON.position(xgid)
        assert (len(pos.plays()) if pos.node == "play" else 0) == int(n), xgid


# GNU Backgammon as referee


def gnubg_results(mine: list[int], theirs: list[int], first: int, second: int) -> set[tuple[int, ...]]:
    """Results by gnubg-nn: own points 1 to 24 and bar, then the opponent's by his own points."""
    import gnubg_nn

    board = [[theirs[25 - p] for p in range(1, 26)], [mine[p] for p in range(1, 26)]]
    keys = gnubg_nn.moves(board, first, second)
    found = [gnubg_nn.board_from_position_key(key) for key in keys] or [board]
    return {(*own, *opponent) for opponent, own in found}


def check_with_gnubg(rows: np.ndarray) -> None:
    """The set of results of each play node is gnubg's.

    Nodes with a last checker are left out: gnubg has it hit on its way off where both numbers can be played, here either ends the game.
    """
    for row in rows[decoded(rows)[:, 0] < 14]:
        pos = tablezoo.Position(BACKGAMMON, row, 0)
        (mine, theirs), left = decoded(row[None])[0].reshape(2, 26).tolist(), board_of(pos)[1]
        after = decoded(np.array([play.result.row for play in pos.plays()])).reshape(-1, 2, 26)
        ours = {(*own, *opponent) for own, opponent in zip(after[:, 0, 1:].tolist(), after[:, 1, 24::-1].tolist(), strict=True)}
        assert ours == gnubg_results(mine, theirs, left[0], left[-1]), pos.text
        assert len(ours) == len(after), pos.text


def test_results_are_gnubgs_in_random_games() -> None:
    pytest.importorskip("gnubg_nn")
    check_with_gnubg(random_nodes("backgammon", 20_000))


@pytest.mark.slow
def test_results_are_gnubgs_in_many_random_games() -> None:
    pytest.importorskip("gnubg_nn")
    check_with_gnubg(random_nodes("backgammon", 200_000, seed=2))


# Order and buffers


def test_the_order_of_plays_is_stable() -> None:
    for row in random_nodes("backgammon", 20_000)[::500]:
        first, again = (boards_after(tablezoo.Position(BACKGAMMON, row, player).plays()) for player in (0, 1))
        assert first == again, node_text(row)


def test_the_order_of_the_dice_does_not_matter() -> None:
    generator = random.Random(5)
    for row in random_nodes("backgammon", 20_000)[::500]:
        row = row.copy()
        row[4] = 0
        a, b = generator.choice(ROLLS[2])
        pos = tablezoo.Position(BACKGAMMON, row, 0)
        assert pos.plays((a, b)) == pos.plays((b, a)), f"{pos.text} {a}{b}"


def test_plays_stay_valid_after_later_calls() -> None:
    plays = BACKGAMMON.start().plays((3, 1))
    before = boards_after(plays)
    BACKGAMMON.start().plays((6, 6))
    assert boards_after(plays) == before


def test_counting_plays_of_many_nodes_is_counting_each() -> None:
    nodes = random_nodes("backgammon", 20_000)[::40]
    assert count_plays(BACKGAMMON.rules, nodes.copy()) == sum(len(tablezoo.Position(BACKGAMMON, row, 0).plays()) for row in nodes)


@pytest.mark.parametrize(("out_rows", "work_rows"), [(100, 2560), (100, 100), (2_219, 2560)])
def test_a_buffer_that_is_too_small_raises(out_rows: int, work_rows: int) -> None:
    pos = BACKGAMMON.position(text(board26("-a-A-A-A-A-A-A-A-AAAAAAAA-"), (1, 1, 1, 1)))
    out, work = buffers()
    with pytest.raises(OverflowError):
        all_plays(BACKGAMMON.rules, pos.row.copy(), out[:out_rows], work[:work_rows])


def test_a_buffer_that_is_just_large_enough_holds_all_plays() -> None:
    pos = BACKGAMMON.position(text(board26("-a-A-A-A-A-A-A-A-AAAAAAAA-"), (1, 1, 1, 1)))
    out, work = buffers()
    assert all_plays(BACKGAMMON.rules, pos.row.copy(), out[:2_220], work) == 2_220
