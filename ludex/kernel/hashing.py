"""Hashes of ints that are the same compiled and interpreted."""

from ludex.kernel.jit import shared

MASK = (1 << 62) - 1  # hashes have 62 bits: compiled ints overflow, those of Python do not
FACTOR = 0x1E3779B97F4A7C15  # odd, with bits spread evenly


@shared
def mix(seed, number):
    """Return the hash `seed` updated with a number."""
    product = ((seed ^ number) * FACTOR) & MASK
    return product ^ product >> 29


@shared
def mix_all(seed, numbers):
    """Return the hash `seed` updated with all numbers of a tuple."""
    for number in numbers:
        seed = mix(seed, number)
    return seed
