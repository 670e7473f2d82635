"""How the cross games are written: `N3:1 C:2 | S2:2 (captured=1 victory=4 side=x dice=31)`, plays like `N2-N3*` or `enter S3`."""

import re
from collections import Counter
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from tablezoo.games.crosses import CrossBoard
from tablezoo.kernel import cross as kernel
from tablezoo.kernel.board import TURN
from tablezoo.notation.text import parse_counters, parse_parts
from tablezoo.notation.wording import Wording
from tablezoo.rows import numbers_left, places_of, results_of, row_of, turn_word
from tablezoo.rules import closest

if TYPE_CHECKING:
    from tablezoo.position import Game, Position

Row = NDArray[np.uint64]

SIDES = "xo"
BOXES = ("captured", "victory", "ocaptured", "ovictory")
FIELDS = {"uses": kernel.USES, "pending": kernel.PENDING, "credits": kernel.CREDITS}
COUNTERS = {
    **{name: r"\d{1,2}" for name in BOXES},
    "side": r"[xo]", "dice": r"[1-6]{1,2}", "stage": r"reroll", "uses": r"[0-4]", "pending": r"[0-4]",
    "credits": r"[0-4]|-1", "enter": r"[01]", "first": r"[0-3]", "came": r".+",
}  # fmt: skip
MEANINGS = {
    "side": "x or o", "dice": "one or two dice, like 31", "stage": "reroll", "uses": "0 to 4", "pending": "0 to 4", "enter": "0 or 1",
    "credits": "0 to 4, or -1 for one that is spent",
    "first": "1 for the first turn of the game, 2 for the other player's, 3 for one without a roll-off, else 0",
    "came": "pieces and where they came from, like N3<N2+W1<W2",
}  # fmt: skip
MOST_CREDITS = int(kernel.SPENT)


def start(game: "Game", roll_off: bool = True) -> Row:
    """See `kinds.Notation`: the side x begins."""
    runes = game.board.runes
    x, o = ({space: 2 for space in game.board.spaces if runes.get(space) == side} for side in SIDES)
    return _row(game.board, x, o, (0, 0, 0, 0), 0, int(kernel.FIRST if roll_off else kernel.FIRST | kernel.ANEW))


def _row(board: CrossBoard, own: dict[str, int], opponent: dict[str, int], boxes: tuple[int, ...], side: int, word: int) -> Row:
    places = [own.get(space, 0) + 4 * opponent.get(space, 0) for space in board.spaces]
    places += [0] * (64 - len(places))
    captured, victory, ocaptured, ovictory = boxes
    places[kernel.CAPTURED : kernel.CAPTURED + 2] = captured % 16, ocaptured % 16
    places[kernel.SIXTEENS : kernel.SIXTEENS + 2] = captured // 16, ocaptured // 16
    places[kernel.VICTORY : kernel.VICTORY + 2] = victory, ovictory
    places[kernel.SIDE] = side
    return row_of(places, word)


