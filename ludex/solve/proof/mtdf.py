"""MTD(f): the exact value of one position of a game too large to enumerate.

Null-window searches (`null_window.py`) converge from a first guess to the value (Plaat, Schaeffer,
Pijls and de Bruin, 1996), and share a table. Unlike in the paper, values may be any floats: the
step above a lower bound is not one but the smallest possible.
"""

import math
from typing import NamedTuple

import numpy as np

from ludex.core.rules import (
    OVER,
    Rules,
    State,
    answers,
    apply,
    at_once,
    canonical,
    game_of,
    moves,
    name_of,
    outcomes,
    seats,
    turn,
)
from ludex.kernel.bits import members
from ludex.solve.proof.null_window import (
    ENDLESS,
    GOING,
    INTERRUPTED,
    LONGEST_LINE,
    NODE_LIMIT,
    OBJECTIVES,
    SPENT,
    STATUS,
    BoundTable,
    is_satisfied,
    make_table,
    search,
)
from ludex.solve.states.state_space import Unsolvable

NO_NODE_LIMIT = np.iinfo(np.int64).max


class Proof(NamedTuple):
    """What best play from a position leads to; everything is worth to seat 0."""

    value: float
    values: dict[int, float]
    """The exact value of every legal action."""
    line: tuple[int, ...]
    """Best actions of both seats, to the end of the match."""
    nodes: int
    seconds: float


class Unproven(Unsolvable):
    """A proof takes more nodes than it may."""


class Prover(NamedTuple):
    """Proves values of one game for one objective; all that it finds out stays in its table."""

    rules: Rules
    objective: int
    table: BoundTable
    scores: np.ndarray
    work: np.ndarray

    def bound(self, state: State, target: float) -> float:
        """Return a lower bound of a state's value that reaches the target, or an upper one."""
        state = canonical(self.rules, state)
        found = search(
            self.rules, state, self.objective, target, 0, self.table, self.scores, self.work
        )
        if self.work[STATUS] == ENDLESS:
            self.work[STATUS] = GOING  # another position may have an end
            raise self.endless()
        if self.work[STATUS] == SPENT:
            self.work[STATUS] = GOING
            raise Unproven(f"no proof with {self.work[NODE_LIMIT]:,} nodes")
        if self.work[STATUS] == INTERRUPTED:
            raise InterruptedError("the proof was interrupted")
        return float(found)

    def limit(self, nodes: int) -> None:
        """Let it visit so many nodes in all; every machine gives up at the same."""
        self.work[NODE_LIMIT] = nodes

    def endless(self) -> Unsolvable:
        """Return the complaint about a line that is too long."""
        return Unsolvable(
            f"cannot prove {name_of(self.rules)}: it has lines of more than {LONGEST_LINE} moves,"
            " perhaps without end"
        )

    def value(self, state: State, guess: float) -> float:
        """Return the value of a state; the nearer the guess the fewer tests it takes."""
        low, high, target = -math.inf, math.inf, guess
        while low < high:
            found = self.bound(state, target)
            if found >= target:
                low, target = found, math.nextafter(found, math.inf)
            else:
                high = target = found
        return low

    def line(self, state: State, value: float) -> tuple[int, ...]:
        """Return actions that keep the value, which the state must have, to the end."""
        actions: list[int] = []
        while (mover := turn(self.rules, state)) != OVER:
            if len(actions) == LONGEST_LINE:  # a win that can be put off for ever
                raise self.endless()
            # No action is better than the value, so the first that is not worse keeps it.
            target = value if mover == 0 else math.nextafter(value, math.inf)
            for action in members(moves(self.rules, state, mover)):
                after = apply(self.rules, state, action)
                if is_satisfied(mover, self.bound(after, target), target):
                    break
            actions.append(action)
            state = after
        return tuple(actions)

    def prove(self, state: State) -> tuple[float, dict[int, float], tuple[int, ...]]:
        """Return the value of a state, those of its actions, and a line of best moves."""
        mover = turn(self.rules, state)
        if mover == OVER:
            return self.value(state, 0.0), {}, ()
        values: dict[int, float] = {}
        guess = 0.0
        for action in members(moves(self.rules, state, mover)):
            # Actions are often worth as much as one another, so one is the guess for the next.
            values[action] = guess = self.value(apply(self.rules, state, action), guess)
        value = max(values.values()) if mover == 0 else min(values.values())
        return value, values, self.line(state, value)


def make_prover(rules: Rules, state: State, objective: str, mebibytes: int) -> Prover:
    """Return a prover for states of this kind that knows nothing yet."""
    table, scores = make_table(state, mebibytes), np.zeros((LONGEST_LINE, 64))
    prover = Prover(rules, OBJECTIVES.index(objective), table, scores, np.zeros(3, np.int64))
    prover.limit(NO_NODE_LIMIT)
    return prover


def refuse(rules: Rules, objective: str) -> None:
    """Raise an error that says why this objective cannot be proven by these rules, if so."""
    reasons = {
        "chance has a part in it": outcomes(rules) > 0,
        "both seats choose at once": bool(at_once(rules)),
        f"it has {seats(rules)} seats": seats(rules) != 2,
    }
    for reason, holds in reasons.items():
        if holds:
            raise Unsolvable(
                f"cannot prove {name_of(rules)}: {reason};"
                " only games of 2 seats that take turns, without chance, can be proven"
            )
    if objective not in OBJECTIVES:
        raise ValueError(f"no objective {objective!r} (there are {', '.join(OBJECTIVES)})")
    if objective == "margin" and not has_margin(rules):
        raise ValueError(f"cannot prove a margin in {name_of(rules)}: it knows only the outcome")


def provable(rules: Rules) -> bool:
    """Return whether single positions of such a game can be proven."""
    try:
        refuse(rules, "outcome")
    except Unsolvable:  # that is its answer: chance, choosing at once, or more seats
        return False
    return True


def has_margin(rules: Rules) -> bool:
    """Return whether the game has a finer outcome than who wins."""
    return answers(game_of(rules), "margin")
