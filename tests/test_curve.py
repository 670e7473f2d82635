"""Learning curves of runs."""

from pathlib import Path

import pytest
from rich.console import Console

from agents.basic import RandomAgent
from agents.nets.files import write_file
from experiments.config import EvaluateConfig, NetConfig, SelfPlayConfig, TrainConfig
from experiments.curve import curve, draw
from experiments.run import run_training
from tablezoo import game

NANNON = game("nannon")


def trained(runs: Path) -> Path:
    """Folder of a short run with two marks."""
    config = TrainConfig(
        kind="train",
        game="nannon",
        net=NetConfig(hidden=(16,)),
        selfplay=SelfPlayConfig(games=3_000, batch=100),
        evaluate=EvaluateConfig(opponents=("random",), games=2, marks=2, mark_games=2),
    )
    assert run_training(config, "short", runs, False, Console(quiet=True)) == 0
    return runs / "short"


def test_a_curve_has_the_nets_kept_on_the_way_and_the_last(tmp_path: Path) -> None:
    run = trained(tmp_path)
    marks = curve(run, NANNON, RandomAgent(NANNON, seed="1"), 200, seed=1)
    assert [mark.games for mark in marks] == [1_000, 2_000, 3_000]
    assert 0 < marks[0].cpu_seconds < marks[1].cpu_seconds < marks[2].cpu_seconds
    assert marks[-1].ppg > 4 * marks[-1].se
    pytest.importorskip("matplotlib")
    draw({"short": marks}, "random", tmp_path / "curve.svg")
    picture = (tmp_path / "curve.svg").read_text()
    assert picture.count('id="line2d') > 3
    with pytest.raises(ValueError, match="not supported"):
        draw({"short": marks}, "random", tmp_path / "curve.docx")


def test_a_net_without_a_record_of_its_training_is_named(tmp_path: Path) -> None:
    from experiments.train import Trainer

    trainer = Trainer(TrainConfig(kind="train", game="nannon", net=NetConfig(hidden=(16,))))
    (tmp_path / "marks").mkdir()
    (tmp_path / "checkpoints").mkdir()
    write_file(tmp_path / "checkpoints" / "1.safetensors", trainer.spec, trainer.learner.average, {}, {})
    trainer.close()
    with pytest.raises(ValueError, match=r"1\.safetensors: does not tell how long its training took"):
        curve(tmp_path, NANNON, RandomAgent(NANNON), 2, seed=1)
