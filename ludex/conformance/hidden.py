"""The contract of games with hidden information: what seats see, and that they forget nothing."""

import random
from collections import deque
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

import numpy as np

from ludex.conformance.contract import (
    Line,
    Violation,
    ViolationAt,
    ask_game,
    examine_drawing,
    examine_fields,
    examine_position,
    require,
)
from ludex.core import rules as ask
from ludex.core.play import choosers, legal_moves, move_label, states
from ludex.core.rules import BOTH, OVER, Rules, State
from ludex.kernel.bits import members

NEAR_STATES = 2000  # states nearest to the start whose pasts are compared
LINE_STATES = 4000  # states of random lines whose pasts are compared

Past = tuple[State, int] | None
"""The last decision of a seat: what it saw, and its action; None before the first."""
Pasts = tuple[Past, ...]
"""The past of every seat."""


def examine_views(rules: Rules, state: State, draw: bool = False) -> None:
    """Check what every seat sees of a state, and the drawings of it if asked to."""
    if not ask.imperfect_information(rules) or ask.turn(rules, state) == OVER:
        return
    for seat in range(ask.seats(rules)):
        seen = view_of(rules, state, seat)
        with in_view(seat, seen):
            examine_position(rules, seen)
            examine_seen_moves(rules, seen)
            if draw:
                examine_drawing(rules, seen)
        examine_view(rules, state, seat, seen)
        for other in range(seat):
            examine_both_views(rules, state, seat, other)


def view_of(rules: Rules, state: State, seat: int) -> State:
    """Return a state as a seat sees it."""
    seen = ask_game(ask.information_state, rules, state, seat)
    examine_fields(rules, seen, "information_state")
    return seen


@contextmanager
def in_view(seat: int, seen: State) -> Iterator[None]:
    """Say of a violation that it is in what a seat sees."""
    try:
        yield
    except Violation as violation:
        raise Violation(f"seat {seat} sees {seen}, where {violation}") from violation


def examine_seen_moves(rules: Rules, seen: State) -> None:
    """Check that the moves which a viewer takes to be legal have labels and lead to states."""
    for move in ask_game(legal_moves, rules, seen):
        ask_game(move_label, rules, seen, move)
        ask_game(ask.apply, rules, seen, move)


def examine_view(rules: Rules, state: State, seat: int, seen: State) -> None:
    """Check that a view hides nothing twice, and neither the turn nor the seat's own moves."""
    text = f"seat {seat} sees {ask.position(rules, seen)!r}"
    again = view_of(rules, seen, seat)
    require(again == seen, f"{text}, and of that {again}; what is hidden must have a fixed value")
    found, wanted = ask_game(ask.turn, rules, seen), ask.turn(rules, state)
    require(
        found == wanted,
        f"{text}, where turn is {found}, not {wanted}; everybody must see whose turn it is",
    )
    if seat in choosers(rules, state):
        examine_own_moves(rules, state, seat, seen, text)
        examine_resampling(rules, seat, seen, text)


def examine_own_moves(rules: Rules, state: State, seat: int, seen: State, text: str) -> None:
    """Check that a seat to move sees its legal actions by their names."""
    wanted = members(ask.moves(rules, state, seat))
    found = members(ask_game(ask.moves, rules, seen, seat))
    require(
        found == wanted,
        f"{text}, where its legal actions are {found}, not {wanted};"
        " they must not depend on what is hidden",
    )
    for action in wanted:
        names = [ask_game(ask.label, rules, one, action) for one in (seen, state)]
        require(
            names[0] == names[1],
            f"{text}, where the label of action {action} is {names[0]!r}, not {names[1]!r}",
        )


def examine_resampling(rules: Rules, seat: int, seen: State, text: str) -> None:
    """Check that a state drawn for what a seat sees looks so to it, if the game draws any."""
    if ask.answers(ask.game_of(rules), "resample"):
        drawn = ask_game(ask.resample, rules, seen, seat, np.random.default_rng(0))
        examine_fields(rules, drawn, "resample")
        require(
            view_of(rules, drawn, seat) == seen,
            f"{text}, but resample returned {ask.position(rules, drawn)!r}, which looks different",
        )


def examine_observers(rules: Rules, state: State) -> None:
    """Check that learners and networks observe no more than the seat to move."""
    for seat in choosers(rules, state) if ask.imperfect_information(rules) else ():
        seen = ask.information_state(rules, state, seat)
        text, hidden = f"seat {seat} sees {ask.position(rules, seen)!r}", "what is hidden from it"
        keys = [ask_game(ask.features, rules, one, seat) for one in (seen, state)]
        require(keys[0] == keys[1], f"{text}, but its features depend on {hidden}")
        planes = [planes_of(rules, one, seat) for one in (seen, state)]
        require((planes[0] == planes[1]).all(), f"{text}, but its view depends on {hidden}")


