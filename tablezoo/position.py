"""The objects people hold: Game, Position, Play."""

import operator
import re
from collections.abc import Collection
from functools import cached_property, lru_cache
from typing import Literal, TypeAlias

import numpy as np
from numpy.typing import NDArray

from tablezoo.draw import svg as draw_svg
from tablezoo.draw import text as draw_text
from tablezoo.games import ZOO, Spec
from tablezoo.kernel import perft as kernel_perft
from tablezoo.kernel import plays as kernel
from tablezoo.kernel.bits import U
from tablezoo.kernel.board import BAR, OFF, OPENING, ROW, TURN
from tablezoo.kernel.dice import ROLLS
from tablezoo.notation import gnubg, xgid
from tablezoo.notation import play as play_text
from tablezoo.notation import text as position_text
from tablezoo.notation import turn as turn_text
from tablezoo.rows import Numbers, numbers_left, pack, unpack
from tablezoo.rules import CHOICES, Option, Rules, closest, make_rules

Node: TypeAlias = Literal["roll", "play", "over"]
Roll: TypeAlias = tuple[int, int]
Step: TypeAlias = tuple[int, int]
"""(source, number): a checker on the bar has source 25."""


MAX_DEPTH = 12


def buffers() -> tuple[NDArray[np.uint64], NDArray[np.uint64]]:
    """Fresh `out` and `work` buffers for the play kernels."""
    return np.empty((kernel.MAX_PLAYS, ROW), np.uint64), np.empty((kernel.MAX_PLAYS, ROW), np.uint64)


class Game:
    """A game of the zoo with its rules settled. Games of equal name and options are equal."""

    def __init__(self, spec: Spec, **options: Option) -> None:
        readings = {**spec.options, **options}
        self.spec = spec
        self.rules: Rules = make_rules(spec.checkers, **readings)
        self.options: dict[str, Option] = {
            name: next(reading for reading, value in choices.items() if value == int(getattr(self.rules, name))) for name, choices in CHOICES.items()
        }

    @property
    def name(self) -> str:
        """Name in the zoo."""
        return self.spec.name

    @property
    def checkers(self) -> int:
        """Checkers a side."""
        return int(self.rules.checkers)

    @cached_property
    def outcomes(self) -> tuple[int, ...]:
        """What a finished game can count for a player: wins from the smallest, then losses."""
        most = int(self.rules.scoring)
        return (*range(1, most + 1), *range(-1, -most - 1, -1))

    @property
    def start_row(self) -> NDArray[np.uint64]:
        """A fresh row of the start."""
        side = [0] * (BAR + 1)
        for point, n in self.spec.start:
            side[point] = n
        row = pack(side, side[::-1])
        row[TURN] = turn_text.opening_word(self.rules)
        return row

    def start(self) -> "Position":
        """Player 0's first roll."""
        return Position(self, self.start_row, 0)

    def position(self, text: str) -> "Position":
        """Position from position text, a gnubg position id or an XGID; player 0 acts.

        Raises:
            ValueError: one line that names the token and what is wrong with it.
        """
        numbers: Numbers = ()
        marks: dict[str, str] = {}
        text = text.strip()
        if "|" in text:
            sides, numbers, marks = position_text.parse(text, self.checkers)
        elif text.startswith("XGID=") or re.match(r"[A-Oa-o-]{26}:", text):
            sides, numbers = xgid.parse(text, self.checkers)
        else:
            sides = gnubg.parse(text, self.checkers)
        position_text.check(*sides, self.checkers)
        row = pack(*sides)
        if sides[0][OFF] == self.checkers or sides[1][BAR] == self.checkers:
            named = [*(f"{name}={value}" for name, value in marks.items()), *(["dice"] if numbers else [])]
            if named:
                raise ValueError(f"the game is over: {named[0]} has no meaning")
        else:
            row[TURN] = turn_text.read(self.rules, self.start_row, row, numbers, marks)
        return Position(self, row, 0)

    def perft(self, depth: int) -> int:
        """Leaves `depth` stages below the start over all rolls, unweighted (backgammon: 447; 202,782; 116,154,993).

        Raises:
            ValueError: depth is negative, or beyond what any machine can count.
        """
        if not isinstance(depth, int) or not 0 <= depth <= MAX_DEPTH:
            raise ValueError(f"depth must be a whole number from 0 to {MAX_DEPTH}, not {depth!r}")
        return kernel_perft.perft(self.rules, self.start_row, depth)

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Game) and (self.name, self.rules) == (other.name, other.rules)

    def __hash__(self) -> int:
        return hash((self.name, self.rules))

    def __repr__(self) -> str:
        preset = Game(self.spec).options
        changed = [f"{name}={reading!r}" for name, reading in self.options.items() if reading != preset[name]]
        return f"game({', '.join([repr(self.name), *changed])})"

    def __reduce__(self) -> tuple[object, ...]:
        return _rebuild_game, (self.name, self.options)


def _rebuild_game(name: str, options: dict[str, Option]) -> Game:
    return game(name, **options)


