"""The values of all actions in a state of a solved game, and how a perfect player chooses.

The states in question are expanded into transitions of their own, with the solution's values for
their successors, and evaluated as when the game was solved.
"""

from collections.abc import Iterator
from typing import NamedTuple

import numpy as np

from ludex.core.choice import CLOSE
from ludex.core.rules import Rules, State, actions, at_once, initial, moves, position
from ludex.kernel.bits import lowest
from ludex.kernel.jit import compiled
from ludex.solve.solution import Solution
from ludex.solve.states.keys import from_row
from ludex.solve.states.state_space import number_of
from ludex.solve.states.successors import MATRIX, ODDS, expand, make_scratch
from ludex.solve.values.progress_measure import (
    ahead,
    careful_choice,
    gather_progress,
    sweep_progress,
)
from ludex.solve.values.tie_breaking import favour, is_favoured, sweep_hopes
from ludex.solve.values.transitions import (
    CHANCES,
    NODES,
    TARGETS,
    gather_from,
    make_matrices,
    make_tape,
    sweep,
)

MOST_TARGETS = 1 << 21  # there may be of all states that are judged at once


class Worth(NamedTuple):
    """What is known of numbered nodes: their values to seat 0, hopes by seat, and progress."""

    values: np.ndarray
    hopes: np.ndarray
    progress: np.ndarray


class AskedStates(NamedTuple):
    """States that are asked about, as rows of ints like another one, and their nodes on a tape."""

    like: State
    states: np.ndarray
    seat: int
    lasts: np.ndarray


class Judgement(NamedTuple):
    """What a solution says of many states to one seat, a row for each."""

    worth: np.ndarray
    worths: np.ndarray
    """Of each action."""
    shares: np.ndarray
    """How likely a perfect player takes each action."""


def judgements(
    solution: Solution, rules: Rules, states: np.ndarray, seat: int
) -> Iterator[Judgement]:
    """Yield, for some of these states at a time, what they and their actions are worth.

    States are rows of ints in which the seat is to choose.
    """
    listing, scratch = solution.listing(initial(rules)), make_scratch(rules)
    solved = Worth(solution.values, solution.hopes, solution.progress)
    matrices = make_matrices(rules)
    most = min(max(1, MOST_TARGETS // len(scratch.targets)), len(states))
    nodes, targets = most * len(scratch.kinds), most * len(scratch.targets)
    tape = make_tape(nodes, targets, targets)
    known = Worth(
        np.zeros(nodes + targets),
        np.zeros((2, nodes + targets), np.float32),
        np.zeros(nodes + targets, np.float32),
    )
    lasts = np.zeros(most, np.int64)
    for start in range(0, len(states), most):
        some = states[start : start + most]
        wrong = write_asked(rules, listing, solved, some, tape, known, lasts, scratch)
        if wrong >= 0:
            raise KeyError(position(rules, from_row(listing.first, some, wrong)))
        columns, (values, hopes, progress) = tuple(tape), known
        sweep(columns, values, 0, 1.0, matrices)
        for one in range(2):
            sweep_progress(columns, values, progress, 0, True, one, matrices)
        for one in (0, 1) if at_once(rules) else (seat,):
            sweep_hopes(columns, values, progress, hopes[one], one, matrices)
        found = Judgement(np.zeros(len(some)), *np.zeros((2, len(some), actions(rules))))
        asked = AskedStates(listing.first, some, seat, lasts)
        choose(rules, asked, tape, known, matrices, found)
        yield found


@compiled
def write_asked(rules, listing, solved, states, tape, known, lasts, scratch):
    """Write states onto an empty tape, under numbers of their own; return -1.

    What is known of their targets is copied, and lasts[INDEX] becomes the node of a state. If
    something that follows a state is not in the solution, return the index of that state.
    """
    like, folding, fields, keys, slots, _, _ = listing
    values, hopes, progress = solved
    numbers, kinds, degrees, targets, chances, work = tape
    known_values, known_hopes, known_progress = known
    new_kinds, new_degrees, new_targets, new_odds, own = scratch
    work[:] = 0
    used = 0
    for index in range(len(states)):
        state = from_row(like, states, index)
        nodes = expand(
            rules, state, folding, fields, new_kinds, new_degrees, new_targets, new_odds, own
        )[0]
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
                    number = number_of(key, keys, slots)
                    if number < 0:
                        return index
                    known_values[used] = values[number]
                    known_hopes[0, used] = hopes[0, number]
                    known_hopes[1, used] = hopes[1, number]
                    known_progress[used] = progress[number]
                    used += 1
                if new_kinds[node] == ODDS:
                    chances[work[CHANCES]] = new_odds[place]
                    work[CHANCES] += 1
                place += 1
        lasts[index] = work[NODES] - 1
    return -1


@compiled
def choose(rules, asked, tape, known, matrices, found):
    """Write what states and actions are worth to the seat, and how likely it takes each."""
    like, states, seat, lasts = asked
    numbers, kinds, degrees, targets, _, work = tape
    values, hopes, progress = known
    games, mixtures, tableau = matrices
    worth, worths, shares = found
    sign = 1.0 if seat == 0 else -1.0
    index = place = 0
    for node in range(work[NODES]):
        begin = place
        place += degrees[node]
        if node != lasts[index]:
            continue
        number, kind = numbers[node], int(kinds[node])
        value = values[number]
        worth[index] = sign * value
        bits = moves(rules, from_row(like, states, index), seat)
        if kind >= MATRIX:
            columns = kind - MATRIX
            rows = degrees[node] // columns
            mine, theirs = (rows, columns) if seat == 0 else (columns, rows)
            # The other first, so that the games are those of the seat in the end.
            for one in (1 - seat, seat):
                way = 1.0 if one == 0 else -1.0
                gather_from(one, way, values, targets, begin, rows, columns, games[0])
                gather_from(one, 1.0, hopes[one], targets, begin, rows, columns, games[1])
                if ahead(way, value):
                    gather_progress(way, values, progress, targets, begin, rows, columns, games[2])
                else:
                    games[2] = 1.0
                if one == seat:
                    careful_choice(games, mine, theirs, mixtures[0], mixtures[2], tableau)
                else:
                    careful_choice(games, theirs, mine, mixtures[1], mixtures[2], tableau)
            for one in range(mine):
                action = lowest(bits)
                bits &= bits - 1
                shares[index, action] = mixtures[0, one]
                for other in range(theirs):
                    worths[index, action] += mixtures[1, other] * games[0, one, other]
        else:
            most, hope = favour(sign, value, begin, place, targets, values, progress, hopes[seat])
            equals = 0
            for one in range(begin, place):
                action = lowest(bits)
                bits &= bits - 1
                target = targets[one]
                worths[index, action] = sign * values[target]
                if (
                    is_favoured(sign, value, target, values, progress, most)
                    and hopes[seat, target] >= hope - CLOSE
                ):
                    shares[index, action] = 1.0
                    equals += 1
            shares[index] /= equals
        index += 1
