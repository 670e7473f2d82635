"""Value nets: the table and its differences, values and gradients against torch, files."""

import numpy as np
import pytest
import torch
from numpy.typing import NDArray

from agents.nets.files import NetSpec, find_file, read_file, write_file
from agents.nets.gradient import gradient, make_inputs
from agents.nets.torch_net import TorchNet
from agents.nets.value import evaluate, exponential, first_layer, first_layer_after, make_net, make_space
from agents.td import TDAgent
from experiments.config import LearnConfig
from experiments.learn import NumbaLearner
from experiments.learn_torch import TorchLearner
from experiments.selfplay import Games
from tablezoo import game
from tablezoo.features import encoder_of
from tablezoo.kernel.bits import U
from tablezoo.kernel.board import ROW, TURN, planes, reversed_board
from tablezoo.kernel.jit import kernel
from tablezoo.kernel.playout import random_games
from tablezoo.kernel.plays import MAX_PLAYS, all_plays
from tablezoo.rows import pack, unpack

BACKGAMMON = game("backgammon")
SIMPLE = game("simple-backgammon")
SHAPES = ((16,), (128,), (24, 8), (72, 40, 33), (20, 7, 5))


def roll_nodes(n: int, seed: int = 3) -> NDArray[np.uint64]:
    """Roll nodes met in random games, every tenth, of all phases."""
    sample = np.empty((10 * n, ROW), np.uint64)
    results = np.empty((n, 2), np.int64)
    assert random_games(BACKGAMMON.rules, BACKGAMMON.start_row, U(seed), U(0), results, sample) == len(sample)
    rows = sample[::10].copy()
    rows[:, TURN] = 0
    return rows


def test_chances_of_hand_worked_answers() -> None:
    """Won .6; by two or more .5, by three .2; lost by two or more .3, by three .35, which counts only up to .3."""
    logits = np.log(np.array([0.6, 0.5, 0.2, 0.3, 0.35]) / (1 - np.array([0.6, 0.5, 0.2, 0.3, 0.35])))
    spec, theta = random_net((16,))
    layers = spec.split(theta * 0)
    layers[-1][1][:] = logits
    chances = TDAgent.of(spec, spec.join(layers)).probabilities(roll_nodes(1))[0]
    assert np.allclose(chances, [0.1, 0.3, 0.2, 0.1, 0.0, 0.3], atol=1e-6)


def targets(n: int) -> NDArray[np.float32]:
    drawn = np.random.default_rng(5).random((n, 6)).astype(np.float32)
    return drawn / drawn.sum(axis=1, keepdims=True)


def random_net(hidden: tuple[int, ...], encoder: str = "tesauro") -> tuple[NetSpec, NDArray[np.float32]]:
    spec = NetSpec(BACKGAMMON, hidden, encoder)
    return spec, spec.initial(7)


def test_tesauro_inputs_of_a_hand_worked_position() -> None:
    own, opponent = [0] * 26, [0] * 26
    own[6], own[8], own[13], own[25], own[0] = 5, 3, 1, 1, 5
    opponent[19], opponent[1], opponent[0], opponent[25] = 2, 10, 2, 1
    inputs = encoder_of(BACKGAMMON, "tesauro")(pack(own, opponent)[None])[0]
    names = encoder_of(BACKGAMMON, "tesauro").slices
    mine, theirs = inputs[names["own_points"]].reshape(24, 4), inputs[names["opponent_points"]].reshape(24, 4)
    assert mine[5].tolist() == [1, 1, 1, 1]
    assert mine[7].tolist() == [1, 1, 1, 0]
    assert mine[12].tolist() == [1, 0, 0, 0]
    assert theirs[18].tolist() == [1, 1, 0, 0]
    assert theirs[0].tolist() == [1, 1, 1, 3.5]
    assert inputs[names["own_bar"]] == 0.5
    assert inputs[names["own_off"]] == np.float32(5 / 15)
    assert inputs[names["opponent_bar"]] == 1
    assert inputs[names["opponent_off"]] == np.float32(1 / 15)
    assert inputs.sum() == pytest.approx(4 + 3 + 1 + 2 + 6.5 + 0.5 + 1 / 3 + 1 + 1 / 15)


def test_counts_encoder_lists_the_checkers_of_every_place() -> None:
    rows = roll_nodes(50)
    for row, inputs in zip(rows, encoder_of(BACKGAMMON, "counts")(rows), strict=True):
        own, opponent = unpack(row)
        assert inputs.tolist() == own + opponent


