"""The nuts course program: a dialogue with a friend, a computer or a trained computer.

Its parts are those of the assignment "AI Training" (2017): 1 has no menu and one game, 2 adds the
computer, 3 the trained one.
"""

from collections.abc import Callable

from numpy.random import Generator

from ludex.games.nuts import Nuts, NutsRules
from ludex.learn.hats import HatsLearner
from ludex.learn.table import key_of, number_of

MOST = 3
FEWEST_NUTS, MOST_NUTS = 10, 100
TRAINING = 100_000  # matches of two learners
PORTION = 2_000  # matches between checks for Ctrl-C
HATS = "hats"  # typing it prints the tables
OPTIONS = (
    "Play against a friend (1)",
    "Play against the computer (2)",
    "Play against the trained computer (3)",
)
FRIEND, COMPUTER, TRAINED = 1, 2, 3
Hats = list[list[int]]
"""The number of balls of each kind in the hat of each number of nuts, that of one nut first."""


class Dialogue:
    """The program; `ask` prompts, `say` prints a line, `tell` gets the training matches played."""

    def __init__(
        self,
        rng: Generator,
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
        """Run the dialogue until the user stops."""
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
            self.hats = train_hats(nuts, self.training, self.rng, self.tell)
        again = 1
        while again:
            self.game(nuts, option)
            if self.part == 1:
                return
            if self.tables and self.hats:
                self.print_hats()
            again = self.number("Play again (1 = yes, 0 = no)? ", 0, 1)

    def number(self, question: str, low: int, high: int) -> int:
        """Ask until the answer is a number in range, and return it."""
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
        """Play one game; the user is Player 1 and begins."""
        player = 1
        drawn: list[tuple[int, int]] = []  # hats and balls
        while nuts > 0:
            there = "is 1 nut" if nuts == 1 else f"are {nuts} nuts"
            self.say(f"\nThere {there} on the board.")
            if player == 2 and option != FRIEND:
                ball = draw_ball(self.hats[nuts - 1], self.rng)
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
        update_hats(self.hats, drawn, won=loser == 1)

    def print_hats(self) -> None:
        """Print the balls of every hat."""
        if not self.hats:
            self.say("There are no hats: nobody is learning.")
            return
        self.say(f"hat: balls numbered 1 to {MOST}")
        for number, balls in enumerate(self.hats, start=1):
            self.say(f"{number:3}: {', '.join(map(str, balls))}")


def draw_ball(balls: list[int], rng: Generator) -> int:
    """Draw a ball uniformly at random, and return its kind, 0 for the first."""
    left = int(rng.random() * sum(balls))
    for kind, count in enumerate(balls):
        left -= count
        if left < 0:
            return kind
    return len(balls) - 1


def update_hats(hats: Hats, drawn: list[tuple[int, int]], won: bool) -> None:
    """Add a ball of each drawn kind after a win; else remove one, but never the last."""
    for hat, ball in drawn:
        hats[hat][ball] = max(1, hats[hat][ball] + (1 if won else -1))


def train_hats(
    nuts: int, matches: int, rng: Generator, tell: Callable[[int], None] = lambda done: None
) -> Hats:
    """Train two learners that start in turn, and return the hats of one."""
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
