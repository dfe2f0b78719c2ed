"""The enumeration of states, breadth-first, on all cores.

Threads expand the states of a wave side by side and collect the keys of unknown successors, which
get their numbers after the wave. The enumeration detects fields that change monotonically: by them
the game can later be solved backwards.
"""

from collections.abc import Callable
from functools import partial
from itertools import pairwise

import numpy as np

from ludex.core.rules import Rules, State, canonical
from ludex.kernel.bits import size
from ludex.kernel.jit import compiled, shared
from ludex.kernel.threads import run_in_threads
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
    field_of,
    guard_fields,
    guarded,
    lower_fields,
    pack,
    possible_keys,
    repack,
    tighten,
    unpack,
    widen_field,
)
from ludex.solve.states.listing import SET, Listing, check_fields

# Indices into the work array of a thread.
COUNT, DONE, FRESH, MISFIT, TARGET_COUNT, RISES, FALLS, NOT_SETS = range(8)
DONE_EVERYTHING, NO_ROOM = 0, 1  # why `explore` returned; below 0 a field is too narrow
NOTHING = np.zeros(0, np.int64)
WORTH_SHARING = 1 << 12  # states that take longer to expand than threads take to begin
SLICES = 4  # of a wave for each thread, because some states take longer than others
FRESH_KEYS = 1 << 16  # room of a thread for the keys of a wave, at first

Source = tuple[Listing, np.ndarray, np.ndarray]


@shared
def changes_without_gain(before, key, fields, sets):
    """Return the places of those fields that change without getting more bits, as bits."""
    places = 0
    for one in range(len(sets)):
        old, bits = field_of(before, fields, sets[one]), field_of(key, fields, sets[one])
        if bits != old and size(bits) <= size(old):
            places |= 1 << one
    return places


@compiled
def explore(rules, listing, guards, sets, first, last, fresh, work, scratch):
    """Expand the states from a first to before a last one; return why it stopped.

    Without room for fresh keys, the successors are numbered at once, and then expanded, too.
    Otherwise the unknown ones are only collected there, and threads may do so side by side. The
    guards of fields that increased and decreased are added to RISES and FALLS, and to NOT_SETS the
    places of those of some fields that changed without getting more bits.
    """
    like, folding, fields, keys, lookup, _, _ = listing
    kinds, degrees, targets, chances, own, seen = scratch
    alone = len(fresh) == 0
    number = first
    while number < (min(last, work[COUNT]) if alone else last):
        room = len(keys) - work[COUNT] if alone else len(fresh) - work[FRESH]
        if room < len(targets):
            return NO_ROOM
        before = int(keys[number])
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
            if alone:
                work[COUNT] = add_key(key, work[COUNT], keys, lookup)
            elif number_of(key, keys, lookup) < 0:
                fresh[work[FRESH]] = key
                work[FRESH] += 1
            work[RISES] |= lower_fields(before, key, guards)
            work[FALLS] |= lower_fields(key, before, guards)
            work[NOT_SETS] |= changes_without_gain(before, key, fields, sets)
        work[DONE] += 1
        number += 1
    return DONE_EVERYTHING


@compiled
def add_keys(fresh, count, keys, lookup):
    """Add keys, unless they are known; return how many there are."""
    for place in range(len(fresh)):
        count = add_key(int(fresh[place]), count, keys, lookup)
    return count


class Expander:
    """What a thread needs to expand states: scratch, and room for the keys that it finds."""

    def __init__(self, rules: Rules) -> None:
        self.rules, self.scratch = rules, successors.make_scratch(rules)
        self.work = np.zeros(NOT_SETS + 1, np.int64)
        self.why, self.fresh = DONE_EVERYTHING, NOTHING

    def begin(self, count: int, fresh: np.ndarray) -> None:
        """Forget the last wave; that many states are known."""
        self.work[:] = 0
        self.work[COUNT] = count
        self.why, self.fresh = DONE_EVERYTHING, fresh

    def expand(
        self, source: Source, numbers: tuple[int, int], pause: Callable[[], None] = lambda: None
    ) -> None:
        """Expand the states from a first to before a last number, unless it has failed before."""
        pause()
        if self.why == DONE_EVERYTHING:
            found = explore(self.rules, *source, *numbers, self.fresh, self.work, self.scratch)
            self.why = int(found)


