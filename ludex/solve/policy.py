"""A fixed policy of one seat: the states that it reaches, and its probabilities there.

Only states that are reachable under the policy matter, whatever the other seat and chance do. They
are found in waves: the policy is queried for all states of a wave in which the seat moves, and the
successors of its actions are the next wave.
"""

from collections.abc import Callable
from typing import NamedTuple

import numpy as np

from ludex.core.play import choices, describe
from ludex.core.rules import BOTH, Rules, actions, moves, no_moves, turn
from ludex.kernel.bits import is_empty, members
from ludex.kernel.jit import allocating, compiled, shared
from ludex.solve.states import successors
from ludex.solve.states.index import number_of
from ludex.solve.states.keys import columns, unpack
from ludex.solve.states.listing import Listing
from ludex.solve.states.successors import EXPECTATION, MATRIX, TERMINAL, Scratch

Policy = Callable[[np.ndarray, int], np.ndarray]
"""From states as rows of ints and a seat to the probability of each action, in rows."""


class FixedPolicy(NamedTuple):
    """A seat, its weights, and where those of each state begin, or UNREACHED."""

    seat: int
    places: np.ndarray
    weights: np.ndarray


UNREACHED = -1
PROBABILITY_TOLERANCE = 1e-6  # of the sum of the probabilities in a state


@shared
def seat_choices(rules, state, seat):
    """Return the actions of the seat in a state, as a bit set; none if it is not to move."""
    mover = turn(rules, state)
    return moves(rules, state, seat) if mover == seat or mover == BOTH else no_moves(rules)


@compiled
def mark_choices(rules, listing, seat, numbers, chooses):
    """Write for each state of these numbers whether the seat is to move."""
    like, _, fields, keys, _, _, _ = listing
    for index in range(len(numbers)):
        state = unpack(like, int(keys[numbers[index]]), fields)
        chooses[index] = not is_empty(seat_choices(rules, state, seat))


@compiled
def store_probabilities(rules, listing, fixed, numbers, probabilities, uniform, used):
    """Store the probabilities of the legal actions as weights; return how many are used.

    All are equal if `uniform`. If those of a state do not sum to 1: -1 - INDEX of its number.
    """
    like, _, fields, keys, _, _, _ = listing
    seat, places, weights = fixed
    for index in range(len(numbers)):
        places[numbers[index]] = used
        bits = seat_choices(rules, unpack(like, int(keys[numbers[index]]), fields), seat)
        begin = used
        total = 0.0
        for action in members(bits):
            weights[used] = 1.0 if uniform else probabilities[index, action]
            total += weights[used]
            used += 1
        if uniform:
            # One by one, as below: what checks the shapes of slices takes a second to compile.
            for place in range(begin, used):
                weights[place] /= total
        elif not abs(total - 1.0) <= PROBABILITY_TOLERANCE:  # also true of NaN
            return -1 - index
    return used


@shared
def apply_policy(seat, weights, place, nodes, written, kinds, degrees, targets, chances, own):
    """Turn the choice of a seat in an expansion into chance, by weights from a place on.

    At a simultaneous move the other seat then chooses among chance nodes. Return the numbers of
    nodes and targets.
    """
    last = nodes - 1
    kind, degree = kinds[last], degrees[last]
    begin = written - degree
    if kind == seat:
        kinds[last] = EXPECTATION
        for index in range(degree):
            chances[begin + index] = weights[place + index]
    if kind < MATRIX:
        return nodes, written
    columns = kind - MATRIX
    rows = degree // columns
    mine, theirs = (rows, columns) if seat == 0 else (columns, rows)
    for index in range(degree):
        own[index] = targets[begin + index]
    for other in range(theirs):
        for action in range(mine):
            pair = action * columns + other if seat == 0 else other * columns + action
            targets[begin + other * mine + action] = own[pair]
            chances[begin + other * mine + action] = weights[place + action]
        kinds[last + other], degrees[last + other] = EXPECTATION, mine
        targets[written + other] = -1 - (last + other)
    kinds[last + theirs], degrees[last + theirs] = 1 - seat, theirs
    return nodes + theirs, written + theirs


