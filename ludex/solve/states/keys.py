"""States packed into single ints: each field in as many bits as its values need.

Fields are an array with a row for each int of a state: its smallest value, its bits, and how far
they are shifted. Here each int of a tuple in a state is a field of its own.
"""

from collections.abc import Iterator
from typing import Any

import numpy as np
from numba.extending import overload

from ludex.core.rules import State
from ludex.kernel.jit import INLINED, compiled, shared
from ludex.kernel.tuples import define_state, flatten, unflatten

MOST_BITS = 62
LOW, BITS, SHIFT = range(3)  # the columns of fields


@shared
def pack(state, fields):
    """Return the key of a state, or -1 - FIELD if the value of that field does not fit."""
    key = 0
    numbers = flatten(state)
    for place in range(len(numbers)):
        rest = numbers[place] - int(fields[place, LOW])
        if rest < 0 or rest >> int(fields[place, BITS]) != 0:
            return -1 - place
        key |= rest << int(fields[place, SHIFT])
    return key


def unpack(like: State, key: int, fields: np.ndarray) -> State:
    """Return the state of a key, of the same type as `like`."""
    return unflatten(
        like, [(key >> shift & (1 << bits) - 1) + low for low, bits, shift in fields.tolist()]
    )


@overload(unpack, strict=False, jit_options=INLINED)
def _unpack(like: Any, key: Any, fields: Any) -> Any:
    number = "(key >> fields[{0}, SHIFT] & (1 << fields[{0}, BITS]) - 1) + fields[{0}, LOW]"
    return define_state(like, "key, fields", number, LOW=LOW, BITS=BITS, SHIFT=SHIFT)


@compiled
def repack(like, keys, count, fields, wider):
    """Repack the first keys with wider fields."""
    for number in range(count):
        keys[number] = pack(unpack(like, int(keys[number]), fields), wider)


@shared
def field_of(key, fields, place):
    """Return the value of a field in a key."""
    bits = key >> int(fields[place, SHIFT]) & (1 << int(fields[place, BITS])) - 1
    return bits + int(fields[place, LOW])


# All fields of two keys are compared at once. Every other field is masked, so that the bit above
# each of the rest is free: it guards the field, and is lost if the field is smaller.


def guard_fields(fields: np.ndarray) -> np.ndarray:
    """Return two rows of a mask and the guards of its fields; each field is in one of them."""
    rows = np.zeros((2, 2), np.int64)
    by_shift = [(int(shift), int(bits)) for _, bits, shift in fields if bits]
    for place, (shift, bits) in enumerate(sorted(by_shift)):
        rows[place % 2] |= (1 << bits) - 1 << shift, 1 << shift + bits
    return rows


@shared
def lower_fields(key, other, guards):
    """Return the guards of the fields that are lower in a key than in another."""
    lost = 0
    for row in range(2):
        mask, guard = int(guards[row, 0]), int(guards[row, 1])
        lost |= guard & ~((key & mask | guard) - (other & mask))
    return lost


def guarded(fields: np.ndarray, guards: int) -> np.ndarray:
    """Return for each field whether its guard is among these."""
    tops = fields[:, BITS] + fields[:, SHIFT]
    return np.asarray((guards >> tops & 1 == 1) & (fields[:, BITS] > 0))


def columns(keys: np.ndarray, fields: np.ndarray) -> Iterator[np.ndarray]:
    """Yield the values of each field in the states of these keys."""
    for low, bits, shift in fields.tolist():
        yield (keys >> shift & (1 << bits) - 1) + low


def fields_for(states: list[State]) -> np.ndarray:
    """Return fields into which all these states fit."""
    return fields_of_rows(np.array([flatten(state) for state in states], np.int64))


def fields_of_rows(rows: np.ndarray) -> np.ndarray:
    """Return fields into which all these rows of ints fit."""
    low, high = rows.min(axis=0), rows.max(axis=0)
    bits = [int(span).bit_length() for span in high - low]
    return with_shifts(np.stack([low, np.array(bits, np.int64)], axis=1))


def with_shifts(fields: np.ndarray) -> np.ndarray:
    """Return fields with their shifts: the first has the highest bits."""
    bits = fields[:, BITS]
    return np.column_stack([fields[:, :SHIFT], bits[::-1].cumsum()[::-1] - bits])


def saved_fields(fields: np.ndarray) -> np.ndarray:
    """Return fields from a file; older files leave out the shifts."""
    return fields if fields.shape[1] > SHIFT else with_shifts(fields)


def tighten(keys: np.ndarray, fields: np.ndarray, leading: np.ndarray) -> np.ndarray:
    """Return fields without room to spare for these keys; the leading ones get the highest bits."""
    spans = [(int(column.min()), int(column.max())) for column in columns(keys, fields)]
    tight = np.array([(low, (high - low).bit_length(), 0) for low, high in spans], np.int64)
    order = np.argsort(~leading, kind="stable")
    tight[order] = with_shifts(tight[order])
    return tight


def possible_keys(fields: np.ndarray) -> int:
    """Return how many keys there can be."""
    return 1 << int(fields[:, BITS].sum())


def widen_field(fields: np.ndarray, place: int, number: int) -> np.ndarray:
    """Return fields of which one is at least doubled and has room for another value."""
    low, bits, _ = (int(one) for one in fields[place])
    span = 1 << bits
    least = min(number, low - span) if number < low else low
    most = max(number, low + 2 * span - 1) if number >= low else low + span - 1
    wider = fields.copy()
    wider[place, :SHIFT] = least, (most - least).bit_length()
    return with_shifts(wider)
