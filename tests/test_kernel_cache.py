"""The cache of machine code: warm, cold, read-only, damaged and shared.

Every process here runs a copy of the package of its own, so that edits elsewhere do not change the digest meanwhile.
"""

import json
import os
import shutil
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from numba.core.dispatcher import Dispatcher

from tablezoo.kernel import jit

PLAYS = 'answer = sorted(play.result.text for play in tablezoo.game("backgammon").start().plays((3, 1)))'
PERFT = 'answer = [tablezoo.game("backgammon").perft(2), len(tablezoo.game("backgammon").start().plays((3, 1)))]'
POINTS = 'answer = [tablezoo.game("backgammon").position(text).outcome for text in ("24:15 | (ooff=15)", "18:15 | (ooff=15)", "18:15 | 3:15")]'
THE_POINTS = [3, 2, None]

READ_ONLY = """
import os, sys
refused = []

def refuse(event, args):
    writes = event in ("os.mkdir", "os.rename", "os.remove") or (event == "open" and args[2] & (os.O_WRONLY | os.O_RDWR | os.O_CREAT))
    if writes and str(args[0]).startswith(os.environ["TABLEZOO_CACHE"]):
        refused.append(str(args[0]))
        raise PermissionError(13, "Permission denied", str(args[0]))

sys.addaudithook(refuse)
"""
"""Makes the cache folder read-only for a process, as chmod does for everyone but root."""

REPORT = """
import json, sys
from numba.core.dispatcher import Dispatcher
jit = sys.modules["tablezoo.kernel.jit"]
modules = [module for name, module in sys.modules.items() if name.startswith("tablezoo.")]
kernels = {id(x): x for module in modules for x in vars(module).values() if isinstance(x, Dispatcher) and isinstance(x._cache, jit._Cache)}
stats = [kernel.stats for kernel in kernels.values()]
print(json.dumps({
    "answer": answer,
    "hits": sum(sum(each.cache_hits.values()) for each in stats),
    "misses": sum(sum(each.cache_misses.values()) for each in stats),
    "folder": str(jit.FOLDER),
    "package": tablezoo.__file__,
    "refused": len(globals().get("refused", ())),
}))
"""


class House:
    """A copy of the package, and processes that run it."""

    def __init__(self, root: Path) -> None:
        self.root = root
        self.packages = root / "packages"
        shutil.copytree(jit.PACKAGES / "tablezoo", self.packages / "tablezoo", ignore=shutil.ignore_patterns("__pycache__"))

    def start(self, program: str, cache: Path | None, before: str = "", **environment: str) -> subprocess.Popen[str]:
        """A process that runs a program and reports its answer and what the cache did."""
        kept = {name: value for name, value in os.environ.items() if name not in ("TABLEZOO_CACHE", "XDG_CACHE_HOME")}
        chosen = {} if cache is None else {"TABLEZOO_CACHE": str(cache)}
        variables = {**kept, "PYTHONPATH": str(self.packages), "PYTHONDONTWRITEBYTECODE": "1", **chosen, **environment}
        command = [sys.executable, "-c", "\n".join([before, "import tablezoo", program, REPORT])]
        return subprocess.Popen(command, env=variables, cwd=self.root, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)

    def finish(self, process: subprocess.Popen[str]) -> dict[str, Any]:
        """The report of a process, which has to have run the copy."""
        out, errors = process.communicate(timeout=300)
        assert process.returncode == 0, errors
        report: dict[str, Any] = json.loads(out)
        assert Path(report["package"]).is_relative_to(self.packages)
        return report

    def run(self, program: str, cache: Path | None, before: str = "", **environment: str) -> dict[str, Any]:
        """The report of one process."""
        return self.finish(self.start(program, cache, before, **environment))


@pytest.fixture(scope="module")
def house(tmp_path_factory: pytest.TempPathFactory) -> House:
    return House(tmp_path_factory.mktemp("house"))


@pytest.fixture(scope="module")
def warm(house: House) -> Path:
    """A cache that holds the machine code of PLAYS and of POINTS; copy it before doing anything to it."""
    cache = house.root / "warm"
    assert house.run(PLAYS, cache)["misses"] > 0
    return cache


@pytest.fixture(scope="module")
def opening_plays(house: House, warm: Path) -> list[str]:
    """The answer of PLAYS."""
    answer: list[str] = house.run(PLAYS, warm)["answer"]
    assert len(set(answer)) == 16
    assert "24:2 13:5 8:2 6:4 5:2 | 19:5 17:3 12:5 1:2" in answer
    return answer


