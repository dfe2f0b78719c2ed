"""Solving on the command line: what `solve` and `explain` print, and how they refuse."""

import json

import pytest

from ludex.games import find
from tests.commands import facts, refused, run

pytestmark = [pytest.mark.plain, pytest.mark.usefixtures("solutions")]
LITTLE_DROIDS = (
    "--rule",
    "rows=2",
    "--rule",
    "columns=3",
    "--rule",
    "shots=2",
    "--rule",
    "rounds=4",
)
MIXED = "1,0 1,2 0,2 1,0 2"
LATE_ARENA = "0,0,30,8,0,0,0,0,0 0,0,0,0,16,0,0,0,99 - flash wood 0"


def test_solve_tells_value_moves_states_and_seconds() -> None:
    told = facts("solve", "nuts", "--rule", "nuts=22")
    assert (told["position"], told["method"], told["value"]) == ("22 0", "listing", 1.0)
    assert (told["moves"], told["states"]) == (["take 1"], 44)
    assert told["seconds"] > 0.0
    assert (told["residual"], told["gap"]) == (0.0, 0.0)
    shown = run("solve", "nuts", "--rule", "nuts=22").stdout
    assert shown.startswith(
        "value +1 (Player 1 wins)\nbest: take 1\n44 states read from disk (solved in "
    )


@pytest.mark.unmeasured
def test_solve_names_all_best_moves() -> None:
    told = facts("solve", "examples/tictactoe.py", "--position", "1 0 1")
    assert (told["value"], told["moves"]) == (0.0, ["cell 5"])  # only the centre holds a corner
    assert len(facts("solve", "examples/tictactoe.py")["moves"]) == 9


def test_solve_tells_a_mixture_for_each_seat_where_both_choose_at_once() -> None:
    told = facts("solve", "droids", *LITTLE_DROIDS, "--position", MIXED)
    assert told["value"] == pytest.approx(0.5)
    first, second = told["moves"]
    assert first == pytest.approx({"up": 0.5, "right": 0.5})
    assert second == pytest.approx({"left": 0.5, "shoot": 0.5})
    shown = run("solve", "droids", *LITTLE_DROIDS, "--position", MIXED).stdout
    assert "R2-D2: up 50.0 %, right 50.0 %\nR2-Q5: left 50.0 %, shoot 50.0 %\n" in shown


@pytest.mark.unmeasured
def test_solve_tells_the_value_of_a_position_from_that_of_the_whole_game() -> None:
    shown = run("solve", "examples/kuhn.py", "--position", "? Q p").stdout.splitlines()
    assert "proven of the whole game: value " in shown[-1]
    assert run("solve", "examples/kuhn.py").stdout.splitlines()[-1].startswith("proven: value ")


def test_solve_tells_shares_in_percent() -> None:
    shown = run("solve", "examples/kuhn.py", "--position", "? K b").stdout.splitlines()
    assert shown[1] == "Player 2: fold 0.0 %, call 100.0 %"


def test_solve_tells_what_it_is_worth_to_the_other_seat() -> None:
    nuts = [facts("solve", "nuts", "--seat", seat) for seat in "01"]
    assert [told["value"] for told in nuts] == [-1.0, 1.0]
    assert nuts[0]["moves"] == nuts[1]["moves"]
    shown = run("solve", "nuts", "--seat", "1").stdout
    assert shown.startswith("value +1 (Player 2 wins)\n")
    draw = run("solve", "examples/tictactoe.py", "--seat", "1", "--json").stdout
    assert '"value": 0.0' in draw and "-0.0" not in draw


def test_solve_and_explain_read_positions_line_by_line() -> None:
    result = run("solve", "nuts", "--position", "-", given="5 0\n\n4 1\n")
    told = [json.loads(line) for line in result.stdout.splitlines()]
    assert [(one["position"], one["value"]) for one in told] == [("5 0", -1.0), ("4 1", -1.0)]
    result = run("explain", "nuts", "--position", "-", given="5 0\n4 1\n")
    told = [json.loads(line) for line in result.stdout.splitlines()]
    assert [(one["position"], one["actions"][0]["value"]) for one in told] == [
        ("5 0", -1.0),
        ("4 1", 1.0),
    ]


def test_a_match_that_is_over_is_worth_its_returns() -> None:
    told = facts("solve", "nuts", "--position", "0 1")
    assert (told["value"], told["moves"]) == (-1.0, [])


def test_solve_verifies_every_state() -> None:
    pig = ("solve", "examples/pig.py", "--rule", "goal=5", "--verify")
    assert facts(*pig)["verified"] == {"residual": pytest.approx(0.0, abs=1e-12), "gap": 0.0}
    assert "verified on every state: residual " in run(*pig).stdout
    assert "verified" not in facts(*pig[:-1])


@pytest.mark.unmeasured
def test_a_position_that_cannot_be_reached_is_solved_from_there_on() -> None:
    # X has two marks and O none: wherever O goes, X gets two open lines.
    told = facts("solve", "examples/tictactoe.py", "--position", "3 0 1", "--verify")
    assert (told["value"], told["states"]) == (1.0, 589)
    told = facts("explain", "examples/tictactoe.py", "--position", "3 0 1")
    assert [row["value"] for row in told["actions"]] == [-1.0] * 7
    shown = run("solve", "nuts", "--position", "22 0")
    assert "the first position does not lead to this one: solving from here" in shown.stderr


