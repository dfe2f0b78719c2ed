"""Tuples of ints, of which rules, states and wide sets are made; and states as rows of ints.

A state is a NamedTuple of ints and of tuples of ints. Whatever hashes, compares or stores states
sees them flat, the ints of their tuples among the others. The length of every tuple is known at
compile time: a state without tuples is flat already, and costs nothing.
"""

from collections.abc import Iterator, Sequence
from typing import Any

import numpy as np
from numba import types
from numba.cpython.unsafe.tuple import tuple_setitem
from numba.extending import overload

from ludex.kernel.jit import INLINED, shared


def replace_at(numbers: tuple[int, ...], index: int, number: int) -> tuple[int, ...]:
    """Return a tuple with another number at an index, counted from 0."""
    if not 0 <= index < len(numbers):
        raise IndexError(f"index {index} of a tuple of {len(numbers)}")
    return (*numbers[:index], number, *numbers[index + 1 :])


@overload(replace_at, strict=False, jit_options=INLINED)
def _replace_at(numbers: Any, index: Any, number: Any) -> Any:
    return lambda numbers, index, number: tuple_setitem(numbers, index, int(number))


# States as rows of ints. --------------------------------------------------------------------------


def flatten(state: Any) -> Any:
    """Return the ints of a state in order, including those of its tuples."""
    if tuple not in map(type, state):
        return state
    return tuple(
        number for part in state for number in (part if isinstance(part, tuple) else (part,))
    )


@overload(flatten, strict=False, jit_options=INLINED)
def _flatten(state: Any) -> Any:
    if not any(isinstance(kind, types.BaseTuple) for kind in state.types):
        return lambda state: state
    parts = (
        f"state[{place}]" if isinstance(kind, types.BaseTuple) else f"(state[{place}],)"
        for place, kind in enumerate(state.types)
    )
    return define("state", [f"return {' + '.join(parts)}"])


def unflatten(like: Any, numbers: Sequence[int]) -> Any:
    """Return the state with the first of these ints, of the same type as `like`."""
    if tuple not in map(type, like):
        return type(like)(*numbers[: len(like)])
    left = iter(numbers)

    def read(part: Any) -> Any:
        return tuple(next(left) for _ in part) if isinstance(part, tuple) else next(left)

    return type(like)(*map(read, like))


def from_row(like: Any, rows: np.ndarray, index: int) -> Any:
    """Return the state in a row, of the same type as `like`."""
    return unflatten(like, rows[index].tolist())


@overload(from_row, strict=False, jit_options=INLINED)
def _from_row(like: Any, rows: Any, index: Any) -> Any:
    return define_state(like, "rows, index", "rows[index, {}]")


@shared
def write_row(state, rows, index):
    """Write a state into the first columns of a row."""
    numbers = flatten(state)
    for place in range(len(numbers)):
        rows[index, place] = numbers[place]


def from_column(like: Any, columns: np.ndarray, index: int) -> Any:
    """Return the state in a column, of the same type as `like`."""
    return unflatten(like, columns[:, index].tolist())


def columns_of(*states: Any) -> np.ndarray:
    """Return states of one type as columns."""
    return np.array([[*flatten(state)] for state in states], np.int64).T.copy()


@overload(from_column, strict=False, jit_options=INLINED)
def _from_column(like: Any, columns: Any, index: Any) -> Any:
    return define_state(like, "columns, index", "columns[{}, index]")


@shared
def write_column(state, columns, index):
    """Write a state into the first rows of a column."""
    numbers = flatten(state)
    for place in range(len(numbers)):
        columns[place, index] = numbers[place]


# Functions written for one type of state, for the compiler. ---------------------------------------


def define_state(like: Any, arguments: str, number: str, **names: Any) -> Any:
    """Return a function of `like` and the arguments that returns a state, given its Numba type.

    `number` is an expression for each of its ints, with their places in braces; it may use names.
    """
    places = iter(range(flat_size(like)))
    made = ", ".join(constructor_parts(like, (number.format(place) for place in places)))
    kind = like.instance_class
    return define(f"like, {arguments}", [f"return kind({made})"], kind=kind, **names)


def constructor_parts(like: Any, numbers: Iterator[str]) -> Iterator[str]:
    """Yield an expression for each field of a type of state, given those of its ints."""
    for kind in like.types:
        if isinstance(kind, types.BaseTuple):
            yield f"({''.join(f'{next(numbers)}, ' for _ in range(kind.count))})"
        else:
            yield next(numbers)


def flat_size(like: Any) -> int:
    """Return the number of ints of a type of state."""
    return sum(kind.count if isinstance(kind, types.BaseTuple) else 1 for kind in like.types)


def define(arguments: str, lines: list[str], **names: Any) -> Any:
    """Return the function with these arguments and lines, which may use these names."""
    exec("\n    ".join([f"def build({arguments}):", *lines]), names)
    return names["build"]
