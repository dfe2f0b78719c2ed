"""Equilibria: a strategy of both seats, with the value of every action, and their files."""

from pathlib import Path
from typing import Any, NamedTuple

import numpy as np

from ludex.core.rules import CHANCE, OVER, Rules, State
from ludex.io.array_file import read, write
from ludex.kernel.jit import allocating
from ludex.solve import solution_file
from ludex.solve.equilibrium.extensive_form import ExtensiveForm
from ludex.solve.equilibrium.information_sets import InformationSets, set_number
from ludex.solve.equilibrium.regret import uniform_strategies, write_reach
from ludex.solve.states.index import slots_of
from ludex.solve.states.keys import saved_fields

EQUILIBRIUM_FORMAT = 1
SAVED_SETS = ("seats", "starts", "actions", "parents", "keys", "fields")
SAVED = (*SAVED_SETS, "strategies", "values")


class Equilibrium(NamedTuple):
    """Strategies of both seats that no seat can improve by more than a proven gap."""

    sets: InformationSets
    strategies: np.ndarray
    """The probability of each sequence in its information set."""
    values: np.ndarray
    """The value of each sequence to its seat, against the strategy of the other."""
    slots: np.ndarray
    facts: dict[str, Any]
    """The numbers of states, information sets and iterations, the seconds, and the bounds `low`
    and `high` of the value for seat 0, which `gap` is the distance of."""
    kept: bool = False
    """Whether it was read from disk."""

    def set_of(self, rules: Rules, state: State, seat: int) -> int:
        """Return the number of the information set of a seat to move; raise Unsolvable if none."""
        return set_number(rules, self.sets, self.slots, state, seat)

    def strategy(self, place: int) -> dict[int, float]:
        """Return the probability of each action in an information set."""
        return self._by_action(place, self.strategies)

    def action_values(self, place: int) -> dict[int, float]:
        """Return the value of each action in an information set for its seat."""
        return self._by_action(place, self.values)

    def _by_action(self, place: int, numbers: np.ndarray) -> dict[int, float]:
        some = slice(self.sets.starts[place], self.sets.starts[place + 1])
        actions = self.sets.actions[some].tolist()
        return dict(zip(actions, numbers[some].tolist(), strict=True))


def make_equilibrium(
    form: ExtensiveForm, strategies: np.ndarray, facts: dict[str, Any]
) -> Equilibrium:
    """Return the equilibrium of these strategies."""
    values = sequence_values(form, strategies)
    return Equilibrium(form.sets, strategies, values, slots_of(form.sets.keys), facts)


def sequence_values(form: ExtensiveForm, strategies: np.ndarray) -> np.ndarray:
    """Return the value of every sequence to its seat.

    Where the other seat never lets an information set be reached, its earlier choices are taken
    to be uniformly random.
    """
    uniform = uniform_strategies(form)
    anyway, found = np.zeros(len(strategies)), np.zeros(len(strategies))
    for reaching, values in ((uniform, anyway), (strategies, found)):
        for seat in range(2):
            write_values(form.tree, form.sets, strategies, reaching, seat, values)
    never = np.isnan(found)
    found[never] = anyway[never]
    return found


@allocating
def write_values(tree, sets, strategies, reaching, seat, found):
    """Write the mean values of a seat's sequences, by how likely its nodes are to be reached.

    NaN where the other seat, with the strategies `reaching`, reaches none of them.
    """
    movers, node_starts, targets, chances, _, payoffs, numbers = tree
    seats, starts, _, _, _, _ = sets
    values, reach, total = np.zeros(len(movers)), np.zeros(len(movers)), np.zeros(len(seats))
    sign = 1.0 if seat == 0 else -1.0
    write_reach(tree, sets, reaching, seat, reach)
    for node in range(len(movers) - 1, -1, -1):
        mover, begin, end = movers[node], node_starts[node], node_starts[node + 1]
        if mover == OVER:
            values[node] = sign * payoffs[node]
            continue
        shift = 0 if mover == CHANCE else starts[numbers[node]] - begin
        for edge in range(begin, end):
            share = chances[edge] if mover == CHANCE else strategies[shift + edge]
            values[node] += share * values[targets[edge]]
            if mover == seat:
                found[shift + edge] += reach[node] * values[targets[edge]]
        if mover == seat:
            total[numbers[node]] += reach[node]
    for place in range(len(seats)):
        if seats[place] == seat:
            for sequence in range(starts[place], starts[place + 1]):
                reached = total[place] > 0.0
                found[sequence] = found[sequence] / total[place] if reached else np.nan


# On disk. --------------------------------------------------------------------------------------


def save(rules: Rules, first: State, found: Equilibrium) -> Path:
    """Write an equilibrium to its file, and return the path."""
    path = path_of(rules, first)
    known = found.sets._asdict() | found._asdict()
    write(path, identity(rules, first), {name: known[name] for name in SAVED}, found.facts)
    return path


def load(rules: Rules, first: State) -> Equilibrium | None:
    """Return the equilibrium on disk, None if there is none; raise Unusable if it is damaged."""
    path = path_of(rules, first)
    if not path.exists():
        return None
    arrays, facts = read(path, identity(rules, first), SAVED)
    sets = InformationSets(*(arrays[name] for name in SAVED_SETS))
    sets = sets._replace(fields=saved_fields(sets.fields))
    known = arrays["strategies"], arrays["values"], slots_of(sets.keys)
    return Equilibrium(sets, *known, facts, kept=True)


def path_of(rules: Rules, first: State) -> Path:
    """Return the file of an equilibrium, beside those of solutions."""
    return solution_file.path_of(rules, first).with_suffix(".equilibrium.npz")


def identity(rules: Rules, first: State) -> dict[str, Any]:
    """Return everything on which an equilibrium depends, from a first state on."""
    return solution_file.identity(rules, first) | {"equilibrium": EQUILIBRIUM_FORMAT}
