"""Experiment configs: TOML files as readable sheets of hyper-parameters, checked to the last key."""

import tomllib
from pathlib import Path
from typing import Annotated, Any, Literal, Self, get_args

from pydantic import AfterValidator, BaseModel, ConfigDict, Field, TypeAdapter, ValidationError, ValidationInfo, field_validator, model_validator

from tablezoo.agent import factory_of
from tablezoo.position import game as find_game
from tablezoo.rules import closest

FOLDER = Path(__file__).resolve().parents[1] / "configs"
"""Configs that come with the package."""


class Section(BaseModel):
    """A part of a config: every key known, nothing changed after reading."""

    model_config = ConfigDict(frozen=True, extra="forbid", strict=True, allow_inf_nan=False)


def _known_agent(name: str) -> str:
    factory_of(name)
    return name


def _known_or_none(name: str) -> str:
    return name and _known_agent(name)


AgentName = Annotated[str, AfterValidator(_known_agent)]
"""An agent as the command line names it; its options are looked at when it is made."""


class NetConfig(Section):
    """The value net."""

    hidden: Annotated[tuple[Annotated[int, Field(ge=4, le=4096)], ...], Field(min_length=1, max_length=4, strict=False)] = (128, 32)
    """Width of the first layer, then of the small ones after it."""
    start: tuple[str, ...] = Field((), strict=False)
    """Nets to begin with, side by side, together no wider than this one: files, run folders, or configs whose runs are made first; a random net if empty."""
    encoder: Literal["tesauro", "counts"] = "tesauro"
    """Inputs (`tablezoo.features.NAMES`)."""


class SelfPlayConfig(Section):
    """How the games to learn from are played."""

    games: int = Field(500_000, ge=1)
    """Games in all."""
    batch: int = Field(400, ge=1)
    """Games played with one state of the net, while it learns from the batch before."""
    max_turns: int = Field(400, ge=1)
    """A game of more plays is broken off: a net that has hardly learned can play without end (random games of backgammon have 97)."""
    net: Literal["average", "latest"] = "average"
    """Which weights play: their running average or the latest."""
    astray: float = Field(0.0, ge=0, le=1)
    """Share of games that begin with random plays, so that positions are learned which good play never meets."""
    random_plays: int = Field(40, ge=1)
    """Such a game begins with 1 to so many of them."""
    sieve: str = ""
    """A small net that looks at all plays first, so that the net itself has few to value: a file, a run folder, or a config as above; none if empty."""
    width: int = Field(4, ge=1)
    """Plays of a roll that the sieve leaves over."""


class LearnConfig(Section):
    """How the net learns from them."""

    targets: Literal["played", "lookahead", "mcts"] = "played"
    """What follows a position: the roll and play of its game; or the mean over all rolls of the best play of each, which has no luck
    in it and takes some twenty times as long to find; or the roll of its game and what a tree search finds of it, whose plays are made."""
    lam: float = Field(0.7, ge=0, le=1)
    """Lambda of the TD(lambda) targets at first."""
    final_lam: float = Field(1.0, ge=0, le=1)
    """Lambda at the end, reached as the rate falls, as a share of the first."""
    batch: int = Field(256, ge=1)
    """Positions of an optimiser step."""
    rate: float = Field(0.0012, gt=0, lt=1)
    """Learning rate at first."""
    hold: float = Field(0.3, ge=0, le=1)
    """Share of all games after which the rate begins to fall along a cosine."""
    final: float = Field(0.03, ge=0, le=1)
    """Rate at the end, as a share of the first."""
    memory: float = Field(9.0, ge=0)
    """The weights' running average reaches back over about 1 / (1 + memory) of all batches so far."""
    replay: int = Field(0, ge=0, le=100_000_000)
    """Positions kept to be learned from again; 0: none."""
    passes: int = Field(1, ge=1)
    """How often a position is learned from: once when it is new, then as those kept are drawn, of which a batch has at most as many as there are."""
    device: Literal["numba", "cpu", "cuda"] = "numba"
    """What computes: our kernels, or torch on the CPU or a GPU."""

    @model_validator(mode="after")
    def _passes_over_what(self) -> Self:
        if self.passes > 1 and not self.replay:
            raise ValueError(f"passes {self.passes} need a replay to draw from: set replay, too")
        return self


class MctsConfig(Section):
    """How trees are searched in self-play (`agents.mcts`)."""

    sims: int = Field(42, ge=1, le=1_000_000)
    """Leaves of a tree."""
    width: int = Field(8, ge=1, le=1_000)
    """Most plays of a node that are ever looked at."""
    margin: float = Field(0.3, ge=0)
    """Points by which a play may seem worse than the best and still is considered."""
    spread: float = Field(0.04, gt=0)
    """Points; the priors of a node's plays are the softmax of their equities divided by it."""
    explore: float = Field(0.1, ge=0)
    """Points; how much priors count against values."""
    temperature: float = Field(0.0, ge=0)
    """Points; plays are made with the chances of a softmax of their values divided by it; 0: the best."""


