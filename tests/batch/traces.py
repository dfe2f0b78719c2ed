"""What batches show from step to step, for comparing one with another."""

from collections.abc import Iterator
from typing import Any

import numpy as np

from ludex.batch.batch import Batch
from ludex.core.rules import BOTH

WIDE = "examples/othello.py"
HIDDEN = "examples/kuhn.py"


def step_at_random(batch: Batch) -> None:
    """Step every match with random legal actions."""
    if batch.open & 3 == 3 and (np.asarray(batch.seats) == BOTH).any():
        batch.step(batch.sample(0), batch.sample(1))
    else:
        batch.step(batch.sample())


def shown(batch: Batch) -> dict[str, np.ndarray]:
    """Return everything that a batch shows, in the memory of the CPU."""
    arrays: dict[str, Any] = {
        "states": batch.states,
        "seats": batch.seats,
        "ends": batch.ends,
        "returns": batch.returns,
        "views": batch.views(),
        "masks": batch.masks(),
        "view of seat 1": batch.views(1),
        "samples": batch.sample(),
        **batch.outcome._asdict(),
    }
    return {name: np.array(array) for name, array in arrays.items()}


def trace(batch: Batch, steps: int) -> Iterator[dict[str, np.ndarray]]:
    """Yield what a batch shows while it plays at random."""
    yield shown(batch)
    for _ in range(steps):
        step_at_random(batch)
        yield shown(batch)


def differences(one: Batch, other: Batch, steps: int) -> list[tuple[int, str]]:
    """Return the first step after which two batches differ, with what they show differently."""
    pairs = zip(trace(one, steps), trace(other, steps), strict=True)
    for number, (left, right) in enumerate(pairs):
        found = [
            (number, name)
            for name, array in left.items()
            if array.dtype != right[name].dtype or array.tobytes() != right[name].tobytes()
        ]
        if found:
            return found
    return []
