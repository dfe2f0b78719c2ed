"""Random numbers by place: any number of a stream is computed from its key alone.

This is SplitMix64 (Steele, Lea and Flood 2014) as a counter-based generator. A batch of matches
needs no generator that changes: each match has a key, and what is drawn at a ply has its place.
So a match is the same on any device, in any order, and among any number of others.
"""

from typing import Any

import numpy as np
from numba.extending import overload

from ludex.kernel.bits import MASK, as_word
from ludex.kernel.jit import INLINED, shared

GAMMA, FIRST, SECOND = 0x9E3779B97F4A7C15, 0xBF58476D1CE4E5B9, 0x94D049BB133111EB
DOUBLE_BITS = 53  # of a double's fraction, hidden bit included
NEXT = -1  # the place at which the key of the next stream stands


def word_at(key: int, place: int) -> int:
    """Return the 64 random bits at a place of a stream, as a signed int."""
    word = key + (place + 1) * GAMMA & MASK
    word = (word ^ word >> 30) * FIRST & MASK
    word = (word ^ word >> 27) * SECOND & MASK
    return as_word(word ^ word >> 31)


@overload(word_at, strict=False, jit_options=INLINED)
def _word_at(key: Any, place: Any) -> Any:
    gamma, first, second = np.uint64(GAMMA), np.uint64(FIRST), np.uint64(SECOND)
    s30, s27, s31 = np.uint64(30), np.uint64(27), np.uint64(31)

    def build(key, place):
        word = np.uint64(key) + np.uint64(place + 1) * gamma
        word = (word ^ word >> s30) * first
        word = (word ^ word >> s27) * second
        return np.int64(word ^ word >> s31)

    return build


@shared
def uniform(key, place):
    """Return the random number at a place of a stream, from 0 to below 1."""
    return (word_at(key, place) >> 64 - DOUBLE_BITS & (1 << DOUBLE_BITS) - 1) * 2.0**-DOUBLE_BITS


@shared
def stream_of(seed, number):
    """Return the key of one of the streams of a seed."""
    return word_at(word_at(seed, NEXT), number)
