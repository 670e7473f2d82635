"""The command line: its JSON, its exit codes, and the one line a mistake gets."""

import errno
import json
import os
import re
import signal
import subprocess
import sys
import time
from importlib.metadata import version
from pathlib import Path

import pytest

from agents.nets.files import write_whole
from experiments.cli import main
from experiments.interrupt import Interrupted
from experiments.run import TrainingRun
from experiments.store import RunFolder

DATA = Path(__file__).parent / "data"
TINY = (
    "selfplay.games=300",
    "selfplay.batch=50",
    "net.hidden=[8]",
    "evaluate.games=20",
    "evaluate.mark_games=4",
    "evaluate.marks=1",
    "threads=2",
    "checkpoint_minutes=999",
)


def run(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], *words: str) -> tuple[int, str, str]:
    """Exit code, standard output, standard error of a command."""
    monkeypatch.setattr(sys, "argv", ["tablezoo", *words])
    with pytest.raises(SystemExit) as caught:
        main()
    out, err = capsys.readouterr()
    return int(caught.value.code or 0), out, err


@pytest.fixture
def tablezoo(monkeypatch, capsys, tmp_path):  # type: ignore[no-untyped-def]
    """The command, run in an empty folder."""
    monkeypatch.chdir(tmp_path)
    return lambda *words: run(monkeypatch, capsys, *words)


def test_plays_as_json(tablezoo) -> None:  # type: ignore[no-untyped-def]
    code, out, err = tablezoo("plays", "backgammon", "--roll", "31", "--json")
    assert (code, err) == (0, "")
    found = json.loads(out)
    assert (found["game"], found["roll"], len(found["plays"])) == ("backgammon", [3, 1], 16)
    assert found["position"] == "24:2 13:5 8:3 6:5 | 19:5 17:3 12:5 1:2"
    point = next(play for play in found["plays"] if play["play"] == "8/5 6/5")
    assert point == {"play": "8/5 6/5", "after": "24:2 13:5 8:2 6:4 5:2 | 19:5 17:3 12:5 1:2", "numbers": 2, "again": False}


def test_plays_of_an_xgid_that_has_its_dice(tablezoo) -> None:  # type: ignore[no-untyped-def]
    code, out, _ = tablezoo("plays", "backgammon", "--position", "XGID=----abF-B--BbB-Bacbd----A-:0:0:1:41:1:0:0:11:10", "--json")
    assert code == 0
    assert len(json.loads(out)["plays"]) == 28


@pytest.mark.parametrize(
    ("game", "dice", "roll"), [("tabula", "631", [6, 3, 1]), ("tabula", "666", [6, 6, 6]), ("russian", "33", [3, 3]), ("nannon", "4", [4])]
)
def test_plays_of_a_position_that_has_its_dice(tablezoo, game: str, dice: str, roll: list[int]) -> None:  # type: ignore[no-untyped-def]
    hands = 1 if game == "nannon" else 15
    place = "6:1 5:1 | 2:1 1:1 " if game == "nannon" else "| "
    code, out, _ = tablezoo("plays", game, "--position", f"{place}(hand={hands} ohand={hands} dice={dice})", "--json")
    assert (code, json.loads(out)["roll"]) == (0, roll)


def test_solve_tells_the_value_of_the_start(tablezoo) -> None:  # type: ignore[no-untyped-def]
    code, out, _ = tablezoo("solve", "nannon", "--json")
    found = json.loads(out)
    assert (code, found["game"]) == (0, "nannon")
    assert 0 < found["equity_of_the_starter"] < 0.1
    code, out, _ = tablezoo("solve", "backgammon", "--json")
    assert (code, json.loads(out)["sides"]) == (0, 54_264)


def test_a_rollout_of_perfect_players_tells_the_best_play(tablezoo) -> None:  # type: ignore[no-untyped-def]
    """Between exact players judged by an exact player no game differs from its value."""
    code, out, _ = tablezoo("rollout", "nannon", "--roll", "2", "--base", "exact", "--games", "4", "--json")
    found = json.loads(out)["plays"]
    assert code == 0
    assert {play["play"] for play in found} == {"6/4", "5/3"}
    assert [play["equity"] for play in found] == sorted((play["equity"] for play in found), reverse=True)
    assert all(play["se"] < 1e-4 for play in found)


