"""TD(lambda) targets, self-play, the training loop, and its exact resumption."""

import itertools
from pathlib import Path

import numpy as np
import pytest
import torch
from numpy.typing import NDArray
from splitmix import Generator

from agents.nets.files import NetSpec, write_file
from agents.nets.torch_net import TorchNet
from agents.nets.value import make_net
from agents.td import TDAgent
from experiments.config import LearnConfig, NetConfig, SelfPlayConfig, TrainConfig
from experiments.learn import NumbaLearner, lambda_targets
from experiments.selfplay import CHUNK, Games, Manner, join, play_games
from experiments.train import Trainer
from tablezoo import game
from tablezoo.kernel.bits import U
from tablezoo.kernel.dice import game_seed
from tablezoo.position import Position

BACKGAMMON = game("backgammon")


def training(threads: int = 2, games: int = 300, net: str = "average", device: str = "numba") -> TrainConfig:
    return TrainConfig(
        kind="train",
        seed=5,
        threads=threads,
        net=NetConfig(hidden=(12, 6)),
        selfplay=SelfPlayConfig(games=games, batch=70, net=net),  # type: ignore[arg-type]
        learn=LearnConfig(batch=50, device=device),  # type: ignore[arg-type]
    )


ORDINARY = np.zeros((4, 5), np.uint64)
"""Rows of nodes at which the players take turns."""
UNSEEN = np.empty((0, 0), np.float32)
"""Nobody looked ahead."""


def finished(config: TrainConfig) -> Trainer:
    trainer = Trainer(config)
    while not trainer.done:
        trainer.advance()
    trainer.close()
    return trainer


def state(trainer: Trainer) -> dict[str, NDArray[np.float32]]:
    learner = trainer.learner
    return {"theta": learner.theta, "average": learner.average, "mean": learner.mean, "square": learner.square, "acting": trainer._recorded_by}


def test_lambda_returns_of_a_hand_worked_game() -> None:
    """Two outcomes (win, lose), seen in turn by the two players; the player to act at the last node has lost."""
    values = np.array([[0.6, 0.4], [0.3, 0.7], [0.8, 0.2], [0.0, 1.0]], np.float32)
    found = np.empty_like(values)
    lambda_targets(values, UNSEEN, ORDINARY, np.array([4]), np.float32(0.5), found)
    # G3 = (0, 1); G2 = mirror(G3) = (1, 0); G1 = mirror(.5 v2 + .5 G2) = mirror(.9, .1); G0 = mirror(.5 v1 + .5 G1) = mirror(.2, .8)
    assert np.allclose(found, [[0.8, 0.2], [0.1, 0.9], [1.0, 0.0], [0.0, 1.0]])
    lambda_targets(values, UNSEEN, ORDINARY, np.array([4]), np.float32(0), found)
    assert np.allclose(found, [[0.7, 0.3], [0.2, 0.8], [1.0, 0.0], [0.0, 1.0]])
    lambda_targets(values, UNSEEN, ORDINARY, np.array([4]), np.float32(1), found)
    assert np.allclose(found, [[1.0, 0.0], [0.0, 1.0], [1.0, 0.0], [0.0, 1.0]])


def test_lambda_returns_swap_wins_and_losses_of_the_same_size_and_keep_games_apart() -> None:
    lost_gammon = [0, 0, 0, 0, 1, 0]
    values = np.array([[0.1, 0.2, 0.3, 0.2, 0.1, 0.1], lost_gammon, [0.5, 0, 0, 0.5, 0, 0], [0, 0, 0, 1, 0, 0]], np.float32)
    found = np.empty_like(values)
    lambda_targets(values, UNSEEN, ORDINARY, np.array([2, 4]), np.float32(0.7), found)
    assert found[0].tolist() == [0, 1, 0, 0, 0, 0]
    assert found[2].tolist() == [1, 0, 0, 0, 0, 0]


