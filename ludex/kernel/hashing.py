"""Hashes of ints that are the same compiled and interpreted."""

from ludex.kernel.jit import shared

MASK = (1 << 62) - 1  # what a hash keeps: compiled ints end at 63 bits, Python's do not
FACTOR = 0x1E3779B97F4A7C15  # odd, with bits all over


@shared
def mix(seed, number):
    """Return a hash of a number and of what was hashed before it."""
    product = ((seed ^ number) * FACTOR) & MASK
    return product ^ product >> 29


@shared
def mix_all(seed, numbers):
    """Return a hash of all numbers of a tuple, and of what was hashed before them."""
    for number in numbers:
        seed = mix(seed, number)
    return seed
