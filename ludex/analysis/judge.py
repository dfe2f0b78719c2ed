"""Who says what states and actions are worth: a solution, a proof, or a deep search."""

import functools
from typing import NamedTuple, Protocol

import numpy as np

from ludex.bits import members
from ludex.guess import guess
from ludex.play import choosers, lawful
from ludex.rules import (
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
from ludex.search.alphabeta import AlphaBeta
from ludex.search.simultaneous import Simultaneous
from ludex.solve.exact import solution_of
from ludex.solve.proof import Prover, make_prover, refuse
from ludex.solve.solution import Solution
from ludex.solve.verdict import verdict

TABLE = 256  # MiB for what a proof remembers
DEPTH = 4  # decisions that a search looks ahead


class Opinion(NamedTuple):
    """What a state, and each action there, is worth to a seat that is to choose."""

    value: float
    values: dict[int, float]


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
    """Knows the game by heart."""

    exact, words = True, "the exact solution"

    def __init__(self, rules: Rules, solution: Solution) -> None:
        self.rules, self.solution = rules, solution

    def value(self, state: State) -> float:
        """Return what a state is worth to seat 0."""
        return float(self.solution.value(self.rules, state))

    def opinion(self, state: State, seat: int) -> Opinion:
        """Return what a seat that is to choose can have."""
        said = verdict(self.solution, self.rules, state, seat)
        return Opinion(said.value, said.values)


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
        value, values, _ = self.prover.prove(state)
        sign = 1.0 if seat == 0 else -1.0
        return Opinion(sign * value, {action: sign * worth for action, worth in values.items()})


class Searched:
    """Looks some decisions ahead.

    What an action is worth is what the state after it is worth, so that two actions are compared
    at the same depth. With more than two seats the others do their worst.
    """

    exact = False

    def __init__(self, rules: Rules, depth: int) -> None:
        self.rules, self.depth = rules, depth
        self.words = f"a search of {depth} decisions"
        self.mixed = at_once(rules)
        # A table is for one seat, so each has a search of its own.
        self.searches = [AlphaBeta(depth - 1) for _ in range(seats(rules))]

    def value(self, state: State) -> float:
        """Return what a state is worth to seat 0."""
        return self.worth(state, 0, self.depth - 1)

    def worth(self, state: State, seat: int, depth: int) -> float:
        """Return what a state is worth to a seat, as the searches count depth."""
        mover = turn(self.rules, state)
        if mover == OVER:
            return float(returns(self.rules, state, seat))
        if mover == CHANCE:
            if depth < 0:
                return float(guess(self.rules, state, seat, 0))
            after = {one: apply(self.rules, state, one) for one in lawful(self.rules, state)}
            return sum(
                chance(self.rules, state, outcome)
                * self.worth(one, seat, depth - (turn(self.rules, one) == CHANCE))
                for outcome, one in after.items()
            )
        asked = choosers(self.rules, state)[0]
        if seats(self.rules) > 2 and asked != seat:
            followers = (apply(self.rules, state, one) for one in lawful(self.rules, state))
            return min(self.worth(one, seat, depth - 1) for one in followers)
        search = Simultaneous(self.depth) if self.mixed else self.searches[asked]
        value = search.consider(self.rules, state, asked, np.random.default_rng(0)).value
        return float(value if asked == seat else -value)

    def opinion(self, state: State, seat: int) -> Opinion:
        """Return what a seat that is to choose can have."""
        if self.mixed:
            rng = np.random.default_rng(0)
            choice = Simultaneous(self.depth).consider(self.rules, state, seat, rng)
            return Opinion(choice.value, dict(choice.values))
        values = {
            action: self.worth(apply(self.rules, state, action), seat, self.depth - 1)
            for action in members(moves(self.rules, state, seat))
        }
        return Opinion(max(values.values()), values)


@functools.lru_cache(maxsize=4, typed=True)  # rules of two games may be equal as tuples
def judge_of(rules: Rules, state: State, depth: int = DEPTH) -> Judge:
    """Return the best judge that there is: exact if the game is solved, or quickly is."""
    if seats(rules) == 2:
        solution = solution_of(rules)
        if solution is not None and solution.listed(rules, state):
            return Solved(rules, solution)
        try:
            refuse(rules, "outcome")
            return Proven(rules, make_prover(rules, state, "outcome", TABLE))
        except ValueError:  # too large to be proven
            pass
    return Searched(rules, depth)
