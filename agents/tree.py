"""Search trees of many games side by side: decisions by prior and value, rolls enumerated and backed up as expectations.

A tree has two kinds of nodes. A **decision** is a play node of the game, valued for the player to act there; its **plays** hang from it,
valued for the same player, best first. A play that has been looked at has a child for every roll that may follow (one child if
no dice are thrown next), and is worth their mean, weighted by chance. So a simulation values one leaf: a decision that a roll leads to,
worth the best of its plays by the base agent's values of them, which are also the priors of the plays.

Values are vectors: chances of the outcomes, wins first, then losses. An agent that knows equities only has the two "outcomes" 1 and -1,
and (equity, 0) for a value. The other player's view swaps the halves.
"""

from typing import NamedTuple, TypeVar

import numpy as np
from numpy.typing import NDArray

from agents.nets.value import F0, Floats, certain
from tablezoo.kernel.board import AGAIN, ROW, TURN, Row, Rows, planes
from tablezoo.kernel.dice import BEGINS
from tablezoo.kernel.jit import helper, inlined, kernel
from tablezoo.kernel.nodes import WEIGHTS, node_throw, shown_by
from tablezoo.rules import Rules

Ints = NDArray[np.int32]
Vector = TypeVar("Vector", Row, Floats)
NONE = np.int32(-1)
FINALISTS = 4
"""Plays of a root that are looked at more than once."""


class Forest(NamedTuple):
    """Trees as arrays; the first index of each is the tree, the second, where there is one, the decision or the play."""

    outcomes: Floats
    """(outcomes,) points of each."""
    decisions: Ints
    """(trees,) decisions so far, the root first; all others are leaves that were valued, one a simulation."""
    plays: Ints
    """(trees,) plays so far."""

    node: NDArray[np.uint64]
    """(trees, decisions, ROW)."""
    first: Ints
    """First of its plays, which lie together."""
    kept: Ints
    """How many plays it has."""
    parent: Ints
    """The play that leads to it; NONE at the root."""
    chance: Floats
    """Of the roll that leads to it."""
    visits: Ints
    """Plays looked at in its subtree."""
    known: NDArray[np.bool_]
    """Whether the subtree has been searched to the end of the game."""
    worth: Floats
    """(trees, decisions, outcomes) for the player to act."""

    after: NDArray[np.uint64]
    """(trees, plays, ROW) the node after it, marked `AGAIN` if the same player acts there."""
    owner: Ints
    """The decision it belongs to."""
    place: Ints
    """Its index among all plays of the decision."""
    guess: Floats
    """Equity for the player who chooses, by the base agent."""
    equity: Floats
    """The same as it is known now."""
    child: Ints
    """The first of its children, which lie together; NONE before it has been looked at."""
    children: Ints
    """How many; none if the game is over."""
    looks: Ints
    """How often it, or a play below it, has been looked at."""
    certain: NDArray[np.bool_]
    """Whether the subtree has been searched to the end of the game."""
    value: Floats
    """(trees, plays, outcomes) for the player who chooses."""

    alive: Ints
    """(trees, width) plays of the root that are still considered."""
    living: Ints
    """(trees,) how many."""
    halvings: Ints
    """(trees,) how often some of them have been dropped."""
    rounds: Ints
    """(trees,) how often they are to be halved."""
    once: Ints
    """(trees,) leaves that a look at each of them takes."""
    begun: Ints
    """(trees,) decisions that were there when the search began."""
    noise: Floats
    """(trees, width) points added to the root's plays, by their order, whenever they are compared."""


class Policy(NamedTuple):
    """How trees grow."""

    leaves: int
    """A tree's most: the simulations."""
    width: int
    """Most plays kept of a decision, the best by the base agent."""
    margin: float
    """Points by which a play of the root may seem worse than the best and still is considered."""
    spread: float
    """Points: priors are the softmax of equities divided by it."""
    explore: float
    """Points: weight of the priors against values."""
    least: int
    """How often the last play considered is looked at before the search ends early."""


class Best(NamedTuple):
    """Working space: the best plays of a decision."""

    places: NDArray[np.int64]
    costs: Floats


