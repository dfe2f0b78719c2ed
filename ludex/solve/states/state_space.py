"""All reachable states of a game, indexed, except those folded into others.

A state is found by its key in a hash table with open addressing. The enumeration detects fields
that change monotonically: by them the game can later be solved backwards.
"""

from collections.abc import Callable
from typing import NamedTuple

import numpy as np

from ludex.core.rules import CHANCE, Rules, State, canonical, outcomes, turn
from ludex.core.sampling import playout
from ludex.kernel.hash_table import enter, slot_of
from ludex.kernel.jit import compiled, shared
from ludex.kernel.tuples import flatten
from ludex.solve.states import successors
from ludex.solve.states.keys import MOST_BITS, fields_for, pack, unpack, widen_field
from ludex.solve.states.successors import FOLD_CHANCE, FOLD_DECISIONS, NO_FOLDING

# Indices into the work array of a listing.
COUNT, DONE, MISFIT, TARGET_COUNT = 0, 1, 2, 3
DONE_EVERYTHING, NO_ROOM = 0, 1  # why `explore` returned; below 0 a field is too narrow
WAVE = 1 << 16  # states that are expanded between progress reports
PLAYOUTS, PLAYOUT_PLIES = 50, 400  # random matches from which the fields are estimated
SAMPLED, SAMPLED_EVERY = 5000, 5  # states from which the folding is chosen: every fifth of these


@shared
def number_of(key, keys, slots):
    """Return the number of a key, or -1."""
    return int(slots[slot_of(key, keys, slots)]) - 1


@compiled
def repack(like, keys, count, fields, wider):
    """Repack the first keys with wider fields."""
    for number in range(count):
        keys[number] = pack(unpack(like, int(keys[number]), fields), wider)


@compiled
def explore(rules, listing, rises, falls, work, most, scratch):
    """Expand states breadth-first from work[DONE] on, and number their successors.

    Return why it stopped: after `most` states, for lack of room, or at a field that is too
    narrow. rises and falls are set for the fields that increased and decreased.
    """
    like, folding, fields, keys, slots, _, _ = listing
    kinds, degrees, targets, chances, own = scratch
    last = work[DONE] + most
    while work[DONE] < min(last, work[COUNT]):
        if work[COUNT] + len(targets) > len(keys):
            return NO_ROOM
        before = unpack(like, int(keys[work[DONE]]), fields)
        nodes, written = successors.expand(
            rules, before, folding, fields, kinds, degrees, targets, chances, own
        )
        if nodes < 0:
            work[MISFIT] = written
            return nodes
        work[TARGET_COUNT] += written
        for place in range(written):
            key = int(targets[place])
            if key < 0:
                continue
            slot = slot_of(key, keys, slots)
            if slots[slot] == 0:
                keys[work[COUNT]] = key
                work[COUNT] += 1
                slots[slot] = work[COUNT]
            old, new = flatten(before), flatten(unpack(like, key, fields))
            for field in range(len(new)):
                if new[field] > old[field]:
                    rises[field] = 1
                elif new[field] < old[field]:
                    falls[field] = 1
        work[DONE] += 1
    return DONE_EVERYTHING


class Unsolvable(ValueError):
    """No exact value can be computed."""


class TooBig(Unsolvable):
    """There are more states than fit into memory."""


class Listing(NamedTuple):
    """Numbered states: keys by number, and a hash table from keys to numbers."""

    first: State
    folding: int
    fields: np.ndarray
    keys: np.ndarray
    slots: np.ndarray
    directions: np.ndarray
    """1 for a field that never decreases, -1 for one that never increases, 0 for others."""
    targets: int
    """The number of transitions, including those from and to folded states."""

    def number(self, rules: Rules, state: State) -> int:
        """Return the number of a state, or -1."""
        key = pack(canonical(rules, state), self.fields)
        return number_of(key, self.keys, self.slots) if key >= 0 else -1

    def state(self, number: int) -> State:
        """Return the state with a number."""
        return unpack(self.first, int(self.keys[number]), self.fields)


