"""Q-tables: the learner, and the agent that plays from one."""

import copy
from collections.abc import Callable
from dataclasses import dataclass, field
from functools import partial
from typing import Any, Protocol

import numpy as np
from numpy.random import Generator

from ludex.core import rules as ask
from ludex.core.choice import Choice, uniform_over_best
from ludex.core.options import option
from ludex.core.rules import BOTH, CHANCE, MOST_SEATS, OVER, Rules, State
from ludex.core.sampling import draw_outcome
from ludex.core.time_control import PLIES
from ludex.kernel.bits import members
from ludex.learn import qlearning, table
from ludex.learn.checkpoint import load, named_file
from ludex.learn.qlearning import SELF_PLAY, UNSET, Pending, QSettings
from ludex.learn.schedule import read_schedule
from ludex.learn.table import AT_RANDOM, BY_VALUE, Memory

ITSELF, COPY, RANDOM = "itself", "copy", "random"  # opponents in training


class Opponent(Protocol):
    """An agent that chooses actions."""

    def consider(self, rules: Rules, state: State, seat: int, rng: Generator) -> Choice:
        """Return the choice of the seat to move."""


@dataclass
class QLearner:
    """Learns a table of values by epsilon-greedy Q-learning."""

    rate: str = option("1/n..0.02", "learning rate, or a schedule")
    discount: str = option("0.95", "discount per decision, or a schedule")
    explore: str = option("0.2", "exploration rate (epsilon), or a schedule")
    over: int = option(100_000, "matches over which schedules decay", 1, 10**9)
    hints: float = option(1.0, "factor for the game's own rewards", -1e-9, 1e6)
    refresh: int = option(10_000, "matches between copies, with --against copy", 1, 10**9)
    against: Any = ITSELF
    """`itself`, `copy`, `random`, or a function that returns an opponent for each match."""
    seed: int = 0
    copied: Memory | None = field(default=None, repr=False)
    name = "qtable"
    way = BY_VALUE
    imperfect_information = True

    def __post_init__(self) -> None:
        self.settings = QSettings(
            read_schedule(self.rate, "rate"),
            read_schedule(self.discount, "discount"),
            read_schedule(self.explore, "explore"),
            self.over,
            self.hints,
        )
        self.pending = Pending(
            np.full(MOST_SEATS, UNSET, np.int64),
            np.zeros(MOST_SEATS, np.int64),
            np.zeros(MOST_SEATS),
        )

    def begin(self, rules: Rules) -> Memory:
        """Return an empty table."""
        return table.new_memory(rules, 1, np.float32)

    def train(
        self, rules: Rules, memory: Memory, rng: Generator, began: int, matches: int
    ) -> Memory:
        """Return the table after more matches, from match number `began` on."""
        done = 0
        while done < matches:
            more = matches - done
            if self.against == COPY:
                if (began + done) % self.refresh == 0 or self.copied is None:
                    self.copied = copy.deepcopy(memory)
                more = min(more, self.refresh - (began + done) % self.refresh)
            if table.is_full(memory):
                memory = table.enlarge(memory)
            done += self.train_batch(rules, memory, rng, began + done, more)
        return memory

    def train_batch(
        self, rules: Rules, memory: Memory, rng: Generator, began: int, matches: int
    ) -> int:
        """Play and learn for some matches, or until the table is full; return how many."""
        compiled = {
            ITSELF: (SELF_PLAY, memory),
            RANDOM: (AT_RANDOM, memory),
            COPY: (BY_VALUE, self.copied),
        }
        if isinstance(self.against, str):
            opponent = compiled[self.against]
        else:
            maker: Callable[[], Opponent] = self.against
            made = maker()
            if not isinstance(made, QTable) or made.explore:  # compiled matches never explore
                self.train_match(rules, memory, rng, began, made)
                return 1
            opponent = BY_VALUE, made.memory
        arguments = (rules, memory, self.settings, self.pending, rng, opponent)
        return int(qlearning.train_table(*arguments, began, matches))

    def train_match(
        self, rules: Rules, memory: Memory, rng: Generator, match: int, other: Opponent
    ) -> None:
        """Play and learn for one match against an opponent with its own random numbers."""
        luck = np.random.default_rng((match, self.seed))
        progress, mine = min(match / self.over, 1.0), match % ask.seats(rules)
        learning = (rules, memory, self.settings, self.pending)

        def choose(state: State, seat: int) -> int:
            if seat == mine:
                return int(qlearning.compiled_act(*learning, state, seat, progress, rng))
            seen = ask.information_state(rules, state, seat)
            return int(other.consider(rules, seen, seat, luck).action)

        step = partial(qlearning.step, rules, self.settings, self.pending)
        end = play_match(rules, rng, choose, step)
        qlearning.compiled_finish(*learning, end, progress)


def play_match(
    rules: Rules,
    rng: Generator,
    choose: Callable[[State, int], int],
    after: Callable[[State, int], State],
) -> State:
    """Play a match, and return the final state, or the last one if truncated."""
    state = ask.initial(rules)
    for _ in range(PLIES):
        mover = ask.turn(rules, state)
        if mover == OVER:
            break
        if mover == CHANCE:
            move = int(draw_outcome(rules, state, rng))
        elif mover == BOTH:
            move = ask.pair(choose(state, 0), choose(state, 1))
        else:
            move = choose(state, mover)
        state = after(state, move)
    return state


@dataclass
class QTable:
    """Takes the action with the highest value in a table learned by `ludex train`.

    Ties, and states never seen, are decided uniformly at random.
    """

    file: str = option("", "file written by `ludex train`, or `reference` for the one included")
    explore: float = option(0.0, "probability of a random action", 0, 1)
    policy_known = True
    imperfect_information = True
    memory: Memory | None = field(default=None, repr=False)

    def prepare(self, rules: Rules) -> None:
        """Read the file; raise a ValueError if it is unusable."""
        self.memory = load(named_file("qtable", self.file, rules), "qtable", rules).memory

    def consider(self, rules: Rules, state: State, seat: int, rng: Generator) -> Choice:
        """Return the choice of the seat to move."""
        assert self.memory is not None
        values = known_values(rules, self.memory, state, seat)
        legal = dict.fromkeys(members(ask.moves(rules, state, seat)), 0.0)
        mixture = uniform_over_best(values or legal)
        if self.explore:
            anything = self.explore / len(legal)
            mixture = {
                one: (1.0 - self.explore) * mixture.get(one, 0.0) + anything for one in legal
            }
        return Choice.draw(mixture, rng, values)


def known_values(rules: Rules, memory: Memory, state: State, seat: int) -> dict[int, float]:
    """Return the value of every legal action of a seat in a table; none if it is unknown."""
    number = table.number_of(memory, table.key_of(rules, state, seat))
    legal = members(ask.moves(rules, state, seat))
    return {action: float(memory.rows[number, 0, action]) for action in legal if number >= 0}
