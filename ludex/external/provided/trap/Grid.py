"""The board: 0 is a free cell, 1 and 2 are the players, -1 is a trap."""

import numpy as np


class Grid:
    """A square board whose cells are (row, column), (0, 0) at the top left."""

    def __init__(self, N=7):
        self.dim = N
        self.map = np.zeros((N, N))

    def getAvailableCells(self):
        """Return the free cells, row by row."""
        cells = ((row, column) for row in range(self.dim) for column in range(self.dim))
        return [cell for cell in cells if self.map[cell] == 0]

    def getMap(self):
        """Return the array of the board."""
        return self.map

    def setCellValue(self, pos, value):
        """Put a value into a cell."""
        self.map[tuple(pos)] = value

    def getCellValue(self, pos):
        """Return the value of a cell."""
        return self.map[tuple(pos)]

    def clone(self):
        """Return a board of its own that looks the same."""
        other = Grid(self.dim)
        other.map = np.copy(self.map)
        return other

    def find(self, player_num):
        """Return the cell of a player, or None."""
        rows, columns = np.where(self.map == player_num)
        return (int(rows[0]), int(columns[0])) if len(rows) else None

    def get_neighbors(self, pos, only_available=False, available_only=False):
        """Return the cells around a cell, or the free ones among them, in the order of a set."""

        def near(place):
            return range(max(place - 1, 0), min(place + 2, self.dim))

        row, column = pos
        around = {(one, other) for one in near(row) for other in near(column)}
        cells = list(around - {(row, column)})
        if only_available or available_only:
            return [cell for cell in cells if self.map[cell] == 0]
        return cells

    def move(self, move, player):
        """Step with a player, and return this board."""
        before = self.find(player)
        if before is not None:
            self.map[before] = 0
        self.map[tuple(move)] = player
        return self

    def trap(self, pos):
        """Put a trap on a cell, and return this board."""
        self.map[tuple(pos)] = -1
        return self

    def print_grid(self):
        """Print the array."""
        print(self.map)
