"""Imports point one way: experiments -> agents -> tablezoo, and inside tablezoo down to the kernels and the rules."""

import ast
import json
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]


def imported(path: Path) -> set[str]:
    """Full names of the modules a file imports, also inside functions; not those for type checkers only."""
    names: set[str] = set()
    package = ".".join(path.relative_to(ROOT).parts[:-1])
    for node in _nodes(ast.parse(path.read_text())):
        if isinstance(node, ast.Import):
            names |= {alias.name for alias in node.names}
        elif isinstance(node, ast.ImportFrom):
            module = node.module or ""
            if node.level:
                parents = package.split(".")
                module = ".".join([*parents[: len(parents) - node.level + 1], *([module] if module else [])])
            names |= {module} | {f"{module}.{alias.name}" for alias in node.names}
    return names


def _nodes(tree: ast.AST) -> Iterator[ast.AST]:
    for node in ast.iter_child_nodes(tree):
        if not (isinstance(node, ast.If) and ast.unparse(node.test).endswith("TYPE_CHECKING")):
            yield node
            yield from _nodes(node)


def below(name: str, packages: tuple[str, ...]) -> bool:
    """Whether a module is one of the packages or in one."""
    return any(name == package or name.startswith(package + ".") for package in packages)


def offenders(part: str, forbidden: tuple[str, ...], but: str = "") -> list[str]:
    """`file imports module` for every import from a forbidden package in a file or below a folder."""
    path = ROOT / part
    files = [file for file in (sorted(path.rglob("*.py")) if path.is_dir() else [path]) if not but or but not in file.relative_to(ROOT).parts]
    assert files, part
    return [f"{file.relative_to(ROOT)} imports {name}" for file in files for name in sorted(imported(file)) if below(name, forbidden)]


def test_the_reader_of_imports_finds_every_form(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys.modules[__name__], "ROOT", tmp_path)
    path = tmp_path / "house" / "room" / "door.py"
    path.parent.mkdir(parents=True)
    path.write_text(
        "import torch.nn as nn\nfrom agents import td\nfrom . import window\nfrom ..attic import box\n"
        "from typing import TYPE_CHECKING\nif TYPE_CHECKING:\n    import never\ndef f():\n    import experiments\n"
    )
    assert imported(path) - {"typing", "typing.TYPE_CHECKING"} == {
        "torch.nn", "agents", "agents.td", "house.room", "house.room.window", "house.attic", "house.attic.box", "experiments",
    }  # fmt: skip


def test_the_games_know_neither_agents_nor_experiments_nor_torch() -> None:
    assert offenders("tablezoo", ("torch", "agents", "experiments")) == []


def test_only_environments_know_gymnasium() -> None:
    assert offenders("tablezoo", ("gymnasium", "pettingzoo"), but="envs") == []


def test_agents_do_not_know_experiments() -> None:
    assert offenders("agents", ("experiments",)) == []


def test_kernels_know_only_kernels_and_rules() -> None:
    own = {name for path in (ROOT / "tablezoo" / "kernel").glob("*.py") for name in imported(path) if name.startswith("tablezoo")}
    assert {name for name in own if not name.startswith(("tablezoo.kernel.", "tablezoo.rules"))} == set()


@pytest.mark.parametrize(
    ("part", "above"),
    [
        ("rules.py", ("tablezoo.kernel", "tablezoo.rows", "tablezoo.position", "tablezoo.games", "tablezoo.notation", "tablezoo.draw", "tablezoo.envs")),
        ("games", ("tablezoo.kernel", "tablezoo.position", "tablezoo.notation", "tablezoo.draw", "tablezoo.envs")),
        ("notation", ("tablezoo.position", "tablezoo.draw", "tablezoo.envs")),
        ("draw", ("tablezoo.position", "tablezoo.notation", "tablezoo.envs")),
        ("position.py", ("tablezoo.envs", "tablezoo.agent", "tablezoo.features")),
    ],
)
def test_each_part_knows_only_those_below_it(part: str, above: tuple[str, ...]) -> None:
    assert offenders(f"tablezoo/{part}", above) == []


def test_importing_the_games_loads_nothing_heavy() -> None:
    code = "import json, sys, tablezoo; print(json.dumps(sorted({name.split('.')[0] for name in sys.modules})))"
    loaded = json.loads(subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True, cwd=ROOT).stdout)
    assert "tablezoo" in loaded
    assert set(loaded) & {"torch", "agents", "experiments", "tensorboard", "pydantic", "cyclopts", "rich", "PIL"} == set()
