"""Estimate the size of a game before it is enumerated."""

import numpy as np

from ludex.core.rules import (
    CHANCE,
    LARGEST,
    Rules,
    State,
    canonical,
    initial,
    make_rules,
    rule_values,
    turn,
)
from ludex.core.sampling import playout
from ludex.core.variants import single_rules, write_value
from ludex.solve.states.state_space import best_folding, explore_states
from ludex.solve.states.successors import FOLD_CHANCE, FOLD_DECISIONS

PROBED, PLAYED, PLAYED_PLIES = 200_000, 20_000, 400  # states by which the size is estimated

OFFERS = 3  # smaller rules that are named at most

# Bytes of memory for a state: its key, slots, values, hopes, its place in the order, and the
# tape, which may hold all states at once. `bench/solve.py` measures less for every game there.
MEMORY_BYTES = 400


def room_in(gibibytes: float) -> int:
    """Return how many states fit into so much memory."""
    return int(gibibytes * 2**30 / MEMORY_BYTES)


def estimated_states(rules: Rules, first: State, folding: int | None = None) -> tuple[int, bool]:
    """Return how many states there are with a folding, the best by default; and if that is exact.

    If a short listing does not reach all, it is the product of how many values each field of a
    state has, as if all of them met: for most games too many, though not by orders of magnitude.
    """
    folding = best_folding(rules, first) if folding is None else folding
    exploration = explore_states(rules, first, folding, PROBED)
    if exploration.done == exploration.count:
        return exploration.count, True
    rng = np.random.default_rng(0)
    states = (playout(rules, first, rng, int(rng.random() * PLAYED_PLIES)) for _ in range(PLAYED))
    drawn = np.array(
        [canonical(rules, state) for state in states if is_numbered(folding, turn(rules, state))]
    )
    listing = exploration.listing()
    listed = np.array([listing.state(number) for number in range(0, len(listing.keys), 20)])
    product = 1
    for field in range(len(first)):
        product *= max(len(np.unique(listed[:, field])), kinds_of(drawn[:, field]))
    return product, False


def is_numbered(folding: int, mover: int) -> bool:
    """Return whether a state gets a number, as a rule, by whose turn it is."""
    return not (folding == FOLD_CHANCE and mover == CHANCE) and not (
        folding == FOLD_DECISIONS and mover >= 0
    )


def kinds_of(sample: np.ndarray) -> int:
    """Return how many values there are likely to be, also those not in the sample.

    Source: Chao's estimator, by those that were seen once and twice (Scandinavian Journal of
    Statistics, 1984).
    """
    counts = np.unique(sample, return_counts=True)[1]
    once, twice = int((counts == 1).sum()), int((counts == 2).sum())
    return len(counts) + once * (once - 1) // (2 * (twice + 1))


def smaller_rules(rules: Rules, room: int) -> list[str]:
    """Return, as KEY=VALUE, to what each rule could be lowered so that the game may fit."""
    found: list[str] = []
    for key, rule in single_rules(rules).items():
        value = rule_values(rules)[key]
        known = not rule.words and rule.low > -LARGEST
        if not known or not isinstance(value, int) or len(found) == OFFERS:
            continue
        for lower in range(value - 1, rule.low - 1, -max(1, (value - rule.low) // 8)):
            try:
                less = make_rules(type(rules)(), rule_values(rules) | {key: lower})
                if estimated_states(less, initial(less))[0] <= room:
                    found.append(f"{key}={write_value(rule, lower)}")
                    break
            except ValueError:  # such rules do not go together, or their states take too many bits
                continue
    return found
