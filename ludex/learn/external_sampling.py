"""Counterfactual regret minimisation by external sampling.

After Lanctot, Waugh, Zinkevich and Bowling (2009). A traversal updates the regrets of one seat: it
tries all actions of that seat, and draws one action of the other seat and one outcome of chance.
Meanwhile it adds the current strategy of the other seat to its average. Departures: the other seat
draws anew in each state, even if states look the same to it; and a traversal tries all actions in
a limited number of decisions, beyond which it draws one, so that it ends in long games too.
"""

import numpy as np

from ludex.core.rules import BOTH, CHANCE, OVER, apply, initial, moves, pair, returns, turn
from ludex.core.sampling import pick, pick_outcome
from ludex.core.time_control import PLIES
from ludex.kernel.bits import lowest, members, size
from ludex.kernel.hash_table import slot_of
from ludex.kernel.jit import allocating, compiled, shared
from ludex.learn import table
from ludex.learn.table import AVERAGE, ENTRIES, REGRET

SHARE, WORTH = range(2)  # scratch for each action: its probability and its value
MOST, TRIES = range(2)  # limits of a traversal: numbers of the table, and decisions
DEEPEST = 300  # decisions of a line in which all actions are tried


@shared
def enter_set(rules, state, seat, most, keys, slots, filled):
    """Return the number of what a seat sees, adding it if it is new; -1 if `most` are known."""
    key = table.key_of(rules, state, seat)
    if filled[0] < most:
        return table.enter_key(keys, slots, filled, key)
    return int(slots[slot_of(key, keys, slots)]) - 1


@shared
def sum_of_regrets(rows, number, bits):
    """Return the sum of the positive regrets of some actions."""
    total = 0.0
    for action in members(bits):
        total += max(rows[number, REGRET, action], 0.0)
    return total


@shared
def matched(regret, total, count):
    """Return the probability of one of `count` actions by regret matching."""
    return max(regret, 0.0) / total if total > 0.0 else 1.0 / count


@shared
def draw(rows, visits, number, bits, weight, rng):
    """Draw an action from the current strategy, and add the strategy to the average.

    It is uniform if the number is -1.
    """
    if number < 0:
        return pick(bits, rng)
    total, count = sum_of_regrets(rows, number, bits), size(bits)
    left = rng.random()
    chosen = lowest(bits)
    for action in members(bits):
        share = matched(rows[number, REGRET, action], total, count)
        rows[number, AVERAGE, action] += weight * share
        chosen = action if left >= 0.0 and share > 0.0 else chosen
        left -= share
    visits[number, chosen] += 1
    return chosen


@shared
def joint(mover, seat, own, other):
    """Return the action of a seat as a move: at BOTH, together with that of the other seat."""
    if mover != BOTH:
        return own
    return pair(own, other) if seat == 0 else pair(other, own)


@compiled
def traverse(
    rules, state, seat, gain, weight, plus, left,
    rng, limits, scratch, keys, slots, filled, rows, visits,
):  # fmt: skip
    """Update the regrets of a seat below a state, and return a sample of its value.

    `gain` is the weight of the regrets, and `weight` that of the other seat's strategy. All actions
    are tried in the next `left` decisions at most.
    """
    for _ in range(PLIES):
        mover = turn(rules, state)
        if mover == OVER:
            return returns(rules, state, seat)
        move = 0
        if mover == CHANCE:
            move = pick_outcome(rules, state, rng)
        if mover == BOTH or mover == 1 - seat:
            number = enter_set(rules, state, 1 - seat, limits[MOST], keys, slots, filled)
            bits = moves(rules, state, 1 - seat)
            move = draw(rows, visits, number, bits, weight, rng)
        if mover == BOTH or mover == seat:
            number = enter_set(rules, state, seat, limits[MOST], keys, slots, filled)
            bits = moves(rules, state, seat)
            if number >= 0 and left > 0 and limits[TRIES] > 0:
                break
            move = joint(mover, seat, draw(rows, visits, number, bits, 0.0, rng), move)
        state = apply(rules, state, move)
    else:
        return 0.0  # a match that is too long is a draw

    limits[TRIES] -= 1
    own = scratch[left - 1]
    total, count = sum_of_regrets(rows, number, bits), size(bits)
    for action in members(bits):
        own[SHARE, action] = matched(rows[number, REGRET, action], total, count)
    value = 0.0
    for action in members(bits):
        own[WORTH, action] = traverse(
            rules, apply(rules, state, joint(mover, seat, action, move)), seat,
            gain, weight, plus, left - 1, rng, limits, scratch, keys, slots, filled, rows, visits,
        )  # fmt: skip
        value += own[SHARE, action] * own[WORTH, action]
    for action in members(bits):
        regret = rows[number, REGRET, action] + gain * (own[WORTH, action] - value)
        rows[number, REGRET, action] = max(regret, 0.0) if plus else regret
    return value


@allocating
def train_strategies(rules, memory, plus, linear, states, rng, began, matches, scratch):
    """Traverse the game for one seat after the other; return how many traversals found room.

    `began` is the number of the first one. The table gets no more than `states`. Scratch has two
    numbers for each action, at each decision of a line.
    """
    limits = np.zeros(2, np.int64)
    for match in range(began, began + matches):
        if table.is_full(memory):
            return match - began
        limits[MOST] = min(memory.filled[0] + ENTRIES, states)
        limits[TRIES] = ENTRIES
        iteration = match // 2 + 1.0
        weight = iteration if linear else 1.0
        gain = 1.0 if plus else weight
        # All types are those of the recursive call, of which a literal would not be: code with
        # two kinds of a recursive function cannot be loaded from disk.
        traverse(
            rules, initial(rules), match % 2, gain, weight, plus, len(scratch),
            rng, limits, scratch,
            memory.keys, memory.slots, memory.filled, memory.rows, memory.visits,
        )  # fmt: skip
    return matches
