"""Agents for Aeroplane Chess: the base of all, and one that does not think."""

import random


class AeroplaneChessAgent:
    """Chooses which plane of its color moves."""

    def __init__(self, color):
        self.color = color

    def get_action(self, state, die_v):
        """Return the index of the plane to move after a roll, or None if none can move."""
        raise NotImplementedError

    def evaluate_state(self, state):
        """Return how good a state looks for this agent: steps ahead of the others."""
        total = 0
        for color, planes in state.planes.items():
            steps = sum(plane.steps + 1 for plane in planes)
            total += steps if color == self.color else -steps
        return total


class RandomAgent(AeroplaneChessAgent):
    """Moves any plane that can move."""

    def get_action(self, state, die_v):
        """Return the index of a plane, each as likely, or None."""
        movable = state.get_movable_planes(die_v)
        return random.choice(movable) if movable else None
