"""Tree search: the numbers of a tree against a walk over the objects, exact values, counts of what is valued."""

from collections.abc import Iterator

import numpy as np
import pytest
from conftest import nodes_of
from test_search import Stub, game_of, some_nodes, value

import tablezoo
from agents.exact import ExactAgent
from agents.mcts import MctsAgent, Trees
from agents.search import SearchAgent
from agents.tree import NONE, Policy
from tablezoo.agent import best, choose, dislikes, following, load_agent
from tablezoo.kernel.board import AGAIN, ROW, TURN

POLICY = Policy(leaves=300, width=5, margin=9.0, spread=0.5, explore=0.5, least=0)


def planted(game: tablezoo.Game, nodes: np.ndarray, policy: Policy = POLICY, base: object = None) -> Trees:
    trees = Trees(game, base or Stub(), policy, len(nodes))
    trees.plant(np.arange(len(nodes)), nodes)
    trees.search(np.arange(len(nodes)))
    return trees


class Walk:
    """A tree walked from its root along the objects: its shape is the tree's, every number is computed anew."""

    def __init__(self, trees: Trees, t: int) -> None:
        self.forest, self.t, self.leaves = trees.forest, t, -1
        self.game = trees.game

    def decision(self, d: int, pos: tablezoo.Position) -> float:
        """What a decision is worth to the player to act."""
        self.leaves += 1
        forest, t = self.forest, self.t
        assert pos.node == "play"
        assert (forest.node[t, d] == pos.row).all()
        plays = pos.plays()
        guesses = [self.guess(play) for play in plays]
        kept = range(forest.first[t, d], forest.first[t, d] + forest.kept[t, d])
        order = sorted(range(len(plays)), key=lambda k: -guesses[k])[: trees_width(forest)]
        assert [forest.place[t, e] for e in kept] == order
        worth = [self.play(e, play) for e, play in zip(kept, (plays[k] for k in order), strict=True)]
        looked = [forest.child[t, e] != NONE for e in kept]
        seen = [w for w, e, play in zip(worth, kept, (plays[k] for k in order), strict=True) if forest.child[t, e] != NONE or play.after.outcome is not None]
        found = max(seen) if any(looked) else worth[0]
        assert forest.worth[t, d] @ forest.outcomes == pytest.approx(found, abs=1e-5)
        return found

    def guess(self, play: tablezoo.Play) -> float:
        if play.after.outcome is not None:
            return float(play.after.outcome)
        there = float(np.float32(value(play.after.row)))
        return there if play.again else -there

    def play(self, e: int, play: tablezoo.Play) -> float:
        """What a play is worth to the player who makes it."""
        forest, t = self.forest, self.t
        assert forest.guess[t, e] == pytest.approx(self.guess(play), abs=1e-6)
        if forest.child[t, e] == NONE:
            found = self.guess(play)
        else:
            after, total, whole = play.after, 0.0, 0
            rolls = [(after.rolled(roll), weight) for roll, weight in after.chances()] if after.node == "roll" else [(after, 1)]
            assert forest.children[t, e] == len(rolls)
            for d, (pos, weight) in enumerate(rolls, forest.child[t, e]):
                total += weight * self.decision(d, pos)
                whole += weight
            found = total / whole if play.again else -total / whole
        assert forest.equity[t, e] == pytest.approx(found, abs=1e-5)
        return found


def trees_width(forest: object) -> int:
    return int(forest.alive.shape[1])  # type: ignore[attr-defined]


def play_nodes(game: tablezoo.Game, n: int, seed: int = 5) -> np.ndarray:
    return nodes_of(game, 40 * n, seed=seed)[7::40][:n]


def decisions(trees: Trees) -> Iterator[tuple[int, int]]:
    return ((t, int(n)) for t, n in enumerate(trees.forest.decisions))


@pytest.mark.parametrize("name", tablezoo.games())
def test_a_tree_is_worth_what_a_walk_over_it_finds(name: str) -> None:
    """S01 to S03 in every game: signs, views, chances and the order of plays, with values that depend on every bit."""
    game = tablezoo.game(name)
    leaves = 300 if len(game.start().chances()) > 6 else 60
    nodes = play_nodes(game, 3)
    trees = planted(game, nodes, POLICY._replace(leaves=leaves, width=3))
    for t, n in decisions(trees):
        walk = Walk(trees, t)
        walk.decision(0, tablezoo.Position(game, nodes[t], 0))
        assert walk.leaves == n - 1 <= leaves


