"""Hash tables: from keys to their numbers, with open addressing; and rows of whole states.

A slot holds the number of a key plus one, or 0; the number of slots is a power of two. A row holds
a state and more ints, of which the first is 0 if the row is empty.
"""

from typing import Any

import numpy as np

from ludex.kernel.hashing import mix
from ludex.kernel.jit import compiled, shared
from ludex.kernel.tuples import flatten


@shared
def slot_of(key, keys, slots):
    """Return the slot of a key, or the empty one for it."""
    place = mix(0, key) & (len(slots) - 1)
    while slots[place] != 0 and keys[slots[place] - 1] != key:
        place = (place + 1) & (len(slots) - 1)
    return place


def empty_rows(state: Any, more: int, mebibytes: int, fewest: int = 0) -> np.ndarray:
    """Return empty rows for a state and some more ints; their number is a power of two, or 0."""
    width = len(flatten(state)) + more
    fit = max((mebibytes << 20) // (8 * width), fewest)
    return np.zeros((1 << fit.bit_length() - 1 if fit else 0, width), np.int64)


@shared
def holds(state, rows, row):
    """Return whether a row holds exactly this state."""
    numbers = flatten(state)
    for place in range(len(numbers)):
        if rows[row, place] != numbers[place]:
            return False
    return rows[row, len(numbers)] != 0


@compiled
def enter(keys, count, slots):
    """Enter the first `count` keys into empty slots."""
    for number in range(count):
        slots[slot_of(int(keys[number]), keys, slots)] = number + 1
