"""An agent's costliest mistakes on a set of decisions."""

from dataclasses import dataclass

import numpy as np

from experiments.score import Decision, losses
from tablezoo.agent import Agent, choose
from tablezoo.position import Game, Play, Position


@dataclass(frozen=True)
class Mistake:
    """A decision in which the agent lost equity."""

    node: Position
    """The play node."""
    played: Play
    best: Play
    loss: float
    """In points."""


def costliest(game: Game, agent: Agent, decisions: list[Decision], number: int) -> list[Mistake]:
    """Up to so many decisions in which the agent loses most, the worst first; none where it loses nothing.

    Raises:
        ValueError: a play that a decision does not value.
    """
    lost = losses(game, agent, decisions)
    order = [i for i in np.argsort(-lost, kind="stable")[:number] if lost[i] > 0]
    if not order:
        return []
    chosen = choose(agent, game, np.array([decisions[i].node.row for i in order]))
    found = []
    for i, row in zip(order, chosen, strict=True):
        decision = decisions[i]
        plays = {play.after.gnubg_id: play for play in decision.node.plays()}
        best = max(decision.equities, key=lambda after, equities=decision.equities: equities[after])  # type: ignore[misc]
        found.append(Mistake(decision.node, plays[Position(game, row, 1).gnubg_id], plays[best], float(lost[i])))
    return found