@pytest.mark.parametrize("name", ["nannon", "backgammon", "gioul-1"])
def test_one_look_at_every_play_is_a_search_of_one_ply(name: str) -> None:
    game = game_of(name)
    nodes = play_nodes(game, 5)
    after = following(game, nodes)
    going = np.isnan(after.points)
    before = np.repeat(after.nodes, np.diff(after.ends, prepend=0), axis=0)[going]
    rolls = len(game.position(game.start().text).plays((2, 1) if name != "nannon" else (1,))[0].after.chances())
    searched = MctsAgent(game, Stub(), 2 * rolls, width=2, margin=9, tables=False).costs(game, before, after.rows[going])
    plied = SearchAgent(game, Stub(), 1, width=2, margin=9, tables=False).costs(game, before, after.rows[going])
    looked = plied < 500
    for node in nodes:
        here = (before == node).all(axis=1)
        if looked[here].sum() == 2 and (searched[here] < 500).sum() == 2:
            assert searched[here & looked] == pytest.approx(plied[here & looked], abs=1e-5)
            assert np.argmin(searched[here]) == np.argmin(plied[here])


@pytest.mark.parametrize("sims", [30, 400])
@pytest.mark.parametrize(
    "name", ["nannon", "backgammon-1", "plakoto-1", "acey-deucey-american-1", "acey-deucey-european-1", "gul-bara-1", "gioul-1", "tabula-1"]
)
def test_tree_search_does_not_change_exact_values(name: str, sims: int) -> None:
    game = game_of(name)
    exact = ExactAgent(game)
    rows = some_nodes(game, 20)
    assert MctsAgent(game, exact, sims).values(game, rows) == pytest.approx(exact.values(game, rows), abs=1e-5)
    after = following(game, play_nodes(game, 10))
    worth = -dislikes(exact, game, after)
    begins = np.append(0, after.ends[:-1])
    assert worth[best(MctsAgent(game, exact, sims), game, after)] == pytest.approx(np.maximum.reduceat(worth, begins), abs=1e-5)


@pytest.mark.parametrize(
    ("text", "won"),
    [
        ("6:1 | 24:1", 27 / 36),
        ("5:1 | 24:1", 31 / 36),
        ("4:1 | 24:1", 34 / 36),
        ("3:1 | 24:1", 1),
        ("6:1 | 19:1", 0.8125),
        ("6:1 | 20:1", 0.784722),
        ("5:1 | 19:1", 0.895833),
        ("5:1 | 20:1", 0.880401),
        ("4:1 | 21:1", 0.947531),
        ("6:1 | 21:1", 0.763889),
    ],
)
def test_short_races_are_searched_to_their_end(text: str, won: float) -> None:
    """S03, by enumeration: the base agent's opinion leaves no trace."""
    game = tablezoo.game("backgammon")
    row = game.position(f"{text} (off=14 ooff=14)").row[None]
    assert MctsAgent(game, Stub(), 20_000, width=40, tables=False).values(game, np.array(row))[0] == pytest.approx(2 * won - 1, abs=1e-5)


def test_the_best_of_two_ways_to_leave_a_bear_off() -> None:
    """S03: 6/5 4/2 wins 0.43981; {4,3} would win 0.39352, {6,1} 0.34722."""
    game = tablezoo.game("backgammon")
    node = game.position("6:1 4:1 | 24:3 (off=13 ooff=12 dice=21)")
    [after] = choose(MctsAgent(game, Stub(), 30_000, width=8, margin=9, tables=False), game, np.array(node.row[None]))
    assert (after == node.play("6/5 4/2").after.row).all()


def test_a_game_that_is_decided_needs_no_more_leaves() -> None:
    game = tablezoo.game("backgammon")
    trees = Trees(game, Stub(), POLICY._replace(leaves=5_000, least=1), 1)
    trees.plant_before(np.array(game.position("2:1 | 24:1 (off=14 ooff=14)").row[None]))
    trees.search(np.arange(1))
    assert trees.forest.decisions[0] == 1 + 21
    assert trees.forest.certain[0, 0]
    assert trees.valued == 0


def test_a_simulation_values_one_leaf() -> None:
    """R01: the budget is kept to, and used to within one throw."""
    game = tablezoo.game("backgammon")
    for leaves in (1, 20, 21, 100, 1_000):
        trees = planted(game, play_nodes(game, 8), POLICY._replace(leaves=leaves, least=9_999))
        assert (trees.forest.decisions - 1 <= leaves).all()
        assert (trees.forest.decisions - 1 > leaves - 21)[~trees.forest.known[:, 0]].all()


def test_each_option_changes_what_is_valued() -> None:
    """R01: no option is without effect."""
    game = tablezoo.game("backgammon")
    nodes = play_nodes(game, 4)

    def shape(**options: float) -> tuple[int, ...]:
        trees = planted(game, nodes, POLICY._replace(leaves=4_000, width=6, margin=0.3)._replace(**options))
        return tuple(trees.forest.looks.sum(axis=0).tolist())

    plain = shape()
    for change in ({"leaves": 3_000}, {"width": 4}, {"margin": 0.01}, {"spread": 0.01}, {"explore": 0.0}, {"least": 99_999}):
        assert shape(**change) != plain, change


