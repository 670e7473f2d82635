"""The ladder of agents: what it counts, and that it goes on from its table."""

import json
from pathlib import Path

import pytest

import tablezoo
from experiments.ladder import main

DECISIONS = (("4HPwATDgc/ABMA", (3, 1)), ("4HPwATDgc/ABMA", (6, 5)))
"""The start, by its gnubg id."""


def test_a_rung_counts_the_positions_that_the_net_values(tmp_path: Path) -> None:
    """31 has 16 plays and 65 has 7 (M25), each valued once; a rung that is in the table is not measured again."""
    pytest.importorskip("gnubg_nn")
    game = tablezoo.game("backgammon")
    lines = []
    for pid, roll in DECISIONS:
        plays = game.position(pid).plays(roll)
        lines.append(json.dumps({"pid": pid, "dice": roll, "cls": "contact", "moves": [[play.after.gnubg_id, 0.0] for play in plays]}))
    (tmp_path / "decisions.jsonl").write_text("\n".join(lines))
    main(tmp_path / "decisions.jsonl", out=tmp_path / "ladder", seconds=0.1, agents=("td",))
    header, row = (tmp_path / "ladder.csv").read_text().splitlines()
    found = dict(zip(header.split(","), row.split(","), strict=True))
    assert float(found["values"]) == (16 + 7) / 2
    assert float(found["loss_mp"]) == 0
    assert (tmp_path / "ladder.svg").exists()
    main(tmp_path / "decisions.jsonl", out=tmp_path / "ladder", seconds=0.1, agents=("td",))
    assert (tmp_path / "ladder.csv").read_text().splitlines() == [header, row]
