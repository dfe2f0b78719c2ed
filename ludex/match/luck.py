"""The random number generators of a match, seeded by its seed and table number."""

import secrets
from typing import Any

import numpy as np

from ludex.io.text import whole_number


def chosen_seed(seed: int | None) -> int:
    """Return a seed, which is at least 0, or a random one if it is None.

    That has 53 bits, which every reader of JSON takes: too many to find it by trying, which would
    tell the cards of others.
    """
    return secrets.randbelow(2**53) if seed is None else whole_number("seed", seed, least=0)


class Luck:
    """One generator for chance and one for each seat, so that no agent affects the dice."""

    def __init__(self, seed: int, table: int, count: int) -> None:
        # The seed comes last, because it may span several words.
        self.streams = [np.random.default_rng((own, table, seed)) for own in range(1 + count)]

    @property
    def chance(self) -> np.random.Generator:
        """The generator of chance."""
        return self.streams[0]

    def of(self, seat: int) -> np.random.Generator:
        """Return the generator of a seat."""
        return self.streams[1 + seat]

    def save(self) -> list[Any]:
        """Return the states of all generators."""
        return [stream.bit_generator.state for stream in self.streams]

    def restore(self, saved: list[Any]) -> None:
        """Restore the states of all generators."""
        for stream, state in zip(self.streams, saved, strict=True):
            stream.bit_generator.state = state
