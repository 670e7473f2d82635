"""Reports: one page with all that a run tells, and what TensorBoard shows."""

import json
import re
import xml.etree.ElementTree as ET
from html import unescape
from pathlib import Path

import numpy as np
import pytest
from tensorboard.backend.event_processing.event_accumulator import EventAccumulator
from tensorboard.plugins.hparams.metadata import SESSION_START_INFO_TAG, parse_session_start_info_plugin_data
from test_cli import tablezoo  # noqa: F401 - the fixture

from agents.td import TDAgent
from experiments.boards import opening_plays
from experiments.mistakes import costliest
from experiments.score import losses, read_decisions
from tablezoo import game, games
from tablezoo.agent import load_agent

DATA = Path(__file__).parent / "data"
BACKGAMMON = game("backgammon")
TINY = ("selfplay.games=2000", "selfplay.batch=50", "net.hidden=[8]", "evaluate.games=20", "evaluate.mark_games=10", "evaluate.marks=2")


def text_of(page: str) -> str:
    """What the page says, its plots apart."""
    return " ".join(unescape(re.sub(r"<[^>]+>", " ", re.sub(r"<svg.*?</svg>|<style.*?</style>", " ", page, flags=re.DOTALL))).split())


def svgs(page: str) -> list[ET.Element]:
    return [ET.fromstring(svg) for svg in re.findall(r"<svg.*?</svg>", page, flags=re.DOTALL)]


def texts(svg: ET.Element) -> list[str]:
    return ["".join(element.itertext()) for element in svg.iter("{http://www.w3.org/2000/svg}text")]


def assert_needs_nothing_else(page: str) -> None:
    assert not re.search(r"""(src|href)\s*=\s*["'](?!#)""", page.replace("xlink:href", "href"))
    assert "<script" not in page
    assert "@import" not in page
    assert "url(http" not in page


def test_a_training_s_page_has_curves_results_mistakes_config_and_environment(tablezoo, tmp_path: Path) -> None:  # type: ignore[no-untyped-def]  # noqa: F811
    assert tablezoo("run", "quickstart", *TINY)[0] == 0
    code, out, err = tablezoo("report", "runs/quickstart", "--decisions", str(DATA / "decisions.jsonl"))
    assert (code, err) == (0, "")
    assert "runs/quickstart/report.html" in out
    page = (tmp_path / "runs/quickstart/report.html").read_text()
    assert_needs_nothing_else(page)
    told = json.loads((tmp_path / "runs/quickstart/run.json").read_text())
    said = text_of(page)
    for result in told["results"].values():
        assert f"{result['ppg']:+.3f} {result['se']:.3f} {result['wins']:.1%} 20" in said
    assert "train of backgammon, seed 1" in said
    assert "hidden = [ 8, ]" in said
    assert told["host"] in said
    assert f"numba {told['versions']['numba']}" in said
    strength, loss, speed, *boards = svgs(page)
    assert {"points per game", "games of self-play", "random", "pubeval"} <= set(texts(strength))
    assert "mean loss" in texts(loss)
    assert "games of self-play a second" in texts(speed)
    marks = [element for element in strength.iter() if element.get("id", "").startswith("LineCollection")]
    assert len(marks) == 4, "error bars of both opponents, in the plot and its legend"
    assert len(boards) == 12
    lost = [float(number) for number in re.findall(r"loses ([\d.]+) points to", said)]
    agent = TDAgent(BACKGAMMON, str(tmp_path / "runs/quickstart"))
    expected = np.sort(losses(BACKGAMMON, agent, read_decisions(DATA / "decisions.jsonl", BACKGAMMON)))[::-1][:12]
    assert lost == pytest.approx(expected, abs=5e-4)


