"""Minimax to a fixed depth, without pruning: the reference for every other search.

Depth counts decisions. A chance node after a decision costs nothing, so that the outcome is seen; a
second one in a row, as when a roll allows no move and the turn passes, costs one.
"""

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
from numpy.random import Generator

from ludex.core import rules as ask
from ludex.core.choice import Choice
from ludex.core.leaf_value import leaf_value
from ludex.core.options import option
from ludex.core.rules import BOTH, CHANCE, MOST_SEATS, OVER, Rules, State
from ludex.core.search_profile import SearchProfile
from ludex.kernel.bits import NumberSet, members
from ludex.kernel.jit import compiled

WORST, AVERAGE = 0, 1  # the other seats minimise our value, or play uniformly at random
DEEPEST = 100


@compiled
def value(rules, state, seat, depth, others, profile, nodes):
    """Return the value of a state for the seat, searched to a depth in decisions.

    Adds the number of states visited to nodes[0].
    """
    nodes[0] += 1
    mover = ask.turn(rules, state)
    if mover == OVER:
        return ask.returns(rules, state, seat)
    if depth < 0 or (depth == 0 and mover != CHANCE):
        return leaf_value(rules, state, seat, profile)
    if mover == CHANCE:
        total = 0.0
        bits = ask.foreseen(rules, state, profile)
        for outcome in members(bits):
            after = ask.apply(rules, state, outcome)
            left = depth - 1 if ask.turn(rules, after) == CHANCE else depth
            p = ask.chance(rules, state, outcome)
            total += p * value(rules, after, seat, left, others, profile, nodes)
        return total
    bits = ask.candidates(rules, state, mover, profile)
    best = -2.0 if mover == seat else 2.0
    total = 0.0
    count = 0
    for action in members(bits):
        after = ask.apply(rules, state, action)
        worth = value(rules, after, seat, depth - 1, others, profile, nodes)
        best = max(best, worth) if mover == seat else min(best, worth)
        total += worth
        count += 1
    if mover != seat and others == AVERAGE:
        return total / count
    return best


@compiled
def legal_actions(rules, state, seat):
    """Return the legal actions of the seat to move, as a bit set."""
    return ask.moves(rules, state, seat)


def candidate_values(
    rules: Rules, state: State, seat: int, depth: int, others: int, profile: SearchProfile
) -> tuple[dict[int, float], int]:
    """Return the value of each candidate action for the seat, and the number of states visited."""
    candidates = ask.candidates(rules, state, ask.turn(rules, state), profile)
    return action_values(rules, state, candidates, seat, depth, others, profile)


def action_values(
    rules: Rules,
    state: State,
    actions: NumberSet,
    seat: int,
    depth: int,
    others: int,
    profile: SearchProfile,
) -> tuple[dict[int, float], int]:
    """Return the value of each action in a set for the seat, and the states visited."""
    nodes = np.zeros(1, np.int64)
    values = {
        action: float(
            value(rules, ask.apply(rules, state, action), seat, depth - 1, others, profile, nodes)
        )
        for action in members(actions)
    }
    return values, int(nodes[0]) + 1


def extend_line(
    rules: Rules,
    state: State,
    line: tuple[int, ...],
    depth: int,
    decide: Callable[[State, int], int],
) -> tuple[int, ...]:
    """Extend a line to `depth` decisions, or until chance or the end.

    `decide` returns the next action in a state with a number of decisions left.
    """
    for action in line:
        state = ask.apply(rules, state, action)
    while len(line) < depth and ask.turn(rules, state) >= 0:
        action = decide(state, depth - len(line))
        line = (*line, action)
        state = ask.apply(rules, state, action)
    return line


def too_many_seats(rules: Rules) -> str:
    """Return why a search with storage for each seat refuses these rules, or nothing."""
    return f"it is for at most {MOST_SEATS} seats" if ask.seats(rules) > MOST_SEATS else ""


@dataclass
class Minimax:
    """Minimax without pruning; all other seats minimise our value.

    Ties are broken uniformly at random.
    """

    depth: int = option(4, "search depth in decisions", 1, DEEPEST)
    profile: SearchProfile = 0
    others = WORST
    policy_known = True

    @staticmethod
    def refuses(rules: Rules) -> str:
        """Return why it cannot play by these rules, or nothing."""
        return "both seats choose at once" if ask.at_once(rules) else ""

    def consider(self, rules: Rules, state: State, seat: int, rng: Generator) -> Choice:
        """Return the choice of the seat to move."""
        values, nodes = candidate_values(rules, state, seat, self.depth, self.others, self.profile)
        return Choice.best(values, rng, nodes, self.depth)

    def expects(self, rules: Rules, state: State, seat: int, choice: Choice) -> tuple[int, ...]:
        """Return the principal variation, searched again below the choice."""

        def decide(after: State, left: int) -> int:
            values, _ = candidate_values(rules, after, seat, left, WORST, self.profile)
            best = max if ask.turn(rules, after) == seat else min
            return best(values, key=lambda one: values[one])

        return extend_line(rules, state, choice.line, self.depth, decide)


@dataclass
class Expectimax(Minimax):
    """Searches as if every other seat chose uniformly at random."""

    others = AVERAGE

    def expects(self, rules: Rules, state: State, seat: int, choice: Choice) -> tuple[int, ...]:
        """Return the choice alone: a random opponent has no expected reply."""
        return choice.line


@dataclass
class Greedy:
    """Takes the action whose successor has the best estimate.

    At simultaneous moves it assumes a uniformly random opponent. Ties are broken uniformly at
    random.
    """

    profile: SearchProfile = 0
    policy_known = True

    def consider(self, rules: Rules, state: State, seat: int, rng: Generator) -> Choice:
        """Return the choice of the seat to move."""
        if ask.turn(rules, state) != BOTH:
            return Minimax(1, self.profile).consider(rules, state, seat, rng)
        nodes = np.zeros(1, np.int64)
        others = members(ask.candidates(rules, state, 1 - seat, self.profile))
        values = {}
        for action in members(ask.candidates(rules, state, seat, self.profile)):
            pairs = [
                ask.pair(action, one) if seat == 0 else ask.pair(one, action) for one in others
            ]
            worth = [
                value(rules, ask.apply(rules, state, move), seat, 0, WORST, self.profile, nodes)
                for move in pairs
            ]
            values[action] = float(sum(worth) / len(worth))
        return Choice.best(values, rng, int(nodes[0]) + 1, 1)
