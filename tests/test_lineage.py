"""Trainings that begin from nets of other trainings: those are made first, once."""

import json
import shutil
from pathlib import Path

import pytest
from rich.console import Console

from agents.basic import RandomAgent
from agents.nets.files import find_file, read_file
from experiments.config import TrainConfig, load_config
from experiments.curve import curve
from experiments.lineage import train
from experiments.store import RunFolder
from tablezoo import game

BASE = """
kind = "train"
game = "nannon"
net.hidden = [8]
selfplay.games = 200
selfplay.batch = 100
evaluate = {opponents = ["random"], games = 2, marks = 0}
"""
TAUGHT = """
extends = "base.toml"
net.start = ["base.toml"]
selfplay.sieve = "sieve.toml"
learn.targets = "lookahead"
"""


@pytest.fixture
def configs(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """In the working directory: base, sieve, taught from both, twice from taught and with base's sieve."""
    texts = {
        "base": BASE,
        "sieve": 'extends = "base.toml"\nnet.hidden = [4]',
        "taught": TAUGHT,
        "twice": 'extends = "taught.toml"\nnet.start = ["taught.toml"]',
        "round": 'extends = "base.toml"\nnet.start = ["about.toml"]',
        "about": 'extends = "base.toml"\nnet.start = ["round.toml"]',
        "duel": 'kind = "duel"\na = "random"\nb = "random"',
    }
    for name, text in texts.items():
        (tmp_path / f"{name}.toml").write_text(text)
    monkeypatch.chdir(tmp_path)


def run(name: str, *overrides: str, resume: bool = False) -> RunFolder:
    config = load_config(f"{name}.toml", overrides)
    assert isinstance(config, TrainConfig)
    return train(config, name, Path("runs"), resume, Console(quiet=True))


def made() -> list[str]:
    return sorted(path.name for path in Path("runs").iterdir())


@pytest.mark.usefixtures("configs")
def test_what_a_training_begins_from_is_made_first_and_once() -> None:
    taught = run("taught")
    assert made() == ["base", "sieve", "taught"]
    assert [each.name for each in map(Path, taught.facts().begins)] == ["base", "sieve"]
    assert taught.config().model_dump()["net"]["start"] == ("base.toml",)
    run("twice")
    assert made() == ["base", "sieve", "taught", "twice"]


@pytest.mark.usefixtures("configs")
def test_it_begins_from_the_net_of_that_run() -> None:
    run("base")
    unmoved = run("taught", "learn.rate=1e-30")
    nets = [read_file(find_file(Path("runs") / name))[1] for name in ("base", unmoved.path.name)]
    assert (nets[0] == nets[1]).all()


@pytest.mark.usefixtures("configs")
def test_another_seed_or_setting_has_its_own_runs() -> None:
    run("taught")
    run("base", "net.hidden=[16]")
    other = run("taught", "seed=2")
    assert made() == ["base", "base-2", "base-3", "sieve", "sieve-2", "taught", "taught-2"]
    assert [Path(each).name for each in other.facts().begins] == ["base-3", "sieve-2"]


@pytest.mark.usefixtures("configs")
def test_one_that_was_broken_off_is_gone_on_with() -> None:
    config = load_config("base.toml")
    RunFolder.create(Path("runs"), "mine", config)
    run("taught")
    assert made() == ["mine", "sieve", "taught"]
    assert RunFolder(Path("runs/mine")).status == "finished"


@pytest.mark.usefixtures("configs")
def test_one_that_was_stopped_before_its_own_beginning_is_resumed_too() -> None:
    with pytest.raises(ValueError, match="nothing to resume: no run base"):
        run("base", resume=True)
    RunFolder.create(Path("runs"), "base", load_config("base.toml"))
    run("taught", resume=True)
    assert made() == ["base", "sieve", "taught"]
    assert RunFolder(Path("runs/taught")).status == "finished"


@pytest.mark.usefixtures("configs")
def test_time_counts_from_nothing_on_and_each_run_once() -> None:
    twice = run("twice")
    for number, name in enumerate(("base", "sieve", "taught")):
        path = Path("runs") / name / "metrics.jsonl"
        entries = [json.loads(line) for line in path.read_text().splitlines()]
        path.write_text("".join(json.dumps(entry | {"cpu_seconds": 10.0**number}) + "\n" for entry in entries if "loss" in entry))
    taught_from = RunFolder(Path("runs/taught"))
    taught_from.describe(begins={str((Path("runs") / name).resolve()): value for name, value in (("base", 1.0), ("sieve", 10.0))})
    shutil.rmtree(twice.path)
    twice = run("twice")
    assert sum(twice.facts().begins.values()) == 111
    marks = curve(twice.path, game("nannon"), RandomAgent(game("nannon"), seed="1"), 2, seed=1)
    assert 111 < marks[-1].cpu_seconds < 171


@pytest.mark.usefixtures("configs")
@pytest.mark.parametrize(
    ("name", "override", "complaint"),
    [
        ("base", 'net.start=["bse"]', r"^net.start: bse is no file and no run folder, and no config 'bse'"),
        ("base", "selfplay.sieve=td/nanon", r"^selfplay.sieve: td/nanon is no file .* no config 'td/nanon' \(did you mean td/nannon\?\)"),
        ("base", 'net.start=["duel.toml"]', "^net.start: duel.toml is not the config of a single training$"),
        ("round", "seed=1", "^net.start: about.toml begins from itself$"),
    ],
)
def test_a_config_that_cannot_be_begun_from_is_named(name: str, override: str, complaint: str) -> None:
    with pytest.raises(ValueError, match=complaint):
        run(name, override)
    assert not Path("runs").exists()
