"""The learner `net`: a network that plays against itself, and learns what its search found."""

import dataclasses
import importlib.util
from dataclasses import dataclass
from functools import partial
from typing import Any

import numpy as np
from numpy.random import Generator

from ludex.core.devices import CPU, CUDA
from ludex.core.options import option
from ludex.core.play import choosers
from ludex.core.rules import Rules, State, at_once, initial, seats
from ludex.kernel.tuples import flatten
from ludex.learn.accuracy import DecisionSample
from ludex.learn.net.evaluation import results_of
from ludex.learn.net.gradient import Gradient, Learned, device_of
from ludex.learn.net.network import (
    Parameters,
    Shape,
    flat,
    forward,
    initial_parameters,
    parameter_count,
    shape_of,
    unflat,
)
from ludex.learn.net.policy_table import policies_of, table_of, usual_decisions
from ludex.learn.net.self_play import Replay, SelfPlay
from ludex.learn.table import Memory
from ludex.stats import Tally

EVALUATED = 400  # matches against a random opponent
MOST_BYTES = 32 * 10**9  # of a training
EDGE_BYTES, PARAMETER_BYTES = 12, 20  # with its statistics; with what Adam remembers


@dataclass
class NetMemory:
    """A network in training."""

    shape: Shape
    learned: Learned
    lesson: "Lesson | None" = None
    """What is needed to learn on; None until it is."""

    def __len__(self) -> int:
        return parameter_count(self.shape)

    @property
    def nbytes(self) -> int:
        """The size of what a file has of it, without copies from its device."""
        return len(self) * PARAMETER_BYTES

    def usual_policies(self, rules: Rules) -> Memory:
        """Return the policy, as a table, in states that come up often."""
        network = self.shape, self.numbers()
        return table_of(rules, *network, usual_decisions(rules, *network))

    def policies_in(self, rules: Rules, state: State) -> Memory:
        """Return the policy of each seat to move in a state, as a table; empty if none is."""
        network = self.shape, self.numbers()
        return table_of(rules, *network, [(state, seat) for seat in choosers(rules, state)])

    def numbers(self) -> Parameters:
        """Return the parameters as arrays of NumPy."""
        return {one: np.asarray(value) for one, value in self.learned.parameters.items()}

    def arrays(self) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
        """Return keys, rows and visits as a file has them: a row for each parameter.

        It holds the parameter, and what Adam remembers of its gradient.
        """
        rows = np.stack([flat(self.shape, one) for one in self.learned[:3]], axis=1)[:, None, :]
        visits = np.full((len(rows), 1), int(self.learned.steps), np.int32)
        return np.arange(len(rows)), rows.astype(np.float32), visits


class Lesson:
    """Matches of a network against itself, and the positions that it learns from."""

    def __init__(self, learner: "NetLearner", rules: Rules, shape: Shape, seed: int) -> None:
        self.gradient = Gradient(shape, learner.rate, learner.device)
        self.replay = Replay(rules, learner.replay)
        self.self_play = SelfPlay(rules, learner.boards, learner.sims, learner.considered, seed)
        self.ended = 0
        """Matches that have ended and are not counted yet."""
        self.owed = 0.0
        """Positions still to be learned from, each as often as it is to be."""


