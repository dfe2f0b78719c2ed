"""Values of states and actions for the seat to move, and where they come from.

Either an exact solution, a proof, or a search.
"""

import functools
import math
from collections.abc import Mapping
from contextlib import suppress
from typing import NamedTuple, Protocol

import numpy as np

from ludex.core.leaf_value import guess
from ludex.core.play import choosers, lawful
from ludex.core.rules import (
    CHANCE,
    OVER,
    Rules,
    State,
    apply,
    at_once,
    chance,
    moves,
    returns,
    seats,
    turn,
)
from ludex.kernel.bits import members
from ludex.search import minimax
from ludex.search.alphabeta import AlphaBeta
from ludex.search.minimax import WORST, action_values
from ludex.search.simultaneous import Simultaneous
from ludex.solve.action_values import verdict
from ludex.solve.exact import solution_of
from ludex.solve.proof.mtdf import UNLIMITED, Prover, Unproven, make_prover, provable
from ludex.solve.proof.null_window import NODES
from ludex.solve.solution import Solution
from ludex.solve.states.size import interpreted

TABLE = 256  # MiB for what a proof remembers
DEPTH, DEPTH_OF_MANY = 4, 3  # decisions that a search looks ahead; with more than two seats
EFFORT = 20_000_000  # nodes that a proof may visit: ten times what arena takes, some 20 seconds
SHALLOW, SMALL_EFFORT = 2, 20_000  # the same of games that another program steps
# What an error is called that loses at least so much of a range from -1 to 1.
ERRORS = (("blunder", 0.2), ("mistake", 0.05), ("slip", 0.01))


def error_name(loss: float) -> str:
    """Return what people call an action that loses so much; nothing if it is fine."""
    return next((name for name, least in ERRORS if loss >= least), "")


class Opinion(NamedTuple):
    """What a state, and each action there, is worth to a seat that is to choose."""

    seat: int
    value: float
    values: dict[int, float]
    policy: dict[int, float]
    """How to mix the actions; empty where nothing is said about that."""
    exact: bool
    how: str
    """Where it comes from, in a few words."""

    def loss(self, action: int) -> float:
        """Return what an action gives away; not a number if it was not looked at."""
        lost = self.value - self.values.get(action, math.nan)
        return 0.0 if lost < 0.0 else lost


class Judge(Protocol):
    """Knows what things are worth."""

    words: str
    """Who it is, for people."""

    @property
    def exact(self) -> bool:
        """Whether it is certain."""

    def value(self, state: State) -> float:
        """Return what a state is worth to seat 0."""

    def opinion(self, state: State, seat: int) -> Opinion:
        """Return what a seat that is to choose can have."""


class Solved:
    """Knows the game by heart; it may be asked about listed states alone."""

    exact, words = True, "the exact solution"

    def __init__(self, rules: Rules, solution: Solution) -> None:
        self.rules, self.solution = rules, solution

    def value(self, state: State) -> float:
        """Return what a state is worth to seat 0."""
        return float(self.solution.value(self.rules, state))

    def opinion(self, state: State, seat: int) -> Opinion:
        """Return what a seat that is to choose can have."""
        said = verdict(self.solution, self.rules, state, seat)
        how = f"solved: {self.solution.facts['states']:,} states"
        return Opinion(seat, said.value, said.values, said.policy, True, how)


class Proven:
    """Proves each position; there is no chance, and one seat chooses at a time."""

    exact, words = True, "a proof of every position"

    def __init__(self, rules: Rules, prover: Prover) -> None:
        self.rules, self.prover = rules, prover

    def value(self, state: State) -> float:
        """Return what a state is worth to seat 0."""
        if turn(self.rules, state) == OVER:
            return float(returns(self.rules, state, 0))
        return float(self.prover.prove(state)[0])

    def opinion(self, state: State, seat: int) -> Opinion:
        """Return what a seat that is to choose can have."""
        found, values, _ = self.prover.prove(state)
        return proven_opinion(seat, found, values, int(self.prover.work[NODES]))


def proven_opinion(seat: int, found: float, values: Mapping[int, float], nodes: int) -> Opinion:
    """Return what a proof says to a seat; the proof itself speaks to seat 0."""
    sign = 1.0 if seat == 0 else -1.0
    worth = {action: sign * one for action, one in values.items()}
    return Opinion(seat, sign * found, worth, {}, True, f"proven: {nodes:,} nodes")


