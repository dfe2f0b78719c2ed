"""Shows a board at the console."""

from BaseDisplayer import BaseDisplayer

MARKS = {0: ".", 1: "1", 2: "2", -1: "x"}


class Displayer(BaseDisplayer):
    """Prints a board, one row in each line."""

    def display(self, grid):
        """Print a board."""
        print("  " + " ".join(str(column) for column in range(grid.dim)))
        for row in range(grid.dim):
            cells = (MARKS.get(int(grid.map[row, column]), "?") for column in range(grid.dim))
            print(f"{row} " + " ".join(cells))
        print()
