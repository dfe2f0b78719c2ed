"""What players may need."""


def manhattan_distance(position, target):
    """Return how many rows and columns two cells are apart."""
    return abs(target[0] - position[0]) + abs(target[1] - position[1])
