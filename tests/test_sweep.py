"""Sweeps: every setting is a run of its own, a failed one no result; and the list of runs."""

import json
import re
import sys
from pathlib import Path

import pytest
from test_cli import tablezoo  # noqa: F401 - the fixture

from experiments import sweep
from experiments.config import TrainConfig, load_config
from experiments.interrupt import Interrupted
from experiments.learn import NumbaLearner
from experiments.store import RunFolder
from experiments.sweep import trial_name, trials

BASE = """
kind = "train"
game = "nannon"
[net]
hidden = [8]
[selfplay]
games = 200
batch = 50
[evaluate]
opponents = ["random"]
games = 20
marks = 0
"""
SWEEP = """
[sweep]
seeds = [1, 2]
[sweep.grid]
"learn.rate" = [1e-3, 5e-3]
"""


def planned(tmp_path: Path, text: str) -> list[sweep.Trial]:
    (tmp_path / "s.toml").write_text(BASE + text)
    config = load_config(str(tmp_path / "s.toml"))
    assert config.sweep is not None
    return trials(config, config.sweep, "s.toml")


def test_a_grid_a_list_and_seeds_are_all_combined(tmp_path: Path) -> None:
    found = planned(
        tmp_path,
        """
[sweep]
seeds = [1, 2]
list = [{ "learn.lam" = 0.5, "learn.final_lam" = 0.1 }, {}]
[sweep.grid]
"learn.rate" = [1e-3, 5e-3]
"net.hidden" = [[8], [16, 8], [32]]
""",
    )
    assert len(found) == len({trial.name for trial in found}) == 2 * 2 * 2 * 3
    configs = [trial.config for trial in found]
    assert all(isinstance(config, TrainConfig) and config.sweep is None for config in configs)
    seen = {(c.seed, c.learn.lam, c.learn.final_lam, c.learn.rate, c.net.hidden) for c in configs if isinstance(c, TrainConfig)}
    assert len(seen) == 24
    assert (2, 0.5, 0.1, 0.005, (16, 8)) in seen
    assert (1, 0.7, 1.0, 0.001, (32,)) in seen
    assert {c.selfplay.games for c in configs if isinstance(c, TrainConfig)} == {200}


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ('[sweep.grid]\n"learn.lerning" = [1]\n', r"sweep, trial learn\.lerning=1_seed=1: unknown key learn\.lerning"),
        ('[sweep.grid]\n"learn.rate" = ["fast"]\n', "sweep, trial .*: learn.rate: .*number.*'fast'"),
        ('[sweep.grid]\n"learn.rate" = []\n', "sweep.grid.learn.rate: .*at least 1"),
        ('[sweep.grid]\n"learn.rate" = 3\n', "sweep.grid.learn.rate: .*list"),
        ('[sweep.grid]\n"seed" = [1]\n', "sweep: write seeds as seeds"),
        ('[sweep.grid]\n"sweep.seeds" = [[1]]\n', "sweep: write seeds as seeds"),
        ('[sweep.grid]\n"game.x" = [1]\n', "sweep: game.x: game is not a section"),
        (f'[sweep.grid]\n"learn.lam" = {[0.5] * 101}\n"learn.rate" = {[0.5] * 100}\n', "sweep: 10,100 trials are more than 10,000"),
        ("[sweep]\nseeds = [1, 1]\n", "sweep: seed=1 comes twice"),
        ("[sweep]\nseeds = [-1]\n", "sweep.seeds.0: .*greater than or equal to 0"),
        ("[sweep]\nseeds = 3\n", "sweep.seeds: "),
        ("[sweep]\ngird = 1\n", r"unknown key sweep\.gird \(did you mean grid\?\)"),
    ],
)
def test_a_mistake_in_a_sweep_is_named_before_anything_runs(tablezoo, tmp_path: Path, text: str, message: str) -> None:  # type: ignore[no-untyped-def]  # noqa: F811
    (tmp_path / "s.toml").write_text(BASE + text)
    code, out, err = tablezoo("run", "s.toml")
    assert (code, out, err.count("\n")) == (2, "", 1)
    assert err.startswith("tablezoo: s.toml: ")
    assert re.search(message, err)
    assert not (tmp_path / "runs").exists()