def test_a_game_too_big_to_list_is_proven(monkeypatch: pytest.MonkeyPatch) -> None:
    # What else would fit is not told here, and takes long to find out in the interpreter.
    monkeypatch.setattr("ludex.solve.solving.smaller_rules", lambda rules, room: [])
    told = facts("solve", "arena", "--position", LATE_ARENA)
    assert (told["method"], told["value"]) == ("proof", -1.0)
    assert told["moves"] == ["needle", "hard"]
    assert told["values"] == {"needle": -1.0, "hard": -1.0}
    assert "states are too many: there is memory for " in told["reason"]
    shown = run("solve", "arena", "--position", LATE_ARENA).stdout
    assert "not solved by listing all states: " in shown and "states are too many" in shown
    margin = facts("solve", "arena", "--position", LATE_ARENA, "--objective", "margin")
    assert margin["value"] < -1.0 and margin["reason"] == ""
    explained = facts("explain", "arena", "--position", LATE_ARENA)["actions"]
    assert [(row["action"], row["value"], row["exact"]) for row in explained] == [
        ("needle", -1.0, True),
        ("hard", -1.0, True),
    ]


def test_explain_tells_what_every_action_is_worth_and_loses() -> None:
    told = facts("explain", "nuts", "--position", "7 1")
    assert told["position"] == "7 1"
    seat = {"seat": 1, "player": "Player 2", "exact": True, "share": None}
    assert told["actions"] == [
        seat | {"action": "take 2", "value": 1.0, "loss": 0.0},
        seat | {"action": "take 1", "value": -1.0, "loss": 2.0},
        seat | {"action": "take 3", "value": -1.0, "loss": 2.0},
    ]
    shown = run("explain", "nuts", "--position", "7 1").stdout.splitlines()
    assert shown[0] == "7 1; values are those of Player 2, who chooses"
    assert shown[2].split() == ["Player", "2", "take", "2", "+1.000000", "-", "exact"]


def test_memory_that_is_not_used_is_said(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(find("nuts"), "INTERPRETED", True, raising=False)
    shown = run("explain", "nuts", "--position", "7 1", "--memory", "1")
    assert shown.exit_code == 0 and "--memory was not needed" in shown.stderr


@pytest.mark.unmeasured
def test_explain_tells_both_seats_where_both_choose_at_once() -> None:
    rows = facts("explain", "droids", *LITTLE_DROIDS, "--position", MIXED)["actions"]
    worth = {(row["seat"], row["action"]): row["value"] for row in rows}
    assert worth == pytest.approx(
        {(0, "up"): 0.5, (0, "right"): 0.5, (1, "left"): -0.5, (1, "shoot"): -0.5, (1, "up"): -1.0}
    )
    assert [row["seat"] for row in rows] == [0, 0, 1, 1, 1]
    assert rows[-1]["loss"] == pytest.approx(0.5)
    assert [row["share"] for row in rows] == pytest.approx([0.5, 0.5, 0.5, 0.5, 0.0])
    shown = run("explain", "droids", *LITTLE_DROIDS, "--position", MIXED).stdout.splitlines()
    assert shown[0].endswith("; values are those of the player of the row, who chooses")
    assert shown[1].split() == ["player", "action", "value", "loses", "share"]
    assert "50.0 %" in shown[2] and "0.0 %" in shown[-1]


@pytest.mark.compiled
def test_explain_looks_ahead_where_a_game_is_too_big() -> None:
    result = run("explain", "trap", "--memory", "0.01", "--depth", "1", "--json")
    assert "are too many" in result.stderr and "looking 1 decision ahead" in result.stderr
    rows = json.loads(result.stdout)["actions"]
    assert len(rows) == 5 and not any(row["exact"] for row in rows)


@pytest.mark.parametrize(
    ("arguments", "wanted"),
    [
        (["solve", "aeroplane", "--rule", "seats=3"], "exact values are for two seats, not 3\n"),
        (
            ["explain", "aeroplane", "--rule", "seats=3", "--position", "B:h,h,h,h G:h,h,h,h 6 0"],
            "",
        ),
        (["solve", "nuts", "--objective", "margin"], "cannot prove a margin in nuts"),
        (["solve", "nuts", "--objective", "beauty"], "'beauty' is not one of"),
        (["solve", "nuts", "--seat", "2"], "is not in the range"),
        (["solve", "nuts", "--memory", "0"], "expected a number of GiB above 0"),
        (["solve", "nuts", "--position", "101 0"], "not a position: '101 0'"),
        (["explain", "nuts", "--position", "0 0"], "no seat chooses here: 0 0; over\n"),
        (["explain", "aeroplane", "--rule", "planes=1"], '; try it after roll 6: --position "'),
        (["explain", "examples/kuhn.py"], '; try it after deal J, deal Q: --position "J Q -"'),
    ],
)
def test_what_cannot_be_solved_is_refused_in_one_line(arguments: list[str], wanted: str) -> None:
    assert wanted in refused(*arguments)
