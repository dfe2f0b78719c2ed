"""Estimate the size of a game before it is enumerated."""

import numpy as np

from ludex.core import rules as ask
from ludex.core.rules import CHANCE, LARGEST, Rules, State
from ludex.core.sampling import playout
from ludex.core.variants import single_rules, write_value
from ludex.kernel.tuples import flatten
from ludex.solve.states.state_space import best_folding, explore_states
from ludex.solve.states.successors import FOLD_DECISIONS, folds

PROBED, PLAYED, PLAYED_PLIES = 200_000, 20_000, 400  # states from which the size is estimated
SUGGESTIONS = 3  # smaller rules at most

# Bytes of memory for a state: its key, slots, values, tie values and progress, and its transitions
# and equations, which may be of all states at once. `bench/solve.py` measures less for every game.
MEMORY_BYTES = 560


def states_fitting(gibibytes: float) -> int:
    """Return the number of states that fit into memory of this size."""
    return int(gibibytes * 2**30 / MEMORY_BYTES)


def estimated_states(rules: Rules, first: State, folding: int | None = None) -> tuple[int, bool]:
    """Return the number of states with a folding, the best by default, and whether it is exact.

    If a short listing does not reach all, it is the product of the numbers of values of each
    field: for most games too high, though not by orders of magnitude.
    """
    folding = best_folding(rules, first) if folding is None else folding
    exploration = explore_states(rules, first, folding, PROBED)
    if exploration.done == exploration.count:
        return exploration.count, True
    rng = np.random.default_rng(0)
    states = (playout(rules, first, rng, int(rng.random() * PLAYED_PLIES)) for _ in range(PLAYED))
    before = CHANCE if folding == FOLD_DECISIONS else 0  # the usual predecessor of what is folded
    numbered = (state for state in states if not folds(folding, before, ask.turn(rules, state)))
    drawn = np.array([flatten(ask.canonical(rules, state)) for state in numbered])
    listing = exploration.listing()
    sampled = range(0, len(listing.keys), 20)
    listed = np.array([flatten(listing.state(number)) for number in sampled])
    product = 1
    for field in range(listed.shape[1]):
        product *= max(len(np.unique(listed[:, field])), estimate_distinct(drawn[:, field]))
    return product, False


def estimate_distinct(sample: np.ndarray) -> int:
    """Return the estimated number of distinct values, including unseen ones.

    Source: Chao (Scandinavian Journal of Statistics, 1984), from the values seen once and twice.
    """
    counts = np.unique(sample, return_counts=True)[1]
    once, twice = int((counts == 1).sum()), int((counts == 2).sum())
    return len(counts) + once * (once - 1) // (2 * (twice + 1))


def smaller_rules(rules: Rules, room: int) -> list[str]:
    """Return rules, as KEY=VALUE, that could be lowered so that the game may fit."""
    found: list[str] = []
    for key, rule in single_rules(rules).items():
        value = ask.rule_values(rules)[key]
        known = not rule.words and rule.low > -LARGEST
        if not known or not isinstance(value, int) or len(found) == SUGGESTIONS:
            continue
        for lower in range(value - 1, rule.low - 1, -max(1, (value - rule.low) // 8)):
            try:
                less = ask.make_rules(type(rules)(), ask.rule_values(rules) | {key: lower})
                if estimated_states(less, ask.initial(less))[0] <= room:
                    found.append(f"{key}={write_value(rule, lower)}")
                    break
            except ValueError:  # these rules conflict, or their states need too many bits
                continue
    return found
