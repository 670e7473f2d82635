"""The action tables of the `steps` mode: every step that a game can offer, each with a stable meaning."""

from functools import lru_cache
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from tablezoo.kernel import cross
from tablezoo.kernel import plays as kernel
from tablezoo.kernel.actions import PLACES, Actions
from tablezoo.kernel.bits import U
from tablezoo.kernel.board import BAR, OFF, ROW
from tablezoo.kernel.unstack import DOWN, UP
from tablezoo.kernel.wide import HAND
from tablezoo.notation import play as play_text
from tablezoo.notation.cross import code_text
from tablezoo.position import Game
from tablezoo.rows import results_of


class Action(NamedTuple):
    """What an action of a table means, in the numbering of the player who takes it."""

    source: int
    """Point of the checker that moves, 25 on the bar, 26 in hand; 0 for the pass and the choice of a double.

    In an unstacking game 27 and 26 lay a man down and stand him up; on a cross the index of a space.
    """
    number: int
    """Number of the die that it uses, or of the double; 0 if none."""
    text: str
    """`13/10`, `bar/22`, `6/off`, `pass`; `down 3`; `N1-N3`, `enter S3`, `reroll`, `end`."""


PASS = Action(0, 0, play_text.PASS)


@lru_cache(maxsize=64)
def actions_of(game: Game) -> tuple[Action, ...]:
    """The table of a game.

    On a track action 25 * (number - 1) + (source - 1), the pass last, 151 in all; where checkers may be in hand, before the pass
    their entries by 1 to 6 (on a board of six points 6 * (number - 1) + (source - 1) comes first), and where a double may be
    chosen `double 1` to `double 6`. In an unstacking game the same for
    six points, then `down 1` to `down 6`, `up 1` to `up 6` and the pass. On a cross every move, entry and score of
    any board position, then reroll, keep and end.
    """
    if game.spec.kind == "cross":
        return tuple(Action(code >> 6 & 63, code >> 12 & 15, code_text(game.board, code)) for code in _codes(game))
    unstacks, size = game.spec.kind == "unstack", 6 if game.spec.kind == "unstack" else game.spec.points
    sources = range(1, size + 1 + (size == BAR - 1))
    steps = [Action(p, d, play_text.write(((p, max(p - d, OFF)),), ())) for d in range(1, 7) for p in sources]
    turns = [Action(source, d, f"{word} {d}") for source, word in ((DOWN, "down"), (UP, "up")) for d in range(1, 7)]
    hands = [Action(HAND, d, play_text.write(((HAND, size + 1 - d),), ())) for d in range(1, 7)]
    with_hand = not unstacks and (game.options["hit_to"] == "hand" or game.spec.hand > 0)
    doubles = [Action(OFF, d, f"double {d}") for d in range(1, 7)] if not unstacks and game.options["acey_deucey"] else []
    return (*steps, *(turns if unstacks else hands if with_hand else ()), *doubles, PASS)


@lru_cache(maxsize=64)
def _codes(game: Game) -> tuple[int, ...]:
    """Codes of all decisions on a cross, in the order of the table."""
    table, spaces = game.rules.table, range(len(game.board.spaces))
    reach = table[cross.REACH : cross.REACH + 7 * len(spaces)].reshape(-1, 7)
    doors = {d: int(table[cross.DOORS + d]) | int(table[cross.DOORS + 7 + d]) for d in range(1, 7)}
    moves = [_code(cross.MOVE_PIECE, d, s, t) for d in range(1, 7) for s in spaces for t in spaces if int(reach[s, d]) >> t & 1]
    entries = [_code(cross.ENTER_PIECE, d, 0, t) for d in range(1, 7) for t in spaces if doors[d] >> t & 1]
    scores = [_code(cross.SCORE_PIECE, d, s, 0) for d in range(1, 7) for s in spaces if doors[d] >> s & 1]
    return (*moves, *entries, *scores, *(_code(kind, 0, 0, 0) for kind in (cross.TAKE_REROLL, cross.KEEP_NUMBER, cross.END_TURN)))


def _code(kind: U, number: int, source: int, target: int) -> int:
    """The code of a decision (`tablezoo.kernel.cross.code_of`)."""
    return int(kind) << 16 | number << 12 | source << 6 | target


@lru_cache(maxsize=64)
def _places(game: Game) -> dict[int, int]:
    """Index in the table by code on a cross."""
    return {code: index for index, code in enumerate(_codes(game))}


@lru_cache(maxsize=64)
def _shifts(game: Game) -> tuple[NDArray[np.int64], NDArray[np.uint64]]:
    """Number and source of every action but the pass."""
    actions = actions_of(game)[:-1]
    return np.array([action.number for action in actions]), np.array([action.source for action in actions], np.uint64)


def legal_actions(game: Game, row: NDArray[np.uint64]) -> NDArray[np.int8]:
    """A fresh mask over the table at a play node."""
    mask = np.zeros(len(actions_of(game)), np.int8)
    if game.spec.kind == "cross":
        places = _places(game)
        mask[[places[code] for code in results_of(game.rules, row)[1]]] = 1
        return mask
    steps = np.zeros(7, np.uint64)
    kernel.steps(game.rules, row, steps)
    numbers, sources = _shifts(game)
    mask[:-1] = (steps[numbers] >> sources) & U(1)
    mask[-1] = not steps[1:].any()
    return mask


def result_of(game: Game, row: NDArray[np.uint64], index: int) -> NDArray[np.uint64]:
    """The result of a legal action, as `tablezoo.kernel.plays.plays` writes it."""
    action = actions_of(game)[index]
    if game.spec.kind == "cross" or action == PASS:
        results, codes = results_of(game.rules, row)
        return np.array(results[0 if action == PASS else codes.index(_codes(game)[index])])
    result = np.empty(ROW, np.uint64)
    kernel.step(game.rules, row, U(action.source), U(action.number), result)
    return result


def kernel_actions(game: Game, whole_plays: bool) -> Actions:
    """The numbering of actions as the kernels take it."""
    table = np.zeros((0 if whole_plays else len(actions_of(game)), 3), np.uint64)
    indices = np.full(7 * int(PLACES), -1, np.int16)
    for index, action in enumerate(() if whole_plays else actions_of(game)):
        table[index, :2] = action.number, action.source
        indices[action.number * int(PLACES) + action.source] = index
    if not whole_plays and game.spec.kind == "cross":
        table[:, 2] = _codes(game)
    return Actions(whole_plays, indices, table)
