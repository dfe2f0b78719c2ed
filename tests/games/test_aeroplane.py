"""Aeroplane Chess: every special move."""

import pytest

from ludex.core.play import read_state
from ludex.core.rules import OVER, Rules, events, initial, label, position, render, returns, turn
from tests.lines import replay, variant

pytestmark = pytest.mark.plain

RULES = variant("aeroplane")
BLOCK = variant("aeroplane", stacks="block")


def after(start: str, *moves: str, rules: Rules = RULES) -> str:
    return position(rules, replay(rules, *moves, start=read_state(rules, start)))


def test_a_plane_leaves_the_hangar_on_a_six_alone() -> None:
    assert after("B:h,h,h,h G:h,h,h,h - 0", "roll 5") == "B:h,h,h,h G:h,h,h,h - 1"
    assert after("B:h,h,h,h G:h,h,h,h - 0", "roll 6", "plane 2") == "B:h,l,h,h G:h,h,h,h - 0"


@pytest.mark.parametrize(
    ("start", "roll", "end"),
    [
        ("l", 1, "1"),
        ("l", 2, "6"),  # own colour: jump
        ("2", 4, "10"),
        ("10", 4, "30"),  # jump to the flight point, and fly on
        ("13", 5, "34"),  # fly, and jump at the end
        ("25", 1, "30"),  # 26 -> 30, and no second jump
        ("42", 4, "50"),  # 46 -> 50 stops
        ("48", 2, "f4"),  # exactly on 50: four into the stretch
        ("48", 4, "f2"),
        ("50", 6, "home"),
        ("f1", 5, "home"),
        ("f1", 6, "f5"),  # one too many is walked back
        ("f5", 6, "f1"),
        ("f3", 6, "f3"),
    ],
)
def test_a_plane_goes(start: str, roll: int, end: str) -> None:
    moved = after(f"B:{start},h,h,h G:h,h,h,h {roll} 0", "plane 1")
    assert moved.split()[0] == f"B:{end},h,h,h"


def test_a_six_gives_another_roll_even_after_the_last_move_of_a_plane() -> None:
    assert after("B:50,h,h,h G:h,h,h,h 6 0", "plane 1") == "B:home,h,h,h G:h,h,h,h - 0"


def test_landing_captures_all_that_stand_there() -> None:
    # Blue's step 27 is Green's step 1.
    assert after("B:24,h,h,h G:1,1,h,h 3 0", "plane 1") == "B:27,h,h,h G:h,h,h,h - 1"


def test_both_ends_of_a_jump_capture() -> None:
    # Blue's steps 34 and 38 are Green's 8 and 12.
    assert after("B:33,h,h,h G:8,12,h,h 1 0", "plane 1") == "B:38,h,h,h G:h,h,h,h - 1"


def test_squares_in_between_do_not_capture() -> None:
    # 18 -> 30 -> 34 passes Blue's 30, which is Green's 4.
    assert after("B:17,h,h,h G:4,8,h,h 1 0", "plane 1") == "B:34,h,h,h G:4,h,h,h - 1"


def test_a_flight_crosses_the_facing_stretch() -> None:
    assert after("B:17,h,h,h G:f3,f3,f2,h 1 0", "plane 1") == "B:34,h,h,h G:h,h,f2,h - 1"
    four = variant("aeroplane", seats=4)
    start = "R:f3,h,h,h B:17,h,h,h Y:f3,h,h,h G:f3,h,h,h 1 1"
    assert after(start, "plane 1", rules=four).split()[:4] == [
        "R:f3,h,h,h",
        "B:34,h,h,h",
        "Y:f3,h,h,h",
        "G:h,h,h,h",
    ]


def test_a_plane_in_the_stretch_is_on_no_square() -> None:
    # The public program captured on squares of the same number.
    assert after("B:f1,h,h,h G:1,h,h,h 1 0", "plane 1") == "B:f2,h,h,h G:1,h,h,h - 1"


def test_a_stack_blocks_when_the_rule_says_so() -> None:
    assert after("B:24,h,h,h G:1,1,h,h 3 0", "plane 1", rules=BLOCK) == "B:24,h,h,h G:1,1,h,h - 1"
    # One plane alone is caught as ever.
    assert after("B:24,h,h,h G:1,h,h,h 3 0", "plane 1", rules=BLOCK) == "B:27,h,h,h G:h,h,h,h - 1"
    # If only the end of the flight is blocked, the plane stays where the die put it.
    start = "B:17,h,h,h G:8,8,f3,h 1 0"
    assert after(start, "plane 1", rules=BLOCK) == "B:18,h,h,h G:8,8,f3,h - 1"
    # A flight that is not blocked sends a stack in the crossed place home.
    start = "B:17,h,h,h G:f3,f3,h,h 1 0"
    assert after(start, "plane 1", rules=BLOCK) == "B:34,h,h,h G:h,h,h,h - 1"


