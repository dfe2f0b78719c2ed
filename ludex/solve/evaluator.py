"""Exact values of states and actions, from a solution or by a proof, within one budget.

Where neither is possible, `analysis/evaluator.py` searches.
"""

import math
import threading
from concurrent.futures import wait

import numpy as np

from ludex.core.rules import Rules, State, imperfect_information, initial, moves, name_of, position
from ludex.kernel.bits import members
from ludex.kernel.jit import thinking_time
from ludex.kernel.threads import run_in_thread
from ludex.kernel.tuples import flatten
from ludex.solve.action_values import state_values
from ludex.solve.equilibrium import solving as equilibrium_solving
from ludex.solve.equilibrium.equilibrium import Equilibrium
from ludex.solve.equilibrium.regret import VARIANTS
from ludex.solve.equilibrium_evaluator import EquilibriumEvaluator
from ludex.solve.evaluation import Budget, Evaluation
from ludex.solve.known_solutions import Warn, keep_equilibrium, known_equilibrium, known_solution
from ludex.solve.proof import mtdf
from ludex.solve.proof.mtdf import Proof, Unproven
from ludex.solve.proof.null_window import INTERRUPTED, STATUS, VISITED
from ludex.solve.solution import Solution
from ludex.solve.solving import (
    Tell,
    check_seats,
    load_or_solve,
    tell_nobody,
    with_room,
    with_suggestions,
)
from ludex.solve.states.listing import TooBig, Unsolvable

TICK = 0.25  # seconds between progress reports of a proof


class SolutionEvaluator:
    """Reads values from a solution, which must have the states in question."""

    exact, words = True, "the exact solution"

    def __init__(self, rules: Rules, solution: Solution) -> None:
        self.rules, self.solution = rules, solution

    def value(self, state: State) -> float:
        """Return the value of a state for seat 0."""
        return self.solution.value(self.rules, state)

    def evaluate(self, state: State, seat: int) -> Evaluation:
        """Return the values of the actions of a seat that is to move."""
        rows = np.array([flatten(state)], np.int64)
        found = state_values(self.solution, self.rules, rows, seat)
        legal = members(moves(self.rules, state, seat))
        values = {action: float(found.action_values[0, action]) for action in legal}
        policy = {one: float(found.policy[0, one]) for one in legal if found.policy[0, one] > 0.0}
        how = f"solved: {self.solution.facts['states']:,} states"
        return Evaluation(seat, float(found.value[0]), values, policy, True, how)


class ProofEvaluator:
    """Proves each position in question; proofs share a table.

    Unproven is raised if the budget is too small. With a time limit or a `tell` it can be
    interrupted, and proves nothing after that. `reason` is why there is no solution instead, if it
    was looked for.
    """

    exact, words = True, "a proof of every position"

    def __init__(
        self,
        rules: Rules,
        state: State,
        budget: Budget,
        objective: str = "outcome",
        tell: Tell | None = None,
        reason: str = "",
    ) -> None:
        mtdf.check_provable(rules, objective)
        self.rules, self.objective, self.reason = rules, objective, reason
        self.seconds, self.tell = budget.seconds, tell
        self.prover = mtdf.make_prover(rules, state, objective, budget.table)
        self.prover.limit(budget.nodes)
        self.last: tuple[State, Proof] | None = None
        self.lock = threading.Lock()  # held while the prover is at work

    def value(self, state: State) -> float:
        """Return the value of a state for seat 0, within the nodes of the budget."""
        if self.last is not None and self.last[0] == state:
            return self.last[1].value
        return self.prover.value(state, 0.0)

    def evaluate(self, state: State, seat: int) -> Evaluation:
        """Return the values of the actions of a seat that is to move."""
        proof, sign = self.prove(state), 1.0 if seat == 0 else -1.0
        value = sign * proof.value + 0.0  # not -0.0
        values = {action: sign * one + 0.0 for action, one in proof.values.items()}
        how = f"proven: {proof.nodes:,} nodes"
        return Evaluation(seat, value, values, {}, True, how, proof.line)

    def prove(self, state: State) -> Proof:
        """Return the proof of a state; its values are for seat 0."""
        with self.lock:
            if self.last is None or self.last[0] != state:
                began, work = thinking_time(), self.prover.work
                watched = self.tell or self.seconds < math.inf
                found = self.watch(state) if watched else self.prover.prove(state)
                self.last = state, Proof(*found, int(work[VISITED]), thinking_time() - began)
            return self.last[1]

    def watch(self, state: State) -> tuple[float, dict[int, float], tuple[int, ...]]:
        """Prove a state in a thread, until the time is up or the user interrupts it."""
        tell, ends = self.tell or tell_nobody, thinking_time() + self.seconds
        future = run_in_thread(self.prover.prove, state)
        try:
            while not wait([future], TICK).done:
                tell("proving", int(self.prover.work[VISITED]), 0)
                if thinking_time() > ends:
                    raise Unproven(f"no proof in {self.seconds:g} s")
        finally:
            if not future.done():
                self.prover.work[STATUS] = INTERRUPTED
        return future.result()