def test_score_against_a_solved_game(tablezoo) -> None:  # type: ignore[no-untyped-def]
    """The exact player loses nothing, the pip counter of Nannon something, random much."""
    lost = {}
    for agent in ("exact", "pips", "random"):
        code, out, _ = tablezoo("score", agent, "--exact", "nannon", "--number", "3000", "--json")
        found = json.loads(out)
        assert (code, found["agent"], found["decisions"] >= 3_000) == (0, agent, True)
        lost[agent] = found["loss_mp"]
    assert lost["exact"] == pytest.approx(0, abs=1e-4)
    assert 0.1 < lost["pips"] < lost["random"]


def test_perft_as_json(tablezoo) -> None:  # type: ignore[no-untyped-def]
    code, out, _ = tablezoo("perft", "backgammon", "--depth", "2", "--json")
    found = json.loads(out)
    assert code == 0
    assert (found["game"], found["depth"], found["perft"]) == ("backgammon", 2, 202_782)
    assert found["seconds"] > 0


def test_duel_as_json(tablezoo) -> None:  # type: ignore[no-untyped-def]
    code, out, err = tablezoo("duel", "pubeval", "random", "--games", "400", "--seed", "5", "--json")
    found = json.loads(out)
    assert (code, err) == (0, "")
    assert {k: found[k] for k in ("game", "a", "b", "games", "seed")} == {"game": "backgammon", "a": "pubeval", "b": "random", "games": 400, "seed": 5}
    assert 2.3 < found["ppg"] < 2.7
    assert 0.01 < found["se"] < 0.08
    assert 0.97 < found["wins"] <= 1


def test_score_as_json_and_the_ladder_of_the_plain_players(tablezoo) -> None:  # type: ignore[no-untyped-def]
    """pubeval loses about 39 mp a decision on the whole set, random about 282."""
    losses = {}
    for agent in ("pubeval", "random", "pips"):
        code, out, _ = tablezoo("score", agent, str(DATA / "decisions.jsonl"), "--json")
        found = json.loads(out)
        assert (code, found["agent"], found["decisions"]) == (0, agent, 59)
        assert sum(part["decisions"] for part in found["by_class"].values()) == 59
        losses[agent] = found["loss_mp"]
    assert 15 < losses["pubeval"] < 80
    assert 150 < losses["random"] < 500
    assert losses["pubeval"] < losses["pips"]


def test_games_lists_every_game(tablezoo) -> None:  # type: ignore[no-untyped-def]
    code, out, _ = tablezoo("games", "--json")
    names = [entry["name"] for entry in json.loads(out)["games"]]
    assert code == 0
    assert {"backgammon", "simple-backgammon"} <= set(names)
    _, table, _ = tablezoo("games")
    assert all(name in table for name in names)