@dataclass
class NetLearner:
    """Learns the policy and the value of a network from matches against itself."""

    width: int = option(32, "width of the network", 4, 1024)
    blocks: int = option(3, "residual blocks of the network", 0, 64)
    sims: int = option(24, "simulations for a decision", 2, 10_000)
    considered: int = option(16, "actions that sequential halving begins with", 2, 1024)
    boards: int = option(128, "matches side by side", 1, 1 << 16)
    batch: int = option(64, "positions of a gradient step", 1, 1 << 16)
    rate: float = option(0.001, "learning rate", 1e-9, 1.0)
    reuse: float = option(8.0, "how often each position is learned from, on average", 0.01, 1000.0)
    replay: int = option(100_000, "positions that are kept to learn from", 1000, 10**8)
    device: str = option(CPU, "device that trains and evaluates the network", words=f"{CPU} {CUDA}")
    name = "net"

    def __post_init__(self) -> None:
        if self.batch > self.replay:
            raise ValueError(f"option batch: {self.batch}: expected at most replay, {self.replay}")

    def begin(self, rules: Rules) -> NetMemory:
        """Return a network that has learned nothing; raise a ValueError if it could not learn."""
        if importlib.util.find_spec("jax") is None:
            raise ValueError("net learns with JAX, which is missing: pip install 'ludex[net]'")
        if self.device == CUDA:
            device_of(self.device)
        needed = self.bytes_needed(rules)
        if needed > MOST_BYTES:
            raise ValueError(
                f"this network, its trees and its positions take {needed / 1e9:,.0f} GB, more than"
                f" {MOST_BYTES / 1e9:.0f}: make width, blocks, boards, sims or replay smaller"
            )
        shape = shape_of(rules, self.width, self.blocks)
        start = initial_parameters(shape, np.random.default_rng(0))
        zeros = {one: np.zeros_like(value) for one, value in start.items()}
        return NetMemory(shape, Learned(start, zeros, zeros, np.int32(0)))

    def bytes_needed(self, rules: Rules) -> int:
        """Return about how much memory a training takes."""
        shape = shape_of(rules, self.width, self.blocks)
        edges = shape.actions ** (2 if at_once(rules) else 1)
        trees = self.boards * (self.sims + 2) * edges * EDGE_BYTES
        fields = len(flatten(initial(rules)))
        positions = self.replay * (8 * fields + 4 * shape.actions)
        return trees + positions + PARAMETER_BYTES * parameter_count(shape)

    def restore(self, rules: Rules, memory: Memory) -> NetMemory:
        """Return the network of a file; matches in progress, and their positions, are not in it."""
        shape = shape_of(rules, self.width, self.blocks)
        many = memory.filled[0]
        columns = [unflat(shape, memory.rows[:many, 0, place]) for place in range(3)]
        return NetMemory(
            shape, Learned(columns[0], columns[1], columns[2], np.int32(memory.visits[0, 0]))
        )

    def small(self) -> "NetLearner":
        """Return a learner with which the search is compiled soon."""
        return dataclasses.replace(self, boards=1, sims=2)

    def train(
        self, rules: Rules, memory: NetMemory, rng: Generator, began: int, matches: int
    ) -> NetMemory:
        """Return the network after more matches have ended."""
        if memory.lesson is None:
            memory.lesson = Lesson(self, rules, memory.shape, int(rng.integers(1 << 62)))
            memory.learned = memory.lesson.gradient.put(memory.learned)
        lesson = memory.lesson
        while lesson.ended < matches:
            parameters = memory.learned.parameters
            finished = lesson.self_play.step(
                lambda views: lesson.gradient.evaluate(parameters, views),  # noqa: B023
                rng,
            )
            for positions in finished:
                lesson.replay.add(positions)
                lesson.owed += self.reuse * len(positions.seats)
            lesson.ended += len(finished)
            while lesson.owed >= self.batch and len(lesson.replay) >= self.batch:
                lesson.owed -= self.batch
                examples = lesson.gradient.put(lesson.replay.draw(self.batch, rng))
                memory.learned = lesson.gradient.step(memory.learned, examples)
        lesson.ended -= matches
        return memory

    def evaluate(self, rules: Rules, memory: NetMemory, seed: Any) -> Tally:
        """Return the results of the policy, without search, against a random opponent."""
        if memory.lesson is None:
            evaluate = partial(forward, np, memory.shape, memory.numbers())
        else:
            evaluate = partial(memory.lesson.gradient.evaluate, memory.learned.parameters)
        many, number = int(seats(rules)), int(np.random.default_rng(seed).integers(1 << 62))
        results = [
            results_of(rules, evaluate, seat, EVALUATED // many, number) for seat in range(many)
        ]
        return Tally.of(np.concatenate(results))

    def policies(self, rules: Rules, memory: NetMemory, sample: DecisionSample) -> np.ndarray:
        """Return the policy in a sample, without search.

        Where seats take turns it is the most probable action, as in the evaluation.
        """
        found = policies_of(rules, memory.shape, memory.numbers(), sample.decisions)
        likeliest = np.eye(found.shape[1])[found.argmax(axis=1)]
        return np.where(sample.at_once[:, np.newaxis], found, likeliest)
