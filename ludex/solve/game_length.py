"""How many moves a solved match lasts under perfect play; what chance does is no move.

Without chance, the seat that wins does so as soon as possible, and the other resists as long as
possible. Otherwise it is the mean of some plays by the perfect policy.
"""

from contextlib import suppress
from typing import NamedTuple, Self

import numpy as np

from ludex.core import rules as ask
from ludex.core.choice import CLOSE
from ludex.core.play import choices, choosers
from ludex.core.rules import BOTH, CHANCE, OVER, Rules, State
from ludex.core.sampling import pick_outcome
from ludex.io.text import many
from ludex.kernel.jit import thinking_time
from ludex.kernel.tuples import flatten
from ludex.solve.action_values import state_values
from ludex.solve.evaluation import Evaluation
from ludex.solve.evaluator import SolutionEvaluator
from ludex.solve.solution import Solution

PLAYS = 32  # of each position
SEED = 0
DEEPEST = 300  # moves of an exact count, which is recursive


class GameLength(NamedTuple):
    """The moves left from a position, the next one included."""

    moves: float | None
    """None if unknown."""
    exact: bool
    after: dict[int, float]
    """For each of the best actions where one seat wins for certain, and seats take turns."""
    others: dict[int, float] = {}  # noqa: RUF012 - it is never changed
    """For the other actions after which one seat wins for certain, counted in the same way."""

    def text(self, value: float) -> str:
        """Say how long it takes, from the view of a seat for which the position has a value."""
        if self.moves is None:
            return ""
        count = round(self.moves)
        words = many(count, "move") if self.exact else f"about {many(count, 'move')}"
        if not self.is_decided(value):
            return f"{words} to the end"
        return f"wins in {words}" if value > 0.0 else f"holds out for {words}"

    def is_decided(self, value: float) -> bool:
        """Return whether the moves are those to a certain win of a seat, not to just any end."""
        return self.moves is not None and (self.exact or abs(value) > 1.0 - CLOSE)

    def preferred(self, evaluation: Evaluation) -> int:
        """Return a best action: one that wins soonest or resists longest, if that is known."""
        if self.after:
            sign = 1.0 if evaluation.value > 0.0 else -1.0
            return min(self.after, key=lambda action: sign * self.after[action])
        shares = evaluation.policy or evaluation.values
        return max(shares, key=lambda action: shares[action])

    def best_actions(self, evaluation: Evaluation) -> list[int]:
        """Return the best actions, which also take as long if that is known.

        They are for seats that take turns; the preferred one is first.
        """
        first, moves, values = self.preferred(evaluation), self.after, evaluation.values
        if moves:
            same = [one for one in moves if round(moves[one]) == round(moves[first])]
        else:
            best = max(values.values())
            same = [one for one, value in values.items() if value >= best - CLOSE]
        return [first, *(one for one in same if one != first)]


UNKNOWN_LENGTH = GameLength(None, False, {})


class TooLong(Exception):
    """The time is up, or there may be no end."""


def game_length(rules: Rules, solution: Solution, state: State, seconds: float) -> GameLength:
    """Return the length of a match of two seats from a state in which a seat is to move.

    It is unknown if it takes longer than these seconds to find out.
    """
    count = MoveCount.within(rules, solution, seconds)
    value, mover = solution.value(rules, state), ask.turn(rules, state)
    fixed = count.is_fixed(state)
    try:
        if mover == BOTH or not (fixed or abs(value) > 1.0 - CLOSE):
            return GameLength(count.mean([state])[0], False, {})
        best = count.best(state)
        after, exact = count.after(best, fixed)
    except TooLong:
        return UNKNOWN_LENGTH
    wins = (value > 0.0) == (mover == 0)
    others: dict[int, float] = {}
    with suppress(TooLong):
        decided = {one: then for one, then in count.successors(state).items() if one not in best}
        decided = {one: then for one, then in decided.items() if count.is_decided(then)}
        found, same = count.after(decided, fixed)
        others = found if same == exact else {}
    return GameLength((min if wins else max)(after.values()), exact, after, others)


