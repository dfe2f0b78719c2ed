"""Values of states and actions in an equilibrium."""

import math

from ludex.core.play import choosers, legal_moves
from ludex.core.rules import (
    BOTH,
    CHANCE,
    OVER,
    Rules,
    State,
    apply,
    chance,
    information_state,
    initial,
    part,
    returns,
    turn,
)
from ludex.io.text import many
from ludex.solve.equilibrium.equilibrium import Equilibrium
from ludex.solve.equilibrium.extensive_form import never_seen
from ludex.solve.evaluation import Evaluation


class EquilibriumEvaluator:
    """Reads values from an equilibrium of a game that hides something.

    A state may be whole or as a seat sees it: only what the seat to move sees counts.
    """

    exact, words = True, "an equilibrium"

    def __init__(self, rules: Rules, equilibrium: Equilibrium) -> None:
        self.rules, self.equilibrium = rules, equilibrium

    def value(self, state: State) -> float:
        """Return the value of a state for seat 0 if both seats play the equilibrium."""
        if state == initial(self.rules):
            return float(self.equilibrium.facts["low"] + self.equilibrium.facts["high"]) / 2
        mover = turn(self.rules, state)
        if mover >= 0 and information_state(self.rules, state, mover) == state:
            value = self.evaluate(state, mover).value
            return value if mover == 0 else -value
        return self.expected(state, {})

    def expected(self, state: State, known: dict[State, float]) -> float:
        """Return the expected returns of seat 0 from a whole state on; `known` has some."""
        rules, mover = self.rules, turn(self.rules, state)
        if mover == OVER:
            return float(returns(rules, state, 0))
        if state not in known:
            total = 0.0
            for move in legal_moves(rules, state):
                p = self.probability(state, mover, move)
                if p > 0.0:
                    total += p * self.expected(apply(rules, state, move), known)
            known[state] = total
        return known[state]

    def probability(self, state: State, mover: int, move: int) -> float:
        """Return how likely a move is, by chance or by the equilibrium."""
        if mover == CHANCE:
            return float(chance(self.rules, state, move))
        chosen = {0: part(move, 0), 1: part(move, 1)} if mover == BOTH else {mover: move}
        return math.prod(self.strategy(state, seat)[one] for seat, one in chosen.items())

    def strategy(self, state: State, seat: int) -> dict[int, float]:
        """Return the equilibrium strategy of a seat that is to move."""
        return self.equilibrium.strategy(self.equilibrium.set_of(self.rules, state, seat))

    def check_listed(self, state: State) -> None:
        """Raise Unsolvable if the seats to move in a state never see it so."""
        try:
            for seat in choosers(self.rules, state):
                self.equilibrium.set_of(self.rules, state, seat)
        except KeyError:
            raise never_seen(self.rules, state) from None

    def evaluate(self, state: State, seat: int) -> Evaluation:
        """Return the values of the actions of a seat that is to move, by what it sees."""
        found = self.equilibrium
        place = found.set_of(self.rules, state, seat)
        policy, values = found.strategy(place), found.action_values(place)
        value = sum(policy[action] * one for action, one in values.items())
        how = f"equilibrium: {many(found.facts['information_sets'], 'information set')}"
        return Evaluation(seat, value, values, policy, True, how)
