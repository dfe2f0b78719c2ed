"""Positions are read as they are written, and nothing else is read."""

import random
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from ludex.core.play import legal_moves, read_state
from ludex.core.rules import (
    OVER,
    apply,
    estimate,
    events,
    initial,
    patterns,
    patterns_size,
    position,
    render,
    returns,
    scene,
    seats,
    turn,
)
from ludex.games import GAMES
from ludex.games.aeroplane.places import PLACES
from ludex.games.arena.robots import NAMES
from tests.lines import random_states, variant
from tests.solved import outside

pytestmark = pytest.mark.plain

FIRST = {
    "nuts": "21 0",
    "arena": "30,30,30,30,30,30,30,30,30 30,30,30,30,30,30,30,30,99 - - - 0",
    "aeroplane": "B:h,h,h,h G:h,h,h,h - 0",
    "trap": "...1.../......./......./......./......./......./...2... 0 step",
    "droids": "2,0 2,3 5,5 0,0 50",
}
VARIANTS: list[tuple[str, dict[str, Any]]] = [
    *((game, {}) for game in GAMES),
    ("arena", {"gamma-after": 2, "heal": 20}),
    ("aeroplane", {"seats": 3, "stacks": "block"}),
    ("aeroplane", {"seats": 4, "planes": 2}),
    ("trap", {"size": 3}),
    ("droids", {"rows": 5, "columns": 2, "shots": 9}),
    ("examples/tictactoe.py", {}),
    ("examples/connect_four.py", {}),
    ("examples/pig.py", {"goal": 20}),
    ("examples/kuhn.py", {}),
    ("examples/leduc.py", {}),
    ("examples/liars_dice.py", {"dice": 2}),
    ("examples/goofspiel.py", {"order": "random"}),
    ("examples/othello.py", {}),
    ("examples/hex.py", {"size": 9}),
    ("examples/breakthrough.py", {}),
]


@pytest.mark.parametrize("game", GAMES)
def test_the_first_position_is_that_of_the_rule_book(game: str) -> None:
    rules = variant(game)
    assert position(rules, initial(rules)) == FIRST[game]


@pytest.mark.unmeasured
@pytest.mark.parametrize(
    ("game", "values"),
    [
        # Long matches, which take too long without the compiler.
        pytest.param(*one, marks=pytest.mark.compiled if one[0] == "aeroplane" else ())
        for one in VARIANTS
    ],
)
@given(seed=st.integers(0, 2**32))
def test_every_position_of_a_line_is_read_back(
    game: str, values: dict[str, Any], seed: int
) -> None:
    rules = variant(game, **values)
    for state in random_states(rules, seed, plies=200):
        assert read_state(rules, position(rules, state)) == state


