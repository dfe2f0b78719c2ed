"""The equations between the values of states, each checked by the rules of the game alone.

The value of a state is that of the rules at the end of the match, the maximum or minimum over the
actions of a seat, the expectation at a chance node, and the value of a matrix game at simultaneous
moves. The last is bounded from both sides, by what two mixtures guarantee: how these were found
does not matter.

Where play can cycle, the equations may have other solutions. There the progress of the seat that
is ahead must be above 0, and no more than 0.99 times that of the successors (docs/solving.md has
the reason).
"""

from typing import NamedTuple

import numpy as np

from ludex.core import rules as ask
from ludex.core.choice import CLOSE
from ludex.core.rules import BOTH, CHANCE, OVER, Rules
from ludex.kernel.bits import members
from ludex.kernel.jit import compiled, shared
from ludex.kernel.matrix_game import guarantees, solve
from ludex.solve.verification.listed_states import (
    CHANCE_AFTER_DECISIONS,
    DECISIONS_AFTER_CHANCE,
    find,
    key_of,
    number_in,
    state_of,
)

# Why the value of a state is the only one that satisfies the equations: it is not on a cycle or no
# seat is ahead, or by its progress; or it is unknown.
BY_EQUATION, BY_PROGRESS, UNPROVEN = range(3)
AHEAD_BY = CLOSE  # a seat is ahead if its value exceeds this
VALUE_LOSS = 1e-11  # what an action may lose and still preserve the value
DISCOUNT = 0.99  # of progress, for each state
PROGRESS_ERROR = 1e-6  # relative: progress is kept with 24 bits


class Branches(NamedTuple):
    """The successors of a state: their values, the progress there, and probabilities."""

    values: np.ndarray
    progress: np.ndarray
    chances: np.ndarray


class Scratch(NamedTuple):
    """Room for the successors of a listed state and of a folded one, and for a matrix game."""

    own: Branches
    folded: Branches
    game: np.ndarray
    mixtures: np.ndarray
    tableau: np.ndarray


class Steps(NamedTuple):
    """How the fields of states change in play.

    A state is later than another if the sum of its fields, with these directions as signs, is
    greater. `rises` and `falls` note which fields have ever increased and decreased.
    """

    directions: np.ndarray
    rises: np.ndarray
    falls: np.ndarray


def make_scratch(rules: Rules) -> Scratch:
    """Return scratch for a game."""
    actions, outcomes = ask.actions(rules), ask.outcomes(rules)
    size = actions if ask.at_once(rules) else 1
    own, folded = (
        Branches(np.zeros(room), np.zeros(room), np.zeros(room))
        for room in (max(actions, size * size, outcomes), max(actions, outcomes))
    )
    return Scratch(
        own, folded, np.zeros((size, size)), np.zeros((2, size)), np.zeros((size + 2, size + 2))
    )


@compiled
def check_states(rules, listed, indices, scratch, steps, errors, gaps, proofs):
    """Write for each of these states how wrong it is: see `check_state`."""
    for place in range(len(indices)):
        error, gap, proof = check_state(rules, listed, int(indices[place]), scratch, steps)
        errors[place], gaps[place], proofs[place] = error, gap, proof


@shared
def check_state(rules, listed, index, scratch, steps):
    """Return the error of a value, the gap between its bounds, and why it is the only one.

    The error is infinite if the key is that of no state, or if a successor is not listed.
    """
    key, value = int(listed.keys[index]), float(listed.values[index])
    state = state_of(key, listed)
    if key_of(state, listed.fields) != key:
        return np.inf, 0.0, BY_EQUATION
    mover = ask.turn(rules, state)
    if mover == OVER:
        return abs(value - ask.returns(rules, state, 0)), 0.0, BY_EQUATION
    sign = 1.0 if value > 0.0 else -1.0  # of the seat that is ahead, if any
    count, columns, later = branch(rules, state, mover, sign, key, listed, scratch, steps)
    if count < 0:
        return np.inf, 0.0, BY_EQUATION
    low, high = bounds(mover, count, columns, scratch)
    error = max(0.0, low - value, value - high)
    if later or sign * value <= AHEAD_BY:
        return error, high - low, BY_EQUATION
    share = listed_progress(mover, sign, value, count, columns, scratch)
    own = float(listed.progress[index])
    proven = 0.0 < own <= DISCOUNT * share * (1.0 + PROGRESS_ERROR)
    return error, high - low, BY_PROGRESS if proven else UNPROVEN


# Successors. --------------------------------------------------------------------------------------


@shared
def is_folded(folded, mover, next_mover):
    """Return whether a state is not listed, by whose turn it is there and in the one before."""
    if folded == CHANCE_AFTER_DECISIONS:
        return mover >= 0 and next_mover == CHANCE
    return folded == DECISIONS_AFTER_CHANCE and mover == CHANCE and next_mover >= 0


@shared
def choices(rules, state, mover):
    """Return the moves of a seat or of chance, as a bit set."""
    return ask.possible(rules, state) if mover == CHANCE else ask.moves(rules, state, mover)


