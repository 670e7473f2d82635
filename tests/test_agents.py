"""Players and duels."""

import numpy as np
import pytest
from conftest import DATA

from agents.basic import PipsAgent, RandomAgent
from agents.nets.files import NetSpec
from agents.pubeval import PubevalAgent
from agents.search import SearchAgent
from agents.td import TDAgent
from experiments.duel import DuelResult, duel
from experiments.score import read_decisions, score
from tablezoo import game, games
from tablezoo.agent import Agent, choose, load_agent
from tablezoo.position import Position

BACKGAMMON = game("backgammon")


def td(hidden: int = 12) -> TDAgent:
    spec = NetSpec(BACKGAMMON, (hidden,), "tesauro")
    return TDAgent.of(spec, spec.initial(3))


def chosen(agent: Agent, text: str, roll: tuple[int, int]) -> str:
    """Play text of an agent's choice."""
    pos = BACKGAMMON.position(text).rolled(roll)
    after = Position(BACKGAMMON, choose(agent, BACKGAMMON, pos.row[None].copy())[0], 1)
    return next(play.text for play in pos.plays() if play.after == after)


@pytest.mark.parametrize("agent", [RandomAgent(BACKGAMMON), PipsAgent(BACKGAMMON), PubevalAgent(BACKGAMMON), td()], ids=lambda a: type(a).__name__)
def test_a_duel_with_oneself_comes_out_at_exactly_nothing(agent: Agent) -> None:
    result = duel(BACKGAMMON, agent, agent, 400, seed=3)
    assert result.ppg == 0
    assert result.se == 0
    assert (np.abs(result.points) >= 1).all()
    assert len(set(result.points[:, 0].tolist())) > 3, "the pairs themselves must differ"


@pytest.mark.parametrize("name", games())
def test_every_player_plays_every_game(name: str) -> None:
    """Whole games, without special cases: random, the pip counter, a net, and search on top of it."""
    here = game(name)
    spec = NetSpec(here, (4,), "counts")
    net = TDAgent.of(spec, spec.initial(1))
    players = [RandomAgent(here), PipsAgent(here), net] + [SearchAgent(here, net, plies=1, width=1)] * (here.spec.kind != "cross" and here.spec.dice < 3)
    for player in players:
        result = duel(here, player, RandomAgent(here, seed="5"), 2, seed=4)
        assert (result.games, result.unfinished) == (2, 0)
        assert set(result.points.flatten().tolist()) <= {*here.outcomes, 0}


def test_pubeval_beats_random_by_two_and_a_half_points() -> None:
    """+2.50 by two harnesses, +2.511 by a third (99.4 to 99.7 % of games), with the public weights."""
    result = duel(BACKGAMMON, PubevalAgent(BACKGAMMON), RandomAgent(BACKGAMMON), 4000, seed=1)
    assert abs(result.ppg - 2.505) < 4 * result.se + 0.01
    assert 0.991 < result.wins < 0.9995
    assert 0.008 < result.se < 0.013


def test_a_duel_is_the_same_from_the_other_side() -> None:
    a, b = PubevalAgent(BACKGAMMON), PipsAgent(BACKGAMMON)
    there, back = duel(BACKGAMMON, a, b, 600, seed=2), duel(BACKGAMMON, b, a, 600, seed=2)
    assert np.array_equal(there.points, -back.points[:, ::-1])
    assert there.ppg > 2


def test_an_untrained_net_is_no_better_than_random() -> None:
    """Sides are swapped in pairs, so a constant or senseless player must not look strong (td-gammon#3)."""
    spec = NetSpec(BACKGAMMON, (8,), "counts")
    nothing = TDAgent.of(spec, 0 * spec.initial(1))
    result = duel(BACKGAMMON, RandomAgent(BACKGAMMON, seed="1"), RandomAgent(BACKGAMMON, seed="2"), 4000, seed=5)
    assert abs(result.wins - 0.5) < 0.03
    assert abs(result.ppg) < 4 * result.se
    assert nothing.values(BACKGAMMON, BACKGAMMON.start().row[None])[0] == pytest.approx(0, abs=1e-6)


def test_standard_error_takes_the_pair_as_its_unit() -> None:
    """R04: 50 pairs split one all have no error; by games it would be 0.05."""
    split = DuelResult(np.array([[1, -1]] * 50))
    assert split.se == 0
    assert split.wins == 0.5
    sure = DuelResult(np.array([[1, 1], [-1, -1]]))
    assert sure.se == pytest.approx(1.0)


def test_dice_of_a_pair_are_the_same_and_of_other_seeds_are_not() -> None:
    a, b = PubevalAgent(BACKGAMMON), PubevalAgent(BACKGAMMON)
    points = [duel(BACKGAMMON, a, b, 200, seed=seed).points[:, 0].tolist() for seed in (7, 7, 8)]
    assert points[0] == points[1]
    assert points[0] != points[2]


@pytest.mark.parametrize("games", [0, -2, 3])
def test_games_come_in_pairs(games: int) -> None:
    with pytest.raises(ValueError, match="even number"):
        duel(BACKGAMMON, td(), td(), games, seed=1)


