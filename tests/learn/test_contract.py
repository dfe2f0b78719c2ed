"""`ludex check` finds what a game promises to learners and does not keep."""

from pathlib import Path
from typing import Any

import pytest

from ludex.conformance.contract import Violation
from ludex.conformance.learning import examine_learning
from ludex.core.rules import initial
from ludex.games import find, rules_class
from tests.lines import random_states, variant

pytestmark = pytest.mark.plain

NIM = """
from typing import NamedTuple
from ludex.core.rules import OVER

ACTIONS = 2
PATTERNS_SIZE = 10

class {name}Rules(NamedTuple):
    start: int = 5

class {name}(NamedTuple):
    left: int
    seat: int

def initial(rules):
    return {name}(rules.start, 0)

def turn(rules, state):
    return state.seat if state.left else OVER

def legal(rules, state, seat, action):
    return action < state.left

def apply(rules, state, move):
    return {name}(state.left - move - 1, 1 - state.seat)

def returns(rules, state, seat):
    return 1.0 if seat == state.seat else -1.0

def features(rules, state, seat):
    return state.left

def reward(rules, state, after, seat):
    return 0.0

def patterns(rules, state, seat, places):
    places[0] = state.left
    return 1

def patterns_text(rules, place):
    return "left"
"""
FAULTS = [
    ("return state.left\n", "return -1\n", "features of seat 0 is -1"),
    ("return state.left\n", "return 0.5\n", "features of seat 0 is 0.5"),
    ("return state.left\n", "return 7\n", "states that look the same must have the same"),
    ("    return 0.0", "    return 2.0", "reward of seat 0 is 2.0"),
    ("    return 0.0", "    return 0", "reward of seat 0 is 0"),
    ("    return 0.0", "    return float('nan')", "reward of seat 0 is nan"),
    ("places[0] = state.left", "places[0] = 10 + state.left", "it must be from 0 to 9"),
    ("places[0] = state.left", "places[0] = -1", "has the place -1"),
    ("places[0] = state.left", "places[0] //= 2", "depend on what was in `places` before"),
    ("places[0] = state.left", "places[16] = 1", "patterns wrote more than 16 places"),
    ("    return 1\n", "    return 17\n", "patterns of seat 0 returned 17"),
    ("    return 1\n", "    return None\n", "patterns of seat 0 returned None"),
    ('return "left"', "return place", "patterns_text is"),
]


def tried(source: str, name: str, folder: Path) -> None:
    path = folder / f"{name.lower()}.py"
    path.write_text(source.format(name=name))
    rules = rules_class(find(str(path)))()
    seen: Any = {}
    for seed in range(3):
        for state in random_states(rules, seed, 9):
            examine_learning(rules, state, seen)


def test_what_is_kept_is_no_fault(tmp_path: Path) -> None:
    tried(NIM, "Kept", tmp_path)


@pytest.mark.parametrize(("old", "new", "wanted"), FAULTS)
def test_a_broken_promise_to_learners_is_found(
    old: str, new: str, wanted: str, tmp_path: Path
) -> None:
    assert old in NIM
    name = f"Violation{FAULTS.index((old, new, wanted))}"
    with pytest.raises(Violation) as caught:
        tried(NIM.replace(old, new), name, tmp_path)
    assert wanted in str(caught.value)


@pytest.mark.parametrize("game", ["nuts", "trap", "aeroplane", "droids", "arena"])
def test_our_games_keep_what_they_promise_to_learners(game: str) -> None:
    rules = variant(game)
    examine_learning(rules, initial(rules), {})
    for state in random_states(rules, 1, 40):
        examine_learning(rules, state, {})
