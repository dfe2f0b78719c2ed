"""The index of keys: bits with ranks, or a hash table."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from ludex.solve.states import index as indices
from ludex.solve.states.index import add_key, empty_index, enter_keys, number_of, sorted_index

keys = st.lists(st.integers(0, 299), min_size=1, unique=True)
# A key at each end of a word, where the bit is that of the sign.
ENDS = [0, 62, 63, 64, 127, 128, 255]
POSSIBLE = {"bits": 300, "slots": indices.MOST_POSSIBLE + 1}


@given(keys, st.sampled_from(sorted(POSSIBLE)))
def test_every_key_has_the_number_of_its_rank_and_others_have_none(
    some: list[int], kind: str
) -> None:
    check(some, POSSIBLE[kind])


@pytest.mark.parametrize("kind", POSSIBLE)
def test_keys_at_the_ends_of_words_are_found(kind: str) -> None:
    check(ENDS, POSSIBLE[kind])


def check(some: list[int], possible: int) -> None:
    ordered, index = sorted_index(np.array(some), possible)
    assert ordered.tolist() == sorted(some)
    found = [number_of(key, ordered, index) for key in range(300)]
    assert found == [sorted(some).index(key) if key in some else -1 for key in range(300)]


@pytest.mark.parametrize("kind", POSSIBLE)
def test_a_key_is_added_once(kind: str) -> None:
    found, index = np.zeros(20, np.int64), empty_index(POSSIBLE[kind], 20)
    enter_keys(np.array([63, 7]), 2, index)
    found[:2], count = [63, 7], 2
    for key in (*ENDS, *ENDS, 7):
        count = add_key(key, count, found, index)
    assert found[:count].tolist() == [63, 7, 0, 62, 64, 127, 128, 255]


def test_few_keys_among_many_possible_ones_are_hashed() -> None:
    assert sorted_index(np.array([5]), indices.POSSIBLE_PER_KEY)[1].ndim == 2
    assert sorted_index(np.array([5]), indices.POSSIBLE_PER_KEY + 1)[1].ndim == 1
