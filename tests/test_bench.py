"""Benchmarks: no wrong answer is timed, and figures are told beside what they should be and what they were."""

import ctypes
import json
import shutil
from pathlib import Path

import pytest

import tablezoo
from experiments.bench import compiled, kernels
from experiments.bench.environments import MODES, check_games, game_names
from experiments.bench.measure import Result, require, times
from experiments.bench.page import line_of, page_of, place_of
from experiments.bench.run import BENCHES, chosen, earlier
from experiments.store import replace
from tablezoo.kernel.perft import perft


def test_a_wrong_answer_is_not_timed(monkeypatch: pytest.MonkeyPatch) -> None:
    with pytest.raises(RuntimeError, match="perft 3: got 116, expected 117; nothing was timed"):
        require("perft 3", 116, 117)
    monkeypatch.setattr(kernels, "SAMPLE_PLAYS", {"nannon": 33_580})
    with pytest.raises(RuntimeError, match=r"nannon: plays.*: got 33579, expected 33580"):
        next(kernels.bench_plays())


def test_every_game_is_measured() -> None:
    assert set(kernels.SAMPLE_PLAYS) == set(game_names()) == set(tablezoo.games())


@pytest.mark.skipif(shutil.which("cc") is None, reason="no C compiler")
def test_both_programs_in_c_find_all_plays(tmp_path: Path) -> None:
    """Backgammon's perft (wildbg and others say the same); where games end, as many leaves as ours."""
    backgammon = tablezoo.game("backgammon")
    same, plain = (compiled.compiled(name, "cc", tmp_path) for name in ("planes", "arrays"))
    late = backgammon.position("6:1 3:1 | 19:1 (off=13 ooff=14)").row.copy()
    leaves = [same.perft(row.ctypes.data_as(ctypes.c_void_p), depth) for row, depth in ((backgammon.start_row, 1), (backgammon.start_row, 2), (late, 2))]
    assert [plain.perft(depth) for depth in (1, 2)] == leaves[:2] == [447, 202_782]
    assert leaves[2] == perft(backgammon.rules, late, 2)


def test_a_program_that_is_not_compiled_is_named(tmp_path: Path) -> None:
    with pytest.raises(RuntimeError, match=r"^false cannot compile planes.c: no message$"):
        compiled.compiled("planes", "false", tmp_path)


@pytest.mark.parametrize("mode", MODES)
@pytest.mark.parametrize("name", ["nannon", "ofanfelling", "plakoto"])
def test_games_of_the_environment_are_checked_another_way(name: str, mode: str) -> None:
    check_games(name, mode)


def test_a_ratio_is_taken_of_runs_in_turn() -> None:
    taken = {"work": iter([6.0, 8.0, 9.0]), "other": iter([2.0, 4.0, 1.0])}
    assert times(lambda: None, lambda: 0, lambda work: next(taken["other" if work() == 0 else "work"]), runs=3) == 3.0


def test_bars_are_told_and_met_or_missed() -> None:
    rate, slow, time = Result("plays", 2e6, "a second", least=1e6), Result("games", 2.0, "a second", least=3.0), Result("start", 0.5, "s", most=1.0)
    assert [(each.bar, each.good) for each in (rate, slow, time)] == [("at least 1,000,000", True), ("at least 3", False), ("at most 1", True)]
    assert "MISSED" in line_of(slow, None)
    assert line_of(time, 0.25).endswith("2.00 times before")


def test_the_page_has_single_figures_and_a_line_for_each_game() -> None:
    results = [Result("perft 3", 0.61, "s"), Result("nannon: plays()", 8_123_456.0, "stages/s", least=1e6), Result("nannon: steps", 2.5e6, "steps/s")]
    page = page_of(results, "a machine", 1.25, ("games", "plays"))
    assert "| perft 3 | 0.61 s |  |\n" in page
    assert "| nannon | 8.12 |  | 2.50 |  |\n" in page
    assert "on a machine" in page
    assert "1.2 of its cores" in page


def test_pages_are_written_whole_and_only_where_they_can_be(tmp_path: Path) -> None:
    replace(place_of(tmp_path / "page.md"), "text")
    assert [path.read_text() for path in tmp_path.iterdir()] == ["text"]
    with pytest.raises(ValueError, match="there is no folder"):
        place_of(tmp_path / "none" / "page.md")
    with pytest.raises(ValueError, match="this is a folder"):
        place_of(tmp_path)


def test_figures_kept_are_read_back_and_others_refused(tmp_path: Path) -> None:
    path = tmp_path / "before.json"
    path.write_text(json.dumps({"machine": "m", "results": [{"name": "perft 3", "value": 0.5, "unit": "s"}]}))
    assert earlier(path) == {"perft 3": 0.5}
    for wrong in ("", "[]", '{"results": [{"name": "perft 3"}]}', '{"results": 3}', "\x00"):
        path.write_text(wrong)
        with pytest.raises(ValueError, match="not what `tablezoo bench --json` prints"):
            earlier(path)


def test_benchmarks_are_chosen_by_name() -> None:
    assert chosen(("start", "games")) == [BENCHES["start"], BENCHES["games"]]
    assert chosen(()) == list(BENCHES.values())
    with pytest.raises(ValueError, match=r"unknown benchmark 'game' \(did you mean games\?\)"):
        chosen(("game",))