def test_mistakes_are_the_worst_first_and_name_both_plays() -> None:
    decisions = read_decisions(DATA / "decisions.jsonl", BACKGAMMON)
    found = costliest(BACKGAMMON, load_agent("pubeval", BACKGAMMON), decisions, 5)
    assert [mistake.loss for mistake in found] == sorted((mistake.loss for mistake in found), reverse=True)
    for mistake in found:
        decision = next(decision for decision in decisions if decision.node == mistake.node)
        values = [decision.equities[play.after.gnubg_id] for play in (mistake.best, mistake.played)]
        assert values[0] == max(decision.equities.values())
        assert values[0] - values[1] == pytest.approx(mistake.loss)


def test_a_page_escapes_what_a_run_says(tablezoo, tmp_path: Path) -> None:  # type: ignore[no-untyped-def]  # noqa: F811
    (tmp_path / "d.toml").write_text('kind = "duel"\ngame = "nannon"\na = "pips"\nb = "random"\ngames = 600\n')
    assert tablezoo("run", "d.toml")[0] == 0
    path = tmp_path / "runs/d/run.json"
    path.write_text(json.dumps({**json.loads(path.read_text()), "host": "<script>alert(1)</script>", "error": "<b>"}))
    assert tablezoo("report", "runs/d")[0] == 0
    page = (tmp_path / "runs/d/report.html").read_text()
    assert "<script" not in page
    assert "&lt;script&gt;alert(1)" in page
    (course,) = svgs(page)
    assert "95 % at all times at once" in texts(course)


def test_a_league_s_page_has_ratings_and_the_matrix(tablezoo, tmp_path: Path) -> None:  # type: ignore[no-untyped-def]  # noqa: F811
    (tmp_path / "l.toml").write_text('kind = "league"\ngame = "nannon"\nagents = ["random", "exact", "pips"]\ngames = 400\n')
    assert tablezoo("run", "l.toml")[0] == 0
    assert tablezoo("report", "runs/l", "--out", "page.html")[0] == 0
    said = text_of((tmp_path / "page.html").read_text())
    ratings = json.loads((tmp_path / "runs/l/run.json").read_text())["ratings"]
    for name, rating in ratings.items():
        assert f"{name} {rating['elo']:+.0f} {rating['low']:+.0f} to {rating['high']:+.0f} {rating['ppg']:+.3f} 800" in said
    cells = re.search(r"each column's exact pips random exact (\S+) ± \S+ (\S+) ± \S+ pips (\S+) ± \S+ (\S+) ± \S+ random (\S+) ± \S+ (\S+) ±", said)
    assert cells is not None
    numbers = [float(cell) for cell in cells.groups()]
    assert numbers[0] == -numbers[2]
    assert numbers[1] == -numbers[4]
    assert numbers[3] == -numbers[5]


def test_a_sweep_s_page_tells_failed_trials_apart(tablezoo, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:  # type: ignore[no-untyped-def]  # noqa: F811
    (tmp_path / "s.toml").write_text('kind = "duel"\ngame = "nannon"\na = "pips"\nb = "random"\ngames = 64\n[sweep.grid]\na = ["pips", "td:absent"]\n')
    assert tablezoo("run", "s.toml")[0] == 1
    assert tablezoo("report", "runs/s")[0] == 0
    said = text_of((tmp_path / "runs/s/report.html").read_text())
    assert re.search(r"a=pips 1 \S+ ± \S+", said)
    assert "a=td:absent 1 - seed 1: ValueError: absent: no such file or run folder" in said


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (("report", "absent"), "absent: not the folder of a run: it has no config.toml"),
        (("report", "runs/d", "--decisions", "x.jsonl"), "decisions are for a training's net; this is the folder of a duel"),
        (("report", "runs/d", "--out", "absent/page.html"), "absent/page.html: cannot be written"),
    ],
)
def test_a_report_that_cannot_be_written_gets_one_line(tablezoo, tmp_path: Path, arguments: tuple[str, ...], message: str) -> None:  # type: ignore[no-untyped-def]  # noqa: F811
    (tmp_path / "d.toml").write_text('kind = "duel"\ngame = "nannon"\na = "pips"\nb = "random"\ngames = 64\n')
    assert tablezoo("run", "d.toml")[0] == 0
    code, out, err = tablezoo(*arguments)
    assert (code, out, err.count("\n")) == (2, "", 1)
    assert message in err


