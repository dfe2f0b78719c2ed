"""Q-learning: a table of action values, updated from one decision to the next.

After Watkins (1989). Everything between two decisions of a seat counts as the environment: chance,
the other seats, and simultaneous moves. So one rule serves all kinds of games, with s' the next
observation of the seat:

    Q(s, a) += rate * (rewards + discount * max Q(s', .) - Q(s, a))

and at the end the returns take the place of the best next value.
"""

from typing import NamedTuple

import numpy as np

from ludex.core.rules import (
    CHANCE,
    OVER,
    apply,
    initial,
    moves,
    returns,
    reward,
    seats,
    turn,
    with_action,
)
from ludex.core.sampling import pick, pick_outcome
from ludex.core.time_control import PLIES
from ludex.kernel.jit import compiled, shared
from ludex.learn import table
from ludex.learn.schedule import Schedule, at
from ludex.learn.table import AT_RANDOM

SELF_PLAY = AT_RANDOM + 1  # an opponent, in addition to the ways to choose
UNSET = -1  # a number before the first decision


class QSettings(NamedTuple):
    """The parameters of Q-learning."""

    rate: Schedule
    discount: Schedule
    explore: Schedule
    over: int
    """Matches after which schedules have reached their end."""
    hints: float
    """The factor of the game's shaping rewards."""


class Pending(NamedTuple):
    """The last decision of every seat, and its rewards since."""

    numbers: np.ndarray
    chosen: np.ndarray
    rewards: np.ndarray


@shared
def update(memory, settings, pending, seat, progress, next_value):
    """Update the value of the last decision of a seat."""
    number, action = pending.numbers[seat], pending.chosen[seat]
    if number == UNSET:
        return
    value = np.float64(memory.rows[number, 0, action])
    rate = at(settings.rate, progress, memory.visits[number, action])
    memory.rows[number, 0, action] = value + rate * (pending.rewards[seat] + next_value - value)


@shared
def act(rules, memory, settings, pending, state, seat, progress, rng):
    """Update the last decision of a learning seat, and return its next action."""
    bits = moves(rules, state, seat)
    number = table.enter_key(
        memory.keys, memory.slots, memory.filled, table.key_of(rules, state, seat)
    )
    discount = at(settings.discount, progress, 1)
    worth = discount * table.best_value(memory.rows, number, 0, bits)
    update(memory, settings, pending, seat, progress, worth)
    visits = 1
    for action in range(memory.visits.shape[1]):
        visits += memory.visits[number, action]
    if rng.random() < at(settings.explore, progress, visits):
        action = pick(bits, rng)
    else:
        action = table.pick_best(memory.rows, number, 0, bits, rng)
    memory.visits[number, action] += 1
    pending.numbers[seat], pending.chosen[seat] = number, action
    pending.rewards[seat] = 0.0
    return action


@compiled
def shaping_reward(rules, state, after, seat):
    """Return the game's own reward; compiled separately, as it may be much code."""
    return reward(rules, state, after, seat)


@shared
def add_rewards(rules, settings, pending, state, after):
    """Add the shaping rewards of a transition for every seat."""
    for seat in range(seats(rules)):
        pending.rewards[seat] += settings.hints * shaping_reward(rules, state, after, seat)


@shared
def finish(rules, memory, settings, pending, state, progress):
    """Update every learning seat with its returns; a truncated match is a draw."""
    over = turn(rules, state) == OVER
    for seat in range(seats(rules)):
        worth = returns(rules, state, seat) if over else 0.0
        update(memory, settings, pending, seat, progress, worth)
        pending.numbers[seat] = UNSET


@compiled
def train_table(rules, memory, settings, pending, rng, opponent, began, matches):
    """Play and learn from match number `began` on; return how many matches found room.

    The opponent is SELF_PLAY or a way to choose, and a table. Against an opponent the learner
    changes seats from match to match.
    """
    way, other = opponent
    for match in range(began, began + matches):
        if table.is_full(memory):
            return match - began
        progress = min(match / settings.over, 1.0)
        mine = match % seats(rules)
        state = initial(rules)
        for _ in range(PLIES):
            mover = turn(rules, state)
            if mover == OVER:
                break
            move = pick_outcome(rules, state, rng) if mover == CHANCE else 0
            low, high = table.choosers(mover)
            for seat in range(low, high + 1):
                if way == SELF_PLAY or seat == mine:
                    action = act(rules, memory, settings, pending, state, seat, progress, rng)
                else:
                    action = table.pick_by(rules, other, way, state, seat, rng)
                move = with_action(mover, move, seat, action)
            after = apply(rules, state, move)
            add_rewards(rules, settings, pending, state, after)
            state = after
        finish(rules, memory, settings, pending, state, progress)
    return matches


# One decision at a time, for opponents that are not compiled. ------------------------------------


compiled_act, compiled_finish = compiled(act), compiled(finish)


@compiled
def step(rules, settings, pending, state, move):
    """Return the next state, after adding the shaping rewards."""
    after = apply(rules, state, move)
    add_rewards(rules, settings, pending, state, after)
    return after
