"""An example solution of the R2-D2 assignment."""

import random
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


STEPS = {
    Action.MOVE_UP: (-1, 0),
    Action.MOVE_DOWN: (1, 0),
    Action.MOVE_LEFT: (0, -1),
    Action.MOVE_RIGHT: (0, 1),
}


class R2Droid:
    """A droid on a board of rows and columns."""

    def __init__(self, rows: int, cols: int, location: Location, shots: int):
        self.rows, self.cols = rows, cols
        self.location = location
        self.shots = shots

    def copy(self):
        """Return an independent copy."""
        return R2Droid(self.rows, self.cols, self.location, self.shots)

    def target(self, move: Action):
        """Return the cell that a step leads to, or None."""
        down, right = STEPS.get(move, (0, 0))
        row, column = self.location[0] + down, self.location[1] + right
        inside = 0 <= row < self.rows and 0 <= column < self.cols
        return (row, column) if inside and move in STEPS else None

    def move_location(self, move: Action):
        """Step, if the move is a step that stays on the board."""
        self.location = self.target(move) or self.location

    def shoot(self, other: "R2Droid", move: Action) -> bool:
        """Shoot, if the move is a shot and one is left, and return whether it hits."""
        if move != Action.SHOOT or self.shots <= 0:
            return False
        self.shots -= 1
        return self.location[0] == other.location[0] or self.location[1] == other.location[1]

    def available_actions(self):
        """Return the legal actions."""
        steps = {move for move in STEPS if self.target(move)}
        return steps | ({Action.SHOOT} if self.shots > 0 else set())


class Agent(ABC):
    """Base class of agents."""

    @abstractmethod
    def clear(self):
        """Reset what belongs to the current match."""

    @abstractmethod
    def get_best_move(self, self_droid, adv_droid, score_change, training):
        """Return the action for this round."""


def in_order(droid):
    """Return the legal actions of a droid in a fixed order."""
    return sorted(droid.available_actions(), key=lambda action: action.value)


class QAgent(Agent):
    """Q-learning; the features are both cells, and who has shots."""

    rate, discount, explore = 0.2, 0.9, 0.2
    enough = 4000  # matches; more of them improve it little

    def __init__(self):
        self.values = {}
        self.last = None
        self.matches = 0

    def clear(self):
        """Reset the last action, but keep the table."""
        self.matches += self.last is not None
        self.last = None

    def training_done(self):
        """Return whether it wants no more training."""
        return self.matches >= self.enough

    def get_best_move(self, self_droid, adv_droid, score_change, training=False):
        """Learn from the last action, and return the next one."""
        seen = (
            self_droid.location,
            adv_droid.location,
            min(self_droid.shots, 2),
            min(adv_droid.shots, 2),
        )
        actions = in_order(self_droid)
        row = self.values.setdefault(seen, dict.fromkeys(Action, 0.0))
        best = max(row[action] for action in actions)
        if self.last is not None:
            old, action = self.last
            old[action] += self.rate * (score_change + self.discount * best - old[action])
        if training and random.random() < self.explore:
            action = random.choice(actions)
        else:
            best = max(row[action] for action in actions)  # the row may be that of the last action
            action = random.choice([one for one in actions if row[one] == best])
        self.last = (row, action)
        return action


class MinimaxAgent(Agent):
    """Pessimistic minimax; ties are broken by the mean over the opponent's actions."""

    depth = 3

    def __init__(self):
        self.known = {}

    def clear(self):
        """Keep the cache: values of positions stay valid."""

    def get_best_move(self, self_droid, adv_droid, score_change, training=False):
        """Return the action with the best worst case."""
        rated = [
            (*self.outlook(self_droid, adv_droid, action, self.depth), action)
            for action in in_order(self_droid)
        ]
        best = max(one[:2] for one in rated)
        return random.choice([action for *worth, action in rated if tuple(worth) == best])

    def outlook(self, mine, other, action, depth):
        """Return the minimum and the mean value of an action over the opponent's replies."""
        values = []
        for reply in in_order(other):
            after, against, gain = played(mine, other, action, reply)
            values.append(gain + 0.9 * self.value(after, against, depth - 1))
        return round(min(values), 9), round(sum(values) / len(values), 9)

    def value(self, mine, other, depth):
        """Return the maximin value."""
        if depth == 0 or (mine.shots == 0 and other.shots == 0):
            return 0.2 * (mine.shots - other.shots)
        position = (mine.location, mine.shots, other.location, other.shots, depth)
        if position not in self.known:
            self.known[position] = max(
                self.outlook(mine, other, action, depth)[0] for action in in_order(mine)
            )
        return self.known[position]


def played(mine, other, action, reply):
    """Return both droids after a round, and my gain."""
    before = mine.location, other.location
    mine, other = mine.copy(), other.copy()
    mine.move_location(action)
    other.move_location(reply)
    if mine.location == other.location or (mine.location, other.location) == before[::-1]:
        mine.location, other.location = before
    hit, struck = mine.shoot(other, action), other.shoot(mine, reply)
    return mine, other, int(hit) - int(struck)


if __name__ == "__main__":
    # As in the document: R2_AGENT Q5_AGENT [ROUNDS [TRAINER]]; Ludex trains and shows the board.
    import shutil
    import subprocess
    import sys

    if shutil.which("ludex") is None:
        sys.exit("ludex is not installed, or its environment is not active")
    order = ["ludex", "classic", "droids", *sys.argv[1:], "--file", __file__]
    sys.exit(subprocess.call(order))
