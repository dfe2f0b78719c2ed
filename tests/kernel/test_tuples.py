"""Tuples of ints in states, interpreted and compiled."""

from typing import Any, NamedTuple

import numpy as np
import pytest

from ludex.kernel.hashing import mix_all
from ludex.kernel.jit import compiled
from ludex.kernel.tuples import (
    columns_of,
    flatten,
    from_column,
    from_row,
    replace_at,
    unflatten,
    write_row,
)
from ludex.solve.states.keys import fields_for, pack, unpack


class Flat(NamedTuple):
    one: int
    two: int


class Nested(NamedTuple):
    seat: int
    cells: tuple[int, ...]
    bet: int
    hand: tuple[int, ...]


class Alike(NamedTuple):
    """All parts of one type, which is not that of an int."""

    cells: tuple[int, ...]
    hands: tuple[int, ...]


STATES = (Flat(3, -4), Nested(1, (5, 0, -2), 7, (9,)), Alike((1, 2), (3, 4)))


@compiled
def numbers_of(state: Any) -> Any:
    return flatten(state)


@compiled
def hashed(state: Any) -> Any:
    return mix_all(7, state)


@compiled
def moved(state: Any, rows: Any) -> Any:
    write_row(state, rows, 1)
    return from_row(state, rows, 1)


@compiled
def packed(state: Any, fields: Any) -> Any:
    key = pack(state, fields)
    return key, unpack(state, key, fields)


@compiled
def replaced(numbers: Any, index: Any, number: Any) -> Any:
    return replace_at(numbers, index, number)


def test_the_ints_of_a_state_are_in_order() -> None:
    assert flatten(STATES[0]) == (3, -4)
    assert flatten(STATES[1]) == (1, 5, 0, -2, 7, 9)


@pytest.mark.parametrize("state", STATES)
def test_a_state_is_read_back_from_its_ints(state: Any) -> None:
    assert unflatten(state, flatten(state)) == state
    rows = np.zeros((2, len(flatten(state)) + 1), np.int64)
    back = moved(state, rows)
    assert back == state and type(back) is type(state)
    assert rows.tolist() == [[0] * rows.shape[1], [*flatten(state), 0]]


@pytest.mark.parametrize("state", STATES)
def test_compiled_and_interpreted_agree_on_a_state(state: Any) -> None:
    assert tuple(numbers_of(state)) == tuple(flatten(state))
    assert hashed(state) == mix_all(7, state)
    fields = fields_for([state, unflatten(state, [number + 5 for number in flatten(state)])])
    assert packed(state, fields) == (pack(state, fields), state)


@pytest.mark.parametrize("state", STATES)
def test_states_are_columns(state: Any) -> None:
    other = unflatten(state, [number + 1 for number in flatten(state)])
    columns = columns_of(state, other)
    assert columns.flags.c_contiguous and columns.T.tolist() == [
        [*flatten(state)],
        [*flatten(other)],
    ]
    assert from_column(state, columns, 1) == other


@pytest.mark.parametrize("index", range(3))
def test_one_number_of_a_tuple_is_replaced(index: int) -> None:
    wanted = [4, 5, 6]
    wanted[index] = 9
    assert replaced((4, 5, 6), index, 9) == replace_at((4, 5, 6), index, 9) == tuple(wanted)


@pytest.mark.parametrize("index", [-1, 3])
def test_an_index_outside_a_tuple_is_refused_where_it_can_be(index: int) -> None:
    with pytest.raises(IndexError, match="of a tuple of 3"):
        replace_at((4, 5, 6), index, 9)
