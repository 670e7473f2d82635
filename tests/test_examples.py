"""The example learners: their arithmetic by hand, their duels, and that each learns."""

import json
import math
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import torch
from numpy.typing import NDArray

import tablezoo
from experiments.examples.curve import duel
from experiments.examples.ppo import Player, advantages_of, entropy
from experiments.examples.td_plays import Recorder
from tablezoo.agent import best, load_agent
from tablezoo.envs.vector import TablesVectorEnv

HYPERGAMMON = "tablezoo/Hypergammon-v0"


def test_what_follows_counts_negatively_where_the_player_changes() -> None:
    """By hand, lambda 1: two actions of one player, then the other's, who wins 2; then the first of another game."""
    rewards = torch.tensor([[0.0], [0.0], [2.0], [0.0]])
    values = torch.tensor([[0.5], [0.25], [1.0], [0.125], [0.75]])
    ends = torch.tensor([[False], [False], [True], [False]])
    signs = torch.tensor([[1.0], [-1.0], [1.0], [-1.0]])
    returns = advantages_of(rewards, values, ends, signs, lam=1.0) + values[:-1]
    assert returns.flatten().tolist() == [-2.0, -2.0, 2.0, -0.75]
    one_step = advantages_of(rewards, values, ends, signs, lam=0.0)
    assert one_step.flatten().tolist() == [0.25 - 0.5, -1.0 - 0.25, 2.0 - 1.0, -0.75 - 0.125]


def test_masked_distributions() -> None:
    """A lone legal action has log-probability 0 and is all that is ever drawn; illegal actions have no part in the entropy."""
    torch.manual_seed(1)
    player = Player(4, 1352, 8)
    masks = torch.zeros((2, 1352), dtype=torch.bool)
    masks[0, 700] = True
    masks[1, [3, 5]] = True
    log_probs, _ = player(torch.randn(2, 4), masks)
    assert log_probs[0, 700] == 0
    assert set(torch.multinomial(log_probs[0].exp(), 10_000, replacement=True).tolist()) == {700}
    assert entropy(log_probs)[0] == 0
    assert 0 < entropy(log_probs)[1] <= math.log(2)


@pytest.mark.parametrize("mode", ["steps", "plays"])
@pytest.mark.parametrize("name", tablezoo.games())
def test_masked_distributions_of_every_environment(name: str, mode: str) -> None:
    """E04, with the masks of real games: sb3-contrib's distribution accepts them, and where one action is legal it is certain."""
    maskable = pytest.importorskip("sb3_contrib.common.maskable.distributions", reason="the extra examples is not installed")
    envs = TablesVectorEnv(16, name, action_mode=mode)
    envs.reset(seed=1)
    for _ in range(10):
        envs.step(envs.sample_actions())
    masks = envs.action_masks()
    masks = np.concatenate((masks[masks.any(axis=1)], np.eye(masks.shape[1], dtype=bool)[[0, -1]]))
    torch.manual_seed(1)
    logits = torch.randn(masks.shape) * 10
    theirs = maskable.MaskableCategorical(logits=logits, masks=masks, validate_args=True)
    ours = torch.where(torch.from_numpy(masks), logits, -torch.inf).log_softmax(1)
    lone = masks.sum(axis=1) == 1
    assert torch.isfinite(theirs.entropy()).all()
    assert torch.isfinite(entropy(ours)).all()
    for log_probs in (theirs.logits, ours):
        assert (log_probs[lone].max(dim=1).values == 0).all()
        assert masks[np.arange(len(masks)), torch.multinomial(log_probs.exp(), 1).flatten().numpy()].all()
    assert masks[np.arange(len(masks)), theirs.sample().numpy()].all()


def test_a_record_ends_with_what_is_certain_for_who_acts_last() -> None:
    """The winner of 2 points made the last play; at the end the other player would act, for whom they are lost."""
    recorder = Recorder(1, (1, 2, 3, -1, -2, -3))
    rows, values = np.arange(5, dtype=np.uint64)[None], np.full((1, 6), 1 / 6, np.float32)
    recorder.add(rows, values, np.zeros(1), np.array([False]))
    recorder.add(rows + np.uint64(1), values, np.array([2.0]), np.array([True]))
    (game,) = recorder.games
    assert game.rows.tolist() == [[0, 1, 2, 3, 4], [1, 2, 3, 4, 5]]
    assert game.values[1].tolist() == [0, 0, 0, 0, 1, 0]
    assert game.ends.tolist() == [2]
    recorder.add(rows, values, np.zeros(1), np.array([True]))
    assert recorder.games[1].values[0].tolist() == [0.5, 0, 0, 0.5, 0, 0], "a draw"


def choosing(name: str) -> Any:
    """A policy that plays as an agent does."""

    def act(envs: TablesVectorEnv, _: NDArray[np.float32], infos: dict[str, Any]) -> NDArray[np.int64]:
        after = envs.afterstates()
        return best(load_agent(name, envs.game), envs.game, after) - np.array([0, *after.ends[:-1]])

    return act


def test_an_agent_against_itself_is_even_in_every_pair() -> None:
    points, se = duel(choosing("pips"), HYPERGAMMON, "pips", 50, "plays")
    assert (points, se) == (0, 0)


def test_a_racer_beats_random_as_its_duels_say() -> None:
    """`tablezoo duel pips random --game hypergammon --games 20000 --seed 5`: +1.716 ± 0.010 points a game."""
    points, se = duel(choosing("pips"), HYPERGAMMON, "random", 1000, "plays")
    assert abs(points - 1.716) < 4 * (se + 0.010)


@pytest.mark.slow
@pytest.mark.parametrize("example", ["maskable_ppo", "ppo", "td_plays"])
def test_each_learner_beats_random_soon(example: str, tmp_path: Path) -> None:
    """Four standard errors above what it began with, and above nothing, after a minute."""
    pytest.importorskip("sb3_contrib")
    from experiments.examples import maskable_ppo, ppo, td_plays

    out = tmp_path / example
    if example == "ppo":
        ppo.main(ppo.Args(env_id=HYPERGAMMON, minutes=1, points=1, out=out))
    else:
        {"maskable_ppo": maskable_ppo, "td_plays": td_plays}[example].main(env_id=HYPERGAMMON, minutes=1, points=1, out=out)
    header, first, *_, last = out.with_suffix(".csv").read_text().splitlines()
    before, after = (dict(zip(header.split(","), map(float, line.split(",")), strict=True)) for line in (first, last))
    assert after["points"] - 4 * after["se"] > max(before["points"], 0)
    assert json.loads(out.with_suffix(".json").read_text())["env"] == HYPERGAMMON