def pieces(board: CrossBoard, row: Row) -> tuple[dict[str, int], dict[str, int]]:
    """Pieces of both sides by space."""
    found = dict(zip(board.spaces, places_of(row), strict=False))
    return {space: n % 4 for space, n in found.items() if n % 4}, {space: n // 4 for space, n in found.items() if n // 4}


def boxes(row: Row) -> tuple[int, int, int, int]:
    """Captured pieces and those in the victory box, of the player to act and of his opponent."""
    places = places_of(row)
    captured, ocaptured = (places[kernel.CAPTURED + k] + 16 * places[kernel.SIXTEENS + k] for k in range(2))
    return captured, places[kernel.VICTORY], ocaptured, places[kernel.VICTORY + 1]


def side_of(row: Row) -> int:
    """0 if the player to act is x, 1 if he is o."""
    return int(row[0]) >> kernel.SIDE & 1


def read(game: "Game", position: str) -> Row:
    """See `kinds.Notation`."""
    own_text, opponent_text, tail = parse_parts(position)
    counters = parse_counters(tail, COUNTERS, MEANINGS)
    own, opponent = _read_side(game.board, own_text), _read_side(game.board, opponent_text)
    both = next((space for space in own if space in opponent), None)
    if both:
        raise ValueError(f"both sides have pieces on {both}")
    boxed = tuple(int(counters.get(name, 0)) for name in BOXES)
    for owner, on_board, (captured, victory) in (("the player to act", own, boxed[:2]), ("the opponent", opponent, boxed[2:])):
        total = sum(on_board.values()) + captured + victory
        if total > game.checkers:
            raise ValueError(f"{owner} has {total} pieces with those captured and in the victory box: at most {game.checkers}")
        if victory > int(kernel.WINS):
            raise ValueError(f"{owner} has {victory} pieces in the victory box: {int(kernel.WINS)} win")
    if boxed[1] == boxed[3] == int(kernel.WINS):
        raise ValueError("both sides have won")
    side = SIDES.index(counters.get("side", "x"))
    over = int(kernel.WINS) in (boxed[1], boxed[3])
    return _row(game.board, own, opponent, boxed, side, 0 if over else _read_turn(game, counters, boxed[0], own))


def _read_side(board: CrossBoard, text: str) -> dict[str, int]:
    found: dict[str, int] = {}
    for token in text.split():
        space, _, n = token.partition(":")
        if space not in board.spaces:
            raise ValueError(f"{token}: there is no space {space!r} on {board.name}{closest(space, board.spaces)}; expected space:pieces, like N3:1")
        if space in found:
            raise ValueError(f"{token}: space {space} is given twice")
        if n not in ("1", "2"):
            raise ValueError(f"{token}: a space holds 1 or 2 pieces")
        found[space] = int(n)
    return found


def _read_turn(game: "Game", counters: dict[str, str], captured: int, own: dict[str, int]) -> int:
    """The turn word that the counters name."""
    dice = tuple(sorted(map(int, counters.get("dice", "")), reverse=True))
    fields = {name: int(counters.get(name, 0)) for name in FIELDS}
    reroll = "stage" in counters
    in_turn = bool(dice or fields["uses"])
    first = int(counters.get("first", 0))
    if reroll and not fields["uses"]:
        raise ValueError("stage=reroll: a die is thrown again only after a use: name uses")
    if not in_turn and any(fields.values()):
        raise ValueError("pending and credits belong to a turn that goes on: name dice or uses")
    if fields["uses"] + len(dice) > int(kernel.MOST_USES) + (game.options["reroll_cap"] == "uses"):
        raise ValueError(f"uses={fields['uses']} with {len(dice)} dice on the table: a turn has at most four uses")
    if first and fields["pending"]:
        raise ValueError("pending: threes are not thrown again in a first turn")
    enter = int(counters.get("enter", bool(in_turn and not fields["uses"] and captured)))
    if enter and not (in_turn and captured):
        raise ValueError("enter=1: only within a turn, with a captured piece")
    credits = fields["credits"] if fields["credits"] >= 0 else MOST_CREDITS
    word = turn_word(dice) | fields["uses"] << int(kernel.USES) | fields["pending"] << int(kernel.PENDING) | credits << int(kernel.CREDITS)
    word |= (
        int(kernel.ENTER) * enter
        | int(kernel.FIRST) * (first > 0)
        | int(kernel.SECOND) * (first == 2)
        | int(kernel.ANEW) * (first == 3)
        | int(kernel.REROLL) * reroll
    )
    return word | _read_came(game, counters.get("came", ""), own)


def _read_came(game: "Game", text: str, own: dict[str, int]) -> int:
    """The memory of moved pieces in a turn word: `N3<N2+W1<W2/WS1` for a piece on W1 that came from either."""
    word = 0
    tokens = text.split("+") if text else []
    if tokens and game.options["uturn_scope"] != "turn":
        raise ValueError(f"came={text}: only in a game with uturn_scope=turn")
    if len(tokens) > 3:
        raise ValueError(f"came={text}: at most three pieces")
    for slot, token in enumerate(tokens):
        space, _, origins = token.partition("<")
        ways = [start for start, end in game.board.edges if end == space]
        if own.get(space) != 1 or not origins or any(origin not in ways for origin in origins.split("/")):
            raise ValueError(f"came={token}: expected a single own piece and neighbours it may have come from, like N3<N2")
        edges = sum(1 << ways.index(origin) for origin in set(origins.split("/")))
        word |= (game.board.spaces.index(space) + 1 << 4 | edges) << int(kernel.MEMORY) + int(kernel.MEMORY_BITS) * slot
    return word


def write(game: "Game", row: Row) -> str:
    """See `kinds.Notation`."""
    own, opponent = pieces(game.board, row)
    word = int(row[TURN])
    fields = {name: word >> int(shift) & int(kernel.FIELD) for name, shift in FIELDS.items()}
    counters = {name: str(n) for name, n in zip(BOXES, boxes(row), strict=True) if n}
    counters["side"] = SIDES[side_of(row)]
    if numbers := numbers_left(word):
        counters["dice"] = "".join(map(str, numbers))
    if word & int(kernel.REROLL):
        counters["stage"] = "reroll"
    counters |= {name: "-1" if name == "credits" and n == MOST_CREDITS else str(n) for name, n in fields.items() if n}
    if word & int(kernel.ENTER) and fields["uses"]:
        counters["enter"] = "1"
    if word & int(kernel.FIRST):
        counters["first"] = "2" if word & int(kernel.SECOND) else "3" if word & int(kernel.ANEW) else "1"
    if came := _came(game, word):
        counters["came"] = came
    sides = " | ".join(" ".join(f"{space}:{n}" for space, n in side.items()) for side in (own, opponent)).strip()
    return f"{sides} ({' '.join(f'{name}={value}' for name, value in counters.items())})"


def _came(game: "Game", word: int) -> str:
    tokens = []
    for slot in range(3):
        memory = word >> int(kernel.MEMORY) + int(kernel.MEMORY_BITS) * slot & 1023
        if memory:
            space = game.board.spaces[(memory >> 4) - 1]
            ways = [start for start, end in game.board.edges if end == space]
            tokens.append(f"{space}<{'/'.join(way for k, way in enumerate(ways) if memory >> k & 1)}")
    return "+".join(tokens)


def pips(game: "Game", row: Row) -> tuple[int, int]:
    """See `kinds.Notation`."""
    raise ValueError(f"{game.name} is no race: it has no pips")


def has_won(game: "Game", row: Row) -> bool:
    """See `kinds.Notation`."""
    return boxes(row)[1] >= int(kernel.WINS)


def codes(node: "Position") -> list[int]:
    """Codes of the decisions of a node (`tablezoo.kernel.cross`), in the order of its plays."""
    return results_of(node.game.rules, node.row)[1]


def code_text(board: CrossBoard, code: int) -> str:
    """What a decision is called, a capture left aside."""
    kind, source, target = code >> 16, board.spaces[code >> 6 & 63] if code >> 6 & 63 < len(board.spaces) else "", board.spaces[code & 63]
    words = {
        kernel.MOVE_PIECE: f"{source}-{target}", kernel.ENTER_PIECE: f"enter {target}", kernel.SCORE_PIECE: f"score {source}",
        kernel.TAKE_REROLL: "reroll", kernel.KEEP_NUMBER: "keep", kernel.END_TURN: "end",
    }  # fmt: skip
    return words[np.uint64(kind)]


def wordings(node: "Position") -> list[Wording]:
    """See `kinds.Notation`: the die is named where two dice have plays of the same text."""
    board = node.game.board
    _, opponent = pieces(board, node.row)
    listed = codes(node)
    texts = [code_text(board, code) for code in listed]
    times = Counter(texts)
    said = []
    for code, text in zip(listed, texts, strict=True):
        number = code >> 12 & 15
        hits = number and code >> 16 != int(kernel.SCORE_PIECE) and board.spaces[code & 63] in opponent
        die = f"({number})" if times[text] > 1 else ""
        said.append(Wording(f"{text}{'*' if hits else ''}{die}", int(number > 0)))
    return said


def find(node: "Position", play: str, said: list[Wording]) -> int | None:
    """See `kinds.Notation`."""
    board = node.game.board
    match = re.fullmatch(r"(?:(enter|score)\s+(\w+)|(\w+)-(\w+)|reroll|keep|end|pass)\*?(?:\(([1-6])\))?", play.strip(), re.IGNORECASE)
    if not match:
        raise ValueError(f"cannot read play {play!r}: expected space-space, 'enter SPACE', 'score SPACE', 'reroll', 'keep' or 'end'")
    for name in match.groups()[1:4]:
        if name and name not in board.spaces:
            raise ValueError(f"play {play!r}: there is no space {name!r} on {board.name}{closest(name, board.spaces)}")
    wanted = " ".join(play.split()).replace("pass", "end")
    bare = [wording.text.replace("*", "") for wording in said]
    exact = [i for i, wording in enumerate(said) if wanted in (wording.text, bare[i])]
    if not exact and match[5]:
        base, die = re.sub(r"\*?\([1-6]\)$", "", wanted), int(match[5])
        exact = [i for i, code in enumerate(codes(node)) if bare[i] == base and code >> 12 & 15 == die]
    if not exact and not match[5]:
        several = [text for text in bare if re.sub(r"\([1-6]\)$", "", text) == wanted.rstrip("*")]
        if several:
            raise ValueError(f"{play!r} may be played with two dice: say {' or '.join(several)}")
    return exact[0] if exact else None
