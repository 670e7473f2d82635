"""The zoo's track games: every play and step against the oracle, the referee's cases, and how the games relate to each other."""

import json
from dataclasses import replace
from itertools import combinations

import numpy as np
import oracle_zoo as oracle
import pytest
from conftest import DATA, nodes_of
from hypothesis import given, settings
from oracle_zoo import ZOO, Board, Context, Numbers, Reading

import tablezoo
from tablezoo.kernel.plays import turn_rows

NAMES = [name for name in tablezoo.games() if name in ZOO]
OPTIONS = ("doubles", "movement", "blot", "head_first", "runner", "prime", "prime_check", "points_limit", "bear_off", "mother", "protect")
OPTIONS += ("forced_use", "larger_die", "scoring", "hit_and_run", "hit_to", "stack_limit")
OPTIONS += ("plain_doubles_turns", "unused", "acey_deucey", "enter_hand_first", "hit_needs_home", "half_gate", "bear_off_gate")

READINGS: dict[str, tuple[str, Reading]] = {
    **{name: (name, ZOO[name]) for name in NAMES},
    "plakoto-strict": ("plakoto", replace(ZOO["plakoto"], mother="strict")),
    "plakoto-greedy": ("plakoto", replace(ZOO["plakoto"], forced_use="greedy")),
    "plakoto-either-die": ("plakoto", replace(ZOO["plakoto"], larger_die=False)),
    "narde-turn": ("long-narde", replace(ZOO["long-narde"], prime_check="turn")),
    "narde-stuck": ("long-narde", replace(ZOO["long-narde"], head_first="when_stuck")),
    "narde-greedy": ("long-narde", replace(ZOO["long-narde"], forced_use="greedy")),
    "narde-free": ("long-narde", replace(ZOO["long-narde"], prime="any", head_first="none")),
    "fevga-turn": ("fevga", replace(ZOO["fevga"], prime_check="turn")),
    "fevga-any": ("fevga", replace(ZOO["fevga"], prime="any")),
    "moultezim-home": ("moultezim", replace(ZOO["moultezim"], points_limit="own_home")),
    "moultezim-turn": ("moultezim", replace(ZOO["moultezim"], prime_check="turn")),
    "jacquet-hitting": ("jacquet", replace(ZOO["jacquet"], blot="hit", block=2)),
    "jacquet-past-start": ("jacquet", replace(ZOO["jacquet"], runner="past_start")),
    "narde-exact": ("long-narde", replace(ZOO["long-narde"], bear_off="exact")),
    "backgammon-exact": ("backgammon", replace(ZOO["backgammon"], bear_off="exact")),
    "backgammon-anytime": ("backgammon", replace(ZOO["backgammon"], bear_off="anytime")),
    "backgammon-men-left": ("backgammon", replace(ZOO["backgammon"], scoring="men_left")),
    "irish-parallel": ("irish", replace(ZOO["irish"], movement="parallel")),
    "hypergammon-single": ("hypergammon", replace(ZOO["hypergammon"], stack_limit=1)),
    "hypergammon-to-hand": ("hypergammon", replace(ZOO["hypergammon"], hit_to="hand")),
    "nannon-open": ("nannon", replace(ZOO["nannon"], protect="none")),
    "dutch-free": ("dutch", replace(ZOO["dutch"], enter_hand_first=False)),
    "dutch-hits": ("dutch", replace(ZOO["dutch"], hit_needs_home=False, forced_use="greedy")),
    "acey-deucey-exact": ("acey-deucey-european", replace(ZOO["acey-deucey-european"], bear_off="exact")),
    "acey-deucey-gift": ("acey-deucey-american", replace(ZOO["acey-deucey-american"], unused="opponent")),
    "acey-deucey-escalating": ("acey-deucey-american", replace(ZOO["acey-deucey-american"], doubles="escalate", plain_doubles_turns=1)),
    "russian-free": ("russian", replace(ZOO["russian"], enter_hand_first=False, larger_die=False)),
    "russian-gift": ("russian", replace(ZOO["russian"], unused="opponent")),
    "tabula-gates": ("tabula", replace(ZOO["tabula"], half_gate=True)),
    "tabula-open": ("tabula", replace(ZOO["tabula"], bear_off_gate=False)),
    "tabula-exact": ("tabula", replace(ZOO["tabula"], bear_off_gate=False, bear_off="exact")),
    "tabula-greedy": ("tabula", replace(ZOO["tabula"], forced_use="greedy")),
    "tabula-single": ("tabula", replace(ZOO["tabula"], stack_limit=1, bear_off_gate=False)),
    "tabula-needs-home": ("tabula", replace(ZOO["tabula"], hit_needs_home=True, half_gate=True)),
    "gul-bara-gift": ("gul-bara", replace(ZOO["gul-bara"], unused="opponent", plain_doubles_turns=1)),
    "gioul-lost": ("gioul", replace(ZOO["gioul"], unused="lost", larger_die=False)),
}
"""A game of the zoo and the oracle's reading: every game, and for each option one that differs in it."""