@pytest.mark.parametrize(
    ("game", "text", "wanted"),
    [
        ("nuts", "", "expected 2 parts (LEFT SEAT), not 0"),
        ("nuts", "21", "expected 2 parts (LEFT SEAT), not 1"),
        ("nuts", "101 0", "LEFT '101': expected a whole number from 0 to 100"),
        ("nuts", "3 2", "SEAT '2': expected a whole number from 0 to 1"),
        ("nuts", "1_0 0", "LEFT '1_0'"),
        ("nuts", "٣ 0", "LEFT '٣'"),
        ("nuts", "--3 0", "LEFT '--3'"),
        ("arena", "30 {W} - - - 0", "LIGHT_LIFE '30': expected 9 numbers"),
        ("arena", "{L} {W} - - 0", "expected 6 parts"),
        ("arena", "128{l} {W} - - - 1", "LIGHT_LIFE '128': expected a whole number from 0 to 127"),
        (
            "arena",
            "0,0,0,0,0,0,0,0,1000 {W} - - - 1",
            "'1000': expected a whole number from 0 to 999",
        ),
        (
            "arena",
            "0,0,0,0,0,0,0,0,0 0,0,0,0,0,0,0,0,0 - - - 1",
            "one side must have somebody left",
        ),
        ("arena", "{L} {W} bob - - 1", "LIGHT_CHAMPION 'bob': expected '-' or one who lives"),
        ("arena", "0{l} {W} spark - - 1", "LIGHT_CHAMPION 'spark'"),
        ("arena", "{L} 0,0{w} mega - quick,metal 1", "in the order of the lives"),
        ("arena", "{L} {W} mega - laser 1", "WEAPONS 'laser': expected metal or"),
        ("aeroplane", "B:h,h,h G:h,h,h,h - 0", "expected B: and 4 places"),
        ("aeroplane", "G:h,h,h,h B:h,h,h,h - 0", "expected B: and 4 places"),
        ("aeroplane", "B:h,h,h,51 G:h,h,h,h - 0", "plane '51': expected h, l, 1 to 50"),
        ("aeroplane", "B:h,h,h,h G:h,h,h,h 3 0", "no plane of seat 0 can move"),
        ("aeroplane", "B:h,h,h,h G:h,h,h,h 7 0", "ROLL '7': expected a whole number from 1 to 6"),
        ("aeroplane", "B:home,home,home,home G:home,home,home,home - 0", "at most one seat"),
        ("trap", "...1... 0 step", "expected 7 rows"),
        ("trap", "{T} 0 jump", "PHASE 'jump': expected step, throw or land:ROW,COLUMN"),
        ("trap", "{T} 0 land:0,3", "expected a cell that holds no player"),
        ("trap", "{T} 0 land:7,0", "expected a whole number from 0 to 6"),
        ("trap", "{T} 2 step", "SEAT '2'"),
        ("trap", "1.../......./......./......./......./......./...2... 0 step", "ROW '1...'"),
        ("trap", "...1.../......./......./......./......./......./....... 0 step", "one '1' and"),
        ("droids", "2,0 2,0 5,5 0,0 50", "expected another cell"),
        ("droids", "2,0 2,4 5,5 0,0 50", "CELL '4': expected a whole number from 0 to 3"),
        ("droids", "2,0 2,3 21,5 0,0 50", "SHOTS '21': expected a whole number from 0 to 20"),
        ("droids", "2,0 2,3 4,5 96,0 40", "POINTS '96': expected a whole number from 0 to 95"),
        ("droids", "2,0 2,3 5,5 0,0 201", "ROUNDS_LEFT '201'"),
        ("examples/tictactoe.py", "0 0 7", "SEAT '7': expected a whole number from 0 to 1"),
        ("examples/tictactoe.py", "3 1 0", "expected different cells"),
        ("examples/tictactoe.py", "7 56 0", "at most one of them with a line"),
        ("examples/connect_four.py", "2 0 0", "column 1: expected discs from the lowest place on"),
        ("examples/connect_four.py", "64 63 0", "column 1"),
        ("examples/pig.py", "0 0 0 0 2", "ROLLING '2': expected a whole number from 0 to 1"),
        ("examples/pig.py", "100 100 0 0 0", "expected at most one from 100 on"),
    ],
)
def test_what_is_malformed_or_impossible_is_refused(game: str, text: str, wanted: str) -> None:
    light, wily = FIRST["arena"].split()[:2]
    text = (
        text.replace("{L}", light)
        .replace("{W}", wily)
        .replace("{l}", light.removeprefix("30"))
        .replace("{w}", wily.removeprefix("30,30"))
        .replace("{T}", FIRST["trap"].split()[0])
    )
    with pytest.raises(ValueError) as refused:
        read_state(variant(game), text)
    assert wanted in str(refused.value)
    assert repr(text) in str(refused.value)
    assert "\n" not in str(refused.value)