class MoveCount:
    """Counts the moves from states of a solution, until a time."""

    def __init__(self, rules: Rules, solution: Solution, ends: float) -> None:
        self.rules, self.solution, self.ends = rules, solution, ends
        self.known: dict[State, float | None] = {}  # None while it is being counted

    @classmethod
    def within(cls, rules: Rules, solution: Solution, seconds: float) -> Self:
        """Return a counter that has these seconds from now on."""
        return cls(rules, solution, thinking_time() + seconds)

    def is_fixed(self, state: State) -> bool:
        """Return whether one seat wins from a state, without chance and simultaneous moves."""
        certain = not ask.outcomes(self.rules) and not ask.at_once(self.rules)
        return certain and abs(self.solution.value(self.rules, state)) > CLOSE

    def preferred(self, state: State) -> int:
        """Return a best action where seats take turns.

        It is one that wins soonest or resists longest, if that can be counted; else the most
        likely one of the perfect policy.
        """
        mover = ask.turn(self.rules, state)
        evaluation = SolutionEvaluator(self.rules, self.solution).evaluate(state, mover)
        after: dict[int, float] = {}
        if self.is_fixed(state):
            with suppress(TooLong):
                after = {one: self.exact(then, 1) for one, then in self.best(state).items()}
        return UNKNOWN_LENGTH._replace(after=after).preferred(evaluation)

    def is_decided(self, state: State) -> bool:
        """Return whether one seat wins from a state for certain."""
        return self.is_fixed(state) or abs(self.solution.value(self.rules, state)) > 1.0 - CLOSE

    def after(self, successors: dict[int, State], fixed: bool) -> tuple[dict[int, float], bool]:
        """Return the moves left with each action, it included, and whether they are exact."""
        if fixed:
            try:
                return {one: 1.0 + self.exact(then, 0) for one, then in successors.items()}, True
            except TooLong:
                self.check_time()
        left = self.mean(list(successors.values()))
        return {one: 1.0 + moves for one, moves in zip(successors, left, strict=True)}, False

    def check_time(self) -> None:
        """Raise TooLong if the time is up."""
        if thinking_time() > self.ends:
            raise TooLong

    def best(self, state: State) -> dict[int, State]:
        """Return the actions that keep the value of a state, and the states after them."""
        rules, value = self.rules, self.solution.value(self.rules, state)
        after = self.successors(state)
        values = {one: self.solution.value(rules, then) for one, then in after.items()}
        return {one: then for one, then in after.items() if abs(values[one] - value) < CLOSE}

    def successors(self, state: State) -> dict[int, State]:
        """Return the state after each action of the seat to move."""
        actions = choices(self.rules, state, ask.turn(self.rules, state))
        return {one: ask.apply(self.rules, state, one) for one in actions}

    def exact(self, state: State, depth: int) -> float:
        """Return the moves left without chance; raise TooLong if play can cycle."""
        mover = ask.turn(self.rules, state)
        if mover == OVER:
            return 0.0
        if state in self.known:
            moves = self.known[state]
            if moves is None:
                raise TooLong
            return moves
        self.check_time()
        if depth == DEEPEST:
            raise TooLong
        self.known[state] = None
        counts = [1.0 + self.exact(one, depth + 1) for one in self.best(state).values()]
        wins = (self.solution.value(self.rules, state) > 0.0) == (mover == 0)
        self.known[state] = found = (min if wins else max)(counts)
        return found

    def mean(self, states: list[State]) -> list[float]:
        """Return the mean number of moves left over plays from each state, all in step."""
        rng = np.random.default_rng(SEED)
        plays = [one for one in states for _ in range(PLAYS)]
        moves = np.zeros(len(plays))
        going = list(range(len(plays)))
        while going:
            self.check_time()
            for play in going:
                while ask.turn(self.rules, plays[play]) == CHANCE:
                    outcome = int(pick_outcome(self.rules, plays[play], rng))
                    plays[play] = ask.apply(self.rules, plays[play], outcome)
            going = [one for one in going if ask.turn(self.rules, plays[one]) != OVER]
            chosen = self.choose([plays[one] for one in going], rng)
            for play, move in zip(going, chosen, strict=True):
                plays[play] = ask.apply(self.rules, plays[play], move)
                moves[play] += 1
        return [float(one) for one in moves.reshape(len(states), PLAYS).mean(axis=1)]

    def choose(self, states: list[State], rng: np.random.Generator) -> list[int]:
        """Return a move in each state, drawn from the perfect policy."""
        parts: list[dict[int, int]] = [{} for _ in states]
        for seat in range(2):
            asked = [at for at, one in enumerate(states) if seat in choosers(self.rules, one)]
            rows = np.array([flatten(states[at]) for at in asked], np.int64)
            if not asked:
                continue
            found = state_values(self.solution, self.rules, rows, seat)
            for at, policy in zip(asked, found.policy, strict=True):
                parts[at][seat] = int(rng.choice(len(policy), p=policy / policy.sum()))
        return [
            int(ask.pair(*one.values())) if len(one) == 2 else next(iter(one.values()))
            for one in parts
        ]