ExactEvaluator = SolutionEvaluator | ProofEvaluator | EquilibriumEvaluator


def exact_evaluator(
    rules: Rules,
    state: State,
    budget: Budget,
    objective: str = "outcome",
    tell: Tell | None = None,
    warn: Warn | None = None,
) -> ExactEvaluator:
    """Return an evaluator of a state: from a solution within the budget, else by proofs.

    In a game that hides something, it reads an equilibrium instead. Raise Unsolvable if there is
    none of them. A proof begins when the evaluator is asked for a value; the budget applies to it.
    `warn` is called if a solution starts at another state, or if its file is unusable, which
    without `warn` is an error.
    """
    if imperfect_information(rules):
        if objective != "outcome":
            raise Unsolvable("an equilibrium is for the outcome: no margin is proven by it")
        hidden = EquilibriumEvaluator(rules, find_equilibrium(rules, budget, tell))
        hidden.check_listed(state)
        return hidden
    if objective == "outcome":
        try:
            found = find_solution(rules, state, budget, tell or tell_nobody, warn)
            return SolutionEvaluator(rules, found)
        except TooBig as error:
            if not mtdf.provable(rules):
                raise
            return ProofEvaluator(rules, state, budget, objective, tell, str(error))
    return ProofEvaluator(rules, state, budget, objective, tell)


def find_equilibrium(rules: Rules, budget: Budget, tell: Tell | None = None) -> Equilibrium:
    """Return the equilibrium of a game; raise TooBig if there is none within the budget."""
    check_seats(rules)
    if budget.list_all:
        variant = VARIANTS.index(budget.algorithm)
        given = rules, initial(rules), budget.gap, variant, budget.memory
        try:
            found = equilibrium_solving.load_or_solve(*given, tell or tell_nobody)
        except TooBig as error:
            raise with_suggestions(error, rules, budget.memory) from None
        keep_equilibrium(rules, found)
        return found
    known = known_equilibrium(rules)
    if known is None:
        raise TooBig(f"no equilibrium of {name_of(rules)} is known: run ludex solve first")
    return known


def find_solution(
    rules: Rules, state: State, budget: Budget, tell: Tell = tell_nobody, warn: Warn | None = None
) -> Solution:
    """Return a solution that has a state; raise TooBig if there is none within the budget.

    It starts at the initial state if possible. With a budget to list all states it may also start
    at the given state, which is warned of.
    """
    check_seats(rules)
    reason = TooBig(f"no solution of {name_of(rules)} has {position(rules, state)!r}")
    if not budget.list_all:
        known = known_solution(rules, state, warn=warn)
        if known is None:
            raise reason
        return known
    first = initial(rules)
    for start in (first,) if state == first else (first, state):
        try:
            found = load_or_solve(rules, start, budget.memory, tell, budget.device)
            if found.listed(rules, state):
                return found
            if warn:
                warn("the first position does not lead to this one: solving from here")
        except TooBig as error:
            reason = error
    if mtdf.provable(rules):
        raise with_room(reason, budget.memory)
    raise with_suggestions(reason, rules, budget.memory)
