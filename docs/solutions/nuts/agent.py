"""An example solution: hats with balls, filled by playing against itself."""

import random

TRAINING = 5_000
MOST = 3


def select(balls):
    """Return the number of a ball, 0 for the first kind, each ball as likely."""
    return random.choices(range(len(balls)), weights=balls)[0]


def play(hats, nuts):
    """Play a match of two learners, and return who has won, and what each has drawn."""
    drawn, mover = ([], []), 0
    while nuts > 0:
        ball = select(hats[mover][nuts - 1])
        drawn[mover].append((nuts - 1, ball))
        nuts -= ball + 1
        mover = 1 - mover
    return mover, drawn  # who took the final nut has lost, and the other one would be next


def train(nuts, matches):
    """Return the hats of a learner after so many matches in which the start alternates."""
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
    """Take what most balls say."""
    nuts = int(position.split()[0])
    balls = HATS[nuts - 1]
    return moves[balls.index(max(balls))]
