"""One match of a batch: what a step does to it, written once for the CPU and for a graphics card.

Nothing here is random by itself: chance and agents draw from the stream of their match, at a place
given by the ply and the seat, so that a match is the same wherever it is played.
"""

from typing import Any, NamedTuple

import numpy as np
from numba import types
from numba.extending import overload

from ludex.core import rules as ask
from ludex.core.choice import CLOSE
from ludex.core.observation import legal_bits_at, seen_state
from ludex.core.rules import BOTH, CHANCE, MOST_SEATS, OVER, view
from ludex.core.sampling import nth_share, outcome_at
from ludex.core.search_profile import SearchProfile
from ludex.kernel.bits import contains, emptied, include, is_empty, lowest, members
from ludex.kernel.bits import size as count
from ludex.kernel.counter_rng import NEXT, stream_of, uniform, word_at
from ludex.kernel.jit import INLINED, shared
from ludex.kernel.tuples import define, from_column, write_column
from ludex.learn.lookahead import expected_value

# How the match of a board stands; ILLEGAL plus a seat: it chose an illegal action.
GOING_ON, FINISHED, CUT, ILLEGAL = range(4)
BOTH_ILLEGAL = ILLEGAL + MOST_SEATS
# Places in the stream of a match: at each ply chance has one, each seat, and samples of two seats.
PLACES, CHANCE_PLACE, SEAT_PLACE, SAMPLE_PLACE, START = 8, 0, 1, 5, -2
CUT_OFF = -1  # the length of a match that was cut off


class Policy(NamedTuple):
    """An agent that chooses by estimates: greedy, or at random among what a search considers."""

    greedy: bool
    profile: SearchProfile


Policies = tuple[Policy | None, ...]
"""The agent of each seat; None chooses any legal action."""


class Boards(NamedTuple):
    """Arrays over all boards of a batch, their last axis."""

    fields: np.ndarray
    """The ints of the state."""
    keys: np.ndarray
    """The stream of the match."""
    plies: np.ndarray
    open: np.ndarray
    """The seats without an agent, as bits."""
    ends: np.ndarray
    """How each match stands: GOING_ON, FINISHED, CUT, or ILLEGAL and above."""
    seats: np.ndarray
    """The seat to move, BOTH or OVER."""
    hints: np.ndarray
    """Shaping rewards of the open seat in the last step; without any elements, not wanted."""


class Terms(NamedTuple):
    """What holds for all boards of a batch."""

    plies: int
    """After as many, a match is cut off."""
    drawn: bool
    """Whether each match draws the seat without an agent."""
    acting: int
    """The seats whose actions are given, as bits: boards on which none is to move stay as is."""
    restart: bool
    """Whether matches that have ended start anew."""


class Series(NamedTuple):
    """What holds for whole matches that are played one after another."""

    seed: int
    plies: int
    """After as many, a match is cut off."""
    begin: int = 0
    """The number of the first match, which is also that of its stream."""
    turned: int = 0
    """By how many seats the agents have moved on: that of seat 0 plays at this one."""
    seat: int = 0
    action: int = -1
    """What a seat to move begins with, instead of its agent's action; -1 leaves that to it."""


def check_actions(actions: Any, many: int) -> None:
    """Raise a ValueError unless there is an int for each board: compiled code checks no number."""
    kind = actions.dtype
    if actions.shape != (many,) or kind.kind not in "iu" or kind == np.uint64:
        raise ValueError(
            f"expected {many} whole numbers, one action for each match, of the type int64 or"
            f" smaller, not {kind} of the shape {tuple(actions.shape)}"
        )


# Agents. -----------------------------------------------------------------------------------------


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


@shared
def reply(rules, state, seat, policy, share):
    """Return the action of an agent; what it leaves to chance is decided by a share.

    Without a policy it is any legal action, and nothing else is compiled.
    """
    if policy is None:
        return nth_share(ask.moves(rules, state, seat), share)
    bits = ask.candidates(rules, state, seat, policy.profile)
    if not policy.greedy:
        return nth_share(bits, share)
    equals, best = emptied(bits), -2.0
    for action in members(bits):
        worth = worth_of(rules, state, seat, action, policy.profile)
        if worth > best + CLOSE:
            best, equals = worth, emptied(bits)
        if worth >= best - CLOSE:
            equals = include(equals, action)
    return nth_share(equals, share)


def reply_of(
    policies: Policies, agent: int, rules: Any, state: Any, seat: int, share: float
) -> int:
    """Return the action of one of these agents at a seat."""
    return int(reply(rules, state, seat, policies[agent], share))