@pytest.mark.parametrize("encoder", ["tesauro", "counts"])
@pytest.mark.parametrize("hidden", SHAPES)
def test_values_equal_torch(hidden: tuple[int, ...], encoder: str) -> None:
    spec, theta = random_net(hidden, encoder)
    rows = roll_nodes(500)
    ours = TDAgent.of(spec, theta).probabilities(rows)
    with torch.no_grad():
        theirs = TorchNet(spec, theta).double().chances(torch.from_numpy(spec.encoder(rows)).double()).numpy()
    assert np.abs(ours - theirs).max() < 2e-6
    assert (theirs.std(axis=0) / theirs.mean(axis=0)).min() > 3e-3


@pytest.mark.parametrize("hidden", SHAPES)
def test_gradients_equal_torch(hidden: tuple[int, ...]) -> None:
    spec, theta = random_net(hidden)
    rows, wanted = roll_nodes(200), targets(200)
    ours = np.empty_like(theta)
    total = gradient(make_net(theta, hidden, spec.encoder, spec.outcomes), make_inputs(spec.encoder), rows, wanted, ours)
    net = TorchNet(spec, theta).double()
    loss = net.loss(torch.from_numpy(spec.encoder(rows)).double(), torch.from_numpy(wanted).double()) * len(rows)
    loss.backward()
    theirs = net.join([p.grad for p in net.parameters() if p.grad is not None])
    assert total == pytest.approx(loss.item(), rel=1e-5)
    assert np.abs(ours - theirs).max() < 1e-5 * np.abs(theirs).max()


def test_chances_beyond_certainty_count_as_certain() -> None:
    """Returns without luck can be a little below 0 or above 1; followed there, logits would grow for ever."""
    spec, theta = random_net((12, 6))
    rows = roll_nodes(2)
    beyond = np.array([[1.4, -0.1, -0.1, -0.2, 0, 0], [-0.1, 0, 0, -0.2, 0.3, 1.0]], np.float32)  # won 1.2 and -0.1, lost by two or more 0 and 1.3
    certain = np.array([[1, 0, 0, 0, 0, 0], [0, 0, 0, 0, 0, 1]], np.float32)
    found = []
    for wanted in (beyond, certain):
        out = np.empty_like(theta)
        loss = gradient(make_net(theta, (12, 6), spec.encoder, spec.outcomes), make_inputs(spec.encoder), rows, wanted, out)
        torch_loss = TorchNet(spec, theta).loss(torch.from_numpy(spec.encoder(rows)), torch.from_numpy(wanted)).item() * 2
        assert torch_loss == pytest.approx(loss, rel=1e-5)
        found.append(out)
    assert np.allclose(found[0], found[1], atol=1e-6)
    assert np.abs(found[0]).max() > 0.01


def test_a_pass_over_the_examples_equals_torch_adam() -> None:
    spec, theta = random_net((24, 8))
    rows = roll_nodes(300)
    games = Games(rows, targets(300), np.array([100, 300], np.int64))
    learners = [kind(spec, theta, LearnConfig(batch=64, device=device), 1) for kind, device in ((NumbaLearner, "numba"), (TorchLearner, "cpu"))]
    for _ in range(3):
        losses = [learner.learn(games, 0.001, 0.7) for learner in learners]
        assert losses[0] == pytest.approx(losses[1], rel=1e-5)
    ours, theirs = learners
    assert ours.step == theirs.step == 15
    assert np.abs(ours.theta - theta).max() > 0.005
    for name in ("theta", "average", "mean", "square"):
        assert np.allclose(getattr(ours, name), getattr(theirs, name), rtol=1e-3, atol=2e-5), name


@kernel
def _first_layers(net, before, results, base, sums):  # type: ignore[no-untyped-def]
    """First layers of the turned results, from scratch into `base` and by difference into `sums`."""
    start = np.empty(net.sizes[1], np.float32)
    terms = make_space(net).terms
    view = reversed_board(planes(before))
    first_layer(net, view, U(0), terms, start)
    for i in range(results.shape[0]):
        after = reversed_board(planes(results[i]))
        first_layer(net, after, U(0), terms, base[i])
        first_layer_after(net, view, start, after, U(0), terms, sums[i])