def make_forest(trees: int, policy: Policy, outcomes: Floats) -> Forest:
    """Room for so many trees."""
    n, m, w, k = policy.leaves + 1, (policy.leaves + 1) * policy.width, policy.width, len(outcomes)

    def ints(*shape: int) -> Ints:
        return np.zeros((trees, *shape), np.int32)

    def floats(*shape: int) -> Floats:
        return np.zeros((trees, *shape), np.float32)

    def flags(*shape: int) -> NDArray[np.bool_]:
        return np.zeros((trees, *shape), np.bool_)

    def rows(*shape: int) -> NDArray[np.uint64]:
        return np.zeros((trees, *shape, ROW), np.uint64)

    return Forest(
        outcomes=outcomes,
        decisions=ints(),
        plays=ints(),
        node=rows(n),
        first=ints(n),
        kept=ints(n),
        parent=ints(n),
        chance=floats(n),
        visits=ints(n),
        known=flags(n),
        worth=floats(n, k),
        after=rows(m),
        owner=ints(m),
        place=ints(m),
        guess=floats(m),
        equity=floats(m),
        child=ints(m),
        children=ints(m),
        looks=ints(m),
        certain=flags(m),
        value=floats(m, k),
        alive=ints(w),
        living=ints(),
        halvings=ints(),
        rounds=ints(),
        once=ints(),
        begun=ints(),
        noise=floats(w),
    )


@inlined
def copy(source: Vector, target: Vector) -> None:
    """Copy numbers without making an array on the way."""
    for j in range(source.shape[0]):
        target[j] = source[j]


@inlined
def mean(outcomes: Floats, value: Floats) -> np.float32:
    """Points of a value."""
    total = F0
    for j in range(outcomes.shape[0]):
        total += outcomes[j] * value[j]
    return np.float32(total)


@inlined
def store_value(forest: Forest, t: int, e: int, value: Floats, again: bool) -> None:
    """Note what a play is worth to the player who chooses, given what its next node is worth to the player to act there."""
    half = value.shape[0] // 2
    for j in range(value.shape[0]):
        forest.value[t, e, j if again else (j + half) % (2 * half)] = value[j]
    forest.equity[t, e] = mean(forest.outcomes, forest.value[t, e])


@inlined
def add_play(forest: Forest, t: int, d: int, place: int, row: Row, won: np.float32, value: Floats) -> None:
    """Append a play to the decision that was added last, behind those that are no worse."""
    e = int(forest.plays[t])
    forest.plays[t] += 1
    forest.kept[t, d] += 1
    forest.owner[t, e], forest.place[t, e] = d, place
    forest.child[t, e], forest.children[t, e], forest.looks[t, e] = NONE, 0, 0
    forest.certain[t, e] = not np.isnan(won)
    copy(row, forest.after[t, e])
    if forest.certain[t, e]:
        certain(forest.outcomes, won, forest.value[t, e])
        forest.equity[t, e] = mean(forest.outcomes, forest.value[t, e])
    else:
        store_value(forest, t, e, value, bool(row[TURN] & AGAIN))
    forest.guess[t, e] = forest.equity[t, e]


@inlined
def rank(outcomes: Floats, rows: Rows, points: Floats, values: Floats, begin: int, end: int, best: Best) -> int:
    """Find the plays from `begin` to `end` that are worth most to the player who chooses, `best` first; returns how many there are."""
    n, most = 0, best.places.shape[0]
    for k in range(begin, end):
        worth = mean(outcomes, values[k])
        cost = (-worth if rows[k, TURN] & AGAIN else worth) if np.isnan(points[k]) else -points[k]
        if n == most and cost >= best.costs[n - 1]:
            continue
        n = min(n + 1, most)
        i = n - 1
        while i > 0 and cost < best.costs[i - 1]:
            best.costs[i], best.places[i] = best.costs[i - 1], best.places[i - 1]
            i -= 1
        best.costs[i], best.places[i] = cost, k
    return n


@inlined
def add_decision(
    forest: Forest, t: int, node: Row, parent: int, chance: float, rows: Rows, points: Floats, values: Floats, begin: int, end: int, best: Best
) -> None:
    """Append a decision with the best of its plays, those from `begin` to `end`."""
    d = int(forest.decisions[t])
    forest.decisions[t] += 1
    copy(node, forest.node[t, d])
    forest.first[t, d], forest.kept[t, d] = forest.plays[t], 0
    forest.parent[t, d], forest.chance[t, d], forest.visits[t, d] = parent, chance, 0
    for i in range(rank(forest.outcomes, rows, points, values, begin, end, best)):
        k = best.places[i]
        add_play(forest, t, d, int(k - begin), rows[k], points[k], values[k])
    settle_decision(forest, t, d)


