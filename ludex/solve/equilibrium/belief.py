"""Beliefs: the states that a seat cannot tell apart, and how likely each of them is."""

import functools
from typing import NamedTuple

import numpy as np

from ludex.core.rules import Rules, State, initial
from ludex.kernel.jit import compiled
from ludex.solve.equilibrium.extensive_form import ExtensiveForm, extensive_form
from ludex.solve.equilibrium.information_sets import set_number
from ludex.solve.equilibrium.regret import uniform_strategies, write_reach
from ludex.solve.states.index import slots_of

MOST_STATES = 2_000_000  # of a game that is listed for an agent


class Belief(NamedTuple):
    """States as rows of ints, and their probabilities."""

    states: np.ndarray
    probabilities: np.ndarray


class Beliefs:
    """The beliefs of both seats in all information sets, if the other seat plays at random."""

    def __init__(self, rules: Rules, form: ExtensiveForm) -> None:
        self.rules, self.form = rules, form
        self.slots = slots_of(form.sets.keys)
        uniform = uniform_strategies(form)
        self.reach = np.zeros((2, len(form.tree.movers)))
        for seat in range(2):
            compiled_reach(form.tree, form.sets, uniform, seat, self.reach[seat])
        self.order = np.argsort(form.tree.sets, kind="stable")
        numbers = np.arange(len(form.sets.seats) + 1)
        self.starts = np.searchsorted(form.tree.sets[self.order], numbers)

    def at(self, state: State, seat: int) -> Belief:
        """Return what a seat to move believes, by what it sees of a state.

        Raise Unsolvable if it never sees that.
        """
        place = set_number(self.rules, self.form.sets, self.slots, state, seat)
        nodes = self.order[self.starts[place] : self.starts[place + 1]]
        weights = self.reach[seat, nodes]
        return Belief(self.form.states[nodes], weights / weights.sum())


compiled_reach = compiled(write_reach)


@functools.lru_cache(maxsize=2, typed=True)  # rules of two games may be equal as tuples
def beliefs_of(rules: Rules) -> Beliefs:
    """Return the beliefs in a game that can be listed; raise Unsolvable if it cannot."""
    return Beliefs(rules, extensive_form(rules, initial(rules), MOST_STATES))