def test_with_lambda_one_every_target_is_the_result_of_the_game_seen_from_its_player() -> None:
    trainer = Trainer(training())
    games = join([part.result() for part in trainer._play(0)])
    trainer.close()
    found = np.empty_like(games.values)
    lambda_targets(games.values, games.means, games.rows, games.ends, np.float32(1), found)
    begin = 0
    for end in games.ends:
        result = int(np.argmax(games.values[end - 1])) - 3
        assert result in (0, 1, 2), "the player who would act at the end has lost"
        for t in range(begin, end):
            lost = (end - 1 - t) % 2 == 0
            assert int(np.argmax(found[t])) == result + (3 if lost else 0)
        begin = end


def test_recorded_games_are_games_of_the_rules() -> None:
    """Every node follows from the one before by the roll of the game's own dice and a best play of the net."""
    spec = NetSpec(BACKGAMMON, (12,), "tesauro")
    theta = spec.initial(3)
    agent = TDAgent.of(spec, theta)
    net = make_net(theta, (12,), spec.encoder, spec.outcomes)
    games = Games(*play_games(BACKGAMMON.rules, net, net, BACKGAMMON.start_row, U(9), U(4), 3, Manner()))
    begin = 0
    for number, end in enumerate(games.ends):
        dice = Generator(int(game_seed(9, 4 + number)))
        pos = BACKGAMMON.start()
        for t in range(begin, end):
            plays = pos.plays(dice.roll(opening=t == begin))
            nodes = [play.after for play in plays]
            worth = [-float(node.outcome) if node.outcome else float(agent.values(BACKGAMMON, node.row[None])[0]) for node in nodes]
            pos = Position(BACKGAMMON, games.rows[t], (t - begin + 1) % 2)
            assert pos in nodes
            assert worth[nodes.index(pos)] <= min(worth) + 1e-4
        assert pos.node == "over"
        begin = end


def test_a_game_too_long_is_broken_off_and_valued_by_the_net() -> None:
    spec = NetSpec(BACKGAMMON, (32,), "tesauro")
    net = make_net(spec.initial(1), (32,), spec.encoder, spec.outcomes)
    games, whole = (Games(*play_games(BACKGAMMON.rules, net, net, BACKGAMMON.start_row, U(9), U(0), 50, Manner(n))) for n in (100, 1000))
    lengths, whole_lengths = (np.diff(g.ends, prepend=0) for g in (games, whole))
    assert whole_lengths.max() < 1000
    assert lengths.tolist() == np.minimum(whole_lengths, 100).tolist()
    ends = games.values[games.ends - 1]
    certain = ((ends == 0) | (ends == 1)).all(axis=1)
    assert certain.tolist() == (whole_lengths <= 100).tolist()
    assert 5 < certain.sum() < 45


def test_games_do_not_depend_on_how_they_are_split() -> None:
    spec = NetSpec(BACKGAMMON, (12,), "tesauro")
    net = make_net(spec.initial(3), (12,), spec.encoder, spec.outcomes)
    rules, start = BACKGAMMON.rules, BACKGAMMON.start_row
    whole = Games(*play_games(rules, net, net, start, U(9), U(0), 40, Manner()))
    parts = join([Games(*play_games(rules, net, net, start, U(9), U(first), n, Manner())) for first, n in ((0, 1), (1, 25), (26, 14))])
    for a, b in zip(whole, parts, strict=True):
        assert np.array_equal(a, b)


def test_a_share_of_the_games_begins_after_random_plays_which_are_not_learned_from() -> None:
    spec = NetSpec(BACKGAMMON, (12,), "tesauro")
    net = make_net(spec.initial(3), (12,), spec.encoder, spec.outcomes)
    after_one_play = {play.after for a in range(2, 7) for b in range(1, a) for play in BACKGAMMON.start().plays((a, b))}
    for astray, least, most in ((0.0, 0, 0), (0.5, 70, 130), (1.0, 190, 200)):
        games = Games(*play_games(BACKGAMMON.rules, net, net, BACKGAMMON.start_row, U(9), U(0), 200, Manner(astray=astray, random_plays=20)))
        firsts = games.rows[[0, *games.ends[:-1]]]
        elsewhere = sum(Position(BACKGAMMON, row, 1) not in after_one_play for row in firsts)
        assert least <= elsewhere <= most, astray
        assert (np.diff(games.ends, prepend=0) > 1).all()


