"""Best responses in extensive form: what a seat can get against a fixed strategy of the other."""

from typing import NamedTuple

import numpy as np

from ludex.core.rules import CHANCE, OVER
from ludex.kernel.jit import allocating
from ludex.solve.equilibrium.extensive_form import ExtensiveForm
from ludex.solve.equilibrium.regret import write_reach


class Bounds(NamedTuple):
    """What each seat can be sure of: the value of the game for seat 0 is between the two."""

    low: float
    high: float

    @property
    def value(self) -> float:
        """The middle of the bounds."""
        return (self.low + self.high) / 2

    @property
    def gap(self) -> float:
        """What both best responses gain together (NashConv); 0 in an equilibrium."""
        return max(self.high - self.low, 0.0)  # rounding may bring it below 0


def bounds(form: ExtensiveForm, strategies: np.ndarray) -> Bounds:
    """Return the value for seat 0 against best responses to these strategies of both seats."""
    return Bounds(-best_response(form, strategies, 1), best_response(form, strategies, 0))


def best_response(form: ExtensiveForm, strategies: np.ndarray, seat: int) -> float:
    """Return the most that a seat can get against the strategy of the other."""
    order, starts = form.response_orders[seat], form.response_starts[seat]
    return float(respond(form.tree, form.sets, strategies, seat, order, starts))


@allocating
def respond(tree, sets, strategies, seat, order, group_starts):
    """Return the value of the first node for a seat that plays a best response."""
    movers, node_starts, targets, chances, _, payoffs, numbers = tree
    starts = sets[1]
    sign = 1.0 if seat == 0 else -1.0
    values, reach, worth = np.zeros(len(movers)), np.zeros(len(movers)), np.zeros(len(strategies))
    write_reach(tree, sets, strategies, seat, reach)
    for group in range(len(group_starts) - 1):
        some = order[group_starts[group] : group_starts[group + 1]]
        if group % 2 == 0:  # nodes of the seat itself: first what each action is worth in a set
            for node in some:
                shift = starts[numbers[node]] - node_starts[node]
                for edge in range(node_starts[node], node_starts[node + 1]):
                    worth[shift + edge] += reach[node] * values[targets[edge]]
            for node in some:
                begin, end = starts[numbers[node]], starts[numbers[node] + 1]
                best = np.argmax(worth[begin:end])
                values[node] = values[targets[node_starts[node] + best]]
            continue
        for node in some:
            begin, end = node_starts[node], node_starts[node + 1]
            if movers[node] == OVER:
                values[node] = sign * payoffs[node]
            elif movers[node] == CHANCE:
                for edge in range(begin, end):
                    values[node] += chances[edge] * values[targets[edge]]
            else:
                shift = starts[numbers[node]] - begin
                for edge in range(begin, end):
                    values[node] += strategies[shift + edge] * values[targets[edge]]
    return values[0]
