"""Hashes of ints that are the same compiled and interpreted."""

from ludex.kernel.jit import shared
from ludex.kernel.tuples import flatten

MASK = (1 << 62) - 1  # hashes have 62 bits: compiled ints overflow, those of Python do not
FACTOR = 0x1E3779B97F4A7C15  # odd, with bits spread evenly


@shared
def mix(seed, number):
    """Return the hash `seed` updated with a number."""
    product = ((seed ^ number) * FACTOR) & MASK
    return product ^ product >> 29


@shared
def mix_all(seed, state):
    """Return the hash `seed` updated with all numbers of a state."""
    for number in flatten(state):
        seed = mix(seed, number)
    return seed
