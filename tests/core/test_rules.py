"""Questions are answered by the game of the rules, interpreted and compiled alike."""

import os
import re
import subprocess
import sys
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import ludex.kernel.jit
from ludex.core.perft import lines
from ludex.core.rules import (
    OVER,
    apply,
    estimate,
    initial,
    label,
    pair,
    part,
    seat_name,
    seats,
    turn,
)
from ludex.core.sampling import pick_move, playout
from ludex.games import find, rules_class, state_class
from ludex.kernel.jit import compiled, sources_hash
from tests.lines import variant


@compiled
def whose_turn(rules: Any, state: Any) -> Any:
    """Return the answer of compiled code."""
    return turn(rules, state)


# That compiled answers are the interpreted ones is found by `ludex check`, in every game.
@pytest.mark.compiled
@pytest.mark.parametrize("game", ["nuts", "aeroplane", "droids"])
def test_the_same_seed_plays_the_same_match_compiled_and_interpreted(game: str) -> None:
    rules = variant(game)
    by_hand = initial(rules)
    rng = np.random.default_rng(5)
    for _ in range(40):
        mover = turn(rules, by_hand)
        if mover != OVER:
            by_hand = apply(rules, by_hand, pick_move(rules, by_hand, mover, rng))
    assert playout(rules, initial(rules), np.random.default_rng(5), 40) == by_hand


def test_a_game_may_leave_questions_to_their_defaults() -> None:
    rules = variant("examples/pig.py")
    assert seats(rules) == 2
    assert estimate(rules, initial(rules), 0) == 0.0
    assert seat_name(rules, 1) == "Player 2"
    assert label(variant("examples/tictactoe.py"), None, 4) == "cell 5"


def test_a_pair_holds_both_actions() -> None:
    for first in (0, 5, 62):
        for second in (0, 7, 62):
            assert part(pair(first, second), 0) == first
            assert part(pair(first, second), 1) == second


COPY = """
from typing import NamedTuple
from ludex.core.rules import OVER

ACTIONS = 3

class NutsRules(NamedTuple):
    nuts: int = 21
    most: int = 3

class Nuts(NamedTuple):
    left: int
    seat: int

def initial(rules):
    return Nuts(rules.nuts, 0)

def turn(rules, state):
    return OVER if state.left <= {end} else state.seat

def legal(rules, state, seat, action):
    return action < rules.most

def apply(rules, state, move):
    return Nuts(state.left - move - 1, 1 - state.seat)

def returns(rules, state, seat):
    return 1.0 if seat == state.seat else -1.0
"""


def test_games_with_equal_classes_do_not_mix(tmp_path: Path) -> None:
    one, other = tmp_path / "one.py", tmp_path / "other.py"
    one.write_text(COPY.format(end=5))
    other.write_text(COPY.format(end=7))
    for file, ends in ((one, 5), (other, 7), (one, 5)):
        rules = rules_class(find(str(file)))()
        state_of = state_class(find(str(file)))
        for left in (5, 6, 7, 8):
            answer = whose_turn(rules, state_of(left, 0))
            assert (answer < 0) == (left <= ends), (file.name, left)
    ours = variant("nuts")
    assert whose_turn(ours, state_class(find("nuts"))(5, 0)) == 0


@pytest.mark.compiled
def test_rules_may_make_lists_and_arrays(tmp_path: Path) -> None:
    """Although no references are counted in the code that calls them."""
    plain, lists = tmp_path / "plain.py", tmp_path / "lists.py"
    apply_text = "    return Nuts(state.left - move - 1, 1 - state.seat)"
    made = """
    left = [state.left, move + 1]
    seats = np.array([1, 0])
    return Nuts(left[0] - left[1], seats[state.seat])
"""
    assert apply_text in COPY
    plain.write_text(COPY.format(end=0))
    lists.write_text("import numpy as np" + COPY.format(end=0).replace(apply_text, made))
    one, other = (rules_class(find(str(file)))() for file in (plain, lists))
    assert lines(one, initial(one), 6) == lines(other, initial(other), 6) == 3**6


@pytest.mark.compiled
def test_an_edited_game_is_seen_by_the_next_process(tmp_path: Path) -> None:
    file = tmp_path / "mygame.py"
    counted = []
    for end in (0, 0, 2):
        file.write_text(COPY.format(end=end))
        run = subprocess.run(
            [sys.executable, "-m", "ludex", "count", str(file), "--depth", "8", "--json"],
            capture_output=True,
            text=True,
            check=True,
            env=os.environ | {"LUDEX_CACHE": str(tmp_path / "cache")},
        )
        counted.append((run.stdout, "compiling" in run.stderr))
    (first, compiling), (again, compiling_again), (edited, compiling_edited) = counted
    assert compiling and compiling_edited and not compiling_again
    assert first == again != edited


def test_every_room_with_compiled_code_is_hashed() -> None:
    house = Path(ludex.__file__).parent
    for file in house.rglob("*.py"):
        inside = file.relative_to(house).as_posix()
        if re.search(
            r"^@(compiled|allocating|shared)\b", file.read_text(encoding="utf-8"), re.MULTILINE
        ):
            assert inside.startswith(("games/", *ludex.kernel.jit.COMPILED_SOURCES)), file


def test_the_hash_of_a_game_depends_on_that_game_alone() -> None:
    nuts, trap = (rules_class(find(name)) for name in ("nuts", "trap"))
    assert sources_hash(frozenset({nuts})) != sources_hash(frozenset({trap}))
