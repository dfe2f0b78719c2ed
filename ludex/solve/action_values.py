"""The values of all actions in a state of a solved game, and how a perfect player chooses.

The state is expanded into transitions of its own, with the solution's values for its successors,
and evaluated as when the game was solved.
"""

from typing import NamedTuple

import numpy as np

from ludex.core.choice import CLOSE
from ludex.core.rules import Rules, actions, initial, moves, position
from ludex.kernel.bits import members
from ludex.kernel.jit import compiled
from ludex.kernel.tuples import from_row
from ludex.solve.solution import Solution
from ludex.solve.states.index import number_of
from ludex.solve.states.successors import EXPECTATION, MATRIX, expand, make_scratch
from ludex.solve.values.equations import TIES, VALUES, make_equations, sweep, write_equations
from ludex.solve.values.tie_breaking import best_strategy, is_tie_optimal, most_progress, pair_place
from ludex.solve.values.transitions import (
    CHANCES,
    END,
    FOLDED,
    NODES,
    TARGETS,
    folded_nodes,
    make_matrices,
    make_transitions,
)


class StateValues(NamedTuple):
    """The exact values of many states for one seat, with a row for each state."""

    value: np.ndarray
    action_values: np.ndarray
    policy: np.ndarray
    """The probability of each action in perfect play."""


def state_values(solution: Solution, rules: Rules, states: np.ndarray, seat: int) -> StateValues:
    """Return the values of these states and their actions.

    States are rows of ints in which the seat is to move.
    """
    listing, scratch = solution.listing(initial(rules)), make_scratch(rules)
    targets, folded = len(scratch.targets), folded_nodes(scratch)
    # Number 0 is the state, those after it its successors.
    transitions = make_transitions(rules, folded, targets, 1 + targets)
    size = 1 + targets + folded
    known = np.zeros(size), np.zeros((2, size)), np.zeros(size)
    found = StateValues(np.zeros(len(states)), *np.zeros((2, len(states), actions(rules))))
    solved = solution.values, solution.tie_values, solution.progress
    kinds, degrees = transitions.kinds.dtype, transitions.degrees.dtype
    equations = make_equations(kinds, degrees, max(targets, folded), folded)
    wrong = evaluate_states(
        rules, listing, solved, states, seat, transitions, equations, known, scratch,
        make_matrices(rules), found,
    )  # fmt: skip
    if wrong >= 0:
        raise KeyError(position(rules, from_row(listing.first, states, wrong)))
    return found


@compiled
def evaluate_states(
    rules, listing, solved, states, seat, transitions, equations, known, scratch, matrices, found
):
    """Write the values of states and actions for the seat, and its policy; return -1.

    If a successor of a state is not in the solution, return the index of that state.
    """
    values, tie_values, progress = known
    for index in range(len(states)):
        state = from_row(listing.first, states, index)
        if not write_state(rules, listing, solved, state, transitions, known, scratch):
            return index
        both = values, progress
        write_equations(transitions, equations, values, both, VALUES, 0, 1.0)
        sweep(equations, transitions.work[FOLDED], values, both, VALUES, 0, 1.0, matrices)
        write_equations(transitions, equations, tie_values[seat], both, TIES, seat, 1.0)
        choose(moves(rules, state, seat), index, seat, transitions, known, matrices, found)
    return -1


@compiled
def write_state(rules, listing, solved, state, transitions, known, scratch):
    """Write the transitions of a state; return whether its successors are in the solution.

    What is known of them is copied.
    """
    _, folding, fields, keys, lookup, _, _ = listing
    kinds, degrees, targets, chances, work = transitions
    new_kinds, new_degrees, new_targets, new_chances, own, seen = scratch
    nodes, written = expand(
        rules, state, folding, fields,
        new_kinds, new_degrees, new_targets, new_chances, own, seen,
    )  # fmt: skip
    if nodes < 0:
        return False
    work[NODES], work[TARGETS], work[CHANCES], work[END] = nodes, written, 0, 1
    place = 0
    for node in range(nodes):
        kind = new_kinds[node]
        kinds[node] = kind if node == nodes - 1 else -1 - kind
        degrees[node] = new_degrees[node]
        for _ in range(new_degrees[node]):
            key = int(new_targets[place])
            targets[place] = 1 + place if key >= 0 else work[FOLDED] - 1 - key
            if key >= 0:
                number = number_of(key, keys, lookup)
                if number < 0:
                    return False
                for one in range(2):
                    known[1][one, 1 + place] = solved[1][one, number]
                known[0][1 + place] = solved[0][number]
                known[2][1 + place] = solved[2][number]
            if kind == EXPECTATION:
                chances[work[CHANCES]] = new_chances[place]
                work[CHANCES] += 1
            place += 1
    return True


@compiled
def choose(bits, index, seat, transitions, known, matrices, found):
    """Write the value of the state and of its actions, given as bits, and the seat's policy."""
    kinds, degrees, targets, _, work = transitions
    values, tie_values, progress = known
    state_value, action_values, policy = found
    sign, root = 1.0 if seat == 0 else -1.0, work[NODES] - 1
    begin, value = work[TARGETS] - degrees[root], values[0]
    state_value[index] = sign * value
    if kinds[root] >= MATRIX:
        columns = kinds[root] - MATRIX
        rows = degrees[root] // columns
        strategies = matrices[1]
        for one in range(2):
            best_strategy(
                one, value, begin, rows, columns, targets, (values, progress),
                tie_values[one], strategies[one], matrices,
            )  # fmt: skip
        others = columns if seat == 0 else rows
        for own, action in enumerate(members(bits)):
            policy[index, action] = strategies[seat, own]
            for other in range(others):
                target = targets[begin + pair_place(seat, own, other, columns)]
                action_values[index, action] += strategies[1 - seat, other] * sign * values[target]
        return
    most = most_progress(sign, value, begin, work[TARGETS], targets, values, progress)
    best, equals = -2.0, 0
    for place in range(begin, work[TARGETS]):
        if is_tie_optimal(sign, value, targets[place], values, progress, most):
            best = max(best, float(tie_values[seat, targets[place]]))
    for own, action in enumerate(members(bits)):
        target = targets[begin + own]
        action_values[index, action] = sign * values[target]
        if (
            is_tie_optimal(sign, value, target, values, progress, most)
            and tie_values[seat, target] >= best - CLOSE
        ):
            policy[index, action] = 1.0
            equals += 1
    # One by one: what checks the shapes of slices takes a second to compile.
    for action in range(policy.shape[1]):
        policy[index, action] /= equals