@pytest.fixture
def cache(warm: Path, tmp_path: Path) -> Path:
    """A warm cache of the test's own."""
    return Path(shutil.copytree(warm, tmp_path / "cache"))


def contents(cache: Path) -> dict[str, bytes]:
    """Every file of a cache."""
    return {str(path.relative_to(cache)): path.read_bytes() for path in cache.rglob("*") if path.is_file()}


# Warm and cold


def test_the_second_process_compiles_nothing(house: House, tmp_path: Path) -> None:
    cold = house.run(PERFT, tmp_path)
    before = contents(tmp_path)
    times = {path: path.stat().st_mtime_ns for path in tmp_path.rglob("*")}
    again = house.run(PERFT, tmp_path)
    assert cold["answer"] == again["answer"] == [202_782, 16]
    assert (cold["hits"], again["misses"]) == (0, 0)
    assert cold["misses"] == again["hits"] > 0
    assert contents(tmp_path) == before
    assert {path: path.stat().st_mtime_ns for path in tmp_path.rglob("*")} == times


def test_the_cache_lies_where_the_environment_says(house: House, warm: Path) -> None:
    report = house.run(POINTS, warm)
    assert Path(report["folder"]).parent == warm / "kernels"
    assert report["answer"] == THE_POINTS


def test_a_read_only_warm_folder_is_used(house: House, cache: Path, opening_plays: list[str]) -> None:
    before = contents(cache)
    report = house.run(PLAYS, cache, before=READ_ONLY)
    assert report["answer"] == opening_plays
    assert (report["hits"] > 0, report["misses"]) == (True, 0)
    assert contents(cache) == before


def test_a_read_only_cold_folder_costs_only_the_compilation(house: House, tmp_path: Path) -> None:
    report = house.run(POINTS, tmp_path, before=READ_ONLY)
    assert report["answer"] == THE_POINTS
    assert report["misses"] > 0
    assert report["refused"] > 0, "nothing was tried, so nothing was tested"
    assert list(tmp_path.iterdir()) == []


def test_without_a_home_a_temporary_folder_serves(house: House, tmp_path: Path) -> None:
    """N02"""
    (tmp_path / "file").touch()
    report = house.run(POINTS, None, HOME="/nonexistent", XDG_CACHE_HOME=str(tmp_path / "file"), TMPDIR=str(tmp_path))
    assert report["answer"] == THE_POINTS
    assert Path(report["folder"]).parent == tmp_path


# Damage


