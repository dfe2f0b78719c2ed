"""The perfect player: it plays from a solution, or proves every position."""

import functools
import threading
from dataclasses import dataclass

import numpy as np

from ludex.core.choice import Choice, drawn, evenly
from ludex.core.rules import Rules, State, initial, position, seats
from ludex.io.array_file import Unusable
from ludex.solve.action_values import verdict
from ludex.solve.proof.mtdf import Prover, has_margin, make_prover, name_of, provable
from ludex.solve.solution import Solution, load
from ludex.solve.solving import solved
from ludex.solve.states.size import estimated_states, interpreted
from ludex.solve.states.state_space import TooBig

TABLE = 256  # MiB for what a prover remembers
elsewhere: list[tuple[Rules, Solution]] = []  # the last two that begin at another position
proving = threading.Lock()  # held while the shared prover is at work


@dataclass
class Exact:
    """Plays perfectly, from a solution (`ludex solve`) or by proving the position.

    Among equals it takes what gets on, where it is ahead and play can go in circles; then what a
    seat that chooses at random would go wrong against most. Where a position is proven, it takes
    what wins by most or loses by least.
    """

    policy_known = True

    @staticmethod
    def refuses(rules: Rules) -> str:
        """Return why it cannot play by these rules, or nothing."""
        return "" if seats(rules) == 2 else "it is for two seats"

    def prepare(self, rules: Rules) -> None:
        """Raise a ValueError that says what to do first, if there is nothing to play from."""
        if solution_of(rules) is None and not provable(rules):
            raise ValueError(
                "exact plays this game from its solution, and there is none by these rules yet:"
                " run ludex solve first"
            )

    def consider(self, rules: Rules, state: State, seat: int, rng: np.random.Generator) -> Choice:
        """Return what the seat, which is to act, should do."""
        solution = solution_of(rules)
        if solution is None:
            return proven(rules, state, seat, rng)
        try:
            said = verdict(solution, rules, state, seat)
        except KeyError:  # a position to which the first one does not lead
            if provable(rules):
                return proven(rules, state, seat, rng)
            said = verdict(solution_elsewhere(rules, state), rules, state, seat)
        action = drawn(said.policy, rng)
        return Choice(action, said.value, 0, 0, (action,), said.values, said.policy)


def proven(rules: Rules, state: State, seat: int, rng: np.random.Generator) -> Choice:
    """Return what a proof says; its value is the outcome, also where a margin is proven."""
    with proving:
        value, values, line = prover_of(rules).prove(state)
    outcome = np.sign if has_margin(rules) else float
    sign = 1 if seat == 0 else -1
    policy = evenly({action: sign * worth for action, worth in values.items()})
    action = drawn(policy, rng)
    return Choice(
        action,
        float(outcome(sign * value)),
        depth=len(line),
        line=line if line[0] == action else (action,),
        values={one: float(outcome(sign * worth)) for one, worth in values.items()},
        mixture=policy,
    )


@functools.lru_cache(maxsize=1, typed=True)  # rules of two games may be equal as tuples
def prover_of(rules: Rules) -> Prover:
    """Return the prover that all matches by these rules share: what it knows stays true."""
    objective = "margin" if has_margin(rules) else "outcome"
    return make_prover(rules, initial(rules), objective, TABLE)


def solution_of(rules: Rules) -> Solution | None:
    """Return the kept solution, one made at once if the game is small, or None."""
    try:
        return found_solution(rules)
    except LookupError:
        return None


def solution_elsewhere(rules: Rules, state: State) -> Solution:
    """Return a solution that has a state to which the first position does not lead.

    It may begin at an earlier state, be kept, or be made at once if it is small; a ValueError says
    what to do first if there is none.
    """
    for one, found in elsewhere:
        if type(one) is type(rules) and one == rules and found.listed(rules, state):
            return found
    found_here = load(rules, state) or (solved(rules, state) if is_small(rules, state) else None)
    if found_here is None:
        place = position(rules, state)
        raise ValueError(
            f"the solution has no {place!r}, to which the first position does not lead:"
            f' run ludex solve {name_of(rules)} --position "{place}" first'
        )
    elsewhere[:] = [*elsewhere[-1:], (rules, found_here)]
    return found_here


def is_small(rules: Rules, first: State) -> bool:
    """Return whether a game from a state on is solved in a moment."""
    try:
        return not interpreted(rules) and estimated_states(rules, first)[1]
    except TooBig:
        return False


@functools.lru_cache(maxsize=2, typed=True)  # rules of two games may be equal as tuples
def found_solution(rules: Rules) -> Solution:
    """Return the same, or raise a LookupError, which is not kept; Unusable if its file is."""
    first = initial(rules)
    trouble: Exception = LookupError("no solution")
    try:
        found = load(rules, first)
        if found is not None:
            return found
    except Unusable as error:
        trouble = Unusable(f"{error}; run ludex solve to make it again")
    if not is_small(rules, first):
        raise trouble
    return solved(rules, first)
