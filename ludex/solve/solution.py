"""Solutions: the value of every state of a game, by keys, saved and loaded."""

from pathlib import Path
from typing import Any, NamedTuple

import numpy as np

from ludex.core import rules as ask
from ludex.core.play import legal_moves
from ludex.core.rules import BOTH, CHANCE, OVER, Rules, State
from ludex.io.array_file import read, write
from ludex.kernel.tuples import flatten
from ludex.solve.solution_file import SOLUTION_ARRAYS, identity, path_of
from ludex.solve.states.index import number_of, sorted_index
from ludex.solve.states.keys import pack, possible_keys, saved_fields
from ludex.solve.states.listing import Listing
from ludex.solve.states.successors import FOLD_CHANCE, FOLD_DECISIONS

DISK_BYTES = 8 + 8 + 2 * 4 + 4  # of a state on disk: key, value, two tie values, progress


class Solution(NamedTuple):
    """The values of all states of a game by their keys, which are sorted and have an index."""

    fields: np.ndarray
    keys: np.ndarray
    values: np.ndarray
    tie_values: np.ndarray
    progress: np.ndarray
    lookup: np.ndarray
    folding: int
    facts: dict[str, Any]
    """The number of states, the seconds, the residual, the gap at simultaneous moves, and the
    number of nodes whose values are not proven to be unique."""
    kept: bool = False
    """Whether it was read from disk."""

    def value(self, rules: Rules, state: State) -> float:
        """Return the value of a state for seat 0; raise a KeyError if it was never listed."""
        if ask.turn(rules, state) == OVER:
            return float(ask.returns(rules, state, 0))
        place = self.place(rules, state)
        if place >= 0:
            return float(self.values[place])
        return self.folded_value(rules, state)

    def listed(self, rules: Rules, state: State) -> bool:
        """Return whether a state has a value here."""
        try:
            self.value(rules, state)
        except KeyError:
            return False
        return True

    def folded_value(self, rules: Rules, state: State) -> float:
        """Return the value of a folded state, from its successors."""
        mover = ask.turn(rules, state)
        luck = mover == CHANCE
        if mover == BOTH or self.folding != (FOLD_CHANCE if luck else FOLD_DECISIONS):
            raise KeyError(ask.position(rules, state))
        some = legal_moves(rules, state)
        after = [self.value(rules, ask.apply(rules, state, move)) for move in some]
        if luck:
            probabilities = [ask.chance(rules, state, move) for move in some]
            return sum(p * one for p, one in zip(probabilities, after, strict=True))
        return max(after) if mover == 0 else min(after)

    def listing(self, first: State) -> Listing:
        """Return the states as a listing from a first one on."""
        directions = np.zeros(len(flatten(first)), np.int64)
        known = (self.fields, self.keys, self.lookup, directions, self.facts["targets"])
        return Listing(first, self.folding, *known)

    def place(self, rules: Rules, state: State) -> int:
        """Return the index of a state, or -1."""
        key = pack(ask.canonical(rules, state), self.fields)
        return number_of(key, self.keys, self.lookup) if key >= 0 else -1


# On disk. --------------------------------------------------------------------------------------


def save(rules: Rules, state: State, solution: Solution) -> Path:
    """Write a solution to its file, and return the path."""
    path = path_of(rules, state)
    known = solution._asdict() | {"hopes": solution.tie_values}
    arrays = {name: known[name] for name in SOLUTION_ARRAYS}
    write(path, identity(rules, state), arrays, {"folding": solution.folding} | solution.facts)
    return path


def is_folded_otherwise(rules: Rules, facts: dict[str, Any]) -> bool:
    """Return whether a file is from the time when chance after simultaneous moves was folded."""
    folded = facts["folding"] == FOLD_CHANCE and "blocks" not in facts
    return bool(folded and ask.at_once(rules))


def load(rules: Rules, state: State) -> Solution | None:
    """Return the solution on disk, None if there is none; raise Unusable if it is damaged."""
    path = path_of(rules, state)
    if not path.exists():
        return None
    arrays, facts = read(path, identity(rules, state), SOLUTION_ARRAYS)
    if is_folded_otherwise(rules, facts):
        return None
    arrays |= {"tie_values": arrays.pop("hopes"), "fields": saved_fields(arrays["fields"])}
    arrays["lookup"] = sorted_index(arrays["keys"], possible_keys(arrays["fields"]))[1]
    return Solution(**arrays, folding=facts.pop("folding"), facts=facts, kept=True)
