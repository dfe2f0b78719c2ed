"""Solutions: what every state of a game is worth, by keys, and the files in which they are kept.

A file is named by a hash of all that its values depend on: the sources of the game, its rules,
the first state and the form of the file.
"""

import functools
import hashlib
import json
import os
from collections.abc import Callable
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np

from ludex.compiled import files_of, short_name
from ludex.play import lawful
from ludex.rules import (
    BOTH,
    CHANCE,
    OVER,
    Rules,
    State,
    apply,
    canonical,
    chance,
    game_of,
    position,
    returns,
    turn,
)
from ludex.solve.expansion import DECISIONS, LUCK
from ludex.solve.hopes import CLOSE, SHRINKING
from ludex.solve.keys import pack
from ludex.vault import read, write

FORMAT = 1
ARRAYS = ("fields", "keys", "values", "hopes")
BYTES = 8 + 8 + 2 * 4  # of a state on disk: its key, its value, two hopes


class Solution(NamedTuple):
    """The values of all states of a game, by their keys, which are sorted."""

    fields: np.ndarray
    keys: np.ndarray
    values: np.ndarray
    hopes: np.ndarray
    folding: int
    facts: dict[str, Any]
    """How many states, the seconds that they took, the residual, and the gap at matrices."""

    def value(self, rules: Rules, state: State) -> float:
        """Return what a state is worth to seat 0; a KeyError if it was never listed."""
        if turn(rules, state) == OVER:
            return float(returns(rules, state, 0))
        place = self.place(rules, state)
        if place >= 0:
            return float(self.values[place])
        best = max if turn(rules, state) == 0 else min
        return self.folded(rules, state, lambda after: self.value(rules, after), best)

    def listed(self, rules: Rules, state: State) -> bool:
        """Return whether a state has a value here."""
        try:
            self.value(rules, state)
        except KeyError:
            return False
        return True

    def hope(self, rules: Rules, state: State, seat: int) -> float:
        """Return what a seat may hope for (see `hopes.py`); it is for comparing actions."""
        if turn(rules, state) == OVER:
            return float(returns(rules, state, seat))
        place = self.place(rules, state)
        if place >= 0:
            return float(self.hopes[seat, place])
        sign = 1.0 if seat == 0 else -1.0
        mine, value = turn(rules, state) == seat, self.value(rules, state)

        def worth(after: State) -> float:
            gives_away = mine and sign * (value - self.value(rules, after)) > CLOSE
            return -2.0 if gives_away else self.hope(rules, after, seat)

        return SHRINKING * self.folded(rules, state, worth, max if mine else mean)

    def folded(
        self,
        rules: Rules,
        state: State,
        worth: Callable[[State], float],
        choose: Callable[[list[float]], float],
    ) -> float:
        """Return the worth of a state that has no number from those that follow it."""
        mover = turn(rules, state)
        luck = mover == CHANCE
        if mover == BOTH or self.folding != (LUCK if luck else DECISIONS):
            raise KeyError(position(rules, state))
        after = {move: worth(apply(rules, state, move)) for move in lawful(rules, state)}
        if luck:
            return float(sum(chance(rules, state, move) * one for move, one in after.items()))
        return choose(list(after.values()))

    def place(self, rules: Rules, state: State) -> int:
        """Return where a state stands, or -1."""
        key = pack(canonical(rules, state), self.fields)
        place = int(np.searchsorted(self.keys, key))
        return place if key >= 0 and place < len(self.keys) and self.keys[place] == key else -1


def mean(numbers: list[float]) -> float:
    """Return the average."""
    return sum(numbers) / len(numbers)


# On disk. --------------------------------------------------------------------------------------


def save(rules: Rules, state: State, solution: Solution) -> Path:
    """Write a solution to its file, and return where that is."""
    path = path_of(rules, state)
    arrays = {name: getattr(solution, name) for name in ARRAYS}
    write(path, identity(rules, state), arrays, {"folding": solution.folding} | solution.facts)
    return path


def load(rules: Rules, state: State) -> Solution | None:
    """Return the solution on disk, None if there is none; Unusable if it cannot be trusted."""
    path = path_of(rules, state)
    if not path.exists():
        return None
    arrays, facts = read(path, identity(rules, state), ARRAYS)
    return Solution(**arrays, folding=facts.pop("folding"), facts=facts)


def path_of(rules: Rules, state: State) -> Path:
    """Return the file of a solution: $LUDEX_SOLUTIONS, or the user's cache, has them all."""
    usual = Path(os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache") / "ludex" / "solutions"
    known = identity(rules, state)
    digest = hashlib.sha256(json.dumps(known).encode()).hexdigest()
    return Path(os.environ.get("LUDEX_SOLUTIONS") or usual) / f"{known['game']}-{digest[:16]}.npz"


def identity(rules: Rules, state: State) -> dict[str, Any]:
    """Return all that the values of a game depend on, from a first state on."""
    game = game_of(rules)
    return {
        "format": FORMAT,
        "game": short_name(game.__name__),
        "version": getattr(game, "VERSION", 0),
        "sources": sources_of(game.__name__),
        "rules": repr(tuple(rules)),
        "start": position(rules, state),
    }


@functools.cache
def sources_of(module: str) -> str:
    """Return a hash of a game's files as they are when it is first asked for."""
    digest = hashlib.sha256()
    for file in sorted(files_of(module)):
        digest.update(file.read_bytes())
    return digest.hexdigest()