@inlined
def settle_decision(forest: Forest, t: int, d: int) -> None:
    """A decision is worth the best of the plays that have been looked at or end the game; before any has been, the best by the base agent."""
    first = int(forest.first[t, d])
    best, looked, known = first, False, True
    for e in range(first, first + forest.kept[t, d]):
        known &= forest.certain[t, e]
        looked |= forest.child[t, e] != NONE
    for e in range(first, first + forest.kept[t, d]):
        seen = forest.child[t, e] != NONE or forest.certain[t, e]
        had = forest.child[t, best] != NONE or forest.certain[t, best]
        if looked and seen and (not had or forest.equity[t, e] > forest.equity[t, best]):
            best = e
    forest.known[t, d] = known
    copy(forest.value[t, best], forest.worth[t, d])


@inlined
def settle_play(forest: Forest, t: int, e: int) -> None:
    """A play that has been looked at is worth the mean of its children."""
    begin, n = int(forest.child[t, e]), int(forest.children[t, e])
    k = forest.outcomes.shape[0]
    half = 0 if forest.after[t, e, TURN] & AGAIN else k // 2
    certain = True
    for j in range(k):
        forest.value[t, e, j] = F0
    for d in range(begin, begin + n):
        certain &= forest.known[t, d]
        for j in range(k):
            forest.value[t, e, (j + half) % k] += forest.chance[t, d] * forest.worth[t, d, j]
    forest.certain[t, e] = certain
    forest.equity[t, e] = mean(forest.outcomes, forest.value[t, e])


@inlined
def back_up(forest: Forest, t: int, e: int) -> None:
    """Settle a play that has just been looked at, and all above it."""
    while e >= 0:
        settle_play(forest, t, e)
        forest.looks[t, e] += 1
        d = int(forest.owner[t, e])
        settle_decision(forest, t, d)
        forest.visits[t, d] += 1
        e = int(forest.parent[t, d])


@inlined
def gained(forest: Forest, t: int, d: int) -> np.float32:
    """By how much the plays of a decision that have been looked at turned out better than they seemed, on average."""
    total, n = F0, 0
    for e in range(forest.first[t, d], forest.first[t, d] + forest.kept[t, d]):
        if forest.looks[t, e]:
            total += forest.equity[t, e] - forest.guess[t, e]
            n += 1
    return np.float32(total / np.float32(max(n, 1)))


@inlined
def promising(forest: Forest, t: int, d: int, policy: Policy) -> int:
    """The play to look at next at a decision that is not known: by value and prior (PUCT).

    A play that has not been looked at is taken to gain what the others gained. With every fourfold number of visits twice as many
    plays are considered (progressive widening).
    """
    first, n = int(forest.first[t, d]), int(forest.kept[t, d])
    gain, top = gained(forest, t, d), forest.guess[t, first]
    visits = float(forest.visits[t, d])
    room = 2 + int(np.sqrt(visits))
    total = 0.0
    for e in range(first, first + n):
        total += np.exp((forest.guess[t, e] - top) / policy.spread)
    chosen, best = -1, -1e9
    for e in range(first, first + n):
        if forest.certain[t, e] or room == 0:
            continue
        room -= 1
        looks = float(forest.looks[t, e])
        prior = np.exp((forest.guess[t, e] - top) / policy.spread) / total
        value = forest.equity[t, e] if looks else forest.guess[t, e] + gain
        score = value + policy.explore * prior * np.sqrt(visits + 1.0) / (1.0 + looks)
        if score > best:
            chosen, best = e, score
    return chosen


@inlined
def due(forest: Forest, t: int, e: int) -> int:
    """The roll after a play that has been followed least for its chance."""
    begin = int(forest.child[t, e])
    chosen, most = -1, -1e9
    for d in range(begin, begin + forest.children[t, e]):
        lack = float(forest.chance[t, d]) * forest.looks[t, e] - forest.visits[t, d]
        if not forest.known[t, d] and lack > most:
            chosen, most = d, lack
    return chosen


@inlined
def standing(forest: Forest, t: int, e: int, gain: np.float32) -> np.float32:
    """What a play of the root counts in comparisons."""
    value = forest.equity[t, e] if forest.looks[t, e] or forest.certain[t, e] else forest.guess[t, e] + gain
    return np.float32(value + forest.noise[t, e - forest.first[t, 0]])


@helper
def keep(forest: Forest, t: int, most: int) -> None:
    """Sort the plays that are considered, and drop all but the best."""
    gain, n = gained(forest, t, 0), int(forest.living[t])
    for i in range(1, n):
        e, j = forest.alive[t, i], i
        while j > 0 and standing(forest, t, int(forest.alive[t, j - 1]), gain) < standing(forest, t, int(e), gain):
            forest.alive[t, j] = forest.alive[t, j - 1]
            j -= 1
        forest.alive[t, j] = e
    forest.living[t] = min(n, most)


