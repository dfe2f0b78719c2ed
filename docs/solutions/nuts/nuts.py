"""An example solution: all three parts of the assignment "AI Training".

A hat is a list of three counts, how many balls say 1, 2 and 3. A computer has a hat for each number
of nuts that may be on the board.
"""

import random

MOST = 3
TRAINING = 100_000


def read_number(question, low, high):
    """Ask until the answer is a whole number from low to high, and return it."""
    while True:
        try:
            number = int(input(question))
        except ValueError:
            number = low - 1
        if low <= number <= high:
            return number
        print(f"Please enter a number between {low} and {high}")


def print_board(nuts):
    """Print the number of nuts."""
    print()
    print(f"There {'is 1 nut' if nuts == 1 else f'are {nuts} nuts'} on the board.")


def new_hats(nuts):
    """Return a hat for each number of nuts, with one ball of each kind."""
    return [[1] * MOST for _ in range(nuts)]


def select(hat):
    """Draw a ball from a hat at random, and return its kind, 0 to 2."""
    number = random.randint(1, sum(hat))
    for kind, count in enumerate(hat):
        number -= count
        if number <= 0:
            return kind


def update(hats, drawn, won):
    """Add a ball of each kind that was drawn, or remove one unless it is the last."""
    for nuts, kind in drawn:
        hat = hats[nuts - 1]
        hat[kind] = max(1, hat[kind] + (1 if won else -1))


def ask_player(player):
    """Return the number of nuts that a player takes."""
    return read_number(f"Player {player}: How many nuts do you take (1-{MOST})? ", 1, MOST)


def play_friend(nuts):
    """Play a game between two people."""
    player = 2
    while nuts > 0:
        player = 3 - player
        print_board(nuts)
        nuts -= ask_player(player)
    print(f"Player {player}, you lose.")


def play_computer(nuts, hats):
    """Play a game against the computer, which learns from it."""
    drawn = []
    player = 2
    while nuts > 0:
        player = 3 - player
        print_board(nuts)
        if player == 1:
            nuts -= ask_player(player)
        else:
            kind = select(hats[nuts - 1])
            drawn.append((nuts, kind))
            print(f"AI selects {kind + 1}")
            nuts -= kind + 1
    print("You lose." if player == 1 else "AI loses.")
    update(hats, drawn, player == 1)


def play_training(nuts, learners):
    """Play a game between two computers, the first one moving first, and let both learn."""
    drawn = [], []
    mover = 1
    while nuts > 0:
        mover = 1 - mover
        kind = select(learners[mover][nuts - 1])
        drawn[mover].append((nuts, kind))
        nuts -= kind + 1
    for learner in (0, 1):
        update(learners[learner], drawn[learner], learner != mover)


def train(nuts):
    """Return the hats of a computer trained against another, with alternating starts."""
    learners = [new_hats(nuts), new_hats(nuts)]
    for _ in range(TRAINING):
        play_training(nuts, learners)
        learners.reverse()
    return learners[0]


def main():
    """Show the menu, and play the chosen game."""
    print("Welcome to the game of nuts!")
    nuts = read_number("How many nuts are there on the table initially (10-100)? ", 10, 100)
    print("Options:")
    print(" Play against a friend (1)")
    print(" Play against the computer (2)")
    print(" Play against the trained computer (3)")
    option = read_number("Which option do you take (1-3)? ", 1, 3)
    hats = new_hats(nuts)
    if option == 3:
        print("Training AI, please wait...")
        hats = train(nuts)
    again = 1
    while again:
        if option == 1:
            play_friend(nuts)
        else:
            play_computer(nuts, hats)
        again = read_number("Play again (1 = yes, 0 = no)? ", 0, 1)


if __name__ == "__main__":
    main()