def test_names_of_trials_are_folders_and_differ() -> None:
    assert trial_name({"learn.rate": 0.001, "seed": 2}) == "learn.rate=0.001_seed=2"
    assert trial_name({"net.hidden": [64, 32], "seed": 2}) == "net.hidden=64x32_seed=2"
    odd = [{"a": "x/y"}, {"a": "x y"}, {"a": "x-y"}, {"a": "z" * 300}, {"a": "z" * 301}, {"a": "../.."}]
    names = [trial_name(settings) for settings in odd]
    assert len(set(names)) == len(odd)
    assert all("/" not in name and len(name) < 100 for name in names)


def test_a_sweep_runs_every_trial_and_only_new_ones_when_it_goes_on(tablezoo, tmp_path: Path) -> None:  # type: ignore[no-untyped-def]  # noqa: F811
    (tmp_path / "s.toml").write_text(BASE + SWEEP)
    code, out, err = tablezoo("run", "s.toml")
    assert (code, err) == (0, "")
    folder = tmp_path / "runs/s"
    names = {f"learn.rate={rate}_seed={seed}" for rate in ("0.001", "0.005") for seed in (1, 2)}
    assert {path.name for path in (folder / "trials").iterdir()} == names
    told = json.loads((folder / "run.json").read_text())["trials"]
    assert {record["status"] for record in told.values()} == {"finished"}
    alone = tablezoo("run", "s.toml", "--name", "alone", "learn.rate=5e-3", "seed=2", "sweep={}")
    assert alone[0] == 0
    one = json.loads((tmp_path / "runs/alone/trials/seed=2/run.json").read_text())["results"]
    assert told["learn.rate=0.005_seed=2"]["results"] == one
    points = [told[f"learn.rate=0.001_seed={seed}"]["results"]["random"]["ppg"] for seed in (1, 2)]
    assert f"{sum(points) / 2:+.3f} ± {abs(points[0] - points[1]) / 2:.3f}" in out, "mean and standard error over the seeds"

    before = {path: path.stat().st_mtime_ns for path in folder.glob("trials/*/metrics.jsonl")}
    code, out, _ = tablezoo("run", "s.toml", "sweep.seeds=[1, 2, 3]", "--resume")
    assert code == 0
    assert len(list((folder / "trials").iterdir())) == 6
    assert {path: path.stat().st_mtime_ns for path in before} == before


