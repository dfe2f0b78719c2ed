"""R2-D2 Battle, by the examples of its document."""

import pytest
from rich.text import Text

from ludex.core.play import choices, move_label, parse, read_state
from ludex.core.rules import (
    BOTH,
    OVER,
    Rules,
    apply,
    initial,
    label,
    position,
    render,
    returns,
    turn,
)
from tests.lines import replay, variant

pytestmark = pytest.mark.plain

RULES = variant("droids")


def after(start: str, *moves: str, rules: Rules = RULES) -> str:
    return position(rules, replay(rules, *moves, start=read_state(rules, start)))


def actions(text: str, seat: int) -> list[str]:
    state = read_state(RULES, text)
    return [label(RULES, state, action) for action in choices(RULES, state, seat)]


def test_moves_of_the_document() -> None:
    # droid at (0, 0): down to (1, 0), right to (1, 1); left is the wall.
    assert after("0,0 3,3 5,5 0,0 50", "down left", "right right").startswith("1,1 3,3 5,5")
    assert "left" not in actions("0,0 3,3 5,5 0,0 50", 0)


def test_available_actions_of_the_document() -> None:
    assert actions("1,1 3,3 5,5 0,0 50", 0) == ["up", "down", "left", "right", "shoot"]
    assert actions("0,1 3,3 5,5 0,0 50", 0) == ["down", "left", "right", "shoot"]
    assert actions("1,1 3,3 0,5 0,0 45", 0) == ["up", "down", "left", "right"]


def test_shots_of_the_document() -> None:
    # r2 on (0, 0) hits q5 on (0, 3), and has four shots left.
    assert after("0,0 0,2 5,5 0,0 50", "shoot right") == "0,0 0,3 4,5 1,0 49"
    # q5 on (1, 2) misses r2 on (0, 0), and has four shots left.
    assert after("0,1 1,2 5,5 0,0 50", "left shoot") == "0,0 1,2 5,4 0,0 49"


def test_a_shot_comes_after_the_moves() -> None:
    # Stepping out of the line escapes; stepping into it is hit.
    assert after("2,0 2,3 5,5 0,0 50", "shoot up") == "2,0 1,3 4,5 0,0 49"
    assert after("2,0 1,3 5,5 0,0 50", "shoot down") == "2,0 2,3 4,5 1,0 49"


def test_two_hits_cancel_and_both_shots_are_spent() -> None:
    assert after("2,0 2,3 5,5 0,0 50", "shoot shoot") == "2,0 2,3 4,4 0,0 49"


def test_droids_that_head_for_each_other_do_not_move() -> None:
    assert after("2,1 2,2 5,5 0,0 50", "right left") == "2,1 2,2 5,5 0,0 49"


def test_droids_that_want_one_cell_do_not_move() -> None:
    assert after("2,1 2,3 5,5 0,0 50", "right left") == "2,1 2,3 5,5 0,0 49"


def test_nobody_steps_onto_a_droid_that_stays() -> None:
    # The shooter stays, so neither moves, and the shot hits.
    assert after("2,1 2,2 5,5 0,0 50", "right shoot") == "2,1 2,2 5,4 0,1 49"


def test_a_cell_that_is_left_can_be_entered() -> None:
    assert after("2,1 2,2 5,5 0,0 50", "right right") == "2,2 2,3 5,5 0,0 49"


def test_the_match_ends_without_shots_or_rounds() -> None:
    last = read_state(RULES, "2,0 2,3 1,0 0,0 10")
    over = replay(RULES, "shoot up", start=last)
    assert turn(RULES, last) == BOTH
    assert turn(RULES, over) == OVER
    assert returns(RULES, over, 0) == 0.0
    late = replay(RULES, "shoot left", start=read_state(RULES, "2,0 2,3 5,5 0,0 1"))
    assert turn(RULES, late) == OVER
    assert [returns(RULES, late, seat) for seat in (0, 1)] == [1.0, -1.0]


def test_lasers_are_drawn_after_a_shot() -> None:
    state = initial(RULES)
    move = parse(RULES, state, "shoot up")
    assert move_label(RULES, state, move) == "shoot up"
    shown = Text.from_markup(render(RULES, apply(RULES, state, move), move)).plain
    assert "  2 D ━ ━ ━" in shown.splitlines()
    assert "  0 ┃ · · ·" in shown.splitlines()


def test_starts_follow_the_size_of_the_board() -> None:
    rules = variant("droids", rows=3, columns=5)
    assert position(rules, initial(rules)) == "1,0 1,4 5,5 0,0 50"
