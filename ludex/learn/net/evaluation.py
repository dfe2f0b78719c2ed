"""The strength of a network without search: matches against a random opponent, side by side."""

import numpy as np

from ludex.core import rules as ask
from ludex.core.observation import bounds
from ludex.core.rules import BOTH, OVER, Rules, initial, view
from ludex.core.sampling import nth_share
from ludex.kernel.bits import lowest, members
from ludex.kernel.counter_rng import uniform
from ludex.kernel.jit import compiled, shared
from ludex.kernel.tuples import from_column
from ludex.learn.net.search import Evaluate
from ludex.learn.net.self_play import begin_matches, move_boards, new_boards, search_keys


@compiled
def write_views(rules, first, boards, seat, planes):
    """Write what a seat sees in each match."""
    for board in range(len(boards.movers)):
        planes[board] = 0.0
        view(rules, from_column(first, boards.states, board), seat, planes[board])


@shared
def reply(rules, state, seat, mine, logits, share):
    """Return the action of a seat: the best by its logits for one, a random one for the others."""
    bits = ask.moves(rules, state, seat)
    if seat != mine:
        return nth_share(bits, share)
    best = lowest(bits)
    for action in members(bits):
        if logits[action] > logits[best]:
            best = action
    return best


@compiled
def write_replies(rules, first, boards, mine, logits, keys, policies, actions):
    """Write the actions of all seats to move; at BOTH, as policies."""
    for board in range(len(boards.movers)):
        state, mover = from_column(first, boards.states, board), int(boards.movers[board])
        key = int(keys[board])
        if mover == BOTH:
            for seat in range(2):
                action = reply(rules, state, seat, mine, logits[board], uniform(key, seat))
                policies[board, seat] = 0.0
                policies[board, seat, action] = 1.0
        elif mover != OVER:
            actions[board] = reply(rules, state, mover, mine, logits[board], uniform(key, 0))


def results_of(rules: Rules, evaluate: Evaluate, mine: int, matches: int, seed: int) -> np.ndarray:
    """Return what matches were worth to the seat of a network; all others choose at random."""
    first, actions = initial(rules), int(ask.actions(rules))
    boards = new_boards(rules, matches)
    begin_matches(rules, first, boards, seed, 0, 0, matches)
    planes = np.zeros((matches, *map(int, ask.view_shape(rules))), bounds(rules)[2])
    policies, chosen = np.zeros((matches, 2, actions)), np.zeros(matches, np.int64)
    keys = np.zeros(matches, np.int64)
    while np.any(boards.movers != OVER):
        search_keys(boards, keys)
        write_views(rules, first, boards, mine, planes)
        logits, _ = evaluate(planes)
        write_replies(rules, first, boards, mine, logits, keys, policies, chosen)
        move_boards(rules, first, boards, policies, chosen, keys, 0, matches)
    returns: np.ndarray = boards.returns[mine]
    return returns