def test_a_failed_trial_is_a_failed_trial_and_no_result(tablezoo, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:  # type: ignore[no-untyped-def]  # noqa: F811
    (tmp_path / "s.toml").write_text(BASE + SWEEP)
    follow = NumbaLearner._follow

    def diverging(self: NumbaLearner, *arguments: object) -> float:
        return float("nan") if (self.seed, self.config.rate) == (2, 1e-3) else follow(self, *arguments)  # type: ignore[arg-type]

    with monkeypatch.context() as patch:
        patch.setattr(NumbaLearner, "_follow", diverging)
        code, out, _ = tablezoo("run", "s.toml")
    assert code == 1
    told = json.loads((tmp_path / "runs/s/run.json").read_text())["trials"]
    failed = told.pop("learn.rate=0.001_seed=2")
    assert failed["status"] == "failed"
    assert "learning has diverged after 50 games" in failed["error"]
    assert "results" not in failed
    assert [record["status"] for record in told.values()] == ["finished"] * 3
    alone = told["learn.rate=0.001_seed=1"]["results"]["random"]
    assert f"{alone['ppg']:+.3f} ± {alone['se']:.3f}" in out, "the mean is that of the seed that came to its end"
    assert json.loads((tmp_path / "runs/s/trials/learn.rate=0.001_seed=2/run.json").read_text())["status"] == "failed"
    assert tablezoo("run", "s.toml", "--resume")[0] == 0, "it is tried again"


def test_a_sweep_that_was_stopped_goes_on_where_it_was(tablezoo, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:  # type: ignore[no-untyped-def]  # noqa: F811
    (tmp_path / "s.toml").write_text(BASE + SWEEP)
    launch, begun = sweep.launch, []

    def stopping(config, name, *rest):  # type: ignore[no-untyped-def]
        begun.append(name)
        if len(begun) == 3:
            raise Interrupted
        return launch(config, name, *rest)

    with monkeypatch.context() as patch:
        patch.setattr(sweep, "launch", stopping)
        code, out, _ = tablezoo("run", "s.toml")
    assert (code, "go on with --resume" in out) == (130, True)
    assert json.loads((tmp_path / "runs/s/run.json").read_text())["status"] == "interrupted"
    monkeypatch.setattr(sweep, "launch", lambda config, name, *rest: begun.append(name) or launch(config, name, *rest))
    assert tablezoo("run", "s.toml", "--resume")[0] == 0
    assert begun[3:] == [*begun[2:3], "learn.rate=0.005_seed=2"]


def test_a_trial_that_was_killed_before_it_began_begins(tablezoo, tmp_path: Path) -> None:  # type: ignore[no-untyped-def]  # noqa: F811
    (tmp_path / "s.toml").write_text(BASE + "[sweep]\nseeds = [1]\n")
    assert tablezoo("run", "s.toml")[0] == 0
    trial = tmp_path / "runs/s/trials/seed=1"
    (trial / "config.toml").unlink()
    for _ in range(2):
        assert tablezoo("run", "s.toml", "--resume")[0] == 0
        assert {path.name for path in trial.parent.iterdir()} == {"seed=1", "seed=1-2"}


def test_what_a_trial_says_is_printed_as_it_is(tablezoo, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:  # type: ignore[no-untyped-def]  # noqa: F811
    """Square brackets are no markup."""
    (tmp_path / "d.toml").write_text('kind = "duel"\na = "gnubg"\nb = "random"\ngames = 2\n[sweep]\nseeds = [1]\n')
    monkeypatch.setitem(sys.modules, "gnubg_nn", None)
    code, out, _ = tablezoo("run", "d.toml")
    assert code == 1
    assert "pip install 'tablezoo[referees]'" in out


def test_duels_and_leagues_can_be_swept(tablezoo, tmp_path: Path) -> None:  # type: ignore[no-untyped-def]  # noqa: F811
    (tmp_path / "d.toml").write_text('kind = "duel"\ngame = "nannon"\na = "pips"\nb = "random"\ngames = 64\n[sweep.grid]\nb = ["random", "exact"]\n')
    assert tablezoo("run", "d.toml")[0] == 0
    told = json.loads((tmp_path / "runs/d/run.json").read_text())["trials"]
    assert told["b=random_seed=1"]["results"]["random"]["ppg"] > told["b=exact_seed=1"]["results"]["exact"]["ppg"]


def test_runs_are_listed_with_their_status(tablezoo, tmp_path: Path) -> None:  # type: ignore[no-untyped-def]  # noqa: F811
    (tmp_path / "b.toml").write_text(BASE)
    (tmp_path / "s.toml").write_text(BASE + "[sweep]\nseeds = [1, 2]\n")
    for name in ("done", "killed", "damaged", "working", "failed", "interrupted"):
        assert tablezoo("run", "b.toml", "--name", name)[0] == 0
        if name in ("killed", "working", "failed", "interrupted"):
            RunFolder(tmp_path / "runs" / name).describe(status={"killed": "running", "working": "running"}.get(name, name), error="ValueError: x", results={})
    assert tablezoo("run", "s.toml")[0] == 0
    (tmp_path / "runs/damaged/run.json").write_text("{")
    (tmp_path / "runs/no run").mkdir()
    with RunFolder(tmp_path / "runs/working").claimed():
        code, out, _ = tablezoo("runs", "--json")
        table = tablezoo("runs")[1]
    assert code == 0
    found = {run["name"]: run for run in json.loads(out)["runs"]}
    expected = {"done": "finished", "killed": "killed", "damaged": "damaged", "working": "running", "failed": "failed", "interrupted": "interrupted"}
    expected |= {"s": "finished", "s/trials/seed=1": "finished", "s/trials/seed=2": "finished"}
    assert {name: run["status"] for name, run in found.items()} == expected
    assert found["failed"]["result"] == "ValueError: x"
    assert "against random" in found["done"]["result"]
    assert found["s"]["result"] == "2 finished"
    assert all(status in table for status in expected.values())


def test_no_runs_folder_is_named(tablezoo) -> None:  # type: ignore[no-untyped-def]  # noqa: F811
    code, out, err = tablezoo("runs")
    assert (code, out) == (2, "")
    assert "runs: no such folder; name the one that holds the runs with --runs" in err
