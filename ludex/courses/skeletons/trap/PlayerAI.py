"""Your player for Trap!: complete both methods of the class."""

from BaseAI import BaseAI


class PlayerAI(BaseAI):
    """A player that steps and throws."""

    def __init__(self):
        super().__init__()
        self.pos = None  # your cell: (row, column)
        self.player_num = None  # 1 or 2; the opponent is 3 - self.player_num

    def getMove(self, grid):
        """Return the cell (row, column) to step to: free, and one of the eight around you.

        Ask where the opponent would throw if it threw like a professional.
        """
        raise NotImplementedError  # TODO

    def getTrap(self, grid):
        """Return the target cell (row, column) of the throw: any cell without a player.

        Ask where the opponent would step if it stepped like a professional. You have stepped
        already; where the trap lands is subject to chance.
        """
        raise NotImplementedError  # TODO
