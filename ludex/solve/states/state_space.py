"""All reachable states of a game, numbered, except those folded into others."""

from collections.abc import Callable

import numpy as np

from ludex.core.rules import CHANCE, Rules, State, canonical, outcomes, turn
from ludex.core.sampling import playout
from ludex.solve.cores import default_threads
from ludex.solve.states.exploration import Exploration
from ludex.solve.states.keys import fields_for
from ludex.solve.states.listing import Listing, TooBig
from ludex.solve.states.successors import FOLD_CHANCE, FOLD_DECISIONS, NO_FOLDING

WAVE = 1 << 16  # states that are expanded between progress reports
PLAYOUTS, PLAYOUT_PLIES = 50, 400  # random matches from which the fields are estimated
SAMPLED, SAMPLED_EVERY = 5000, 5  # states from which the folding is chosen: every fifth of these


def list_states(
    rules: Rules,
    first: State,
    folding: int,
    room: int,
    tell: Callable[[int, int], None] = lambda done, count: None,
) -> Listing:
    """Return all states reachable from a first one; `tell` gets the numbers done and known."""
    exploration = explore_states(rules, first, folding, room, tell, default_threads(rules))
    if exploration.done < exploration.count:
        raise TooBig(f"more than {room:,} states")
    return exploration.listing()


def explore_states(
    rules: Rules,
    first: State,
    folding: int,
    most: int,
    tell: Callable[[int, int], None] = lambda done, count: None,
    threads: int = 1,
) -> Exploration:
    """Return an exploration that is complete, or has found more than `most` states."""
    exploration = Exploration(rules, first, folding, sample_fields(rules, first), threads)
    exploration.expand_all(most, WAVE, tell)
    return exploration


def sample_fields(rules: Rules, first: State) -> np.ndarray:
    """Return fields that fit the states of some random matches."""
    rng = np.random.default_rng(0)
    lengths = [int(rng.random() * PLAYOUT_PLIES) for _ in range(PLAYOUTS)]
    drawn = (playout(rules, first, rng, length) for length in lengths)
    return fields_for([canonical(rules, first), *drawn])


def best_folding(rules: Rules, first: State) -> int:
    """Return what to fold: chance or decisions, whichever has more states."""
    if outcomes(rules) == 0:
        return NO_FOLDING
    exploration = explore_states(rules, first, NO_FOLDING, SAMPLED)
    listing = exploration.listing()
    sampled = range(0, exploration.done, SAMPLED_EVERY)
    movers = [turn(rules, listing.state(number)) for number in sampled]
    return FOLD_CHANCE if 2 * movers.count(CHANCE) > len(movers) else FOLD_DECISIONS
