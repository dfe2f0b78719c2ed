"""Positions are read as they are written, and nothing else is read."""

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ludex.games import GAMES
from ludex.play import read
from ludex.rules import initial, position
from tests.lines import random_states, variant

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
]


@pytest.mark.parametrize("game", GAMES)
def test_the_first_position_is_that_of_the_rule_book(game: str) -> None:
    rules = variant(game)
    assert position(rules, initial(rules)) == FIRST[game]


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
        assert read(rules, position(rules, state)) == state


@pytest.mark.parametrize(
    ("game", "text", "wanted"),
    [
        ("nuts", "", "expected 2 parts (LEFT SEAT), not 0"),
        ("nuts", "21", "expected 2 parts (LEFT SEAT), not 1"),
        ("nuts", "22 0", "LEFT '22': expected a whole number from 0 to 21"),
        ("nuts", "3 2", "SEAT '2': expected a whole number from 0 to 1"),
        ("nuts", "1_0 0", "LEFT '1_0'"),
        ("nuts", "٣ 0", "LEFT '٣'"),
        ("nuts", "--3 0", "LEFT '--3'"),
        ("arena", "30 30 - - - 0", "LIGHT_LIFE '30': expected 9 numbers"),
        ("arena", "{L} {W} - - 0", "expected 6 parts"),
        ("arena", "31{l} {W} spark - - 1", "LIGHT_LIFE '31': expected a whole number from 0 to 30"),
        ("arena", "{L} {W} bob - - 1", "LIGHT_CHAMPION 'bob': expected '-' or one who lives"),
        ("arena", "0{l} {W} spark - - 1", "LIGHT_CHAMPION 'spark'"),
        ("arena", "{L} {W} spark metal - 1", "expected '-' for one champion"),
        ("arena", "{L} {W} - - - 1", "only the first position has none"),
        ("arena", "{L} {W} - gamma - 0", "Gamma fights only after 8 of the others are gone"),
        ("arena", "{L} {W} mega - metal 1", "metal still lives"),
        ("arena", "{L} 0,0{w} mega - quick,metal 1", "in the order of the lives"),
        ("arena", "{L} {W} mega - laser 1", "WEAPONS 'laser': expected metal or"),
        ("aeroplane", "B:h,h,h G:h,h,h,h - 0", "expected B: and 4 places"),
        ("aeroplane", "G:h,h,h,h B:h,h,h,h - 0", "expected B: and 4 places"),
        ("aeroplane", "B:h,h,h,51 G:h,h,h,h - 0", "plane '51': expected h, l, 1 to 50"),
        ("aeroplane", "B:h,h,h,h G:h,h,h,h 3 0", "no plane of seat 0 can move"),
        ("aeroplane", "B:h,h,h,h G:h,h,h,h 7 0", "ROLL '7': expected a whole number from 1 to 6"),
        ("aeroplane", "B:27,h,h,h G:1,h,h,h - 0", "stand on one square"),
        ("aeroplane", "B:home,home,home,home G:l,h,h,h 3 1", "the match is over"),
        ("trap", "...1... 0 step", "expected 7 rows"),
        ("trap", "{T} 0 jump", "PHASE 'jump': expected step, throw or land:ROW,COLUMN"),
        ("trap", "{T} 0 land:0,3", "expected a cell that holds no player"),
        ("trap", "{T} 0 land:7,0", "expected a whole number from 0 to 6"),
        ("trap", "{T} 2 step", "SEAT '2'"),
        ("trap", "1.../......./......./......./......./......./...2... 0 step", "ROW '1...'"),
        ("trap", "...1.../......./......./......./......./......./....... 0 step", "one '1' and"),
        ("trap", "2x...../xx...../......./......./......./......./...1... 0 land:3,3", "enclosed"),
        ("droids", "2,0 2,0 5,5 0,0 50", "expected another cell"),
        ("droids", "2,0 2,4 5,5 0,0 50", "CELL '4': expected a whole number from 0 to 3"),
        ("droids", "2,0 2,3 6,5 0,0 50", "SHOTS '6'"),
        ("droids", "2,0 2,3 4,5 0,0 50", "SHOTS '4': expected a whole number from 5 to 5"),
        ("droids", "2,0 2,3 4,5 2,0 40", "POINTS '2': expected a whole number from 0 to 1"),
        ("droids", "2,0 2,3 5,5 0,0 51", "ROUNDS_LEFT '51'"),
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
        read(variant(game), text)
    assert wanted in str(refused.value)
    assert repr(text) in str(refused.value)
    assert "\n" not in str(refused.value)


@pytest.mark.parametrize("game", GAMES)
@given(text=st.text(alphabet="0123456789,./x12BG:hlf- landstephow", max_size=80))
def test_any_text_is_read_or_refused_with_its_words(game: str, text: str) -> None:
    rules = variant(game)
    try:
        state = read(rules, text)
    except ValueError as refused:
        assert repr(text.strip()) in str(refused)
    else:
        assert read(rules, position(rules, state)) == state
