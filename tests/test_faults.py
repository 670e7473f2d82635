"""Faults of training, resuming, logs, benchmarks, ratings and configs that users of other projects reported, each with its right value."""

import ast
import hashlib
import json
import shutil
from pathlib import Path
from typing import Any, get_args

import numpy as np
import pytest
from pydantic import BaseModel
from rich.console import Console
from safetensors.numpy import load_file
from scipy.special import expit
from test_cli import tablezoo  # noqa: F401 - the fixture

from agents.basic import PipsAgent, RandomAgent
from agents.nets.files import NetSpec, write_file
from agents.search import SearchAgent
from experiments.config import Config, DuelConfig, LeagueConfig, TrainConfig, check_config, set_key
from experiments.duel import duel
from experiments.duels import Duels
from experiments.launch import launch
from experiments.learn import lambda_targets
from experiments.rating import ELO, elo_after, fibs_gain
from experiments.run import FREE
from experiments.selfplay import join
from experiments.train import Trainer
from tablezoo import game

NANNON = game("nannon")
ROOT = Path(__file__).parents[1]


def targets(values: list[list[float]], ends: list[int], lam: float) -> np.ndarray[Any, np.dtype[np.float32]]:
    rows = np.zeros((len(values), 5), np.uint64)
    found = np.empty((len(values), 2), np.float32)
    lambda_targets(np.array(values, np.float32), np.empty((0, 2), np.float32), rows, np.array(ends), np.float32(lam), found)
    return found


def test_an_earlier_position_gets_the_outcome_faded_by_lambda_only() -> None:
    """T01, dissecting-reinforcement-learning#22: from values of nothing, a win after two steps moves them by 0.1 * (0.9, 1.0), not by 0.1 * (0, 1).

    Their fading by gamma 0.9 at lambda 1 is that by lambda 0.9 here, for nothing has been learned yet and games are not discounted.
    """
    first, second, _ = targets([[0, 0], [0, 0], [1, 0]], [3], 0.9)
    assert first[0] * 0.1 == pytest.approx(0.09)
    assert second[1] * 0.1 == pytest.approx(0.10)


@pytest.mark.parametrize("last", [[1.0, 0.0], [0.3, 0.4]])
def test_nothing_of_a_game_reaches_into_the_next_whether_it_ended_or_was_broken_off(last: list[float]) -> None:
    """T01, asi#2362: traces were not cleared on truncation. The last node's value is the outcome, or the net's where the game was broken off."""
    game_before, game_after = [[0.6, 0.4], last], [[0.1, 0.9], [0.7, 0.3], [0.0, 1.0]]
    together = targets(game_before + game_after, [2, 5], 0.8)
    assert np.array_equal(together[2:], targets(game_after, [3], 0.8))
    assert np.array_equal(together[:2], targets(game_before, [2], 0.8))


def test_a_player_keeps_its_name_when_the_seats_are_swapped() -> None:
    """T02, tavli 4edf46b: colours were tracked wrongly. The stronger player gains from both seats."""
    result = duel(NANNON, PipsAgent(NANNON), RandomAgent(NANNON), 4_000, seed=1)
    assert (result.points.mean(axis=0) > 0.1).all()


def test_samples_are_chances_that_sum_to_one() -> None:
    """T03, wildbg#40: a gammon target also held backgammons. Here outcomes exclude each other."""
    trainer = Trainer(TrainConfig.model_validate({"kind": "train", "net": {"hidden": (8,)}, "selfplay": {"games": 20, "batch": 20}}))
    games = join([part.result() for part in trainer._play(0)])
    trainer.close()
    assert games.values.min() >= 0
    assert games.values.sum(axis=1) == pytest.approx(np.ones(len(games.values)), abs=1e-5)


def test_a_player_that_was_kept_does_not_learn_with_the_trainer() -> None:
    """T05, ray#35393: a snapshot's weights were the live ones."""
    trainer = Trainer(tiny({}))
    kept, rows = trainer.agent, NANNON.start_row[None]
    before = kept.values(NANNON, rows)
    for _ in range(4):
        trainer.advance()
    assert np.array_equal(kept.values(NANNON, rows), before)
    assert not np.array_equal(trainer.agent.values(NANNON, rows), before)
    trainer.close()


def test_a_checkpoint_holds_tensors_and_plain_numbers_only(tmp_path: Path) -> None:
    """T06, sample-factory#313: nothing in it can run code; any reader of safetensors reads it."""
    trainer = Trainer(tiny({}))
    trainer.advance()
    trainer.save(tmp_path / "a.safetensors")
    trainer.close()
    assert {array.dtype.name for array in load_file(tmp_path / "a.safetensors").values()} <= {"float32", "uint64"}
    for source in (path for folder in ("agents", "experiments") for path in (ROOT / folder).rglob("*.py")):
        for node in ast.walk(ast.parse(source.read_text())):
            names = [alias.name for alias in node.names] if isinstance(node, ast.Import) else [node.module] if isinstance(node, ast.ImportFrom) else []
            assert not {"pickle", "marshal", "shelve", "dill", "cloudpickle"} & set(names), source
            called = node.func.id if isinstance(node, ast.Call) and isinstance(node.func, ast.Name) else ""
            assert called not in ("eval", "exec"), source