def test_values_do_not_depend_on_what_else_was_asked() -> None:
    """S05: in any order, alone or among others."""
    game = tablezoo.game("hypergammon")
    agent, rows = MctsAgent(game, Stub(), 100), some_nodes(game, 60)
    together = agent.values(game, rows)
    assert (agent.values(game, rows[::-1])[::-1] == together).all()
    assert (np.concatenate([agent.values(game, row[None]) for row in rows]) == together).all()
    nodes = play_nodes(game, 30)
    assert (choose(agent, game, nodes) == np.concatenate([choose(agent, game, node[None]) for node in nodes])).all()


def test_equal_nodes_side_by_side_get_equal_plays() -> None:
    game = tablezoo.game("backgammon")
    nodes = np.repeat(play_nodes(game, 3), 2, axis=0)
    after = choose(MctsAgent(game, Stub(), 60, tables=False), game, nodes)
    assert (after[::2] == after[1::2]).all()


def test_only_the_root_feels_the_noise() -> None:
    """S04: it changes what is looked at and chosen, not what anything is worth; plays that are not legal are not there."""
    game = tablezoo.game("nannon")
    exact = ExactAgent(game)
    nodes = play_nodes(game, 40)
    nodes = nodes[[len(tablezoo.Position(game, node, 0).plays()) > 1 for node in nodes]]
    plain, noisy = (Trees(game, exact, POLICY, len(nodes)) for _ in range(2))
    noise = np.random.default_rng(1).gumbel(size=(len(nodes), POLICY.width)).astype(np.float32)
    for trees, added in ((plain, None), (noisy, noise)):
        trees.plant(np.arange(len(nodes)), nodes)
        trees.search(np.arange(len(nodes)), added)
    assert (plain.best(np.arange(len(nodes))) != noisy.best(np.arange(len(nodes)))).any()
    used = np.arange(noisy.forest.equity.shape[1]) < noisy.forest.plays[:, None]
    assert noisy.forest.equity[used] == pytest.approx(noisy.forest.guess[used], abs=1e-5)


@pytest.mark.parametrize("name", ["nannon", "widdershins", "backgammon"])
def test_what_is_known_below_the_play_made_is_kept(name: str) -> None:
    """Tree reuse: the subtree is the new tree, all its numbers right, and counts towards the leaves."""
    game = tablezoo.game(name)
    policy = POLICY._replace(leaves=900 if name == "backgammon" else 300, width=3, least=9_999)
    roots = play_nodes(game, 12)
    trees = planted(game, roots, policy)
    good = [t for t, e in enumerate(trees.best(np.arange(12))) if trees.forest.looks[t, e] > 1]
    assert len(good) > 2
    good = good[:3]
    trees = planted(game, roots[good], policy)
    forest, chosen, nodes = trees.forest, trees.best(np.arange(len(good))), np.empty((len(good), ROW), np.uint64)
    for t, e in enumerate(chosen):
        child = max(range(forest.children[t, e]), key=lambda k: forest.visits[t, forest.child[t, e] + k])
        row = forest.after[t, e].copy()
        row[TURN] &= ~AGAIN
        after = tablezoo.Position(game, row, 0)
        nodes[t] = (after.rolled(after.chances()[child][0]) if after.node == "roll" else after).row
    before = trees.valued
    trees.follow(np.arange(len(good)), chosen, nodes)
    assert trees.valued == before
    for _ in range(2):
        assert (forest.visits[:, 0] > 0).all()
        for t, n in decisions(trees):
            walk = Walk(trees, t)
            walk.decision(0, tablezoo.Position(game, nodes[t], 0))
            assert walk.leaves == n - 1 <= policy.leaves
        trees.search(np.arange(len(good)))


def test_a_play_that_was_not_looked_at_begins_a_tree_anew() -> None:
    game = tablezoo.game("nannon")
    nodes = play_nodes(game, 4)
    trees = Trees(game, Stub(), POLICY, 4)
    trees.plant(np.arange(4), nodes)
    trees.search(np.arange(4))
    trees.follow(np.arange(4), trees.best(np.arange(4)), nodes)  # a node that no roll leads to
    assert (trees.forest.node[:, 0] == nodes).all()
    assert (trees.forest.decisions == 1).all()


@pytest.mark.parametrize(
    ("name", "message"),
    [
        ("mcts:pubeval", "only compares plays"),
        ("mcts:random,sims=x", "sims must be a whole number from 1 to 1000000, not x"),
        ("mcts:random,sims=0", "sims must be a whole number from 1"),
        ("mcts:random,width=0", "width must be a whole number from 1"),
        ("mcts:random,margin=-1", "margin must be a number from 0"),
        ("mcts:random,spread=0", "spread must be a number from 0.0001"),
        ("mcts:random,explore=-1", "explore must be a number from 0"),
        ("mcts:random,depth=1", "depth"),
    ],
)
def test_wrong_options_get_one_line(name: str, message: str) -> None:
    with pytest.raises(ValueError, match=message) as refused:
        load_agent(name, tablezoo.game("backgammon"))
    assert "\n" not in str(refused.value)
