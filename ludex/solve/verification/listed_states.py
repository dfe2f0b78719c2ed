"""The states listed in the file of a solution: decoded from their keys, and found by them.

A key holds the ints of a state side by side, less their smallest values. Nothing here is shared
with the solver, which wrote the file.
"""

from pathlib import Path
from typing import Any, NamedTuple

import numpy as np

from ludex.core.rules import Rules, State, canonical
from ludex.io.array_file import Unusable, read
from ludex.kernel.jit import shared
from ludex.kernel.tuples import flatten, from_row
from ludex.solve.solution_file import SOLUTION_ARRAYS, identity

LOW, WIDTH, SHIFT = range(3)  # of a field: its smallest value, its bits, and those below them
MOST_BITS = 62
# What is not listed, but folded into the state before it: nothing, chance after a decision, the
# decision of a seat after chance.
NOTHING, CHANCE_AFTER_DECISIONS, DECISIONS_AFTER_CHANCE = range(3)


class ListedStates(NamedTuple):
    """The states of a file, in the order of their keys, with their values and progress."""

    like: State
    """Any state of the game."""
    folded: int
    """What is not listed."""
    fields: np.ndarray
    """For each int of a state, where a key has it."""
    keys: np.ndarray
    values: np.ndarray
    progress: np.ndarray
    row: np.ndarray
    """Scratch, into which a state is decoded."""


@shared
def number_in(key, fields, place):
    """Return one of the ints in a key."""
    return (key >> fields[place, SHIFT] & (1 << fields[place, WIDTH]) - 1) + fields[place, LOW]


@shared
def state_of(key, listed):
    """Return the state of a key."""
    for place in range(len(listed.fields)):
        listed.row[0, place] = number_in(key, listed.fields, place)
    return from_row(listed.like, listed.row, 0)


@shared
def key_of(state, fields):
    """Return the key of a state, or -1 if it has none because an int does not fit."""
    key = 0
    numbers = flatten(state)
    for place in range(len(numbers)):
        above = numbers[place] - int(fields[place, LOW])
        if above < 0 or above >= 1 << int(fields[place, WIDTH]):
            return -1
        key += above << int(fields[place, SHIFT])
    return key


@shared
def index_of(key, keys):
    """Return the index of a key by binary search, or -1."""
    begin, end = 0, len(keys)
    while begin < end:
        middle = (begin + end) // 2
        if keys[middle] < key:
            begin = middle + 1
        else:
            end = middle
    return begin if begin < len(keys) and keys[begin] == key else -1


@shared
def find(rules, state, listed):
    """Return the index of the representative of a state under symmetry, or -1."""
    return index_of(key_of(canonical(rules, state), listed.fields), listed.keys)


# From a file. ------------------------------------------------------------------------------------


def read_states(path: Path, rules: Rules, first: State) -> ListedStates:
    """Return the states in the file of a solution.

    Raise Unusable if the file is damaged, belongs to something else or is not well formed.
    """
    arrays, facts = read(path, identity(rules, first), SOLUTION_ARRAYS)
    try:
        return checked_states(arrays, facts.get("folding"), first)
    except ValueError as error:
        raise Unusable(f"{path} is wrong: {error}") from None


def checked_states(arrays: dict[str, np.ndarray], folded: Any, like: State) -> ListedStates:
    """Return the states in these arrays; raise a ValueError if they cannot be states."""
    keys, values, progress = (arrays[name] for name in ("keys", "values", "progress"))
    if not (keys.ndim == 1 and keys.shape == values.shape == progress.shape and len(keys)):
        raise ValueError("there is not one key, one value and one progress for each state")
    if keys.dtype != np.int64 or values.dtype != np.float64 or progress.dtype != np.float32:
        raise ValueError("keys, values or progress are of other types")
    if keys[0] < 0 or not (keys[1:] > keys[:-1]).all():
        raise ValueError("its keys are not strictly ascending")
    if not (np.abs(values) <= 1.0).all():
        raise ValueError("its values are not all from -1 to 1")
    if not ((progress >= 0.0) & (progress <= 1.0)).all():
        raise ValueError("its progress is not all from 0 to 1")
    if folded not in (NOTHING, CHANCE_AFTER_DECISIONS, DECISIONS_AFTER_CHANCE):
        raise ValueError(f"folding {folded!r}: expected 0, 1 or 2")
    fields = checked_fields(arrays["fields"], len(flatten(like)))
    row = np.zeros((1, len(fields)), np.int64)
    return ListedStates(like, folded, fields, keys, values, progress, row)


def checked_fields(fields: np.ndarray, ints: int) -> np.ndarray:
    """Return fields with their shifts; raise a ValueError unless each int has bits of its own.

    Older files leave out the shifts: there the first int has the highest bits.
    """
    if fields.dtype != np.int64 or fields.shape not in ((ints, SHIFT), (ints, SHIFT + 1)):
        raise ValueError(f"its fields are not those of {ints} ints")
    if fields.shape[1] == SHIFT:
        widths = fields[:, WIDTH].tolist()
        below = [sum(widths[place + 1 :]) for place in range(ints)]
        fields = np.column_stack([fields, np.array(below, np.int64)])
    end = 0
    for _, width, shift in sorted(fields.tolist(), key=lambda field: (field[SHIFT], field[WIDTH])):
        if width < 0 or shift < end or shift + width > MOST_BITS:
            raise ValueError("two of its fields overlap")
        end = shift + width
    return fields
