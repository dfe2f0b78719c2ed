"""The agent `net`: the search of a trained network, which NumPy evaluates."""

from dataclasses import dataclass, field

import numpy as np
from numpy.random import Generator

from ludex.core import rules as ask
from ludex.core.choice import Choice, draw_action
from ludex.core.options import option
from ludex.core.rules import BOTH, Rules, State
from ludex.kernel.bits import members
from ludex.kernel.tuples import columns_of
from ludex.learn.checkpoint import load, named_file
from ludex.learn.net.learner import NetLearner
from ludex.learn.net.network import Parameters, Shape, forward
from ludex.learn.net.search import Search
from ludex.search.clock import stop_flag

LEAVES = 8  # evaluated at once: a matrix product of several views takes little longer than of one
DEFAULT_SIMS, MOST_SIMS = 100, 20_000


@dataclass
class Net:
    """Plays by the search of a network trained by `ludex train`, which improves its policy."""

    file: str = option("", "file written by `ludex train`")
    sims: int | None = option(
        None, f"simulations for a decision; {DEFAULT_SIMS} without a clock", 1, MOST_SIMS, kind=int
    )
    seconds: float = option(0.0, "time for a decision", 0, 3600)
    policy_known = False
    network: tuple[Shape, Parameters] | None = field(default=None, repr=False)
    search: Search | None = field(default=None, repr=False)

    def prepare(self, rules: Rules) -> None:
        """Read the file; raise a ValueError if it is unusable."""
        trained = load(named_file("net", self.file, rules), "net", rules)
        memory = NetLearner(**trained.facts["options"]).restore(rules, trained.memory)
        self.network = memory.shape, memory.numbers()

    def evaluate(self, views: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        """Return what the network says of views: logits and values."""
        assert self.network is not None
        logits, values = forward(np, *self.network, views.astype(np.float32))
        return logits, values

    def consider(self, rules: Rules, state: State, seat: int, rng: Generator) -> Choice:
        """Return the choice of the seat to move."""
        usual = MOST_SIMS if self.seconds else DEFAULT_SIMS
        sims = usual if self.sims is None else self.sims
        if self.search is None or self.search.sims != sims:
            self.search = Search(rules, 1, sims, min(LEAVES, sims))
        keys = rng.integers(1 << 62, size=1)
        columns = columns_of(state)
        with stop_flag(self.seconds) as flag:
            found = self.search.run(columns, self.evaluate, keys, stopped=lambda: bool(flag[0]))
        both = ask.turn(rules, state) == BOTH
        side = seat if both else 0
        legal = members(ask.moves(rules, state, seat))
        mixture = {action: float(found.policies[0, side, action]) for action in legal}
        action = draw_action(mixture, rng) if both else int(found.actions[0])
        worth, nodes = float(found.worths[0, side]), int(self.search.forest.sizes[0])
        values = {} if both else self.values(legal)
        return Choice(action, worth, nodes, 0, (action,), values, mixture)

    def values(self, legal: list[int]) -> dict[int, float]:
        """Return the mean values of the actions that were simulated."""
        assert self.search is not None
        counts, totals = self.search.forest.counts[0, 0], self.search.forest.totals[0, 0]
        return {one: float(totals[one] / counts[one]) for one in legal if counts[one]}
