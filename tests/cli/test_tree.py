"""Search trees: what they say is what the searches find."""

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from ludex.agents.registry import make_agent
from ludex.core.play import read_state
from ludex.core.rules import CHANCE, Rules, State, initial
from ludex.search.explicit_tree import Branch, Node, NodeKind, cuts, size, walk
from ludex.search.minimax import AVERAGE, WORST, Greedy, value
from ludex.search.simultaneous import VIEWS, Simultaneous
from ludex.search.transposition import AT_LEAST, AT_MOST, EXACT
from ludex.search.tree_grower import grow
from tests.lines import variant
from tests.twigs import positions, written

pytestmark = pytest.mark.plain

# A game, its rules, and how deep its trees are grown.
GAMES: list[tuple[str, dict[str, Any], int]] = [
    ("nuts", {"nuts": 10}, 4),
    ("arena", {}, 2),
    ("trap", {"size": 3}, 2),
    ("trap", {"size": 4}, 2),
    ("aeroplane", {"planes": 1}, 3),
    ("aeroplane", {"planes": 1, "seats": 3}, 2),
    ("examples/tictactoe.py", {}, 3),
]
AGENTS = [
    "minimax",
    "expectimax",
    *(f"alphabeta:pruning={way}" for way in ("none", "star1", "star2")),
]


def outline(node: Node) -> Any:
    """Return values and bounds of a tree as nested lists, None where it was cut."""
    if not node.branches:
        return node.value
    sign = {EXACT: "=", AT_LEAST: ">", AT_MOST: "<"}[node.bound]
    return [f"{sign}{node.value:.4g}", *(outline(branch.node) for branch in node.branches)]


def found(text: str, rules: Rules, state: State, seat: int, depth: int, profile: int = 0) -> float:
    """Return what plain search finds."""
    others = AVERAGE if text == "expectimax" else WORST
    return float(value(rules, state, seat, depth, others, profile, np.zeros(1, np.int64)))


def searched(rules: Rules, node: Node, depth: int) -> Iterator[tuple[Node, int]]:
    """Yield the nodes that were searched with the depth that was left there."""
    yield node, depth
    for branch in node.branches:
        twice = node.kind == NodeKind.CHANCE and branch.node.mover == CHANCE
        if not branch.cut:
            yield from searched(rules, branch.node, depth - (node.kind != NodeKind.CHANCE or twice))


@pytest.mark.unmeasured
@pytest.mark.parametrize("text", AGENTS)
@pytest.mark.parametrize(("game", "changes", "deepest"), GAMES)
def test_the_root_is_worth_what_plain_search_finds(
    game: str, changes: dict[str, Any], deepest: int, text: str
) -> None:
    rules = variant(game, **changes)
    for seed, depth in ((0, 1), (1, deepest)):
        for state in positions(rules, seed):
            tree = grow(make_agent(text, rules), rules, state, depth)
            wanted = found(text, rules, state, tree.seat, depth)
            assert tree.root.bound == EXACT
            assert tree.root.value == pytest.approx(wanted, abs=1e-12)


@pytest.mark.unmeasured
@pytest.mark.parametrize("text", AGENTS)
@pytest.mark.parametrize(
    ("game", "changes", "depth"),
    [("nuts", {"nuts": 10}, 5), ("trap", {"size": 3}, 2), ("examples/pig.py", {"goal": 8}, 3)],
)
def test_every_value_and_every_bound_is_true(
    game: str, changes: dict[str, Any], depth: int, text: str
) -> None:
    rules = variant(game, **changes)
    for state in positions(rules, 5)[:2]:
        tree = grow(make_agent(text, rules), rules, state, depth)
        for node, left in searched(rules, tree.root, depth):
            assert node.value is not None
            true = found(text, rules, read_state(rules, node.position), tree.seat, left)
            if node.bound != AT_MOST:
                assert true >= node.value - 1e-9
            if node.bound != AT_LEAST:
                assert true <= node.value + 1e-9


def test_the_textbook_example_is_cut_as_in_the_textbook(tmp_path: Path) -> None:
    # Russell and Norvig, Artificial Intelligence: the two-ply tree of 3 12 8, 2 4 6, 14 5 2.
    nest = [0, [1, 0.03, 0.12, 0.08], [1, 0.02, 0.04, 0.06], [1, 0.14, 0.05, 0.02]]
    rules = written(tmp_path, nest)
    tree = grow(make_agent("alphabeta", rules), rules, initial(rules), 2)
    assert outline(tree.root) == [
        "=0.03",
        ["=0.03", 0.03, 0.12, 0.08],
        ["<0.02", 0.02, None, None],
        ["=0.02", 0.14, 0.05, 0.02],
    ]
    plain = grow(make_agent("minimax", rules), rules, initial(rules), 2)
    assert outline(plain.root)[2] == ["=0.02", 0.02, 0.04, 0.06]
    assert (size(tree.root), cuts(tree.root), cuts(plain.root)) == (13, 2, 0)


def test_star1_cuts_outcomes_and_star2_cuts_after_probing(tmp_path: Path) -> None:
    # The first action is worth 0.5. After 0.2 the second is worth 0.6 at most, and with an
    # answer of 0.2 to the other outcome too little; probes of 0.4 and 0.2 leave 0.3 at most.
    rules = written(tmp_path, [0, 0.5, [CHANCE, [1, 0.4, 0.2], [1, 0.2, 0.1]]])

    def grown(pruning: str) -> Any:
        agent = make_agent(f"expectiminimax:pruning={pruning}", rules)
        return outline(grow(agent, rules, initial(rules), 2).root)

    assert grown("none") == ["=0.5", 0.5, ["=0.15", ["=0.2", 0.4, 0.2], ["=0.1", 0.2, 0.1]]]
    assert grown("star1") == ["=0.5", 0.5, ["<0.2", ["=0.2", 0.4, 0.2], ["<0.2", 0.2, None]]]
    assert grown("star2") == ["=0.5", 0.5, ["<0.3", ["<0.4", 0.4, None], ["<0.2", 0.2, None]]]


