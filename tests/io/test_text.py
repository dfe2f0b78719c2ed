"""Small things are read out of text strictly."""

import pickle

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ludex.io.text import ParameterError, first_duplicate, nearest, read_cell, read_int, read_word

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


def test_the_limits_in_a_message_can_be_typed() -> None:
    with pytest.raises(ValueError, match=r"N '9': expected a whole number from 10 to 1000000$"):
        read_int("9", "N", 10, 1_000_000)
    assert read_int("1000000", "N", 10, 1_000_000) == 1_000_000


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


def test_the_first_value_that_is_there_twice_is_found() -> None:
    assert first_duplicate(["a", "b", "c", "c", "b"]) == "b"
    assert first_duplicate([{"a": 1}, {"a": 1}]) == {"a": 1}
    assert first_duplicate(["a", "b"]) is None


def test_an_error_names_its_parameter_as_the_caller_does() -> None:
    error = ParameterError("{depth} {}: expected {!r}, and {depth} is for {}", 2, "{1}", "trees")
    assert str(error) == "depth 2: expected '{1}', and depth is for trees"
    assert error.message("--{}".format) == "--depth 2: expected '{1}', and --depth is for trees"
    assert str(pickle.loads(pickle.dumps(error))) == str(error)
