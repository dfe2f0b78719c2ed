"""Keys: every state is read back from its own."""

from typing import NamedTuple

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from ludex.games import GAMES
from ludex.solve.states.keys import (
    SHIFT,
    fields_for,
    guard_fields,
    guarded,
    lower_fields,
    pack,
    repack,
    saved_fields,
    tighten,
    unpack,
    widen_field,
)
from tests.lines import random_states, variant

pytestmark = [pytest.mark.plain, pytest.mark.unmeasured]


class Numbers(NamedTuple):
    one: int
    two: int
    three: int


numbers = st.builds(Numbers, *[st.integers(-(2**18), 2**18)] * 3)


@pytest.mark.parametrize("game", GAMES)
def test_a_state_is_read_back_from_its_key(game: str) -> None:
    rules = variant(game, **{"size": 5} if game == "trap" else {})
    for seed in range(3):
        line = list(random_states(rules, seed))
        # All the fields of an arena are too many bits for compiled code, those of its end are not.
        line = line[-4:] if game == "arena" else line
        fields = fields_for(line)
        keys = np.array([pack(state, fields) for state in line])
        assert len(set(keys.tolist())) == len(set(line))
        assert keys.min() >= 0
        assert [unpack(line[0], int(key), fields) for key in keys] == line
        if fields[:, 1].sum() <= 62:
            again = keys.copy()
            repack(line[0], again, len(again), fields, fields)
            assert (again == keys).all()


@given(st.lists(numbers, min_size=1, max_size=5))
def test_negative_numbers_are_read_back_too(states: list[Numbers]) -> None:
    fields = fields_for(states)
    for state in states:
        key = pack(state, fields)
        assert 0 <= key < 1 << int(fields[:, 1].sum())
        assert unpack(state, key, fields) == state


@given(numbers, numbers)
def test_the_first_field_that_does_not_fit_is_named(state: Numbers, other: Numbers) -> None:
    fields = fields_for([state])
    wrong = [place for place in range(3) if other[place] != state[place]]
    assert pack(other, fields) == (-1 - wrong[0] if wrong else 0)


@given(st.lists(numbers, min_size=1, max_size=4), st.integers(0, 2), numbers)
def test_a_widened_field_has_room_for_both_old_and_new(
    states: list[Numbers], place: int, other: Numbers
) -> None:
    fields = fields_for(states)
    new = states[0]._replace(**{Numbers._fields[place]: other[place]})
    if pack(new, fields) >= 0:
        return
    wider = widen_field(fields, place, other[place])
    for state in (*states, new):
        assert unpack(state, pack(state, wider), wider) == state
    # Twice the room, so that it seldom happens.
    assert wider[place, 1] > fields[place, 1]
    others = [one for one in range(3) if one != place]
    assert (wider[others, :SHIFT] == fields[others, :SHIFT]).all()


def test_keys_are_moved_into_wider_fields_above_and_below() -> None:
    line = [Numbers(5, -3, 7), Numbers(6, -4, 7), Numbers(4, -3, 9)]
    fields = fields_for(line)
    for number in (900, -900):
        wider = widen_field(widen_field(fields, 0, number), 2, -number)
        keys = np.array([pack(state, fields) for state in line])
        repack(line[0], keys, len(keys), fields, wider)
        assert [unpack(line[0], int(key), wider) for key in keys] == line


@given(st.lists(numbers, min_size=2, max_size=2))
def test_all_fields_of_two_keys_are_compared_at_once(states: list[Numbers]) -> None:
    fields = fields_for(states)
    one, other = (pack(state, fields) for state in states)
    lower = guarded(fields, lower_fields(one, other, guard_fields(fields)))
    assert lower.tolist() == [mine < theirs for mine, theirs in zip(*states, strict=True)]


@given(st.lists(numbers, min_size=1, max_size=5), st.lists(st.booleans(), min_size=3, max_size=3))
def test_tight_fields_have_no_room_to_spare_and_the_leading_ones_first(
    states: list[Numbers], leading: list[bool]
) -> None:
    fields = widen_field(fields_for(states), 1, max(state[1] for state in states) + 1)
    keys = np.array([pack(state, fields) for state in states])
    tight = tighten(keys, fields, np.array(leading))
    assert (tight[:, :SHIFT] == fields_for(states)[:, :SHIFT]).all()
    assert [unpack(state, pack(state, tight), tight) for state in states] == states
    shifts = [tight[place, SHIFT] for place in range(3) if tight[place, 1] and leading[place]]
    others = [tight[place, SHIFT] for place in range(3) if tight[place, 1] and not leading[place]]
    assert not shifts or not others or min(shifts) > max(others)


def test_fields_of_an_older_file_get_their_shifts() -> None:
    fields = fields_for([Numbers(5, -3, 7), Numbers(6, -4, 9)])
    assert (saved_fields(fields[:, :SHIFT]) == fields).all()
    assert saved_fields(fields) is fields