def test_a_bad_outcome_cuts_the_others(tmp_path: Path) -> None:
    rules = written(tmp_path, [0, 0.5, [CHANCE, -0.5, 0.9]])
    for pruning, wanted in (("star1", ["<0.25", -0.5, None]), ("none", ["=0.2", -0.5, 0.9])):
        agent = make_agent(f"expectiminimax:pruning={pruning}", rules)
        assert outline(grow(agent, rules, initial(rules), 2).root) == ["=0.5", 0.5, wanted]


def test_the_first_of_equals_is_chosen_and_a_cut_branch_has_nothing() -> None:
    rules = variant("nuts")
    tree = grow(make_agent("alphabeta", rules), rules, read_state(rules, "6 0"), 4)
    for branch in walk(Branch("", tree.root)):
        node = branch.node
        assert branch.cut == (node.value is None)
        assert not (branch.cut and node.branches)
        equals = [one.node.value == node.value for one in node.branches]
        if equals:
            assert [one.chosen for one in node.branches].index(True) == equals.index(True)


def test_others_at_random_and_chance_say_how_likely_each_branch_is() -> None:
    rules = variant("trap", size=3)
    tree = grow(make_agent("expectimax", rules), rules, initial(rules), 3)
    kinds = set()
    for branch in walk(Branch("", tree.root)):
        odds = [one.probability for one in branch.node.branches]
        if branch.node.kind in (NodeKind.CHANCE, NodeKind.AVERAGE):
            kinds.add(branch.node.kind)
            assert sum(p for p in odds if p is not None) == pytest.approx(1.0)
        else:
            assert odds == [None] * len(odds)
    assert kinds == {NodeKind.CHANCE, NodeKind.AVERAGE}


def test_the_style_of_an_agent_is_honoured() -> None:
    rules = variant("trap", size=4)
    state = initial(rules)
    near, every = (
        grow(make_agent(f"minimax:throws={word},chance=target", rules), rules, state, 2, 99_999)
        for word in ("near", "all")
    )
    assert size(near.root) < size(every.root)
    for name in ("minimax", "alphabeta"):
        agent: Any = make_agent(f"{name}:throws=near,chance=target,estimate=ais", rules)
        wanted = found("minimax", rules, state, 0, 2, agent.profile)
        assert wanted != found("minimax", rules, state, 0, 2)
        assert grow(agent, rules, state, 2).root.value == pytest.approx(wanted, abs=1e-12)


@pytest.mark.parametrize("view", VIEWS)
def test_where_both_choose_at_once_the_view_decides(view: str) -> None:
    rules = variant("droids", rounds=12)
    agent = Simultaneous(depth=2, view=view, table=0)
    for state in positions(rules, 3)[:2]:
        tree = grow(agent, rules, state, 2)
        choice = agent.consider(rules, state, 0, np.random.default_rng(0))
        assert tree.root.kind == NodeKind.BOTH
        assert tree.root.value == pytest.approx(choice.value, abs=1e-9)
        odds = [one.probability for one in tree.root.branches if one.probability is not None]
        assert not odds or sum(odds) == pytest.approx(1.0)


def test_greedy_counts_on_every_answer_alike_at_once() -> None:
    rules = variant("droids")
    choice = Greedy().consider(rules, initial(rules), 0, np.random.default_rng(0))
    tree = grow(Greedy(), rules, initial(rules), 1)
    assert tree.root.value == pytest.approx(choice.value)
    assert len([one for one in tree.root.branches if one.chosen]) == 4


def test_a_probe_is_not_counted_beside_the_search_that_takes_its_place() -> None:
    rules = variant("examples/pig.py", goal=8)
    agent = make_agent("alphabeta:pruning=star2", rules)
    state = positions(rules, 5)[0]
    nodes = size(grow(agent, rules, state, 3).root)
    assert size(grow(agent, rules, state, 3, nodes).root) == nodes
    with pytest.raises(ValueError, match="more than"):
        grow(agent, rules, state, 3, nodes - 1)


@pytest.mark.unmeasured
def test_rounding_never_makes_a_bound_exact(tmp_path: Path) -> None:
    # Chance leads to an end or to seat 1, who may go for the worst instead. The other action is
    # worth just as much as chance would be if seat 1 did not.
    rng = np.random.default_rng(1)
    for _ in range(40):
        sure, other = (int(2000 * rng.random() - 1000) / 1000 for _ in range(2))
        known = sure / 3 + sure / 3 + other / 3
        for nudged in (known, float(np.nextafter(known, -2.0)), float(np.nextafter(known, 2.0))):
            rules = written(tmp_path, [0, nudged, [CHANCE, sure, sure, [1, other, -1.0]]])
            agent = make_agent("alphabeta:pruning=star1", rules)
            node = grow(agent, rules, initial(rules), 3).root.branches[1].node
            assert node.value is not None
            if node.bound == EXACT:
                assert node.value == pytest.approx((2 * sure - 1.0) / 3)
            else:
                assert node.value <= nudged


def test_too_many_nodes_are_refused_with_advice() -> None:
    rules = variant("nuts")
    agent = make_agent("minimax", rules)
    assert size(grow(agent, rules, initial(rules), 3, 40).root) == 40
    with pytest.raises(ValueError, match="more than 39 nodes: try a smaller depth than 3, or more"):
        grow(agent, rules, initial(rules), 3, 39)