def test_first_layer_by_difference_equals_first_layer_from_scratch() -> None:
    spec, theta = random_net((32,))
    net = make_net(theta, (32,), spec.encoder, spec.outcomes)
    out, work = np.empty((MAX_PLAYS, ROW), np.uint64), np.empty((MAX_PLAYS, ROW), np.uint64)
    compared = 0
    for row in roll_nodes(100):
        for roll in (8 + 1, 4 << 3 * 5, (1 << 15) + (1 << 3)):
            row[TURN] = roll
            n = int(all_plays(BACKGAMMON.rules, row, out, work))
            base, sums = np.empty((n, 32), np.float32), np.empty((n, 32), np.float32)
            _first_layers(net, row, out[:n], base, sums)
            assert np.abs(base - sums).max() < 1e-5
            compared += n
    assert compared > 3000


@kernel
def _exponentials(x, out):  # type: ignore[no-untyped-def]
    for i in range(x.shape[0]):
        out[i] = exponential(x[i])


def test_exponential_is_as_exact_as_it_says() -> None:
    x = -np.linspace(0, 80, 100_001, dtype=np.float32)
    out = np.empty_like(x)
    _exponentials(x, out)
    exact = np.exp(x.astype(np.float64))
    error = np.abs(out - exact) / exact
    assert error[x > -10].max() < 1e-6
    assert error.max() < 4e-6
    assert out[0] == 1


def test_chances_are_never_negative_and_sum_to_one_and_equity_lies_within_the_outcomes() -> None:
    spec, theta = random_net((24, 8))
    agent = TDAgent.of(spec, theta * 20)
    rows = roll_nodes(200)
    chances = agent.probabilities(rows)
    assert np.abs(chances.sum(axis=1) - 1).max() < 1e-5
    assert chances.min() == 0, "some answers must have been cut for this to mean anything"
    assert np.abs(agent.values(BACKGAMMON, rows)).max() <= 3


def test_a_net_comes_back_from_its_file(tmp_path) -> None:  # type: ignore[no-untyped-def]
    spec, theta = random_net((24, 8))
    path = tmp_path / "net.safetensors"
    write_file(path, spec, theta, {"extra": np.arange(3, dtype=np.float32)}, {"step": 5})
    again, same, extra, notes = read_file(path)
    assert again.describe() == spec.describe()
    assert np.array_equal(same, theta)
    assert extra["extra"].tolist() == [0, 1, 2]
    assert notes["step"] == 5
    assert [p.name for p in tmp_path.iterdir()] == ["net.safetensors"]


def test_a_torch_module_loads_the_layers_of_a_file(tmp_path) -> None:  # type: ignore[no-untyped-def]
    from safetensors.torch import load_file

    spec, theta = random_net((24, 8))
    write_file(tmp_path / "net.safetensors", spec, theta, {}, {})
    net = TorchNet(spec, np.zeros_like(theta))
    net.load_state_dict(load_file(tmp_path / "net.safetensors"))
    assert np.array_equal(net.theta(), theta)


def test_a_damaged_foreign_or_missing_net_is_named(tmp_path) -> None:  # type: ignore[no-untyped-def]
    spec, theta = random_net((24, 8))
    path = tmp_path / "net.safetensors"
    write_file(path, spec, theta, {}, {})
    whole = path.read_bytes()
    flipped = bytes([whole[-100] ^ 1])
    for data in (b"", b"no net", whole[: len(whole) // 2], whole[:20] + b"\xff" + whole[21:], whole[:-100] + flipped + whole[-99:]):
        path.write_bytes(data)
        with pytest.raises(ValueError, match=r"net\.safetensors: .*(damaged|cannot be read)") as caught:
            read_file(path)
        assert "\n" not in str(caught.value)
    with pytest.raises(ValueError, match="no such file"):
        find_file(tmp_path / "absent")
    with pytest.raises(ValueError, match=r"no checkpoints/"):
        find_file(tmp_path)
    write_file(path, spec, theta, {}, {})
    with pytest.raises(ValueError, match=r"a net for game..backgammon.. .* not for game..simple-backgammon"):
        TDAgent(game("simple-backgammon"), str(path))


def test_evaluate_does_not_depend_on_the_other_rows_of_the_batch() -> None:
    spec, theta = random_net((24, 8))
    net = make_net(theta, (24, 8), spec.encoder, spec.outcomes)
    rows = roll_nodes(20)
    together, alone = np.empty((20, 6), np.float32), np.empty((20, 6), np.float32)
    evaluate(net, rows, together)
    for i in range(20):
        evaluate(net, rows[i : i + 1], alone[i : i + 1])
    assert np.array_equal(together, alone)
