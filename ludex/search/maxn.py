"""Max^n: every seat maximises its own value, for two to four seats.

After Luckhardt and Irani (1986). Values are tuples, one number for each seat. Within the tree a
seat takes the first action that is best for itself, so that the value of a state is unique; at the
root, ties are broken uniformly at random. Depth counts as in minimax.
"""

from dataclasses import dataclass

import numpy as np
from numpy.random import Generator

from ludex.core import rules as ask
from ludex.core.choice import Choice
from ludex.core.leaf_value import leaf_value
from ludex.core.options import option
from ludex.core.rules import CHANCE, OVER, Rules, State
from ludex.core.search_profile import SearchProfile
from ludex.kernel.bits import members
from ludex.kernel.jit import compiled, shared
from ludex.search.minimax import DEEPEST, Minimax, extend_line, too_many_seats


@shared
def add_weighted(total, worth, p):
    """Return total + p * worth, seat by seat."""
    return (
        total[0] + p * worth[0],
        total[1] + p * worth[1],
        total[2] + p * worth[2],
        total[3] + p * worth[3],
    )


@compiled
def values(rules, state, depth, profile, nodes):
    """Return the value of a state for each of four seats, 0 for missing seats.

    Adds the number of states visited to nodes[0].
    """
    nodes[0] += 1
    mover = ask.turn(rules, state)
    count = ask.seats(rules)
    if mover == OVER:
        return (
            ask.returns(rules, state, 0),
            ask.returns(rules, state, 1),
            ask.returns(rules, state, 2) if count > 2 else 0.0,
            ask.returns(rules, state, 3) if count > 3 else 0.0,
        )
    if depth < 0 or (depth == 0 and mover != CHANCE):
        return (
            leaf_value(rules, state, 0, profile),
            leaf_value(rules, state, 1, profile),
            leaf_value(rules, state, 2, profile) if count > 2 else 0.0,
            leaf_value(rules, state, 3, profile) if count > 3 else 0.0,
        )
    best = (0.0, 0.0, 0.0, 0.0)
    found = False
    if mover == CHANCE:
        bits = ask.foreseen(rules, state, profile)
    else:
        bits = ask.candidates(rules, state, mover, profile)
    for move in members(bits):
        after = ask.apply(rules, state, move)
        if mover == CHANCE:
            left = depth - 1 if ask.turn(rules, after) == CHANCE else depth
            p = ask.chance(rules, state, move)
        else:
            left, p = depth - 1, 1.0
        worth = values(rules, after, left, profile, nodes)
        if mover == CHANCE:
            best = add_weighted(best, worth, p)
        elif not found or worth[mover] > best[mover]:
            best = worth
            found = True
    return best


@dataclass
class MaxN:
    """Max^n: every seat maximises its own value; for two to four seats.

    Ties are broken uniformly at random.
    """

    depth: int = option(3, "search depth in decisions", 1, DEEPEST)
    profile: SearchProfile = 0
    policy_known = True

    @staticmethod
    def refuses(rules: Rules) -> str:
        """Return why it cannot play by these rules, or nothing."""
        return Minimax.refuses(rules) or too_many_seats(rules)

    def consider(self, rules: Rules, state: State, seat: int, rng: Generator) -> Choice:
        """Return the choice of the seat to move."""
        values, nodes = self.action_values(rules, state, seat, self.depth)
        return Choice.best(values, rng, nodes, self.depth)

    def action_values(
        self, rules: Rules, state: State, seat: int, depth: int
    ) -> tuple[dict[int, float], int]:
        """Return the value of each candidate action for the seat, and the states visited."""
        nodes = np.zeros(1, np.int64)
        worth = {
            action: float(
                values(rules, ask.apply(rules, state, action), depth - 1, self.profile, nodes)[seat]
            )
            for action in members(ask.candidates(rules, state, seat, self.profile))
        }
        return worth, int(nodes[0]) + 1

    def expects(self, rules: Rules, state: State, seat: int, choice: Choice) -> tuple[int, ...]:
        """Return the principal variation, searched again below the choice."""

        def decide(after: State, left: int) -> int:
            worth, _ = self.action_values(rules, after, ask.turn(rules, after), left)
            return max(worth, key=lambda one: worth[one])

        return extend_line(rules, state, choice.line, self.depth, decide)
