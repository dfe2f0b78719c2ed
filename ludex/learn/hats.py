"""Balls and hats: winning actions become more likely, losing ones less.

A hat holds a number of balls for each action, initially one. A ball drawn in a won match is
returned with another of its kind, in a lost one it is removed unless it is the last of its kind,
and in a draw it is returned alone. After the assignment "AI Training" (2017) and Michie's
matchboxes (1961). Two things are added: learners alternate in moving first, and a hat that is
drawn from twice in a match is full each time.
"""

from dataclasses import dataclass, field

import numpy as np
from numpy.random import Generator

from ludex.core.choice import Choice, draw_action, uniform_best
from ludex.core.options import option
from ludex.core.rules import (
    CHANCE,
    OVER,
    Rules,
    State,
    apply,
    initial,
    moves,
    pair,
    returns,
    seats,
    turn,
)
from ludex.core.sampling import pick_outcome
from ludex.core.time_control import PLIES
from ludex.kernel.bits import lowest, members
from ludex.kernel.jit import compiled, shared
from ludex.learn.checkpoint import load, named_file
from ludex.learn.table import (
    ENTRIES,
    Memory,
    choosers,
    enlarge,
    enter_key,
    key_of,
    new_memory,
    number_of,
    pick_ball,
)

# Columns of the log of a match.
HAT, SEAT, BALL = range(3)


@shared
def fill(rows, hat, bits):
    """Put a ball for every legal action into the hats of all learners."""
    while bits:
        for learner in range(rows.shape[1]):
            rows[hat, learner, lowest(bits)] = 1
        bits &= bits - 1


@shared
def learner_in(rules, seat, shift):
    """Return who sits in a seat: the first learner sits further down by each shift."""
    learner = seat + shift
    return learner - seats(rules) if learner >= seats(rules) else learner  # % is slower


@shared
def settle(rules, rows, visits, state, shift, log, noted):
    """Add and throw away balls after a match."""
    for seat in range(seats(rules)):
        worth = returns(rules, state, seat)
        change = (worth > 0.0) - (worth < 0.0)
        learner = learner_in(rules, seat, shift)
        for place in range(noted):
            if log[place, SEAT] == seat:
                hat, ball = log[place, HAT], log[place, BALL]
                visits[hat, ball] += 1
                rows[hat, learner, ball] = max(rows[hat, learner, ball] + change, 1)


@compiled
def train_hats(rules, memory, rng, began, matches, log):
    """Let as many learners as there are seats play, and return how many matches found room.

    The first is that of a number, and it says who starts.
    """
    keys, slots, rows, visits, filled = memory
    for match in range(began, began + matches):
        if filled[0] + ENTRIES > len(keys):
            return match - began
        state = initial(rules)
        shift = match % seats(rules)
        noted = 0
        for _ in range(PLIES):
            mover = turn(rules, state)
            if mover == OVER:
                settle(rules, rows, visits, state, shift, log, noted)
                break
            move = pick_outcome(rules, state, rng) if mover == CHANCE else 0
            low, high = choosers(mover)
            for seat in range(low, high + 1):
                bits, hats = moves(rules, state, seat), filled[0]
                hat = enter_key(keys, slots, filled, key_of(rules, state, seat))
                if hat == hats:
                    fill(rows, hat, bits)
                ball = pick_ball(rows, hat, learner_in(rules, seat, shift), bits, rng)
                log[noted, HAT], log[noted, SEAT], log[noted, BALL] = hat, seat, ball
                noted += 1
                move = pair(move, ball)
            state = apply(rules, state, move)
    return matches


@dataclass
class HatsLearner:
    """Learns balls and hats, one learner for each seat against the others."""

    name = "hats"
    greedy = False
    log: np.ndarray = field(
        default_factory=lambda: np.zeros((ENTRIES, 3), np.int64), repr=False, compare=False
    )

    def begin(self, rules: Rules) -> Memory:
        """Return hats of which none was needed yet."""
        return new_memory(rules, seats(rules), np.int64)

    def train(
        self, rules: Rules, memory: Memory, rng: Generator, began: int, matches: int
    ) -> Memory:
        """Return the memory after so many more matches, of which the first has this number."""
        done = 0
        while done < matches:
            done += int(train_hats(rules, memory, rng, began + done, matches - done, self.log))
            if done < matches:
                memory = enlarge(memory)
        return memory


@dataclass
class Hats:
    """Draws a ball from the hat of the position; `ludex train` fills the hats."""

    file: str = option("", "file written by `ludex train`")
    greedy: str = option("no", "take the action with the most balls", words="no yes")
    learner: int = option(1, "which of the learners trained together", 1, 4)
    policy_known = True
    memory: Memory | None = field(default=None, repr=False)

    def prepare(self, rules: Rules) -> None:
        """Read the file; a ValueError says why it cannot be used."""
        if self.learner > seats(rules):
            raise ValueError(f"option learner: {seats(rules)} learned together")
        self.memory = load(named_file("hats", self.file, rules), "hats", rules).memory

    def balls(self, rules: Rules, state: State, seat: int) -> dict[int, int]:
        """Return how many balls of each action are in the hat of a state; one if it is new."""
        counts = dict.fromkeys(members(moves(rules, state, seat)), 1)
        assert self.memory is not None
        number = number_of(self.memory, key_of(rules, state, seat))
        if number >= 0:
            row = self.memory.rows[number, self.learner - 1]
            counts = {action: max(int(row[action]), 1) for action in counts}
        return counts

    def consider(self, rules: Rules, state: State, seat: int, rng: Generator) -> Choice:
        """Return the choice of the seat to move."""
        counts = self.balls(rules, state, seat)
        total = sum(counts.values())
        mixture = {action: count / total for action, count in counts.items()}
        if self.greedy == "yes":
            mixture = uniform_best({action: float(count) for action, count in counts.items()})
        return Choice(draw_action(mixture, rng), mixture=mixture)
