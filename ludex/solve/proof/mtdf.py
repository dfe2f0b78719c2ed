"""MTD(f): the exact value of one position of a game too large to enumerate.

Null-window searches (`null_window.py`) converge from a first guess to the value (Plaat, Schaeffer,
Pijls and de Bruin, 1996), and share a table. Unlike in the paper, values may be any floats: the
step above a lower bound is not one but the smallest possible.
"""

import math
from typing import NamedTuple

import numpy as np

from ludex.core import rules as ask
from ludex.core.rules import OVER, Rules, State
from ludex.kernel.bits import members
from ludex.solve.proof import null_window
from ludex.solve.proof.null_window import LONGEST_LINE, NODE_LIMIT, OBJECTIVES, STATUS, BoundTable
from ludex.solve.states.listing import Unsolvable

NO_NODE_LIMIT = np.iinfo(np.int64).max


class Proof(NamedTuple):
    """The result of optimal play from a position; values are for seat 0."""

    value: float
    values: dict[int, float]
    """The exact value of every legal action."""
    line: tuple[int, ...]
    """Optimal actions of both seats, to the end of the match."""
    nodes: int
    seconds: float


class Unproven(Unsolvable):
    """A proof exceeds its limits."""


class Prover(NamedTuple):
    """Proves values of one game for one objective; its bounds stay in a table."""

    rules: Rules
    objective: int
    table: BoundTable
    scores: np.ndarray
    work: np.ndarray

    def bound(self, state: State, target: float) -> float:
        """Return a lower bound of a state's value that reaches the target, or an upper one."""
        state = ask.canonical(self.rules, state)
        found = null_window.search(
            self.rules, state, self.objective, target, 0, self.table, self.scores, self.work
        )
        if self.work[STATUS] == null_window.ENDLESS:
            self.work[STATUS] = null_window.RUNNING  # another position may have an end
            raise self.endless()
        if self.work[STATUS] == null_window.OUT_OF_NODES:
            self.work[STATUS] = null_window.RUNNING
            raise Unproven(f"no proof with {self.work[NODE_LIMIT]:,} nodes")
        if self.work[STATUS] == null_window.INTERRUPTED:
            raise InterruptedError("the proof was interrupted")
        return float(found)

    def limit(self, nodes: int) -> None:
        """Limit the total number of nodes, which does not depend on the speed of the machine."""
        self.work[NODE_LIMIT] = nodes

    def endless(self) -> Unsolvable:
        """Return the error for a line that is too long."""
        return Unsolvable(
            f"cannot prove {ask.name_of(self.rules)}: it has lines of more than {LONGEST_LINE}"
            " moves, perhaps without end"
        )

    def value(self, state: State, guess: float) -> float:
        """Return the value of a state; a good first guess needs fewer searches."""
        low, high, target = -math.inf, math.inf, guess
        while low < high:
            found = self.bound(state, target)
            if found >= target:
                low, target = found, math.nextafter(found, math.inf)
            else:
                high = target = found
        return low

    def line(self, state: State, value: float) -> tuple[int, ...]:
        """Return a line of optimal actions to the end from a state of this value."""
        actions: list[int] = []
        while (mover := ask.turn(self.rules, state)) != OVER:
            if len(actions) == LONGEST_LINE:  # a win that can be delayed for ever
                raise self.endless()
            # No action is better than the value: take the first that is not worse.
            target = value if mover == 0 else math.nextafter(value, math.inf)
            for action in members(ask.moves(self.rules, state, mover)):
                after = ask.apply(self.rules, state, action)
                if null_window.is_satisfied(mover, self.bound(after, target), target):
                    break
            actions.append(action)
            state = after
        return tuple(actions)

    def prove(self, state: State) -> tuple[float, dict[int, float], tuple[int, ...]]:
        """Return the value of a state, those of its actions, and an optimal line."""
        mover = ask.turn(self.rules, state)
        if mover == OVER:
            return self.value(state, 0.0), {}, ()
        values: dict[int, float] = {}
        guess = 0.0
        for action in members(ask.moves(self.rules, state, mover)):
            # Actions often have equal values, so each is the guess for the next.
            values[action] = guess = self.value(ask.apply(self.rules, state, action), guess)
        value = max(values.values()) if mover == 0 else min(values.values())
        return value, values, self.line(state, value)


def make_prover(rules: Rules, state: State, objective: str, mebibytes: int) -> Prover:
    """Return a prover with an empty table for states of this type."""
    table = null_window.make_table(state, mebibytes)
    scores = np.zeros((LONGEST_LINE, ask.actions(rules)))
    prover = Prover(rules, OBJECTIVES.index(objective), table, scores, np.zeros(3, np.int64))
    prover.limit(NO_NODE_LIMIT)
    return prover


def check_provable(rules: Rules, objective: str) -> None:
    """Raise an error if this objective cannot be proven by these rules."""
    reasons = {
        "it hides something": ask.imperfect_information(rules),
        "chance has a part in it": ask.outcomes(rules) > 0,
        "both seats choose at once": bool(ask.at_once(rules)),
        f"it has {ask.seats(rules)} seats": ask.seats(rules) != 2,
    }
    for reason, holds in reasons.items():
        if holds:
            raise Unsolvable(
                f"cannot prove {ask.name_of(rules)}: {reason};"
                " only games of 2 seats that take turns and see everything, without chance, can be"
                " proven"
            )
    if objective not in OBJECTIVES:
        raise ValueError(f"no objective {objective!r} (there are {', '.join(OBJECTIVES)})")
    if objective == "margin" and not has_margin(rules):
        raise ValueError(
            f"cannot prove a margin in {ask.name_of(rules)}: it knows only the outcome"
        )


def provable(rules: Rules) -> bool:
    """Return whether single positions of a game can be proven."""
    try:
        check_provable(rules, "outcome")
    except Unsolvable:
        return False
    return True


def has_margin(rules: Rules) -> bool:
    """Return whether the game defines a margin of victory."""
    return ask.answers(ask.game_of(rules), "margin")
