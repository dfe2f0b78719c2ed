"""An example solution: expectimax over the die, as the document has it."""

from Agent import AeroplaneChessAgent

MAX_DEPTH = 1


class MyAgent(AeroplaneChessAgent):
    """Looks ahead: the best of its own moves, the mean of the rolls and of the others' moves."""

    def get_action(self, state, die_v):
        """Return the plane whose move is worth most."""
        best, value = None, -float("inf")
        for plane in state.get_movable_planes(die_v):
            found = self.rolled(state.generate_successor(plane, die_v), MAX_DEPTH)
            if found > value:
                best, value = plane, found
        return best

    def evaluate_state(self, state):
        """Return how many steps this color is ahead; a plane out of the hangar counts ten more."""
        total = 0
        for player in state.players:
            out = [plane for plane in player.planes if not plane.is_on_hangar()]
            worth = sum(plane.total_steps + 10 for plane in out)
            total += worth if player.color == self.color else -worth
        return total

    def rolled(self, state, depth):
        """Return what a state is worth before the roll."""
        if depth == 0 or state.is_win(self.color) or state.is_lose(self.color):
            return self.evaluate_state(state)
        return sum(self.moved(state, die, depth) for die in range(1, 7)) / 6

    def moved(self, state, die_v, depth):
        """Return what a state is worth after a roll."""
        movable = state.get_movable_planes(die_v)
        if not movable:
            return self.rolled(state.generate_successor(None, die_v), depth - 1)
        values = [
            self.rolled(state.generate_successor(plane, die_v), depth - 1) for plane in movable
        ]
        return max(values) if state.turn == self.color else sum(values) / len(values)
