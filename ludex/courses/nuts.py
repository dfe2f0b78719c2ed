"""The nuts course program: a dialogue with a friend, a computer or a trained computer.

Its parts are those of the assignment "AI Training" (2017): 1 has no menu and one game, 2 adds the
computer, 3 the trained one.
"""

from collections.abc import Callable

import numpy as np

from ludex.games.nuts import Nuts, NutsRules
from ludex.learn.hats import HatsLearner
from ludex.learn.table import key_of, number_of

MOST = 3
FEWEST_NUTS, MOST_NUTS = 10, 100
TRAINING = 100_000  # matches of two learners
PORTION = 2_000  # of them, between which Ctrl-C is heard
HATS = "hats"  # what prints the tables when it is typed
OPTIONS = (
    "Play against a friend (1)",
    "Play against the computer (2)",
    "Play against the trained computer (3)",
)
FRIEND, COMPUTER, TRAINED = 1, 2, 3
Hats = list[list[int]]
"""How many balls of each number the hat of each count of nuts has, that of one nut first."""


class Dialogue:
    """The whole program; `ask` returns what is typed after a prompt, `say` prints a line.

    `tell` is told from time to time how many matches of a training are played.
    """

    def __init__(
        self,
        rng: np.random.Generator,
        ask: Callable[[str], str],
        say: Callable[[str], None],
        part: int = 3,
        training: int = TRAINING,
        tables: bool = False,
        tell: Callable[[int], None] = lambda done: None,
    ) -> None:
        self.rng, self.ask, self.say, self.tell = rng, ask, say, tell
        self.part, self.training, self.tables = part, training, tables
        self.hats: Hats = []

    def run(self) -> None:
        """Welcome somebody, and play until they have enough."""
        self.say("Welcome to the game of nuts!")
        question = f"How many nuts are there on the table initially ({FEWEST_NUTS}-{MOST_NUTS})? "
        nuts = self.number(question, FEWEST_NUTS, MOST_NUTS)
        option = FRIEND
        if self.part > 1:
            self.say("Options:")
            for line in OPTIONS[: self.part]:
                self.say(f" {line}")
            option = self.number(f"Which option do you take (1-{self.part})? ", 1, self.part)
        if option == COMPUTER:
            self.hats = [[1] * MOST for _ in range(nuts)]
        elif option == TRAINED:
            self.say("Training AI, please wait...")
            self.hats = trained(nuts, self.training, self.rng, self.tell)
        again = 1
        while again:
            self.game(nuts, option)
            if self.part == 1:
                return
            if self.tables and self.hats:
                self.print_hats()
            again = self.number("Play again (1 = yes, 0 = no)? ", 0, 1)

    def number(self, question: str, low: int, high: int) -> int:
        """Return a number that somebody types, after as many questions as it takes."""
        while True:
            text = self.ask(question).strip()
            if text.lower() == HATS:
                self.print_hats()
                continue
            digits = text.removeprefix("-")
            if digits.isascii() and digits.isdigit() and low <= int(text[:9]) <= high:
                return int(text)
            self.say(f"Please enter a number between {low} and {high}")

    def game(self, nuts: int, option: int) -> None:
        """Play one game; the person who is Player 1 begins."""
        player = 1
        drawn: list[tuple[int, int]] = []  # the balls beside their hats
        while nuts > 0:
            there = "is 1 nut" if nuts == 1 else f"are {nuts} nuts"
            self.say(f"\nThere {there} on the board.")
            if player == 2 and option != FRIEND:
                ball = select(self.hats[nuts - 1], self.rng)
                drawn.append((nuts - 1, ball))
                taken = ball + 1
                self.say(f"AI selects {taken}")
            else:
                question = f"Player {player}: How many nuts do you take (1-{MOST})? "
                taken = self.number(question, 1, MOST)
            nuts -= taken
            player = 3 - player
        loser = 3 - player
        if option == FRIEND:
            self.say(f"Player {loser}, you lose.")
            return
        self.say("AI loses." if loser == 2 else "You lose.")
        settle(self.hats, drawn, won=loser == 1)

    def print_hats(self) -> None:
        """Print the balls of every hat."""
        if not self.hats:
            self.say("There are no hats: nobody is learning.")
            return
        self.say(f"hat: balls numbered 1 to {MOST}")
        for number, balls in enumerate(self.hats, start=1):
            self.say(f"{number:3}: {', '.join(map(str, balls))}")


def select(balls: list[int], rng: np.random.Generator) -> int:
    """Return which kind of ball is drawn, 0 for the first, each ball as likely."""
    left = int(rng.random() * sum(balls))
    for kind, count in enumerate(balls):
        left -= count
        if left < 0:
            return kind
    return len(balls) - 1


def settle(hats: Hats, drawn: list[tuple[int, int]], won: bool) -> None:
    """Put the balls back with one more of each, or throw them away but for the last of a kind."""
    for hat, ball in drawn:
        hats[hat][ball] = max(1, hats[hat][ball] + (1 if won else -1))


def trained(
    nuts: int,
    matches: int,
    rng: np.random.Generator,
    tell: Callable[[int], None] = lambda done: None,
) -> Hats:
    """Return the hats of one of two learners that have met so often, starting by turns."""
    rules, learner = NutsRules(nuts, MOST), HatsLearner()
    memory = learner.begin(rules)
    for done in range(0, matches, PORTION):
        memory = learner.train(rules, memory, rng, done, min(PORTION, matches - done))
        tell(min(done + PORTION, matches))
    hats = []
    for left in range(1, nuts + 1):
        number = number_of(memory, key_of(rules, Nuts(left, 0), 0))
        row = memory.rows[number, 0, :MOST] if number >= 0 else [1] * MOST
        hats.append([max(1, int(balls)) for balls in row])
    return hats