def test_random_takes_every_play_equally_often() -> None:
    pos = BACKGAMMON.start().rolled((3, 1))
    plays = {play.after: 0 for play in pos.plays()}
    assert len(plays) == 16
    for seed in range(1600):
        plays[Position(BACKGAMMON, choose(RandomAgent(BACKGAMMON, seed=str(seed)), BACKGAMMON, pos.row[None].copy())[0], 1)] += 1
    expected = 100.0
    chi_square = sum((n - expected) ** 2 / expected for n in plays.values())
    assert chi_square < 37.7, "0.1 % of fair players exceed this with 15 degrees of freedom"


def test_pips_prefers_the_larger_lead() -> None:
    value = PipsAgent(BACKGAMMON).values
    even, ahead = BACKGAMMON.start(), BACKGAMMON.position("1:1 | 24:15 (off=14)")
    assert value(BACKGAMMON, even.row[None])[0] == 0
    assert value(BACKGAMMON, ahead.row[None])[0] == pytest.approx((15 - 1) / 375)


def test_pips_hits_the_blot_that_costs_most_and_bears_off() -> None:
    """A hit on the 10 point sets the enemy back by 10 pips, one on the 5 point by 5."""
    pos = BACKGAMMON.position("13:2 8:13 | 10:1 5:1 24:13").rolled((3, 1))
    value = PipsAgent(BACKGAMMON).values
    far, near = pos.play("13/10* 8/7").after, pos.play("8/5* 8/7").after
    worth = [-float(value(BACKGAMMON, node.row[None])[0]) * 375 for node in (far, near)]
    assert worth[0] - worth[1] == pytest.approx(5, abs=1e-4)
    assert "10*" in chosen(PipsAgent(BACKGAMMON), "13:2 8:13 | 10:1 5:1 24:13", (3, 1))
    assert chosen(PipsAgent(BACKGAMMON), "6:2 2:1 | 24:3 (off=12 ooff=12)", (6, 5)) == "6/1 6/off"


def test_pubeval_judges_a_race_by_the_position_before_the_play() -> None:
    """Breaking contact, its contact weights compare all plays; its own values would mix two scales."""
    agent = PubevalAgent(BACKGAMMON)
    node = BACKGAMMON.position("13:1 6:7 5:7 | 12:1 24:14").rolled((6, 5))
    rows = np.array([play.after.row for play in node.plays()])
    assert len(rows) > 1
    contact = agent.costs(BACKGAMMON, np.repeat(node.row[None], len(rows), axis=0), rows)
    own = agent.values(BACKGAMMON, rows)
    assert not np.allclose(contact, own)


def test_agents_choose_a_win_at_once() -> None:
    for agent in (RandomAgent(BACKGAMMON), PipsAgent(BACKGAMMON), PubevalAgent(BACKGAMMON), td()):
        assert chosen(agent, "2:1 1:1 | 24:2 (off=13 ooff=13)", (2, 1)) == "2/off 1/off"


@pytest.mark.parametrize(
    ("name", "message"),
    [
        ("pubevall", "unknown agent 'pubevall' \\(did you mean pubeval"),
        ("random:seed=x", "seed must be a whole number"),
        ("random:sed=1", "sed"),
        ("pips:3", "agent 'pips:3'"),
        ("td:/no/such/net", "/no/such/net: no such file"),
    ],
)
def test_an_agent_that_cannot_be_had_is_named_in_one_line(name: str, message: str) -> None:
    with pytest.raises(ValueError, match=message) as caught:
        load_agent(name, BACKGAMMON)
    assert "\n" not in str(caught.value)


def test_agents_are_found_by_name() -> None:
    assert isinstance(load_agent("pubeval", BACKGAMMON), PubevalAgent)
    seeded = load_agent("random:seed=7", BACKGAMMON)
    assert isinstance(seeded, RandomAgent)
    assert int(seeded.seed) == 7


def test_the_net_that_ships_beats_pubeval_and_loses_little_a_decision() -> None:
    """+0.628 over 10,000 other games; 4.3 mp a decision over the whole of the set these are taken from, pubeval 36."""
    shipped = load_agent("td", BACKGAMMON)
    result = duel(BACKGAMMON, shipped, PubevalAgent(BACKGAMMON), 2_000, seed=3)
    assert abs(result.ppg - 0.628) < 4 * result.se
    decisions = read_decisions(DATA / "decisions.jsonl", BACKGAMMON)
    assert score(BACKGAMMON, shipped, decisions).loss_mp < score(BACKGAMMON, PubevalAgent(BACKGAMMON), decisions).loss_mp / 3


def test_no_net_ships_for_a_game_that_has_none() -> None:
    with pytest.raises(ValueError, match="no net ships for simple-backgammon; train one"):
        load_agent("td", game("simple-backgammon"))


@pytest.mark.parametrize("name", ["hypergammon", "plakoto", "fevga", "ofanfelling", "widdershins"])
def test_pubeval_plays_backgammon_s_relatives_only(name: str) -> None:
    with pytest.raises(ValueError, match=f"pubeval plays games of 15 checkers that hit and move as at backgammon, not {name}"):
        load_agent("pubeval", game(name))
    load_agent("pubeval", game("longgammon"))
