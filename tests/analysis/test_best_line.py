"""The best line from a position."""

from typing import Any

import pytest

from ludex.analysis.best_line import best_line
from ludex.analysis.evaluator import evaluations, quick_evaluation
from ludex.core.play import move_label, read_state, states
from ludex.core.rules import Rules, State, initial
from ludex.solve.evaluation import Budget, Evaluation
from ludex.solve.game_length import UNKNOWN_LENGTH, GameLength
from tests.lines import variant
from tests.solved import outside

pytestmark = pytest.mark.plain


# Seat 1 is lost at 1: at 2 it may still hope for a mistake, and by way of 4 it resists longer.
HOPE = """
from typing import NamedTuple
from ludex.core.rules import OVER
ACTIONS = 2
AFTER = ((1, 1), (2, 4), (8, 9), (0, 0), (5, 5), (6, 6), (8, 8))
class HopeRules(NamedTuple):
    unused: int = 0
class Hope(NamedTuple):
    place: int
def initial(rules):
    return Hope(0)
def turn(rules, state):
    return OVER if state.place > 7 else state.place % 2
def moves(rules, state, seat):
    return 3 if 0 < state.place < 3 else 1
def apply(rules, state, move):
    return Hope(AFTER[state.place][move])
def returns(rules, state, seat):
    return 1.0 if (seat == 0) == (state.place == 8) else -1.0
"""


def labels(
    rules: Rules, state: State, found: Evaluation, length: GameLength = UNKNOWN_LENGTH
) -> list[str]:
    """Return a best line of at most four moves, or three decisions of a search."""
    line = best_line(rules, state, found, length, 4, 3, 60.0)
    past = zip(states(rules, state, list(line)), line, strict=False)
    return [move_label(rules, *one) for one in past]


def solved_line(game: str, position: str, **texts: Any) -> list[str]:
    rules = variant(game, **texts)
    state = read_state(rules, position)
    (found,) = evaluations(rules, state, Budget())
    assert found.exact
    return labels(rules, state, found)


def test_a_solved_game_has_a_line_of_perfect_play() -> None:
    line = solved_line("nuts", "12 0", nuts=12)
    assert (line[0], line[2], len(line)) == ("take 3", f"take {4 - int(line[1][-1])}", 4)


def test_it_ends_with_the_match() -> None:
    assert solved_line("nuts", "3 0", nuts=12) == ["take 2", "take 1"]


def test_the_loser_resists_as_long_as_possible_all_along() -> None:
    rules = outside("hope", HOPE)
    state = initial(rules)
    (found,) = evaluations(rules, state, Budget())
    assert labels(rules, state, found) == ["1", "2", "1", "1"]


def test_it_begins_with_the_move_that_is_called_best() -> None:
    rules = variant("nuts", nuts=12)
    state = read_state(rules, "9 0")  # every move loses
    (found,) = evaluations(rules, state, Budget())
    for action in range(3):
        length = GameLength(4.0, True, {action: 4.0})
        assert labels(rules, state, found, length)[0] == f"take {action + 1}"


def test_a_proof_has_its_line() -> None:
    rules = variant("nuts", nuts=12)
    proven = Evaluation(0, 1.0, {0: -1.0, 1: -1.0, 2: 1.0}, {}, True, "", (2, 0, 2, 0, 2, 0))
    assert labels(rules, read_state(rules, "12 0"), proven) == ["take 3", "take 1"] * 2


def test_a_search_expects_a_line_until_chance() -> None:
    rules = variant("trap", size=3)
    state = read_state(rules, ".1./.../.2. 0 step")
    line = labels(rules, state, quick_evaluation(rules, state, 0, 2))
    assert [one.partition(" ")[0] for one in line] == ["step", "throw"]


def test_a_simultaneous_move_has_no_line() -> None:
    rules = variant("droids", rounds=2)
    state = read_state(rules, "2,0 2,3 5,5 0,0 2")
    assert labels(rules, state, quick_evaluation(rules, state, 0, 1)) == []
