"""Small things are read out of text strictly."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ludex.io.parsing import nearest, read_cell, read_int, read_word
from ludex.kernel.bits import lowest, members, nth, size

pytestmark = [pytest.mark.plain, pytest.mark.unmeasured]


@given(st.integers(-1000, 1000))
def test_a_number_is_read_back(number: int) -> None:
    assert read_int(str(number), "N", -1000, 1000) == number


@given(st.text(max_size=5))
def test_only_plain_numbers_are_read(text: str) -> None:
    try:
        number = read_int(text, "N", -99, 99)
    except ValueError as refused:
        assert repr(text) in str(refused)
    else:
        assert text.removeprefix("-").isdigit() and int(text) == number


def test_a_cell_is_row_times_columns_plus_column() -> None:
    assert read_cell("2,1", "CELL", 4, 5) == 11
    with pytest.raises(ValueError, match="CELL '5': expected a whole number from 0 to 4"):
        read_cell("2,5", "CELL", 4, 5)


def test_a_word_is_its_number() -> None:
    assert read_word("block", "stacks", ("capture", "block")) == 1


def test_the_nearest_word_is_offered() -> None:
    assert nearest("aroplane", ["nuts", "aeroplane"]) == "; did you mean 'aeroplane'?"
    assert nearest("wibble", ["qtable", "minimax"]) == ""  # three letters of six are chance
    assert nearest("zzz", ["nuts"]) == ""


@given(st.sets(st.integers(0, 62), min_size=1))
def test_bits_are_a_set_of_numbers(numbers: set[int]) -> None:
    bits = sum(1 << number for number in numbers)
    assert members(bits) == sorted(numbers)
    assert size(bits) == len(numbers)
    assert lowest(bits) == min(numbers)
    assert [nth(bits, n) for n in range(len(numbers))] == sorted(numbers)
