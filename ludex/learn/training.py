"""Training: a learner plays, is evaluated now and then, and is saved to its file.

Progress never depends on the clock: the same seed and number of matches give the same file, in
one go or after any number of interruptions.
"""

import copy
import math
import time
from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import numpy as np

from ludex.core.options import options_of
from ludex.core.rules import Rules
from ludex.learn.checkpoint import load, save, words
from ludex.learn.duel import duel
from ludex.learn.evaluation import contest
from ludex.learn.hats import HatsLearner
from ludex.learn.qtable import OWN_COPY, QLearner
from ludex.learn.td import TdLearner
from ludex.learn.weights import Weights, weights_of
from ludex.stats import Tally

LEARNERS: dict[str, type[Any]] = {"hats": HatsLearner, "qtable": QLearner, "td": TdLearner}
CHECKPOINT = 3.0  # seconds between two
LOOK_SECONDS = 0.1  # seconds between two looks at the clock
FIRST_INTERVAL = 100  # matches before the second measurement; later ones come ever more rarely


@dataclass
class Training:
    """A learner with its memory, its luck, and the curve of how good it was."""

    rules: Rules
    learner: Any
    seed: int
    against: str
    """Whom it plays against, as text."""
    judge: Any = "random"
    """Whom it is measured against: `random`, or a function that returns an agent.

    An estimate is measured against that of the game.
    """
    memory: Any = None
    matches: int = 0
    curve: list[tuple[int, Tally]] = field(default_factory=list)
    seconds: float = 0.0
    """How long it has taken, without compiling."""

    def __post_init__(self) -> None:
        self.rng = np.random.default_rng(self.seed)
        self.memory = self.learner.begin(self.rules)

    def warm_up(self) -> None:
        """Have everything compiled, so that it is not counted as learning."""
        other = copy.deepcopy(self.learner)
        memory = other.train(self.rules, other.begin(self.rules), np.random.default_rng(0), 0, 1)
        self.evaluate(memory, 0)

    def run(
        self,
        path: Path,
        matches: int | None,
        seconds: float | None,
        tell: Callable[["Training"], None] = lambda training: None,
    ) -> None:
        """Learn up to a number of matches or for so many seconds, and keep it in a file.

        The file is written at once too, so that nobody waits for what cannot be kept.
        """
        self.save(path)
        self.warm_up()
        began = saved = time.perf_counter()
        chunk = 1
        while (matches is None or self.matches < matches) and (
            seconds is None or time.perf_counter() - began < seconds
        ):
            self.measure()
            ends = [self.matches + chunk, next_point(self.matches), self.next_copy()]
            end = int(min(*ends, math.inf if matches is None else matches))
            now = time.perf_counter()
            self.go_on(end - self.matches)
            spent = time.perf_counter() - now
            chunk = max(1, chunk * 2 if spent < LOOK_SECONDS else chunk // 2)
            tell(self)
            if time.perf_counter() - saved > CHECKPOINT and self.resumable():
                self.save(path)
                saved = time.perf_counter()
        self.measure(at_the_end=True)
        self.save(path)
        self.seconds = time.perf_counter() - began

    def go_on(self, matches: int) -> None:
        """Learn from so many more matches."""
        # Where a training has ended and goes on, nothing would have been noted in one go.
        self.curve = [point for point in self.curve if is_point(point[0])]
        self.memory = self.learner.train(self.rules, self.memory, self.rng, self.matches, matches)
        self.matches += matches

    def resumable(self) -> bool:
        """Return whether the file can say all that the next matches depend on.

        A copy of the table is not kept: where it is taken anew, it is the table itself.
        """
        return self.against != OWN_COPY or self.matches % self.learner.refresh == 0

    def next_copy(self) -> float:
        """Return after how many matches a copy is taken next, if ever."""
        every = self.learner.refresh if self.against == OWN_COPY else math.inf
        return (self.matches // every + 1) * every

    def measure(self, at_the_end: bool = False) -> None:
        """Note how good the learner is, at the points at which that is noted and at the end."""
        noted = bool(self.curve) and self.curve[-1][0] == self.matches
        if (at_the_end or is_point(self.matches)) and not noted:
            self.curve.append((self.matches, self.tally()))

    def tally(self) -> Tally:
        """Return how the learner does as it is."""
        return self.evaluate(self.memory, (1, self.matches, self.seed))

    def evaluate(self, memory: Any, seed: Any) -> Tally:
        """Return how somebody with a memory does."""
        if isinstance(memory, Weights):
            return duel(self.rules, memory, seed)
        return contest(self.rules, memory, self.learner.greedy, self.judge, seed)

    def facts(self) -> dict[str, Any]:
        """Return how the learner came to know what it knows."""
        return {
            "seed": self.seed,
            "matches": self.matches,
            "against": self.against,
            "options": settings(self.learner),
            "rng": self.rng.bit_generator.state,
            "curve": [[matches, *tally] for matches, tally in self.curve],
        }

    def save(self, path: Path) -> None:
        """Write all of it to a file."""
        save(path, self.learner.name, self.rules, self.memory, self.facts())

    def resume(self, path: Path) -> None:
        """Go on with what a file holds; a ValueError says why it was another training."""
        trained = load(path, self.learner.name, self.rules)
        told = self.facts()
        for name in ("seed", "against", "options"):
            if trained.facts[name] != told[name]:
                before, now = words(trained.facts[name]), words(told[name])
                raise ValueError(f"{path} was trained with {name} {before}, not {now}")
        self.matches = trained.facts["matches"]
        by_weights = isinstance(self.memory, Weights)
        self.memory = weights_of(self.rules, trained.memory) if by_weights else trained.memory
        self.rng.bit_generator.state = trained.facts["rng"]
        self.curve = [(matches, Tally(*tally)) for matches, *tally in trained.facts["curve"]]


def settings(learner: Any) -> dict[str, Any]:
    """Return the options of a learner."""
    return {name: getattr(learner, name) for name in options_of(type(learner))}


def next_point(matches: int) -> int:
    """Return after how many matches the learner is measured next."""
    point = 0
    while point <= matches:
        point = max(point + FIRST_INTERVAL, point * 5 // 4)
    return point


def is_point(matches: int) -> bool:
    """Return whether the learner is measured after so many matches."""
    return matches == 0 or next_point(matches - 1) == matches