class EvaluateConfig(Section):
    """How strong it has become."""

    opponents: tuple[AgentName, ...] = Field(("random", "pubeval"), strict=False)
    """Agents it plays."""
    games: int = Field(20_000, ge=2, multiple_of=2)
    """Games against each at the end, in mirrored pairs."""
    marks: int = Field(4, ge=0)
    """Evaluations on the way, evenly spread."""
    mark_games: int = Field(2_000, ge=2, multiple_of=2)
    """Games of each of those."""


class Sweep(Section):
    """Settings to try: every setting of `grid` with every one of `list`, with every seed."""

    grid: dict[str, Annotated[list[Any], Field(min_length=1)]] = Field(default_factory=dict)
    """Keys, like "learn.rate", each with values to try; every value is tried with every value of the other keys."""
    list: tuple[dict[str, Any], ...] = Field((), strict=False)
    """Changes of keys that belong together."""
    seeds: tuple[Annotated[int, Field(ge=0, lt=2**63)], ...] = Field((), strict=False)
    """Seeds with which each is run; the config's own if empty."""


class GameConfig(Section):
    """Which game is played."""

    game: str = "backgammon"
    """Name in the zoo."""
    options: dict[str, str | bool] = Field(default_factory=dict)
    """Readings of its rules that differ from its preset."""
    seed: int = Field(1, ge=0, lt=2**63)
    """Of everything random; another seed shares nothing with it."""
    sweep: Sweep | None = None
    """Trials to make of this config; one run if it has none."""

    @field_validator("game")
    @classmethod
    def _in_the_zoo(cls, name: str) -> str:
        find_game(name)
        return name

    @field_validator("options")
    @classmethod
    def _of_the_game(cls, options: dict[str, str | bool], info: ValidationInfo) -> dict[str, str | bool]:
        if "game" in info.data:
            find_game(info.data["game"], **options)
        return options


class TrainConfig(GameConfig):
    """A net learns a game by self-play."""

    kind: Literal["train"]
    threads: int = Field(0, ge=0)
    """Threads; 0 for one a core. Results do not depend on it."""
    checkpoint_minutes: float = Field(2.0, gt=0)
    """Time between checkpoints."""
    net: NetConfig = NetConfig()
    selfplay: SelfPlayConfig = SelfPlayConfig()
    learn: LearnConfig = LearnConfig()
    mcts: MctsConfig | None = None
    """For `learn.targets = "mcts"` only."""
    evaluate: EvaluateConfig = EvaluateConfig()

    @field_validator("learn")
    @classmethod
    def _straight(cls, learn: LearnConfig, info: ValidationInfo) -> LearnConfig:
        """Searches play every game from its start, and choose themselves what is valued."""
        selfplay = info.data.get("selfplay", SelfPlayConfig())
        for key, instead in (("astray", "use mcts.temperature for other games"), ("sieve", "mcts.width leaves few plays")):
            if learn.targets == "mcts" and getattr(selfplay, key):
                raise ValueError(f'targets = "mcts" does not go with selfplay.{key}; {instead}')
        return learn

    @field_validator("mcts")
    @classmethod
    def _searched(cls, mcts: MctsConfig | None, info: ValidationInfo) -> MctsConfig | None:
        """Settings of a search that is none would have no effect."""
        if mcts is not None and "learn" in info.data and info.data["learn"].targets != "mcts":
            raise ValueError('needs learn.targets = "mcts"; set that, or leave this section out')
        return mcts


class ArenaConfig(GameConfig):
    """Agents play each other."""

    games: int = Field(2_000, ge=2, multiple_of=2)
    """Of each duel."""
    judge: Annotated[str, AfterValidator(_known_or_none)] = ""
    """Agent by whose values the luck of the dice is taken off the results; none if empty."""


class DuelConfig(ArenaConfig):
    """Two agents play each other."""

    kind: Literal["duel"]
    a: AgentName
    b: AgentName
    games: int = Field(10_000, ge=2, multiple_of=2)
    until: Literal["games", "decided"] = "games"
    """Whether all games are played, or only until it is settled who is the stronger."""


class LeagueConfig(ArenaConfig):
    """Every agent plays every other."""

    kind: Literal["league"]
    agents: Annotated[tuple[AgentName, ...], Field(min_length=2, strict=False)]
    """Their names, as on the command line."""

    @field_validator("agents")
    @classmethod
    def _each_once(cls, agents: tuple[str, ...]) -> tuple[str, ...]:
        for name in agents:
            if agents.count(name) > 1:
                raise ValueError(f"{name} is named twice")
        return agents


