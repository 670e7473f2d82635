"""A training that was killed goes on as if nothing had happened: weights, optimiser, counters, logs; and what is damaged is refused by name (T04, T07)."""

import json
import os
import random
import re
import shutil
import signal
import subprocess
import sys
import time
from itertools import pairwise
from pathlib import Path

import pytest
from tensorboard.backend.event_processing.event_accumulator import EventAccumulator
from test_cli import tablezoo  # noqa: F401 - the fixture

from experiments import selfplay
from experiments.interrupt import Interrupted
from experiments.run import TrainingRun

CONFIG = """
kind = "train"
game = "nannon"
checkpoint_minutes = 1e-9
threads = 2
[net]
hidden = [8]
[selfplay]
games = 4_000
batch = 50
[learn]
targets = "lookahead"
replay = 2_000
passes = 2
[evaluate]
opponents = ["random", "pips"]
games = 40
mark_games = 20
marks = 3
"""
"""A checkpoint after every one of its 80 batches."""
LAST = "checkpoints/000000004000.safetensors"
MAIN = "from experiments.cli import main; main()"
KILLED_IN_THE_WRITE = f"""
import os, signal, sys
left, whole = int(sys.argv.pop(1)), os.fsync
def fsync(descriptor):
    global left
    left -= os.readlink(f"/proc/self/fd/{{descriptor}}").rpartition("/")[2].startswith(".")
    if not left:
        os.ftruncate(descriptor, os.fstat(descriptor).st_size // 2)
        os.kill(os.getpid(), signal.SIGKILL)
    whole(descriptor)
os.fsync = fsync
{MAIN}
"""
"""The command, which dies when it has written half of the n-th file that is to take another's place."""


def training(runs: Path, *words: str, program: str = MAIN) -> list[str]:
    config = runs.with_suffix(".toml")
    config.write_text(CONFIG)
    return [sys.executable, "-c", program, *words[:1], "run", str(config), "--runs", str(runs), "--name", "it", *words[1:]]


