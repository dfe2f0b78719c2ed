"""Random lines of play, drawn in compiled code and stepped in the interpreter."""

from collections.abc import Iterator
from typing import Any

import numpy as np

from ludex.draw import draw_line
from ludex.games import find, rules_class
from ludex.play import states
from ludex.rules import Rules, State, initial
from ludex.variant import read_rules


def variant(game: str, **texts: Any) -> Rules:
    """Return the rules of a game with some of them changed; `_` stands for `-`."""
    changes = {key.replace("_", "-"): str(value) for key, value in texts.items()}
    return read_rules(rules_class(find(game))(), changes)


def random_line(rules: Rules, seed: int, plies: int = 2000) -> list[int]:
    """Return the moves of a random line of play."""
    line = np.zeros(plies, np.int64)
    length = draw_line(rules, initial(rules), np.random.default_rng(seed), line)
    return [int(move) for move in line[:length]]


def random_states(rules: Rules, seed: int, plies: int = 2000) -> Iterator[State]:
    """Yield the states along a random line of play."""
    return states(rules, initial(rules), random_line(rules, seed, plies))
