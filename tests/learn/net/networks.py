"""Networks and searches for tests."""

from functools import partial
from typing import Any

import numpy as np

from ludex.core.rules import Rules, State
from ludex.kernel.tuples import columns_of
from ludex.learn.net.network import forward, initial_parameters, shape_of
from ludex.learn.net.search import Evaluate, Found, Search


def blank(rules: Rules, width: int = 4, blocks: int = 0) -> Evaluate:
    """Return a network that thinks all actions equally good, and all states even."""
    shape = shape_of(rules, width, blocks)
    return partial(forward, np, shape, initial_parameters(shape, np.random.default_rng(0)))


def noisy(rules: Rules, seed: int = 0) -> Evaluate:
    """Return a network with random parameters, also in its last layers."""
    rng = np.random.default_rng(seed)
    shape = shape_of(rules, 4, 1)
    start = initial_parameters(shape, rng)
    drawn: dict[str, Any] = {
        name: one + 0.3 * rng.standard_normal(one.shape).astype(np.float32)
        for name, one in start.items()
    }
    return partial(forward, np, shape, drawn)


def searched(rules: Rules, state: State, sims: int, leaves: int = 1, considered: int = 0) -> Found:
    """Return what a search with a blank network says of a state."""
    search = Search(rules, 1, sims, leaves)
    return search.run(columns_of(state), blank(rules), np.array([7]), considered=considered)