def game_of(key: str) -> tablezoo.Game:
    """The game with the options in which a reading differs from its preset."""
    name, reading = READINGS[key]
    changed = {option: getattr(reading, option) for option in OPTIONS if getattr(reading, option) != getattr(ZOO[name], option)}
    if reading.block != ZOO[name].block:
        changed["block"] = reading.block
    return tablezoo.game(name, **changed)


def words(board: Board, left: Numbers, reading: Reading) -> str:
    """Position text by the oracle."""
    return oracle.text(board, left, reading)


def check_node(game: tablezoo.Game, reading: Reading, board: Board, left: Numbers, context: Context = oracle.TURN_START, head: int | None = None) -> None:
    """Same results, each once, by as many numbers, with the same outcome; the same first steps; texts that come back."""
    text = words(board, left, reading)
    if head is not None:
        text = (text[:-1] + f" head={head})") if text.endswith(")") else f"{text} (head={head})"
    node = game.position(text)
    case = f"{game!r} {text}"
    expected = oracle.results(board, left, reading, context)
    plays = node.plays()
    got = {plain(play.result.text): play for play in plays}
    assert len(got) == len(plays), f"{case}: a result is listed twice"
    by_text = {shown(end, reading): (end, used) for end, used in expected.items()}
    assert set(got) == set(by_text), f"{case}: {[p.text for p in plays]}"
    for result, play in list(got.items())[:6]:
        end, used = by_text[result]
        assert play.numbers == used, f"{case}: {play.text}"
        points = oracle.outcome(end, reading)
        assert play.after.outcome == points, f"{case}: {play.text}"
        if points is None:
            assert plain(play.after.text) == shown(end if play.again else oracle.turned(end, reading), reading), f"{case}: {play.text}"
            assert game.position(play.after.text) == play.after
        assert node.play(play.text) in plays
    steps = set(node.steps())
    assert steps == oracle.first_steps(board, left, reading, context), f"{case}: steps"


def shown(end: Board, reading: Reading) -> str:
    """Text of a result; nothing is said of runners when it is plain that they have arrived, or the game is over."""
    over = oracle.outcome(end, reading) is not None
    return words(Board(*(side._replace(arrived=side.arrived and not side.off and not over) for side in end)), (), reading)


BOARD_COUNTERS = {f"{prefix}{name}" for prefix in ("", "o") for name in (*oracle.COUNTERS, "runner")}


def plain(text: str) -> str:
    """A position text of the board alone: checkers, and runners who have arrived."""
    body, _, tail = text.partition("(")
    kept = [word for word in tail.rstrip(")").split() if word.partition("=")[0] in BOARD_COUNTERS]
    return body.strip() + (f" ({' '.join(kept)})" if kept else "")


@pytest.mark.parametrize("examples", [25, pytest.param(3_000, marks=pytest.mark.slow)])
@pytest.mark.parametrize("key", READINGS)
def test_plays_of_odd_positions(key: str, examples: int) -> None:
    _, reading = READINGS[key]
    game = game_of(key)

    @settings(max_examples=examples)
    @given(board=oracle.boards(reading), left=oracle.numbers(reading, parts=not reading.head_limit))
    def check(board: Board, left: Numbers) -> None:
        check_node(game, reading, board, left)

    check()


@pytest.mark.parametrize(("nodes", "step"), [(4_000, 100), pytest.param(200_000, 20, marks=pytest.mark.slow)])
@pytest.mark.parametrize("key", READINGS)
def test_plays_of_random_games(key: str, nodes: int, step: int) -> None:
    _, reading = READINGS[key]
    game = game_of(key)
    for row in nodes_of(game, nodes, seed=3)[::step]:
        text = tablezoo.Position(game, row, 0).text
        parsed = oracle.parse(text, reading)
        if parsed.left:  # the choice of a double has none
            check_node(game, reading, parsed.board, parsed.left)


