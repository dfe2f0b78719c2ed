"""What every action is worth: exactly where that takes a moment, else by a search."""

import math
import time
from typing import Any, NamedTuple

import numpy as np

from ludex.choice import CLOSE, Choice
from ludex.play import choosers
from ludex.rules import Rules, State, at_once, initial, outcomes, seat_name, seats
from ludex.search.maxn import MaxN
from ludex.search.plain import WORST, action_values
from ludex.search.simultaneous import Simultaneous
from ludex.solve.exact import solution_of
from ludex.solve.proof import prove
from ludex.solve.solution import Solution
from ludex.solve.verdict import verdict
from ludex.vault import Unusable

BLUNDER, MISTAKE = 0.5, 0.05  # what an action loses, of the 2 between a win and a loss


class Opinion(NamedTuple):
    """What the actions of a seat are worth to it, how to mix them, and whether that is certain."""

    seat: int
    value: float
    values: dict[int, float]
    policy: dict[int, float]
    exact: bool
    how: str
    """Where it comes from, in a few words."""

    def loss(self, action: int) -> float:
        """Return what an action gives away; not a number if it was not looked at."""
        return max(0.0, self.value - self.values.get(action, math.nan))


class TooSlow(Exception):
    """A proof takes too long."""


def mark(loss: float) -> str:
    """Return what people call an action that loses so much; nothing if it is fine."""
    return "blunder" if loss >= BLUNDER else "mistake" if loss >= MISTAKE else ""


def solution_at_hand(rules: Rules) -> Solution | None:
    """Return the solution of a game, if it is kept or made in a moment."""
    if seats(rules) != 2:
        return None
    try:
        return solution_of(rules)
    except Unusable:
        return None


def opinions_on(rules: Rules, state: State, depth: int, seconds: float) -> list[Opinion]:
    """Return an opinion for each seat that is to choose; none where nobody is."""
    seats_here = choosers(rules, state)
    if not seats_here:
        return []
    solution = solution_at_hand(rules)
    if solution is not None and solution.listed(rules, state):
        said = [(seat, verdict(solution, rules, state, seat)) for seat in seats_here]
        how = f"solved: {solution.facts['states']:,} states"
        return [Opinion(seat, v.value, v.values, v.policy, True, how) for seat, v in said]
    if provable(rules):
        try:
            return [proven(rules, state, seats_here[0], seconds)]
        except TooSlow:
            pass
    return [searched(rules, state, seat, depth) for seat in seats_here]


def provable(rules: Rules) -> bool:
    """Return whether single positions of such a game can be proven."""
    return seats(rules) == 2 and not outcomes(rules) and not at_once(rules)


def proven(rules: Rules, state: State, seat: int, seconds: float) -> Opinion:
    """Return what a proof says, or raise TooSlow."""
    ends = time.monotonic() + seconds

    def tell(nodes: int) -> None:
        if time.monotonic() > ends:
            raise TooSlow

    found = prove(rules, state, tell=tell, mebibytes=64)
    sign = 1.0 if seat == 0 else -1.0
    values = {action: sign * value for action, value in found.values.items()}
    return Opinion(seat, sign * found.value, values, {}, True, f"proven: {found.nodes:,} nodes")


def searched(rules: Rules, state: State, seat: int, depth: int) -> Opinion:
    """Return the opinion of a search."""
    how = f"{depth} decision{'' if depth == 1 else 's'} ahead"
    if at_once(rules):
        agent = Simultaneous(view="mixed", depth=depth)
        choice = agent.consider(rules, state, seat, np.random.default_rng(0))
        return Opinion(seat, choice.value, dict(choice.values), dict(choice.mixture), False, how)
    if seats(rules) > 2:
        choice = many_seats(rules, state, seat)
        return Opinion(seat, choice.value, dict(choice.values), {}, False, how)
    values, _ = action_values(rules, state, seat, depth, WORST, 0)
    return Opinion(seat, max(values.values()), values, {}, False, how)


def many_seats(rules: Rules, state: State, seat: int) -> Choice:
    """Return the choice of a search in which every seat looks after itself."""
    return MaxN(depth=2).consider(rules, state, seat, np.random.default_rng(0))


def known_value(rules: Rules, state: State, seconds: float) -> dict[str, Any]:
    """Return in words and numbers what best play leads to, as far as that is known."""
    solution = solution_at_hand(rules)
    if solution is not None and solution.listed(rules, state):
        value, how = solution.value(rules, state), f"{solution.facts['states']:,} states solved"
    elif provable(rules) and state == initial(rules):
        try:
            (seat,) = choosers(rules, state)
            opinion = proven(rules, state, seat, seconds)
        except (TooSlow, ValueError):
            return {"words": "no proof in a moment (ludex solve takes longer)", "value": None}
        value, how = opinion.value if seat == 0 else -opinion.value, opinion.how
    else:
        return {"words": "no solution at hand (ludex solve may make one)", "value": None}
    return {"words": f"{verdict_words(rules, value)} ({how})", "value": value}


def verdict_words(rules: Rules, value: float) -> str:
    """Return who wins with best play, from what a state is worth to seat 0."""
    winner = seat_name(rules, 0 if value > 0 else 1)
    if abs(value) < 1e-6:
        return "best play is a draw"
    if abs(value) > 1.0 - CLOSE:
        return f"{winner} wins with best play"
    return f"worth {abs(value):.3f} to {winner}"
