"""Listings: every state is found, and has one number."""

import itertools
from collections.abc import Iterator

import numpy as np
import pytest

from ludex.core.play import read_state
from ludex.core.rules import CHANCE, OVER, Rules, State, at_once, canonical, initial, turn
from ludex.solve.states import exploration
from ludex.solve.states import state_space as listing_module
from ludex.solve.states.keys import fields_for
from ludex.solve.states.listing import SET, Listing, TooBig
from ludex.solve.states.size import estimated_states
from ludex.solve.states.state_space import best_folding, explore_states, list_states
from ludex.solve.states.successors import FOLD_CHANCE, FOLD_DECISIONS, NO_FOLDING
from tests.duels import DUEL
from tests.lines import variant
from tests.solved import LATE, PIG, TICTACTOE, followers, made, outside

pytestmark = [pytest.mark.plain, pytest.mark.unmeasured]


@pytest.fixture(scope="module")
def duel() -> Rules:
    return outside("duel", DUEL)


def listed_states(listing: Listing) -> list[State]:
    return [listing.state(number) for number in range(len(listing.keys))]


def unfolded(rules: Rules, first: State, folding: int) -> set[State]:
    """Return the states that get a number: those that not only folded moves lead to."""
    found = {canonical(rules, first)}
    for state, after in followers(rules, first).items():
        before = turn(rules, state)
        for one in after:
            now = turn(rules, one)
            luck = folding == FOLD_CHANCE and before >= 0 and now == CHANCE
            decision = folding == FOLD_DECISIONS and before == CHANCE and now >= 0
            if not luck and not decision:
                found.add(one)
    return found


def small_games(duel: Rules) -> Iterator[tuple[Rules, State]]:
    trap = variant("trap", size=3)
    yield trap, read_state(trap, LATE)
    for rules in (
        variant(PIG, goal=5),
        variant("droids", rows=2, columns=3, shots=1, rounds=3),
        variant("nuts", nuts=12, most=5),
        duel,
    ):
        yield rules, initial(rules)


@pytest.mark.parametrize("folding", [NO_FOLDING, FOLD_CHANCE, FOLD_DECISIONS])
def test_all_states_that_are_not_folded_are_listed(folding: int, duel: Rules) -> None:
    for rules, first in small_games(duel):
        listing = list_states(rules, first, folding, 10**6)
        assert len(set(listing.keys.tolist())) == len(listing.keys)
        # Ends that are worth the same need not be symmetric, and then it depends on the folding
        # which of them is reached.
        found, wanted = set(listed_states(listing)), unfolded(rules, first, folding)
        assert {turn(rules, state) for state in found ^ wanted} <= {OVER}
        assert folding == FOLD_DECISIONS or found == wanted


@pytest.mark.compiled
@pytest.mark.parametrize("folding", [NO_FOLDING, FOLD_CHANCE, FOLD_DECISIONS])
def test_all_states_of_one_plane_each_are_listed(folding: int) -> None:
    rules = variant("aeroplane", planes=1)
    listing = list_states(rules, initial(rules), folding, 10**6)
    assert set(listed_states(listing)) == unfolded(rules, initial(rules), folding)


def test_folding_leaves_no_chance_or_no_decision_behind_it(duel: Rules) -> None:
    for rules, first in small_games(duel):
        if best_folding(rules, first) == NO_FOLDING:
            continue
        movers = {
            folding: [
                turn(rules, state)
                for state in listed_states(list_states(rules, first, folding, 10**6))
            ]
            for folding in (NO_FOLDING, FOLD_CHANCE, FOLD_DECISIONS)
        }
        assert CHANCE in movers[NO_FOLDING]
        assert at_once(rules) or CHANCE not in movers[FOLD_CHANCE]
        assert len(movers[FOLD_DECISIONS]) < len(movers[NO_FOLDING])


def test_known_numbers_of_states() -> None:
    for game, wanted in ((TICTACTOE, 5478), ("nuts", 42)):
        rules = variant(game)
        listing = list_states(rules, initial(rules), NO_FOLDING, 10**6)
        assert len(listing.keys) == wanted
        assert estimated_states(rules, initial(rules)) == (wanted, True)