def test_show_draws_the_board(tablezoo) -> None:  # type: ignore[no-untyped-def]
    code, out, _ = tablezoo("show", "backgammon")
    assert code == 0
    assert out.count("x") >= 15
    assert out.count("o") >= 15


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (("perft", "backgamon", "--depth", "1"), "unknown game 'backgamon' (did you mean backgammon?)"),
        (("perft", "backgammon", "--depth", "-1"), "depth must be a whole number"),
        (("perft", "backgammon", "--depth", "x"), "depth"),
        (("score", "random"), "name either a file of decisions or a solved game"),
        (("score", "random", "--exact", "nannon", "--number", "0"), "--number must be a whole number from 1 on"),
        (("score", "random", "--exact", "backgammon"), "at most 3 checkers"),
        (("solve", "russian"), "both sides bear off from the same points"),
        (("perft", "backgammon", "--depth", "1000000000"), "depth must be a whole number from 0 to 12"),
        (("perft", "takhteh", "--depth", "1", "-o", "forced_use=greedy"), "waste_pips"),
        (("show", "backgammon", "--position", ""), "cannot read position id ''"),
        (("run", "quickstart", "duel=1"), "unknown key duel"),
        (("run", "quickstart", "train.x=1"), "unknown key train"),
        (("run", "quickstart", "learn.memory=inf"), "learn.memory"),
        (("run", "quickstart", "--name", "a/b"), "cannot name a run 'a/b'"),
        (("perft", "backgammon", "--depth", "1", "-o", "forced_use=gredy"), "option forced_use cannot be 'gredy' (did you mean greedy?)"),
        (("perft", "backgammon", "--depth", "1", "-o", "forced=max"), "unknown option 'forced'"),
        (("perft", "backgammon", "--depth", "1", "-o", "forced_use"), "expected name=reading"),
        (("plays", "backgammon", "--roll", "37"), "a die shows 1 to 6, not 7"),
        (("plays", "backgammon", "--roll", "311"), "a roll is two numbers like (3, 1)"),
        (("plays", "backgammon"), "say which roll"),
        (("plays", "backgammon", "--roll", "31", "--position", "24:2 x | 1:2"), "cannot read 'x'"),
        (("plays", "backgammon", "--roll", "31", "--position", "24:20 | 1:2"), "20 checkers"),
        (("plays", "backgammon", "--roll", "31", "--position", "4HPwATDgc/AB"), "position id '4HPwATDgc/AB'"),
        (("plays", "backgammon", "--roll", "31", "--position", "XGID=a:b"), "2 fields instead of 10"),
        (("show", "backgammon", "--position", "24:15 | 24:15"), "both sides have checkers on point 24"),
        (("duel", "td:none", "random"), "none: no such file"),
        (("duel", "pubeval", "randm"), "unknown agent 'randm' (did you mean random?)"),
        (("duel", "pubeval", "random", "--games", "7"), "games"),
        (("score", "pubeval", "absent.jsonl"), "absent.jsonl: cannot be read"),
        (("run", "quickstrt"), "no config 'quickstrt' (did you mean quickstart?)"),
        (("run", "quickstart", "lern.rate=1"), "unknown key lern (did you mean learn?)"),
        (("run", "quickstart", "seed=x"), "seed: "),
        (("run", "quickstart", "game=backgamon"), "unknown game 'backgamon'"),
        (("run", "quickstart", "options.forced_use=gredy"), "option forced_use cannot be 'gredy'"),
        (("run", "quickstart", 'evaluate.opponents=["gnu"]'), "unknown agent 'gnu'"),
        (("run", "quickstart", "--resume"), "nothing to resume"),
        (("run", "quickstart", "--runs", "/proc/none"), "cannot create the run folder"),
        (("run", "quickstart", "--runs", "/etc/passwd"), "cannot create"),
        (("frobnicate",), "frobnicate"),
        (("perft", "backgammon"), "depth"),
    ],
)
def test_a_mistake_gets_one_line_and_exit_code_two(tablezoo, tmp_path: Path, words: tuple[str, ...], message: str) -> None:  # type: ignore[no-untyped-def]
    code, out, err = tablezoo(*words)
    assert (code, out) == (2, "")
    assert message in err
    assert err.count("\n") == 1
    assert err.startswith("tablezoo: ")
    assert list(tmp_path.iterdir()) == [], "nothing half-written"


@pytest.mark.parametrize(
    ("line", "message"),
    [
        ("{", "line 2: not a decision"),
        ("3", "line 2: not a decision"),
        ('{"pid": "4HPwATDgc/ABMA"}', "line 2: not a decision: no field 'dice'"),
        ('{"pid": "x", "dice": [3, 1], "cls": "race", "moves": []}', "line 2: not a decision: cannot read position id 'x'"),
        ('{"pid": "4HPwATDgc/ABMA", "dice": [3, 7], "cls": "race", "moves": []}', "line 2: .*not 7"),
        ('{"pid": "4HPwATDgc/ABMA", "dice": [3, 1], "cls": "race", "moves": [["4HPwATDgc/ABMA", 0.1]]}', "has no equity in the file"),
    ],
)
def test_a_bad_decision_is_named_by_its_line(tablezoo, tmp_path: Path, line: str, message: str) -> None:  # type: ignore[no-untyped-def]
    first = (DATA / "decisions.jsonl").read_text().splitlines()[0]
    (tmp_path / "set.jsonl").write_text(f"{first}\n{line}\n")
    code, out, err = tablezoo("score", "pubeval", "set.jsonl", "--json")
    assert (code, out) == (2, "")
    assert re.search(message, err)


