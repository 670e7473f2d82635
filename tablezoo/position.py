"""The objects people hold: Game, Position, Play."""

import operator
from functools import cached_property, lru_cache
from typing import Literal, TypeAlias

import numpy as np
from numpy.typing import NDArray

from tablezoo.draw import svg as draw_svg
from tablezoo.draw import text as draw_text
from tablezoo.games import ZOO, Spec
from tablezoo.games.crosses import BOARDS, CrossBoard, walks
from tablezoo.kernel import perft as kernel_perft
from tablezoo.kernel import plays as kernel
from tablezoo.kernel.bits import U
from tablezoo.kernel.board import AGAIN, GOES_ON, ROW, TURN
from tablezoo.kernel.nodes import CHANCES, WIDE, Roll
from tablezoo.kernel.wide import LASTING
from tablezoo.notation import gnubg, xgid
from tablezoo.notation.kinds import NOTATIONS, Notation, Wording
from tablezoo.notation.play import Hops
from tablezoo.notation.text import numbers_text
from tablezoo.rows import Numbers, numbers_left, results_of, turn_word, unpack
from tablezoo.rules import CHECKERS, SCORING, Option, Reading, Rules, closest, make_rules, readings

Node: TypeAlias = Literal["roll", "play", "over"]
Step: TypeAlias = tuple[int, int]
"""(source, number): a checker on the bar has source 25, in hand 26; source 0 is the choice of a double."""

MAX_DEPTH = 12
MOST_OF_TWO_DICE = 2560
"""No stage of two dice has more plays. Most that are known: 2,220 (backgammon, 15 blots against 1, roll 1-1); three dice: 3,149 (Tabula, 4-3-2)."""
MOST_SOURCES = 27
"""Highest source of a step (`tablezoo.kernel.unstack`)."""


class Game:
    """A game of the zoo with its rules settled. Games of equal name and options are equal."""

    def __init__(self, spec: Spec, **options: Option) -> None:
        self.spec = spec
        self.options: dict[str, Reading] = readings(spec.kind, {**spec.options, **options})
        further = [spec.points, spec.dice, spec.hand] if spec.kind == "track" else []
        if spec.kind == "cross":
            further = walks(self.board, str(self.options["turn_onto_circle"]), str(self.options["numbers"]))
        self.rules: Rules = make_rules(spec.kind, spec.checkers, self.options, further)
        self.notation: Notation = NOTATIONS[spec.kind]

    @property
    def name(self) -> str:
        """Name in the zoo."""
        return self.spec.name

    @property
    def board(self) -> CrossBoard:
        """The spaces of a game on a cross.

        Raises:
            ValueError: the game is played on points.
        """
        if self.spec.kind != "cross":
            raise ValueError(f"{self.name} is played on points, not on a cross")
        return BOARDS[str(self.options["board"])]

    @property
    def checkers(self) -> int:
        """Checkers a side."""
        return int(self.rules.table[CHECKERS])

    @property
    def max_plays(self) -> int:
        """More plays than any stage has."""
        return kernel.MAX_PLAYS if self.spec.dice == 3 else MOST_OF_TWO_DICE

    @cached_property
    def outcomes(self) -> tuple[int, ...]:
        """What a finished game can count for a player: wins from the smallest, then losses."""
        most = int(self.rules.table[SCORING])
        return (*range(1, most + 1), *range(-1, -most - 1, -1))

    @property
    def start_row(self) -> NDArray[np.uint64]:
        """A fresh row of the start."""
        return self.notation.start(self)

    def start(self) -> "Position":
        """Player 0's first roll."""
        return Position(self, self.start_row, 0)

    def position(self, text: str) -> "Position":
        """Position from position text, a gnubg position id or an XGID; player 0 acts.

        Raises:
            ValueError: one line that names the token and what is wrong with it.
        """
        return Position(self, self.notation.read(self, text.strip()), 0)

    def perft(self, depth: int) -> int:
        """Leaves `depth` stages below the start over all rolls, unweighted (backgammon: 447; 202,782; 116,154,993).

        Raises:
            ValueError: depth is negative, or beyond what any machine can count.
        """
        if not isinstance(depth, int) or not 0 <= depth <= MAX_DEPTH:
            raise ValueError(f"depth must be a whole number from 0 to {MAX_DEPTH}, not {depth!r}")
        return kernel_perft.perft(self.rules, self.start_row, depth)

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Game) and (self.name, self.options) == (other.name, other.options)

    def __hash__(self) -> int:
        return hash((self.name, *self.options.values()))

    @property
    def changed(self) -> dict[str, Reading]:
        """Options that differ from the game's preset."""
        preset = readings(self.spec.kind, self.spec.options)
        return {name: reading for name, reading in self.options.items() if reading != preset[name]}

    def __repr__(self) -> str:
        return f"game({', '.join([repr(self.name), *(f'{name}={reading!r}' for name, reading in self.changed.items())])})"

    def __reduce__(self) -> tuple[object, ...]:
        return _rebuild_game, (self.name, self.changed)


