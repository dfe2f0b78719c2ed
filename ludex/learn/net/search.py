"""The search of a network: trees are grown together, on several threads, and evaluated at once."""

from collections.abc import Callable
from typing import Any, NamedTuple

import numpy as np
from numba.core import config

from ludex.core.observation import bounds
from ludex.core.rules import Rules, actions, at_once, initial, view_shape
from ludex.kernel.threads import run_in_threads
from ludex.learn.net.forest import NONE, new_forest, new_paths, views_of_leaf
from ludex.learn.net.selection import visits_due
from ludex.learn.net.simulation import conclude, descend, expand, new_scratch, plant

Evaluate = Callable[[np.ndarray], tuple[np.ndarray, np.ndarray]]
"""Returns the logits and the values of views."""
LEAST_TREES = 64  # for a thread of its own


class Found(NamedTuple):
    """What a search says of each root; a row for each side, the seat to move or both."""

    policies: np.ndarray
    actions: np.ndarray
    """The action that the search takes; at BOTH it has none, as both draw from their policies."""
    worths: np.ndarray


class Search:
    """Trees for so many matches, with room for so many simulations each."""

    def __init__(self, rules: Rules, trees: int, sims: int, leaves: int = 1) -> None:
        self.rules, self.first, self.trees, self.leaves = rules, initial(rules), trees, leaves
        self.sides = 2 if at_once(rules) else 1
        self.sims = sims
        nodes = sims + leaves + 1
        self.forest = new_forest(rules, self.first, trees, nodes)
        self.paths = new_paths(trees, leaves, nodes)
        shape = trees * leaves * views_of_leaf(rules), *map(int, view_shape(rules))
        self.planes = np.zeros(shape, bounds(rules)[2])
        threads = 1 if config.DISABLE_JIT else int(config.NUMBA_NUM_THREADS)
        self.parts = max(1, min(threads, trees // LEAST_TREES))
        self.scratches = [new_scratch(rules) for _ in range(self.parts)]

    def run(
        self,
        states: np.ndarray,
        evaluate: Evaluate,
        keys: np.ndarray,
        noise: np.ndarray | None = None,
        considered: int = 0,
        stopped: Callable[[], bool] = lambda: False,
    ) -> Found:
        """Search from the states in some columns, until it is stopped.

        `considered` is how many actions of each root sequential halving begins with, for trees of
        one leaf at a time; 0 treats roots as all other nodes.
        """
        self.forest.noise[:] = 0.0 if noise is None else noise
        choices = np.zeros(self.trees, np.int64)
        self.each(plant, (self.forest, states, choices))
        plan = planned(np.minimum(choices, considered), self.sims)
        self.simulate(evaluate, keys, plan[:, 0], 0)  # the roots themselves
        for sim in range(0, self.sims, self.leaves):  # all leaves also in the last round
            if stopped():
                break
            self.simulate(evaluate, keys, plan[:, sim], sim + 1)
        found = Found(
            np.zeros((self.trees, self.sides, int(actions(self.rules)))),
            np.zeros(self.trees, np.int64),
            np.zeros((self.trees, self.sides)),
        )
        self.each(conclude, (self.forest, *found), scratch=True)
        return found

    def simulate(self, evaluate: Evaluate, keys: np.ndarray, due: np.ndarray, step: int) -> None:
        """Go down to some leaves of each tree, and add what the network says of them."""
        given = self.forest, self.paths, self.planes, due, keys, step
        self.each(descend, given, self.leaves, scratch=True)
        logits, values = evaluate(self.planes)
        self.each(expand, (self.forest, self.paths, logits, values), self.leaves)

    def each(self, work: Any, given: tuple[Any, ...], rows: int = 1, scratch: bool = False) -> None:
        """Do some work for all trees, each of which has so many rows, on several threads."""
        ends = [self.trees * part // self.parts * rows for part in range(self.parts + 1)]

        def do(part: int, pause: Any) -> None:
            own = (self.scratches[part],) if scratch else ()
            work(self.rules, self.first, *given, *own, ends[part], ends[part + 1])

        run_in_threads([do] * self.parts, list(range(self.parts)))


def planned(many: np.ndarray, sims: int) -> np.ndarray:
    """Return how often the action of each simulation must have been taken before, for each tree.

    Sequential halving begins with so many actions; NONE in trees for which it is 0.
    """
    plan = np.full((len(many), sims), NONE, np.int64)
    for count in set(many.tolist()) - {0}:
        plan[many == count] = visits_due(count, sims)
    return plan
