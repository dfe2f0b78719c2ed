"""The base of all players."""


class BaseAI:
    """A player: it says where it steps, and where it wants to throw a trap."""

    def getMove(self, grid):
        """Return the cell (row, column) to step to."""
        raise NotImplementedError

    def getTrap(self, grid):
        """Return the cell (row, column) at which to throw."""
        raise NotImplementedError

    def getPosition(self):
        """Return the cell on which the player stands."""
        return getattr(self, "pos", None)

    def setPosition(self, new_position):
        """Take note of the cell on which the player stands."""
        self.pos = new_position

    def getPlayerNum(self):
        """Return 1 or 2; the opponent is 3 minus that."""
        return getattr(self, "player_num", None)

    def setPlayerNum(self, num):
        """Take note of being player 1 or 2."""
        self.player_num = num
