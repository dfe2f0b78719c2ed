"""All reachable states of a game, indexed, except those folded into others.

The enumeration detects fields that change monotonically: by them the game can later be solved
backwards.
"""

from collections.abc import Callable
from typing import NamedTuple

import numpy as np

from ludex.core.rules import CHANCE, Rules, State, canonical, outcomes, turn
from ludex.core.sampling import playout
from ludex.kernel.bits import size
from ludex.kernel.jit import compiled
from ludex.solve.states import successors
from ludex.solve.states.index import (
    add_key,
    empty_index,
    enter_keys,
    is_hashed,
    number_of,
    sorted_index,
)
from ludex.solve.states.keys import (
    BITS,
    LOW,
    MOST_BITS,
    field_of,
    fields_for,
    guard_fields,
    guarded,
    lower_fields,
    pack,
    possible_keys,
    tighten,
    unpack,
    widen_field,
)
from ludex.solve.states.successors import FOLD_CHANCE, FOLD_DECISIONS, NO_FOLDING

# Indices into the work array of a listing.
COUNT, DONE, MISFIT, TARGET_COUNT, RISES, FALLS, NOT_SETS = range(7)
DONE_EVERYTHING, NO_ROOM = 0, 1  # why `explore` returned; below 0 a field is too narrow
NO_DIRECTIONS = np.zeros(0, np.int64)
SET = 2  # the direction of a field of bits that has more of them whenever it changes
WAVE = 1 << 16  # states that are expanded between progress reports
PLAYOUTS, PLAYOUT_PLIES = 50, 400  # random matches from which the fields are estimated
SAMPLED, SAMPLED_EVERY = 5000, 5  # states from which the folding is chosen: every fifth of these


@compiled
def repack(like, keys, count, fields, wider):
    """Repack the first keys with wider fields."""
    for number in range(count):
        keys[number] = pack(unpack(like, int(keys[number]), fields), wider)


@compiled
def explore(rules, listing, guards, sets, work, most, scratch):
    """Expand states breadth-first from work[DONE] on, and number their successors.

    Return why it stopped: after `most` states, for lack of room, or at a field that is too
    narrow. The guards of fields that increased and decreased are added to RISES and FALLS, and to
    NOT_SETS the places of those of some fields that changed without getting more bits.
    """
    like, folding, fields, keys, lookup, _, _ = listing
    kinds, degrees, targets, chances, own, seen = scratch
    last = work[DONE] + most
    while work[DONE] < min(last, work[COUNT]):
        if work[COUNT] + len(targets) > len(keys):
            return NO_ROOM
        before = int(keys[work[DONE]])
        nodes, written = successors.expand(
            rules, unpack(like, before, fields), folding, fields,
            kinds, degrees, targets, chances, own, seen,
        )  # fmt: skip
        if nodes < 0:
            work[MISFIT] = written
            return nodes
        work[TARGET_COUNT] += written
        for place in range(written):
            key = int(targets[place])
            if key < 0:
                continue
            work[COUNT] = add_key(key, work[COUNT], keys, lookup)
            work[RISES] |= lower_fields(before, key, guards)
            work[FALLS] |= lower_fields(key, before, guards)
            for one in range(len(sets)):
                old, bits = field_of(before, fields, sets[one]), field_of(key, fields, sets[one])
                if bits != old and size(bits) <= size(old):
                    work[NOT_SETS] |= 1 << one
        work[DONE] += 1
    return DONE_EVERYTHING


class Unsolvable(ValueError):
    """No exact value can be computed."""


class TooBig(Unsolvable):
    """There are more states than fit into memory."""


class Listing(NamedTuple):
    """Numbered states: keys by number, and an index from keys to numbers."""

    first: State
    folding: int
    fields: np.ndarray
    keys: np.ndarray
    lookup: np.ndarray
    directions: np.ndarray
    """1 for a field that never decreases, -1 for one that never increases, SET if it has more bits
    whenever it changes, 0 for others."""
    targets: int
    """The number of transitions, including those from and to folded states."""

    def number(self, rules: Rules, state: State) -> int:
        """Return the number of a state, or -1."""
        key = pack(canonical(rules, state), self.fields)
        return number_of(key, self.keys, self.lookup) if key >= 0 else -1

    def state(self, number: int) -> State:
        """Return the state with a number."""
        return unpack(self.first, int(self.keys[number]), self.fields)


class Exploration:
    """A breadth-first enumeration of states."""

    def __init__(self, rules: Rules, first: State, folding: int, fields: np.ndarray) -> None:
        self.rules, self.scratch = rules, successors.make_scratch(rules)
        self.rises, self.falls, self.not_sets = np.zeros((3, len(fields)), bool)
        room = 1 << max(12, (2 * len(self.scratch.targets)).bit_length())
        keys, index = np.zeros(room, np.int64), empty_index(possible_keys(fields), room)
        first = canonical(rules, first)
        self.found = Listing(first, folding, check_fields(fields), keys, index, NO_DIRECTIONS, 0)
        self.work = np.zeros(NOT_SETS + 1, np.int64)
        self.work[COUNT] = add_key(pack(first, fields), 0, keys, index)

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
        first, _, fields, keys, index, *_ = found = self.found
        self.not_sets |= self.falls | (fields[:, LOW] < 0)
        sets = np.flatnonzero(~self.not_sets & (fields[:, BITS] > 0))
        guards = guard_fields(fields)
        why = explore(self.rules, found, guards, sets, self.work, most, self.scratch)
        self.rises |= guarded(fields, self.work[RISES])
        self.falls |= guarded(fields, self.work[FALLS])
        self.not_sets[sets] |= self.work[NOT_SETS] >> np.arange(len(sets)) & 1 == 1
        self.work[[RISES, FALLS, NOT_SETS]] = 0
        if why == NO_ROOM:
            keys = np.concatenate([keys, np.zeros_like(keys)])
        elif why != DONE_EVERYTHING:
            wider = check_fields(widen_field(fields, -1 - int(why), int(self.work[MISFIT])))
            repack(first, keys, self.count, fields, wider)
            fields = wider
            self.scratch.seen[:] = 0
        if why < 0 or (why == NO_ROOM and is_hashed(index)):
            index = empty_index(possible_keys(fields), len(keys))
            enter_keys(keys, self.count, index)
        self.found = found._replace(fields=fields, keys=keys, lookup=index)

    def listing(self) -> Listing:
        """Return the states found so far, in the order of their keys."""
        first, _, fields, keys, *_ = self.found
        directions = self.rises.astype(np.int64) - self.falls
        directions[(directions == 1) & ~self.not_sets & (fields[:, BITS] > 1)] = SET
        # Fields that change monotonically come first, so that play goes through the keys in order.
        tight = tighten(keys[: self.count], fields, directions != 0)
        keys = keys[: self.count].copy()
        repack(first, keys, self.count, fields, tight)
        keys, index = sorted_index(keys, possible_keys(tight))
        targets = int(self.work[TARGET_COUNT])
        return self.found._replace(
            fields=tight, keys=keys, lookup=index, directions=directions, targets=targets
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