def test_the_first_with_all_planes_home_wins() -> None:
    rules = variant("aeroplane", seats=4, planes=1)
    state = replay(rules, "plane 1", start=read_state(rules, "R:f1 B:h Y:50 G:f2 5 0"))
    assert turn(rules, state) == OVER
    third = -1.0 / 3.0
    assert [returns(rules, state, seat) for seat in range(4)] == [1.0, third, third, third]


def test_two_planes_on_one_place_are_two_actions() -> None:
    state = read_state(RULES, "B:l,l,h,h G:h,h,h,h 3 0")
    assert [label(RULES, state, action) for action in (0, 1)] == ["plane 1", "plane 2"]
    assert turn(RULES, state) == 0
    assert after("B:l,l,h,h G:h,h,h,h 3 0", "plane 2") == "B:l,3,h,h G:h,h,h,h - 1"


def test_the_display_is_that_of_the_document() -> None:
    from rich.text import Text

    shown = Text.from_markup(render(RULES, initial(RULES))).plain.splitlines()
    marks = "E                                             F     E" + " " * 45 + "F"
    assert marks in [line.rstrip() for line in shown]
    assert " ".join("RBYG" * 13) in shown
    assert shown[2] == "=================================Main track" + "=" * 62
    state = read_state(RULES, "B:47,h,h,h G:f4,h,h,h - 0")
    shown = Text.from_markup(render(RULES, state)).plain.splitlines()
    assert shown[5].index("1") == shown[6].index("B") == 92
    assert shown[-2].rstrip() == "        1"
    assert shown[-1].rstrip() == "        G"


PLANE = "Blue's plane 1"
AGAIN = "Blue rolls again after the six."


def caught(plane: int, step: int) -> str:
    return f"{PLANE} catches Green's plane {plane} on step {step} and sends it to the hangar."


@pytest.mark.parametrize(
    ("start", "wanted"),
    [
        ("B:l,h,h,h G:h,h,h,h 3 0", []),
        ("B:h,h,h,h G:h,h,h,h 6 0", [f"{PLANE} leaves the hangar for the launch area.", AGAIN]),
        ("B:24,h,h,h G:1,h,h,1 3 0", [caught(1, 27), caught(4, 27)]),
        (
            "B:33,h,h,h G:8,12,h,h 1 0",
            [caught(1, 34), f"{PLANE} jumps from step 34 to step 38.", caught(2, 38)],
        ),
        (
            "B:10,h,h,h G:h,h,h,h 4 0",
            [f"{PLANE} jumps from step 14 to step 18 and flies to step 30."],
        ),
        (
            "B:17,h,h,h G:4,8,f3,h 1 0",
            [
                f"{PLANE} flies from step 18 to step 30 and jumps to step 34.",
                f"{PLANE} flies through Green's plane 3 on f3 and sends it to the hangar.",
                caught(2, 34),
            ],
        ),
        ("B:48,h,h,h G:h,h,h,h 2 0", [f"{PLANE} jumps from step 50 to f4."]),
        ("B:48,h,h,h G:h,h,h,h 4 0", [f"{PLANE} enters the final stretch."]),
        ("B:f1,h,h,h G:h,h,h,h 5 0", [f"{PLANE} is home."]),
        ("B:f5,h,h,h G:h,h,h,h 6 0", [f"{PLANE} overshoots home and walks back to f1.", AGAIN]),
        ("B:50,home,home,home G:h,h,h,h 6 0", [f"{PLANE} is home."]),
    ],
)
def test_events_tell_what_a_move_brings_about(start: str, wanted: list[str]) -> None:
    assert events(RULES, read_state(RULES, start), 0) == wanted


def test_events_tell_of_a_stack_that_blocks() -> None:
    stopped = events(BLOCK, read_state(BLOCK, "B:24,h,h,h G:1,1,h,h 3 0"), 0)
    assert stopped == ["Blue's plane 1 stays on step 24: a stack blocks step 27."]
    grounded = events(BLOCK, read_state(BLOCK, "B:17,h,h,h G:8,8,f3,h 1 0"), 0)
    assert grounded == ["Blue's plane 1 goes no further than step 18: a stack blocks step 34."]


def test_events_tell_of_a_roll_that_moves_nothing() -> None:
    state = read_state(RULES, "B:h,h,h,home G:h,h,h,h - 0")
    passed = "Blue has no plane that can move: the turn passes to Green."
    assert events(RULES, state, 0) == [passed] and events(RULES, state, 5) == []