@pytest.mark.parametrize(("games", "seed"), [(1, 1), pytest.param(40, 2, marks=pytest.mark.slow)])
@pytest.mark.parametrize("key", READINGS)
def test_a_turn_step_by_step_is_a_turn_by_plays(key: str, games: int, seed: int) -> None:
    """Random steps end at a result of the whole roll, and every result can be stepped to."""
    game, generator = game_of(key), np.random.default_rng(seed)
    for _ in range(games):
        pos = game.start()
        for _ in range(400):
            if pos.node == "over":
                break
            node = thrown(pos, generator)
            results = {play.after for play in node.plays()}
            here = node
            while here not in results and here.steps():
                steps = here.steps()
                here = here.step(steps[generator.integers(len(steps))])
            assert (here if node.steps() else node.plays()[0].after) in results, node.text
            pos = list(results)[generator.integers(len(results))]


def thrown(pos: tablezoo.Position, generator: np.random.Generator) -> tablezoo.Position:
    """The play node after a roll, each as likely as any other; the node itself where none is due."""
    if pos.node == "play":
        return pos
    chances = pos.chances()
    return pos.rolled(chances[generator.integers(len(chances))][0])


def check_pips(node: tablezoo.Position, play: tablezoo.Play) -> None:
    """The mover's pips fall by the numbers he uses, less what bearing off wastes; the opponent's rise by his hits only."""
    (own, opponent), (own_after, opponent_after) = node.pips(), play.result.pips()
    fall, numbers = own - own_after, node.numbers
    assert fall >= 0
    assert numbers or not fall
    used = {sum(some) for some in combinations(numbers, play.numbers)}
    borne_off = own_after < own and play.text.count("off") > 0
    assert fall in used or (borne_off and fall < max(used)), f"{node.text}: {play.text}"
    hit = sum(play.hits) if node.game.options["blot"] == "hit" and node.game.options["movement"] == "contrary" else None
    if hit is not None:
        assert opponent_after - opponent == hit, f"{node.text}: {play.text}: a checker hit on point p has p pips more to go"
    elif node.game.options["blot"] != "hit":
        assert opponent_after == opponent


@pytest.mark.parametrize("key", READINGS)
def test_random_games_keep_checkers_and_pips(key: str) -> None:
    name, reading = READINGS[key]
    game, generator = game_of(key), np.random.default_rng(4)
    pos = game.start()
    while pos.node != "over":
        node = thrown(pos, generator)
        plays = node.plays()
        play = plays[generator.integers(len(plays))]
        check_pips(node, play)
        for side in oracle.parse(plain(play.result.text), reading).board:
            assert len(side.men) + len(side.pinned) + side.bar + side.hand + side.off == ZOO[name].checkers
        pos = play.after
    assert pos.outcome in (*game.outcomes, 0)


# The referee's cases


CASES = json.loads((DATA / "variants.json").read_text())


@pytest.mark.parametrize(
    "case", [case for case in CASES if case["variant"].split(" (")[0].lower() in ("narde", "acey-deucey", "gul bara", *NAMES)], ids=lambda case: case["id"]
)
def test_referee_case(case: dict) -> None:  # type: ignore[type-arg]
    others = {"Narde (long)": "long-narde", "Acey-deucey (American)": "acey-deucey-american"}
    name = others.get(case["variant"], case["variant"].lower().replace(" ", "-"))
    game = tablezoo.game(name)
    plays = game.position(case["position"]).plays(tuple(case["roll"]))
    expected = {game.position(result["position"]).text for result in case["results"]}
    assert {plain(play.result.text) for play in plays} == {plain(text) for text in expected}
    assert {play.numbers for play in plays} == {case["dice_used"]}


# Relations between games (rules/variants.md 4.3)


def same_plays(one: tablezoo.Game, other: tablezoo.Game, seed: int = 5) -> int:
    """Compare the results of random nodes of one game with those of another; returns how many nodes were compared."""
    rows = nodes_of(one, 4_000, seed)[::4]
    for row in rows:
        here = tablezoo.Position(one, row, 0)
        there = other.position(here.text)
        assert {plain(p.result.text) for p in here.plays()} == {plain(p.result.text) for p in there.plays()}, here.text
    return len(rows)


def test_tapa_is_plakoto() -> None:
    assert same_plays(tablezoo.game("tapa"), tablezoo.game("plakoto")) == 1_000


def test_portes_has_the_plays_of_backgammon() -> None:
    assert same_plays(tablezoo.game("portes"), tablezoo.game("backgammon")) == 1_000


def test_tavla_is_takhteh_that_may_waste_pips() -> None:
    assert same_plays(tablezoo.game("tavla"), tablezoo.game("takhteh", waste_pips="off")) == 1_000


