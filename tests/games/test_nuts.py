"""The Game of Nuts, by the examples of its document."""

import pytest

from ludex.core.play import choices
from ludex.core.rules import OVER, apply, initial, label, position, returns, turn
from tests.lines import replay, variant

pytestmark = pytest.mark.plain


def test_the_first_example_ends_with_player_two_losing() -> None:
    rules = variant("nuts", nuts=10)
    state = replay(rules, "take 3", "take 3", "take 3")
    assert position(rules, state) == "1 1"
    over = replay(rules, "take 2", start=state)
    assert turn(rules, over) == OVER
    assert [returns(rules, over, seat) for seat in (0, 1)] == [1.0, -1.0]


def test_more_than_are_left_may_be_taken() -> None:
    rules = variant("nuts", nuts=10)
    state = replay(rules, "take 3", "take 3", "take 2")
    assert position(rules, state) == "2 1"
    assert [label(rules, state, action) for action in choices(rules, state, 1)] == [
        "take 1",
        "take 2",
        "take 3",
    ]
    assert position(rules, replay(rules, "take 3", start=state)) == "0 0"


def test_the_third_example_ends_with_the_machine_losing() -> None:
    rules = variant("nuts", nuts=10)
    over = replay(rules, "take 3", "take 2", "take 3", "take 2")
    assert returns(rules, over, 1) == -1.0


@pytest.mark.parametrize("most", [1, 2, 3, 5, 9])
def test_the_mover_loses_exactly_when_one_is_left_over(most: int) -> None:
    rules = variant("nuts", nuts=100, most=most)
    wins = {0: True}  # with none left, the mover has won
    for left in range(1, 101):
        wins[left] = any(not wins[max(left - take, 0)] for take in range(1, most + 1))
        assert wins[left] == (left % (most + 1) != 1 % (most + 1))
    state = initial(rules)
    while turn(rules, state) != OVER:
        take = (state.left - 1) % (most + 1) or 1
        state = apply(rules, state, take - 1)
    assert returns(rules, state, 0) == (1.0 if wins[100] else -1.0)
