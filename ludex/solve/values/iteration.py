"""The iteration of a block, from its transitions to its values, its progress and its tie values.

Values are iterated until they converge, starting with 0, which is the value of infinite play. Where
play can cycle, the iteration may have other fixed points. The right one is recognised by its
progress measure (`progress_measure.py`). If that is 0 somewhere, discounted values are computed,
whose fixed point is unique, and the policy that is greedy by them is evaluated: with discounting
weak enough it is optimal without it.
"""

from typing import NamedTuple

import numpy as np

from ludex.kernel.jit import compiled, shared
from ludex.solve.values.equations import (
    COUNT,
    POLICY,
    PROGRESS,
    TERMS,
    TIES,
    VALUES,
    Equations,
    begin_with_0,
    sweep,
    write_equations,
)
from ludex.solve.values.transitions import DONE, FOLDED, INSIDE, PAUSED, TARGETS, Transitions

TOLERANCE = 1e-13  # values that change by less in a sweep have converged
CONSISTENCY_TOLERANCE = 1e-12  # of a policy's values in the equations of the game
TIE_TOLERANCE = 1e-4  # tie values only break ties
PROGRESS_TOLERANCE = 1e-3  # progress need not be exact, only positive
MOST_SWEEPS = 100_000  # convergence may be slow with simultaneous moves
DISCOUNTS = (0.99, 0.999, 0.9999, 0.99999)  # tried if the fixed point is not unique

# A stage is what its equations are about: VALUES, POLICY, PROGRESS or TIES. Between policy and
# progress, the values are checked once more.
CHECK, SOLVED = 4, 5
# Indices into the cursor: the stage, its seat, its sweeps, or -1 before its equations are written,
# how many discounts were tried, and the states without progress, now and of both seats.
STAGE, SEAT, SWEEPS, ATTEMPT, ZEROS, STUCK = range(6)
# Indices into the facts: of all blocks, and of the current one.
RESIDUAL, GAP, UNPROVEN, BLOCK_CHANGE, BLOCK_GAP = range(5)


class Block(NamedTuple):
    """A block that is being solved: its transitions, its equations, and how far it is."""

    transitions: Transitions
    equations: Equations
    matrices: tuple[np.ndarray, np.ndarray, np.ndarray]
    cursor: np.ndarray
    facts: np.ndarray


def make_cursor() -> np.ndarray:
    """Return the cursor of a block that is still to be solved."""
    return np.zeros(STUCK + 1, np.int64)


def make_facts() -> np.ndarray:
    """Return the facts before any block is solved."""
    return np.zeros(BLOCK_GAP + 1)


@compiled
def solve_block(block, solved, with_ties, most):
    """Solve a block from its cursor on; return DONE, or PAUSED after `most` targets.

    Solved is what is known of all states: values, tie values, progress.
    """
    transitions, equations, _, cursor, facts = block
    left = most
    while cursor[STAGE] != SOLVED:
        if left <= 0:
            return PAUSED
        left -= transitions.work[TARGETS] if cursor[SWEEPS] < 0 else equations.work[TERMS]
        left -= 1
        cursor[SWEEPS] += 1
        change, zeros, gap = advance(block, solved)
        follow(block, change, zeros, gap, with_ties)
    note_facts(facts)
    return DONE


@compiled
def note_facts(facts):
    """Add the facts about a block that is solved to those about all."""
    facts[RESIDUAL] = max(facts[RESIDUAL], facts[BLOCK_CHANGE])
    facts[GAP] = max(facts[GAP], facts[BLOCK_GAP])


@compiled
def advance(block, solved):
    """Write the equations of a stage, or sweep them; return the change, the zeros and the gap."""
    transitions, equations, matrices, cursor, _ = block
    values, tie_values, progress = solved
    about, seat, attempt = int(cursor[STAGE]), int(cursor[SEAT]), cursor[ATTEMPT]
    known = values
    if about == PROGRESS:
        known = progress
    elif about == TIES:
        known = tie_values[seat]
    discount = 1.0
    if about == VALUES and attempt > 0:
        discount = DISCOUNTS[min(attempt, len(DISCOUNTS)) - 1]
    elif about == CHECK:
        about = VALUES
    if cursor[SWEEPS] == 0:
        change = write_equations(
            transitions, equations, known, (values, progress), about, seat, discount
        )
        if about == POLICY:
            begin_with_0(equations, transitions.work[FOLDED], values)
        return change, 0, 0.0
    first = transitions.work[FOLDED]
    return sweep(equations, first, known, (values, progress), about, seat, discount, matrices)


