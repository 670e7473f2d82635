"""What drawings say about the players: who they are, and who has to do what."""

from typing import TYPE_CHECKING

from tablezoo.draw.views import MARKS, chain, cross, cross_turn

if TYPE_CHECKING:
    from tablezoo.position import Position

PHASES = {1: "phase 1: down", 2: "phase 2: up", 3: "phase 3: off"}
"""Of an unstacking game."""


def mark(position: "Position", player: int) -> str:
    """The letter of a player: on a cross that of his side."""
    return cross(position).sides[player] if position.game.spec.kind == "cross" else MARKS[player]


def status(position: "Position", player: int) -> str:
    """What the player has to do ("to roll", "to play 3 1, then to roll again") or has won ("wins 2 points"); "" while he waits or has lost."""
    if position.outcome is not None:
        return _result(position, position.outcome, player)
    if position.player != player:
        return ""
    dice = " ".join(map(str, position.numbers))
    if position.game.spec.kind == "cross":
        return _cross_status(position, dice)
    if position.node == "roll":
        return "to roll"
    return _track_status(position, dice) if position.game.spec.kind == "track" else f"to play {dice}"


def _result(position: "Position", outcome: int, player: int) -> str:
    """What the player has won; the outcome is that of the player who made the last play."""
    if outcome == 0:
        return "draws"
    won = position.game.notation.has_won(position.game, position.row) or outcome < 0  # then the player who would act next is the winner
    return f"wins {counted(abs(outcome), 'point')}" if (position.player == player) == won else ""


def _track_status(position: "Position", dice: str) -> str:
    stage = chain(position)
    if not dice:
        return "to choose a double"
    then = {"more": stage.more, "to choose a double": stage.choose, "to roll again": stage.throw}
    whose = " left by the opponent" if stage.gift else ""
    return ", then ".join([f"to play {dice}{whose}", *(what for what, follows in then.items() if follows)][:2])


def _cross_status(position: "Position", dice: str) -> str:
    turn = cross_turn(position)
    if turn.rerolls:
        todo = f"to reroll, {dice} stays" if dice else "to reroll"
    elif position.node == "roll":
        return "to roll"
    else:
        todo = f"to play {dice}" if dice else "to reroll or end"
    credits = "may score" if position.game.options["credits"] == "unlimited" else counted(turn.credits, "credit")
    notes = {
        f"{turn.uses} used": turn.uses, credits: turn.credits, "score made": turn.spent,
        counted(turn.pending, "reroll"): turn.pending, "must enter": turn.enters,
    }  # fmt: skip
    return ", ".join([todo, *(note for note, holds in notes.items() if holds)])


def counted(n: int, thing: str) -> str:
    """Such as "1 point" or "2 points"."""
    return f"{n} {thing}{'s' if n != 1 else ''}"


def label(position: "Position", player: int, facts: str) -> str:
    """A player's line in a text: `x  player 0: off 0, pips 167  to roll`."""
    return f"{mark(position, player)}  player {player}: {facts}  {status(position, player)}".rstrip()