@overload(reply_of, strict=False, jit_options=INLINED)
def _reply_of(policies: Any, agent: Any, rules: Any, state: Any, seat: Any, share: Any) -> Any:
    given = "policies, agent, rules, state, seat, share"
    if isinstance(policies, types.UniTuple) and policies.dtype == types.none:
        return define(given, ["return reply(rules, state, seat, None, share)"], reply=reply)
    lines = [
        f"if agent == {one}: return reply(rules, state, seat, policies[{one}], share)"
        for one in range(1, len(policies))
    ]
    lines.append("return reply(rules, state, seat, policies[0], share)")
    return define(given, lines, reply=reply)


@shared
def agent_action(policies, rules, state, seat, key, ply, turned):
    """Return the action of the agent at a seat, drawn from the stream of the match."""
    seen = ask.information_state(rules, state, seat)
    share = uniform(key, PLACES * ply + SEAT_PLACE + seat)
    agent = seat - turned if seat >= turned else seat - turned + ask.seats(rules)
    return reply_of(policies, agent, rules, seen, seat, share)


@shared
def automatic_move(policies, rules, state, mover, key, ply, turned):
    """Return the move of chance or of the agents of all seats to move."""
    if mover == CHANCE:
        return outcome_at(rules, state, uniform(key, PLACES * ply + CHANCE_PLACE))
    if mover == BOTH:
        first = agent_action(policies, rules, state, 0, key, ply, turned)
        return ask.pair(first, agent_action(policies, rules, state, 1, key, ply, turned))
    return agent_action(policies, rules, state, mover, key, ply, turned)


# Steps. ------------------------------------------------------------------------------------------


@shared
def is_legal(rules, state, seat, action):
    """Return whether an action, which may be any int, is legal for a seat that is to move."""
    return 0 <= action < ask.actions(rules) and contains(ask.moves(rules, state, seat), action)


@shared
def open_seats(mover, seats):
    """Return the seats without an agent among those to move, as bits."""
    if mover == BOTH:
        return seats & 3
    return seats & 1 << mover if mover >= 0 else 0


@shared
def end_by_actions(rules, state, asked, first, second):
    """Return how a match stands after these actions of the seats that are asked, as bits."""
    end = GOING_ON
    for seat in range(ask.seats(rules)):
        if asked >> seat & 1 and not is_legal(rules, state, seat, second if seat == 1 else first):
            end = ILLEGAL + seat if end == GOING_ON else BOTH_ILLEGAL
    return end


@shared
def joint_move(policies, rules, state, mover, seats, first, second, key, ply):
    """Return the move of all seats to move: these actions, and those of agents."""
    if mover != BOTH:
        return second if mover == 1 else first
    if not seats & 1:
        first = agent_action(policies, rules, state, 0, key, ply, 0)
    if not seats & 2:
        second = agent_action(policies, rules, state, 1, key, ply, 0)
    return ask.pair(first, second)


@shared
def step_board(policies, rules, first, boards, board, terms, chosen, others):
    """Step one match with the actions chosen for it, up to the next decision of an open seat.

    A match that has ended starts anew, and ignores the actions. `others` are the actions of seat
    1, `chosen` those of all other seats.
    """
    # All is read before anything is decided: a card then waits for its memory only once.
    state = from_column(first, boards.fields, board)
    key, ply = int(boards.keys[board]), int(boards.plies[board])
    end, seats, mover = GOING_ON, int(boards.open[board]), int(boards.seats[board])
    actions = int(chosen[board]), int(others[board])
    restarted = boards.ends[board] != GOING_ON
    if restarted:
        if not terms.restart:
            return
        state, ply, key, mover = first, 0, word_at(key, NEXT), ask.turn(rules, first)
        if terms.drawn:
            seats = 1 << int(uniform(key, START) * ask.seats(rules))
    elif ply < terms.plies and mover != OVER:  # else it ended before the first decision
        asked = open_seats(mover, seats)
        if not asked & terms.acting:
            return
        end = end_by_actions(rules, state, asked, *actions)
    waiting, hint = not restarted, 0.0  # whether the actions are still to be played
    while end == GOING_ON:
        if mover == OVER or ply >= terms.plies:
            # A match that ends before the first decision ends with the next step.
            if not restarted:
                end = FINISHED if mover == OVER else CUT
            break
        asked = open_seats(mover, seats)
        if asked and not waiting:
            break
        if asked:
            move = joint_move(policies, rules, state, mover, seats, *actions, key, ply)
            waiting = False
        else:
            move = automatic_move(policies, rules, state, mover, key, ply, 0)
        after = ask.apply(rules, state, move)
        if len(boards.hints) and not restarted:
            hint += ask.reward(rules, state, after, lowest(seats))
        state = after
        mover = ask.turn(rules, state)
        ply += 1
    write_column(state, boards.fields, board)
    boards.plies[board], boards.ends[board] = ply, end
    boards.seats[board] = mover if end == GOING_ON else OVER
    if restarted:
        boards.keys[board], boards.open[board] = key, seats
    if len(boards.hints):
        boards.hints[board] = hint


