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
    """Agents at a table, with their thinking time; luck is theirs alone and from the seed."""

    def __init__(self, rules: Rules, agents: list[Agent], seed: int) -> None:
        self.rules, self.agents = rules, agents
        self.chance = np.random.default_rng((seed, 0))
        self.luck = [np.random.default_rng((seed, 1 + seat)) for seat in range(len(agents))]
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
        if not legal(self.rules, state, seat, action):
            raise Offence(ILLEGAL, seat, f"action {action} is not legal")
        return action


def play_match(
    rules: Rules, state: State, agents: list[Agent], seed: int, plies: int = PLIES
) -> Match:
    """Return the match that these agents play from a state, a draw if it is too long."""
    sitting = Sitting(rules, agents, seed)
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
