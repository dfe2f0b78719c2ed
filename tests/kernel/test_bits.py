"""Sets of small numbers, interpreted and compiled."""

import functools
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ludex.kernel.bits import (
    as_word,
    contains,
    emptied,
    empty_set,
    exclude,
    include,
    is_empty,
    lowest,
    members,
    nth,
    size,
)
from ludex.kernel.jit import allocating, compiled


@allocating
def collect(bits: Any) -> Any:
    return [index for index in members(bits)]


@allocating
def pairs_below(bits: Any, most: Any) -> Any:
    found = []
    for first in members(bits):
        if first >= most:
            break
        for second in members(bits):
            if second != first:
                found.append((first, second))
    return found


@compiled
def operations(bits: Any, number: Any) -> Any:
    return (
        contains(bits, number),
        include(bits, number),
        exclude(bits, number),
        size(bits),
        lowest(bits),
        nth(bits, size(bits) - 1),
        is_empty(bits),
        is_empty(emptied(bits)),
    )


@compiled
def orders(bits: Any) -> Any:
    total = 0
    for index in members(bits):
        total += orders(bits & ~(1 << index))
    return max(total, 1)


@pytest.mark.plain
@given(st.sets(st.integers(0, 62), min_size=1))
def test_bits_are_a_set_of_numbers(numbers: set[int]) -> None:
    bits = sum(1 << number for number in numbers)
    assert members(bits) == sorted(numbers)
    assert size(bits) == len(numbers)
    assert lowest(bits) == min(numbers)
    assert [nth(bits, n) for n in range(len(numbers))] == sorted(numbers)


@pytest.mark.compiled
@pytest.mark.parametrize("bits", [0, 1, 0b1011000, 1 << 62, 2**63 - 1])
def test_a_compiled_loop_has_the_same_members(bits: int) -> None:
    assert list(collect(bits)) == members(bits)


@pytest.mark.compiled
def test_a_compiled_set_may_have_64_members() -> None:
    assert list(collect(-1)) == list(range(64))


@pytest.mark.compiled
def test_compiled_loops_may_be_nested_and_left_early() -> None:
    assert list(pairs_below(0b10110, 4)) == [(1, 2), (1, 4), (2, 1), (2, 4)]


@pytest.mark.compiled
def test_a_compiled_loop_goes_on_after_a_recursive_call() -> None:
    assert orders(0b110101) == 24


@pytest.mark.compiled
@pytest.mark.parametrize("bits", [(5, 0, 0), (0, -1, 3), (1, 0, -(2**63))])
def test_compiled_sets_of_several_words_have_the_same_members(bits: tuple[int, ...]) -> None:
    assert list(collect(bits)) == members(bits)


@pytest.mark.compiled
@pytest.mark.parametrize("bits", [0b1011, (5, 0, 0), (0, -1, 3), (1, 0, -(2**63))])
@pytest.mark.parametrize("number", [0, 3, 62, 63, 127, 191])
def test_compiled_operations_are_those_of_the_interpreter(bits: Any, number: int) -> None:
    number = number if isinstance(bits, tuple) else min(number, 62)
    assert operations(bits, number) == operations.py_func(bits, number)


@pytest.mark.plain
@given(st.sets(st.integers(0, 191)))
def test_words_are_a_set_of_numbers(numbers: set[int]) -> None:
    bits = functools.reduce(include, numbers, empty_set(192))
    assert members(bits) == sorted(numbers)
    assert size(bits) == len(numbers)
    assert [nth(bits, n) for n in range(len(numbers))] == sorted(numbers)
    assert [number for number in range(192) if contains(bits, number)] == sorted(numbers)
    assert functools.reduce(exclude, numbers, bits) == emptied(bits) == empty_set(192)


@compiled
def shifted(bits: Any, step: Any) -> Any:
    return as_word(bits << step)


@pytest.mark.compiled
@pytest.mark.parametrize("bits", [1, -1, 1 << 62, (1 << 63) - 1, -(1 << 63)])
@pytest.mark.parametrize("step", [0, 1, 9, 63])
def test_a_word_is_the_same_compiled_and_interpreted(bits: int, step: int) -> None:
    assert shifted(bits, step) == shifted.py_func(bits, step)