def planes_of(rules: Rules, state: State, seat: int) -> np.ndarray:
    """Return the observation of a network."""
    planes = np.zeros(ask_game(ask.view_shape, rules))
    ask_game(ask.view, rules, state, seat, planes)
    return planes


def examine_both_views(rules: Rules, state: State, seat: int, other: int) -> None:
    """Check that two seats agree on what both of them see."""
    one = view_of(rules, view_of(rules, state, seat), other)
    two = view_of(rules, view_of(rules, state, other), seat)
    require(
        one == two,
        f"of what seat {seat} sees, seat {other} sees {one}, and the other way round {two};"
        " what both see must be the same",
    )


# Perfect recall. --------------------------------------------------------------------------------


class Recall:
    """The pasts of all information sets met so far; a second one of the same set is a violation."""

    def __init__(self, rules: Rules, first: State) -> None:
        self.rules, self.first = rules, first
        self.start: Pasts = (None,) * ask.seats(rules)
        self.known: dict[tuple[int, State], tuple[Past, Line]] = {}

    def examine(self, state: State, pasts: Pasts, line: Line) -> None:
        """Compare the past of each seat to move in a state, at the end of a line."""
        for seat in choosers(self.rules, state):
            seen = ask.information_state(self.rules, state, seat)
            past, other = self.known.setdefault((seat, seen), (pasts[seat], line))
            if past != pasts[seat]:
                raise ViolationAt(line, self.violation(seat, seen, pasts[seat], past, other))

    def violation(self, seat: int, seen: State, past: Past, former: Past, other: Line) -> Violation:
        """Return that a seat sees the same after two pasts, the former at the end of a line."""
        shown = ask.position(self.rules, seen)
        return Violation(
            f"seat {seat} forgets what it knew: {shown!r} looks the same"
            f" {self.past_text(past)} and {self.past_text(former)} ({self.line_text(other)})"
        )

    def past_text(self, past: Past) -> str:
        """Return a past in words."""
        if past is None:
            return "at its first decision"
        seen, action = past
        return (
            f"after {ask.label(self.rules, seen, action)!r} in {ask.position(self.rules, seen)!r}"
        )

    def line_text(self, line: Line) -> str:
        """Return the labels of a line from the start."""
        passed = zip(states(self.rules, self.first, list(line)), line, strict=False)
        return ", ".join(move_label(self.rules, *step) for step in passed) or "the start"

    def after(self, state: State, pasts: Pasts, move: int) -> Pasts:
        """Return the pasts of all seats after a move."""
        deciding = choosers(self.rules, state)
        return tuple(
            (
                ask.information_state(self.rules, state, seat),
                action_of(self.rules, state, move, seat),
            )
            if seat in deciding
            else past
            for seat, past in enumerate(pasts)
        )


def action_of(rules: Rules, state: State, move: int, seat: int) -> int:
    """Return the action of a seat in a move that it has made, alone or with the other."""
    return ask.part(move, seat) if ask.turn(rules, state) == BOTH else move


def examine_recall(rules: Rules, first: State, plies: int, luck: random.Random) -> None:
    """Check perfect recall near the first state and on random lines.

    Where a seat is to move and sees the same, it must have seen and done the same before. By
    induction it then remembers all that it has seen at its own decisions.
    """
    if ask.imperfect_information(rules):
        recall = Recall(rules, first)
        if not compare_nearby(recall):
            compare_lines(recall, plies, luck)


def compare_nearby(recall: Recall) -> bool:
    """Compare the pasts of the states nearest to the first one, breadth first.

    A state that can be reached with several pasts is visited with each. Return whether these were
    all states of the game.
    """
    rules = recall.rules
    waiting: deque[tuple[State, Pasts, Line]] = deque([(recall.first, recall.start, ())])
    visited: set[Any] = {(recall.first, recall.start)}
    while waiting:
        state, pasts, line = waiting.popleft()
        recall.examine(state, pasts, line)
        for move in legal_moves(rules, state):
            after, later = ask.apply(rules, state, move), recall.after(state, pasts, move)
            if (after, later) not in visited and len(visited) < NEAR_STATES:
                visited.add((after, later))
                waiting.append((after, later, (*line, move)))
    return len(visited) < NEAR_STATES


def compare_lines(recall: Recall, plies: int, luck: random.Random) -> None:
    """Compare the pasts of the states of random lines.

    With the same luck they are the lines on which every other promise was tested before.
    """
    left = LINE_STATES
    while left > 0:
        state, pasts = recall.first, recall.start
        line: Line = ()
        while ask.turn(recall.rules, state) != OVER and len(line) < plies:
            move = luck.choice(legal_moves(recall.rules, state))
            pasts = recall.after(state, pasts, move)
            state, line = ask.apply(recall.rules, state, move), (*line, move)
            recall.examine(state, pasts, line)
        left -= len(line) + 1