class Counting:
    """A pip counter that counts the positions it is asked about."""

    def __init__(self) -> None:
        self.asked = 0
        self.pips = PipsAgent(NANNON)

    def values(self, played: object, rows: np.ndarray[Any, np.dtype[np.uint64]]) -> np.ndarray[Any, np.dtype[np.float32]]:
        self.asked += len(rows)
        return self.pips.values(NANNON, rows)


def test_looking_further_ahead_asks_about_more_positions() -> None:
    """R01, Backgammon-NN b2f86b1: a depth was read and never used, and its headline number was that of no depth."""
    asked = []
    for plies in (0, 1, 2):
        base = Counting()
        duel(NANNON, SearchAgent(NANNON, base, plies=plies), RandomAgent(NANNON), 2, seed=1)
        asked.append(base.asked)
    assert 0 < asked[0] < asked[1] < asked[2]


BASE: dict[str, Any] = {
    "kind": "train",
    "game": "nannon",
    "net": {"hidden": [8]},
    "selfplay": {"games": 200, "batch": 50, "astray": 0.5},
    "learn": {"batch": 16, "targets": "lookahead", "replay": 10_000, "passes": 2, "hold": 0.1},
    "evaluate": {"opponents": ["random"], "games": 20, "marks": 1, "mark_games": 20},
}
CHANGED: dict[str, Any] = {
    "game": "hypergammon",
    "options": {"protect": "none"},
    "seed": 2,
    "net.hidden": [9],
    "net.start": ["start.safetensors"],
    "net.encoder": "counts",
    "selfplay.games": 250,
    "selfplay.batch": 40,
    "selfplay.max_turns": 3,
    "selfplay.net": "latest",
    "selfplay.astray": 0.0,
    "selfplay.random_plays": 3,
    "learn.targets": "played",
    "learn.lam": 0.2,
    "learn.final_lam": 0.2,
    "learn.batch": 32,
    "learn.rate": 0.01,
    "learn.hold": 0.9,
    "learn.final": 0.5,
    "learn.memory": 1.0,
    "learn.replay": 300,
    "learn.passes": 3,
    "learn.device": "cpu",
    "evaluate.opponents": ["pips"],
    "evaluate.games": 40,
    "evaluate.marks": 2,
    "evaluate.mark_games": 40,
}
"""Every key of a training with another value, those of its trees and its sieve apart."""
TREES: dict[str, Any] = {"mcts.sims": 5, "mcts.width": 1, "mcts.margin": 0.01, "mcts.spread": 1e-4, "mcts.explore": 5.0, "mcts.temperature": 0.5}
SIEVE: dict[str, Any] = {"selfplay.sieve": "start.safetensors", "selfplay.width": 1}


def tiny(change: dict[str, Any]) -> TrainConfig:
    table = json.loads(json.dumps(BASE))
    for key, value in change.items():
        set_key(table, key, value)
    config = check_config(table, "test")
    assert isinstance(config, TrainConfig)
    return config


def keys(model: type[BaseModel], above: str = "") -> set[str]:
    """Keys of a config, those of its sections by section.key."""
    found = set()
    for name, field in model.model_fields.items():
        inner = next((choice for choice in get_args(field.annotation) if choice is not type(None)), field.annotation)
        section = isinstance(inner, type) and issubclass(inner, BaseModel) and name != "sweep"
        found |= keys(inner, f"{name}.") if section else {above + name}
    return found


def outcome(config: Config, runs: Path) -> str:
    """A digest of all that comes of a run but for times."""
    folder = launch(config, "run", runs, False, Console(quiet=True))
    if not isinstance(config, TrainConfig):
        results = [
            result.points.tolist() + ([] if result.luck is None else result.luck.tolist()) for result in Duels(folder.path / "duels.jsonl").played.values()
        ]
        return json.dumps(results)
    digest = hashlib.sha256()
    for name, array in sorted(load_file(sorted(folder.checkpoints.iterdir())[-1]).items()):
        digest.update(name.encode() + array.tobytes())
    for line in (folder.path / "metrics.jsonl").read_text().splitlines():
        digest.update(json.dumps({key: value for key, value in json.loads(line).items() if key not in ("cpu_seconds", "games_per_second")}).encode())
    return digest.hexdigest()


def test_every_key_of_a_training_is_known_to_the_next_test() -> None:
    assert keys(TrainConfig) == {*CHANGED, *TREES, *SIEVE, *FREE, "kind", "sweep"}