class Searched:
    """Looks some decisions ahead, deeply: it keeps what it has seen for the next question.

    What an action is worth is what the state after it is worth, so that two actions are compared
    at the same depth. With more than two seats the others do their worst.
    """

    exact = False

    def __init__(self, rules: Rules, depth: int) -> None:
        self.rules, self.depth = rules, depth
        self.words = f"a search of {depth} decisions"
        self.mixed = at_once(rules)
        # A table is for one seat, so each has a search of its own.
        self.searches = [AlphaBeta() for _ in range(seats(rules))]

    def value(self, state: State) -> float:
        """Return what a state is worth to seat 0."""
        return self.worth(state, 0, self.depth)

    def worth(self, state: State, seat: int, depth: int) -> float:
        """Return what a state is worth to a seat, with depth as the searches count it."""
        if seats(self.rules) > 2:
            nodes = np.zeros(1, np.int64)
            return float(minimax.value(self.rules, state, seat, depth, WORST, 0, nodes))
        mover = turn(self.rules, state)
        if mover == OVER:
            return float(returns(self.rules, state, seat))
        if depth < 0 or (depth == 0 and mover != CHANCE):
            return float(guess(self.rules, state, seat, 0))
        if mover == CHANCE:
            after = {one: apply(self.rules, state, one) for one in lawful(self.rules, state)}
            return sum(
                chance(self.rules, state, outcome)
                * self.worth(one, seat, depth - (turn(self.rules, one) == CHANCE))
                for outcome, one in after.items()
            )
        asked = choosers(self.rules, state)[0]
        search = Simultaneous(depth) if self.mixed else self.searches[asked]
        search.depth = depth
        found = search.consider(self.rules, state, asked, np.random.default_rng(0)).value
        return float(found if asked == seat else -found)

    def opinion(self, state: State, seat: int) -> Opinion:
        """Return what a seat that is to choose can have."""
        if self.mixed:
            return looked_ahead(self.rules, state, seat, self.depth)
        values = {
            action: self.worth(apply(self.rules, state, action), seat, self.depth - 1)
            for action in members(moves(self.rules, state, seat))
        }
        how = decisions_ahead(self.depth)
        return Opinion(seat, max(values.values()), values, {}, False, how)

    def second_look(self, state: State, seat: int, action: int, best: int) -> float:
        """Return what an action gives away against another, seen from one decision deeper."""
        if self.mixed:
            return looked_ahead(self.rules, state, seat, self.depth + 1).loss(action)
        after = (apply(self.rules, state, one) for one in (best, action))
        other, own = (self.worth(one, seat, self.depth) for one in after)
        return max(other - own, 0.0)


def looked_ahead(rules: Rules, state: State, seat: int, depth: int) -> Opinion:
    """Return what a quick look of some decisions says to a seat that is to choose.

    It sees those actions alone that a search considers. With more than two seats the others do
    their worst.
    """
    how = decisions_ahead(depth)
    if at_once(rules):
        choice = Simultaneous(depth).consider(rules, state, seat, np.random.default_rng(0))
        mixture = dict(choice.mixture)
        return Opinion(seat, choice.value, dict(choice.values), mixture, False, how)
    values, _ = action_values(rules, state, seat, depth, WORST, 0)
    return Opinion(seat, max(values.values()), values, {}, False, how)


def decisions_ahead(depth: int) -> str:
    """Return how far a search looks, in words."""
    return f"{depth} decision{'' if depth == 1 else 's'} ahead"


@functools.lru_cache(maxsize=4, typed=True)  # rules of two games may be equal as tuples
def judge_of(rules: Rules, state: State, depth: int | None = None) -> Judge:
    """Return the best judge that there is: exact if the game is solved, or quickly is."""
    if seats(rules) == 2:
        solution = solution_of(rules)
        if solution is not None and solution.listed(rules, state):
            return Solved(rules, solution)
    if provable(rules):
        prover = make_prover(rules, state, "outcome", TABLE)
        prover.limit(SMALL_EFFORT if interpreted(rules) else EFFORT)
        with suppress(Unproven):  # then a search judges, and says so
            prover.value(state, 0.0)
            prover.limit(UNLIMITED)
            return Proven(rules, prover)
    return Searched(rules, depth or usual_depth(rules))


def usual_depth(rules: Rules) -> int:
    """Return how many decisions a search looks ahead if nobody says it."""
    if interpreted(rules):
        return SHALLOW
    return DEPTH if seats(rules) == 2 else DEPTH_OF_MANY
