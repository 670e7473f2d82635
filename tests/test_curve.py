"""Learning curves of runs."""

import json
from pathlib import Path

import pytest
from rich.console import Console

from agents.basic import RandomAgent
from experiments.config import EvaluateConfig, NetConfig, SelfPlayConfig, TrainConfig
from experiments.curve import curve, draw
from experiments.metrics import Metrics
from experiments.run import run_training
from experiments.store import RunFolder
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
    return run_training(config, "short", runs, False, Console(quiet=True), {}).path


def test_a_curve_has_the_nets_kept_on_the_way_and_the_last(tmp_path: Path) -> None:
    run = trained(tmp_path)
    marks = curve(run, NANNON, RandomAgent(NANNON, seed="1"), 200, seed=1)
    assert [mark.games for mark in marks] == [1_000, 2_000, 3_000]
    assert 0 < marks[0].cpu_seconds < marks[1].cpu_seconds < marks[2].cpu_seconds
    assert marks[-1].ppg > 4 * marks[-1].se
    draw({"short": marks}, "random", tmp_path / "curve.svg")
    picture = (tmp_path / "curve.svg").read_text()
    assert picture.count('id="line2d') > 3
    with pytest.raises(ValueError, match="not supported"):
        draw({"short": marks}, "random", tmp_path / "curve.docx")


def test_time_goes_on_counting_where_a_run_is_resumed(tmp_path: Path) -> None:
    run = trained(tmp_path)
    entries = [json.loads(line) for line in (run / "metrics.jsonl").read_text().splitlines()]
    entries[-2]["cpu_seconds"] = 1_000.0
    (run / "metrics.jsonl").write_text("".join(json.dumps(entry) + "\n" for entry in entries))
    metrics = Metrics(RunFolder(run), 3_000, 3_000)
    assert metrics.cpu_seconds == 1_000
    metrics.close()


def test_a_run_without_a_record_of_its_time_is_named(tmp_path: Path) -> None:
    run = trained(tmp_path)
    (run / "metrics.jsonl").unlink()
    with pytest.raises(ValueError, match=r"short: metrics\.jsonl does not tell how long the training took"):
        curve(run, NANNON, RandomAgent(NANNON), 2, seed=1)
