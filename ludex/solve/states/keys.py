"""States packed into single ints: each field in as many bits as its values need.

Fields are an array with a row for each int of a state: its smallest value, and its bits. Here each
int of a tuple in a state is a field of its own.
"""

from collections.abc import Iterator
from typing import Any

import numpy as np
from numba.extending import overload

from ludex.core.rules import State
from ludex.kernel.jit import INLINED, shared
from ludex.kernel.tuples import define_state, flat_size, flatten, unflatten

MOST_BITS = 62


@shared
def pack(state, fields):
    """Return the key of a state, or -1 - FIELD if the value of that field does not fit."""
    key = 0
    numbers = flatten(state)
    for place in range(len(numbers)):
        rest = numbers[place] - int(fields[place, 0])
        bits = int(fields[place, 1])
        if rest < 0 or rest >> bits != 0:
            return -1 - place
        key = key << bits | rest
    return key


def unpack(like: State, key: int, fields: np.ndarray) -> State:
    """Return the state of a key, of the same type as `like`."""
    numbers = []
    for low, bits in reversed(fields.tolist()):
        numbers.append((key & (1 << bits) - 1) + low)
        key >>= bits
    return unflatten(like, numbers[::-1])


@overload(unpack, strict=False, jit_options=INLINED)
def _unpack(like: Any, key: Any, fields: Any) -> Any:
    lines = []
    for place in reversed(range(flat_size(like))):
        lines += [
            f"bits = fields[{place}, 1]",
            f"number_{place} = (key & (1 << bits) - 1) + fields[{place}, 0]",
            "key >>= bits",
        ]
    return define_state(like, "key, fields", lines, "number_{}")


def columns(keys: np.ndarray, fields: np.ndarray) -> Iterator[np.ndarray]:
    """Yield the values of each field in the states of these keys."""
    shift = int(fields[:, 1].sum())
    for low, bits in fields.tolist():
        shift -= bits
        yield (keys >> shift & (1 << bits) - 1) + low


def fields_for(states: list[State]) -> np.ndarray:
    """Return fields into which all these states fit."""
    return fields_of_rows(np.array([flatten(state) for state in states], np.int64))


def fields_of_rows(rows: np.ndarray) -> np.ndarray:
    """Return fields into which all these rows of ints fit."""
    low, high = rows.min(axis=0), rows.max(axis=0)
    bits = [int(span).bit_length() for span in high - low]
    return np.stack([low, np.array(bits, np.int64)], axis=1)


def widen_field(fields: np.ndarray, place: int, number: int) -> np.ndarray:
    """Return fields of which one is at least doubled and has room for another value."""
    low, bits = (int(one) for one in fields[place])
    span = 1 << bits
    least = min(number, low - span) if number < low else low
    most = max(number, low + 2 * span - 1) if number >= low else low + span - 1
    wider = fields.copy()
    wider[place] = least, (most - least).bit_length()
    return wider