@allocating
def queue_successors(rules, listing, fixed, queue, done, reached, scratch):
    """Queue the successors of a wave, queue[done:reached]; return the number of states reached."""
    like, folding, fields, keys, lookup, _, _ = listing
    seat, places, weights = fixed
    kinds, degrees, targets, chances, own, seen = scratch
    used = np.zeros(len(kinds), np.int8)
    for queued in range(done, reached):
        number = queue[queued]
        state = unpack(like, int(keys[number]), fields)
        nodes, written = successors.expand(
            rules, state, folding, fields, kinds, degrees, targets, chances, own, seen
        )
        if kinds[nodes - 1] == TERMINAL:
            continue
        nodes, written = apply_policy(
            seat, weights, places[number], nodes, written, kinds, degrees, targets, chances, own
        )
        used[: nodes - 1] = 0
        used[nodes - 1] = 1
        # A node comes after its targets, so backwards it is known whether each is used.
        end = written
        for node in range(nodes - 1, -1, -1):
            begin = end - degrees[node]
            for place in range(begin, end if used[node] else begin):
                key = int(targets[place])
                if kinds[node] == EXPECTATION and chances[place] <= 0.0:
                    continue
                if key < 0:
                    used[-1 - key] = 1
                    continue
                after = number_of(key, keys, lookup)
                if places[after] == UNREACHED:
                    places[after] = 0
                    queue[reached] = after
                    reached += 1
            end = begin
    return reached


def make_policy_scratch(rules: Rules) -> Scratch:
    """Return the scratch for a game, with room for the nodes that `apply_policy` adds."""
    scratch = successors.make_scratch(rules)
    padded = Scratch(*(np.pad(one, (0, actions(rules))) for one in scratch))
    return padded._replace(seen=scratch.seen)


class Answers:
    """The probabilities of a policy at every state that it reaches.

    It is queried for canonical states only. Without a policy the seat plays uniformly at random.
    """

    def __init__(self, rules: Rules, listing: Listing, seat: int, policy: Policy | None) -> None:
        self.rules, self.listing, self.seat, self.policy = rules, listing, seat, policy
        self.states = len(listing.keys)
        self.places = np.full(self.states, UNREACHED, np.int64)
        """Where the weights of a state begin, if the seat is to move."""
        self.weights = np.zeros(1024)
        self.used = self.done = self.choices = 0
        self.queue = np.zeros(self.states, np.int32)
        self.scratch = make_policy_scratch(rules)
        start = listing.number(rules, listing.first)
        self.queue[0], self.places[start], self.reached = start, 0, 1

    @property
    def fixed(self) -> FixedPolicy:
        """The policy for compiled code."""
        return FixedPolicy(self.seat, self.places, self.weights)

    @property
    def complete(self) -> bool:
        """Whether every reachable state has been reached."""
        return self.done == self.reached

    def answer_wave(self) -> None:
        """Query the policy for the next wave."""
        listing, wave = self.listing, self.queue[self.done : self.reached]
        chooses = np.zeros(len(wave), np.bool_)
        mark_choices(self.rules, listing, self.seat, wave, chooses)
        numbers = wave[chooses]
        self.choices += len(numbers)
        self.make_room(len(numbers) * actions(self.rules))
        probabilities = np.zeros((0, actions(self.rules)))
        if self.policy and len(numbers):
            rows = np.stack(list(columns(listing.keys[numbers], listing.fields)), axis=1)
            probabilities = self.policy(rows, self.seat)
        uniform = self.policy is None
        used = store_probabilities(
            self.rules, listing, self.fixed, numbers, probabilities, uniform, self.used
        )
        if used < 0:
            state = listing.state(int(numbers[-1 - used]))
            total = probabilities[-1 - used, choices(self.rules, state, self.seat)].sum()
            raise ValueError(
                f"the probabilities of the legal actions sum to {total:.6g}, not 1:"
                f" {describe(self.rules, state)}"
            )
        reached = queue_successors(
            self.rules, listing, self.fixed, self.queue, self.done, self.reached, self.scratch
        )
        self.used, self.done, self.reached = int(used), self.reached, int(reached)

    def make_room(self, more: int) -> None:
        """Make room for more weights."""
        missing = self.used + more - len(self.weights)
        if missing > 0:
            wider = np.zeros(max(missing, len(self.weights)))
            self.weights = np.concatenate([self.weights, wider])
