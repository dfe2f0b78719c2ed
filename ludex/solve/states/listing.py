"""Listings: states with their numbers."""

from typing import NamedTuple

import numpy as np

from ludex.core.rules import Rules, State, canonical
from ludex.solve.states.index import number_of
from ludex.solve.states.keys import MOST_BITS, pack, unpack

SET = 2  # the direction of a field of bits that has more of them whenever it changes


class Unsolvable(ValueError):
    """No exact value can be computed."""


class TooBig(Unsolvable):
    """There are more states than fit into memory."""


class Listing(NamedTuple):
    """Numbered states: keys by number, and an index from keys to numbers."""

    first: State
    folding: int
    fields: np.ndarray
    keys: np.ndarray
    lookup: np.ndarray
    directions: np.ndarray
    """1 for a field that never decreases, -1 for one that never increases, SET if it has more bits
    whenever it changes, 0 for others."""
    targets: int
    """The number of transitions, including those from and to folded states."""

    def number(self, rules: Rules, state: State) -> int:
        """Return the number of a state, or -1."""
        key = pack(canonical(rules, state), self.fields)
        return number_of(key, self.keys, self.lookup) if key >= 0 else -1

    def state(self, number: int) -> State:
        """Return the state with a number."""
        return unpack(self.first, int(self.keys[number]), self.fields)


def check_fields(fields: np.ndarray) -> np.ndarray:
    """Return the fields, or raise TooBig if they need too many bits for a key."""
    bits = int(fields[:, 1].sum())
    if bits > MOST_BITS:
        raise TooBig(f"up to 2**{bits} states")
    return fields
