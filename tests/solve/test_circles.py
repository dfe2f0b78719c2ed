"""Play that can go in circles: values are the right ones, and a perfect player gets on."""

import numpy as np
import pytest

from ludex.core.rules import Rules, initial, turn
from ludex.solve.action_values import state_values
from ludex.solve.best_response import value_against
from ludex.solve.policy import Answers
from ludex.solve.solution import Solution
from ludex.solve.states.state_space import list_states
from ludex.solve.states.successors import FOLD_CHANCE, NO_FOLDING
from ludex.solve.values import iteration
from tests.solved import LATE, made, outside, solution, solved_states, verdict

pytestmark = pytest.mark.plain

# One seat may stay where it is for ever, or dare: then it wins at once, or has to lose. Both are
# worth 0; but while it is not yet known that it has to lose there, daring looks better.
LOCK = """
from typing import NamedTuple
from ludex.core.rules import CHANCE, OVER
ACTIONS, OUTCOMES = 2, 2
START, LOSING, FREE, COIN, LOST, WON = range(6)
class LockRules(NamedTuple):
    seat: int = 1
class Lock(NamedTuple):
    place: int
def initial(rules):
    return Lock(START)
def turn(rules, state):
    return CHANCE if state.place == COIN else rules.seat if state.place < COIN else OVER
def moves(rules, state, seat):
    return 1 if state.place == LOSING else 3
def chance(rules, state, outcome):
    return 0.5
def apply(rules, state, move):
    if state.place == START:
        return Lock(FREE if move else LOSING)
    if state.place == LOSING:
        return Lock(LOST)
    if state.place == FREE:
        return Lock(COIN if move else FREE)
    return Lock(WON if move else LOSING)
def returns(rules, state, seat):
    return 1.0 if (seat == rules.seat) == (state.place == WON) else -1.0
"""

# Seat 0 may roll, and wins three times out of four; or wait for seat 1 to give up. Who waits for
# ever gets nothing.
WAITING = """
from typing import NamedTuple
from ludex.core.rules import CHANCE, OVER
ACTIONS, OUTCOMES = 2, 4
WAIT, ROLL = 0, 1
class WaitingRules(NamedTuple):
    rich: int = 0
class Waiting(NamedTuple):
    place: int
def initial(rules):
    return Waiting(0)
def turn(rules, state):
    return (0, 1, CHANCE, OVER, OVER)[state.place]
def moves(rules, state, seat):
    return 3
def chance(rules, state, outcome):
    return 0.25
def apply(rules, state, move):
    if state.place == 0:
        return Waiting(2 if move == ROLL else 1)
    if state.place == 1:
        return Waiting(3 if move else 0)
    return Waiting(3 if move else 4)
def returns(rules, state, seat):
    return 1.0 if (seat == 0) == (state.place == 3) else -1.0
"""

# Everett's game: seat 0 hides or runs, seat 1 waits or throws its only snowball. Who hides long
# enough wins as nearly always as it likes, but never quite.
SNOWBALL = """
from typing import NamedTuple
from ludex.core.rules import BOTH, OVER, part
ACTIONS, AT_ONCE = 2, True
class SnowballRules(NamedTuple):
    rich: int = 0
class Snowball(NamedTuple):
    lead: int
def initial(rules):
    return Snowball(0)
def turn(rules, state):
    return OVER if state.lead else BOTH
def moves(rules, state, seat):
    return 3
def apply(rules, state, move):
    runs, throws = part(move, 0), part(move, 1)
    return Snowball(runs + throws if runs + throws < 2 else -1)
def returns(rules, state, seat):
    return float(state.lead if seat == 0 else -state.lead)
"""


def against(rules: Rules, found: Solution, seat: int, folding: int) -> float:
    """Return what perfect play by a solution leaves the seat, whoever it meets."""

    def policy(states: np.ndarray, seat: int) -> np.ndarray:
        return state_values(found, rules, states, seat).policy

    answers = Answers(rules, list_states(rules, initial(rules), folding, 10**6), seat, policy)
    while not answers.complete:
        answers.answer_wave()
    return (1.0 if seat == 0 else -1.0) * value_against(answers)


@pytest.mark.parametrize("folding", [NO_FOLDING, FOLD_CHANCE])
@pytest.mark.parametrize("seat", [0, 1])
def test_who_may_stay_for_nothing_gets_nothing(seat: int, folding: int) -> None:
    rules = outside("lock", LOCK)._replace(seat=seat)
    found = made(rules, initial(rules), folding)
    assert found.value(rules, initial(rules)) == 0.0
    assert found.facts["unproven"] == 0
    # The other seat never chooses, so that whoever plays it leaves the same to the first.
    listing = list_states(rules, initial(rules), folding, 100)
    answers = Answers(rules, listing, 1 - seat, None)
    while not answers.complete:
        answers.answer_wave()
    assert value_against(answers) == 0.0


@pytest.mark.parametrize("folding", [NO_FOLDING, FOLD_CHANCE])
def test_a_perfect_player_does_not_wait_for_ever(folding: int) -> None:
    rules = outside("waiting", WAITING)
    found = made(rules, initial(rules), folding)
    said = verdict(found, rules, initial(rules), 0)
    assert said.values == {0: 0.5, 1: 0.5}
    assert said.policy == {1: 1.0}
    assert [against(rules, found, seat, folding) for seat in (0, 1)] == [0.5, -0.5]


def test_values_that_creep_to_the_right_ones_are_not_called_proven(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(iteration, "MOST_SWEEPS", 1000)
    rules = outside("snowball", SNOWBALL)
    found = made(rules, initial(rules), NO_FOLDING)
    assert 0.99 < found.value(rules, initial(rules)) < 1.0
    assert found.facts["unproven"] > 0 and found.facts["residual"] > 1e-9


@pytest.mark.compiled
@pytest.mark.parametrize("seat", [0, 1])
def test_perfect_play_gives_nothing_away_in_trap(seat: int) -> None:
    rules, found = solution("trap", size=3)
    assert found.facts["unproven"] == 0
    worth = (1.0 if seat == 0 else -1.0) * found.value(rules, initial(rules))
    assert against(rules, found, seat, FOLD_CHANCE) == pytest.approx(worth, abs=1e-9)


@pytest.mark.unmeasured
def test_many_states_are_judged_as_each_of_them_is() -> None:
    rules, found = solution("trap", start=LATE, size=3)
    mine = [state for state in solved_states(rules, found) if turn(rules, state) == 0][:30]
    one_by_one = [verdict(found, rules, state, 0) for state in mine]
    together = state_values(found, rules, np.array(mine), 0)
    assert len(together.value) == len(mine) > 10
    for said, worth, worths, shares in zip(one_by_one, *together, strict=True):
        assert worth == said.value
        assert {action: shares[action] for action in said.policy} == said.policy
        assert {action: worths[action] for action in said.values} == said.values


def test_a_state_that_was_never_listed_is_named() -> None:
    rules, found = solution("nuts", nuts=10)
    with pytest.raises(KeyError, match="90 0"):
        verdict(found, rules, initial(rules)._replace(left=90), 0)
