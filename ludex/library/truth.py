"""Exact values of a game, from a solution of all states or from a proof."""

import warnings
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

from ludex.analysis.evaluator import proven_opinion
from ludex.core.choice import CLOSE
from ludex.core.play import choosers, describe, read
from ludex.core.rules import Rules, State, initial, label, position, seat_name
from ludex.library.progress import Tell, shown
from ludex.library.table import Table
from ludex.match.session import Match
from ludex.solve.action_values import verdict
from ludex.solve.proof.mtdf import MEBIBYTES, UNLIMITED, Proof, prove, refuse
from ludex.solve.solution import Solution
from ludex.solve.solving import solved, with_offers
from ludex.solve.states.state_space import TooBig

Place = Match | str | None
"""A position: that of a match, a text, or nothing for where the solving began."""


@dataclass(frozen=True)
class Truth:
    """Exact values of positions and actions, worth to seat 0 unless another is named."""

    rules: Rules
    start: State
    found: Solution | Proof

    @property
    def method(self) -> str:
        """How it is known: by listing all states, or by a proof."""
        return "proof" if isinstance(self.found, Proof) else "listing"

    def value(self, where: Place = None, seat: int = 0) -> float:
        """Return what a position is worth to a seat, from -1 to 1."""
        state = self.state_of(where)
        sign = 1.0 if seat == 0 else -1.0
        if isinstance(self.found, Proof):
            return sign * float(self.proof_at(state).value) + 0.0  # not -0.0
        return sign * self.found.value(self.rules, state) + 0.0

    def values(self, where: Place = None, seat: int | None = None) -> dict[str, float]:
        """Return what each action is worth to the seat that chooses, or to one of both."""
        state, chooser = self.state_of(where), self.chooser(where, seat)
        if isinstance(self.found, Proof):
            proof = self.proof_at(state)
            numbers: Mapping[int, float] = proven_opinion(
                chooser, proof.value, proof.values, proof.nodes
            ).values
        else:
            numbers = verdict(self.found, self.rules, state, chooser).values
        return {label(self.rules, state, one): float(worth) for one, worth in numbers.items()}

    def best_moves(self, where: Place = None, seat: int | None = None) -> list[str]:
        """Return the labels of all best actions of the seat that chooses."""
        values = self.values(where, seat)
        return [name for name, worth in values.items() if worth >= max(values.values()) - CLOSE]

    def mixture(self, where: Place = None, seat: int | None = None) -> dict[str, float]:
        """Return how perfect play mixes the actions of a seat; best actions are equally likely."""
        state = self.state_of(where)
        if isinstance(self.found, Proof):
            best = self.best_moves(where, seat)
            return dict.fromkeys(best, 1.0 / len(best))
        policy = verdict(self.found, self.rules, state, self.chooser(where, seat)).policy
        return {label(self.rules, state, one): float(p) for one, p in policy.items() if p > 0.0}

    def table(self, where: Place = None) -> Table:
        """Return a row for each action of those who choose: its value, what it loses, its share."""
        rows = []
        for seat in choosers(self.rules, self.state_of(where)):
            values, shares = self.values(where, seat), self.mixture(where, seat)
            best = max(values.values())
            for name, worth in sorted(values.items(), key=lambda pair: -pair[1]):
                rows.append(
                    {
                        "player": seat_name(self.rules, seat),
                        "move": name,
                        "value": worth,
                        "loss": best - worth,
                        "share": shares.get(name, 0.0),
                    }
                )
        return Table(rows)

    @property
    def facts(self) -> dict[str, Any]:
        """States or nodes, seconds, and how exact it is."""
        if isinstance(self.found, Proof):
            return {"nodes": self.found.nodes, "seconds": self.found.seconds}
        names = ("states", "seconds", "residual", "gap", "unproven")
        return {name: self.found.facts[name] for name in names}

    def __repr__(self) -> str:
        where = position(self.rules, self.start)
        return f"<Truth by {self.method}: {where!r} is worth {self.value():+.6g} to seat 0>"

    def _repr_html_(self) -> str:
        told = ", ".join(f"{name} {value:,.6g}" for name, value in self.facts.items())
        rows = self.table()._repr_html_() if choosers(self.rules, self.start) else ""
        return f"<p>value {self.value():+.6g} for seat 0, by {self.method}: {told}</p>{rows}"

    def state_of(self, where: Place) -> State:
        """Return the state of a position."""
        if where is None:
            return self.start
        return where.state if isinstance(where, Match) else read(self.rules, where)

    def chooser(self, where: Place, seat: int | None) -> int:
        """Return the seat that chooses at a position; a ValueError if it does not."""
        state = self.state_of(where)
        waiting = choosers(self.rules, state)
        if not waiting or (seat is not None and seat not in waiting):
            who = "nobody" if not waiting else f"seat {seat} not"
            raise ValueError(f"{who} to choose: {describe(self.rules, state)}")
        return waiting[0] if seat is None else seat

    def proof_at(self, state: State) -> Proof:
        """Return the proof of a state, which is made if it is another than the first."""
        assert isinstance(self.found, Proof)
        if state == self.start:
            return self.found
        return prove(self.rules, state, "outcome", MEBIBYTES, lambda nodes: None, UNLIMITED)


def solve(
    rules: Rules, state: State, objective: str, memory: float | None, progress: bool
) -> Truth:
    """Return the truth about a state, by whichever way there is to it."""
    if objective not in ("outcome", "margin"):
        raise ValueError(f"objective {objective!r}: expected 'outcome' or 'margin'")
    with shown(progress) as tell:
        return Truth(rules, state, find_truth(rules, state, objective, memory, tell))


def find_truth(
    rules: Rules,
    state: State,
    objective: str,
    memory: float | None,
    tell: Tell,
    warn: Callable[[str], None] = warnings.warn,
    most: int = UNLIMITED,
) -> Solution | Proof:
    """Return a solution that has a state, from the first state on if possible, or its proof.

    A proof may visit no more than the most nodes. A state to which the first one does not lead is
    solved by itself, of which there is a warning.
    """
    if objective == "margin":
        return find_proof(rules, state, objective, memory, tell, most)
    first = initial(rules)
    reason = TooBig(f"no states from {position(rules, state)!r}")
    for start in (first,) if state == first else (first, state):
        try:
            found = solved(rules, start, memory, tell)
            if found.listed(rules, state):
                return found
            warn("the first position does not lead to this one: solving from here")
        except TooBig as error:
            reason = error
    try:
        refuse(rules, objective)
    except ValueError:
        raise with_offers(reason, rules, memory) from None
    return find_proof(rules, state, objective, memory, tell, most)


def find_proof(
    rules: Rules, state: State, objective: str, memory: float | None, tell: Tell, most: int
) -> Proof:
    """Return the proof of a state, with a table that takes all the memory given, in GiB."""
    mebibytes = MEBIBYTES if memory is None else max(1, int(1024 * memory))
    return prove(rules, state, objective, mebibytes, lambda nodes: tell("proving", nodes, 0), most)
