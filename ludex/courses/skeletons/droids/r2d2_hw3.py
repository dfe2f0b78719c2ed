"""R2-D2 Battle: complete the droid and both agents. Do not change names and signatures."""

from abc import ABC, abstractmethod
from enum import Enum

Location = tuple[int, int]


class Action(Enum):
    """The actions of a droid."""

    MOVE_UP = 1
    MOVE_DOWN = 2
    MOVE_LEFT = 3
    MOVE_RIGHT = 4
    SHOOT = 5


# 1. The droid. ------------------------------------------------------------------------------------


class R2Droid:
    """A droid on a board of rows and columns, with a location and shots."""

    def __init__(self, rows: int, cols: int, location: Location, shots: int):
        raise NotImplementedError  # TODO

    def copy(self) -> "R2Droid":
        """Return an independent copy."""
        raise NotImplementedError  # TODO

    def move_location(self, move: Action) -> None:
        """Step, only if the move is a step that stays on the board."""
        raise NotImplementedError  # TODO

    def shoot(self, other: "R2Droid", move: Action) -> bool:
        """Shoot, only if the move is a shot and one is left; return whether the other is hit."""
        raise NotImplementedError  # TODO

    def available_actions(self) -> set[Action]:
        """Return the legal actions."""
        raise NotImplementedError  # TODO


# 2. The agents. -----------------------------------------------------------------------------------


class Agent(ABC):
    """Chooses an action for every round."""

    @abstractmethod
    def clear(self) -> None:
        """Reset what belongs to the current game, but keep what was learned."""

    @abstractmethod
    def get_best_move(
        self, self_droid: R2Droid, adv_droid: R2Droid, score_change: int, training: bool
    ) -> Action:
        """Return the action for this round; `score_change` is the gain of the last one."""


class QAgent(Agent):
    """Learns by Q-learning."""

    training_done = False  # set it to True to end the training early

    def clear(self) -> None:
        """Reset the last action."""
        raise NotImplementedError  # TODO

    def get_best_move(
        self, self_droid: R2Droid, adv_droid: R2Droid, score_change: int, training: bool
    ) -> Action:
        """Learn from the last action, and return the next one."""
        raise NotImplementedError  # TODO


class MinimaxAgent(Agent):
    """Searches ahead."""

    def clear(self) -> None:
        """Reset whatever you keep for the current game, if anything."""

    def get_best_move(
        self, self_droid: R2Droid, adv_droid: R2Droid, score_change: int, training: bool
    ) -> Action:
        """Return the best action by minimax, under the assumption that you choose."""
        raise NotImplementedError  # TODO


class KeyboardAgent(Agent):
    """Plays the action of the pressed key."""

    def __init__(self) -> None:
        self.move = None

    def set_move(self, move: Action) -> None:
        """Remember a key."""
        self.move = move

    def clear(self) -> None:
        """Forget the key."""
        self.move = None

    def get_best_move(
        self, self_droid: R2Droid, adv_droid: R2Droid, score_change: int, training: bool
    ) -> Action:
        """Return the action of the key."""
        return self.move


if __name__ == "__main__":
    # As in the document: R2_AGENT Q5_AGENT [ROUNDS [TRAINER]]; Ludex trains and shows the board.
    import shutil
    import subprocess
    import sys

    if shutil.which("ludex") is None:
        sys.exit("ludex is not installed, or its environment is not active")
    order = ["ludex", "classic", "droids", *sys.argv[1:], "--file", __file__]
    sys.exit(subprocess.call(order))