class Position:
    """A node of a game, immutable, seen by the player who acts next. Equal states are equal, whoever acts."""

    __slots__ = ("__weakref__", "_game", "_player", "_row")

    def __init__(self, game: Game, row: NDArray[np.uint64], player: int) -> None:
        self._game = game
        self._player = player
        self._row = np.array(row, np.uint64)
        self._row.setflags(write=False)

    @property
    def game(self) -> Game:
        """The game it belongs to."""
        return self._game

    @property
    def player(self) -> int:
        """0 or 1: who acts next."""
        return self._player

    @property
    def row(self) -> NDArray[np.uint64]:
        """The board row, read-only (`tablezoo.kernel.board`)."""
        return self._row

    @property
    def node(self) -> Node:
        """What comes next: "roll" (chance), "play" (decision) or "over" (nothing)."""
        if self.outcome is not None:
            return "over"
        return "play" if self.numbers else "roll"

    @property
    def numbers(self) -> Numbers:
        """Numbers left to play, the largest first; empty at a roll node."""
        return numbers_left(int(self._row[TURN]))

    @property
    def outcome(self) -> int | None:
        """Points won by the player who made the last play, or None while the game goes on."""
        views = np.array([self._row, self._row])
        kernel.turn_rows(views[1:])
        return next((points for view in views if (points := kernel.points(self.game.rules, view))), None)

    def counts(self) -> tuple[list[int], list[int]]:
        """Checkers of both sides as `tablezoo.rows.unpack` gives them."""
        return unpack(self._row)

    def pips(self) -> tuple[int, int]:
        """Pip counts of the player to act and of his opponent."""
        own, opponent = self.counts()
        return sum(p * own[p] for p in range(1, BAR + 1)), sum((BAR - p) * opponent[p] for p in range(BAR))

    def chances(self) -> tuple[tuple[Roll, int], ...]:
        """Rolls of a roll node with integer weights, of 36 (of 30 where the starter plays the roll-off's dice).

        Raises:
            ValueError: not a roll node.
        """
        self._expect("roll")
        opening = bool(self._row[TURN] & OPENING)
        return tuple((roll, 1 if roll[0] == roll[1] else 2) for roll in ROLLS if not (opening and roll[0] == roll[1]))

    def rolled(self, roll: Roll) -> "Position":
        """The play node after a roll.

        Raises:
            ValueError: not a roll node, or not two dice from 1 to 6.
        """
        self._expect("roll")
        try:
            first, second = map(operator.index, roll)
        except (TypeError, ValueError):
            raise ValueError(f"a roll is two numbers like (3, 1), not {roll!r}") from None
        for die in (first, second):
            if not 1 <= die <= 6:
                raise ValueError(f"roll {roll!r}: a die shows 1 to 6, not {die}")
        row = np.empty(ROW, np.uint64)
        kernel.rolled(self.game.rules, self._row.copy(), U(first), U(second), row)
        return Position(self.game, row, self.player)

    def plays(self, roll: Roll | None = None) -> "tuple[Play, ...]":
        """Every distinct play of this stage in a stable order; a pass is a play. With a roll, of the node after it.

        Raises:
            ValueError: no play node (with a roll: no roll node).
        """
        node = self if roll is None else self.rolled(roll)
        node._expect("play")
        out, work = buffers()
        n = int(kernel.all_plays(self.game.rules, node._row.copy(), out, work))
        return tuple(Play(node, row) for row in out[:n].copy())

    def play(self, text: str) -> "Play":
        """The play that a text means: with or without `*`, points on the way named or not, in any order.

        Raises:
            ValueError: unreadable, or not a legal play of this node.
        """
        plays = self.plays()
        _, opponent = self.counts()
        blots = {p for p in range(1, 25) if opponent[p] == 1}
        found = play_text.find(text, [(play._ways, play.hits) for play in plays], blots)
        if found is None:
            raise ValueError(f"{text!r} is not a legal play of {position_text.numbers_text(self.numbers)} here; there are {len(plays)}, like {plays[0].text!r}")
        return plays[found]

    def steps(self) -> tuple[Step, ...]:
        """Single-checker steps that begin a legal play of this stage: larger numbers first, then higher sources.

        Raises:
            ValueError: not a play node.
        """
        self._expect("play")
        mask = np.zeros(7, np.uint64)
        kernel.steps(self.game.rules, self._row.copy(), mask)
        return tuple((p, d) for d in range(6, 0, -1) for p in range(BAR, 0, -1) if int(mask[d]) >> p & 1)

    def step(self, step: Step) -> "Position":
        """The node after one step: the same player's with the numbers left, or the other player's roll.

        Raises:
            ValueError: the step does not begin a legal play.
        """
        if step not in self.steps():
            raise ValueError(f"step {step} does not begin a legal play here")
        row = np.empty(ROW, np.uint64)
        kernel.step(self.game.rules, self._row.copy(), U(step[0]), U(step[1]), row)
        same = bool(row[TURN])
        return Position(self.game, row, self.player if same else 1 - self.player)

    def _expect(self, node: Node) -> None:
        if self.node != node:
            wants = {"roll": "dice to be rolled", "play": "numbers to play", "over": "a finished game"}
            raise ValueError(f"this node is {self.node!r}: it has no {wants[node]}")

    def _ways(self) -> dict[bytes, set[play_text.Hops]]:
        """All ways to step through this stage, by the board (mover's view) they lead to; the longest ones only."""
        ways: dict[bytes, set[play_text.Hops]] = {}
        level: dict[Position, set[play_text.Hops]] = {self: {()}}
        while level:
            following: dict[Position, set[play_text.Hops]] = {}
            for node, hops in level.items():
                for source, number in node.steps():
                    hop = (source, max(source - number, OFF))
                    after = node.step((source, number))
                    longer = {tuple(sorted((*way, hop), reverse=True)) for way in hops}
                    if after.node == "play":
                        following.setdefault(after, set()).update(longer)
                    else:
                        ended = after._row.copy()[None]
                        kernel.turn_rows(ended)
                        ways[ended[0, :TURN].tobytes()] = longer | {
                            way for way in ways.get(ended[0, :TURN].tobytes(), set()) if len(way) == len(next(iter(longer)))
                        }
            level = following
        return ways

    @property
    def text(self) -> str:
        """Position text; `game.position` reads it back."""
        over = self.node == "over"
        marks = {} if over else turn_text.marks(self.game.rules, self.game.start_row, self._row, self.numbers)
        return position_text.write(self.counts(), self.numbers, marks)

    @property
    def gnubg_id(self) -> str:
        """GNU Backgammon's position id, the player to act on roll."""
        return gnubg.write(self.counts())

    @property
    def xgid(self) -> str:
        """XGID of a money game, the player to act at the bottom.

        Raises:
            ValueError: the roll is partly played.
        """
        return xgid.write(self.counts(), self.numbers)

    def svg(self) -> str:
        """Drawing of the board as an SVG document."""
        return draw_svg.draw(self)

    def _repr_svg_(self) -> str:
        return self.svg()

    def __str__(self) -> str:
        return draw_text.draw(self)

    def __repr__(self) -> str:
        return f"<{self.game.name}: {self.text}>"

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Position) and self.game == other.game and bool((self._row == other._row).all())

    def __hash__(self) -> int:
        return hash((self.game, self._row.tobytes()))

    def __reduce__(self) -> tuple[object, ...]:
        return Position, (self.game, np.array(self._row), self.player)


