"""Monte Carlo tree search over information sets: the agent for games that hide something."""

import math
from dataclasses import dataclass

import numpy as np
from numpy.random import Generator

from ludex.core import rules as ask
from ludex.core.choice import Choice, draw_action, uniform_over_best
from ludex.core.options import option
from ludex.core.rules import Rules, State
from ludex.kernel.bits import members
from ludex.kernel.tuples import flatten
from ludex.search.clock import stop_flag
from ludex.search.information_set_mcts import LONGEST_PATH, Statistics, grow, new_statistics, row_of
from ludex.search.mcts import DEFAULT_SIMS, MOST_SIMS
from ludex.solve.equilibrium.belief import Belief, beliefs_of
from ludex.solve.states.listing import TooBig, Unsolvable

SAMPLES = 1000  # states that a game which cannot be listed draws for a decision
MOST_SETS, MOST_NUMBERS = 1 << 18, 1 << 24  # information sets in memory, and their actions
NEEDED = "the game needs `resample`"


@dataclass
class InformationSetMcts:
    """Monte Carlo tree search over information sets; plays the most-visited action.

    The states that the seat cannot tell apart are found by listing the game, or are drawn by its
    own `resample`; the other seats are taken to have played at random so far.
    """

    sims: int | None = option(
        None, "simulations for a decision; 1000 without a clock", 1, MOST_SIMS, kind=int
    )
    seconds: float = option(0.0, "time for a decision", 0, 3600)
    c: float = option(1.4, "UCB1 exploration constant", 0.001, 100)
    rollout: int = option(2000, "maximum length of a playout in plies; 0 for none", 0, 1_000_000)
    policy_known = False
    imperfect_information = True

    @staticmethod
    def refuses(rules: Rules) -> str:
        """Return why it cannot play by these rules, or nothing."""
        return "" if ask.imperfect_information(rules) else "it hides nothing: mcts is for that"

    def prepare(self, rules: Rules) -> None:
        """Raise a ValueError if the states of the game can be neither listed nor drawn."""
        if not ask.answers(ask.game_of(rules), "resample"):
            try:
                beliefs_of(rules)
            except TooBig as error:
                raise ValueError(f"{error} are too many to list: {NEEDED}") from None
            except Unsolvable as error:
                raise ValueError(f"its states cannot be listed ({error}): {NEEDED}") from None

    def consider(self, rules: Rules, state: State, seat: int, rng: Generator) -> Choice:
        """Return the choice of the seat to move."""
        belief = belief_at(rules, state, seat, rng)
        if self.seconds:
            self.run(rules, state, belief, rng, np.zeros(1, np.int64), 0)  # compile first
        usual = MOST_SIMS if self.seconds else DEFAULT_SIMS
        sims = usual if self.sims is None else self.sims
        with stop_flag(self.seconds) as flag:
            done, statistics = self.run(rules, state, belief, rng, flag, sims)
        return most_visited(rules, statistics, state, seat, rng)._replace(nodes=done)

    def run(
        self,
        rules: Rules,
        state: State,
        belief: Belief,
        rng: Generator,
        flag: np.ndarray,
        sims: int,
    ) -> tuple[int, Statistics]:
        """Simulate until the flag is set, at most `sims` times; return the number and the table."""
        most = min(MOST_SETS, MOST_NUMBERS // ask.actions(rules))
        statistics = new_statistics(rules, min(2 * sims, most))
        path, rewards = np.zeros((LONGEST_PATH, 3), np.int64), np.zeros(ask.seats(rules))
        drawn = belief.states, np.cumsum(belief.probabilities)
        settings = float(self.c), self.rollout, 0
        done = grow(
            rules, state, tuple(statistics), drawn, path, rewards, flag, rng, sims, settings
        )
        return int(done), statistics


def belief_at(rules: Rules, state: State, seat: int, rng: Generator) -> Belief:
    """Return the states that a seat cannot tell apart, from the game itself or by listing it."""
    if not ask.answers(ask.game_of(rules), "resample"):
        return beliefs_of(rules).at(state, seat)
    drawn = [flatten(ask.resample(rules, state, seat, rng)) for _ in range(SAMPLES)]
    return Belief(np.array(drawn, np.int64), np.full(SAMPLES, 1.0 / SAMPLES))


def most_visited(
    rules: Rules, statistics: Statistics, state: State, seat: int, rng: Generator
) -> Choice:
    """Return the most-visited action; ties are broken by the mean, then uniformly at random."""
    row = row_of(rules, state, seat, statistics.keys, statistics.used)
    visits = {
        one: int(statistics.visits[row, one]) for one in members(ask.moves(rules, state, seat))
    }
    values = {
        one: float(statistics.totals[row, one] / count) for one, count in visits.items() if count
    }
    top, total = max(visits.values()), sum(visits.values())
    equals = {one: values.get(one, 0.0) for one, count in visits.items() if count == top}
    action = draw_action(uniform_over_best(equals), rng)
    shares = {one: count / total for one, count in visits.items() if total}
    return Choice(action, values.get(action, math.nan), 0, 1, (action,), values, shares)
