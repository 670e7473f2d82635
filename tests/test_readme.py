"""What the README and the notebooks show runs as it stands."""

import re
import runpy
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[1]
BLOCKS = re.findall(r"^```python\n(.*?)^```", (ROOT / "README.md").read_text(), re.DOTALL | re.MULTILINE)


@pytest.mark.parametrize("block", BLOCKS)
def test_code_of_the_readme_runs(block: str, tmp_path: Path) -> None:
    (tmp_path / "readme.py").write_text(block)
    runpy.run_path(str(tmp_path / "readme.py"))
    assert len(BLOCKS) == 2


@pytest.mark.parametrize("path", sorted((ROOT / "notebooks").glob("*.py")), ids=lambda p: p.stem)
def test_notebook_runs_from_top_to_bottom(path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    runpy.run_path(str(path))
    assert "pubeval against random: +2." in capsys.readouterr().out


def test_commands_of_the_readme_are_commands_that_exist() -> None:
    from experiments.cli import app

    rows = re.findall(r"^\| (`tablezoo .*?) \|", (ROOT / "README.md").read_text(), re.MULTILINE)
    named = {command for row in rows for command in re.findall(r"`tablezoo (\w+)", row)}
    assert named == {"games", "show", "plays", "perft", "run", "duel", "rollout", "score", "solve", "curve", "bench", "runs", "report"}
    assert named <= set(app)
