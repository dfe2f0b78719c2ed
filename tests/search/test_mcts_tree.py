"""The tree of Monte Carlo tree search: its budget, and what is kept of it between moves."""

from typing import Any

import numpy as np
import pytest

from ludex.core.play import read_state
from ludex.core.rules import BOTH, apply, initial, turn
from ludex.search.mcts import LONGEST_PATH, SELECTIONS, Mcts
from ludex.search.mcts_tree import NO_NODE, ROOT, Tree, children, copy_below, new_tree
from ludex.search.mcts_tree import find as find_node
from ludex.search.uct import DUCT, REGRET, UctSettings, grow
from tests.lines import luck, variant
from tests.trees import asked, decision, grown, interpreted

# Its budget. -------------------------------------------------------------------------------------


@pytest.mark.parametrize("selection", SELECTIONS)
@pytest.mark.parametrize(
    "game", ["nuts", "droids", pytest.param("aeroplane", marks=pytest.mark.compiled)]
)
def test_a_small_tree_is_full_and_goes_on_learning(game: str, selection: str) -> None:
    rules = variant(game)
    agent = Mcts(sims=400, nodes=64, at_once=selection, keep="yes")
    choice = agent.consider(rules, decision(rules), 0, luck())
    assert agent.last is not None
    tree = agent.last[2]
    assert len(tree.move) == 64
    assert tree.used[0] <= 64
    assert choice.nodes == tree.visits[ROOT] == 400


@pytest.mark.plain
def test_the_root_has_room_in_any_case() -> None:
    rules = variant("arena")
    assert sorted(asked(rules, initial(rules), sims=1).mixture) == list(range(9))


def test_a_flag_that_is_set_stops_it_after_one_simulation() -> None:
    rules = variant("nuts")
    tree = new_tree(rules, 1000)
    scratch, flag = (np.zeros(LONGEST_PATH + 1, np.int64), np.zeros(2)), np.ones(1, np.int64)
    settings = UctSettings(1.4, 2000, DUCT, 0)
    done, _ = grow(rules, initial(rules), tuple(tree), scratch, flag, luck(), 10**9, settings)
    assert done == 1


def test_a_clock_ends_what_has_no_other_end() -> None:
    rules = variant("nuts")
    choice = asked(rules, initial(rules), seconds=0.05)
    assert choice.nodes >= 1
    assert asked(rules, initial(rules), seconds=60, sims=20).nodes == 20


# The tree between moves. -------------------------------------------------------------------------


@pytest.mark.compiled
@pytest.mark.parametrize(
    ("game", "values"), [("nuts", {}), ("aeroplane", {"planes": 1}), ("droids", {})]
)
def test_after_both_have_moved_the_tree_is_found_again(game: str, values: dict[str, Any]) -> None:
    rules = variant(game, **values)
    state = decision(rules)
    agent = Mcts(sims=2000, keep="yes")
    agent.consider(rules, state, 0, luck())
    assert agent.last is not None
    old = agent.last[2]
    # The most visited line until seat 0 is to act again.
    node = ROOT
    while node == ROOT or turn(rules, state) not in (0, BOTH):
        node = max(range(*children(old, node)), key=lambda row: int(old.visits[row]))
        state = apply(rules, state, int(old.move[node]))
    carried = int(old.visits[node])
    assert carried >= 8
    agent.consider(rules, state, 0, luck())
    assert agent.last is not None
    assert agent.last[1] == state
    assert agent.last[2].visits[ROOT] >= carried + 2000


def test_what_is_kept_is_the_tree_below() -> None:
    rules = variant("droids")
    start = initial(rules)
    old = grown(rules, start, 500, REGRET)
    node = max(range(*children(old, ROOT)), key=lambda row: int(old.visits[row]))
    state = apply(rules, start, int(old.move[node]))
    for search, copy in ((find_node, copy_below), map(interpreted, (find_node, copy_below))):
        assert search(rules, start, tuple(old), ROOT, state) == node
        new = new_tree(rules, 4000)
        copy(tuple(old), node, tuple(new))
        assert same_below(old, node, new, ROOT) == new.used[0]


def same_below(old: Tree, node: int, new: Tree, other: int) -> int:
    """Compare two trees row by row, and return how many rows they have."""
    for column in ("visits", "mean", "inverse_root", "regret", "weight", "second"):
        assert getattr(old, column)[node] == getattr(new, column)[other]
    if old.first[node] == NO_NODE:
        assert new.first[other] == NO_NODE
        return 1
    start, end = int(old.first[node]), children(old, node)[1]
    assert children(new, other)[1] - new.first[other] == end - start
    total = 1
    for row in range(start, end):
        same = int(new.first[other]) + row - start
        assert old.move[row] == new.move[same]
        total += same_below(old, row, new, same)
    return total


def test_a_tree_of_other_rules_is_not_kept() -> None:
    agent = Mcts(sims=500, keep="yes")
    for nuts, left in ((30, 8), (21, 4)):
        rules = variant("nuts", nuts=nuts)
        agent.consider(rules, read_state(rules, f"{left} 0"), 0, luck())
        assert agent.last is not None
        assert agent.last[2].visits[ROOT] == 500