def test_every_key_of_a_training_has_an_effect_or_is_free(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """R01: a key that is read and never used is worse than none."""
    monkeypatch.chdir(tmp_path)
    spec = NetSpec(NANNON, (8,), "tesauro")
    write_file(tmp_path / "start.safetensors", spec, spec.initial(77), {}, {})
    before = outcome(tiny({}), tmp_path / "base")
    assert outcome(tiny({}), tmp_path / "again") == before
    for key, value in CHANGED.items():
        assert outcome(tiny({key: value}), tmp_path / key) != before, key
    sieved = outcome(tiny(SIEVE), tmp_path / "sieve")
    assert sieved != before
    assert outcome(tiny({**SIEVE, "selfplay.width": 2}), tmp_path / "width") != sieved
    trees = {"selfplay.games": 40, "selfplay.batch": 20, "selfplay.astray": 0.0, "learn.targets": "mcts", "mcts.explore": 1.0, "mcts.sims": 200}
    before_trees = outcome(tiny(trees), tmp_path / "trees")
    for key, value in TREES.items():
        assert outcome(tiny({**trees, key: value}), tmp_path / key) != before_trees, key
    for key, value in {"threads": 1, "checkpoint_minutes": 1e-9}.items():
        assert key in FREE
        assert outcome(tiny({key: value}), tmp_path / key) == before, key


def test_every_key_of_a_duel_and_of_a_league_has_an_effect(tmp_path: Path) -> None:
    bases = {
        DuelConfig: {"kind": "duel", "game": "nannon", "a": "pips", "b": "random", "games": 2_000},
        LeagueConfig: {"kind": "league", "game": "nannon", "agents": ["pips", "random"], "games": 64},
    }
    common = {"game": "hypergammon", "options": CHANGED["options"], "seed": 2, "games": 128, "judge": "exact"}
    changes = {DuelConfig: {**common, "a": "exact", "b": "exact", "until": "decided"}, LeagueConfig: {**common, "agents": ["pips", "exact"]}}
    for kind, base in bases.items():
        assert keys(kind) == {*changes[kind], "kind", "sweep"}
        before = outcome(check_config(base, "base"), tmp_path / f"{base['kind']}-base")
        for key, value in changes[kind].items():
            assert outcome(check_config({**base, key: value}, key), tmp_path / f"{base['kind']}-{key}") != before, key


def test_more_passes_without_a_replay_are_refused() -> None:
    with pytest.raises(ValueError, match=r"learn: .*passes 3 need a replay to draw from: set replay"):
        tiny({"learn.passes": 3, "learn.replay": 0})


def test_elo_changes_as_a_win_against_the_odds_deserves() -> None:
    """R03, LAG#51: 2600 against 2300, K = 16, the stronger wins: 2602.4 and 2297.6."""
    assert elo_after(2600, 2300, 1.0, k=16) == pytest.approx((2602.4, 2297.6), abs=0.05)
    assert elo_after(2300, 2600, 0.0, k=16) == pytest.approx((2297.6, 2602.4), abs=0.05)
    assert float(expit(400 / ELO)) == pytest.approx(10 / 11), "the league's scale is the same"


def test_fibs_ratings_change_with_the_root_of_the_match_s_length() -> None:
    """R06, backgammon FAQ: two new players of 1500: 10 points for a 1-point match, 22.36 for a 5-point match."""
    assert fibs_gain(1500, 1500, 1, 0) == pytest.approx(10)
    assert fibs_gain(1500, 1500, 5, 0) == pytest.approx(22.36, abs=0.01)
    assert fibs_gain(1500, 1500, 5, 400) == pytest.approx(22.36 / 5, abs=0.01), "a player of experience 400 and more moves a fifth as far"
    assert fibs_gain(1700, 1500, 9, 400) < fibs_gain(1500, 1500, 9, 400) < fibs_gain(1500, 1700, 9, 400)


def test_paths_are_meant_from_where_the_command_is_given_and_a_base_from_beside_its_config(tablezoo, tmp_path: Path, monkeypatch) -> None:  # type: ignore[no-untyped-def]  # noqa: F811
    """C03, hydra#533: a tool that changes the working directory breaks every path."""
    (tmp_path / "configs").mkdir()
    (tmp_path / "elsewhere").mkdir()
    (tmp_path / "configs/base.toml").write_text(
        f"# {json.dumps(BASE)}\nkind = 'train'\ngame = 'nannon'\n[net]\nhidden = [8]\n[selfplay]\ngames = 100\nbatch = 50\n"
    )
    more = "extends = 'base.toml'\n[net]\nstart = ['start.safetensors']\n[evaluate]\nopponents = ['td:start.safetensors']\ngames = 2\nmarks = 0\n"
    (tmp_path / "configs/more.toml").write_text(more)
    spec = NetSpec(NANNON, (8,), "tesauro")
    write_file(tmp_path / "elsewhere/start.safetensors", spec, spec.initial(1), {}, {})
    monkeypatch.chdir(tmp_path / "elsewhere")
    assert tablezoo("run", "../configs/more.toml")[0] == 0
    assert (tmp_path / "elsewhere/runs/more/config.toml").exists()
    assert Path.cwd() == tmp_path / "elsewhere"
    shutil.rmtree(tmp_path / "elsewhere/runs")
    monkeypatch.chdir(tmp_path)
    code, _, err = tablezoo("run", "configs/more.toml")
    assert code == 2
    assert "start.safetensors: no such file or run folder" in err
