"""Q-learning: a table of action values, updated from one decision to the next.

After Watkins (1989). Everything between two decisions of a seat counts as the environment: chance,
the other seats, and simultaneous moves. So one rule serves all kinds of games:

    Q(seen, action) += rate * (rewards + discount * max Q(seen next) - Q(seen, action))

and at the end the returns take the place of the best next value.
"""

from typing import NamedTuple

import numpy as np

from ludex.core.rules import CHANCE, OVER, apply, initial, moves, pair, returns, reward, seats, turn
from ludex.core.sampling import pick, pick_outcome
from ludex.core.time_control import PLIES
from ludex.kernel.jit import compiled, shared
from ludex.learn.schedule import Schedule, at
from ludex.learn.table import (
    AT_RANDOM,
    best_value,
    choosers,
    enter_key,
    is_full,
    key_of,
    pick_best,
    pick_by,
)

ITSELF = AT_RANDOM + 1  # an opponent, beside the ways to choose
UNSET = -1  # in the place of a number, where nothing was chosen yet


class QSettings(NamedTuple):
    """How a table is learned."""

    rate: Schedule
    discount: Schedule
    explore: Schedule
    over: int
    """Matches in which what falls from match to match comes to its end."""
    hints: float
    """What the rewards of the game are multiplied by."""


class Pending(NamedTuple):
    """What every seat chose last, and what it was rewarded with since."""

    numbers: np.ndarray
    chosen: np.ndarray
    rewards: np.ndarray


@shared
def improve(memory, settings, pending, seat, progress, next_value):
    """Move the value of what a seat chose last towards what it has brought."""
    number, action = pending.numbers[seat], pending.chosen[seat]
    if number == UNSET:
        return
    value = np.float64(memory.rows[number, 0, action])
    rate = at(settings.rate, progress, memory.visits[number, action])
    memory.rows[number, 0, action] = value + rate * (pending.rewards[seat] + next_value - value)


@shared
def act(rules, memory, settings, pending, state, seat, progress, rng):
    """Return what a learning seat chooses, after it has learned from its choice before."""
    bits = moves(rules, state, seat)
    number = enter_key(memory.keys, memory.slots, memory.filled, key_of(rules, state, seat))
    discount = at(settings.discount, progress, 1)
    worth = discount * best_value(memory.rows, number, 0, bits)
    improve(memory, settings, pending, seat, progress, worth)
    visits = 1
    for action in range(memory.visits.shape[1]):
        visits += memory.visits[number, action]
    if rng.random() < at(settings.explore, progress, visits):
        action = pick(bits, rng)
    else:
        action = pick_best(memory.rows, number, 0, bits, rng)
    memory.visits[number, action] += 1
    pending.numbers[seat], pending.chosen[seat] = number, action
    pending.rewards[seat] = 0.0
    return action


@compiled
def hint(rules, state, after, seat):
    """Return the game's own reward; compiled by itself, because it may be much code."""
    return reward(rules, state, after, seat)


@shared
def gather(rules, settings, pending, state, after):
    """Note what a step was worth to every seat."""
    for seat in range(seats(rules)):
        pending.rewards[seat] += settings.hints * hint(rules, state, after, seat)


@shared
def finish(rules, memory, settings, pending, state, progress):
    """Let every seat that learns learn from the end; a match that is too long is a draw."""
    over = turn(rules, state) == OVER
    for seat in range(seats(rules)):
        worth = returns(rules, state, seat) if over else 0.0
        improve(memory, settings, pending, seat, progress, worth)
        pending.numbers[seat] = UNSET


@compiled
def train_table(rules, memory, settings, pending, rng, opponent, began, matches):
    """Play and learn, and return how many matches found room; the first is that of a number.

    The opponent is ITSELF, or a way to choose, and a memory. Against others the learner has another
    seat in each match.
    """
    way, other = opponent
    for match in range(began, began + matches):
        if is_full(memory):
            return match - began
        progress = min(match / settings.over, 1.0)
        mine = match % seats(rules)
        state = initial(rules)
        for _ in range(PLIES):
            mover = turn(rules, state)
            if mover == OVER:
                break
            move = pick_outcome(rules, state, rng) if mover == CHANCE else 0
            low, high = choosers(mover)
            for seat in range(low, high + 1):
                if way == ITSELF or seat == mine:
                    action = act(rules, memory, settings, pending, state, seat, progress, rng)
                else:
                    action = pick_by(rules, other, way, state, seat, rng)
                move = pair(move, action)
            after = apply(rules, state, move)
            gather(rules, settings, pending, state, after)
            state = after
        finish(rules, memory, settings, pending, state, progress)
    return matches


# One decision at a time, for opponents that are not compiled. ------------------------------------


@compiled
def act_once(rules, memory, settings, pending, state, seat, progress, rng):
    """Return what a learning seat chooses."""
    return act(rules, memory, settings, pending, state, seat, progress, rng)


@compiled
def step(rules, settings, pending, state, move):
    """Return the next state, after noting what the step was worth."""
    after = apply(rules, state, move)
    gather(rules, settings, pending, state, after)
    return after


@compiled
def finish_once(rules, memory, settings, pending, state, progress):
    """Learn from the end of a match."""
    finish(rules, memory, settings, pending, state, progress)
