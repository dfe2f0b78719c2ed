"""How long matches last under perfect play."""

import pickle

import pytest

from ludex.core.play import read_state
from ludex.core.rules import initial
from ludex.solve.evaluation import Evaluation
from ludex.solve.game_length import UNKNOWN_LENGTH, GameLength, game_length
from ludex.solve.states.successors import NO_FOLDING
from tests.solved import LATE, made, outside, solution, verdict

pytestmark = pytest.mark.plain

# Seat 0 may win at once, or wait while seat 1 can only give it the turn back.
PATIENT = """
from typing import NamedTuple
from ludex.core.rules import OVER
ACTIONS = 2
class PatientRules(NamedTuple):
    unused: int = 0
class Patient(NamedTuple):
    place: int
def initial(rules):
    return Patient(0)
def turn(rules, state):
    return OVER if state.place == 2 else state.place
def moves(rules, state, seat):
    return 1 if state.place else 3
def apply(rules, state, move):
    return Patient(2 if move else 1 - state.place)
def returns(rules, state, seat):
    return 1.0 if seat == 0 else -1.0
"""


# Seat 0 always wins: from 0 at once, or by way of 1, where seat 1 may resist by going to 2.
HURRY = """
from typing import NamedTuple
from ludex.core.rules import OVER
ACTIONS = 2
AFTER = ((4, 1), (4, 2), (4, 4), (0, 0))
class HurryRules(NamedTuple):
    unused: int = 0
class Hurry(NamedTuple):
    place: int
def initial(rules):
    return Hurry(3)
def turn(rules, state):
    return OVER if state.place == 4 else state.place % 2
def moves(rules, state, seat):
    return 3 if state.place < 2 else 1
def apply(rules, state, move):
    return Hurry(AFTER[state.place][move])
def returns(rules, state, seat):
    return 1.0 if seat == 0 else -1.0
"""


@pytest.mark.parametrize(
    ("place", "after", "preferred"),
    [(3, {0: 2.0}, 0), (0, {0: 1.0, 1: 3.0}, 0), (1, {0: 1.0, 1: 2.0}, 1)],
)
def test_the_winner_hurries_and_the_loser_resists(
    place: int, after: dict[int, float], preferred: int
) -> None:
    rules = outside("hurry", HURRY)
    solved, state = made(rules, initial(rules), NO_FOLDING), type(initial(rules))(place)
    found = game_length(rules, solved, state, 60.0)
    assert found == GameLength(after[preferred], True, after)
    assert found.preferred(verdict(solved, rules, state, place % 2)) == preferred


def test_moves_that_lose_a_won_position_are_counted_too() -> None:
    rules, solved = solution("nuts", nuts=12)
    found = game_length(rules, solved, initial(rules), 60.0)
    assert (found.after, found.others) == ({2: 6.0}, {0: 7.0, 1: 7.0})
    assert found.preferred(verdict(solved, rules, initial(rules), 0)) == 2


def test_without_a_length_the_policy_says_which_move_is_preferred() -> None:
    judged = Evaluation(0, 1.0, {4: 1.0, 5: 1.0, 6: -1.0}, {5: 1.0}, True, "")
    assert UNKNOWN_LENGTH.preferred(judged) == 5


def test_with_chance_it_is_the_same_mean_every_time() -> None:
    rules, solved = solution("trap", start=LATE, size=3)
    state = read_state(rules, LATE)
    found = game_length(rules, solved, state, 60.0)
    assert found == game_length(rules, solved, state, 60.0)
    assert not found.exact and found.moves is not None and 1.0 < found.moves < 12.0
    assert pickle.loads(pickle.dumps(found)) == found


def test_where_play_can_go_in_circles_plays_are_counted() -> None:
    rules = outside("patient", PATIENT)
    solved = made(rules, initial(rules), NO_FOLDING)
    found = game_length(rules, solved, initial(rules), 60.0)
    assert (found.moves, found.exact, found.after) == (1.0, False, {0: 3.0, 1: 1.0})


def test_what_takes_too_long_is_not_counted() -> None:
    rules, solved = solution("nuts", nuts=12)
    assert game_length(rules, solved, initial(rules), -1.0) == UNKNOWN_LENGTH


def test_a_length_has_words() -> None:
    exact, mean = GameLength(7.0, True, {}), GameLength(11.8, False, {})
    assert exact.text(1.0) == "wins in 7 moves"
    assert exact.text(-1.0) == "holds out for 7 moves"
    assert mean.text(-1.0) == "holds out for about 12 moves"
    assert mean.text(0.3) == "about 12 moves to the end"
    assert UNKNOWN_LENGTH.text(1.0) == ""
