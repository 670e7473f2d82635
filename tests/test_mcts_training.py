"""Self-play by tree search, learning from it, and the search on environments."""

from pathlib import Path

import gymnasium
import numpy as np
import pytest
from splitmix import Generator
from test_learning import finished, state

from agents.exact import solution
from agents.mcts import Trees
from agents.nets.files import NetSpec
from agents.td import TDAgent
from agents.tree import Policy
from experiments.config import LearnConfig, MctsConfig, NetConfig, SelfPlayConfig, TrainConfig, check_config
from experiments.examples.mcts_plays import searched
from experiments.regret import regret
from experiments.selfplay import join
from experiments.selfplay_mcts import CHUNK, search_games
from experiments.train import Trainer
from tablezoo import game
from tablezoo.kernel.dice import game_seed
from tablezoo.position import Position

POLICY = Policy(leaves=30, width=4, margin=9.0, spread=0.1, explore=0.1, least=1)


def training(threads: int = 2, games: int = 2 * CHUNK + 20, **mcts: float) -> TrainConfig:
    return TrainConfig(
        kind="train",
        game="nannon",
        seed=5,
        threads=threads,
        net=NetConfig(hidden=(12, 6)),
        selfplay=SelfPlayConfig(games=games, batch=CHUNK + 10),
        learn=LearnConfig(batch=50, targets="mcts", lam=0.3),
        mcts=MctsConfig(sims=12, **mcts),  # type: ignore[arg-type]
    )


def net_of(name: str) -> TDAgent:
    spec = NetSpec(game(name), (12,), "tesauro")
    return TDAgent.of(spec, spec.initial(3))


@pytest.mark.parametrize("name", ["hypergammon", "gul-bara", "widdershins"])
def test_searched_games_are_games_of_the_rules(name: str) -> None:
    """Every node follows from the one before by the roll of the game's own dice and a legal play; values are chances; ends are certain."""
    agent = net_of(name)
    played = agent.spec.game
    games = search_games(played, agent, POLICY, 0.05, 9, 4, 2, 60)
    assert games.values.sum(axis=1) == pytest.approx(1, abs=1e-4)
    begin = 0
    for end in games.ends:
        pos = played.start()
        for t in range(begin, end):
            nodes = [pos.rolled(roll) for roll, _ in pos.chances()] if pos.node == "roll" else [pos]
            plays = [play for node in nodes for play in node.plays()]
            found = {play.after: play for play in plays}
            after = Position(played, games.rows[t], 0)
            assert after in found
            if after.node == "over":
                points = after.outcome if found[after].again else -after.outcome
                assert games.values[t] @ agent.net.outcomes == points
            pos = after
        assert pos.node == "over" or end - begin == 60
        begin = end


def test_the_dice_are_those_of_each_game() -> None:
    agent = net_of("hypergammon")
    games = search_games(agent.spec.game, agent, POLICY, 0.0, 9, 4, 3, 60)
    begin = 0
    for number, end in enumerate(games.ends):
        dice = Generator(int(game_seed(9, 4 + number)))
        pos = agent.spec.game.start()
        for t in range(begin, end):
            after = [play.after for play in pos.plays(dice.roll(opening=t == begin))]
            pos = Position(agent.spec.game, games.rows[t], 0)
            assert pos in after
        begin = end


def test_searched_games_do_not_depend_on_how_they_are_split() -> None:
    agent = net_of("hypergammon")
    whole = search_games(agent.spec.game, agent, POLICY, 0.05, 9, 0, 20, 300)
    parts = join([search_games(agent.spec.game, agent, POLICY, 0.05, 9, first, n, 300) for first, n in ((0, 1), (1, 12), (13, 7))])
    for a, b in zip(whole[:3], parts[:3], strict=True):
        assert np.array_equal(a, b)


def test_temperature_changes_the_games() -> None:
    agent = net_of("hypergammon")
    cold, warm = (search_games(agent.spec.game, agent, POLICY, heat, 9, 0, 20, 300) for heat in (0.0, 0.3))
    assert not np.array_equal(cold.ends, warm.ends)


def test_training_by_search_is_the_same_with_one_and_with_two_threads() -> None:
    one, two = finished(training(threads=1, temperature=0.1)), finished(training(threads=2, temperature=0.1))
    for name, array in state(one).items():
        assert np.array_equal(array, state(two)[name]), name


