"""An example solution: expectiminimax for the step and for the throw, a few plies deep."""

import os
import sys

from BaseAI import BaseAI
from Grid import Grid
from Utils import manhattan_distance

# Lets a player in a folder below find the modules that were handed out.
sys.path.append(os.getcwd())

DEPTH = 2
WIDEST = 4  # throws that are looked at


class PlayerAI(BaseAI):
    """Keeps its own room, and takes away the opponent's."""

    def __init__(self):
        super().__init__()
        self.pos = None
        self.player_num = None

    def getMove(self, grid: Grid):
        """Return the step after which the opponent's best throw hurts least."""
        cells = grid.get_neighbors(self.pos, only_available=True)
        best, value = None, -float("inf")
        for cell in cells:
            found = self.thrown_at(grid.clone().move(cell, self.player_num), DEPTH - 1, value)
            if found > value:
                best, value = cell, found
        return best

    def getTrap(self, grid: Grid):
        """Return the throw after which the opponent's best step helps it least."""
        me, other = self.player_num, 3 - self.player_num
        cells = throws(grid, me, other)
        if not cells:
            return grid.getAvailableCells()[0]
        here = grid.find(me)
        best, value = cells[0], -float("inf")
        for cell in cells:
            hit = chance(here, cell)
            found = hit * self.stepped(grid.clone().trap(cell)) + (1 - hit) * self.utility(grid)
            if found > value:
                best, value = cell, found
        return best

    def thrown_at(self, grid, depth, alpha):
        """Return what a board is worth when the opponent throws next."""
        me, other = self.player_num, 3 - self.player_num
        cells = throws(grid, other, me)
        if not cells or depth == 0:
            return self.utility(grid)
        worst = float("inf")
        for cell in cells:
            hit = chance(grid.find(other), cell)
            trapped = grid.clone().trap(cell)
            worst = min(worst, hit * self.utility(trapped) + (1 - hit) * self.utility(grid))
            if worst <= alpha:
                break
        return worst

    def stepped(self, grid):
        """Return what a board is worth when the opponent steps next."""
        other = 3 - self.player_num
        cells = grid.get_neighbors(grid.find(other), only_available=True)
        if not cells:
            return 1000.0
        return min(self.utility(grid.clone().move(cell, other)) for cell in cells)

    def utility(self, grid):
        """Return the steps that I have and could have next, less those of the opponent."""
        return room(grid, self.player_num) - 1.5 * room(grid, 3 - self.player_num)


def room(grid, player):
    """Return how many steps a player has, now and next."""
    cells = grid.get_neighbors(grid.find(player), only_available=True)
    if not cells:
        return -100.0
    return 3.0 * len(cells) + sum(len(grid.get_neighbors(cell, True)) for cell in cells) / 8.0


def throws(grid, thrower, target):
    """Return the free cells around the target, the nearest to the thrower first."""
    here = grid.find(thrower)
    cells = grid.get_neighbors(grid.find(target), only_available=True)
    return sorted(cells, key=lambda cell: manhattan_distance(here, cell))[:WIDEST]


def chance(here, target):
    """Return how probably a throw hits."""
    return 1 - 0.05 * (manhattan_distance(here, target) - 1)