# What is seen of a board. ------------------------------------------------------------------------


@shared
def viewer_of(boards, board):
    """Return whose view of a board is meant: an open seat to move, else the lowest open one."""
    mover, seats = int(boards.seats[board]), int(boards.open[board])
    asked = open_seats(mover, seats)
    return lowest(asked) if asked else lowest(seats) if seats else 0


@shared
def view_board(rules, first, boards, board, viewer, planes):
    """Write the observation of a seat, or of the viewer if it is -1, into planes that are all 0."""
    state = from_column(first, boards.fields, board)
    seat = viewer if viewer >= 0 else viewer_of(boards, board)
    view(rules, seen_state(rules, state, seat), seat, planes)  # Numba takes `.view` for an array's


@shared
def mask_board(rules, first, boards, board, viewer, mask):
    """Write the legal actions of a seat, or of the viewer if it is -1; all if it has none."""
    bits = legal_on(rules, first, boards, board, viewer)
    for action in range(ask.actions(rules)):
        mask[action] = is_empty(bits) or contains(bits, action)


@shared
def legal_on(rules, first, boards, board, viewer):
    """Return the legal actions on a board of a seat, or of the viewer if it is -1."""
    state = from_column(first, boards.fields, board)
    seat = viewer if viewer >= 0 else viewer_of(boards, board)
    return legal_bits_at(rules, state, seat, int(boards.seats[board]))


@shared
def sample_board(rules, first, boards, board, viewer, actions):
    """Write a random legal action of a seat, or of the viewer if it is -1; 0 if it has none."""
    place = PLACES * int(boards.plies[board]) + SAMPLE_PLACE + (viewer & 1)
    share = uniform(int(boards.keys[board]), place)
    bits = legal_on(rules, first, boards, board, viewer)
    actions[board] = 0 if is_empty(bits) else nth_share(bits, share)


@shared
def worth_on(rules, first, boards, board, seat):
    """Return the returns of a seat: 0 while the match goes on, and if it is cut off."""
    end = int(boards.ends[board])
    if end == FINISHED:
        return ask.returns(rules, from_column(first, boards.fields, board), seat)
    if end < ILLEGAL or end == BOTH_ILLEGAL:
        return 0.0
    return -1.0 if seat == end - ILLEGAL else 1.0 / (ask.seats(rules) - 1)


@shared
def score_board(rules, first, boards, board, returns):
    """Write the returns of all seats."""
    for seat in range(ask.seats(rules)):
        returns[board, seat] = worth_on(rules, first, boards, board, seat)


@shared
def settle_board(rules, first, boards, board, rewards, over, cut, illegal, mine):
    """Write what `Outcome` has of a board."""
    seat, end = lowest(int(boards.open[board])), int(boards.ends[board])
    hint = boards.hints[board] if len(boards.hints) else 0.0
    rewards[board] = hint + worth_on(rules, first, boards, board, seat)
    over[board], cut[board] = end == FINISHED or end >= ILLEGAL, end == CUT
    illegal[board], mine[board] = end >= ILLEGAL, seat


# Whole matches. ----------------------------------------------------------------------------------


@shared
def with_first_action(mover, move, seat, action):
    """Return a move in which a seat, which is to move, takes an action."""
    if mover != BOTH:
        return action
    if seat == 0:
        return ask.pair(action, ask.part(move, 1))
    return ask.pair(ask.part(move, 0), action)


@shared
def play_matches(policies, rules, first, starts, series, results, part):
    """Play a part of the matches of a series, one after another, between agents.

    A part is a number, the end, and the stride to the next. Each match has a column of `starts`, or
    all have the only one. The loop is over plies, not over matches: side by side on a card, short
    matches wait for none.
    """
    returns, lengths = results
    match, high, stride = part
    last = starts.shape[1] - 1
    start = from_column(first, starts, 0)
    ply, state, key = 0, start, stream_of(series.seed, series.begin + match)
    if last > 0 and match < high:
        state = from_column(first, starts, match)
    while match < high:
        mover = ask.turn(rules, state)
        if mover == OVER or ply >= series.plies:
            for seat in range(ask.seats(rules)):
                returns[match, seat] = ask.returns(rules, state, seat) if mover == OVER else 0.0
            lengths[match] = ply if mover == OVER else CUT_OFF
            match += stride
            ply, state, key = 0, start, stream_of(series.seed, series.begin + match)
            if last > 0 and match < high:
                state = from_column(first, starts, match)
            mover = ask.turn(rules, state)
            if mover == OVER or series.plies == 0:
                continue
        # One that has just ended goes on with the first ply of the next: its neighbours wait less.
        move = automatic_move(policies, rules, state, mover, key, ply, series.turned)
        if ply == 0 and series.action >= 0:
            move = with_first_action(mover, move, series.seat, series.action)
        state = ask.apply(rules, state, move)
        ply += 1
