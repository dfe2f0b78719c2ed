"""A match that an external framework steps: chance is sampled here, illegal actions lose."""

import itertools
import operator
from collections.abc import Mapping
from typing import Any

import numpy as np
from rich.text import Text

from ludex.adapters.view import choosable
from ludex.core.rules import (
    BOTH,
    CHANCE,
    LARGEST,
    NO_MOVE,
    OVER,
    Rules,
    State,
    actions,
    apply,
    initial,
    pair,
    render,
    returns,
    reward,
    scene,
    seats,
    turn,
)
from ludex.core.sampling import draw_outcome
from ludex.core.time_control import PLIES
from ludex.core.variants import rules_from
from ludex.games import game_rules
from ludex.render.svg import svg

RENDER_MODES = ("human", "ansi", "svg", "rgb_array")


def rules_of(game: str, rules: Mapping[str, Any] | None = None) -> Rules:
    """Return the rules of a game by its name or path; those that are given differ.

    A value is a number, a word, or a list of numbers.
    """
    if not isinstance(rules, Mapping | None):
        raise ValueError(f"rules {rules!r}: expected a dictionary, such as {{'size': 5}}")
    return rules_from(game_rules(game), rules or {})


def checked_mode(mode: str | None) -> str | None:
    """Return a way to render; a ValueError lists those that there are."""
    if mode is not None and mode not in RENDER_MODES:
        raise ValueError(f"no render mode {mode!r} (there are {', '.join(RENDER_MODES)})")
    return mode


def checked_number(number: Any, name: str, low: int, high: int = LARGEST) -> int:
    """Return a whole number from low to high, of any type that has them."""
    try:
        whole = operator.index(number)
    except TypeError:
        whole = low - 1
    if isinstance(number, bool) or not low <= whole <= high:
        span = f"of at least {low}" if high == LARGEST else f"from {low} to {high}"
        raise ValueError(f"{name} {number!r}: expected a whole number {span}")
    return whole


def whole_action(action: Any) -> int:
    """Return an action as a number, which need not be a legal one."""
    try:
        return operator.index(action)
    except TypeError:
        raise ValueError(f"action {action!r}: expected the number of an action") from None


class Table:
    """A match that goes on when it is told what the seats choose."""

    def __init__(self, rules: Rules, plies: int = PLIES) -> None:
        self.rules, self.most = rules, checked_number(plies, "plies", 1)
        self.seats = int(seats(rules))
        self.begin(np.random.default_rng())

    def begin(self, rng: np.random.Generator) -> None:
        """Start a match with this luck."""
        self.rng = rng
        self.state: State = initial(self.rules)
        self.last, self.plies = NO_MOVE, 0
        self.line: list[State] = []  # the states that were left behind
        self.worth = [0.0] * self.seats
        self.over = self.truncated = False
        self.illegal: list[int] = []
        self.settle()

    @property
    def waiting_for(self) -> tuple[int, ...]:
        """The seats that are to choose."""
        if self.over or self.truncated:
            return ()
        mover = int(turn(self.rules, self.state))
        return (0, 1) if mover == BOTH else (mover,)

    def choose(self, chosen: Mapping[int, int]) -> None:
        """Go on with the actions of all seats that are to choose, up to the next that are."""
        count = int(actions(self.rules))
        chosen = {seat: whole_action(action) for seat, action in chosen.items()}
        self.illegal = [
            seat
            for seat in self.waiting_for
            if not 0 <= chosen[seat] < count
            or not choosable(self.rules, self.state, seat) >> chosen[seat] & 1
        ]
        if self.illegal:
            self.forfeit(self.illegal)
        elif len(chosen) == 2:
            self.move(int(pair(chosen[0], chosen[1])))
        else:
            self.move(*chosen.values())

    def move(self, move: int) -> None:
        """Go on with a move, up to the next decision."""
        self.step(move)
        self.settle()

    def step(self, move: int) -> None:
        """Apply one move."""
        self.line.append(self.state)
        self.state = apply(self.rules, self.state, move)
        self.last = move
        self.plies += 1

    def settle(self) -> None:
        """Draw what is left to chance, and see whether the match is over."""
        while turn(self.rules, self.state) == CHANCE and self.plies < self.most:
            self.step(int(draw_outcome(self.rules, self.state, self.rng)))
        if turn(self.rules, self.state) == OVER:
            self.over = True
            self.worth = [
                float(returns(self.rules, self.state, seat)) for seat in range(self.seats)
            ]
        elif self.plies >= self.most:
            self.truncated = True

    def hint(self, since: int, seat: int) -> float:
        """Return what the game says that the steps since one of them were worth to a seat."""
        line = [*self.line[since:], self.state]
        return sum(float(reward(self.rules, *both, seat)) for both in itertools.pairwise(line))

    def forfeit(self, offenders: list[int]) -> None:
        """End the match: those who broke the rules have lost to the others, or all to nobody."""
        self.over = True
        others = self.seats - len(offenders)
        share = len(offenders) / others if others else 0.0
        loss = -1.0 if others else 0.0
        self.worth = [loss if seat in offenders else share for seat in range(self.seats)]

    def drawn(self, mode: str | None) -> str | np.ndarray | None:
        """Return the state as this way to render wants it; what people see is printed."""
        if mode is None:
            return None
        if mode in ("svg", "rgb_array"):
            picture = svg(scene(self.rules, self.state, self.last))
            if mode == "svg":
                return picture
            from ludex.render.pixels import pixels  # matplotlib is for those who want it

            return pixels(picture)
        text = Text.from_markup(render(self.rules, self.state, self.last)).plain
        if mode == "human":
            print(text, end="\n\n")
            return None
        return text
