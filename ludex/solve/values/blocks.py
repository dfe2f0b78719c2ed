"""Blocks: states that play may visit in any order, and the order in which they are solved.

The fields that change monotonically are the first of a key. States that agree in all of them are a
block, a range of numbers. Whatever else they lead to is in blocks of a higher level: the highest
level is solved first, and the blocks of one level in any order, or at the same time.
"""

from itertools import pairwise

import numpy as np

from ludex.solve.states.keys import BITS, LOW, SHIFT
from ludex.solve.states.listing import SET, Listing

CHUNK_STATES = 1 << 13  # that a thread solves at a time
LARGE_STATES = 1 << 18  # of a block that several threads solve in parts
STEP_CHUNKS = 128  # a million states; threads wait for the last chunk of a step, so not far fewer
FEW_STATES = 32  # of a block, on average; it takes longer to begin a smaller one than to solve it


class Blocks:
    """Ranges of numbers in the order in which they are solved, in steps of several chunks each.

    `ranges` has the first number of each block, and the one after its last. Chunk c has the blocks
    from chunks[c] to chunks[c + 1], and step s the chunks from steps[s] to steps[s + 1]. The chunks
    of a step do not depend on one another. What a step comes to is kept once all of it is solved.
    """

    def __init__(self, listing: Listing) -> None:
        leading = leading_fields(listing)
        self.shift = block_shift(listing, leading)
        """By which a key is shifted to what the states of a block have in common."""
        starts, levels = starts_of(listing, leading)
        rising = (listing.directions[leading] > 0).all()
        if rising and len(listing.keys) < FEW_STATES * len(starts):
            # Play never leads to lower numbers, so blocks that are neighbours make one.
            starts = starts[np.unique(starts // max(CHUNK_STATES, 1), return_index=True)[1]]
            levels = np.arange(len(starts))
        order = np.lexsort((-starts, -levels))
        ends = np.append(starts[1:], len(listing.keys))
        self.ranges = np.stack([starts[order], ends[order]], axis=1)
        self.states = np.append(0, np.diff(self.ranges, axis=1).cumsum())
        """How many states there are before each block."""
        firsts = np.flatnonzero(np.diff(levels[order], prepend=levels.max() + 1))
        self.chunks, self.steps = make_chunks(self.states, np.append(firsts, len(starts)))

    def __len__(self) -> int:
        return len(self.steps) - 1

    @property
    def largest(self) -> int:
        """How many states the largest of the large blocks has, or 0."""
        sizes = np.diff(self.ranges, axis=1)
        return int(sizes.max(initial=0, where=sizes >= LARGE_STATES))

    def done(self, steps: int) -> int:
        """Return the number of states in the first steps."""
        return int(self.states[self.blocks_in(steps)])

    def blocks_in(self, steps: int) -> int:
        """Return the number of blocks in the first steps."""
        return int(self.chunks[self.steps[steps]])

    def steps_before(self, blocks: int) -> int:
        """Return the number of steps that the first blocks complete."""
        return sum(self.blocks_in(step) <= blocks for step in range(1, len(self) + 1))

    def chunks_of(self, step: int) -> list[np.ndarray]:
        """Return the ranges of each chunk of a step."""
        bounds = self.chunks[self.steps[step] : self.steps[step + 1] + 1]
        return [self.ranges[low:high] for low, high in pairwise(bounds)]

    def finished_states(self, steps: int) -> np.ndarray:
        """Return for each state whether it is in one of the first steps."""
        finished = np.zeros(self.states[-1], np.bool_)
        for low, high in self.ranges[: self.blocks_in(steps)].tolist():
            finished[low:high] = True
        return finished


def leading_fields(listing: Listing) -> list[int]:
    """Return the fields that change monotonically and are first in a key, in their order."""
    leading: list[int] = []
    for field in np.argsort(-listing.fields[:, SHIFT], kind="stable"):
        if listing.fields[field, BITS]:
            if not listing.directions[field]:
                break
            leading.append(int(field))
    return leading


def block_shift(listing: Listing, leading: list[int]) -> int:
    """Return by how much a key is shifted to what the states of a block have in common."""
    return int(listing.fields[leading[-1], SHIFT]) if leading else 63


def starts_of(listing: Listing, leading: list[int]) -> tuple[np.ndarray, np.ndarray]:
    """Return the first number of each block, and its level."""
    shift = block_shift(listing, leading)
    starts = np.flatnonzero(np.diff(listing.keys >> shift, prepend=-1))
    return starts, levels_of(listing.keys[starts], listing, leading)


def ranges_by_level(listing: Listing) -> list[np.ndarray]:
    """Return the blocks of each level as rows of two numbers; the highest level is the first."""
    starts, levels = starts_of(listing, leading_fields(listing))
    ranges = np.stack([starts, np.append(starts[1:], len(listing.keys))], axis=1)
    order = np.argsort(-levels, kind="stable")
    return np.split(ranges[order], np.flatnonzero(np.diff(levels[order])) + 1)


def levels_of(keys: np.ndarray, listing: Listing, leading: list[int]) -> np.ndarray:
    """Return for each key a number that is higher in all blocks to which its own leads."""
    levels = np.zeros(len(keys), np.int64)
    for field in leading:
        low, bits, shift = (int(listing.fields[field, one]) for one in (LOW, BITS, SHIFT))
        column, direction = (keys >> shift & (1 << bits) - 1) + low, listing.directions[field]
        levels += np.bitwise_count(column) if direction == SET else direction * column
    return levels


def make_chunks(states: np.ndarray, levels: np.ndarray) -> tuple[list[int], list[int]]:
    """Return the first blocks of chunks, and the first chunks of steps, with their ends.

    `states` counts the states before each block, `levels` has the first block of each level, and
    their number. Levels that are small together make one chunk, in which they keep their order; a
    large one has steps of its own.
    """
    chunks, steps = [0], [0]
    for first, end in pairwise(levels.tolist()):
        large = states[end] - states[first] > CHUNK_STATES
        if chunks[-1] < first and (large or states[end] - states[chunks[-1]] > CHUNK_STATES):
            chunks.append(first)  # the small levels before this one
            steps.append(len(chunks) - 1)
        if large:
            for ends in steps_of(states, first, end):
                chunks += ends
                steps.append(len(chunks) - 1)
    if chunks[-1] < levels[-1]:
        chunks.append(int(levels[-1]))
        steps.append(len(chunks) - 1)
    return chunks, steps


def steps_of(states: np.ndarray, first: int, end: int) -> list[list[int]]:
    """Return the blocks at which the chunks of a level end, for each of its steps.

    A large block is a step, others share steps of at most STEP_CHUNKS.
    """
    large = first + np.flatnonzero(np.diff(states[first : end + 1]) >= LARGE_STATES)
    bounds = sorted({first, *large.tolist(), *(large + 1).tolist(), end})
    steps: list[list[int]] = []
    for begin, stop in pairwise(bounds):
        ends = split(states, begin, stop)
        count = -(-len(ends) // STEP_CHUNKS)
        steps += [part.tolist() for part in np.array_split(ends, count)]
    return steps


def split(states: np.ndarray, begin: int, end: int) -> list[int]:
    """Return the blocks at which chunks of the blocks from the first on end."""
    ends: list[int] = []
    while begin < end:
        wanted = int(np.searchsorted(states, states[begin] + CHUNK_STATES))
        begin = min(max(wanted, begin + 1), end)
        ends.append(begin)
    return ends


def is_large(chunk: np.ndarray) -> bool:
    """Return whether a chunk is a large block."""
    return len(chunk) == 1 and bool(chunk[0, 1] - chunk[0, 0] >= LARGE_STATES)