@pytest.mark.parametrize("net", ["average", "latest"])
def test_training_is_the_same_with_one_and_with_two_threads(net: str) -> None:
    assert CHUNK < 70, "a batch must be more than one chunk for this to mean anything"
    one, two = finished(training(threads=1, net=net)), finished(training(threads=2, net=net))
    for name, array in state(one).items():
        assert np.array_equal(array, state(two)[name]), name
    assert np.abs(one.learner.theta - one.spec.initial(5)).max() > 0.01


def test_an_interrupted_training_goes_on_as_if_nothing_had_happened(tmp_path: Path) -> None:
    config = training()
    whole = finished(config)
    for stop in (1, 3):
        first = Trainer(config)
        for _ in range(stop):
            first.advance()
        first.save(tmp_path / "checkpoint")
        first.close()
        second = Trainer(config)
        second.load(tmp_path / "checkpoint")
        assert second.games_learned == 70 * stop
        while not second.done:
            second.advance()
        second.close()
        for name, array in state(whole).items():
            assert np.array_equal(array, state(second)[name]), (stop, name)
        assert second.learner.step == whole.learner.step


def test_all_games_are_learned_from_once() -> None:
    trainer = finished(training(games=300))
    assert trainer.batches == 5
    assert trainer.games_learned == 300


def test_rate_is_held_then_falls_to_its_end() -> None:
    trainer = Trainer(training(games=7000))
    rates = []
    for batches in range(100):
        trainer.learner.batches = batches
        rates.append(trainer.rate)
    trainer.close()
    assert rates[:31] == [0.0012] * 31
    assert all(a > b for a, b in itertools.pairwise(rates[30:]))
    assert rates[65] == pytest.approx(0.0012 * 0.515)
    assert rates[99] == pytest.approx(0.0012 * 0.03, rel=0.05)


def test_lambda_falls_with_the_rate_or_stays() -> None:
    held = Trainer(training(games=7000))
    falling = Trainer(training(games=7000).model_copy(update={"learn": LearnConfig(lam=0.8, final_lam=0.25)}))
    found = []
    for batches in (0, 30, 65, 100):
        held.learner.batches = falling.learner.batches = batches
        assert held.lam == 0.7
        found.append(falling.lam)
    assert found == pytest.approx([0.8, 0.8, 0.5, 0.2])
    held.close()
    falling.close()


@pytest.mark.parametrize("hidden", [(40, 35), (12, 6, 6), (40, 35, 9)])
def test_a_training_begins_with_a_smaller_net_that_has_grown(tmp_path: Path, hidden: tuple[int, ...]) -> None:
    small = finished(training())
    small.export(tmp_path / "small")
    trainer = Trainer(training().model_copy(update={"net": NetConfig(hidden=hidden, start=(str(tmp_path / "small"),))}))
    large = TDAgent.of(trainer.spec, trainer.learner.theta)
    rows = np.array([pos.row for pos in (BACKGAMMON.start(), *(play.after for play in BACKGAMMON.start().plays((3, 1))))])
    assert np.allclose(large.probabilities(rows), small.agent.probabilities(rows), atol=1e-6)
    before = trainer.learner.theta.copy()
    trainer.advance()
    for (weight, _), (was, _) in zip(trainer.spec.split(trainer.learner.theta), trainer.spec.split(before), strict=True):
        assert (weight != was)[:, -1].any(), "what was added must learn, too"
    trainer.close()


