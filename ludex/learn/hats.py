"""Balls and hats: winning actions become more likely, losing ones less.

A hat holds a number of balls for each action, initially one. A ball drawn in a won match is
returned with another of its kind, in a lost one it is removed unless it is the last of its kind,
and in a draw it is returned alone. After the assignment "AI Training" (2017) and Michie's
matchboxes (1961). Departures: learners alternate in moving first, and a ball drawn in a match is
not missing if its hat is drawn from again.
"""

from dataclasses import dataclass, field

import numpy as np
from numpy.random import Generator

from ludex.core import rules as ask
from ludex.core.choice import Choice, uniform_over_best
from ludex.core.options import option
from ludex.core.rules import CHANCE, OVER, Rules, State
from ludex.core.sampling import pick_outcome
from ludex.core.time_control import PLIES
from ludex.kernel.bits import members
from ludex.kernel.jit import compiled, shared
from ludex.learn import table
from ludex.learn.checkpoint import load, named_file
from ludex.learn.table import BY_BALLS, ENTRIES, Memory

# Columns of the log of a match.
HAT, SEAT, BALL = range(3)


@shared
def fill_hat(rows, hat, bits):
    """Put a ball for every legal action into the hats of all learners."""
    for action in members(bits):
        for learner in range(rows.shape[1]):
            rows[hat, learner, action] = 1


@shared
def learner_in(rules, seat, shift):
    """Return the learner in a seat, shifted cyclically."""
    learner = seat + shift
    return learner - ask.seats(rules) if learner >= ask.seats(rules) else learner  # % is slower


@shared
def update_hats(rules, rows, visits, state, shift, log, drawn):
    """Add and remove balls after a match."""
    for seat in range(ask.seats(rules)):
        worth = ask.returns(rules, state, seat)
        change = (worth > 0.0) - (worth < 0.0)
        learner = learner_in(rules, seat, shift)
        for place in range(drawn):
            if log[place, SEAT] == seat:
                hat, ball = log[place, HAT], log[place, BALL]
                visits[hat, ball] += 1
                rows[hat, learner, ball] = max(rows[hat, learner, ball] + change, 1)


@compiled
def train_hats(rules, memory, rng, began, matches, log):
    """Train one learner for each seat; return how many matches found room.

    `began` is the number of the first match; the number decides which learner moves first.
    """
    keys, slots, rows, visits, filled = memory
    for match in range(began, began + matches):
        if filled[0] + ENTRIES > len(keys):
            return match - began
        state = ask.initial(rules)
        shift = match % ask.seats(rules)
        drawn = 0
        for _ in range(PLIES):
            mover = ask.turn(rules, state)
            if mover == OVER:
                update_hats(rules, rows, visits, state, shift, log, drawn)
                break
            move = pick_outcome(rules, state, rng) if mover == CHANCE else 0
            low, high = table.choosers(mover)
            for seat in range(low, high + 1):
                bits, hats = ask.moves(rules, state, seat), filled[0]
                hat = table.enter_key(keys, slots, filled, table.key_of(rules, state, seat))
                if hat == hats:
                    fill_hat(rows, hat, bits)
                ball = table.pick_ball(rows, hat, learner_in(rules, seat, shift), bits, rng)
                log[drawn, HAT], log[drawn, SEAT], log[drawn, BALL] = hat, seat, ball
                drawn += 1
                move = ask.with_action(mover, move, seat, ball)
            state = ask.apply(rules, state, move)
    return matches


@dataclass
class HatsLearner:
    """Learns balls and hats, one learner for each seat against the others."""

    name = "hats"
    way = BY_BALLS
    imperfect_information = True
    log: np.ndarray = field(
        default_factory=lambda: np.zeros((ENTRIES, 3), np.int64), repr=False, compare=False
    )

    def begin(self, rules: Rules) -> Memory:
        """Return an empty table of hats."""
        return table.new_memory(rules, ask.seats(rules), np.int64)

    def train(
        self, rules: Rules, memory: Memory, rng: Generator, began: int, matches: int
    ) -> Memory:
        """Return the table after more matches, from match number `began` on."""
        done = 0
        while done < matches:
            done += int(train_hats(rules, memory, rng, began + done, matches - done, self.log))
            if done < matches:
                memory = table.enlarge(memory)
        return memory


@dataclass
class Hats:
    """Draws a ball from the hat of the position; `ludex train` fills the hats."""

    file: str = option("", "file written by `ludex train`")
    greedy: str = option("no", "take the action with the most balls", words="no yes")
    learner: int = option(1, "which of the learners trained together", 1, 4)
    policy_known = True
    imperfect_information = True
    memory: Memory | None = field(default=None, repr=False)

    def prepare(self, rules: Rules) -> None:
        """Read the file; raise a ValueError if it is unusable."""
        if self.learner > ask.seats(rules):
            raise ValueError(f"option learner: {ask.seats(rules)} learned together")
        self.memory = load(named_file("hats", self.file, rules), "hats", rules).memory

    def balls(self, rules: Rules, state: State, seat: int) -> dict[int, int]:
        """Return the number of balls of each action in the hat of a state; one if it is new."""
        counts = dict.fromkeys(members(ask.moves(rules, state, seat)), 1)
        assert self.memory is not None
        number = table.number_of(self.memory, table.key_of(rules, state, seat))
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
            mixture = uniform_over_best({action: float(count) for action, count in counts.items()})
        return Choice.draw(mixture, rng)