def finished(words: list[str]) -> None:
    done = subprocess.run(words, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr


@pytest.fixture(scope="module")
def whole(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The run that nothing has interrupted."""
    runs = tmp_path_factory.mktemp("whole") / "runs"
    finished([word for word in training(runs, "") if word])
    return runs / "it"


def log(run: Path) -> list[dict[str, float]]:
    """What was recorded, times apart."""
    entries = [json.loads(line) for line in (run / "metrics.jsonl").read_text().splitlines()]
    return [{key: value for key, value in entry.items() if key not in ("cpu_seconds", "games_per_second")} for entry in entries]


def curves(run: Path) -> dict[str, list[tuple[int, float]]]:
    """TensorBoard's scalars as it shows them, times apart."""
    board = EventAccumulator(str(run), size_guidance={"scalars": 0}).Reload()
    tags = [tag for tag in board.Tags()["scalars"] if tag not in ("cpu_seconds", "games_per_second")]
    return {tag: [(event.step, event.value) for event in board.Scalars(tag)] for tag in tags}


def assert_same(run: Path, whole: Path) -> None:
    assert (run / LAST).read_bytes() == (whole / LAST).read_bytes()
    assert log(run) == log(whole)
    assert curves(run) == curves(whole)
    for points in curves(run).values():
        steps = [step for step, _ in points]
        assert all(a < b for a, b in pairwise(steps))
    marks = {path.name: path.read_bytes() for path in (run / "marks").glob("0*")}
    assert marks == {path.name: path.read_bytes() for path in (whole / "marks").iterdir()}
    assert json.loads((run / "run.json").read_text())["results"] == json.loads((whole / "run.json").read_text())["results"]


def test_the_log_has_no_gap_and_no_double_step(whole: Path) -> None:
    steps = [entry["games"] for entry in log(whole) if "loss" in entry]
    assert steps == list(range(500, 4_001, 500))
    evaluated = [entry["games"] for entry in log(whole) if "pips/ppg" in entry]
    assert evaluated == [1_000, 2_000, 3_000, 4_000]
    assert [step for step, _ in curves(whole)["loss"]] == steps
    assert [step for step, _ in curves(whole)["pips/ppg"]] == evaluated


@pytest.mark.skipif(not Path("/proc/self/fd").exists(), reason="the test looks up names of open files")
def test_killed_in_the_middle_of_writing_a_file_it_goes_on_to_the_same_end(tmp_path: Path, whole: Path) -> None:
    runs, torn = tmp_path / "runs", set()
    for number in (2, 4, 3, 40):
        resume = ["--resume"] if any(runs.glob("*/config.toml")) else []
        done = subprocess.run(training(runs, str(number), *resume, program=KILLED_IN_THE_WRITE), capture_output=True, text=True, check=False)
        assert done.returncode == -signal.SIGKILL, done.stderr
        torn |= {path.name.rpartition(".")[0] for path in runs.rglob(".*") if path.name != ".lock"}
    assert {".config.toml", ".metrics.jsonl"} < torn
    assert any(name.endswith(".safetensors") for name in torn)
    finished([word for word in training(runs, "", "--resume") if word])
    (run,) = (path.parent for path in runs.glob("*/config.toml"))
    assert_same(run, whole)
    assert not list(run.glob("checkpoints/.*")), "what was half-written is gone"


def killed_after(words: list[str], run: Path, checkpoints: int, moment: float) -> None:
    """Kill a command some moments after it has written so many checkpoints more."""
    newest = max(run.glob("checkpoints/0*"), default=Path("0")).stem
    target = int(newest) + 50 * checkpoints
    process = subprocess.Popen(words, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True)
    deadline = time.monotonic() + 120
    while process.poll() is None and time.monotonic() < deadline and int(max(run.glob("checkpoints/0*"), default=Path("0")).stem) < target:
        time.sleep(0.001)
    time.sleep(moment)
    process.kill()
    _, err = process.communicate()
    assert process.returncode == -signal.SIGKILL, err


@pytest.mark.parametrize("times", [2, pytest.param(20, marks=pytest.mark.slow)])
def test_killed_at_random_moments_it_goes_on_to_the_same_end(tmp_path: Path, whole: Path, times: int) -> None:
    seed = int.from_bytes(os.urandom(4))
    print("seed of the moments:", seed)
    generator, runs, resume = random.Random(seed), tmp_path / "runs", []
    for _ in range(times):
        killed_after([w for w in training(runs, "", *resume) if w], runs / "it", generator.randrange(1, 70 // times), generator.random() / 50)
        resume = ["--resume"]
    finished([word for word in training(runs, "", "--resume") if word])
    assert_same(runs / "it", whole)


SMALL_DISK = """
runs=$1 kept=$2 room=$3; shift 3
mount -t tmpfs -o size=700k tmpfs "$runs" || exit 99
head -c "${room}k" /dev/zero > "$runs/filler"
"$@"; echo "code $?"
cat "$runs/it/run.json"
rm "$runs/filler"
"$@" --resume; echo "code $?"
cp -r "$runs/it" "$kept"
"""
"""A disk that fills while the run goes on, and on which room is made then."""


def unshared() -> list[str]:
    """A shell that may mount; the test is skipped where there is none."""
    words = ["unshare", "--mount"] if os.geteuid() == 0 else ["unshare", "--map-root-user", "--mount"]
    if shutil.which("unshare") is None or subprocess.run([*words, "mount", "-t", "tmpfs", "tmpfs", "/mnt"], capture_output=True, check=False).returncode:
        pytest.skip("mounting is not permitted here")
    return [*words, "sh", "-c", SMALL_DISK, "sh"]


@pytest.mark.parametrize("room", [pytest.param(640, marks=pytest.mark.slow), pytest.param(520, marks=pytest.mark.slow), 440])
def test_a_full_disk_ends_a_run_in_one_line_and_it_goes_on_to_the_same_end(tmp_path: Path, whole: Path, room: int) -> None:
    """The disk is full at the second checkpoint, at a mark, and in a TensorBoard event."""
    (tmp_path / "runs").mkdir()
    words = [word for word in training(tmp_path / "runs", "") if word]
    done = subprocess.run([*unshared(), str(tmp_path / "runs"), str(tmp_path / "kept"), str(room), *words], capture_output=True, text=True, check=False)
    assert re.fullmatch(r"tablezoo: .*: cannot be written: No space left on device; make room or choose another place\n", done.stderr)
    assert re.findall(r"code (\d+)", done.stdout) == ["2", "0"]
    assert "against random" not in done.stdout.split("code 2")[0] or room < 600, "no score line before the first mark"
    assert re.search(r'"status": "(failed|running)"', done.stdout)
    assert_same(tmp_path / "kept", whole)


def stopped_early(tablezoo, tmp_path: Path, monkeypatch) -> Path:  # type: ignore[no-untyped-def]  # noqa: F811
    """A run that was stopped after 2,000 games."""
    (tmp_path / "runs.toml").write_text(CONFIG)

    def stop(self: TrainingRun, bar: object) -> None:
        if self.trainer.games_learned == 2_000:
            raise Interrupted

    with monkeypatch.context() as patch:
        patch.setattr(TrainingRun, "report", stop)
        assert tablezoo("run", "runs.toml", "--name", "it")[0] == 130
    return tmp_path / "runs/it"


def newest(run: Path) -> Path:
    return sorted((run / "checkpoints").glob("0*"))[-1]


def cut(path: Path) -> None:
    path.write_bytes(path.read_bytes()[:-100])


def flip(path: Path) -> None:
    data = bytearray(path.read_bytes())
    data[-50] ^= 1
    path.write_bytes(data)


def empty(path: Path) -> None:
    path.write_bytes(b"")


def old(path: Path) -> None:
    """A file of format 0."""
    data = path.read_bytes()
    assert b'\\"format\\": 1' in data
    path.write_bytes(data.replace(b'\\"format\\": 1', b'\\"format\\": 0'))


@pytest.mark.parametrize("damage", [cut, flip, empty, old])
def test_a_damaged_checkpoint_is_refused_and_the_last_sound_one_offered(tablezoo, tmp_path, monkeypatch, damage) -> None:  # type: ignore[no-untyped-def]  # noqa: F811
    run = stopped_early(tablezoo, tmp_path, monkeypatch)
    before = {path: path.read_bytes() for path in run.rglob("*") if path.is_file()}
    damage(newest(run))
    code, out, err = tablezoo("run", "runs.toml", "--name", "it", "--resume")
    assert (code, out, err.count("\n")) == (2, "", 1)
    assert re.search(r"000000002000\.safetensors: .*; 000000001950\.safetensors is sound: delete 000000002000\.safetensors to go on from there", err)
    changed = [path.name for path in before if path.read_bytes() != before[path]]
    assert changed == ["000000002000.safetensors"], "nothing else was touched"
    newest(run).unlink()
    assert tablezoo("run", "runs.toml", "--name", "it", "--resume")[0] == 0
    assert tablezoo("duel", "td:runs/it", "random", "--game", "nannon", "--games", "2", "--json")[0] == 0


def test_where_no_checkpoint_is_sound_none_is_offered(tablezoo, tmp_path, monkeypatch) -> None:  # type: ignore[no-untyped-def]  # noqa: F811
    run = stopped_early(tablezoo, tmp_path, monkeypatch)
    for path in (run / "checkpoints").iterdir():
        cut(path)
    code, _, err = tablezoo("run", "runs.toml", "--name", "it", "--resume")
    assert (code, "is sound" in err) == (2, False)


def test_a_missing_checkpoint_is_an_error(tablezoo, tmp_path, monkeypatch) -> None:  # type: ignore[no-untyped-def]  # noqa: F811
    run = stopped_early(tablezoo, tmp_path, monkeypatch)
    shutil.rmtree(run / "checkpoints")
    code, _, err = tablezoo("run", "runs.toml", "--name", "it", "--resume")
    assert code == 2
    assert "the checkpoint after 2,000 games is missing" in err


@pytest.mark.parametrize(
    ("lines", "message"),
    [
        (lambda lines: lines[:-1], "metrics.jsonl: ends after 1,500 games, but the checkpoint knows of 2,000"),
        (lambda lines: [lines[0], lines[1][:-5] + "\n", *lines[2:]], "metrics.jsonl, line 2: damaged"),
        (lambda lines: [lines[0], "\0\0\0\n", *lines[1:]], "metrics.jsonl, line 2: damaged"),
        (lambda lines: [*lines, "[]\n"], "metrics.jsonl, line 5: damaged"),
        (lambda lines: [*lines, '{"games": 5, "loss": "low"}\n'], "metrics.jsonl, line 5: damaged (not all of it is numbers)"),
        (lambda lines: [], "metrics.jsonl: ends after 0 games"),
    ],
)
def test_a_damaged_or_truncated_log_is_refused(tablezoo, tmp_path, monkeypatch, lines, message: str) -> None:  # type: ignore[no-untyped-def]  # noqa: F811
    run = stopped_early(tablezoo, tmp_path, monkeypatch)
    whole = (run / "metrics.jsonl").read_text().splitlines(keepends=True)
    (run / "metrics.jsonl").write_text("".join(lines(whole)))
    before = (run / "metrics.jsonl").read_bytes()
    code, _, err = tablezoo("run", "runs.toml", "--name", "it", "--resume")
    assert (code, err.count("\n")) == (2, 1)
    assert message in err
    assert (run / "metrics.jsonl").read_bytes() == before


def test_a_worker_s_exception_ends_the_command_without_a_score(tablezoo, tmp_path, monkeypatch, capsys) -> None:  # type: ignore[no-untyped-def]  # noqa: F811
    (tmp_path / "runs.toml").write_text(CONFIG)
    calls, play_games = [0], selfplay.play_games

    def broken(*arguments: object) -> object:
        calls[0] += 1
        if calls[0] == 40:
            raise RuntimeError("out of order")
        return play_games(*arguments)  # type: ignore[arg-type]

    monkeypatch.setattr(selfplay, "play_games", broken)
    with pytest.raises(RuntimeError, match="out of order"):
        tablezoo("run", "runs.toml", "--name", "it")
    assert "points per game" not in capsys.readouterr().out
    told = json.loads((tmp_path / "runs/it/run.json").read_text())
    assert (told["status"], told["error"]) == ("failed", "RuntimeError: out of order")
    assert "results" not in told


def test_two_launches_at_once_get_two_folders(tmp_path: Path) -> None:
    words = [word for word in training(tmp_path / "runs", "", "selfplay.games=100") if word]
    both = [subprocess.Popen(words, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True) for _ in range(2)]
    assert [(process.communicate()[1], process.returncode) for process in both] == [("", 0), ("", 0)]
    runs = sorted((tmp_path / "runs").iterdir())
    assert [run.name for run in runs] == ["it", "it-2"]
    first, second = (newest(run).read_bytes() for run in runs)
    assert first == second
