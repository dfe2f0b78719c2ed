"""The table of a learner: a row of numbers, one for each action, for each observation key.

Keys are found in a hash table with open addressing. Rows may hold the numbers of several learners,
which share observations but not knowledge. Compiled code fills a table; only plain Python
enlarges it, between matches.
"""

from typing import Any, NamedTuple

import numpy as np

from ludex.core.rules import BOTH, Rules, actions, features, moves
from ludex.core.sampling import pick
from ludex.core.time_control import PLIES
from ludex.kernel.bits import emptied, include, lowest, members
from ludex.kernel.hash_table import enter, slot_of
from ludex.kernel.jit import compiled, shared

ENTRIES = 2 * PLIES  # states that a match can add: both seats at every ply
MOST_STATES = 1 << 23  # more are too many for a table
REGRET, AVERAGE = range(2)  # in place of learners: sums of regrets, and of strategies


class Memory(NamedTuple):
    """The first `filled[0]` keys, rows and visits are in use, in the order of insertion."""

    keys: np.ndarray
    slots: np.ndarray
    """The number of a key plus one, or 0."""
    rows: np.ndarray
    """By number, learner and action."""
    visits: np.ndarray
    """The visits of each action, by number and action."""
    filled: np.ndarray


def new_memory(rules: Rules, learners: int, kind: Any) -> Memory:
    """Return an empty table, with room for the states of a match."""
    width = actions(rules)
    rows, visits = np.zeros((0, learners, width), kind), np.zeros((0, width), np.int32)
    return memory_from(np.zeros(0, np.int64), rows, visits)


def memory_from(keys: np.ndarray, rows: np.ndarray, visits: np.ndarray) -> Memory:
    """Return a table of these states, with room for those of another match."""
    count = len(keys)
    room = 1 << (count + ENTRIES).bit_length()  # a power of two, for the hash table
    memory = Memory(
        pad(keys.astype(np.int64), room),
        np.zeros(2 * room, np.int32),
        pad(rows, room),
        pad(visits, room),
        np.array([count]),
    )
    enter(memory.keys, count, memory.slots)
    return memory


def pad(array: np.ndarray, room: int) -> np.ndarray:
    """Return a copy of an array padded with zeros."""
    longer = np.zeros((room, *array.shape[1:]), array.dtype)
    longer[: len(array)] = array
    return longer


def entries(memory: Memory) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Return the keys, rows and visits of all states in a table."""
    count = int(memory.filled[0])
    return memory.keys[:count], memory.rows[:count], memory.visits[:count]


def enlarge(memory: Memory) -> Memory:
    """Return the same table with more room."""
    if len(memory.keys) > MOST_STATES:
        raise ValueError(f"more than {MOST_STATES:,} states: this game is too large for a table")
    return memory_from(*entries(memory))


@compiled
def key_of(rules, state, seat):
    """Return the observation key of the seat; compiled separately, as it may be much code."""
    return features(rules, state, seat)


@shared
def choosers(mover):
    """Return the first and the last seat that are to move; the last is below the first if none.

    Their actions, combined by `pair` in this order from 0 on, make the move.
    """
    if mover == BOTH:
        return 0, 1
    return (mover, mover) if mover >= 0 else (0, -1)


@shared
def is_full(memory):
    """Return whether there may be no room for the states of another match."""
    return memory.filled[0] + ENTRIES > len(memory.keys)


@shared
def number_of(memory, key):
    """Return the number of a key, or -1."""
    return int(memory.slots[slot_of(key, memory.keys, memory.slots)]) - 1


@shared
def enter_key(keys, slots, filled, key):
    """Return the number of a key, adding it if it is new."""
    slot = slot_of(key, keys, slots)
    if slots[slot] == 0:
        number = int(filled[0])
        keys[number] = key
        filled[0] = number + 1
        slots[slot] = number + 1
    return int(slots[slot]) - 1


# Choosing by a table. ---------------------------------------------------------------------------

BY_VALUE, BY_BALLS, BY_AVERAGE, AT_RANDOM = range(4)  # ways to choose


@shared
def pick_by(rules, memory, way, state, seat, rng):
    """Return the action of a seat that plays from a table in one of the ways."""
    bits = moves(rules, state, seat)
    if way == AT_RANDOM:
        return pick(bits, rng)
    number = number_of(memory, key_of(rules, state, seat))
    if way == BY_VALUE:
        return pick_best(memory.rows, number, 0, bits, rng)
    if way == BY_AVERAGE:
        return pick_average(memory.rows, number, bits, rng)
    return pick_ball(memory.rows, number, 0, bits, rng)


def policies_by(memory: Memory, way: int, keys: np.ndarray, legal: np.ndarray) -> np.ndarray:
    """Return the probability of each legal action by one of the ways, in a row for each key."""
    numbers = np.array([number_of(memory, key) for key in keys.tolist()])
    rows = memory.rows[numbers, AVERAGE if way == BY_AVERAGE else 0].astype(np.float64)
    if way == BY_VALUE:
        rows[~legal] = -np.inf
        rows = (rows == rows.max(axis=1, keepdims=True)).astype(np.float64)
    weights = np.where(legal, rows, 0.0)
    unknown = (numbers < 0) | (weights.sum(axis=1) == 0.0)
    weights[unknown] = legal[unknown]
    return np.asarray(weights / weights.sum(axis=1, keepdims=True))


@shared
def best_value(rows, number, learner, bits):
    """Return the highest number of a learner over some actions."""
    best = -np.inf
    for action in members(bits):
        best = max(best, np.float64(rows[number, learner, action]))
    return best


@shared
def pick_best(rows, number, learner, bits, rng):
    """Return the action with the highest number, ties uniformly at random; any if unknown."""
    if number < 0:
        return pick(bits, rng)
    best = best_value(rows, number, learner, bits)
    equals = emptied(bits)
    for action in members(bits):
        if rows[number, learner, action] == best:
            equals = include(equals, action)
    return pick(equals, rng)


@shared
def pick_ball(rows, number, learner, bits, rng):
    """Draw an action with probability proportional to its number; any if unknown."""
    if number < 0:
        return pick(bits, rng)
    total = 0
    for action in members(bits):
        total += rows[number, learner, action]
    ball = int(rng.random() * total)
    chosen = lowest(bits)
    for action in members(bits):  # to the end: an early exit mispredicts branches and is slower
        chosen = action if ball >= 0 else chosen
        ball -= rows[number, learner, action]
    return chosen


@shared
def pick_average(rows, number, bits, rng):
    """Draw an action from the average of all strategies; any if it is unknown."""
    total = 0.0
    for action in members(bits if number >= 0 else emptied(bits)):
        total += rows[number, AVERAGE, action]
    if total == 0.0:
        return pick(bits, rng)
    left = rng.random() * total
    chosen = lowest(bits)
    for action in members(bits):
        share = rows[number, AVERAGE, action]
        chosen = action if left >= 0.0 and share > 0.0 else chosen
        left -= share
    return chosen
