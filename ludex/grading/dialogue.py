"""The dialogue of the nuts document, held with a student's console program."""

from collections.abc import Callable, Iterator, Sequence
from contextlib import closing, contextmanager
from typing import NamedTuple

from ludex.grading.console import Console, Line, Program

FRIEND, COMPUTER, TRAINED = 1, 2, 3
MOST = 3  # nuts per move
TRAINING = 180.0  # time limit in seconds for the 100,000 games of the document
MESSAGES = 3  # lines of message accepted where the document specifies none
TABLES = 120  # lines accepted after a game, such as the hats

WELCOME = Line("Welcome to the game of nuts!")
HOW_MANY = Line("How many nuts are there on the table initially (10-100)?", asks=True)
OPTIONS = Line("Options:")
PLAY = (
    Line("Play against a friend (1)"),
    Line("Play against the computer (2)"),
    Line("Play against the trained computer (3)"),
)
WHICH = {part: Line(f"Which option do you take (1-{part})?", asks=True) for part in (2, 3)}
TRAINS = Line("Training AI, please wait...")
SELECTS = Line("AI selects #")
AGAIN = Line("Play again (1 = yes, 0 = no)?", asks=True)
KNOWN = ("There ", "Player ", "AI ", "You ", "Options")  # how lines of the dialogue begin

Choose = Callable[[int], int]
"""Returns how many nuts the referee takes, given how many there are."""


class NutsGame(NamedTuple):
    """A game against the computer."""

    taken: list[tuple[int, int]]
    """For each move of the computer, how many nuts there were and how many it took."""
    won: bool
    """Whether the computer has won."""


def board(nuts: int) -> Line:
    """Return the line that says how many nuts there are."""
    return Line(f"There {'is 1 nut' if nuts == 1 else f'are {nuts} nuts'} on the board.")


def question(player: int) -> Line:
    """Return the question to a player."""
    return Line(f"Player {player}: How many nuts do you take (1-{MOST})?", asks=True)


@contextmanager
def start_dialogue(
    program: Program,
    nuts: int,
    option: int,
    wrong: Sequence[object] = (),
    wrong_option: Sequence[object] = (),
) -> Iterator[Console]:
    """Yield a program that has been told how many nuts there are and who plays."""
    with closing(Console(program)) as console:
        console.expect(WELCOME)
        ask(console, HOW_MANY, nuts, "Please enter a number between 10 and 100", wrong)
        # A program that has only the first part asks nothing more.
        if option != FRIEND or console.expect(board(nuts), OPTIONS, keep=True).place == 1:
            answer_menu(console, option, wrong_option)
        if option == TRAINED:
            console.expect(TRAINS)
            console.expect(board(nuts), seconds=TRAINING, keep=True)
        yield console


def answer_menu(console: Console, option: int, wrong: Sequence[object] = ()) -> None:
    """Choose who plays."""
    for line in (OPTIONS, *PLAY[:2]):
        console.expect(line)
    last = (PLAY[2],) if option == TRAINED else (PLAY[2], WHICH[2])
    part = 3 if console.expect(*last, keep=True).place == 0 else 2
    if part == 3:
        console.expect(PLAY[2])
    ask(console, WHICH[part], option, "", wrong)


def ask(
    console: Console, line: Line, answer: object, message: str = "", wrong: Sequence[object] = ()
) -> None:
    """Give wrong answers to a question, then the right one.

    Each wrong answer must get the message and the question again. Any message will do if the answer
    is not a number, or the document specifies none.
    """
    console.expect(line)
    for one in wrong:
        console.type(str(one))
        if message and isinstance(one, int):
            console.expect(Line(message))
            console.expect(line)
        else:
            console.skip_to(line, MESSAGES, KNOWN)
    console.type(str(answer))


def take(console: Console, player: int, nuts: int, wrong: Sequence[object] = ()) -> None:
    """Take nuts for a player, after wrong answers."""
    ask(console, question(player), nuts, f"Please enter a number between 1 and {MOST}", wrong)


def play_friends(
    program: Program,
    nuts: int,
    takes: Sequence[int],
    wrong: Sequence[object] = (),
    wrong_start: Sequence[object] = (),
) -> None:
    """Check a game of two people up to the end; the program may ask whether to play again."""
    with start_dialogue(program, nuts, FRIEND, wrong_start) as console:
        for number, taken in enumerate(takes):
            console.expect(board(nuts))
            take(console, 1 + number % 2, taken, wrong if number < 2 else ())
            nuts -= taken
        console.expect(Line(f"Player {2 - len(takes) % 2}, you lose."))
        if not console.at_end():
            ask(console, AGAIN, 0)
        console.expect_end()


def play_game(
    console: Console, nuts: int, choose: Choose, wrong: Sequence[object] = ()
) -> NutsGame:
    """Play a game against the computer, and return it; the referee begins."""
    taken: list[tuple[int, int]] = []
    ours = False  # whose move it is
    while nuts > 0:
        ours = not ours
        console.expect(board(nuts))
        if ours:
            number = choose(nuts)
            take(console, 1, number, wrong)
            wrong = ()
        else:
            [number] = console.expect(SELECTS).numbers
            if not 1 <= number <= MOST:
                raise console.mismatch((SELECTS,), got=f"AI selects {number}")
            taken.append((nuts, number))
        nuts -= number
    console.expect(Line("You lose." if ours else "AI loses."))
    return NutsGame(taken, ours)


def answer_again(console: Console, answer: int, wrong: Sequence[object] = ()) -> None:
    """Say whether to play again; tables may be printed before the question."""
    console.skip_to(AGAIN, TABLES, KNOWN)
    for one in wrong:
        console.type(str(one))
        console.skip_to(AGAIN, MESSAGES, KNOWN)
    console.type(str(answer))
