"""Random numbers by place, against the figures of SplitMix64."""

from typing import Any

import pytest

from ludex.kernel.counter_rng import NEXT, stream_of, uniform, word_at
from ludex.kernel.jit import compiled

# Of its reference implementation, seeded with 1234567.
SEED = 1234567
WORDS = (
    6457827717110365317,
    3203168211198807973,
    9817491932198370423,
    4593380528125082431,
    16408922859458223821,
)


@compiled
def drawn(key: Any, place: Any) -> Any:
    return word_at(key, place), uniform(key, place), stream_of(key, place)


@pytest.mark.plain
def test_words_are_those_of_splitmix64() -> None:
    assert [word_at(SEED, place) % 2**64 for place in range(5)] == [*WORDS]


@pytest.mark.plain
def test_a_uniform_number_has_the_upper_53_bits_of_its_word() -> None:
    assert [uniform(SEED, place) for place in range(5)] == [(one >> 11) / 2**53 for one in WORDS]


@pytest.mark.plain
def test_streams_of_seeds_differ() -> None:
    keys = {stream_of(seed, number) for seed in range(50) for number in range(50)}
    assert len(keys | {word_at(key, NEXT) for key in keys}) == 5000


@pytest.mark.compiled
@pytest.mark.parametrize("key", [0, SEED, -1, 2**63 - 1, -(2**63)])
@pytest.mark.parametrize("place", [NEXT, 0, 7, 2**40])
def test_compiled_numbers_are_those_of_the_interpreter(key: int, place: int) -> None:
    assert drawn(key, place) == drawn.py_func(key, place)