def _rebuild_game(name: str, options: dict[str, Reading]) -> Game:
    return game(name, **options)


class Position:
    """A node of a game, immutable, seen by the player who acts next. Equal states are equal, whoever acts."""

    __slots__ = ("__weakref__", "_game", "_player", "_row")

    def __init__(self, game: Game, row: NDArray[np.uint64], player: int) -> None:
        self._game = game
        self._player = player
        self._row = np.array(row, np.uint64)
        self._row[TURN] &= ~AGAIN
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
        return "roll" if kernel.rolls(self.game.rules, self._row.copy()) else "play"

    @property
    def numbers(self) -> Numbers:
        """Numbers left to play, the largest first; empty at a roll node."""
        return numbers_left(int(self._row[TURN]))

    @property
    def outcome(self) -> int | None:
        """Points won by the player who made the last play, or None while the game goes on."""
        row = self._row.copy()
        points = kernel.points(self.game.rules, row)
        if points == GOES_ON and self.game.notation.has_won(self.game, row):  # as the board of the winner, which no turn follows
            kernel.turn_rows(self.game.rules, row[None])
            points = kernel.points(self.game.rules, row)
        return None if points == GOES_ON else int(points)

    def counts(self) -> tuple[list[int], list[int]]:
        """Checkers of both sides as `tablezoo.rows.unpack` gives them; not on a cross."""
        return unpack(self._row)

    def pips(self) -> tuple[int, int]:
        """Pip counts of the player to act and of his opponent, checkers outside the board counted from beyond the last point.

        Raises:
            ValueError: a game on a cross, which is no race.
        """
        return self.game.notation.pips(self.game, self._row)

    def chances(self) -> tuple[tuple[Roll, int], ...]:
        """Rolls of a roll node with integer weights: of 36 for two dice, 30 where the starter plays the roll-off's, 6 for one die, 216 for three.

        Raises:
            ValueError: not a roll node.
        """
        self._expect("roll")
        return CHANCES[self._throw]

    @property
    def _throw(self) -> int:
        return int(kernel.throw(self.game.rules, self._row.copy()))

    def rolled(self, roll: Roll) -> "Position":
        """The play node after a roll.

        Raises:
            ValueError: not a roll node, or not as many dice as are thrown, from 1 to 6.
        """
        self._expect("roll")
        dice = len(CHANCES[self._throw][0][0])
        try:
            faces = tuple(map(operator.index, roll))
        except TypeError:
            faces = ()
        if len(faces) != dice:
            raise ValueError(f"a roll is {('one number like (3,)', 'two numbers like (3, 1)', 'three numbers like (6, 3, 1)')[dice - 1]}, not {roll!r}")
        for die in faces:
            if not 1 <= die <= 6:
                raise ValueError(f"roll {roll!r}: a die shows 1 to 6, not {die}")
        row = np.empty(ROW, np.uint64)
        kernel.rolled(self.game.rules, self._row.copy(), U(turn_word(faces)), row)
        return Position(self.game, row, self.player)

    def plays(self, roll: Roll | None = None) -> "tuple[Play, ...]":
        """Every distinct play of this stage in a stable order; a pass is a play. With a roll, of the node after it.

        Raises:
            ValueError: no play node (with a roll: no roll node).
        """
        node = self if roll is None else self.rolled(roll)
        node._expect("play")
        return tuple(Play(node, index, row) for index, row in enumerate(results_of(self.game.rules, node._row)[0]))

    def play(self, text: str) -> "Play":
        """The play that a text means: with or without `*`, points on the way named or not, in any order.

        Raises:
            ValueError: unreadable, or not a legal play of this node.
        """
        plays = self.plays()
        found = self.game.notation.find(self, text, _wordings(self))
        if found is None:
            dice = numbers_text(self.numbers) or "the decision"
            raise ValueError(f"{text!r} is not a legal play of {dice} here; there are {len(plays)}, like {plays[0].text!r}")
        return plays[found]

    def steps(self) -> tuple[Step, ...]:
        """Single-checker steps that begin a legal play of this stage: larger numbers first, then higher sources.

        Where a stage is one step (on a cross), `plays` lists them.

        Raises:
            ValueError: not a play node, or a game on a cross.
        """
        self._expect("play")
        if self.game.spec.kind == "cross":
            raise ValueError(f"a play of {self.game.name} is a single step: use plays()")
        mask = np.zeros(7, np.uint64)
        kernel.steps(self.game.rules, self._row.copy(), mask)
        return tuple((p, d) for d in range(6, 0, -1) for p in range(MOST_SOURCES, -1, -1) if int(mask[d]) >> p & 1)

    def step(self, step: Step) -> "Position":
        """The node after one step: the same player's with the numbers left, or the other player's roll.

        Raises:
            ValueError: the step does not begin a legal play.
        """
        if step not in self.steps():
            raise ValueError(f"step {step} does not begin a legal play here")
        row = np.empty(ROW, np.uint64)
        kernel.step(self.game.rules, self._row.copy(), U(step[0]), U(step[1]), row)
        return _following(self, row)

    def _expect(self, node: Node) -> None:
        if self.node != node:
            wants = {"roll": "dice to be rolled", "play": "numbers to play", "over": "a finished game"}
            raise ValueError(f"this node is {self.node!r}: it has no {wants[node]}")

    @property
    def text(self) -> str:
        """Position text; `game.position` reads it back."""
        return self.game.notation.write(self.game, self._row)

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

    __slots__ = ("_before", "_index", "_result")

    def __init__(self, before: Position, index: int, result: NDArray[np.uint64]) -> None:
        self._before = before
        self._index = index
        self._result = result

    @property
    def before(self) -> Position:
        """The play node it belongs to."""
        return self._before

    @property
    def result(self) -> Position:
        """The board after it in the numbering of the player who made it."""
        row = self._result.copy()
        row[TURN] &= LASTING if self.before.game.rules.kind == WIDE else U(0)
        return Position(self.before.game, row, self.before.player)

    @property
    def after(self) -> Position:
        """The next node, seen by whoever acts there."""
        return _following(self.before, self._result)

    @property
    def again(self) -> bool:
        """Whether the same player acts next."""
        return bool(self._result[TURN] & AGAIN)

    @property
    def wording(self) -> Wording:
        """What notation says of it."""
        return _wordings(self.before)[self._index]

    @property
    def numbers(self) -> int:
        """How many numbers it uses."""
        return self.wording.numbers

    @property
    def hops(self) -> Hops:
        """Its steps as (source, target), the highest source first, one of several ways if there are; () on a cross."""
        return max(self.wording.ways, default=())

    @property
    def hits(self) -> frozenset[int]:
        """Points where it hits."""
        return self.wording.hits

    @property
    def text(self) -> str:
        """Play text; `Position.play` reads it back."""
        return self.wording.text

    def __str__(self) -> str:
        return self.text

    def __repr__(self) -> str:
        return f"<play {self.text}>"

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Play) and self.before == other.before and bool((self._result == other._result).all())

    def __hash__(self) -> int:
        return hash((self.before, self._result.tobytes()))

    def __reduce__(self) -> tuple[object, ...]:
        return Play, (self.before, self._index, self._result)


def _following(node: Position, result: NDArray[np.uint64]) -> Position:
    """The node after a result of a play node."""
    row = np.empty(ROW, np.uint64)
    kernel.follow(node.game.rules, result.copy(), row)
    return Position(node.game, row, node.player if row[TURN] & AGAIN else 1 - node.player)


@lru_cache(maxsize=64)
def _wordings(node: Position) -> list[Wording]:
    return node.game.notation.wordings(node)


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