@pytest.mark.unmeasured
@pytest.mark.parametrize("game", GAMES)
@given(text=st.text(alphabet="0123456789,./x12BG:hlf- landstephow", max_size=80))
def test_any_text_is_read_or_refused_with_its_words(game: str, text: str) -> None:
    rules = variant(game)
    try:
        state = read_state(rules, text)
    except ValueError as refused:
        assert repr(text.strip()) in str(refused)
    else:
        assert read_state(rules, position(rules, state)) == state


# Positions that no match leads to. ---------------------------------------------------------------


@pytest.mark.parametrize(
    ("game", "text"),
    [
        ("nuts", "22 0"),
        ("arena", "40{l} {W} - - - 1"),
        ("arena", "{L} {W} spark metal - 1"),
        ("arena", "{L} {W} - gamma - 0"),
        ("arena", "{L} {W} mega - metal 1"),
        ("aeroplane", "B:27,h,h,h G:1,h,h,h - 0"),
        ("aeroplane", "B:home,home,home,home G:l,h,h,h 3 1"),
        ("trap", "2x...../xx...../......./......./......./......./...1... 0 land:3,3"),
        ("droids", "2,0 2,3 5,4 0,0 50"),
        ("droids", "2,0 2,3 6,5 3,0 60"),
        ("examples/tictactoe.py", "7 0 0"),
        ("examples/connect_four.py", "1 0 0"),
    ],
)
def test_a_handicap_or_a_puzzle_is_taken(game: str, text: str) -> None:
    light, wily = FIRST["arena"].split()[:2]
    text = text.replace("{L}", light).replace("{W}", wily).replace("{l}", light[2:])
    assert position(variant(game), read_state(variant(game), text)) == text


COUNTDOWN = '''
"""Count down from three; the game does not read positions itself."""

from typing import NamedTuple

from ludex.core.rules import OVER

ACTIONS = 1


class CountdownRules(NamedTuple):
    pass


class Countdown(NamedTuple):
    left: int
    seat: int


def initial(rules):
    return Countdown(3, 0)


def turn(rules, state):
    return OVER if state.left == 0 else state.seat


def moves(rules, state, seat):
    return 1 if state.left < 10 else 0


def apply(rules, state, move):
    return Countdown(state.left - 1, 1 - state.seat)


def returns(rules, state, seat):
    return 1.0 if seat == state.seat else -1.0
'''


def test_a_game_that_cannot_go_on_from_a_position_refuses_it() -> None:
    rules = outside("countdown", COUNTDOWN)
    assert read_state(rules, "9 1") == (9, 1)
    with pytest.raises(ValueError, match="'3 2': seat 2 is to act: expected 0 to 1"):
        read_state(rules, "3 2")
    with pytest.raises(ValueError, match="'10 0': nothing can be done here"):
        read_state(rules, "10 0")


SEATS = st.integers(0, 1)


def joined(values: list[int]) -> str:
    return ",".join(map(str, values))


@st.composite
def droids_positions(draw: st.DrawFn) -> str:
    cells = draw(st.lists(st.integers(0, 15), min_size=2, max_size=2, unique=True))
    shots = [draw(st.integers(0, 20)) for _ in cells]
    points = [draw(st.integers(0, 99 - left)) for left in shots]
    rounds = draw(st.integers(0, 200))
    places = " ".join(f"{cell // 4},{cell % 4}" for cell in cells)
    return f"{places} {joined(shots)} {joined(points)} {rounds}"


@st.composite
def trap_positions(draw: st.DrawFn) -> str:
    size = 4
    cells = draw(st.lists(st.sampled_from(".x"), min_size=size**2, max_size=size**2))
    one, two, target = draw(
        st.lists(st.integers(0, size**2 - 1), min_size=3, max_size=3, unique=True)
    )
    cells[one], cells[two] = "1", "2"
    board = "/".join("".join(cells[row : row + size]) for row in range(0, size**2, size))
    land = f"land:{target // size},{target % size}"
    return f"{board} {draw(SEATS)} {draw(st.sampled_from(['step', 'throw', land]))}"


