"""One match between agents. How it ends is data, not an exception."""

import time
from typing import NamedTuple

import numpy as np

from ludex.agents import Agent
from ludex.draw import draw_outcome
from ludex.rules import (
    BOTH,
    CHANCE,
    OVER,
    Rules,
    State,
    actions,
    apply,
    legal,
    pair,
    returns,
    seats,
    turn,
)

BY_RULES, ILLEGAL, CRASHED, TRUNCATED = "BY_RULES", "ILLEGAL", "CRASHED", "TRUNCATED"
PLIES = 2000  # after so many a match is a draw


class Match(NamedTuple):
    """A match that was played: what it was worth to each seat, how it ended, what it took."""

    returns: tuple[float, ...]
    ending: str
    seat: int
    """Who ended it against the rules, or -1."""
    words: str
    moves: tuple[int, ...]
    seconds: tuple[float, ...]
    """How long each seat has thought."""
    decisions: tuple[int, ...]


class Offence(Exception):
    """A seat has lost by what it did, not by the rules."""

    def __init__(self, ending: str, seat: int, words: str) -> None:
        self.ending, self.seat, self.words = ending, seat, words


class Sitting:
    """Agents at a table, with their thinking time.

    Luck is theirs alone. It comes from a seed and the number of the table.
    """

    def __init__(self, rules: Rules, agents: list[Agent], seed: int, table: int) -> None:
        self.rules, self.agents = rules, agents
        # The seed comes last, because it may take the room of several numbers.
        streams = [np.random.default_rng((own, table, seed)) for own in range(1 + len(agents))]
        self.chance, self.luck = streams[0], streams[1:]
        self.seconds = [0.0] * len(agents)
        self.decisions = [0] * len(agents)

    def move(self, state: State) -> int:
        """Return the next move; where both choose at once, neither sees the other's choice."""
        mover = turn(self.rules, state)
        if mover == CHANCE:
            return int(draw_outcome(self.rules, state, self.chance))
        if mover == BOTH:
            first, second = self.action(state, 0), self.action(state, 1)
            return int(pair(first, second))
        return self.action(state, mover)

    def action(self, state: State, seat: int) -> int:
        """Return what an agent chooses, or raise its offence."""
        began = time.perf_counter()
        try:
            action = self.agents[seat].consider(self.rules, state, seat, self.luck[seat]).action
        except Exception as error:
            raise Offence(CRASHED, seat, f"{type(error).__name__}: {error}") from error
        self.seconds[seat] += time.perf_counter() - began
        self.decisions[seat] += 1
        if not (
            isinstance(action, int | np.integer)
            and 0 <= action < actions(self.rules)
            and legal(self.rules, state, seat, action)
        ):
            raise Offence(ILLEGAL, seat, f"action {action!r} is not legal")
        return int(action)


def play_match(
    rules: Rules, state: State, agents: list[Agent], seed: int, table: int = 0, plies: int = PLIES
) -> Match:
    """Return the match that these agents play from a state, a draw if it is too long.

    Tables of one seed have luck of their own.
    """
    sitting = Sitting(rules, agents, seed, table)
    moves: list[int] = []
    ending, offender, words = BY_RULES, -1, ""
    try:
        while turn(rules, state) != OVER and len(moves) < plies:
            move = sitting.move(state)
            moves.append(move)
            state = apply(rules, state, move)
        count = seats(rules)
        if turn(rules, state) == OVER:
            worth = tuple(float(returns(rules, state, seat)) for seat in range(count))
        else:
            worth, ending = (0.0,) * count, TRUNCATED
    except Offence as offence:
        ending, offender, words = offence.ending, offence.seat, offence.words
        share = 1.0 / (seats(rules) - 1)
        worth = tuple(-1.0 if seat == offender else share for seat in range(seats(rules)))
    times, counts = tuple(sitting.seconds), tuple(sitting.decisions)
    return Match(worth, ending, offender, words, tuple(moves), times, counts)
