"""Observation planes of the trap board."""

from ludex.games.trap.cells import LAND, THROW

# Traps, the own cell, the other's, the target of the trap in the air; then, all 1 or all 0:
# whether it is the seat's turn, and whether it is a throw.
TRAPS, MINE, OTHERS, TARGET, TURN, PHASE = range(6)


def view_shape(rules):
    return 6, rules.size, rules.size


def view(rules, state, seat, planes):
    mine, other = state.cell1, state.cell2
    if seat == 1:
        mine, other = other, mine
    for cell in range(rules.size * rules.size):
        row, column = cell // rules.size, cell % rules.size
        planes[TRAPS, row, column] = state.traps >> cell & 1
        planes[MINE, row, column] = 1 if cell == mine else 0
        planes[OTHERS, row, column] = 1 if cell == other else 0
        planes[TARGET, row, column] = 1 if state.phase == LAND and cell == state.target else 0
        planes[TURN, row, column] = 1 if state.seat == seat else 0
        planes[PHASE, row, column] = 1 if state.phase == THROW else 0
