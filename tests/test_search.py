"""Search against a plain tree walk over the objects, and against solved games, whose values it must not change."""

import numpy as np
import pytest
from conftest import nodes_of

import tablezoo
from agents.endings import with_tables
from agents.exact import ExactAgent
from agents.search import SearchAgent
from tablezoo.agent import choose, following, load_agent
from tablezoo.exact import few
from tablezoo.kernel.board import AGAIN, TURN


class Stub:
    """Values that depend on every bit of a position and on nothing else; counts the positions it is asked for."""

    def __init__(self) -> None:
        self.asked = 0

    def values(self, game: tablezoo.Game, rows: np.ndarray) -> np.ndarray:
        self.asked += len(rows)
        return np.array([value(row) for row in rows], np.float32)


def value(row: np.ndarray) -> float:
    bare = [int(word) for word in row]
    bare[TURN] &= ~int(AGAIN)
    return hash(tuple(bare)) % 2_003 / 1_001 - 1


def plain(pos: tablezoo.Position, plies: int) -> float:
    """n-ply value of a node by its definition, through the objects."""
    if plies == 0:
        return float(np.float32(value(pos.row)))
    total, whole = 0.0, 0
    for roll, weight in pos.chances() if pos.node == "roll" else (((), 1),):
        plays = pos.plays(roll) if roll else pos.plays()
        best, worth = max(((after(play, 0), play) for play in plays), key=lambda pair: pair[0])[::-1]
        total += weight * (worth if plies == 1 else after(best, plies - 1))
        whole += weight
    return total / whole


def after(play: tablezoo.Play, plies: int) -> float:
    """What a play is worth to him who makes it."""
    if play.after.outcome is not None:
        return play.after.outcome
    there = plain(play.after, plies)
    return there if play.again else -there


