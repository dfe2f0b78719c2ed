"""The index of a set of keys: from a key to its number.

If there are few possible keys, there is a bit for each, in words beside the number of bits in all
words before: the number of a key is its rank among the keys. Otherwise keys are found in the slots
of a hash table. The two are told apart by their dimensions, at compile time.
"""

import numpy as np

from ludex.kernel.bits import as_word, members, size
from ludex.kernel.hash_table import enter, slot_of
from ludex.kernel.jit import compiled, shared

MOST_POSSIBLE = 1 << 30  # keys that may have a bit each, in 256 MiB
POSSIBLE_PER_KEY = 64  # more possible keys than this for each key take more memory than slots
SHIFT, WORD = 6, 64
ONES, BEFORE = 0, 1  # the columns of words


@shared
def is_hashed(index):
    """Return whether an index is a hash table."""
    return index.ndim == 1


@shared
def bit_of(key):
    """Return the bit of a key in its word."""
    return as_word(1 << (key & WORD - 1))


@shared
def number_of(key, keys, index):
    """Return the number of a key, or -1."""
    if index.ndim == 1:
        return int(index[slot_of(key, keys, index)]) - 1
    ones, bit = int(index[key >> SHIFT, ONES]), bit_of(key)
    if ones & bit == 0:
        return -1
    return int(index[key >> SHIFT, BEFORE]) + size(ones & as_word(bit - 1))


@shared
def add_key(key, count, keys, index):
    """Add a key as the next one, unless it is known; return how many there are."""
    if index.ndim == 1:
        slot = slot_of(key, keys, index)
        if index[slot] != 0:
            return count
        index[slot] = count + 1
    else:
        ones = int(index[key >> SHIFT, ONES])
        if ones & bit_of(key) != 0:
            return count
        index[key >> SHIFT, ONES] = ones | bit_of(key)
    keys[count] = key
    return count + 1


@compiled
def mark(keys, count, words):
    """Set the bits of the first `count` keys."""
    for place in range(count):
        key = int(keys[place])
        words[key >> SHIFT, ONES] = int(words[key >> SHIFT, ONES]) | bit_of(key)


@compiled
def rank(words, keys):
    """Count the bits before each word, and write all keys in ascending order."""
    count = 0
    for word in range(len(words)):
        words[word, BEFORE] = count
        for bit in members((int(words[word, ONES]),)):
            keys[count] = word << SHIFT | bit
            count += 1


def empty_index(possible: int, room: int) -> np.ndarray:
    """Return an index without keys, of at most this many possible ones, and with some room."""
    if possible <= MOST_POSSIBLE:
        return np.zeros(((possible >> SHIFT) + 1, 2), np.int64)
    return empty_slots(room)


def empty_slots(room: int) -> np.ndarray:
    """Return empty slots with room for some keys."""
    return np.zeros(1 << (2 * room).bit_length(), np.int32)


def enter_keys(keys: np.ndarray, count: int, index: np.ndarray) -> None:
    """Enter the first keys into an empty index."""
    (enter if is_hashed(index) else mark)(keys, count, index)


def sorted_index(keys: np.ndarray, possible: int) -> tuple[np.ndarray, np.ndarray]:
    """Return keys in ascending order with their index; at most this many are possible."""
    if possible > min(MOST_POSSIBLE, POSSIBLE_PER_KEY * len(keys)):
        keys = np.sort(keys)
        return keys, slots_of(keys)
    words, ordered = empty_index(possible, 0), np.zeros_like(keys)
    mark(keys, len(keys), words)
    rank(words, ordered)
    return ordered, words


def slots_of(keys: np.ndarray) -> np.ndarray:
    """Return the hash table of keys in any order."""
    slots = empty_slots(len(keys))
    enter(keys, len(keys), slots)
    return slots
