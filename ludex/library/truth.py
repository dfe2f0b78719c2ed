"""Exact values of a game, from a solution of all states, a proof or an equilibrium."""

import warnings
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from ludex.core.choice import CLOSE, uniform_over_best
from ludex.core.devices import CPU, device_for
from ludex.core.play import choosers, read_state, value_text
from ludex.core.rules import Rules, State, imperfect_information, label, position, seat_name
from ludex.io.table import Table, with_headline
from ludex.library.player import by_label, chooser
from ludex.library.progress import Tell, in_notebook, show_progress
from ludex.match.session import Match
from ludex.solve import evaluator
from ludex.solve.equilibrium.regret import PREDICTIVE, VARIANTS
from ludex.solve.equilibrium.solving import GAP
from ludex.solve.equilibrium_evaluator import EquilibriumEvaluator
from ludex.solve.evaluation import Budget, Evaluation
from ludex.solve.evaluator import ExactEvaluator, ProofEvaluator, SolutionEvaluator
from ludex.solve.solving import tell_nobody

Place = Match | str | None
"""A position: that of a match, a text, or None for the one that was solved."""


WAYS = {"listing": "listing all states", "proof": "a proof", "equilibrium": "an equilibrium"}


@dataclass(frozen=True)
class Truth:
    """Exact values of positions and actions, for seat 0 unless another is named."""

    rules: Rules
    start: State
    evaluator: ExactEvaluator

    @property
    def method(self) -> str:
        """How it is known: "listing" of all states, "proof" or "equilibrium"."""
        if isinstance(self.evaluator, EquilibriumEvaluator):
            return "equilibrium"
        return "proof" if isinstance(self.evaluator, ProofEvaluator) else "listing"

    def value(self, where: Place = None, seat: int = 0) -> float:
        """Return the value of a position for a seat, from -1 to 1."""
        state = self._state_of(where)
        exact = self._evaluator_at(state)
        if isinstance(exact, ProofEvaluator):
            exact.prove(state)  # Ctrl-C can stop this
        value = exact.value(state)
        return (value if seat == 0 else -value) + 0.0  # not -0.0

    def values(self, where: Place = None, seat: int | None = None) -> dict[str, float]:
        """Return the value of each action for the seat to move, or for one of both."""
        return by_label(self.rules, self._state_of(where), self._evaluation(where, seat).values)

    def best_moves(self, where: Place = None, seat: int | None = None) -> list[str]:
        """Return the labels of all best actions of the seat to move."""
        values = self.values(where, seat)
        return [name for name, worth in values.items() if worth >= max(values.values()) - CLOSE]

    def mixture(self, where: Place = None, seat: int | None = None) -> dict[str, float]:
        """Return an optimal mixed strategy of a seat; best actions are equally likely."""
        return by_label(self.rules, self._state_of(where), policy_of(self._evaluation(where, seat)))

    def table(self, where: Place = None) -> Table:
        """Return a row for each action of the seats to move: its value, loss and probability."""
        state, rows = self._state_of(where), Table()
        for seat in choosers(self.rules, state):
            found = self._evaluation(where, seat)
            shares = policy_of(found)
            rows += [
                {
                    "player": seat_name(self.rules, seat),
                    "move": label(self.rules, state, action),
                    "value": value + 0.0,  # not -0.0
                    "loss": max(found.values.values()) - value,
                    "share": shares.get(action, 0.0),
                }
                for action, value in sorted(found.values.items(), key=lambda pair: -pair[1])
            ]
        return rows

    @property
    def reason(self) -> str:
        """Why it was proven and not listed; empty if it was listed, or if a proof was asked for."""
        return self.evaluator.reason if isinstance(self.evaluator, ProofEvaluator) else ""

    @property
    def facts(self) -> dict[str, Any]:
        """States or nodes, seconds, and error bounds."""
        if isinstance(self.evaluator, ProofEvaluator):
            proof = self.evaluator.prove(self.start)
            return {"nodes": proof.nodes, "seconds": proof.seconds}
        if isinstance(self.evaluator, EquilibriumEvaluator):
            return dict(self.evaluator.equilibrium.facts)
        names = ("states", "seconds", "residual", "gap", "unproven")
        return {name: self.evaluator.solution.facts[name] for name in names}

    def __repr__(self) -> str:
        how = WAYS[self.method]
        where = position(self.rules, self.start)
        value = value_text(self.rules, self.value(), 0, ".6g")
        return f"<Truth: {where!r} has {value}, by {how}>"

    def _repr_html_(self) -> str:
        return with_headline(repr(self), Table([self.facts]), self.table())

    def _state_of(self, where: Place) -> State:
        """Return the state of a position."""
        if where is None:
            return self.start
        return where.state if isinstance(where, Match) else read_state(self.rules, where)

    def _evaluation(self, where: Place, seat: int | None) -> Evaluation:
        """Return the evaluation of a position for the seat to move, or for one of both."""
        state = self._state_of(where)
        with show_progress(in_notebook()):  # what is compiled first
            return self._evaluator_at(state).evaluate(state, chooser(self.rules, state, seat))

    def _evaluator_at(self, state: State) -> ExactEvaluator:
        """Return the evaluator of a state; a proof covers only its own state."""
        rules, exact = self.rules, self.evaluator
        if isinstance(exact, SolutionEvaluator) and not exact.solution.listed(rules, state):
            known, here = (position(rules, one) for one in (self.start, state))
            raise ValueError(
                f"the solution from {known!r} lacks the position {here!r}: solve that position"
            )
        if isinstance(exact, EquilibriumEvaluator):
            exact.check_listed(state)
        if not isinstance(exact, ProofEvaluator) or state == self.start:
            return exact
        return ProofEvaluator(rules, state, Budget.to_solve(None), exact.objective, tell_nobody)


def policy_of(evaluation: Evaluation) -> dict[int, float]:
    """Return the optimal policy of an evaluation, or any best action equally likely."""
    return evaluation.policy or uniform_over_best(evaluation.values)


def solve(
    rules: Rules,
    state: State,
    objective: str,
    memory: float | None,
    tell: Tell,
    warn: Callable[[str], None] = warnings.warn,
    gap: float = GAP,
    algorithm: str = VARIANTS[PREDICTIVE],
    device: str = CPU,
) -> Truth:
    """Solve a state: by listing all states if they fit into memory, else by a proof.

    In a game that hides something, find an equilibrium with at most this gap.
    """
    if objective not in ("outcome", "margin"):
        raise ValueError(f"objective {objective!r}: expected 'outcome' or 'margin'")
    if memory is not None and not memory > 0.0:
        raise ValueError(f"memory {memory}: expected GiB, above 0")
    if not gap > 0.0:
        raise ValueError(f"gap {gap}: expected a number above 0")
    if algorithm not in VARIANTS:
        raise ValueError(f"algorithm {algorithm!r}: expected {' or '.join(VARIANTS)}")
    refusal = ""
    if imperfect_information(rules):
        refusal = "an equilibrium is found by the cores of the CPU"
    elif objective != "outcome":
        refusal = "a margin is proven by the cores of the CPU"
    chosen = device_for(rules, device, refusal)
    budget = Budget.to_solve(memory)._replace(gap=gap, algorithm=algorithm)
    budget = budget._replace(device=chosen)
    exact = evaluator.exact_evaluator(rules, state, budget, objective, tell, warn)
    if isinstance(exact, ProofEvaluator):
        exact.prove(state)
    return Truth(rules, state, exact)
