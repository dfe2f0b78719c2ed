"""An example solution: expectiminimax with alpha-beta pruning for the step and for the throw."""

import os
import sys

from BaseAI import BaseAI
from Grid import Grid
from Utils import manhattan_distance

# Lets a player in a subfolder find the handout modules.
sys.path.append(os.getcwd())

DEPTH = 5  # search depth in decisions; a step and a throw are one each
WIDEST = 8  # throws considered
WON = 1000.0
CELLS = [(row, column) for row in range(7) for column in range(7)]
AROUND = {
    (row, column): frozenset(
        (row + down, column + right)
        for down in (-1, 0, 1)
        for right in (-1, 0, 1)
        if (down, right) != (0, 0) and 0 <= row + down < 7 and 0 <= column + right < 7
    )
    for row, column in CELLS
}


class PlayerAI(BaseAI):
    """Keeps its own room, and reduces the opponent's."""

    def __init__(self):
        super().__init__()
        self.pos = None
        self.player_num = None

    def getMove(self, grid: Grid):
        """Return the step with the highest search value."""
        free, mine, theirs = self.seen(grid)
        best, value = None, -float("inf")
        for cell in opened(free, mine):
            found = throw(free | {mine}, cell, theirs, True, DEPTH - 1, value, float("inf"))
            if best is None or found > value:
                best, value = cell, found
        return best

    def getTrap(self, grid: Grid):
        """Return the throw with the highest search value."""
        free, mine, theirs = self.seen(grid)
        return thrown(free, mine, theirs, True, DEPTH, -float("inf"), float("inf"))[1]

    def seen(self, grid):
        """Return the free cells, my cell and the opponent's."""
        free = frozenset(map(tuple, grid.getAvailableCells()))
        return free, tuple(grid.find(self.player_num)), tuple(grid.find(3 - self.player_num))


def step(free, mine, theirs, my_turn, depth, alpha, beta):
    """Return the value of a board for me when one of us steps next."""
    here = mine if my_turn else theirs
    if free.isdisjoint(AROUND[here]):
        return -WON - depth if my_turn else WON + depth
    if depth == 0:
        return utility(free, mine, theirs)
    value = -float("inf") if my_turn else float("inf")
    for cell in opened(free, here):
        now = free | {here}
        if my_turn:
            value = max(value, throw(now, cell, theirs, True, depth - 1, alpha, beta))
            alpha = max(alpha, value)
        else:
            value = min(value, throw(now, mine, cell, False, depth - 1, alpha, beta))
            beta = min(beta, value)
        if alpha >= beta:
            break
    return value


def throw(free, mine, theirs, my_turn, depth, alpha, beta):
    """Return the value of a board for me after a step; the cell that was left is free, too."""
    free = free - {mine, theirs}
    other = theirs if my_turn else mine
    if free.isdisjoint(AROUND[other]):
        return WON + depth if my_turn else -WON - depth
    if depth == 0:
        return utility(free, mine, theirs)
    return thrown(free, mine, theirs, my_turn, depth, alpha, beta)[0]


def thrown(free, mine, theirs, my_turn, depth, alpha, beta):
    """Return the value of the best throw for me, and its target; misses are ignored."""
    here, other = (mine, theirs) if my_turn else (theirs, mine)
    targets = sorted(free & AROUND[other], key=lambda cell: (manhattan_distance(here, cell), cell))
    missed = None
    best, target = (-float("inf") if my_turn else float("inf")), None
    for cell in targets[:WIDEST]:
        hit = 1 - 0.05 * (manhattan_distance(here, cell) - 1)
        rest = 0.0
        if hit < 1:  # all misses lead to the same board
            if missed is None:
                missed = step(free, mine, theirs, not my_turn, depth - 1, -10 * WON, 10 * WON)
            rest = (1 - hit) * missed
        low, high = (alpha - rest) / hit, (beta - rest) / hit
        after = free - {cell}
        value = rest + hit * step(after, mine, theirs, not my_turn, depth - 1, low, high)
        if target is None or (value > best if my_turn else value < best):
            best, target = value, cell
        if my_turn:
            alpha = max(alpha, best)
        else:
            beta = min(beta, best)
        if alpha >= beta:
            break
    return best, target


def opened(free, here):
    """Return the possible steps, those with most free neighbours first."""
    cells = free & AROUND[here]
    return sorted(cells, key=lambda cell: (-len(free & AROUND[cell]), cell))


def utility(free, mine, theirs):
    """Return my room minus the opponent's."""
    return room(free, mine) - 1.5 * room(free, theirs)


def room(free, here):
    """Return the weighted number of cells within one step and two, near ones counting more."""
    near = free & AROUND[here]
    far = near.union(*(AROUND[cell] for cell in near)) & free
    return 3.0 * len(near) + len(far)
