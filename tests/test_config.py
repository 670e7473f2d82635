"""Configs: every mistake is named by file and key, and every number means what it says."""

from pathlib import Path

import pytest

from experiments.config import FOLDER, DuelConfig, LeagueConfig, TrainConfig, find_config, load_config


def write(path: Path, text: str) -> str:
    path.write_text(text)
    return str(path)


@pytest.mark.parametrize("path", sorted(FOLDER.rglob("*.toml")), ids=lambda p: p.stem)
def test_every_shipped_config_can_be_read_by_its_bare_name(path: Path) -> None:
    name = str(path.relative_to(FOLDER).with_suffix(""))
    assert find_config(name) == path
    assert isinstance(load_config(name), TrainConfig | DuelConfig | LeagueConfig)


def test_overrides_are_typed_like_toml() -> None:
    config = load_config("quickstart", ("seed=7", "learn.rate=1e-4", "net.hidden=[64, 16]", "selfplay.net=latest", 'evaluate.opponents=["pips"]'))
    assert isinstance(config, TrainConfig)
    assert (config.seed, config.learn.rate, config.net.hidden) == (7, 0.0001, (64, 16))
    assert config.selfplay.net == "latest"
    assert config.evaluate.opponents == ("pips",)


def test_one_e_minus_four_is_a_number_however_it_is_written(tmp_path: Path) -> None:
    """C01: YAML 1.1 reads 1e-4 as a string (confuse#91)."""
    for text in ("1e-4", "1.0e-4", "0.0001"):
        config = load_config(write(tmp_path / "c.toml", f'kind = "train"\n[learn]\nrate = {text}\n'))
        assert isinstance(config, TrainConfig)
        assert config.learn.rate == 0.0001


def test_a_config_that_extends_another_changes_only_what_it_names(tmp_path: Path) -> None:
    write(tmp_path / "base.toml", 'kind = "train"\nseed = 3\n[net]\nhidden = [40]\n[learn]\nbatch = 64\n')
    config = load_config(write(tmp_path / "more.toml", 'extends = "base.toml"\n[learn]\nlam = 0.5\n'))
    assert isinstance(config, TrainConfig)
    assert (config.seed, config.net.hidden, config.learn.batch, config.learn.lam) == (3, (40,), 64, 0.5)
    shipped = load_config(write(tmp_path / "ours.toml", 'extends = "quickstart"\nseed = 9\n'))
    assert shipped == load_config("quickstart", ("seed=9",))
    with pytest.raises(ValueError, match=r"extends itself"):
        load_config(write(tmp_path / "loop.toml", 'extends = "loop.toml"\n'))


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ('kind = "train"\nlerning = 1\n', "unknown key lerning"),
        ('kind = "train"\n[learn]\nlerning_rate = 0.1\n', "unknown key learn.lerning_rate"),
        ('kind = "train"\n[selfplay]\ngame = 5\n', r"unknown key selfplay.game \(did you mean games\?\)"),
        ('kind = "train"\nseed = "one"\n', "seed: .*integer.*'one'"),
        ('kind = "train"\nseed = true\n', "seed: .*integer.*True"),
        ('kind = "train"\n[learn]\nlam = 1.5\n', "learn.lam: .*less than or equal to 1.*1.5"),
        ('kind = "train"\n[learn]\nrate = "fast"\n', "learn.rate: .*number.*'fast'"),
        ('kind = "train"\nlearn = 3\n', "learn: .*3"),
        ('kind = "train"\n[net]\nhidden = []\n', "net.hidden: .*at least 1"),
        ('kind = "train"\n[net]\nencoder = "tesuro"\n', "net.encoder: .*'tesauro' or 'counts'.*'tesuro'"),
        ('kind = "train"\ngame = "backgamon"\n', r"game: unknown game 'backgamon' \(did you mean backgammon\?\)"),
        ('kind = "train"\n[options]\nforced_use = "gredy"\n', "options: option forced_use cannot be 'gredy'"),
        ('kind = "train"\n[evaluate]\nopponents = ["pips", "gnu"]\n', r"evaluate.opponents.1: unknown agent 'gnu' \(did you mean gnubg\?\)"),
        ('kind = "duel"\na = "pip"\nb = "td"\n', r"a: unknown agent 'pip' \(did you mean pips\?\)"),
        ('kind = "duel"\na = "pips"\nb = "td"\njudge = "dt"\n', ": judge: unknown agent 'dt'"),
        ('kind = "league"\nagents = ["pips", "rnd"]\n', "agents.1: unknown agent 'rnd'"),
        ('kind = "teach"\n', "kind: expected one of train, duel"),
        ("seed = 1\n", "kind: expected one of train, duel"),
        ('kind = "duel"\na = "td"\n', "b: field required"),
        ("kind = train\n", "not a TOML file: .*line 1"),
        ("\x00", "not a TOML file"),
        ("extends = 3\n", "extends: expected the name of a config"),
    ],
)
def test_a_mistake_is_named_by_file_and_key_in_one_line(tmp_path: Path, text: str, message: str) -> None:
    """C02: a key that nobody knows is no key to pass over."""
    path = write(tmp_path / "bad.toml", text)
    with pytest.raises(ValueError, match=message) as caught:
        load_config(path)
    assert path in str(caught.value)
    assert "\n" not in str(caught.value)


def test_a_config_that_is_not_text_is_named(tmp_path: Path) -> None:
    (tmp_path / "bad.toml").write_bytes(b"\xff\xfe\x00")
    with pytest.raises(ValueError, match="not a TOML file"):
        load_config(str(tmp_path / "bad.toml"))


@pytest.mark.parametrize("override", ["seed", "=3", "seed.x=1"])
def test_an_override_that_is_none_is_named(override: str) -> None:
    with pytest.raises(ValueError, match=r"seed|expected key=value"):
        load_config("quickstart", (override,))


def test_an_unknown_config_comes_with_a_suggestion() -> None:
    with pytest.raises(ValueError, match=r"no config 'quickstrt' \(did you mean quickstart\?\)"):
        load_config("quickstrt")