@st.composite
def arena_positions(draw: st.DrawFn) -> str:
    lives = st.lists(st.integers(0, 127), min_size=8, max_size=8)
    last = st.integers(0, 999)
    sides = [[*draw(lives), draw(last)] for _ in range(2)]
    sides[draw(SEATS)][draw(st.integers(0, 8))] = 1  # somebody is left
    champions = [
        draw(
            st.sampled_from(["-", *(name for name, life in zip(names, side, strict=True) if life)])
        )
        for names, side in zip(NAMES, sides, strict=True)
    ]
    weapons = [name for name in NAMES[1][:8] if draw(st.booleans())]
    told = f"{joined(sides[0])} {joined(sides[1])} {' '.join(champions)}"
    return f"{told} {','.join(weapons) or '-'} {draw(SEATS)}"


@st.composite
def aeroplane_positions(draw: st.DrawFn) -> str:
    planes = [draw(st.lists(st.sampled_from(PLACES), min_size=2, max_size=2)) for _ in range(2)]
    if planes[0] == planes[1] == ["home", "home"]:
        planes[1] = ["h", "h"]
    seat, roll = draw(SEATS), draw(st.sampled_from(["-", *map(str, range(1, 7))]))
    if roll != "6" and set(planes[seat]) <= {"h", "home"}:
        roll = "-"
    return f"B:{','.join(planes[0])} G:{','.join(planes[1])} {roll} {seat}"


@st.composite
def connect_four_positions(draw: st.DrawFn) -> str:
    heights = [draw(st.integers(0, 6)) for _ in range(7)]
    discs = sum((1 << height) - 1 << 7 * column for column, height in enumerate(heights))
    second = draw(st.integers(0, 7)) * 0o40001 & discs  # no four in a line
    return f"{discs & ~second} {second} {draw(SEATS)}"


def board_positions(size: int, marks: str) -> st.SearchStrategy[str]:
    row = st.text(marks, min_size=size, max_size=size)
    rows = st.lists(row, min_size=size, max_size=size).map("/".join)
    return st.builds("{} {}".format, rows, SEATS)


TAKEN: list[tuple[str, dict[str, Any], st.SearchStrategy[str]]] = [
    ("nuts", {}, st.builds("{} {}".format, st.integers(0, 100), SEATS)),
    ("arena", {}, arena_positions()),
    ("aeroplane", {"planes": 2}, aeroplane_positions()),
    ("trap", {"size": 4}, trap_positions()),
    ("droids", {}, droids_positions()),
    ("examples/connect_four.py", {}, connect_four_positions()),
    ("examples/othello.py", {"size": 6}, board_positions(6, ".xo")),
]


@pytest.mark.unmeasured
@pytest.mark.parametrize(("game", "values", "texts"), TAKEN, ids=[one[0] for one in TAKEN])
@settings(max_examples=20)
@given(data=st.data())
def test_any_well_formed_position_is_played_to_its_end(
    game: str, values: dict[str, Any], texts: st.SearchStrategy[str], data: st.DataObject
) -> None:
    rules, text = variant(game, **values), data.draw(texts)
    state = read_state(rules, text)
    assert position(rules, state) == text
    rng, places = random.Random(text), np.zeros(16, np.int64)
    for _ in range(5000):
        assert read_state(rules, position(rules, state)) == state
        shown = [shape.id for shape in scene(rules, state).shapes]
        assert len(shown) == len(set(shown)) and render(rules, state)
        if turn(rules, state) == OVER:
            break
        for seat in range(seats(rules)):
            assert -1.0 < estimate(rules, state, seat) < 1.0
            count = patterns(rules, state, seat, places)
            assert all(0 <= place < patterns_size(rules) for place in places[:count])
        move = rng.choice(legal_moves(rules, state))
        events(rules, state, move)
        state = apply(rules, state, move)
    assert turn(rules, state) == OVER
    assert sum(returns(rules, state, seat) for seat in range(seats(rules))) == 0.0
