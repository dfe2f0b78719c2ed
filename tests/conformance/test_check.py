"""A broken contract is found, and shown at the end of the shortest line."""

from pathlib import Path

import pytest

from ludex.conformance import check
from ludex.conformance.check import check_game
from ludex.games import GAMES, find, game_rules, rules_class
from tests.lines import variant

EXAMPLES = tuple(
    f"examples/{name}.py"
    for name in (
        *("tictactoe", "connect_four", "pig", "othello", "hex", "breakthrough"),
        *("kuhn", "leduc"),
    )
)
VARIANTS = [
    *((game, {}) for game in (*GAMES, *EXAMPLES)),
    ("arena", {"gamma-after": 2, "heal": 20}),
    ("aeroplane", {"seats": 4, "planes": 2, "stacks": "block"}),
    ("trap", {"size": 3}),
    ("droids", {"rows": 2, "columns": 5, "rounds": 12}),
    ("examples/liars_dice.py", {"faces": 3}),
    ("examples/goofspiel.py", {"cards": 4}),
    ("examples/goofspiel.py", {"cards": 3, "order": "random"}),
]

# A race to ten by one or two; each fault below breaks one promise in it.
RACE = """
from typing import NamedTuple
from ludex.kernel.jit import shared
from ludex.core.rules import BOTH, CHANCE, NO_MOVE, OVER
from ludex.core.scene import Scene, Shape

ACTIONS = 2
OUTCOMES = 2

class RaceRules(NamedTuple):
    goal: int = 10

class Race(NamedTuple):
    first: int
    second: int
    seat: int
    rolling: int

def initial(rules):
    return Race(0, 0, 0, 0)

def turn(rules, state):
    if state.first >= rules.goal or state.second >= rules.goal:
        return OVER
    return CHANCE if state.rolling else state.seat

def legal(rules, state, seat, action):
    return True

def chance(rules, state, outcome):
    return 0.5

def apply(rules, state, move):
    first, second, seat, rolling = state
    if not rolling:
        return Race(first, second, seat, 1)
    if seat == 0:
        return Race(first + move + 1, second, 1, 0)
    return Race(first, second + move + 1, 0, 0)

def returns(rules, state, seat):
    return 1.0 if (state.first > state.second) == (seat == 0) else -1.0
"""
FAULTS = [
    # what is replaced, by what, what the report says, and how long the shortest line is
    ("ACTIONS = 2", "ACTIONS = 2; CLOCK = 'move=1'", "CLOCK is 'move=1': no clock 'move'", 0),
    ("goal: int = 10", "goal: float = 10.0", "rule goal is 10.0; it must be an int", 0),
    ("return Race(0, 0, 0, 0)", "return (0, 0, 0, 0)", "initial returned (0, 0, 0, 0)", 0),
    ("seat, 1)", "seat, True)", "whose rolling is True, a bool; it must be an int", 0),
    ("0.5\n", "0.4\n", "the chances sum to 0.8; they must sum to 1", 1),
    ("0.5\n", "0.5 if state.first < 3 else 0.25\n", "the chances sum to 0.5", 7),
    ("return True", "return state.second < 4", "has no legal action", 8),
    ("return True", "return action", "", 0),
    (
        "else state.seat\n",
        "else state.first\n",
        "turn returned 2; it must be a seat from 0 to 1",
        2,
    ),
    ("1.0 if (", "2.0 if (", "returns of seat 0 is 2.0; it must be a float from -1.0 to 1.0", 18),
    ("else -1.0", "else 0.0", "returns are [1.0, 0.0]; they must sum to 0", 18),
    ("else -1.0", "else -1", "returns of seat 1 is -1; it must be a float", 18),
    ("first + move + 1", "first + 6 // (3 - move)", "", 0),
    ("first + move + 1", "first + 6 // second", "apply raised ZeroDivisionError", 1),
]


def canonical(answer: str) -> str:
    return (
        "def canonical(rules, state):\n"
        "    first, second, seat, rolling = state\n"
        f"    return {answer}\n"
    )


def margin(answer: str) -> str:
    return (
        "def margin(rules, state):\n"
        "    first, second, seat, rolling = state\n"
        f"    return {answer}\n"
    )