def test_a_run_trains_evaluates_and_leaves_its_record(tablezoo, tmp_path: Path) -> None:  # type: ignore[no-untyped-def]
    code, out, _ = tablezoo("run", "quickstart", *TINY)
    assert code == 0
    assert "pubeval" in out
    assert "random" in out
    folder = tmp_path / "runs" / "quickstart"
    assert json.loads((folder / "run.json").read_text())["status"] == "finished"
    assert "hidden = [\n    8,\n]" in (folder / "config.toml").read_text()
    steps = [json.loads(line)["games"] for line in (folder / "metrics.jsonl").read_text().splitlines()]
    assert steps == sorted(steps)
    assert steps[-1] == 300
    assert len(list(folder.glob("events.out.tfevents*"))) == 1
    assert [p.name for p in (folder / "checkpoints").iterdir()] == ["000000000300.safetensors"]
    code, out, _ = tablezoo("duel", "td:runs/quickstart", "td:runs/quickstart", "--games", "10", "--json")
    assert code == 0
    assert json.loads(out)["ppg"] == 0
    tablezoo("run", "quickstart", *TINY)
    assert sorted(p.name for p in (tmp_path / "runs").iterdir()) == ["quickstart", "quickstart-2"], "no run writes into another"
    first, second = ((tmp_path / "runs" / name / "checkpoints/000000000300.safetensors").read_bytes() for name in ("quickstart", "quickstart-2"))
    assert first == second, "same seed, same net"


def test_resuming_with_another_config_or_a_damaged_checkpoint_is_refused(tablezoo, tmp_path: Path) -> None:  # type: ignore[no-untyped-def]
    tablezoo("run", "quickstart", *TINY)
    code, _, err = tablezoo("run", "quickstart", *TINY, "learn.lam=0.5", "--resume")
    assert code == 2
    assert "another config: learn differ" in err
    checkpoint = next((tmp_path / "runs/quickstart/checkpoints").iterdir())
    checkpoint.write_bytes(checkpoint.read_bytes()[:1000])
    code, _, err = tablezoo("run", "quickstart", *TINY, "--resume")
    assert code == 2
    assert checkpoint.name in err
    assert "damaged" in err


def test_resume_goes_on_with_the_run_of_that_name_and_no_other(tablezoo, tmp_path: Path) -> None:  # type: ignore[no-untyped-def]
    tablezoo("run", "quickstart", *TINY, "--name", "q7")
    code, _, err = tablezoo("run", "quickstart", *TINY, "--name", "q", "--resume")
    assert code == 2
    assert "no run q in runs" in err


def test_what_a_crash_left_half_written_does_not_stop_a_run(tablezoo, tmp_path: Path) -> None:  # type: ignore[no-untyped-def]
    tablezoo("run", "quickstart", *TINY)
    metrics = tmp_path / "runs/quickstart/metrics.jsonl"
    before = metrics.read_text()
    metrics.write_text(before + '{"games": 1200, "lo')
    code, _, _ = tablezoo("run", "quickstart", *TINY, "--resume")
    assert code == 0
    assert metrics.read_text() == before, "and evaluates once"
    (tmp_path / "runs/quickstart/run.json").write_text('{"status')
    code, _, err = tablezoo("run", "quickstart", *TINY, "--resume")
    assert code == 2
    assert "run.json: damaged; delete it" in err


def test_two_processes_do_not_work_on_one_run(tablezoo, tmp_path: Path) -> None:  # type: ignore[no-untyped-def]
    tablezoo("run", "quickstart", *TINY)
    with RunFolder(tmp_path / "runs/quickstart").claimed():
        code, _, err = tablezoo("run", "quickstart", *TINY, "--resume")
    assert code == 2
    assert "another process is working on this run" in err


