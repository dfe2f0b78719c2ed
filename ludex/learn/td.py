"""A learned estimate: weights on the patterns of a state, by temporal-difference learning.

Source: TD(lambda) with a squashed linear function, in self-play (Sutton, Machine Learning 3, 1988;
Tesauro's backgammon), towards the values of a shallow search (Veness and others, Bootstrapping from
Game Tree Search, 2009). Departures: returns are computed backwards after each match instead of by
eligibility traces; they are cut at exploratory actions, whose results say nothing about the state;
and both seats share one table with opposite signs, so that the estimate is always zero-sum.
"""

from dataclasses import dataclass, field
from typing import Any, NamedTuple

import numpy as np
from numpy.random import Generator

from ludex.core import rules as ask
from ludex.core.leaf_value import squash
from ludex.core.options import option
from ludex.core.rules import CHANCE, OVER, Rules
from ludex.core.sampling import pick, pick_outcome
from ludex.core.search_profile import Learned
from ludex.core.time_control import PLIES
from ludex.kernel.jit import compiled, shared
from ludex.learn.accuracy import DecisionSample
from ludex.learn.checkpoint import LEARNED, games_with_file
from ludex.learn.evaluation import evaluate_weights, greedy_policies
from ludex.learn.lookahead import DEEPEST_LOOK, shallow_search
from ludex.learn.schedule import Schedule, at, read_schedule
from ludex.learn.table import Memory
from ludex.learn.weights import MOST_PATTERNS, Weights, new_weights, scratch, weights_of
from ludex.stats import Tally

# Columns of the search results in a log.
VALUE, EXPLORED = range(2)


class TdSettings(NamedTuple):
    """The parameters of TD learning."""

    depth: int
    rate: Schedule
    explore: Schedule
    decay: float
    over: int


class MatchLog(NamedTuple):
    """The decisions of a match: the patterns of both seats, their numbers, and search results."""

    seen: np.ndarray
    counts: np.ndarray
    found: np.ndarray


@shared
def log_patterns(rules, state, ply, places, log):
    """Log the patterns of both seats."""
    for seat in range(2):
        log.counts[ply, seat] = ask.patterns(rules, state, seat, places)
        for index in range(log.counts[ply, seat]):
            log.seen[ply, seat, index] = places[index]


@shared
def update(weights, log, ply, target, rate):
    """Move the estimate of a logged state towards a target."""
    seen, counts = log.seen, log.counts
    score = 0.0
    for seat in range(2):
        for index in range(counts[ply, seat]):
            weight = weights.values[seen[ply, seat, index]]
            score += weight if seat == 0 else -weight
    step = rate * (target - squash(score)) / (counts[ply, 0] + counts[ply, 1])
    for seat in range(2):
        for index in range(counts[ply, seat]):
            place = seen[ply, seat, index]
            weights.values[place] += step if seat == 0 else -step
            weights.visits[place] += 1


@compiled
def train_weights(rules, weights, settings, profile, rng, began, matches, log):
    """Learn from matches of self-play, from match number `began` on; return the decisions.

    The profile holds the same weights.
    """
    decisions = 0
    for match in range(began, began + matches):
        progress = min(match / settings.over, 1.0)
        explore = at(settings.explore, progress, match + 1)
        rate = at(settings.rate, progress, match + 1)
        state = ask.initial(rules)
        plies = 0
        mover = ask.turn(rules, state)
        while mover != OVER and plies < len(log.counts):
            if mover == CHANCE:
                state = ask.apply(rules, state, pick_outcome(rules, state, rng))
            else:
                log_patterns(rules, state, plies, profile.places, log)
                action, worth = shallow_search(rules, state, mover, settings.depth, profile)
                log.found[plies, VALUE] = worth if mover == 0 else -worth
                log.found[plies, EXPLORED] = rng.random() < explore
                if log.found[plies, EXPLORED]:
                    action = pick(ask.candidates(rules, state, mover, profile), rng)
                state = ask.apply(rules, state, action)
                plies += 1
            mover = ask.turn(rules, state)
        target = ask.returns(rules, state, 0) if mover == OVER else 0.0
        for ply in range(plies - 1, -1, -1):
            decay = 0.0 if log.found[ply, EXPLORED] else settings.decay
            target = (1.0 - decay) * log.found[ply, VALUE] + decay * target
            update(weights, log, ply, target, rate)
        decisions += plies
    return decisions


def make_log() -> MatchLog:
    """Return an empty log with room for a match."""
    seen = np.zeros((PLIES, 2, MOST_PATTERNS), np.int32)
    return MatchLog(seen, np.zeros((PLIES, 2), np.int64), np.zeros((PLIES, 2)))


@dataclass
class TdLearner:
    """Learns the weights of an estimate by temporal differences, from matches against itself."""

    depth: int = option(2, "search depth in decisions", 1, DEEPEST_LOOK)
    rate: str = option("0.5..0.03", "learning rate, or a schedule")
    decay: float = option(0.7, "lambda: weight of later results against the search", -1e-9, 1.0)
    explore: str = option("0.2..0.05", "exploration rate (epsilon), or a schedule")
    over: int = option(100_000, "matches over which schedules decay", 1, 10**9)
    log: MatchLog = field(default_factory=make_log, repr=False, compare=False)
    name = "td"

    def __post_init__(self) -> None:
        rate, explore = read_schedule(self.rate, "rate"), read_schedule(self.explore, "explore")
        self.settings = TdSettings(self.depth, rate, explore, self.decay, self.over)

    def begin(self, rules: Rules) -> Weights:
        """Return weights of 0; raise a ValueError if the game cannot be learned so."""
        if not ask.patterns_size(rules):
            others = ", ".join(games_with_file(LEARNED))
            raise ValueError(
                "td learns weights of patterns, and this game says no `patterns`"
                f" (those that do: {others})"
            )
        if ask.seats(rules) != 2 or ask.at_once(rules):
            raise ValueError("td learns games of two seats that choose by turns")
        return new_weights(rules)

    def train(
        self, rules: Rules, memory: Weights, rng: Generator, began: int, matches: int
    ) -> Weights:
        """Return the weights after more matches, from match number `began` on."""
        profile = Learned(0, memory.values, scratch())
        train_weights(rules, memory, self.settings, profile, rng, began, matches, self.log)
        return memory

    def restore(self, rules: Rules, memory: Memory) -> Weights:
        """Return the weights of a file."""
        return weights_of(rules, memory)

    def evaluate(self, rules: Rules, memory: Weights, seed: Any) -> Tally:
        """Return the results against the game's own estimate."""
        return evaluate_weights(rules, memory, seed)

    def policies(self, rules: Rules, memory: Weights, sample: DecisionSample) -> np.ndarray:
        """Return the probability of each action in a sample, by the estimate alone."""
        return greedy_policies(rules, memory, sample)