EXTRAS = [
    (
        "def turn(rules, state):\n    return BOTH if state.first < 9 else OVER\n",
        "turn returned BOTH; say AT_ONCE = True",
        0,
    ),
    ("def moves(rules, state, seat):\n    return 1\n", "moves of seat 0 are [0], but legal", 0),
    ("def estimate(rules, state, seat):\n    return 1.0\n", "estimate of seat 0 is 1.0", 0),
    ("def possible(rules, state):\n    return 1\n", "possible gives [0]", 1),
    ("def label(rules, state, move):\n    return 'go'\n", "labels are not all different", 0),
    ("def position(rules, state):\n    return '1\\n2'\n", "it must be one line of text", 0),
    ("def position(rules, state):\n    return '1 0 0 0'\n", "read_position('1 0 0 0') is", 0),
    ("def render(rules, state, last=NO_MOVE):\n    return '[/bold]'\n", "render is not rich's", 0),
    (
        "def events(rules, state, move):\n    return 'hit'\n",
        "events is 'hit'; it must be a list",
        0,
    ),
    (
        "def scene(rules, state, last=NO_MOVE):\n"
        "    return Scene(50, 50, (Shape('a', 'text', 25, 25, text='hello'),))\n",
        "the text 'hello' of shape 'a' has the font size 0; height is the font size",
        0,
    ),
    (
        "def scene(rules, state, last=NO_MOVE):\n"
        "    return Scene(9, 9, (Shape('a', 'blob', 1, 1),))\n",
        "svg raised ValueError",
        0,
    ),
    (
        "def scene(rules, state, last=NO_MOVE):\n"
        "    return Scene(9, 9, (Shape('a', '<path>', 1, 1),))\n",
        "scene makes no SVG file: mismatched tag",
        0,
    ),
    ("TITLE = 3\n", "TITLE is 3; it must be str", 0),
    ("LEVELS = {'easy': 1}\n", "LEVELS is {'easy': 1}; it must be dict[str, str]", 0),
    ("RULES = {'goal': (1, 9)}\n", "RULES is {'goal': (1, 9)}; it must be dict[str, ", 0),
    ("LEARNER = 'hat'\n", "LEARNER is 'hat'; it must be one of hats, ", 0),
    ("STYLES = {'a': tuple('bcdefghij')}\n", "STYLES has 9 words for a; it must be 1 to 8", 0),
    ("def seats(rules):\n    return 5\n", "seats is 5; it must be 2 to 4", 0),
    (canonical("(first, second, seat, rolling)"), "canonical returned (0, 0, 0, 0)", 0),
    (canonical("Race(first + 1, second, seat, rolling)"), "; it must be the same", 0),
    (canonical("Race(first, second, 0, rolling)"), "where turn is 0, not 1", 2),
    (
        canonical("Race(first, second, seat * (1 - rolling), rolling)"),
        "follows 0.5 times, not 0",
        3,
    ),
    (
        canonical("Race(0, 10, 0, 0) if first >= 10 else state"),
        "rolling=0), worth (-1.0, 1.0, -1), not (1.0, -1.0, 1)",
        18,
    ),
    (
        canonical("Race(10, 0, 0, 0) if first >= 10 else state") + margin("first - second"),
        "rolling=0), worth (1.0, -1.0, 10), not (1.0, -1.0, ",
        18,
    ),
    (margin("second - first"), "it must be an int of the sign of seat 0's returns, ", 18),
    (margin("returns(rules, state, 0)"), "margin is 1.0; it must be an int of the sign", 18),
]


def write(folder: Path, content: str) -> str:
    file = folder / "race.py"
    file.write_text(content)
    return str(file)