def test_mahbouseh_is_plakoto_until_a_mother_is_pinned() -> None:
    mahbouseh, plakoto = tablezoo.game("mahbouseh"), tablezoo.game("plakoto", mother="none")
    assert same_plays(mahbouseh, plakoto) == 1_000
    plakoto, compared = tablezoo.game("plakoto"), 0
    for row in nodes_of(mahbouseh, 2_000, seed=7)[::4]:
        here = tablezoo.Position(mahbouseh, row, 0)
        there = plakoto.position(here.text)
        if there.node == "play" and all(play.after.outcome is None for play in there.plays()):
            assert {plain(p.after.text) for p in here.plays()} == {plain(p.after.text) for p in there.plays()}, here.text
            compared += 1
    assert compared > 100


def test_gul_bara_begins_as_narde_without_head_and_wall() -> None:
    narde = tablezoo.game("long-narde", head_limit="0", prime="any")
    gul_bara, compared = tablezoo.game("gul-bara"), 0
    for seed in range(100):
        generator = np.random.default_rng(seed)
        pos = gul_bara.start()
        for _ in range(6):
            node = thrown(pos, generator)
            there = narde.position(words(*oracle.parse(node.text.replace(" first=0", ""), ZOO["gul-bara"])[:2], ZOO["gul-bara"]))
            assert {plain(p.after.text) for p in node.plays()} == {plain(p.after.text) for p in there.plays()}, node.text
            assert not any(play.again for play in node.plays())
            pos = node.plays()[generator.integers(len(node.plays()))].after
            compared += 1
    assert compared == 600


def test_gioul_without_doublets_is_tawla_31_once_the_lead_checker_is_home() -> None:
    gioul, tawla, compared = tablezoo.game("gioul"), tablezoo.game("tawla-31"), 0
    for row in nodes_of(gioul, 8_000, seed=5):
        here = tablezoo.Position(gioul, row, 0)
        own, _ = here.counts()
        if len(set(here.numbers)) == 2 and "gift" not in here.text and any(own[: 6 + 1]):
            there = tawla.position(here.text)
            assert {p.result.text for p in here.plays()} == {p.result.text for p in there.plays()}, here.text
            compared += 1
    assert compared > 500


def test_russian_with_all_checkers_entered_and_no_doublet_is_backgammon_the_same_way_round() -> None:
    russian, compared = tablezoo.game("russian"), 0
    parallel = tablezoo.game("acey-deucey-american", acey_deucey=False, movement="same", scoring="backgammon")
    for row in nodes_of(russian, 8_000, seed=5):
        here = tablezoo.Position(russian, row, 0)
        if len(set(here.numbers)) == 2 and "hand" not in here.text:
            there = parallel.position(here.text)
            assert {p.result.text for p in here.plays()} == {p.result.text for p in there.plays()}, here.text
            compared += 1
    assert compared > 500


def test_aliases_name_the_same_game() -> None:
    for alias, name in {"todas-tablas": "irish", "shesh-besh": "portes", "frangieh": "portes", "mughrabieh": "tawla-31", "mahbusa": "mahbouseh"}.items():
        assert tablezoo.game(alias) == tablezoo.game(name)


@pytest.mark.parametrize("name", NAMES)
def test_the_start_is_the_same_for_both_sides(name: str) -> None:
    game = tablezoo.game(name)
    assert plain(game.start().text) == words(oracle.start(name), (), ZOO[name])
    row = game.start_row[None].copy()
    before = row.copy()
    turn_rows(game.rules, row)
    assert (row == before).all()


@pytest.mark.parametrize("key", ["backgammon", "irish", "nackgammon", "hypergammon", "backgammon-exact", "portes"])
def test_the_fast_kernel_is_the_general_one(key: str) -> None:
    """Backgammon's relatives by the general rules: the same results at the same nodes."""
    fast = game_of(key)
    general = tablezoo.game(READINGS[key][0], **fast.changed)
    general.rules = fast.rules._replace(kind=np.uint64(3))
    for row in nodes_of(fast, 20_000, seed=6)[::20]:
        here = tablezoo.Position(fast, row, 0)
        there = tablezoo.Position(general, here.row, 0)
        wide = there.row.copy()
        wide[4] |= np.uint64(3 << 20)
        there = tablezoo.Position(general, wide, 0)
        assert {p.result.row[:4].tobytes() for p in here.plays()} == {p.result.row[:4].tobytes() for p in there.plays()}, here.text