@pytest.mark.parametrize("hidden", [(12, 5), (12,), (12, 6, 5)])
def test_a_net_cannot_begin_with_a_larger_one(tmp_path: Path, hidden: tuple[int, ...]) -> None:
    small = Trainer(training())
    small.export(tmp_path / "small")
    small.close()
    with pytest.raises(ValueError, match=r"small'\]: a net of .* cannot grow into one of"):
        Trainer(training().model_copy(update={"net": NetConfig(hidden=hidden, start=(str(tmp_path / "small"),))}))


def test_merged_nets_answer_with_the_mean_of_their_logits(tmp_path: Path) -> None:
    rows = np.array([pos.row for pos in (BACKGAMMON.start(), *(play.after for play in BACKGAMMON.start().plays((3, 1))))])
    logits = []
    for number, hidden in enumerate(((12, 6), (20, 40))):
        spec = NetSpec(BACKGAMMON, hidden, "tesauro")
        theta = spec.initial(number) * np.float32(2)
        write_file(tmp_path / str(number), spec, theta, {}, {})
        with torch.no_grad():
            logits.append(TorchNet(spec, theta)(torch.from_numpy(spec.encoder(rows))).numpy())
    config = training().model_copy(update={"net": NetConfig(hidden=(32, 46), start=(str(tmp_path / "0"), str(tmp_path / "1")))})
    trainer = Trainer(config)
    with torch.no_grad():
        found = TorchNet(trainer.spec, trainer.learner.theta)(torch.from_numpy(trainer.spec.encoder(rows))).numpy()
    assert np.allclose(found, (logits[0] + logits[1]) / 2, atol=1e-5)
    assert np.abs(logits[0] - logits[1]).max() > 0.1
    trainer.close()
    with pytest.raises(ValueError, match=r"net\.start = .* cannot grow into one of"):
        Trainer(config.model_copy(update={"net": NetConfig(hidden=(31, 46), start=config.net.start)}))


def test_average_of_the_first_batches_weighs_the_latest_more() -> None:
    """With memory 1: average = 2/2 of the first, then 2/3 of the second and 1/3 of the first."""
    spec = NetSpec(BACKGAMMON, (12,), "tesauro")
    learner = NumbaLearner(spec, spec.initial(1), LearnConfig(memory=1), 1)
    trainer = Trainer(training())
    games = join([part.result() for part in trainer._play(0)])
    trainer.close()
    learner.learn(games, 0.001, 0.7)
    first = learner.theta.copy()
    assert np.allclose(learner.average, first, atol=1e-7)
    learner.learn(games, 0.001, 0.7)
    assert np.allclose(learner.average, first / 3 + 2 * learner.theta / 3, atol=1e-6)


def test_a_net_of_another_size_or_without_its_training_state_is_refused(tmp_path: Path) -> None:
    trainer = Trainer(training())
    trainer.save(tmp_path / "a")
    other = Trainer(training().model_copy(update={"net": NetConfig(hidden=(13,))}))
    with pytest.raises(ValueError, match=r"a checkpoint of .*12, 6.* not of .*13"):
        other.load(tmp_path / "a")
    write_file(tmp_path / "b", trainer.spec, trainer.learner.average, {}, {})
    with pytest.raises(ValueError, match="without the state of its training"):
        trainer.load(tmp_path / "b")
    trainer.close()
    other.close()


def test_learning_from_a_lost_position_lowers_its_value() -> None:
    spec = NetSpec(BACKGAMMON, (12,), "tesauro")
    learner = NumbaLearner(spec, spec.initial(1), LearnConfig(batch=1), 1)
    lost = BACKGAMMON.position("24:15 | 19:1 (ooff=14)").row
    games = Games(np.tile(lost, (2, 1)), np.array([[1, 0, 0, 0, 0, 0], [0, 0, 1, 0, 0, 0]], np.float32), np.array([2]))
    before = TDAgent.of(spec, learner.theta).values(BACKGAMMON, lost[None])[0]
    for _ in range(200):
        learner.learn(games, 0.01, 0.7)
    after = TDAgent.of(spec, learner.theta)
    assert before > -1
    assert after.probabilities(lost[None])[0, 5] > 0.9, "the last node is a win by three for the player of the next, so a loss for him"
