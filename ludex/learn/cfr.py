"""Strategies learned by regrets: the learner, and the agent that plays their average."""

from dataclasses import dataclass, field

import numpy as np
from numpy.random import Generator

from ludex.core import rules as ask
from ludex.core.choice import Choice, uniform_over
from ludex.core.options import option
from ludex.core.rules import Rules, State
from ludex.kernel.bits import members
from ludex.learn import table
from ludex.learn.checkpoint import load, named_file
from ludex.learn.external_sampling import DEEPEST, train_strategies
from ludex.learn.table import AVERAGE, BY_AVERAGE, MOST_STATES, Memory


@dataclass
class CfrLearner:
    """Learns strategies of both seats by counterfactual regret minimisation.

    A match is a traversal of the game that updates one seat. The defaults are linear CFR (Brown and
    Sandholm, 2019), which weights each iteration by its number.
    """

    linear: str = option("yes", "weight later iterations more", words="yes no")
    plus: str = option(
        "no", "keep no negative regrets (CFR+), and do not weight regrets", words="no yes"
    )
    states: int = option(500_000, "most states in the table", 1, MOST_STATES)
    name = "cfr"
    way = BY_AVERAGE
    imperfect_information = True

    def begin(self, rules: Rules) -> Memory:
        """Return an empty table; raise a ValueError if the game cannot be learned so."""
        if ask.seats(rules) != 2:
            raise ValueError(f"cfr learns games of two seats, and this one has {ask.seats(rules)}")
        return table.new_memory(rules, 2, np.float64)

    def train(
        self, rules: Rules, memory: Memory, rng: Generator, began: int, matches: int
    ) -> Memory:
        """Return the table after more matches, from match number `began` on."""
        scratch, done = np.zeros((DEEPEST, 2, ask.actions(rules))), 0
        settings = self.plus == "yes", self.linear == "yes", self.states
        while done < matches:
            order = (rng, began + done, matches - done)
            done += int(train_strategies(rules, memory, *settings, *order, scratch))
            if done < matches:
                memory = table.enlarge(memory)
        return memory


def average_strategies(memory: Memory) -> Memory:
    """Return a table of the average strategies: a probability of each action that may be played.

    Information sets that have no average, because they were entered on the last line, are left out.
    """
    keys, rows, visits = table.entries(memory)
    totals = rows[:, AVERAGE].sum(axis=1)
    known = totals > 0.0
    shares = rows[known, AVERAGE] / totals[known, np.newaxis]
    return table.memory_from(keys[known], shares[:, np.newaxis], visits[known])


@dataclass
class Cfr:
    """Draws from a strategy learned by `ludex train`, the average over its training.

    Where the strategy says nothing, it chooses uniformly at random.
    """

    file: str = option("", "file written by `ludex train`")
    policy_known = True
    imperfect_information = True
    memory: Memory | None = field(default=None, repr=False)

    @staticmethod
    def refuses(rules: Rules) -> str:
        """Return why it cannot play by these rules, or nothing."""
        return "" if ask.seats(rules) == 2 else "it is for two seats"

    def prepare(self, rules: Rules) -> None:
        """Read the file; raise a ValueError if it is unusable."""
        trained = load(named_file("cfr", self.file, rules), "cfr", rules)
        self.memory = average_strategies(trained.memory)

    def consider(self, rules: Rules, state: State, seat: int, rng: Generator) -> Choice:
        """Return the choice of the seat to move."""
        assert self.memory is not None
        legal = members(ask.moves(rules, state, seat))
        number = table.number_of(self.memory, table.key_of(rules, state, seat))
        mixture = uniform_over(legal)
        if number >= 0:
            mixture = {action: float(self.memory.rows[number, 0, action]) for action in legal}
        return Choice.draw(mixture, rng)