def test_an_interrupted_evaluation_is_made_up_for(tablezoo, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:  # type: ignore[no-untyped-def]
    def evaluations(name: str) -> list[dict[str, float]]:
        lines = (tmp_path / "runs" / name / "metrics.jsonl").read_text().splitlines()
        return [entry for line in lines if "pubeval/ppg" in (entry := json.loads(line))]

    def interrupted(*_: object) -> None:
        raise Interrupted

    tablezoo("run", "quickstart", *TINY, "--name", "whole")
    with monkeypatch.context() as patch:
        patch.setattr(TrainingRun, "report", interrupted)
        code, _, _ = tablezoo("run", "quickstart", *TINY, "--name", "cut")
        assert code == 130
    assert evaluations("cut") == []
    code, _, _ = tablezoo("run", "quickstart", *TINY, "--name", "cut", "--resume")
    assert code == 0
    assert evaluations("cut") == evaluations("whole")
    assert [entry["games"] for entry in evaluations("cut")] == [150, 300]


def test_threads_may_change_when_a_run_goes_on(tablezoo) -> None:  # type: ignore[no-untyped-def]
    tablezoo("run", "quickstart", *TINY)
    code, _, _ = tablezoo("run", "quickstart", *TINY, "threads=1", "--resume")
    assert code == 0


def test_learning_that_diverges_ends_with_the_mend(tablezoo, monkeypatch: pytest.MonkeyPatch) -> None:  # type: ignore[no-untyped-def]
    monkeypatch.setattr("experiments.learn.NumbaLearner._follow", lambda *_: float("nan"))
    code, _, err = tablezoo("run", "quickstart", *TINY)
    assert code == 2
    assert "diverged" in err
    assert "lower learn.rate" in err


def test_a_full_disk_is_named_by_the_file_it_hit(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def full(descriptor: int) -> None:
        raise OSError(errno.ENOSPC, "No space left on device")

    write_whole(tmp_path / "run.json", b"old")
    monkeypatch.setattr(os, "fsync", full)
    with pytest.raises(OSError, match=r"run\.json: cannot be written: No space left on device; make room"):
        write_whole(tmp_path / "run.json", b"new")
    assert (tmp_path / "run.json").read_bytes() == b"old"
    assert [path.name for path in tmp_path.iterdir()] == ["run.json"]


def test_json_has_null_for_what_two_games_cannot_tell(tablezoo) -> None:  # type: ignore[no-untyped-def]
    _, out, _ = tablezoo("duel", "random", "random", "--games", "2", "--json")
    assert json.loads(out, parse_constant=pytest.fail)["se"] is None


def test_version_is_the_package_s(tablezoo) -> None:  # type: ignore[no-untyped-def]
    _, out, _ = tablezoo("--version")
    assert out.strip() == version("tablezoo") == "0.1.0"


def test_ctrl_c_ends_cleanly_and_resume_comes_to_the_same_net(tmp_path: Path) -> None:
    words = [sys.executable, "-c", "from experiments.cli import main; main()", "run", "quickstart", *TINY, "selfplay.games=4000", "--runs"]
    whole = subprocess.run([*words, str(tmp_path / "whole")], capture_output=True, text=True, check=False)
    assert whole.returncode == 0, whole.stderr
    process = subprocess.Popen([*words, str(tmp_path / "cut")], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
    metrics = tmp_path / "cut/quickstart/metrics.jsonl"
    deadline = time.monotonic() + 120
    while not (metrics.exists() and metrics.stat().st_size) and process.poll() is None and time.monotonic() < deadline:
        time.sleep(0.01)
    process.send_signal(signal.SIGINT)
    out, err = process.communicate(timeout=120)
    assert process.returncode == 130, err
    assert "go on with --resume" in " ".join(out.split())
    assert json.loads((tmp_path / "cut/quickstart/run.json").read_text())["status"] == "interrupted"
    resumed = subprocess.run([*words, str(tmp_path / "cut"), "--resume"], capture_output=True, text=True, check=False)
    assert resumed.returncode == 0, resumed.stderr
    nets = [(tmp_path / name / "quickstart/checkpoints/000000004000.safetensors").read_bytes() for name in ("whole", "cut")]
    assert nets[0] == nets[1]
    entries = [[json.loads(line) for line in (tmp_path / name / "quickstart/metrics.jsonl").read_text().splitlines()] for name in ("whole", "cut")]
    losses = [{entry["games"]: entry["loss"] for entry in run if "loss" in entry} for run in entries]
    assert losses[0] == losses[1]


def test_help_needs_neither_numba_nor_torch() -> None:
    program = (
        "import sys; sys.argv = ['tablezoo', '--help']\n"
        "from experiments.cli import main\n"
        "try: main()\n"
        "except SystemExit as end: assert not end.code\n"
        "print([name for name in ('numba', 'torch', 'gymnasium', 'numpy') if name in sys.modules])"
    )
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True, env={**os.environ, "COLUMNS": "120"})
    assert done.stdout.strip().splitlines()[-1] == "[]"
