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
from ludex.solve.states.keys import MOST_BITS, fields_for, pack, unpack, widen_field
from ludex.solve.states.successors import (
    FOLD_CHANCE,
    FOLD_DECISIONS,
    NO_FOLDING,
    expand,
    make_scratch,
)

# Places in the array of numbers that listing works with.
COUNT, DONE, MISFIT, TARGET_COUNT = 0, 1, 2, 3
DONE_EVERYTHING, NO_ROOM = 0, 1  # why `explore` came back; below 0 a field is too narrow
WAVE = 1 << 16  # how many states are expanded before progress is told
PLAYOUTS, PLAYOUT_PLIES = 50, 400  # how the fields are guessed: random matches, and their plies
SAMPLED = 5000  # states by which it is decided what to fold


@shared
def number_of(key, keys, slots):
    """Return the number of a key, or -1 if it has none."""
    return int(slots[slot_of(key, keys, slots)]) - 1


@compiled
def repack(like, keys, count, fields, wider):
    """Turn the first keys into those by wider fields."""
    for number in range(count):
        keys[number] = pack(unpack(like, int(keys[number]), fields), wider)


@compiled
def explore(rules, listing, rises, falls, work, most, scratch):
    """Expand states, oldest first, and number what they lead to; return why that ended.

    It goes on from work[DONE] over at most so many states. rises and falls are set for fields
    of which that was seen.
    """
    like, folding, fields, keys, slots, _, _ = listing
    kinds, degrees, targets, odds, own = scratch
    last = work[DONE] + most
    while work[DONE] < min(last, work[COUNT]):
        if work[COUNT] + len(targets) > len(keys):
            return NO_ROOM
        before = unpack(like, int(keys[work[DONE]]), fields)
        nodes, written = expand(rules, before, folding, fields, kinds, degrees, targets, odds, own)
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
            after = unpack(like, key, fields)
            for field in range(len(after)):
                if after[field] > before[field]:
                    rises[field] = 1
                elif after[field] < before[field]:
                    falls[field] = 1
        work[DONE] += 1
    return DONE_EVERYTHING


class Unsolvable(ValueError):
    """There is no exact value to be had."""


class TooBig(Unsolvable):
    """There are more states than there is room for."""


class Listing(NamedTuple):
    """Numbered states: keys by number, and slots that lead from keys to numbers."""

    first: State
    folding: int
    fields: np.ndarray
    keys: np.ndarray
    slots: np.ndarray
    directions: np.ndarray
    """1 for a field of states that never falls, -1 for one that never rises, 0 for others."""
    targets: int
    """How many moves lead from state to state, with those from and to folded ones."""

    def number(self, rules: Rules, state: State) -> int:
        """Return the number of a state, or -1 if it has none."""
        key = pack(canonical(rules, state), self.fields)
        return number_of(key, self.keys, self.slots) if key >= 0 else -1

    def state(self, number: int) -> State:
        """Return the state of a number."""
        return unpack(self.first, int(self.keys[number]), self.fields)


class Exploration:
    """A listing in the making."""

    def __init__(self, rules: Rules, first: State, folding: int, fields: np.ndarray) -> None:
        self.rules, self.scratch = rules, make_scratch(rules)
        self.rises, self.falls = np.zeros((2, len(first)), np.int64)
        size = 1 << max(12, (2 * len(self.scratch.targets)).bit_length())
        keys, slots = np.zeros(size, np.int64), np.zeros(2 * size, np.int32)
        first = canonical(rules, first)
        self.found = Listing(first, folding, check_fields(fields), keys, slots, self.rises, 0)
        self.work = np.zeros(TARGET_COUNT + 1, np.int64)
        keys[0], self.work[COUNT] = pack(first, fields), 1
        enter(keys, 1, slots)

    @property
    def count(self) -> int:
        """How many states have been numbered."""
        return int(self.work[COUNT])

    @property
    def done(self) -> int:
        """How many states have been expanded."""
        return int(self.work[DONE])

    def go_on(self, most: int) -> None:
        """Expand at most so many more states, or make room for more."""
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
        """Return what has been listed."""
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
    """Return all states that follow a first one, telling how many are done and known meanwhile."""
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
    """Return an exploration that has come to its end, or beyond so many states."""
    exploration = Exploration(rules, first, folding, guessed_fields(rules, first))
    while exploration.done < exploration.count <= most:
        exploration.go_on(WAVE)
        tell(exploration.done, exploration.count)
    return exploration


def check_fields(fields: np.ndarray) -> np.ndarray:
    """Return fields, or raise TooBig if they are too many bits for a key."""
    bits = int(fields[:, 1].sum())
    if bits > MOST_BITS:
        raise TooBig(f"up to 2**{bits} states")
    return fields


def guessed_fields(rules: Rules, first: State) -> np.ndarray:
    """Return fields that fit the states of some random matches."""
    rng = np.random.default_rng(0)
    lengths = [int(rng.random() * PLAYOUT_PLIES) for _ in range(PLAYOUTS)]
    drawn = (playout(rules, first, rng, length) for length in lengths)
    return fields_for([canonical(rules, first), *drawn])


def best_folding(rules: Rules, first: State) -> int:
    """Return what to fold: of chance and decisions, those states of which there are more."""
    if outcomes(rules) == 0:
        return NO_FOLDING
    exploration = explore_states(rules, first, NO_FOLDING, SAMPLED)
    listing = exploration.listing()
    movers = [turn(rules, listing.state(number)) for number in range(exploration.done)]
    return FOLD_CHANCE if 2 * movers.count(CHANCE) > len(movers) else FOLD_DECISIONS