class Play:
    """One decision of a stage."""

    __slots__ = ("_before", "_result")

    def __init__(self, before: Position, result: NDArray[np.uint64]) -> None:
        self._before = before
        self._result = result

    @property
    def before(self) -> Position:
        """The play node it belongs to."""
        return self._before

    @property
    def result(self) -> Position:
        """The board after it in the numbering of the player who made it."""
        return Position(self.before.game, self._result, self.before.player)

    @property
    def after(self) -> Position:
        """The next node, seen by whoever acts there."""
        row = self._result.copy()[None]
        kernel.turn_rows(row)
        return Position(self.before.game, row[0], 1 - self.before.player)

    @property
    def again(self) -> bool:
        """Whether the same player acts next."""
        return self.after.player == self.before.player

    @property
    def _ways(self) -> Collection[play_text.Hops]:
        return _ways(self.before).get(self._result[:TURN].tobytes(), {()})

    @property
    def hops(self) -> play_text.Hops:
        """Its steps as (source, target), the highest source first; one of several ways if there are."""
        return max(self._ways)

    @property
    def numbers(self) -> int:
        """How many numbers it uses."""
        return len(self.hops)

    @property
    def hits(self) -> frozenset[int]:
        """Points where it hits."""
        _, before = self.before.counts()
        _, after = unpack(self._result)
        return frozenset(p for p in range(1, 25) if before[p] == 1 and after[p] == 0)

    @property
    def text(self) -> str:
        """Play text; `Position.play` reads it back."""
        return play_text.write(self.hops, self.hits)

    def __str__(self) -> str:
        return self.text

    def __repr__(self) -> str:
        return f"<play {self.text}>"

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Play) and self.before == other.before and bool((self._result == other._result).all())

    def __hash__(self) -> int:
        return hash((self.before, self._result.tobytes()))

    def __reduce__(self) -> tuple[object, ...]:
        return Play, (self.before, self._result)


@lru_cache(maxsize=64)
def _ways(node: Position) -> dict[bytes, set[play_text.Hops]]:
    return node._ways()


def games() -> list[str]:
    """Names of all games, sorted."""
    return sorted(spec.name for spec in ZOO)


def find_spec(name: str) -> Spec:
    """Spec of a game by name or alias.

    Raises:
        ValueError: unknown name, with a suggestion.
    """
    names = {known: spec for spec in ZOO for known in (spec.name, *spec.aliases)}
    if name not in names:
        raise ValueError(f"unknown game {name!r}{closest(name, names)}; `tablezoo games` lists them")
    return names[name]


def game(name: str, **options: Option) -> Game:
    """A game by name or alias; options override its preset.

    Raises:
        ValueError: unknown game, option or reading, with a suggestion.
    """
    return Game(find_spec(name), **options)
