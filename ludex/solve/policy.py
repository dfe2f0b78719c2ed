"""A fixed policy of one seat: the states it can be queried about, and its answers.

Only states that are reachable under the policy matter, whatever the other seat and chance do. They
are found in waves: the policy answers for all states of a wave in which the seat moves, and the
successors of these answers are the next wave.
"""

from collections.abc import Callable
from typing import NamedTuple

import numpy as np

from ludex.core.play import choices, describe
from ludex.core.rules import BOTH, Rules, actions, moves, turn
from ludex.kernel.bits import lowest
from ludex.kernel.jit import compiled, shared
from ludex.solve.states.keys import columns, unpack
from ludex.solve.states.state_space import Listing, number_of
from ludex.solve.states.successors import END, MATRIX, ODDS, Scratch, expand, make_scratch

Policy = Callable[[np.ndarray, int], np.ndarray]
"""For states as rows of ints, and a seat: the probability of each action, a row for each state."""


class FixedPolicy(NamedTuple):
    """A seat that keeps to its weights, and where those of each state begin."""

    seat: int
    places: np.ndarray
    weights: np.ndarray


UNREACHED = -1
SHARE_ERROR = 1e-6  # by how much the probabilities of a state may miss 1


@shared
def seat_choices(rules, state, seat):
    """Return the actions, as bits, among which the seat is to choose in a state."""
    mover = turn(rules, state)
    return moves(rules, state, seat) if mover == seat or mover == BOTH else 0


@compiled
def note_choosing(rules, listing, seat, numbers, chooses):
    """Write for each state of these numbers whether the seat is to choose there."""
    like, _, fields, keys, _, _, _ = listing
    for index in range(len(numbers)):
        state = unpack(like, int(keys[numbers[index]]), fields)
        chooses[index] = seat_choices(rules, state, seat) != 0


@compiled
def take_shares(rules, listing, fixed, numbers, shares, even, used):
    """Keep the shares of the legal actions as weights, in order; return how many are used then.

    If even they are all equal. If those of a state do not sum to 1: -1 - INDEX of its number.
    """
    like, _, fields, keys, _, _, _ = listing
    seat, places, weights = fixed
    for index in range(len(numbers)):
        places[numbers[index]] = used
        bits = seat_choices(rules, unpack(like, int(keys[numbers[index]]), fields), seat)
        begin = used
        total = 0.0
        while bits:
            weights[used] = 1.0 if even else shares[index, lowest(bits)]
            total += weights[used]
            used += 1
            bits &= bits - 1
        if even:
            weights[begin:used] /= total
        elif not abs(total - 1.0) <= SHARE_ERROR:  # nor is it if that is not a number
            return -1 - index
    return used


@shared
def answer(seat, weights, place, nodes, written, kinds, degrees, targets, odds, own):
    """Turn a seat's choice in an expansion into chance, by weights that begin at a place.

    Where both choose, the other seat then chooses among chances. Return how many nodes and
    targets there are.
    """
    last = nodes - 1
    kind, degree = kinds[last], degrees[last]
    begin = written - degree
    if kind == seat:
        kinds[last] = ODDS
        odds[begin:written] = weights[place : place + degree]
    if kind < MATRIX:
        return nodes, written
    columns = kind - MATRIX
    rows = degree // columns
    mine, theirs = (rows, columns) if seat == 0 else (columns, rows)
    own[:degree] = targets[begin:written]
    for other in range(theirs):
        for action in range(mine):
            pair = action * columns + other if seat == 0 else other * columns + action
            targets[begin + other * mine + action] = own[pair]
            odds[begin + other * mine + action] = weights[place + action]
        kinds[last + other], degrees[last + other] = ODDS, mine
        targets[written + other] = -1 - (last + other)
    kinds[last + theirs], degrees[last + theirs] = 1 - seat, theirs
    return nodes + theirs, written + theirs


def make_answer_scratch(rules: Rules) -> Scratch:
    """Return scratch for expansions with room for what `answer` adds."""
    more = actions(rules)
    return Scratch(
        *(np.concatenate([one, np.zeros(more, one.dtype)]) for one in make_scratch(rules))
    )