@pytest.mark.parametrize("name", games())
def test_every_game_has_pictures_of_first_plays(name: str) -> None:
    played = game(name)
    found = dict(opening_plays(played, load_agent("random", played)))
    assert len(found) == 3
    for picture in found.values():
        assert picture.shape[1:] == (360, 3)
        assert picture.std() > 10, "something is drawn"


@pytest.mark.parametrize(
    ("name", "content", "message"),
    [
        ("run.json", "[]", "run.json: damaged; delete it to go on"),
        ("run.json", '{"results": {"random": 3}}', "run.json: damaged; delete it to go on"),
        ("run.json", '{"versions": ["numba"]}', "run.json: damaged; delete it to go on"),
        ("config.toml", "kind = ", "config.toml: cannot be read"),
        ("config.toml", 'kind = "dual"', "config.toml: kind: expected one of"),
        ("duels.jsonl", '{"a": "pips"}\n', "duels.jsonl, line 1: not a duel"),
        ("duels.jsonl", '{"a": "pips", "b": "random", "unfinished": 0, "points": [[1, 1, 1]]}\n', "duels.jsonl, line 1: not a duel"),
        ("duels.jsonl", '{"a": "pips", "b": "random", "unfinished": 0, "points": [[1, 1]], "luck": [[0, "x"]]}\n', "duels.jsonl, line 1: not a duel"),
        ("duels.jsonl", "\\xff\n", "duels.jsonl, line 1: not a duel"),
    ],
)
def test_a_damaged_file_of_a_run_is_named_by_report_and_resume(tablezoo, tmp_path: Path, name: str, content: str, message: str) -> None:  # type: ignore[no-untyped-def]  # noqa: F811
    (tmp_path / "d.toml").write_text('kind = "duel"\ngame = "nannon"\na = "pips"\nb = "random"\ngames = 64\n')
    assert tablezoo("run", "d.toml")[0] == 0
    (tmp_path / "runs/d" / name).write_text(content)
    for words in (("report", "runs/d"), ("run", "d.toml", "--resume")):
        code, _, err = tablezoo(*words)
        assert (code, err.count("\n")) == (2, 1)
        assert message in err
    assert (tmp_path / "runs/d" / name).read_text() == content, "nothing is repaired behind the user's back"
    assert tablezoo("runs")[0] == 0


def test_tensorboard_shows_scalars_hyper_parameters_and_boards(tablezoo, tmp_path: Path) -> None:  # type: ignore[no-untyped-def]  # noqa: F811
    assert tablezoo("run", "quickstart", *TINY)[0] == 0
    board = EventAccumulator(str(tmp_path / "runs/quickstart"), size_guidance={"images": 0}).Reload()
    assert {"loss", "rate", "games_per_second", "cpu_seconds", "pubeval/ppg", "pubeval/se"} <= set(board.Tags()["scalars"])
    settings = parse_session_start_info_plugin_data(board.summary_metadata[SESSION_START_INFO_TAG].plugin_data.content).hparams
    assert settings["learn.rate"].number_value == 0.0012
    assert settings["net.hidden"].string_value == "[8]"
    assert settings["game"].string_value == "backgammon"
    tags = board.Tags()["images"]
    assert len(tags) == 3
    for tag in tags:
        assert re.fullmatch(r"opening/[1-6]{2}", tag)
        pictures = board.Images(tag)
        assert [picture.step for picture in pictures] == [650, 1_350, 2_000]
        assert all(picture.encoded_image_string.startswith(b"\x89PNG") and picture.width == 360 for picture in pictures)
