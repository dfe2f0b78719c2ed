"""Moves are named, and found by their names."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from ludex.core.play import (
    choosers,
    describe,
    legal_moves,
    move_label,
    parse,
    position_parts,
    read_state,
    value_text,
)
from ludex.core.rules import initial, position
from ludex.games import GAMES
from tests.lines import random_states, replay, variant

pytestmark = pytest.mark.plain


@pytest.mark.unmeasured
@pytest.mark.parametrize("game", GAMES)
@settings(max_examples=20)
@given(seed=st.integers(0, 2**32))
def test_a_label_names_its_own_move(game: str, seed: int) -> None:
    rules = variant(game)
    for state in list(random_states(rules, seed, plies=60))[::10]:
        for move in legal_moves(rules, state):
            assert parse(rules, state, move_label(rules, state, move)) == move


def test_case_and_spaces_do_not_matter() -> None:
    rules = variant("nuts")
    assert parse(rules, initial(rules), "  TAKE   2 ") == 1


def test_the_only_beginning_or_end_is_enough() -> None:
    arena = variant("arena")
    assert parse(arena, initial(arena), "sh") == 7
    nuts = variant("nuts")
    assert parse(nuts, initial(nuts), "3") == 2
    trap = variant("trap")
    assert parse(trap, initial(trap), "1,3") == 10


def test_what_fits_several_moves_is_refused() -> None:
    rules = variant("arena")
    with pytest.raises(ValueError, match="'s' fits several moves: spark, snake, shadow"):
        parse(rules, initial(rules), "s")
    with pytest.raises(ValueError):
        parse(rules, initial(rules), "")


def test_a_refusal_offers_the_nearest_and_shows_the_position() -> None:
    rules = variant("arena")
    with pytest.raises(ValueError) as refused:
        parse(rules, initial(rules), "sprk")
    assert str(refused.value).startswith("'sprk' is not a move here; did you mean 'spark'?: 30,")
    assert str(refused.value).endswith("Dr. Light to move")


def test_describe_says_whose_turn_it_is() -> None:
    trap = variant("trap")
    state = replay(trap, "step 1,3", "throw 3,3")
    assert describe(trap, state).endswith("; chance")
    droids = variant("droids")
    assert describe(droids, initial(droids)) == "2,0 2,3 5,5 0,0 50; both at once"
    nuts = variant("nuts")
    assert describe(nuts, read_state(nuts, "0 1")) == "0 1; over"


def test_nobody_one_or_both_choose() -> None:
    nuts, droids, aeroplane = variant("nuts"), variant("droids"), variant("aeroplane")
    assert choosers(nuts, read_state(nuts, "5 1")) == (1,)
    assert choosers(nuts, read_state(nuts, "0 1")) == ()
    assert choosers(droids, initial(droids)) == (0, 1)
    assert choosers(aeroplane, initial(aeroplane)) == ()


def test_replay_goes_on_from_a_state() -> None:
    rules = variant("nuts")
    state = replay(rules, "take 3", "take 2")
    assert position(rules, replay(rules, "take 1", start=state)) == "15 1"


@pytest.mark.parametrize(
    ("game", "value", "seat", "text"),
    [
        ("nuts", 1.0, 0, "value +1 (Player 1 wins)"),
        ("nuts", -1.0, 0, "value -1 (Player 2 wins)"),
        ("nuts", -1.0, 1, "value -1 (Player 1 wins)"),
        ("arena", -0.0, 0, "value 0 (a draw)"),
        ("arena", 0.25, 1, "value +0.25 for Dr. Wily"),
        ("trap", 0.0, 0, "value +0 for Player 1"),
    ],
)
def test_a_value_says_who_wins_only_where_it_is_certain(
    game: str, value: float, seat: int, text: str
) -> None:
    assert value_text(variant(game), value, seat) == text


@pytest.mark.parametrize("game", GAMES)
def test_the_parts_of_a_position_have_names(game: str) -> None:
    rules = variant(game)
    names = position_parts(rules)
    assert len(names) == len(position(rules, initial(rules)).split())
