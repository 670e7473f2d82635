"""Chains of stages: which stage, choice, throw or gift follows a play, against the oracle's stages, all through random games."""

from collections.abc import Iterator
from dataclasses import dataclass, replace

import numpy as np
import oracle_zoo as oracle
import pytest
from oracle_zoo import Board, Numbers, Reading
from test_zoo import READINGS, game_of, plain, shown, thrown

import tablezoo
from tablezoo.notation.text import MARKS

CHAINED = [key for key, (_, reading) in READINGS.items() if reading.doubles in ("escalate", "complement") or reading.acey_deucey or reading.unused != "lost"]


@dataclass(frozen=True)
class Due:
    """What is due at a node, in the oracle's terms.

    Attributes:
        kind: roll, play or choose.
        player: who acts.
        stages: at a play node the numbers to play, and those that follow.
        then: what follows when all of them are played: `end`, `throw` or `choose`.
        turns: turns that each player has played.
    """

    kind: str
    player: int
    stages: tuple[Numbers, ...] = ()
    then: str = "end"
    turns: tuple[int, int] = (0, 0)


def rolled(due: Due, roll: Numbers, reading: Reading, chosen: bool = False) -> Due:
    """After a roll or the choice of a double."""
    stages = oracle.stages(roll, reading, due.turns[due.player], chosen)
    return replace(due, kind="play", stages=tuple(stages), then=oracle.after_chain(roll, reading, chosen))


def played(due: Due, left: Numbers, reading: Reading) -> Due:
    """After a stage of which some numbers are left."""
    stages, again = due.stages[1:], replace(due, kind="roll", stages=())
    if not left and stages:
        return replace(due, stages=stages)
    if due.then == "gift" or (not left and due.then == "throw"):
        return replace(again, then="end")
    if not left and due.then == "choose":
        return replace(again, kind="choose", then="end")
    turns = (due.turns[0] + (due.player == 0), due.turns[1] + (due.player == 1))
    over = Due("roll", 1 - due.player, turns=turns)
    return replace(over, kind="play", stages=(left, *stages), then="gift") if left and reading.unused == "opponent" else over


def check(pos: tablezoo.Position, board: Board, due: Due, reading: Reading) -> None:
    """Node, player, numbers, board and count of turns are what is due, and the text comes back."""
    assert (pos.node, pos.player) == ("roll" if due.kind == "roll" else "play", due.player), (pos.text, due)
    assert plain(pos.text) == shown(board, reading), due
    assert pos.numbers == (due.stages[0] if due.kind == "play" else ()), due
    assert pos.game.position(pos.text) == tablezoo.Position(pos.game, pos.row, 0), pos.text
    if limit := reading.plain_doubles_turns:
        mine, his = (min(turns, limit) for turns in (due.turns[due.player], due.turns[1 - due.player]))
        counted = oracle.parse(pos.text.replace(" first=0", ""), reading).marks
        assert (int(counted.get("turns", limit)), int(counted.get("oturns", limit))) == (mine, his) or (mine, his) == (0, 0), due


def walk(key: str, seed: int) -> Iterator[str]:
    """A random game, checked at every node; yields what the nodes were."""
    _, reading = READINGS[key]
    generator = np.random.default_rng(seed)
    game = game_of(key)
    pos, board, due = game.start(), oracle.start(READINGS[key][0]), Due("roll", 0)
    while pos.node != "over":
        check(pos, board, due, reading)
        yield due.kind if due.then != "gift" else "gift"
        if due.kind == "roll":
            pos = thrown(pos, generator)
            numbers = pos.numbers
            roll = numbers[:2] if len(numbers) == 4 else numbers
            due = rolled(due, roll, reading)
        elif due.kind == "choose":
            assert [play.text for play in pos.plays()] == [f"double {n}" for n in range(1, 7)]
            number = int(generator.integers(6)) + 1
            play = pos.play(f"double {number}")
            assert play.again
            assert play.numbers == 0
            pos, due = play.after, rolled(due, (number, number), reading, chosen=True)
        else:
            ends = {shown(end, reading): (end, left) for end, left in oracle.unplayed(board, due.stages[0], reading).items()}
            plays = pos.plays()
            assert {plain(play.result.text) for play in plays} == set(ends), pos.text
            play = plays[generator.integers(len(plays))]
            board, lefts = ends[plain(play.result.text)]
            left = max(lefts)
            if oracle.outcome(board, reading) is None:
                before, due = due, played(due, left, reading)
                assert play.again == (due.player == before.player), pos.text
                board = board if play.again else oracle.turned(board, reading)
            pos = play.after
    assert pos.outcome == oracle.outcome(board, reading)


@pytest.mark.parametrize("games", [2, pytest.param(100, marks=pytest.mark.slow)])
@pytest.mark.parametrize("key", CHAINED)
def test_stages_follow_each_other_as_the_oracle_says(key: str, games: int) -> None:
    met = {kind for seed in range(games) for kind in walk(key, seed)}
    _, reading = READINGS[key]
    assert met >= {"roll", "play"} | ({"choose"} if reading.acey_deucey else set()) | ({"gift"} if reading.unused == "opponent" else set())


def leaves(name: str, board: Board, due: Due, depth: int) -> int:
    """Perft by the oracle: stages, over all distinct rolls."""
    reading, total = oracle.ZOO[name], 0
    if depth == 0:
        return 1
    if due.kind == "roll":
        return sum(leaves(name, board, rolled(due, roll, reading), depth) for roll in oracle.all_rolls(reading))
    if due.kind == "choose":
        return sum(leaves(name, board, rolled(due, (n, n), reading, chosen=True), depth - 1) for n in range(1, 7))
    for end, lefts in oracle.unplayed(board, due.stages[0], reading).items():
        if depth == 1 or oracle.outcome(end, reading) is not None:
            total += 1
        else:
            after = played(due, max(lefts), reading)
            total += leaves(name, end if after.player == due.player else oracle.turned(end, reading), after, depth - 1)
    return total


@pytest.mark.parametrize("depth", [1, pytest.param(2, marks=pytest.mark.slow)])
@pytest.mark.parametrize("name", sorted({READINGS[key][0] for key in CHAINED}))
def test_perft_counts_the_stages_of_the_oracle(name: str, depth: int) -> None:
    assert tablezoo.game(name).perft(depth) == leaves(name, oracle.start(name), Due("roll", 0), depth)


WRONG = {
    "stage=throw": ("gioul", "dice=33"),
    "stage=more": ("gioul", "dice=66"),
    "stage=more+throw": ("acey-deucey-american", "dice=33"),
    "stage=choose": ("russian", "dice=21"),
    "stage=then": ("gioul", "dice=33"),
    "gift=1": ("gul-bara", "dice=33"),
    "turns=1": ("gioul", "dice=33"),
}


@pytest.mark.parametrize("mark", WRONG)
def test_a_stage_that_cannot_be_is_refused(mark: str) -> None:
    name, dice = WRONG[mark]
    board = "24:15 | 12:15" if name == "gul-bara" else "24:15 | 1:15"
    with pytest.raises(ValueError, match=mark.partition("=")[0] + r"=") as refused:
        tablezoo.game(name).position(f"{board} ({dice} {mark})")
    assert "\n" not in str(refused.value)


def test_every_mark_is_explained() -> None:
    for mark in ("stage", "gift", "turns", "oturns"):
        with pytest.raises(ValueError, match="expected") as refused:
            tablezoo.game("gioul").position(f"24:15 | 1:15 (dice=33 {mark}=?)")
        assert MARKS[mark][1] in str(refused.value)