@compiled
def follow(block, change, zeros, gap, with_ties):
    """Go on to the next stage, if this one has converged after a step."""
    cursor = block.cursor
    if cursor[STAGE] == VALUES:
        follow_values(block, change, gap, with_ties)
    elif cursor[STAGE] == POLICY:
        if has_converged(block, change, TOLERANCE):
            enter(cursor, CHECK, 0)
    elif cursor[STAGE] == CHECK:
        follow_check(block, change, gap, with_ties)
    elif cursor[STAGE] == PROGRESS:
        follow_progress(block, change, zeros, with_ties)
    elif has_converged(block, change, TIE_TOLERANCE):
        if cursor[SEAT] == 0:
            enter(cursor, TIES, 1)
        else:
            cursor[STAGE] = SOLVED


@shared
def enter(cursor, stage, seat):
    """Go on to a stage; its first step writes the equations."""
    cursor[STAGE], cursor[SEAT], cursor[SWEEPS] = stage, seat, -1


@shared
def enter_ties(cursor, with_ties):
    """Go on to tie values, unless nobody wants them."""
    if with_ties:
        enter(cursor, TIES, 0)
    else:
        cursor[STAGE] = SOLVED


@shared
def has_converged(block, change, tolerance):
    """Return whether a stage can end after a step with a change."""
    sweeps = block.cursor[SWEEPS]
    if sweeps == 0:
        return block.equations.work[COUNT] == 0
    return change <= tolerance or sweeps >= MOST_SWEEPS or block.transitions.work[INSIDE] == 0


@shared
def follow_values(block, change, gap, with_ties):
    """Go on to the next stage if the values have converged."""
    _, _, matrices, cursor, facts = block
    facts[BLOCK_GAP] = gap
    facts[BLOCK_CHANGE] = change if block.transitions.work[INSIDE] > 0 < cursor[SWEEPS] else 0.0
    if not has_converged(block, change, TOLERANCE):
        return
    if block.transitions.work[INSIDE] == 0:
        enter_ties(cursor, with_ties)
    elif cursor[ATTEMPT] == 0:
        enter(cursor, PROGRESS, 0)
    elif cursor[ATTEMPT] > len(DISCOUNTS) or len(matrices[1][0]) > 1:
        # With simultaneous moves there is no greedy policy, and the values stay.
        enter(cursor, CHECK, 0)
    else:
        enter(cursor, POLICY, 0)


@shared
def follow_check(block, change, gap, with_ties):
    """Note how well values satisfy the equations of the game, after these and one sweep."""
    _, _, _, cursor, facts = block
    if cursor[SWEEPS] == 0:
        facts[BLOCK_CHANGE], facts[BLOCK_GAP] = change, gap
        return
    facts[BLOCK_CHANGE] = max(facts[BLOCK_CHANGE], change)
    facts[BLOCK_GAP] = max(facts[BLOCK_GAP], gap)
    if cursor[ATTEMPT] <= len(DISCOUNTS):
        enter(cursor, PROGRESS, 0)
    else:
        # No discount was weak enough: the values are those of the last one, and unproven.
        facts[UNPROVEN] += max(1, cursor[STUCK])
        enter_ties(cursor, with_ties)


@shared
def follow_progress(block, gained, zeros, with_ties):
    """Go on if the progress of a seat has converged, with the next discount if some have none."""
    _, _, _, cursor, facts = block
    before, cursor[ZEROS] = cursor[ZEROS], zeros
    if not has_converged(block, gained, PROGRESS_TOLERANCE) or 0 < zeros != before:
        return
    cursor[STUCK] = zeros + (cursor[STUCK] if cursor[SEAT] == 1 else 0)
    if cursor[SEAT] == 0:
        enter(cursor, PROGRESS, 1)
        return
    first = cursor[ATTEMPT] == 0
    wrong = facts[BLOCK_CHANGE] > (TOLERANCE if first else CONSISTENCY_TOLERANCE)
    if cursor[STUCK] == 0 and (first or not wrong):
        facts[UNPROVEN] += wrong
        enter_ties(cursor, with_ties)
    else:
        cursor[ATTEMPT] += 1
        enter(cursor, VALUES, 0)
