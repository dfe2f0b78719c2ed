"""Your program for the game of nuts.

Name: …
Parts that work: …
"""


def read_number(question, low, high):
    """Ask until the answer is a whole number from low to high, and return it."""
    raise NotImplementedError  # TODO


def play_friend(nuts):
    """Play a game between two people."""
    raise NotImplementedError  # TODO: part 1


def select(hat):
    """Draw a ball from a hat at random, and return its kind, 0 to 2."""
    raise NotImplementedError  # TODO: part 2


def play_computer(nuts, hats):
    """Play a game against the computer, which learns from it."""
    raise NotImplementedError  # TODO: part 2


def train(nuts):
    """Return the hats of a computer trained against another."""
    raise NotImplementedError  # TODO: part 3


def main():
    """Show the menu, and play the chosen game."""
    print("Welcome to the game of nuts!")
    raise NotImplementedError  # TODO


if __name__ == "__main__":
    main()
