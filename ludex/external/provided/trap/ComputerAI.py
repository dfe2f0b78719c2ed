"""A player that moves at random."""

import random

from BaseAI import BaseAI


class ComputerAI(BaseAI):
    """Steps and throws at random."""

    def __init__(self, initial_position=None):
        super().__init__()
        self.pos = initial_position
        self.player_num = None

    def getMove(self, grid):
        """Return a free neighbour, uniformly at random, or None."""
        cells = grid.get_neighbors(self.pos, only_available=True)
        return random.choice(cells) if cells else None

    def getTrap(self, grid):
        """Return a free cell, uniformly at random, or None."""
        cells = grid.getAvailableCells()
        return random.choice(cells) if cells else None
