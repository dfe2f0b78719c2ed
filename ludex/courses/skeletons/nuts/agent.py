"""Your agent for the game of nuts: a hat for each number of nuts, with balls from 1 to 3."""

HATS = []


def select(balls):
    """Return the kind of a ball drawn uniformly at random, 0 for the first kind."""
    raise NotImplementedError  # TODO


def train(nuts, matches):
    """Train two learners for a number of matches, and return the hats of one of them."""
    raise NotImplementedError  # TODO


def begin(game, rules, seat):
    """Train before the match."""
    HATS[:] = train(rules["nuts"], 5000)


def choose(position, moves, seconds):
    """Return one of the moves, such as "take 2"; the position begins with the number of nuts."""
    nuts = int(position.split()[0])
    return moves[select(HATS[nuts - 1])]