# Without the compiler the larger games take minutes, and nothing more is learned.
@pytest.mark.compiled
@pytest.mark.parametrize(("game", "values"), VARIANTS)
def test_our_games_keep_the_contract(
    game: str, values: dict[str, str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(check, "NEAR_STATES", 1000)
    monkeypatch.setattr(check, "ENOUGH_STATES", 2500)
    report = check_game(variant(game, **values), lines=20)
    assert report.fault == ""
    assert report.unfinished == 0
    assert report.states > 40


# What keeps the contract is compared with compiled code; a fault is found before that.
@pytest.mark.parametrize(
    ("old", "new", "wanted", "plies"),
    [pytest.param(*one, marks=pytest.mark.plain if one[2] else ()) for one in FAULTS],
)
def test_a_fault_is_found_on_the_shortest_line(
    old: str, new: str, wanted: str, plies: int, tmp_path: Path
) -> None:
    assert old in RACE
    game = find(write(tmp_path, RACE.replace(old, new)))
    report = check_game(rules_class(game)(), lines=20)
    assert wanted in report.fault
    assert bool(report.fault) == bool(wanted)
    assert len(report.line) == plies


@pytest.mark.plain
@pytest.mark.parametrize(("addition", "wanted", "plies"), EXTRAS)
def test_a_fault_in_an_optional_answer_is_found(
    addition: str, wanted: str, plies: int, tmp_path: Path
) -> None:
    report = check_game(rules_class(find(write(tmp_path, RACE + addition)))(), lines=20)
    assert wanted in report.fault
    assert len(report.line) == plies


@pytest.mark.plain
def test_a_long_line_is_shortened(tmp_path: Path) -> None:
    # Far from the start, but most of what leads there has nothing to do with it.
    slow = RACE.replace("goal: int = 10", "goal: int = 500").replace(
        "0.5\n", "0.5 if state.first != 41 else 0.3\n"
    )
    report = check_game(rules_class(find(write(tmp_path, slow)))(), lines=20)
    assert "the chances sum to 0.6" in report.fault
    assert report.position.startswith("41 ")
    # 21 rolls of one or two for seat 0, with a step before each, and as many for the other.
    assert len(report.line) <= 130


@pytest.mark.unmeasured
@pytest.mark.plain
def test_a_match_without_an_end_is_a_fault(tmp_path: Path) -> None:
    endless = RACE.replace("return OVER", "return state.seat")
    report = check_game(rules_class(find(write(tmp_path, endless)))(), lines=5, plies=50)
    assert report.fault == "none of 5 random lines ended within 50 plies"


@pytest.mark.compiled
def test_what_does_not_compile_is_a_fault(tmp_path: Path) -> None:
    lists = RACE.replace("0.5\n", "eval('0.5')\n")
    report = check_game(rules_class(find(write(tmp_path, lists)))(), lines=5)
    assert report.fault.startswith("it does not compile: ")


@pytest.mark.compiled
def test_a_plain_function_in_compiled_code_is_named(tmp_path: Path) -> None:
    half = "def half():\n    return 0.5\n"
    file = write(tmp_path, RACE.replace("    return 0.5\n", "    return half()\n") + half)
    report = check_game(game_rules(file), lines=5)
    assert report.fault.endswith(
        "half is called by a compiled function, so it needs @shared above it"
    )


@pytest.mark.compiled
def test_compiled_code_that_answers_otherwise_is_a_fault(tmp_path: Path) -> None:
    # An overflow: ints of the interpreter have no end, those of compiled code do.
    big = RACE.replace("return True", "return (3 << 62) + state.first > 0")
    report = check_game(rules_class(find(write(tmp_path, big)))(), lines=5)
    assert report.fault == "compiled, moves of seat 0 is 0, not 3"


@pytest.mark.compiled
def test_no_bit_of_many_actions_is_lost(tmp_path: Path) -> None:
    # A float has room for 53 bits; the answers differ in the lowest of 60.
    many = RACE.replace("ACTIONS = 2", "ACTIONS = 60").replace(
        "return True", "return action > 0 or (3 << 62) + state.first > 0"
    )
    report = check_game(rules_class(find(write(tmp_path, many)))(), lines=5)
    assert report.fault == f"compiled, moves of seat 0 is {2**60 - 2}, not {2**60 - 1}"


SYMMETRIC = [
    # The lowest bit of the score of who has won means nothing, and what is beyond the goal.
    canonical("Race(min(first, 10), second & ~1, 0, 0) if first >= 10 else state"),
    canonical("Race(10, 0, seat, rolling) if first >= 10 else state")
    + margin("1 if first >= 10 else -1"),
]


@pytest.mark.plain
@pytest.mark.parametrize("addition", SYMMETRIC)
def test_symmetric_states_that_are_worth_the_same_keep_the_contract(
    addition: str, tmp_path: Path
) -> None:
    assert check_game(rules_class(find(write(tmp_path, RACE + addition)))(), lines=5).fault == ""


@pytest.mark.compiled
@pytest.mark.parametrize(
    ("addition", "wanted"),
    [
        (
            canonical("state if (3 << 62) + first > 0 else initial(rules)"),
            "compiled, canonical is ",
        ),
        (margin("(1 if (3 << 62) + first > 0 else 2) * (first - second)"), "compiled, margin is "),
    ],
)
def test_what_solvers_ask_is_compared_with_compiled_code(
    addition: str, wanted: str, tmp_path: Path
) -> None:
    game = find(write(tmp_path, RACE.replace("def initial", "@shared\ndef initial") + addition))
    assert check_game(rules_class(game)(), lines=5).fault.startswith(wanted)
