"""Your agent for Aeroplane Chess: complete both methods."""

from Agent import AeroplaneChessAgent


class MyAgent(AeroplaneChessAgent):
    """Chooses which plane of its color moves; `self.color` is "B" or "G"."""

    def get_action(self, state, die_v):
        """Return the index of the plane to move after a roll, or None if none can move.

        `state.get_movable_planes(die_v)` are the indices that are allowed, and
        `state.generate_successor(index, die_v)` is the state after a move.
        """
        raise NotImplementedError  # TODO

    def evaluate_state(self, state):
        """Return a heuristic value of a state for this agent.

        Each of `state.players` has a `color` and `planes`, and a plane has `pos_type`, `pos` and
        `total_steps`, of which 56 lead home.
        """
        raise NotImplementedError  # TODO