@compiled
def follow(rules, listing, fixed, queue, done, reached, scratch):
    """Queue what may follow the states of a wave; return how many states are reached then.

    The wave is queue[done:reached].
    """
    like, folding, fields, keys, slots, _, _ = listing
    seat, places, weights = fixed
    kinds, degrees, targets, odds, own = scratch
    used = np.zeros(len(kinds), np.int8)
    for index in range(done, reached):
        number = queue[index]
        state = unpack(like, int(keys[number]), fields)
        nodes, written = expand(rules, state, folding, fields, kinds, degrees, targets, odds, own)
        if kinds[nodes - 1] == END:
            continue
        nodes, written = answer(
            seat, weights, places[number], nodes, written, kinds, degrees, targets, odds, own
        )
        used[: nodes - 1] = 0
        used[nodes - 1] = 1
        # A node comes after those it leads to, so from the last to the first all uses are known.
        end = written
        for node in range(nodes - 1, -1, -1):
            begin = end - degrees[node]
            for place in range(begin, end if used[node] else begin):
                key = int(targets[place])
                if kinds[node] == ODDS and odds[place] <= 0.0:
                    continue
                if key < 0:
                    used[-1 - key] = 1
                    continue
                after = number_of(key, keys, slots)
                if places[after] == UNREACHED:
                    places[after] = 0
                    queue[reached] = after
                    reached += 1
            end = begin
    return reached


class Answers:
    """What a policy answers at every state that a seat can reach by it.

    A state that stands for others by symmetry is asked about in their place. Without a policy
    the seat chooses each of its legal actions as likely.
    """

    def __init__(self, rules: Rules, listing: Listing, seat: int, policy: Policy | None) -> None:
        self.rules, self.listing, self.seat, self.policy = rules, listing, seat, policy
        self.states = len(listing.keys)
        self.places = np.full(self.states, UNREACHED, np.int64)
        """Where the weights of a state begin, if the seat is to choose there."""
        self.weights = np.zeros(1024)
        self.used = self.done = self.choices = 0
        self.queue = np.zeros(self.states, np.int32)
        self.scratch = make_answer_scratch(rules)
        self.places[0], self.reached = 0, 1

    @property
    def fixed(self) -> FixedPolicy:
        """What compiled code needs of the answers."""
        return FixedPolicy(self.seat, self.places, self.weights)

    @property
    def whole(self) -> bool:
        """Whether every state that can be reached has been."""
        return self.done == self.reached

    def go_on(self) -> None:
        """Ask about one more wave."""
        listing, wave = self.listing, self.queue[self.done : self.reached]
        chooses = np.zeros(len(wave), np.bool_)
        note_choosing(self.rules, listing, self.seat, wave, chooses)
        numbers = wave[chooses]
        self.choices += len(numbers)
        self.make_room(len(numbers) * actions(self.rules))
        shares = np.zeros((0, actions(self.rules)))
        if self.policy and len(numbers):
            shares = self.policy(rows_of(listing, numbers), self.seat)
        even = self.policy is None
        used = take_shares(self.rules, listing, self.fixed, numbers, shares, even, self.used)
        if used < 0:
            state = listing.state(int(numbers[-1 - used]))
            total = shares[-1 - used, choices(self.rules, state, self.seat)].sum()
            raise ValueError(
                f"the probabilities of the legal actions sum to {total:.6g}, not 1:"
                f" {describe(self.rules, state)}"
            )
        reached = follow(
            self.rules, listing, self.fixed, self.queue, self.done, self.reached, self.scratch
        )
        self.used, self.done, self.reached = int(used), self.reached, int(reached)

    def make_room(self, more: int) -> None:
        """Let so many more weights fit."""
        missing = self.used + more - len(self.weights)
        if missing > 0:
            wider = np.zeros(max(missing, len(self.weights)))
            self.weights = np.concatenate([self.weights, wider])


def rows_of(listing: Listing, numbers: np.ndarray) -> np.ndarray:
    """Return the states of these numbers as rows of ints."""
    return np.stack(list(columns(listing.keys[numbers], listing.fields)), axis=1)