def test_fields_that_only_rise_or_fall_are_found() -> None:
    for game, wanted in ((TICTACTOE, [SET, SET, 0]), ("nuts", [-1, 0]), ("droids", None)):
        rules = variant(game, **{"rounds": 3, "rows": 2, "columns": 3} if game == "droids" else {})
        listing = list_states(rules, initial(rules), NO_FOLDING, 10**6)
        directions = dict(zip(listing.first._fields, listing.directions.tolist(), strict=True))
        if wanted is not None:
            assert list(directions.values()) == wanted
        for state, after in followers(rules, initial(rules)).items():
            for one, field in itertools.product(after, state._fields):
                rise = getattr(one, field) - getattr(state, field)
                assert rise * directions[field] >= 0
    assert directions["rounds"] == -1


# A counter behind more fields than an int has bits; from 1 to 2 it gets no more bits.
COUNTER = """
from typing import NamedTuple
from ludex.core.rules import OVER
ACTIONS = 1
class CounterRules(NamedTuple):
    most: int = 3
class Counter(NamedTuple):
    board: tuple[int, ...]
    number: int
def initial(rules):
    return Counter((0,) * 70, 0)
def turn(rules, state):
    return 0 if state.number < rules.most else OVER
def moves(rules, state, seat):
    return 1
def apply(rules, state, move):
    return Counter(state.board, state.number + 1)
def returns(rules, state, seat):
    return 0.0
"""


def test_a_field_behind_many_others_that_never_change_has_its_direction() -> None:
    rules = outside("counter", COUNTER)
    listing = list_states(rules, initial(rules), NO_FOLDING, 100)
    assert listing.directions.tolist() == [0] * 70 + [1]


def test_a_field_that_goes_both_ways_has_no_direction() -> None:
    rules = variant(PIG, goal=5)
    listing = list_states(rules, initial(rules), NO_FOLDING, 10**6)
    assert listing.directions.tolist() == [1, 1, 0, 0, 0]


def test_states_are_listed_although_the_fields_were_guessed_too_narrow(
    duel: Rules, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(
        listing_module, "sample_fields", lambda rules, first: fields_for([canonical(rules, first)])
    )
    for rules, first in small_games(duel):
        listing = list_states(rules, first, NO_FOLDING, 10**6)
        assert set(listed_states(listing)) == set(followers(rules, first))


def test_a_listing_is_the_same_for_any_number_of_threads(
    duel: Rules, monkeypatch: pytest.MonkeyPatch
) -> None:
    # Fields and the room for fresh keys are too narrow, so that waves are repeated.
    monkeypatch.setattr(
        listing_module, "sample_fields", lambda rules, first: fields_for([canonical(rules, first)])
    )
    monkeypatch.setattr(exploration, "WORTH_SHARING", 2)
    monkeypatch.setattr(exploration, "FRESH_KEYS", 1)
    for rules, first in small_games(duel):
        for folding in (NO_FOLDING, best_folding(rules, first)):
            alone, together = (
                explore_states(rules, first, folding, 10**6, threads=threads).listing()
                for threads in (1, 3)
            )
            for one, other in zip(alone, together, strict=True):
                assert np.array_equal(one, other)


def test_a_first_state_whose_mirror_image_stands_for_it_is_listed() -> None:
    # The traps of the mirror image are a smaller number than any that follows the state itself.
    rules = variant("trap", size=3)
    first = read_state(rules, "xx2/1../.xx 0 step")
    assert canonical(rules, first) < first
    listing = list_states(rules, first, FOLD_CHANCE, 10**6)
    assert listing.state(listing.number(rules, first)) == canonical(rules, first)
    assert made(rules, first, FOLD_CHANCE).listed(rules, first)


def test_states_have_numbers_and_others_have_none() -> None:
    rules = variant("nuts")
    listing = list_states(rules, initial(rules), NO_FOLDING, 10**6)
    for number, state in enumerate(listed_states(listing)):
        assert listing.number(rules, state) == number
    # A first turn cannot leave 20 to the same seat; and one of 31 does not fit into the fields.
    assert listing.number(rules, read_state(rules, "20 0")) == -1
    assert listing.number(rules, initial(variant("nuts", nuts=100))) == -1


def test_more_states_than_there_is_room_for_are_too_big(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(listing_module, "WAVE", 100)
    rules = variant(TICTACTOE)
    with pytest.raises(TooBig, match="more than 5,000 states"):
        list_states(rules, initial(rules), NO_FOLDING, 5000)
    with pytest.raises(TooBig, match=r"up to 2\*\*\d+ states"):
        list_states(variant("arena"), initial(variant("arena")), NO_FOLDING, 10**6)