Config = TrainConfig | DuelConfig | LeagueConfig
KINDS: dict[str, type[GameConfig]] = {"train": TrainConfig, "duel": DuelConfig, "league": LeagueConfig}
_ADAPTER: TypeAdapter[Config] = TypeAdapter(Annotated[Config, Field(discriminator="kind")])


def find_config(name: str) -> Path:
    """Path of a config: a file, or the bare name of one that comes with the package.

    Raises:
        ValueError: there is none, with a suggestion.
    """
    path = Path(name)
    if path.is_file():
        return path
    shipped = {str(p.relative_to(FOLDER).with_suffix("")): p for p in sorted(FOLDER.rglob("*.toml"))}
    if name in shipped:
        return shipped[name]
    raise ValueError(f"no config {name!r}{closest(name, shipped)}: neither a file nor one of {', '.join(shipped)}")


def load_config(name: str, overrides: tuple[str, ...] = ()) -> Config:
    """Read, override and check a config.

    Args:
        name: see `find_config`; a key `extends` in it names another config that it changes.
        overrides: `key=value` or `section.key=value`, values as in TOML; a bare word is a string.

    Raises:
        ValueError: one line that names file, key and mend.
    """
    path = find_config(name)
    table = _read(path, ())
    for override in overrides:
        key, value = _parsed(override)
        set_key(table, key, value)
    return check_config(table, str(path))


def check_config(table: dict[str, Any], source: str) -> Config:
    """A config from a table of keys.

    Raises:
        ValueError: one line that names source, key and mend.
    """
    try:
        return _ADAPTER.validate_python(table)
    except ValidationError as error:
        raise ValueError(f"{source}: {_explain(error)}") from None


def _read(path: Path, seen: tuple[Path, ...]) -> dict[str, Any]:
    if path.resolve() in seen:
        raise ValueError(f"{path}: extends itself")
    try:
        table = tomllib.loads(path.read_text(encoding="utf-8"))
    except (tomllib.TOMLDecodeError, UnicodeDecodeError) as error:
        raise ValueError(f"{path}: not a TOML file: {error}") from None
    except OSError as error:
        raise ValueError(f"{path}: cannot be read: {error.strerror}") from None
    if "extends" not in table:
        return table
    base = table.pop("extends")
    if not isinstance(base, str):
        raise ValueError(f"{path}: extends: expected the name of a config, not {base!r}")
    beside = path.parent / base
    return _merge(_read(beside if beside.is_file() else find_config(base), (*seen, path.resolve())), table)


def _merge(base: dict[str, Any], change: dict[str, Any]) -> dict[str, Any]:
    merged = dict(base)
    for key, value in change.items():
        both = isinstance(value, dict) and isinstance(base.get(key), dict)
        merged[key] = _merge(base[key], value) if both else value
    return merged


def _parsed(override: str) -> tuple[str, Any]:
    key, equals, value = override.partition("=")
    if not equals or not key.strip():
        raise ValueError(f"cannot read {override!r}: expected key=value, like seed=2 or learn.rate=1e-3")
    try:
        return key.strip(), tomllib.loads(f"value = {value}")["value"]
    except tomllib.TOMLDecodeError:
        return key.strip(), value


def set_key(table: dict[str, Any], key: str, value: object) -> None:
    """Set `key` or `section.key` of a config's table.

    Raises:
        ValueError: what should be a section is none.
    """
    *sections, last = key.split(".")
    for section in sections:
        table = table.setdefault(section, {})
        if not isinstance(table, dict):
            raise ValueError(f"{key}: {section} is not a section")
    table[last] = value


def _explain(error: ValidationError) -> str:
    """The first fault of a config in one line, with a suggestion for an unknown key."""
    first = error.errors()[0]
    place = [str(part) for part in first["loc"][1 if first["loc"][:1] and first["loc"][0] in KINDS else 0 :]]
    key = ".".join(place)
    if first["type"] == "extra_forbidden":
        known = _known_keys(first["loc"])
        return f"unknown key {key}{closest(place[-1], known)}; known here: {', '.join(known)}"
    if first["type"].startswith("union_tag"):
        return f"kind: expected one of {', '.join(KINDS)}"
    if first["type"] == "value_error":
        return f"{key}: {first['ctx']['error']}"
    got = "" if first["type"] == "missing" else f", not {first['input']!r}"
    said = first["msg"].partition(" or instance of ")[0].replace("dictionary", "table")
    return f"{key}: {said[0].lower()}{said[1:]}{got}"


def _known_keys(loc: tuple[int | str, ...]) -> list[str]:
    model: Any = KINDS[str(loc[0])]
    for part in loc[1:-1]:
        annotation = model.model_fields[str(part)].annotation
        model = next((choice for choice in get_args(annotation) if choice is not type(None)), annotation)
    return list(model.model_fields)
