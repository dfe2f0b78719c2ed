"""A match at the console."""

import getpass
import sys

from rich.columns import Columns
from rich.text import Text

from ludex.agents.registry import HUMAN, make_agent
from ludex.cli import console
from ludex.core.information import SPECTATOR
from ludex.core.play import parse
from ludex.core.rules import BOTH, CHANCE, imperfect_information, label, pair, render, seat_name
from ludex.core.termination import Offence
from ludex.kernel.jit import thinking_time
from ludex.kernel.threads import run_interruptibly
from ludex.match.runner import UNLIMITED, Referee
from ludex.match.seen import match_seen_by
from ludex.match.session import Match
from ludex.match.view import MatchView

HELP = """\
a move       by its name, its number, or the only beginning or end that fits
moves        list the moves with their numbers
undo         take back your last move and what followed; the same luck comes again
position     print the position as one line, for --position
help         this
quit         leave"""

# Up to this many moves are always listed.
FEW = 12


# Words that quit at any prompt.
QUIT_WORDS = ("quit", "exit")


class Quit(Exception):
    """A person quits."""


class Undo(Exception):
    """A person takes back the last move."""


class ConsoleMatch:
    """A match at the console: asks people for moves, and prints all that happens.

    What a game hides is printed for who may see it: to one person what the seat sees, to several in
    turn, and all of it if only agents play.
    """

    def __init__(self, match: Match, names: list[str]) -> None:
        self.match, self.rules, self.names = match, match.rules, names
        self.people = [seat for seat, text in enumerate(names) if text == HUMAN]
        self.hides = bool(self.people) and imperfect_information(match.rules)
        self.is_shared = self.hides and len(self.people) > 1
        self.looking = SPECTATOR  # the seat of the one who looks at a shared screen
        self.told = dict.fromkeys(self.people, 0)  # the last ply that each was told there
        agents = [None if text == HUMAN else make_agent(text, match.rules) for text in names]
        self.referee = Referee(match, agents, UNLIMITED)

    def play(self) -> None:
        """Play to the end and print the winner; an agent that fails forfeits."""
        try:
            run_interruptibly(self.referee.begin)
            while not self.match.over:
                try:
                    self.move()
                except Undo:
                    self.take_back()
        except Offence as offence:
            self.referee.punish(offence)
            console.say(f"{self.name(self.match.offender)}: {offence}")
        finally:
            self.referee.close()
        self.draw(self.match)
        winner, won = self.match.winner, max(self.match.returns)
        stake = f" {won:g}" if won < 1.0 else ""
        words = "A draw." if winner < 0 else f"{self.name(winner)} wins{stake}."
        console.screen().print(words, style="bold")

    def move(self) -> None:
        """Make the next move and print it."""
        people = [seat for seat in self.match.choosers if self.names[seat] == HUMAN]
        if people and not self.is_shared:
            self.draw(self.shown)
        if self.match.turn == CHANCE:
            run_interruptibly(self.match.push_chance)
        elif self.match.turn == BOTH:
            self.referee.push(self.pair_of_choices(hidden=len(people) == 2))
        else:
            self.referee.push(self.choice(self.match.turn, hidden=False))
        self.tell(self.shown, len(self.match.plies) - 1)

    def seen_by(self, viewer: int) -> MatchView:
        """Return the match as it is shown to a seat, or SPECTATOR."""
        return match_seen_by(self.match, viewer) if self.hides else self.match

    @property
    def shown(self) -> MatchView:
        """The match as it is shown to everybody at the console."""
        return self.seen_by(SPECTATOR if self.is_shared or not self.people else self.people[0])

    def hand_over(self, seat: int) -> None:
        """Clear a shared screen for the person at a seat, and tell what has happened since."""
        if seat != self.looking:
            console.screen().clear()
            read_line(f"{seat_name(self.rules, seat)}: press Enter to see your side> ", False)
            self.looking = seat
            for number in range(self.told[seat] + 1, len(self.match.plies)):
                self.tell(self.seen_by(seat), number)
        self.told[seat] = len(self.match.plies) - 1
        self.draw(self.seen_by(seat))

    def pair_of_choices(self, hidden: bool) -> int:
        """Return both choices; if the second person undoes, ask the first again."""
        while True:
            first = self.choice(0, hidden)
            try:
                return int(pair(first, self.choice(1, hidden)))
            except Undo:
                if self.names[0] != HUMAN:
                    raise

    def choice(self, seat: int, hidden: bool) -> int:
        """Return the action that a seat chooses."""
        if self.names[seat] != HUMAN:
            return int(run_interruptibly(self.referee.action, seat))
        if self.is_shared:
            self.hand_over(seat)
        actions = self.match.legal_numbers(seat)
        if len(actions) <= FEW:
            self.list_moves(seat)
        else:
            console.say(f"{len(actions)} moves, such as {self.move_text(actions[0])} (type moves)")
        began = thinking_time()
        while True:
            text = read_line(f"{seat_name(self.rules, seat)}> ", hidden)
            action = self.handle_input(seat, text, hidden)
            if action is not None:
                self.referee.thought[seat] = thinking_time() - began
                return action

    def handle_input(self, seat: int, text: str, hidden: bool) -> int | None:
        """Return the action that a person typed, or handle a command and return None."""
        match text.lower():
            case "":
                pass
            case "help" | "?":
                console.say(HELP)
            case "moves":
                self.list_moves(seat)
            case "position":
                console.say(self.seen_by(seat).position)
            case "undo" if self.is_shared:
                console.say("no move is taken back: the others have seen what followed")
            case "undo":
                raise Undo
            case _:
                try:
                    return self.action(seat, text)
                except ValueError as error:
                    console.say(f"{'that is not a move here' if hidden else error} (type help)")
        return None

    def action(self, seat: int, text: str) -> int:
        """Return the action of a number or a label."""
        if text.isascii() and text.isdigit():
            action = int(text[:9]) - 1
            if action not in self.match.legal_numbers(seat):
                raise ValueError(f"{text!r} is not a number in the list of moves")
            return action
        return parse(self.rules, self.seen_by(seat).state, text, seat)

    def take_back(self) -> None:
        """Go back to the last decision of a person."""
        self.referee.thought.clear()
        if not self.match.take_back(self.people):
            console.say("nothing to take back")

    def draw(self, match: MatchView) -> None:
        """Print the position of a match as it is shown."""
        console.say("")
        console.show(render(self.rules, match.state, match.last_move))

    def move_text(self, action: int) -> str:
        """Return an action's number and label."""
        return f"{action + 1} {label(self.rules, self.match.state, action)}"

    def list_moves(self, seat: int) -> None:
        """Print the moves of a seat with their numbers."""
        texts = [Text(self.move_text(action)) for action in self.match.legal_numbers(seat)]
        console.screen().print(Columns(texts, padding=(0, 3)), soft_wrap=False)

    def tell(self, match: MatchView, number: int) -> None:
        """Print who made a move of a match as it is shown, counted from 1, and its events."""
        for seat, text in match.labels_by_seat(number):
            console.say(f"{self.who(seat, number)}: {text}")
        for event in match.events(number):
            console.say(f"  {event}")

    def who(self, seat: int, number: int) -> str:
        """Return who made a move; chance has the name of the seat it concerns, if any."""
        if seat != CHANCE:
            return seat_name(self.rules, seat)
        concerned = getattr(self.match.plies[number - 1].state, "seat", None)
        return "chance" if concerned is None else f"{seat_name(self.rules, concerned)}, by chance"

    def name(self, seat: int) -> str:
        """Return the name of a seat with its agent."""
        return f"{seat_name(self.rules, seat)} ({self.names[seat]})"


def read_line(prompt: str, hidden: bool) -> str:
    """Read a line; `quit` and the end of the input raise `Quit`."""
    try:
        text = getpass.getpass(prompt) if hidden and sys.stdin.isatty() else input(prompt)
    except (EOFError, KeyboardInterrupt):
        raise Quit from None
    if text.strip().lower() in QUIT_WORDS:
        raise Quit
    return text.strip()
