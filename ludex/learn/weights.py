"""Weights of patterns, the parameters of a learned estimate, and their file format."""

from typing import Any, NamedTuple

import numpy as np

from ludex.core.rules import Rules, patterns_size
from ludex.learn.table import Memory, entries

MOST_PATTERNS = 16  # of one seat in a state


class Weights(NamedTuple):
    """A weight for every pattern, and how often it was updated."""

    values: np.ndarray
    visits: np.ndarray


def new_weights(rules: Rules) -> Weights:
    """Return weights of 0."""
    size = patterns_size(rules)
    return Weights(np.zeros(size, np.float32), np.zeros(size, np.int32))


def weights_of(rules: Rules, memory: Memory) -> Weights:
    """Return the weights in a table read from a file."""
    weights = new_weights(rules)
    keys, rows, visits = entries(memory)
    weights.values[keys], weights.visits[keys] = rows[:, 0, 0], visits[:, 0]
    return weights


def as_arrays(memory: Any) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Return the keys, rows and visits of a table, weights or another memory.

    The key of a weight is its index.
    """
    if isinstance(memory, Memory):
        return entries(memory)
    if not isinstance(memory, Weights):
        arrays: tuple[np.ndarray, np.ndarray, np.ndarray] = memory.arrays()
        return arrays
    keys = np.flatnonzero(memory.visits)
    return keys, memory.values[keys].reshape(-1, 1, 1), memory.visits[keys].reshape(-1, 1)


def scratch() -> np.ndarray:
    """Return scratch for the patterns of a state."""
    return np.zeros(MOST_PATTERNS, np.int64)
