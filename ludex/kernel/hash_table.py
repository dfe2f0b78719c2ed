"""A hash table from keys to their numbers, with open addressing.

A slot holds the number of a key plus one, or 0; the number of slots is a power of two.
"""

from ludex.kernel.hashing import mix
from ludex.kernel.jit import compiled, shared


@shared
def slot_of(key, keys, slots):
    """Return the slot of a key, or the empty one for it."""
    place = mix(0, key) & (len(slots) - 1)
    while slots[place] != 0 and keys[slots[place] - 1] != key:
        place = (place + 1) & (len(slots) - 1)
    return place


@compiled
def enter(keys, count, slots):
    """Enter the first `count` keys into empty slots."""
    for number in range(count):
        slots[slot_of(int(keys[number]), keys, slots)] = number + 1
