"""Searches at their edges: of rounding, of their room and numbers, and of what is likely."""

import itertools
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from ludex.agents.registry import AGENTS, make_agent, refuses
from ludex.core.rules import CHANCE, initial, turn
from ludex.games import find, rules_class
from ludex.search.alphabeta import HIGH, MOST_PLIES, STAR1, WORK, AlphaBeta, depth_after, search
from ludex.search.mcts import Mcts
from ludex.search.simultaneous import Simultaneous
from ludex.search.transposition import SEARCHES
from tests.lines import decisions, luck, replay, variant
from tests.solved import outside

pytestmark = pytest.mark.unmeasured


@pytest.mark.parametrize("kind", [AlphaBeta, pytest.param(Simultaneous, marks=pytest.mark.plain)])
def test_when_the_numbers_of_searches_begin_again_nothing_old_is_believed(kind: Any) -> None:
    rules = variant("nuts", nuts=40)
    agent = kind(depth=6, table=1)
    first = agent.consider(rules, initial(rules), 0, luck())
    agent.depth = 1
    used = 6 if kind is AlphaBeta else 2
    for _ in range(SEARCHES - used):
        agent.consider(rules, initial(rules), 0, luck())
    agent.depth = 6
    again = agent.consider(rules, initial(rules), 0, luck())
    assert again._replace(nodes=0) == first._replace(nodes=0)
    assert (again.depth, again.nodes > 20) == (6, True)


# Chance leads to an end, or to seat 1, which may go for the worst instead.
WAGER = """
from typing import NamedTuple
from ludex.core.rules import CHANCE, OVER

ACTIONS = OUTCOMES = 2

class WagerRules(NamedTuple):
    sure: int = 0
    other: int = 0

class Wager(NamedTuple):
    stage: int

def initial(rules):
    return Wager(0)

def turn(rules, state):
    return CHANCE if state.stage == 0 else 1 if state.stage == 2 else OVER

def moves(rules, state, seat):
    return 3

def chance(rules, state, outcome):
    return 0.7 if outcome else 0.3

def apply(rules, state, move):
    return Wager(state.stage + 1 + move)

def returns(rules, state, seat):
    worth = -1.0
    if state.stage == 1:
        worth = rules.sure / 1000.0
    elif state.stage == 3:
        worth = rules.other / 1000.0
    return worth if seat == 0 else -worth
"""


@pytest.mark.plain
def test_rounding_never_makes_a_bound_exact() -> None:
    wager = type(outside("wager", WAGER))
    rng = luck(1)
    rows, bounds, work = (
        np.zeros((2, 3), np.int64),
        np.zeros((MOST_PLIES, 64, 2)),
        np.zeros(WORK, int),
    )
    for _ in range(300):
        rules = wager(int(2000 * rng.random()) - 1000, int(2000 * rng.random()) - 1000)
        truth = 0.3 * rules.sure / 1000.0 - 0.7
        known = 0.3 * (rules.sure / 1000.0) + 0.7 * (rules.other / 1000.0)
        for alpha in (np.nextafter(known, -2.0), known, np.nextafter(known, 2.0)):
            rows[:] = work[:] = 0
            worth = search(
                *(rules, initial(rules), 0, 1, alpha, HIGH + 1.0, 0, STAR1, 0),
                *(rows, rows.view(np.float64), bounds, work),
            )
            assert worth <= alpha or worth == pytest.approx(truth, abs=1e-12)


@pytest.mark.plain
def test_five_seats_are_too_many_for_those_that_keep_numbers_for_four(tmp_path: Path) -> None:
    file = tmp_path / "many.py"
    file.write_text(WAGER + "def seats(rules):\n    return rules.sure\n")
    many = rules_class(find(str(file)))
    for name in ("alphabeta", "maxn"):
        assert refuses(AGENTS[name], many(5)) == "it is for at most 4 seats"
        assert refuses(AGENTS[name], many(4)) == ""


@pytest.mark.plain
def test_zero_is_not_the_same_as_not_said() -> None:
    rules = variant("nuts")
    assert AlphaBeta(depth=0).consider(rules, initial(rules), 0, luck()).depth == 1
    assert Mcts(sims=0).consider(rules, initial(rules), 0, luck()).nodes == 1


CORRIDOR = """
from typing import NamedTuple
from ludex.core.rules import CHANCE, OVER

ACTIONS = OUTCOMES = 1

class CorridorRules(NamedTuple):
    length: int = 600

class Corridor(NamedTuple):
    left: int

def initial(rules):
    return Corridor(rules.length)

def turn(rules, state):
    return OVER if state.left == 0 else CHANCE if state.left % 2 else 0

def moves(rules, state, seat):
    return 1

def chance(rules, state, outcome):
    return 1.0

def apply(rules, state, move):
    return Corridor(state.left - 1)

def returns(rules, state, seat):
    return 0.0
"""


@pytest.mark.plain  # compiled code would not notice
@pytest.mark.parametrize("pruning", ["star1", "star2"])
def test_no_line_is_longer_than_the_room_for_it(pruning: str) -> None:
    rules = outside("corridor", CORRIDOR)
    agent = AlphaBeta(depth=1000, pruning=pruning, table=1)
    assert agent.consider(rules, initial(rules), 0, luck()).depth == 100
    assert not agent.bounds[-1].any()


@pytest.mark.plain
def test_a_search_at_the_last_decision_sees_the_end() -> None:
    rules = variant("nuts", nuts=10)
    state = replay(rules, "take 3", "take 3", "take 3")
    for name in ("greedy", "minimax", "expectimax", "maxn", "alphabeta", "simultaneous", "mcts"):
        found = make_agent(name, rules).consider(rules, state, 1, luck())
        assert found.value == -1.0


@pytest.mark.compiled
@pytest.mark.parametrize("pruning", ["star1", "star2"])
def test_with_rare_outcomes_searched_less_deep_pruning_changes_nothing(pruning: str) -> None:
    rules = variant("trap", size=4)
    differs = False
    for seed, depth in itertools.product(range(3), (2, 4)):
        for state in decisions(rules, seed):
            seat = turn(rules, state)
            plain, pruned, full = (
                make_agent(f"alphabeta:depth={depth},table=1,{more}", rules)
                for more in ("rare=2,pruning=none", f"rare=2,pruning={pruning}", "pruning=none")
            )
            found = [one.consider(rules, state, seat, luck()) for one in (plain, pruned, full)]
            assert found[0].value == pytest.approx(found[1].value)
            assert found[0].nodes <= found[2].nodes
            differs |= found[0].value != pytest.approx(found[2].value)
    assert differs


@pytest.mark.plain
def test_only_unlikely_outcomes_are_searched_less_deep() -> None:
    assert depth_after(4, 0, 0.05, 2) == 2 and depth_after(4, 0, 0.5, 2) == 4
    assert depth_after(1, 0, 0.05, 2) == 0 and depth_after(0, CHANCE, 0.05, 2) == -1
    assert depth_after(4, CHANCE, 0.05, 0) == 3
