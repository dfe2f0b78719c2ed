"""An example solution: expectimax over the die, as in the document."""

from Agent import AeroplaneChessAgent

MAX_DEPTH = 1


class MyAgent(AeroplaneChessAgent):
    """Expectimax: maximise over own moves, average over rolls and the opponents' moves."""

    def get_action(self, state, die_v):
        """Return the plane whose move has the highest value."""
        best, value = None, -float("inf")
        for plane in state.get_movable_planes(die_v):
            found = self.rolled(state.generate_successor(plane, die_v), MAX_DEPTH)
            if found > value:
                best, value = plane, found
        return best

    def evaluate_state(self, state):
        """Return the lead of this color in steps; a plane out of the hangar counts ten more."""
        total = 0
        for player in state.players:
            out = [plane for plane in player.planes if not plane.is_on_hangar()]
            worth = sum(plane.total_steps + 10 for plane in out)
            total += worth if player.color == self.color else -worth
        return total

    def rolled(self, state, depth):
        """Return the value of a state before the roll."""
        if depth == 0 or state.is_win(self.color) or state.is_lose(self.color):
            return self.evaluate_state(state)
        return sum(self.moved(state, die, depth) for die in range(1, 7)) / 6

    def moved(self, state, die_v, depth):
        """Return the value of a state after a roll."""
        movable = state.get_movable_planes(die_v)
        if not movable:
            return self.rolled(state.generate_successor(None, die_v), depth - 1)
        values = [
            self.rolled(state.generate_successor(plane, die_v), depth - 1) for plane in movable
        ]
        return max(values) if state.turn == self.color else sum(values) / len(values)