class Exploration:
    """A breadth-first enumeration of states, in one or several threads."""

    def __init__(
        self, rules: Rules, first: State, folding: int, fields: np.ndarray, threads: int = 1
    ) -> None:
        self.expanders = [Expander(rules) for _ in range(threads)]
        self.rises, self.falls, self.not_sets = np.zeros((3, len(fields)), bool)
        widest = len(self.expanders[0].scratch.targets)
        room = 1 << max(12, (2 * widest).bit_length())
        keys, index = np.zeros(room, np.int64), empty_index(possible_keys(fields), room)
        first = canonical(rules, first)
        self.found = Listing(first, folding, check_fields(fields), keys, index, NOTHING, 0)
        self.fresh_keys = max(FRESH_KEYS, widest)
        self.count = int(add_key(pack(first, fields), 0, keys, index))
        """The number of states found so far."""
        self.done = 0
        """The number of states expanded so far."""

    def expand_states(self, most: int) -> None:
        """Expand at most this many states, or make room for more."""
        source = self.source()
        wave = min(most, self.count - self.done)
        if len(self.expanders) > 1 and wave >= WORTH_SHARING:
            self.expand_together(source, wave)
        else:
            self.expand_alone(source, most)

    def expand_all(self, most: int, wave: int, tell: Callable[[int, int], None]) -> None:
        """Expand waves of states until all are expanded, or more than `most` are known."""
        while self.done < self.count <= most:
            self.expand_states(wave)
            tell(self.done, self.count)

    def source(self) -> Source:
        """Return what is found so far, the guards of all fields, and those that may be sets."""
        fields = self.found.fields
        self.not_sets |= self.falls | (fields[:, LOW] < 0)
        sets = np.flatnonzero(~self.not_sets & (fields[:, BITS] > 0))
        return self.found, guard_fields(fields), sets

    def expand_alone(self, source: Source, most: int) -> None:
        """Expand states in this thread, also those that are found meanwhile."""
        expander = self.expanders[0]
        expander.begin(self.count, NOTHING)
        expander.expand(source, (self.done, self.done + most))
        self.count = int(expander.work[COUNT])
        self.note(source, expander.work)
        if expander.why == NO_ROOM:
            self.make_room(2 * len(self.found.keys))
        elif expander.why != DONE_EVERYTHING:
            self.widen(expander.why, int(expander.work[MISFIT]))

    def expand_together(self, source: Source, wave: int) -> None:
        """Expand the next states in all threads; all of them, or none."""
        slices = SLICES * len(self.expanders)
        bounds = np.linspace(self.done, self.done + wave, slices + 1, dtype=np.int64)
        for expander in self.expanders:
            wide_enough = len(expander.fresh) >= self.fresh_keys
            fresh = expander.fresh if wide_enough else np.zeros(self.fresh_keys, np.int64)
            expander.begin(self.count, fresh)
        workers = [partial(expander.expand, source) for expander in self.expanders]
        run_in_threads(workers, list(pairwise(bounds.tolist())))
        if failed := [one for one in self.expanders if one.why != DONE_EVERYTHING]:
            if failed[0].why == NO_ROOM:
                self.fresh_keys *= 2
            else:
                self.widen(failed[0].why, int(failed[0].work[MISFIT]))
            return
        for expander in self.expanders:
            fresh = expander.fresh[: expander.work[FRESH]]
            self.make_room(self.count + len(fresh))
            self.count = int(add_keys(fresh, self.count, self.found.keys, self.found.lookup))
            self.note(source, expander.work)

    def note(self, source: Source, work: np.ndarray) -> None:
        """Note what an expander has done, and how fields have changed."""
        _, _, sets = source
        fields = self.found.fields
        self.done += int(work[DONE])
        self.rises |= guarded(fields, work[RISES])
        self.falls |= guarded(fields, work[FALLS])
        self.not_sets[sets] |= work[NOT_SETS] >> np.arange(len(sets)) & 1 == 1
        self.found = self.found._replace(targets=self.found.targets + int(work[TARGET_COUNT]))

    def make_room(self, states: int) -> None:
        """Make room for some states."""
        keys, index = self.found.keys, self.found.lookup
        if states <= len(keys):
            return
        room = 1 << (states - 1).bit_length()
        keys = np.concatenate([keys, np.zeros(room - len(keys), np.int64)])
        if is_hashed(index):
            index = empty_index(possible_keys(self.found.fields), room)
            enter_keys(keys, self.count, index)
        self.found = self.found._replace(keys=keys, lookup=index)

    def widen(self, why: int, value: int) -> None:
        """Widen the field -1 - why, which has no room for a value."""
        first, _, fields, keys, *_ = self.found
        wider = check_fields(widen_field(fields, -1 - why, value))
        repack(first, keys, self.count, fields, wider)
        index = empty_index(possible_keys(wider), len(keys))
        enter_keys(keys, self.count, index)
        self.found = self.found._replace(fields=wider, lookup=index)
        for one in self.expanders:
            one.scratch.seen[:] = 0

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
        return self.found._replace(fields=tight, keys=keys, lookup=index, directions=directions)