def some_nodes(game: tablezoo.Game, n: int) -> np.ndarray:
    """Nodes that follow plays of random games, unmarked."""
    rows = following(game, nodes_of(game, 400, seed=3)[:: 400 // n]).rows
    going = np.isnan(following(game, nodes_of(game, 400, seed=3)[:: 400 // n]).points)
    return rows[going][:: max(1, going.sum() // n)]


def game_of(name: str) -> tablezoo.Game:
    """A game, or a miniature like backgammon-1."""
    base, _, checkers = name.rpartition("-")
    return few.miniature(tablezoo.game(base), int(checkers)) if checkers.isdecimal() else tablezoo.game(name)


@pytest.mark.parametrize(
    ("name", "plies"),
    [("nannon", 1), ("nannon", 2), ("nannon", 3), ("hypergammon", 1), ("acey-deucey-european-1", 2), ("gioul-1", 2), ("ofanfelling", 1), ("backgammon", 1)],
)
def test_search_is_the_walk_over_the_tree(name: str, plies: int) -> None:
    """S01, S02: with values that depend on the position, signs and views cannot be wrong unnoticed."""
    game = game_of(name)
    rows = some_nodes(game, 3)
    found = SearchAgent(game, Stub(), plies, tables=False).values(game, rows)
    for row, searched in zip(rows, found, strict=True):
        assert searched == pytest.approx(plain(tablezoo.Position(game, row, 0), plies), abs=1e-5), tablezoo.Position(game, row, 0).text


@pytest.mark.parametrize("plies", [1, 2])
@pytest.mark.parametrize(
    "name", ["nannon", "backgammon-1", "plakoto-1", "acey-deucey-american-1", "acey-deucey-european-1", "gul-bara-1", "gioul-1", "tabula-1"]
)
def test_search_does_not_change_exact_values(name: str, plies: int) -> None:
    game = game_of(name)
    exact = ExactAgent(game)
    rows = some_nodes(game, 40)
    assert SearchAgent(game, exact, plies).values(game, rows) == pytest.approx(exact.values(game, rows), abs=1e-5)


def test_a_reply_that_wins_counts_for_the_opponent() -> None:
    """S02: he who throws bears off his last checker by any roll, whatever the base agent thinks."""
    game = tablezoo.game("backgammon")
    rows = np.array(game.position("1:1 | 24:2 (ooff=13)").row[None])
    for plies in (1, 2):
        assert SearchAgent(game, Stub(), plies, tables=False).values(game, rows)[0] == pytest.approx(1)


def test_values_do_not_depend_on_what_else_was_asked() -> None:
    """S05: in any order, alone or among others."""
    game = tablezoo.game("hypergammon")
    agent, rows = SearchAgent(game, Stub(), 1, tables=False), some_nodes(game, 60)
    together = agent.values(game, rows)
    assert (agent.values(game, rows[::-1])[::-1] == together).all()
    assert np.concatenate([agent.values(game, row[None]) for row in rows]) == pytest.approx(together, abs=1e-6)


@pytest.mark.parametrize("agent", ["search:td,plies=1", "search:td,plies=2,width=2", "mcts:td,sims=100"])
def test_the_number_of_threads_changes_nothing(agent: str) -> None:
    game = tablezoo.game("backgammon")
    nodes, rows = nodes_of(game, 60, seed=9)[5::6], some_nodes(game, 12)
    one, three = (load_agent(f"{agent},threads={threads}", game) for threads in (1, 3))
    assert (one.values(game, rows) == three.values(game, rows)).all()
    assert (choose(one, game, nodes) == choose(three, game, nodes)).all()


def test_each_option_changes_how_many_positions_are_valued() -> None:
    game = tablezoo.game("backgammon")
    nodes = nodes_of(game, 40, seed=9)[5::10]

    def asked(**options: int | float) -> int:
        stub = Stub()
        agent = SearchAgent(game, stub, tables=False, **options)
        after = following(game, nodes)
        going = np.isnan(after.points)
        agent.costs(game, np.repeat(after.nodes, np.diff(after.ends, prepend=0), axis=0)[going], after.rows[going])
        return stub.asked

    zero, one, wide, strict = asked(plies=0), asked(plies=1, width=2, margin=9), asked(plies=1, width=5, margin=9), asked(plies=1, width=5, margin=0)
    assert zero < strict < one < wide


def test_a_position_is_valued_once() -> None:
    game = tablezoo.game("backgammon")
    stub = Stub()
    row = np.array(game.position("6:1 | 19:1 (off=14 ooff=14)").row[None])
    SearchAgent(game, stub, 1, tables=False).values(game, np.repeat(row, 5, axis=0))
    places = {play.after for roll, _ in game.position("6:1 | 19:1 (off=14 ooff=14)").chances() for play in tablezoo.Position(game, row[0], 0).plays(roll)}
    assert stub.asked == len({pos for pos in places if pos.outcome is None})


@pytest.mark.parametrize(
    ("name", "message"),
    [
        ("search:pubeval,plies=1", "only compares plays"),
        ("search:random,plies=x", "plies must be a whole number from 0 to 4, not x"),
        ("search:random,plies=5", "plies must be a whole number from 0 to 4, not 5"),
        ("search:random,width=0", "width must be a whole number from 1"),
        ("search:random,margin=-1", "margin must be a number from 0"),
        ("search:random,tables=maybe", "tables must be yes or no, not maybe"),
        ("search:random,threads=-1", "threads must be a whole number from 0"),
        ("search:random,depth=1", "depth"),
        ("search:nobody", "unknown agent 'nobody'"),
    ],
)
def test_wrong_options_get_one_line(name: str, message: str) -> None:
    with pytest.raises(ValueError, match=message) as refused:
        load_agent(name, tablezoo.game("backgammon"))
    assert "\n" not in str(refused.value)


@pytest.mark.parametrize("agent", ["search:random,plies=0", "search:td,plies=0", "search:td,plies=2", "mcts:random,sims=42", "mcts:td,sims=42"])
def test_bear_offs_of_few_checkers_are_looked_up(agent: str) -> None:
    """S03: exact chances of winning at the leaves, whoever values the rest."""
    game = tablezoo.game("backgammon")
    races = {"6:1 | 19:1": 0.8125, "6:1 | 20:1": 0.784722, "5:1 | 19:1": 0.895833, "4:1 | 21:1": 0.947531, "4:1 | 24:1": 34 / 36}
    rows = np.array([game.position(f"{text} (off=14 ooff=14)").row for text in races])
    values = load_agent(agent, game).values(game, rows)
    assert values == pytest.approx([2 * won - 1 for won in races.values()], abs=1e-5)


def test_the_chances_of_a_bear_off_are_those_of_single_wins() -> None:
    game = tablezoo.game("backgammon")
    rows = np.array([game.position("6:1 | 19:1 (off=14 ooff=14)").row, game.start_row])
    net = load_agent("td", game)
    tabled = with_tables(net, game)
    assert tabled.probabilities(rows)[0] == pytest.approx([0.8125, 0, 0, 0.1875, 0, 0])
    assert (tabled.probabilities(rows)[1] == net.probabilities(rows)[1]).all()
    node = game.position("6:1 | 19:1 (off=14 ooff=14 dice=21)")
    after = following(game, node.row[None])
    for play, chances in zip(node.plays(), tabled.probabilities_after(after), strict=True):
        assert chances[0] == pytest.approx(27 / 36), play.text  # the opponent needs a 6 or two numbers of 6 and more


def test_games_without_tables_are_left_alone() -> None:
    game = tablezoo.game("widdershins")
    agent = load_agent("random", game)
    assert with_tables(agent, game) is agent