@shared
def branch(rules, state, mover, sign, key, listed, scratch, steps):
    """Write the successors of a listed state, row by row where both seats move.

    Return their number, the number in a row, and whether play cannot come back from any of them.
    The first is -1 if one is not listed.
    """
    count = columns = 0
    later = True
    rows = ask.moves(rules, state, 0) if mover == BOTH else choices(rules, state, mover)
    for row in members(rows):
        others = ask.moves(rules, state, 1) if mover == BOTH else ask.lone_move(rules)
        columns = 0
        for column in members(others):
            after = ask.apply(rules, state, ask.pair(row, column) if mover == BOTH else row)
            next_mover = ask.turn(rules, after)
            if is_folded(listed.folded, mover, next_mover):
                value, share, forward = folded_branch(
                    rules, after, next_mover, sign, key, listed, scratch.folded, steps
                )
            else:
                value, share, forward = listed_branch(rules, after, sign, key, listed, steps)
            if value != value:
                return -1, 0, False
            scratch.own.values[count], scratch.own.progress[count] = value, share
            scratch.own.chances[count] = ask.chance(rules, state, row) if mover == CHANCE else 0.0
            later = later and forward
            count += 1
            columns += 1
    return count, columns, later


@shared
def listed_branch(rules, state, sign, key, listed, steps):
    """Return the value and progress of a listed state, and whether play cannot come back from it.

    The value is NaN if it is not listed. The key is that of the state before.
    """
    index = find(rules, state, listed)
    if index < 0:
        return np.nan, 0.0, False
    value = float(listed.values[index])
    share = float(listed.progress[index]) if sign * value > AHEAD_BY else 1.0
    forward = goes_forward(key, int(listed.keys[index]), listed.fields, steps)
    return value, share, forward or ask.turn(rules, state) == OVER


@shared
def folded_branch(rules, state, mover, sign, key, listed, branches, steps):
    """Return the same of a folded state, from its successors, which must be listed."""
    count = 0
    later = True
    for move in members(choices(rules, state, mover)):
        after = ask.apply(rules, state, move)
        value, share, forward = listed_branch(rules, after, sign, key, listed, steps)
        if value != value:
            return np.nan, 0.0, False
        branches.values[count], branches.progress[count] = value, share
        branches.chances[count] = ask.chance(rules, state, move) if mover == CHANCE else 0.0
        later = later and forward
        count += 1
    value = value_of(mover, count, branches)
    ahead = sign * value > AHEAD_BY
    return value, progress_of(mover, sign, value, count, branches) if ahead else 1.0, later


@shared
def goes_forward(key, after, fields, steps):
    """Return whether the second key is that of a later state, and note how fields change."""
    advance = 0
    for place in range(len(fields)):
        change = number_in(after, fields, place) - number_in(key, fields, place)
        if change > 0:
            steps.rises[place] = 1
        elif change < 0:
            steps.falls[place] = 1
        advance += steps.directions[place] * change
    return advance > 0


# Values. ------------------------------------------------------------------------------------------


@shared
def value_of(mover, count, branches):
    """Return the value of a state from its successors, where a seat or chance moves."""
    if mover == CHANCE:
        mean = 0.0
        for place in range(count):
            mean += branches.chances[place] * branches.values[place]
        return mean
    best = branches.values[0]
    for place in range(1, count):
        value = branches.values[place]
        best = max(best, value) if mover == 0 else min(best, value)
    return best


@shared
def bounds(mover, count, columns, scratch):
    """Return a lower and an upper bound of the value of a listed state from its successors."""
    if mover != BOTH:
        value = value_of(mover, count, scratch.own)
        return value, value
    rows = count // columns
    for row in range(rows):
        for column in range(columns):
            scratch.game[row, column] = scratch.own.values[row * columns + column]
    first, second = scratch.mixtures[0], scratch.mixtures[1]
    solve(scratch.game, rows, columns, first, second, scratch.tableau)
    low, high = guarantees(scratch.game, rows, columns, first, second)
    if low != low or high != high:  # NaN says nothing
        return -1.0, 1.0
    return low, high


# Progress. ----------------------------------------------------------------------------------------


@shared
def progress_of(mover, sign, value, count, branches):
    """Return the progress of the seat of a sign from the successors, where a seat or chance moves.

    It takes its best action of those that preserve the value; the opponent takes any.
    """
    if mover == CHANCE:
        mean = 0.0
        for place in range(count):
            mean += branches.chances[place] * branches.progress[place]
        return mean
    own = (mover == 0) == (sign > 0.0)
    best = 0.0 if own else 1.0
    for place in range(count):
        share = branches.progress[place]
        if not own:
            best = min(best, share)
        elif sign * branches.values[place] >= sign * value - VALUE_LOSS:
            best = max(best, share)
    return best


@shared
def listed_progress(mover, sign, value, count, columns, scratch):
    """Return the progress of the seat of a sign from the successors of a listed state."""
    if mover != BOTH:
        return progress_of(mover, sign, value, count, scratch.own)
    rows = count // columns
    actions, answers = (rows, columns) if sign > 0.0 else (columns, rows)
    values, progress = scratch.own.values, scratch.own.progress
    best = -1.0
    for action in range(actions):
        worst, least = 2.0, 1.0
        for answer in range(answers):
            place = action * columns + answer if sign > 0.0 else answer * columns + action
            worst, least = min(worst, sign * values[place]), min(least, progress[place])
        if worst >= sign * value - VALUE_LOSS:
            best = max(best, least)
    if best >= 0.0:
        return best
    return mixed_progress(sign, actions, answers, columns, scratch)


@shared
def mixed_progress(sign, actions, answers, columns, scratch):
    """Return the progress of the seat of a sign by its mixture, whatever the opponent does."""
    mixture = scratch.mixtures[0] if sign > 0.0 else scratch.mixtures[1]
    least = 1.0
    for answer in range(answers):
        mean = 0.0
        for action in range(actions):
            place = action * columns + answer if sign > 0.0 else answer * columns + action
            mean += mixture[action] * scratch.own.progress[place]
        least = min(least, mean)
    return least
