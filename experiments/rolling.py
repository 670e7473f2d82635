"""Rollouts of the plays of one decision."""

import numpy as np
from rich.console import Console
from rich.progress import Progress

from agents.rollout import RolloutAgent, roll_out
from tablezoo.agent import Agent, costs_of, following
from tablezoo.position import Play, Position


def plays_rolled_out(node: Position, agent: Agent, console: Console) -> list[tuple[Play, float, float]]:
    """Every play of a play node, its equity for the player who makes it and the standard error; the best first.

    Raises:
        ValueError: no play node, or no rollout agent.
    """
    if not isinstance(agent, RolloutAgent):
        raise ValueError("plays are rolled out by a rollout agent")
    plays = node.plays()
    after = following(node.game, node.row[None])
    means, errors = after.points.astype(np.float64), np.zeros(len(plays))
    going = np.isnan(after.points)
    rows = after.rows[going]
    with Progress(console=console, transient=True, disable=not console.is_terminal) as bar:
        task = bar.add_task(f"rolling out {going.sum()} plays", total=len(rows) * agent.games)
        found = roll_out(node.game, agent.base, rows, agent.games, agent.seed, agent.plies, progress=lambda games: bar.advance(task, games))
    means[going] = -costs_of(rows, found.mean)
    errors[going] = found.se
    order = np.argsort(-means, kind="stable")
    return [(plays[i], float(means[i]), float(errors[i])) for i in order]
