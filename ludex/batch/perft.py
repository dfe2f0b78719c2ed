"""Perft on a device: the lines below positions a few plies ahead are counted in parallel."""

import numpy as np

from ludex.batch.devices import Device, open_device
from ludex.batch.lines import move_count, moves_from, next_move
from ludex.core import rules as ask
from ludex.core.rules import Rules, State
from ludex.kernel.bits import is_empty
from ludex.kernel.jit import compiled
from ludex.kernel.tuples import columns_of, from_column, write_column

ENOUGH = 1 << 14  # positions: their successors keep all threads of a card busy


@compiled
def count_moves(rules, first, positions, counts):
    """Write the number of moves from each position."""
    for place in range(len(counts)):
        counts[place] = move_count(moves_from(rules, from_column(first, positions, place)))


@compiled
def write_successors(rules, first, positions, successors):
    """Write all successors of the positions."""
    place = 0
    for position in range(positions.shape[1]):
        state = from_column(first, positions, position)
        untried = moves_from(rules, state)
        while not is_empty(untried.own):
            move, untried = next_move(rules, state, untried)
            write_column(ask.apply(rules, state, move), successors, place)
            place += 1


def counting_device(device: str, rules: Rules, state: State) -> Device:
    """Return a device that counts lines of play."""
    return open_device(device, rules, state, (None,) * int(ask.seats(rules)))


def counts(
    rules: Rules, state: State, depth: int, device: Device, enough: int = ENOUGH
) -> list[int]:
    """Return the number of lines for each depth up to this one, depth 1 first.

    As `ludex.core.perft` has it, but all depths at once: the device counts below the positions of
    the first ply that has enough of them.
    """
    positions = columns_of(state)
    found: list[int] = []
    while len(found) < depth:
        if positions.shape[1] >= enough:
            below: list[int] = device.lines(positions, depth - len(found)).tolist()
            return found + below
        moves = np.zeros(positions.shape[1], np.int64)
        count_moves(rules, state, positions, moves)
        found.append(int(moves.sum()))
        if len(found) < depth:
            successors = np.empty((len(positions), found[-1]), np.int64)
            write_successors(rules, state, positions, successors)
            positions = successors
    return found