@helper
def contender(forest: Forest, t: int, policy: Policy) -> int:
    """The play of the root to look at next, by sequential halving; -1 if there is nothing more to find out.

    All are looked at once; the best few go on, and every round of halving has an equal share of the leaves that are left then.
    (Karnin, Koren and Somekh, "Almost optimal exploration in multi-armed bandits", 2013; at the root of a tree:
    Danihelka et al., "Policy improvement by planning with Gumbel", 2022.)
    """
    once, room = int(forest.once[t]), policy.leaves + 1 - int(forest.begun[t])
    more = int(forest.decisions[t] - forest.begun[t]) - once
    while forest.living[t] > 1 and more >= 0 and more * forest.rounds[t] >= forest.halvings[t] * (room - once):
        keep(forest, t, FINALISTS if forest.halvings[t] == 0 else int(forest.living[t] + 1) // 2)
        forest.halvings[t] += 1
    if forest.living[t] == 1 and forest.looks[t, forest.alive[t, 0]] >= policy.least:
        return -1
    chosen = -1
    for i in range(forest.living[t]):
        e = int(forest.alive[t, i])
        if not forest.certain[t, e] and (chosen < 0 or forest.looks[t, e] < forest.looks[t, chosen]):
            chosen = e
    return chosen


@helper
def rolls_after(rules: Rules, row: Row) -> int:
    """How many rolls may follow at a node; 1 at a play node."""
    throw = node_throw(rules, row[TURN])
    dice = shown_by(throw)
    n = 0
    for k in range(BEGINS[dice + 1] - BEGINS[dice]):
        n += WEIGHTS[throw, k] > 0.0
    return n


@kernel
def consider(rules: Rules, forest: Forest, policy: Policy, trees: NDArray[np.int64]) -> None:
    """Settle which plays of these roots are considered at first: as many as can be looked at once."""
    for i in range(trees.shape[0]):
        t = int(trees[i])
        first = int(forest.first[t, 0])
        n, rolls = 0, 1
        for e in range(first, first + forest.kept[t, 0]):
            if forest.guess[t, e] >= forest.guess[t, first] - policy.margin:
                forest.alive[t, n] = e
                n += 1
            if not forest.certain[t, e]:
                rolls = max(rolls, rolls_after(rules, forest.after[t, e]))
        forest.living[t] = n
        forest.begun[t] = forest.decisions[t]
        n = min(n, max(1, (policy.leaves + 1 - int(forest.begun[t])) // rolls))
        keep(forest, t, n)
        rounds = 0
        while 1 << rounds < min(n, FINALISTS):
            rounds += 1
        forest.once[t], forest.halvings[t], forest.rounds[t] = n * rolls, 0, rounds


@kernel
def descend(rules: Rules, forest: Forest, policy: Policy, chosen: NDArray[np.int64]) -> None:
    """Choose in each tree the play to look at next, `chosen` (trees,); -1 where the search is over."""
    for t in range(chosen.shape[0]):
        e = contender(forest, t, policy) if chosen[t] >= 0 else -1
        while e >= 0 and forest.child[t, e] != NONE:
            e = promising(forest, t, due(forest, t, e), policy)
        if e >= 0 and forest.decisions[t] + rolls_after(rules, forest.after[t, e]) > policy.leaves + 1:
            e = -1
        chosen[t] = e


@kernel
def plant(forest: Forest, policy: Policy, trees: NDArray[np.int64], nodes: Rows, ends: NDArray[np.int64], rows: Rows, points: Floats, values: Floats) -> None:
    """Begin trees at play nodes, given what follows them (`tablezoo.agent.Following`) and `values` (plays, outcomes) of that."""
    best = Best(np.empty(policy.width, np.int64), np.empty(policy.width, np.float32))
    begin = 0
    for i in range(trees.shape[0]):
        t, end = int(trees[i]), int(ends[i])
        forest.decisions[t] = forest.plays[t] = 0
        add_decision(forest, t, nodes[i], -1, 1.0, rows, points, values, begin, end, best)
        begin = end


@kernel
def grow(
    forest: Forest,
    policy: Policy,
    trees: NDArray[np.int64],
    chosen: NDArray[np.int64],
    rolls: NDArray[np.int64],
    chances: NDArray[np.float64],
    nodes: Rows,
    ends: NDArray[np.int64],
    rows: Rows,
    points: Floats,
    values: Floats,
) -> None:
    """Give the chosen play of each of these trees its children, and back up what they are worth.

    Args:
        rolls: (trees,) one past the last of each play's rolls.
        chances: (rolls,).
        nodes, ends, rows, points, values: what follows the rolls, as in `plant`.
    """
    best = Best(np.empty(policy.width, np.int64), np.empty(policy.width, np.float32))
    roll, begin = 0, 0
    for i in range(trees.shape[0]):
        t, e = int(trees[i]), int(chosen[i])
        forest.child[t, e], forest.children[t, e] = forest.decisions[t], rolls[i] - roll
        for r in range(roll, rolls[i]):
            end = int(ends[r])
            add_decision(forest, t, nodes[r], e, chances[r], rows, points, values, begin, end, best)
            begin = end
        roll = int(rolls[i])
        back_up(forest, t, e)


@kernel
def decide(forest: Forest, trees: NDArray[np.int64], chosen: NDArray[np.int64]) -> None:
    """The play of each of these roots that stands best among those considered, `chosen` (trees,); if any has been looked at, one of those."""
    for i in range(trees.shape[0]):
        t = int(trees[i])
        gain, best = gained(forest, t, 0), int(forest.alive[t, 0])
        for k in range(1, forest.living[t]):
            e = int(forest.alive[t, k])
            seen, had = forest.looks[t, e] > 0 or forest.certain[t, e], forest.looks[t, best] > 0 or forest.certain[t, best]
            if (seen and not had) or (seen == had and standing(forest, t, e, gain) > standing(forest, t, best, gain)):
                best = e
        chosen[i] = best


@helper
def move_decision(forest: Forest, t: int, was: int, now: int) -> None:
    """Copy what does not point elsewhere."""
    copy(forest.node[t, was], forest.node[t, now])
    copy(forest.worth[t, was], forest.worth[t, now])
    forest.chance[t, now], forest.visits[t, now] = forest.chance[t, was], forest.visits[t, was]
    forest.known[t, now] = forest.known[t, was]


@helper
def move_play(forest: Forest, t: int, was: int, now: int) -> None:
    """Copy what does not point elsewhere, and where its children were."""
    copy(forest.after[t, was], forest.after[t, now])
    copy(forest.value[t, was], forest.value[t, now])
    forest.place[t, now], forest.certain[t, now] = forest.place[t, was], forest.certain[t, was]
    forest.guess[t, now], forest.equity[t, now] = forest.guess[t, was], forest.equity[t, was]
    forest.child[t, now], forest.children[t, now], forest.looks[t, now] = forest.child[t, was], forest.children[t, was], forest.looks[t, was]


@kernel
def prune(forest: Forest, t: int, root: int) -> None:
    """Make a decision the root of a tree; what is not below it goes. What hangs from a node always lies behind it."""
    n = int(forest.decisions[t])
    decision = np.full(n, NONE)
    play = np.full(int(forest.plays[t]), NONE)
    decisions = plays = 0
    for d in range(root, n):
        e = int(forest.parent[t, d])
        if d != root and (e < 0 or play[e] == NONE):
            continue
        decision[d] = decisions
        first, kept = int(forest.first[t, d]), int(forest.kept[t, d])
        move_decision(forest, t, d, decisions)
        forest.parent[t, decisions] = NONE if d == root else play[e]
        forest.first[t, decisions], forest.kept[t, decisions] = plays, kept
        for e in range(first, first + kept):
            play[e] = plays
            move_play(forest, t, e, plays)
            forest.owner[t, plays] = decisions
            plays += 1
        decisions += 1
    for e in range(plays):
        if forest.child[t, e] != NONE:
            forest.child[t, e] = decision[forest.child[t, e]]
    forest.decisions[t], forest.plays[t] = decisions, plays


@kernel
def reuse(forest: Forest, trees: NDArray[np.int64], chosen: NDArray[np.int64], nodes: Rows, reused: NDArray[np.bool_]) -> None:
    """Go on in trees whose play `chosen` was made and led to a play node each; `reused` tells where that had been looked at."""
    for i in range(trees.shape[0]):
        t, e = int(trees[i]), int(chosen[i])
        reused[i] = False
        begin = int(forest.child[t, e])
        for d in range(begin, begin + forest.children[t, e]):
            if not reused[i] and planes(forest.node[t, d]) == planes(nodes[i]) and forest.node[t, d, TURN] == nodes[i, TURN]:
                reused[i] = True
                prune(forest, t, d)