def test_training_by_search_goes_on_as_if_nothing_had_happened(tmp_path: Path) -> None:
    """T04."""
    config = training()
    whole, first, second = finished(config), Trainer(config), Trainer(config)
    first.advance()
    first.save(tmp_path / "checkpoint")
    first.close()
    second.load(tmp_path / "checkpoint")
    while not second.done:
        second.advance()
    second.close()
    for name, array in state(whole).items():
        assert np.array_equal(array, state(second)[name]), name


def test_every_setting_of_the_search_has_an_effect() -> None:
    """R01."""
    plain = state(finished(training(games=CHUNK)))["theta"]
    for change in ({"sims": 24}, {"width": 1}, {"margin": 0.01}, {"temperature": 0.1}):
        config = training(games=CHUNK)
        changed = config.model_copy(update={"mcts": MctsConfig(**{"sims": 12, **change})})
        assert not np.array_equal(state(finished(changed))["theta"], plain), change


def test_a_net_that_learns_from_searches_loses_less() -> None:
    """By the exact values of Nannon, in thousandths of a point a decision; 3,000 games."""
    nannon = game("nannon")
    config = training(games=3_000, temperature=0.02)
    config = config.model_copy(update={"selfplay": SelfPlayConfig(games=3_000, batch=50)})
    begun, taught = Trainer(config), finished(config)
    begun.close()
    exact = solution(nannon)
    before, after = (regret(nannon, trainer.agent, exact, 4_000, seed=3) for trainer in (begun, taught))
    assert after.loss_mp + 3 * after.se_mp < before.loss_mp / 2


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"mcts": {"sims": 0}, "learn": {"targets": "mcts"}}, "here: mcts.sims: input should be greater than or equal to 1, not 0"),
        ({"mcts": {"simms": 9}, "learn": {"targets": "mcts"}}, "here: unknown key mcts.simms (did you mean sims?)"),
        ({"mcts": {"sims": 9}}, 'here: mcts: needs learn.targets = "mcts"; set that, or leave this section out'),
        ({"selfplay": {"sieve": "net"}, "learn": {"targets": "mcts"}}, 'here: learn: targets = "mcts" does not go with selfplay.sieve'),
        ({"selfplay": {"astray": 0.1}, "learn": {"targets": "mcts"}}, 'here: learn: targets = "mcts" does not go with selfplay.astray'),
    ],
)
def test_wrong_settings_get_one_line(change: dict[str, object], message: str) -> None:
    with pytest.raises(ValueError, match="here") as refused:
        check_config({"kind": "train", "game": "nannon", **change}, "here")
    assert str(refused.value).startswith(message)
    assert "\n" not in str(refused.value)


def test_torch_gives_the_values_of_numba() -> None:
    hypergammon = game("hypergammon")
    spec = NetSpec(hypergammon, (24, 8), "tesauro")
    here, there = (TDAgent.of(spec, spec.initial(3), device) for device in ("numba", "cpu"))
    rows = search_games(hypergammon, here, POLICY, 0.0, 9, 0, 4, 60).rows[:-1]
    assert there.probabilities(rows) == pytest.approx(here.probabilities(rows), abs=1e-5)
    one, other = (search_games(hypergammon, agent, POLICY, 0.0, 9, 0, 4, 60) for agent in (here, there))
    assert one.ends.tolist() == other.ends.tolist()
    with pytest.raises(ValueError, match="device must be numba, cpu or cuda, not gpu"):
        TDAgent.of(spec, spec.initial(3), "gpu")


def test_the_search_plays_through_the_environments() -> None:
    """Its action is the play of its tree, among the plays of the environment."""
    agent = net_of("hypergammon")
    envs = gymnasium.make_vec("tablezoo/Hypergammon-v0", num_envs=8, action_mode="plays")
    envs.reset(seed=3)
    for _ in range(6):
        after = envs.afterstates()
        actions, rows, values = searched(agent, POLICY, envs)
        begins = np.append(0, after.ends[:-1])
        assert (after.rows[begins + actions] == rows).all()
        assert values.sum(axis=1) == pytest.approx(1, abs=1e-4)
        trees = Trees(agent.spec.game, agent, POLICY, 1)
        trees.plant(np.arange(1), after.nodes[:1])
        trees.search(np.arange(1))
        assert trees.forest.place[0, trees.best(np.arange(1))[0]] == actions[0]
        envs.step(actions)
