"""A match at the console: the players, the moves, and prompts for people."""

import getpass
import sys

import numpy as np
from rich.columns import Columns
from rich.console import Console
from rich.text import Text

from ludex.agents.registry import HUMAN, make_agent
from ludex.cli.options import patiently
from ludex.core.choice import Choice
from ludex.core.play import choices, choosers, parse
from ludex.core.rules import (
    BOTH,
    CHANCE,
    NO_MOVE,
    OVER,
    Rules,
    State,
    apply,
    events,
    label,
    pair,
    part,
    position,
    render,
    returns,
    seat_name,
    seats,
    turn,
)
from ludex.core.sampling import draw_outcome

HELP = """\
a move       by its name, its number, or the only beginning or end that fits
moves        list the moves with their numbers
undo         take back your last move and what followed; the same luck comes again
position     print the position as one line, for --position
help         this
quit         leave"""

# So many moves are listed without asking.
FEW = 12


# What leaves, at any question.
LEAVING = ("quit", "exit")


class Left(Exception):
    """Somebody left the table."""


class TakenBack(Exception):
    """Somebody asked for the last move back."""


class Table:
    """A match between the agents in their seats, from a state to its end.

    Luck depends on the seed and the ply alone, so that taking back a move does not change it.
    """

    def __init__(
        self, rules: Rules, state: State, agents: list[str], seed: int, console: Console
    ) -> None:
        self.rules = rules
        self.agents = [None if text == HUMAN else make_agent(text, rules) for text in agents]
        self.names = agents
        self.seed = seed
        self.console = console
        self.history: list[tuple[State, int]] = [(state, NO_MOVE)]

    @property
    def state(self) -> State:
        """The state now."""
        return self.history[-1][0]

    def play(self) -> None:
        """Play to the end and say who won."""
        while (mover := turn(self.rules, self.state)) != OVER:
            try:
                move = self.next_move(mover)
            except TakenBack:
                self.take_back()
                continue
            before = self.state
            self.history.append((apply(self.rules, before, move), move))
            self.tell(before, mover, move)
        self.draw()
        self.console.print(self.result(), style="bold")

    def close(self) -> None:
        """Let the agents leave that want to know it."""
        for agent in self.agents:
            if agent is not None and hasattr(agent, "close"):
                agent.close()

    def luck(self, *seat: int) -> np.random.Generator:
        """Return the source of chance for this ply, or for a seat's choice in it."""
        return np.random.default_rng((self.seed, len(self.history), *seat))

    def next_move(self, mover: int) -> int:
        """Return what happens next."""
        if mover == CHANCE:
            return int(patiently(draw_outcome, self.rules, self.state, self.luck()))
        people = self.people(self.state)
        if people:
            self.draw()
        if mover == BOTH:
            return self.pair_of_choices(hidden=len(people) == 2)
        return self.choice(mover, hidden=False)

    def people(self, state: State) -> list[int]:
        """Return the seats of people who are to choose in a state."""
        return [seat for seat in choosers(self.rules, state) if self.agents[seat] is None]

    def pair_of_choices(self, hidden: bool) -> int:
        """Return both choices; if the second person takes back, the first is asked again."""
        while True:
            first = self.choice(0, hidden)
            try:
                return int(pair(first, self.choice(1, hidden)))
            except TakenBack:
                if self.agents[0] is not None:
                    raise

    def choice(self, seat: int, hidden: bool) -> int:
        """Return the action that a seat chooses."""
        agent = self.agents[seat]
        if agent is not None:
            choice: Choice = patiently(
                agent.consider, self.rules, self.state, seat, self.luck(seat)
            )
            return choice.action
        actions = choices(self.rules, self.state, seat)
        if len(actions) <= FEW:
            self.list_moves(seat)
        else:
            self.say(f"{len(actions)} moves, such as {self.numbered(actions[0])} (type moves)")
        while True:
            text = read_line(f"{seat_name(self.rules, seat)}> ", hidden)
            action = self.heard(seat, text, hidden)
            if action is not None:
                return action

    def heard(self, seat: int, text: str, hidden: bool) -> int | None:
        """Return the action that a person typed, or None after anything else was dealt with."""
        match text.lower():
            case "":
                pass
            case "help" | "?":
                self.say(HELP)
            case "moves":
                self.list_moves(seat)
            case "position":
                self.say(position(self.rules, self.state))
            case "undo":
                raise TakenBack
            case _:
                try:
                    return self.action(seat, text)
                except ValueError as error:
                    self.say(f"{'that is not a move here' if hidden else error} (type help)")
        return None

    def action(self, seat: int, text: str) -> int:
        """Return the action of a number or a label."""
        if text.isascii() and text.isdigit():
            action = int(text[:9]) - 1
            if action not in choices(self.rules, self.state, seat):
                raise ValueError(f"{text!r} is not a number in the list of moves")
            return action
        return parse(self.rules, self.state, text, seat)

    def take_back(self) -> None:
        """Go back to the last state before this one in which a person chose."""
        for index in range(len(self.history) - 2, -1, -1):
            if self.people(self.history[index][0]):
                del self.history[index + 1 :]
                return
        self.say("nothing to take back")

    def say(self, text: str) -> None:
        """Print text as it is."""
        self.console.print(text, markup=False)

    def draw(self) -> None:
        """Print the position."""
        state, last = self.history[-1]
        self.console.print()
        self.console.print(render(self.rules, state, last))

    def numbered(self, action: int) -> str:
        """Return an action's number and label."""
        return f"{action + 1} {label(self.rules, self.state, action)}"

    def list_moves(self, seat: int) -> None:
        """Print the moves of a seat with their numbers."""
        actions = choices(self.rules, self.state, seat)
        texts = [Text(self.numbered(action)) for action in actions]
        self.console.print(Columns(texts, padding=(0, 3)), soft_wrap=False)

    def tell(self, before: State, mover: int, move: int) -> None:
        """Print who did what, and what came of it."""
        for seat in choosers(self.rules, before) or (CHANCE,):
            action = part(move, seat) if mover == BOTH else move
            self.say(f"{self.who(before, seat)}: {label(self.rules, before, action)}")
        for event in events(self.rules, before, move):
            self.say(f"  {event}")

    def who(self, state: State, seat: int) -> str:
        """Return whose action it is; chance has the name of the seat it concerns, if any."""
        if seat != CHANCE:
            return seat_name(self.rules, seat)
        concerned = getattr(state, "seat", None)
        return "chance" if concerned is None else f"{seat_name(self.rules, concerned)}, by chance"

    def result(self) -> str:
        """Return who won."""
        worth = [returns(self.rules, self.state, seat) for seat in range(seats(self.rules))]
        if max(worth) == min(worth):
            return "A draw."
        winner = worth.index(max(worth))
        return f"{seat_name(self.rules, winner)} ({self.names[winner]}) wins."


def read_line(prompt: str, hidden: bool) -> str:
    """Return what a person types; `quit` and the end of the input are leaving the table."""
    try:
        text = getpass.getpass(prompt) if hidden and sys.stdin.isatty() else input(prompt)
    except (EOFError, KeyboardInterrupt):
        raise Left from None
    if text.strip().lower() in LEAVING:
        raise Left
    return text.strip()