class Exploration:
    """A breadth-first enumeration of states."""

    def __init__(self, rules: Rules, first: State, folding: int, fields: np.ndarray) -> None:
        self.rules, self.scratch = rules, successors.make_scratch(rules)
        self.rises, self.falls = np.zeros((2, len(flatten(first))), np.int64)
        size = 1 << max(12, (2 * len(self.scratch.targets)).bit_length())
        keys, slots = np.zeros(size, np.int64), np.zeros(2 * size, np.int32)
        first = canonical(rules, first)
        self.found = Listing(first, folding, check_fields(fields), keys, slots, self.rises, 0)
        self.work = np.zeros(TARGET_COUNT + 1, np.int64)
        keys[0], self.work[COUNT] = pack(first, fields), 1
        enter(keys, 1, slots)

    @property
    def count(self) -> int:
        """The number of states found so far."""
        return int(self.work[COUNT])

    @property
    def done(self) -> int:
        """The number of states expanded so far."""
        return int(self.work[DONE])

    def expand_states(self, most: int) -> None:
        """Expand at most this many states, or make room for more."""
        first, _, fields, keys, *_ = found = self.found
        why = explore(self.rules, found, self.rises, self.falls, self.work, most, self.scratch)
        if why == NO_ROOM:
            keys = np.concatenate([keys, np.zeros_like(keys)])
        elif why < 0:
            wider = check_fields(widen_field(fields, -1 - int(why), int(self.work[MISFIT])))
            repack(first, keys, self.count, fields, wider)
            fields = wider
        if why != DONE_EVERYTHING:
            slots = np.zeros(2 * len(keys), np.int32)
            enter(keys, self.count, slots)
            self.found = found._replace(fields=fields, keys=keys, slots=slots)

    def listing(self) -> Listing:
        """Return the states found so far."""
        return self.found._replace(
            keys=self.found.keys[: self.count].copy(),
            directions=self.rises - self.falls,
            targets=int(self.work[TARGET_COUNT]),
        )


def list_states(
    rules: Rules,
    first: State,
    folding: int,
    room: int,
    tell: Callable[[int, int], None] = lambda done, count: None,
) -> Listing:
    """Return all states reachable from a first one; `tell` gets the numbers done and known."""
    exploration = explore_states(rules, first, folding, room, tell)
    if exploration.done < exploration.count:
        raise TooBig(f"more than {room:,} states")
    return exploration.listing()


def explore_states(
    rules: Rules,
    first: State,
    folding: int,
    most: int,
    tell: Callable[[int, int], None] = lambda done, count: None,
) -> Exploration:
    """Return an exploration that is complete, or has found more than `most` states."""
    exploration = Exploration(rules, first, folding, sample_fields(rules, first))
    while exploration.done < exploration.count <= most:
        exploration.expand_states(WAVE)
        tell(exploration.done, exploration.count)
    return exploration


def check_fields(fields: np.ndarray) -> np.ndarray:
    """Return the fields, or raise TooBig if they need too many bits for a key."""
    bits = int(fields[:, 1].sum())
    if bits > MOST_BITS:
        raise TooBig(f"up to 2**{bits} states")
    return fields


def sample_fields(rules: Rules, first: State) -> np.ndarray:
    """Return fields that fit the states of some random matches."""
    rng = np.random.default_rng(0)
    lengths = [int(rng.random() * PLAYOUT_PLIES) for _ in range(PLAYOUTS)]
    drawn = (playout(rules, first, rng, length) for length in lengths)
    return fields_for([canonical(rules, first), *drawn])


def best_folding(rules: Rules, first: State) -> int:
    """Return what to fold: chance or decisions, whichever has more states."""
    if outcomes(rules) == 0:
        return NO_FOLDING
    exploration = explore_states(rules, first, NO_FOLDING, SAMPLED)
    listing = exploration.listing()
    sampled = range(0, exploration.done, SAMPLED_EVERY)
    movers = [turn(rules, listing.state(number)) for number in sampled]
    return FOLD_CHANCE if 2 * movers.count(CHANCE) > len(movers) else FOLD_DECISIONS