def truncated(data: bytes) -> bytes:
    """The first half."""
    return data[: len(data) // 2]


def flipped(data: bytes) -> bytes:
    """One bit in the middle."""
    middle = len(data) // 2
    return data[:middle] + bytes([data[middle] ^ 4]) + data[middle + 1 :]


@pytest.mark.parametrize("damage", [truncated, flipped])
@pytest.mark.parametrize("kind", ["nbi", "nbc"])
def test_a_damaged_file_is_noticed_and_repaired(kind: str, damage: Callable[[bytes], bytes], house: House, cache: Path) -> None:
    files = [path for path in cache.rglob(f"*.{kind}") if path.name.startswith("plays.points")]
    assert len(files) == 1
    whole = files[0].read_bytes()
    files[0].write_bytes(damage(whole))
    damaged, repaired = house.run(POINTS, cache), house.run(POINTS, cache)
    assert damaged["answer"] == repaired["answer"] == THE_POINTS
    assert (damaged["misses"], repaired["misses"]) == (1, 0)
    assert repaired["hits"] > 0


def test_damaged_machine_code_of_plays_is_never_run(house: House, cache: Path, opening_plays: list[str]) -> None:
    [path] = [path for path in cache.rglob("*.nbc") if path.name.startswith("plays.all_plays")]
    path.write_bytes(flipped(path.read_bytes()))
    assert house.run(PLAYS, cache)["answer"] == opening_plays


def test_a_lost_data_file_is_made_again(house: House, cache: Path) -> None:
    for path in cache.rglob("*.nbc"):
        path.unlink()
    assert [house.run(POINTS, cache)[what] for what in ("answer", "answer", "misses")] == [THE_POINTS, THE_POINTS, 0]


# Many processes


def check_crowd(house: House, program: str, answer: list[Any], cache: Path) -> None:
    """Eight processes at once on a cold folder, and one after them that finds all it needs."""
    crowd = [house.start(program, cache) for _ in range(8)]
    assert [house.finish(process)["answer"] for process in crowd] == [answer] * 8
    last = house.run(program, cache)
    assert (last["answer"], last["misses"]) == (answer, 0)


def test_eight_processes_at_once_on_a_cold_folder(house: House, tmp_path: Path) -> None:
    check_crowd(house, POINTS, THE_POINTS, tmp_path)


@pytest.mark.slow
def test_eight_processes_at_once_compile_plays(house: House, tmp_path: Path, opening_plays: list[str]) -> None:
    for run in range(3):
        check_crowd(house, PLAYS, opening_plays, tmp_path / str(run))


# The folder


def test_a_cache_that_cannot_be_a_folder_is_one_clear_error(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "file").touch()
    for chosen in (tmp_path / "file", tmp_path / "file" / "below"):
        monkeypatch.setenv("TABLEZOO_CACHE", str(chosen))
        with pytest.raises(OSError, match="set TABLEZOO_CACHE to a folder you can write to") as error:
            jit.cache_folder()
        assert f"cannot create the cache folder {chosen}" in str(error.value)
        assert "\n" not in str(error.value)


def test_a_missing_cache_folder_is_made(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("TABLEZOO_CACHE", str(tmp_path / "new" / "deep"))
    assert jit.cache_folder().is_dir()
    assert jit.cache_folder().parent == tmp_path / "new" / "deep" / "kernels"


# What a change of the sources does


@pytest.fixture
def edited(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> House:
    """A copy of the package to edit, whose digest `source_digest` tells."""
    copy = House(tmp_path)
    monkeypatch.setattr(jit, "PACKAGES", copy.packages)
    return copy


@pytest.mark.parametrize("name", ["kernel/bits.py", "kernel/board.py", "kernel/track.py", "kernel/plays.py", "kernel/jit.py", "rules.py"])
def test_a_change_of_what_kernels_are_made_of_changes_the_digest(name: str, edited: House) -> None:
    before = jit.source_digest()
    path = edited.packages / "tablezoo" / name
    path.write_text(path.read_text() + "\n# changed\n")
    assert jit.source_digest() != before


def test_kernels_of_other_packages_are_part_of_the_digest(edited: House) -> None:
    before = jit.source_digest()
    path = edited.packages / "agents" / "net.py"
    path.parent.mkdir()
    path.write_text("import tablezoo\n")
    assert jit.source_digest() == before
    path.write_text("from tablezoo.kernel.jit import kernel\n\n\n@kernel\ndef f(x: int) -> int:\n    return x\n")
    assert jit.source_digest() != before


def test_a_change_elsewhere_keeps_the_cache(edited: House) -> None:
    before = jit.source_digest()
    for name in ("notation/text.py", "position.py", "games/founding.py"):
        path = edited.packages / "tablezoo" / name
        path.write_text(path.read_text() + "\n# changed\n")
    assert jit.source_digest() == before


def test_callers_see_a_change_in_another_file(edited: House, cache: Path) -> None:
    """N01: numba alone would go on with the machine code of the old `count`."""
    board = edited.packages / "tablezoo" / "kernel" / "board.py"
    source = board.read_text()
    old = "return ((a >> bit) & ONE) |"
    assert source.count(old) == 1
    assert edited.run(POINTS, cache)["answer"] == THE_POINTS
    board.write_text(source.replace(old, "return ONE - ((a >> bit) & ONE) |"))
    assert edited.run(POINTS, cache)["answer"] != THE_POINTS
    board.write_text(source)
    report = edited.run(POINTS, cache)
    assert (report["answer"], report["misses"]) == (THE_POINTS, 0)


# One signature


@pytest.mark.last
def test_every_kernel_is_compiled_for_one_signature() -> None:
    """Whatever the session has called: a second one could be overwritten by another process, and costs its compilation."""
    modules = [module for name, module in list(sys.modules.items()) if name.split(".")[0] in ("tablezoo", "agents", "experiments")]
    found = {id(x): x for module in modules for x in vars(module).values() if isinstance(x, Dispatcher)}
    kernels = [x for x in found.values() if isinstance(x._cache, jit._Cache)]
    assert len(kernels) >= 8
    assert {str(x.py_func.__qualname__): x.signatures for x in kernels if len(x.signatures) > 1} == {}
