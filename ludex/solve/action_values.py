"""The values of all actions in a state of a solved game, and how a perfect player chooses.

The states in question are expanded into transitions of their own, with the solution's values for
their successors, and evaluated as when the game was solved.
"""

from collections.abc import Iterator
from typing import NamedTuple

import numpy as np

from ludex.core.choice import CLOSE
from ludex.core.rules import Rules, State, actions, at_once, initial, moves, position
from ludex.kernel.bits import members
from ludex.kernel.jit import compiled
from ludex.kernel.tuples import from_row
from ludex.solve.solution import Solution
from ludex.solve.states.index import number_of
from ludex.solve.states.successors import EXPECTATION, MATRIX, expand, make_scratch
from ludex.solve.values.progress_measure import safe_strategy, sweep_progress
from ludex.solve.values.tie_breaking import (
    gather_games,
    is_tie_optimal,
    sweep_tie_values,
    tie_break,
)
from ludex.solve.values.transitions import (
    CHANCES,
    NODES,
    TARGETS,
    make_matrices,
    make_transitions,
    sweep,
)

MOST_TARGETS = 1 << 21  # of the states that are evaluated at a time


class NodeValues(NamedTuple):
    """Of numbered nodes: values for seat 0, tie values of each seat, and progress."""

    values: np.ndarray
    tie_values: np.ndarray
    progress: np.ndarray


class Query(NamedTuple):
    """States of the same type as `like`, as rows of ints, and their nodes in the transitions."""

    like: State
    states: np.ndarray
    seat: int
    root_nodes: np.ndarray


class StateValues(NamedTuple):
    """The exact values of many states for one seat, with a row for each state."""

    value: np.ndarray
    action_values: np.ndarray
    policy: np.ndarray
    """The probability of each action in perfect play."""


def state_values(
    solution: Solution, rules: Rules, states: np.ndarray, seat: int
) -> Iterator[StateValues]:
    """Yield the values of these states and their actions, some states at a time.

    States are rows of ints in which the seat is to move.
    """
    listing, scratch = solution.listing(initial(rules)), make_scratch(rules)
    solved = NodeValues(solution.values, solution.tie_values, solution.progress)
    matrices = make_matrices(rules)
    most = min(max(1, MOST_TARGETS // len(scratch.targets)), len(states))
    nodes, targets = most * len(scratch.kinds), most * len(scratch.targets)
    transitions = make_transitions(rules, nodes, targets)
    known = NodeValues(
        np.zeros(nodes + targets),
        np.zeros((2, nodes + targets), np.float32),
        np.zeros(nodes + targets, np.float32),
    )
    root_nodes = np.zeros(most, np.int64)
    for start in range(0, len(states), most):
        some = states[start : start + most]
        wrong = write_query(rules, listing, solved, some, transitions, known, root_nodes, scratch)
        if wrong >= 0:
            raise KeyError(position(rules, from_row(listing.first, some, wrong)))
        columns, (values, tie_values, progress) = tuple(transitions), known
        sweep(columns, values, 0, 1.0, matrices)
        for one in range(2):
            sweep_progress(columns, values, progress, 0, True, one, matrices)
        for one in (0, 1) if at_once(rules) else (seat,):
            sweep_tie_values(columns, values, progress, tie_values[one], one, matrices)
        found = StateValues(np.zeros(len(some)), *np.zeros((2, len(some), actions(rules))))
        query = Query(listing.first, some, seat, root_nodes)
        choose(rules, query, transitions, known, matrices, found)
        yield found


@compiled
def write_query(rules, listing, solved, states, transitions, known, root_nodes, scratch):
    """Write the transitions of some states, under numbers of their own; return -1.

    The values of their targets are copied, and root_nodes[i] is set to the node of state i. If a
    successor of a state is not in the solution, return the index of that state.
    """
    like, folding, fields, keys, lookup, _, _ = listing
    values, tie_values, progress = solved
    numbers, kinds, degrees, targets, chances, work = transitions
    known_values, known_tie_values, known_progress = known
    new_kinds, new_degrees, new_targets, new_chances, own, seen = scratch
    work[:] = 0
    used = 0
    for index in range(len(states)):
        state = from_row(like, states, index)
        nodes = expand(
            rules, state, folding, fields,
            new_kinds, new_degrees, new_targets, new_chances, own, seen,
        )[0]  # fmt: skip
        if nodes < 0:
            return index
        first = used
        used += nodes
        place = 0
        for node in range(nodes):
            numbers[work[NODES]] = first + node
            kinds[work[NODES]] = new_kinds[node]
            degrees[work[NODES]] = new_degrees[node]
            work[NODES] += 1
            for _ in range(new_degrees[node]):
                key = int(new_targets[place])
                targets[work[TARGETS]] = used if key >= 0 else first - 1 - key
                work[TARGETS] += 1
                if key >= 0:
                    number = number_of(key, keys, lookup)
                    if number < 0:
                        return index
                    known_values[used] = values[number]
                    known_tie_values[0, used] = tie_values[0, number]
                    known_tie_values[1, used] = tie_values[1, number]
                    known_progress[used] = progress[number]
                    used += 1
                if new_kinds[node] == EXPECTATION:
                    chances[work[CHANCES]] = new_chances[place]
                    work[CHANCES] += 1
                place += 1
        root_nodes[index] = work[NODES] - 1
    return -1


@compiled
def choose(rules, query, transitions, known, matrices, found):
    """Write the values of states and actions for the seat, and its policy."""
    like, states, seat, root_nodes = query
    numbers, kinds, degrees, targets, _, work = transitions
    values, tie_values, progress = known
    games, mixtures, tableau = matrices
    state_value, action_values, policy = found
    sign = 1.0 if seat == 0 else -1.0
    index = place = 0
    for node in range(work[NODES]):
        begin = place
        place += degrees[node]
        if node != root_nodes[index]:
            continue
        number, kind = numbers[node], int(kinds[node])
        value = values[number]
        state_value[index] = sign * value
        bits = moves(rules, from_row(like, states, index), seat)
        if kind >= MATRIX:
            columns = kind - MATRIX
            rows = degrees[node] // columns
            mine, theirs = (rows, columns) if seat == 0 else (columns, rows)
            # The opponent first, so that the games are those of the seat in the end.
            for one in (1 - seat, seat):
                own = tie_values[one]
                gather_games(
                    one, value, values, own, progress, targets, begin, rows, columns, games
                )
                known = value if one == 0 else -value
                if one == seat:
                    safe_strategy(games, known, mine, theirs, mixtures[0], mixtures[2], tableau)
                else:
                    safe_strategy(games, known, theirs, mine, mixtures[1], mixtures[2], tableau)
            for one, action in enumerate(members(bits)):
                policy[index, action] = mixtures[0, one]
                for other in range(theirs):
                    action_values[index, action] += mixtures[1, other] * games[0, one, other]
        else:
            most, tie_value = tie_break(
                sign, value, begin, place, targets, values, progress, tie_values[seat]
            )
            equals = 0
            for one, action in enumerate(members(bits)):
                target = targets[begin + one]
                action_values[index, action] = sign * values[target]
                if (
                    is_tie_optimal(sign, value, target, values, progress, most)
                    and tie_values[seat, target] >= tie_value - CLOSE
                ):
                    policy[index, action] = 1.0
                    equals += 1
            policy[index] /= equals
        index += 1
