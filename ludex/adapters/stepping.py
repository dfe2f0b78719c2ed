"""Step a batch of matches in one call of compiled code, including the replies of opponents."""

from typing import NamedTuple

import numpy as np

from ludex.adapters.view import legal_bits
from ludex.core import rules as ask
from ludex.core.choice import CLOSE
from ludex.core.rules import BOTH, CHANCE, OVER, view
from ludex.core.sampling import pick, pick_outcome
from ludex.core.search_profile import SearchProfile
from ludex.kernel.bits import contains, emptied, include, is_empty, members
from ludex.kernel.bits import size as count
from ludex.kernel.jit import compiled, shared
from ludex.kernel.tuples import from_row, write_row
from ludex.learn.lookahead import expected_value

ILLEGAL = 2  # an end; 0 is a match that goes on, 1 one that is over


@shared
def worth_of(rules, state, seat, action, profile):
    """Return the estimated value of an action; at BOTH, the mean over the other's actions."""
    both = ask.turn(rules, state) == BOTH
    bits = ask.candidates(rules, state, 1 - seat, profile) if both else ask.lone_move(rules)
    total, many = 0.0, count(bits)
    for other in members(bits):
        move = action
        if both:
            move = ask.pair(action, other) if seat == 0 else ask.pair(other, action)
        total += expected_value(rules, ask.apply(rules, state, move), seat, profile)
    return total / many


@compiled
def reply(rules, state, seat, greedy, profile, rng):
    """Return the action of an agent; ties are broken uniformly at random.

    Without a profile it is any legal action, and nothing else is compiled.
    """
    if profile is None:
        return pick(ask.moves(rules, state, seat), rng)
    bits = ask.candidates(rules, state, seat, profile)
    if not greedy:
        return pick(bits, rng)
    equals, best = emptied(bits), -2.0
    for action in members(bits):
        worth = worth_of(rules, state, seat, action, profile)
        if worth > best + CLOSE:
            best, equals = worth, emptied(bits)
        if worth >= best - CLOSE:
            equals = include(equals, action)
    return pick(equals, rng)


@shared
def joint_move(rules, state, seat, action, greedy, profile, rng):
    """Return the move of all seats to move: one with this action, the others as agents."""
    mover = ask.turn(rules, state)
    low, high = (0, 1) if mover == BOTH else (mover, mover)
    move = 0
    for one in range(low, high + 1):
        choice = action if one == seat else reply(rules, state, one, greedy, profile, rng)
        move = ask.with_action(mover, move, one, choice)
    return move


class Batch(NamedTuple):
    """Many matches: their states as rows, your seats, their plies, and which have ended."""

    rows: np.ndarray
    seats: np.ndarray
    plies: np.ndarray
    ended: np.ndarray


class Terms(NamedTuple):
    """The maximum of plies, your seat (-1 for any), shaping rewards, and the opponents."""

    plies: int
    seat: int
    hints: bool
    greedy: bool
    profile: SearchProfile | None


class Steps(NamedTuple):
    """The results of a step: observations, action masks, rewards, and ends."""

    planes: np.ndarray
    masks: np.ndarray
    rewards: np.ndarray
    over: np.ndarray
    cut: np.ndarray


@compiled
def step_all(rules, first, batch, chosen, terms, rng, steps):
    """Step every match of a batch, and write the results; restart those that had ended."""
    rows, mine, plies, ended = batch
    most, fixed, hints, greedy, profile = terms
    planes, masks, rewards, over, cut = steps
    for table in range(len(rows)):
        state = from_row(first, rows, table)
        seat = int(mine[table])
        rewards[table], over[table], cut[table] = 0.0, 0, 0
        action = int(chosen[table])
        if ended[table]:
            state = first
            seat = int(rng.random() * ask.seats(rules)) if fixed < 0 else fixed
            mine[table], plies[table], action = seat, 0, -1
        elif ask.turn(rules, state) != OVER and plies[table] < most:
            bits = legal_bits(rules, state, seat)
            if action < 0 or action >= ask.actions(rules) or not contains(bits, action):
                rewards[table], over[table] = -1.0, ILLEGAL
        while over[table] == 0 and cut[table] == 0:
            mover = ask.turn(rules, state)
            if mover == OVER:
                # A match that ends before your first decision ends with your next step.
                if not ended[table]:
                    over[table] = 1
                    rewards[table] += ask.returns(rules, state, seat)
                break
            if plies[table] >= most:
                if not ended[table]:
                    cut[table] = 1
                break
            if mover == CHANCE:
                move = pick_outcome(rules, state, rng)
            else:
                asked = mover == seat or (mover == BOTH and seat < 2)
                if asked and action < 0:
                    break
                move = joint_move(rules, state, seat, action, greedy, profile, rng)
                if asked:
                    action = -1
            after = ask.apply(rules, state, move)
            if hints and not ended[table]:
                rewards[table] += ask.reward(rules, state, after, seat)
            state = after
            plies[table] += 1
        write_row(state, rows, table)
        ended[table] = over[table] != 0 or cut[table] != 0
        view(rules, state, seat, planes[table])
        bits = ask.no_moves(rules) if ended[table] else legal_bits(rules, state, seat)
        for one in range(ask.actions(rules)):
            masks[table, one] = is_empty(bits) or contains(bits, one)
