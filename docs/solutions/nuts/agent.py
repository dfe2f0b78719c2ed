"""An example solution: balls and hats, trained in self-play."""

import random

TRAINING = 5_000
MOST = 3


def select(balls):
    """Return the kind of a ball drawn uniformly at random, 0 for the first kind."""
    return random.choices(range(len(balls)), weights=balls)[0]


def play(hats, nuts):
    """Play a match between two learners, and return the winner and the balls drawn by each."""
    drawn, mover = ([], []), 0
    while nuts > 0:
        ball = select(hats[mover][nuts - 1])
        drawn[mover].append((nuts - 1, ball))
        nuts -= ball + 1
        mover = 1 - mover
    return mover, drawn  # whoever took the last nut has lost, and the other one would be next


def train(nuts, matches):
    """Return the hats of a learner after a number of matches with alternating starts."""
    learners = [[[1] * MOST for _ in range(nuts)] for _ in range(2)]
    for match in range(matches):
        order = learners if match % 2 == 0 else learners[::-1]
        winner, drawn = play(order, nuts)
        for seat in (0, 1):
            for hat, ball in drawn[seat]:
                balls = order[seat][hat]
                balls[ball] = max(1, balls[ball] + (1 if seat == winner else -1))
    return learners[0]


def begin(game, rules, seat):
    """Train before the match."""
    global HATS
    HATS = train(rules["nuts"], TRAINING)


def choose(position, moves, seconds):
    """Take the action with the most balls."""
    nuts = int(position.split()[0])
    balls = HATS[nuts - 1]
    return moves[balls.index(max(balls))]
