"""Search profiles, or styles: the actions and outcomes a search considers, and its leaf values.

A style is an int that encodes the values chosen from a game's STYLES, 0 for all defaults; or it is
Learned, which also holds the weights of a learned estimate. Code is compiled separately for each,
so that learned estimates cost nothing where they are not used.
"""

from typing import NamedTuple

import numpy as np
from numba import types
from numba.extending import overload

from ludex.kernel.jit import shared

STYLE_BITS = 3
UNLIKELY = 0.1  # less probable outcomes are rare: all misses in trap, no roll of a die


class Learned(NamedTuple):
    """A style with weights; `places` is scratch for the patterns of a state."""

    words: int
    weights: np.ndarray
    places: np.ndarray


Style = int | Learned


def words_of(style: Style) -> int:
    """Return the options of a style as an int."""
    return style.words if isinstance(style, Learned) else style


@overload(words_of)
def _words_of(style):
    if isinstance(style, types.Integer):
        return lambda style: style
    return lambda style: style.words


@shared
def style_part(style, place):
    """Return the index of the value that a style has for the option at an index of STYLES."""
    return words_of(style) >> STYLE_BITS * place & (1 << STYLE_BITS) - 1
