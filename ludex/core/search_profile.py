"""Search profiles: which actions and outcomes a search considers, and how it evaluates leaves.

A profile is an int that encodes the values chosen from a game's STYLES, 0 for all defaults; or it
is Learned, which also holds the weights of a learned estimate. Code is compiled separately for
each, so that learned estimates cost nothing where they are not used.
"""

from typing import NamedTuple

import numpy as np
from numba import types
from numba.extending import overload

from ludex.kernel.jit import shared

STYLE_BITS = 3
UNLIKELY = 0.1  # outcomes below this are rare: all misses in trap, none of a die


class Learned(NamedTuple):
    """A profile with weights; `places` is scratch for the patterns of a state."""

    words: int
    weights: np.ndarray
    places: np.ndarray


SearchProfile = int | Learned


def words_of(profile: SearchProfile) -> int:
    """Return the encoded options of a profile."""
    return profile.words if isinstance(profile, Learned) else profile


@overload(words_of)
def _words_of(profile):
    if isinstance(profile, types.Integer):
        return lambda profile: profile
    return lambda profile: profile.words


@shared
def style_part(profile, place):
    """Return the index of the value that a profile has for the option at this place in STYLES."""
    return words_of(profile) >> STYLE_BITS * place & (1 << STYLE_BITS) - 1
