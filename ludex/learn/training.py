"""Training: a learner plays, is evaluated now and then, and is saved to its file.

Results never depend on the clock: the same seed and number of matches give the same file, and all
learners but `net` give it also after interruptions.
"""

import copy
import math
import time
from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import numpy as np
from numba.core import config

from ludex.core.options import options_of
from ludex.core.rules import Rules, imperfect_information
from ludex.learn.accuracy import Accuracy, DecisionSample
from ludex.learn.cfr import CfrLearner
from ludex.learn.checkpoint import fact_text, load, save
from ludex.learn.curve_point import CurvePoint
from ludex.learn.evaluation import evaluate
from ludex.learn.hats import HatsLearner
from ludex.learn.net.learner import NetLearner
from ludex.learn.qtable import COPY, QLearner
from ludex.learn.table import Memory, policies_by
from ludex.learn.td import TdLearner
from ludex.stats import Tally

LEARNERS: dict[str, type[Any]] = {
    "hats": HatsLearner,
    "qtable": QLearner,
    "cfr": CfrLearner,
    "td": TdLearner,
    "net": NetLearner,
}
NOT_LEARNED = {"device"}  # options that may differ when a training goes on
CHECKPOINT = 3.0  # seconds between checkpoints
LOOK_SECONDS = 0.1  # seconds of training between looks at the clock
FIRST_INTERVAL = 100  # matches before the second measurement; later intervals grow


@dataclass
class Training:
    """A learner with its table, its random numbers, and its learning curve."""

    rules: Rules
    learner: Any
    seed: int
    against: str
    """The opponent in training, as text."""
    tested_against: Any = "random"
    """The opponent in evaluation: `random`, or a function that returns an agent.

    An estimate is evaluated against that of the game.
    """
    memory: Any = None
    matches: int = 0
    curve: list[CurvePoint] = field(default_factory=list)
    sample: DecisionSample | None = None
    """Decisions that are compared with exact values at every point of the curve, if any."""
    seconds: float = 0.0
    """The time of the last run, without compilation."""

    def __post_init__(self) -> None:
        self.rng = np.random.default_rng(self.seed)
        self.memory = begin(self.learner, self.rules)

    def warm_up(self) -> None:
        """Compile everything, if that is to be done, so that it is no part of the training time."""
        if config.DISABLE_JIT:
            return
        learner = self.learner
        other = learner.small() if hasattr(learner, "small") else copy.deepcopy(learner)
        memory = other.train(self.rules, other.begin(self.rules), np.random.default_rng(0), 0, 1)
        self.evaluate(memory, 0)
        self.accuracy(memory)

    def run(
        self,
        path: Path,
        matches: int | None,
        seconds: float | None,
        tell: Callable[["Training"], None] = lambda training: None,
        measured: Callable[["Training"], None] = lambda training: None,
    ) -> None:
        """Train up to a number of matches or for some seconds, and save to a file.

        The file is also written first, to fail early. `tell` is called now and then, `measured`
        at every new point of the curve.
        """
        self.save(path)
        self.warm_up()
        began = saved = time.perf_counter()
        chunk = 1
        while (matches is None or self.matches < matches) and (
            seconds is None or time.perf_counter() - began < seconds
        ):
            if self.measure():
                measured(self)
            ends = [self.matches + chunk, next_point(self.matches), self.next_copy()]
            end = int(min(*ends, math.inf if matches is None else matches))
            now = time.perf_counter()
            self.train_more(end - self.matches)
            spent = time.perf_counter() - now
            chunk = max(1, chunk * 2 if spent < LOOK_SECONDS else chunk // 2)
            tell(self)
            if time.perf_counter() - saved > CHECKPOINT and self.resumable():
                self.save(path)
                saved = time.perf_counter()
        if self.measure(at_the_end=True):
            measured(self)
        self.save(path)
        self.seconds = time.perf_counter() - began

    def train_more(self, matches: int) -> None:
        """Learn from more matches."""
        # Drop a measurement at the end of an earlier run: without that end there would be none.
        self.curve = [point for point in self.curve if is_point(point.matches)]
        self.memory = self.learner.train(self.rules, self.memory, self.rng, self.matches, matches)
        self.matches += matches

    def resumable(self) -> bool:
        """Return whether a checkpoint would hold everything that the next matches depend on.

        The copy of the table is not saved; when it is due to be refreshed, it is not needed.
        """
        return self.against != COPY or self.matches % self.learner.refresh == 0

    def next_copy(self) -> float:
        """Return the number of matches after which the next copy is taken, or infinity."""
        every = self.learner.refresh if self.against == COPY else math.inf
        return (self.matches // every + 1) * every

    def measure(self, at_the_end: bool = False) -> bool:
        """Add a point to the curve if one is due, or at the end, and return whether it did."""
        measured = bool(self.curve) and self.curve[-1].matches == self.matches
        due = (at_the_end or is_point(self.matches)) and not measured
        if due:
            accuracy = self.accuracy(self.memory)
            self.curve.append(CurvePoint(self.matches, self.tally(), accuracy))
        return due

    def tally(self) -> Tally:
        """Return the results of the learner in its present state."""
        return self.evaluate(self.memory, (1, self.matches, self.seed))

    def evaluate(self, memory: Any, seed: Any) -> Tally:
        """Return the results of what was learned."""
        if hasattr(self.learner, "evaluate"):
            tally: Tally = self.learner.evaluate(self.rules, memory, seed)
            return tally
        return evaluate(self.rules, memory, self.learner.way, self.tested_against, seed)

    def accuracy(self, memory: Any) -> Accuracy | None:
        """Return the accuracy of what was learned in the sample, if there is one."""
        if self.sample is None:
            return None
        if hasattr(self.learner, "policies"):
            return self.sample.accuracy(self.learner.policies(self.rules, memory, self.sample))
        given = memory, self.learner.way, self.sample.keys, self.sample.legal
        return self.sample.accuracy(policies_by(*given))

    def facts(self) -> dict[str, Any]:
        """Return the facts of the training."""
        return {
            "seed": self.seed,
            "matches": self.matches,
            "against": self.against,
            "options": settings(self.learner),
            "rng": self.rng.bit_generator.state,
            "curve": [point.numbers for point in self.curve],
        }

    def save(self, path: Path) -> None:
        """Write a checkpoint."""
        save(path, self.learner.name, self.rules, self.memory, self.facts())

    def resume(self, path: Path) -> None:
        """Continue from a checkpoint; raise a ValueError if it is of another training."""
        trained = load(path, self.learner.name, self.rules)
        told = self.facts()
        for name in ("seed", "against", "options"):
            if trained.facts[name] != told[name]:
                before, now = fact_text(trained.facts[name]), fact_text(told[name])
                raise ValueError(f"{path} was trained with {name} {before}, not {now}")
        self.matches = trained.facts["matches"]
        self.memory = restored(self.learner, self.rules, trained.memory)
        self.rng.bit_generator.state = trained.facts["rng"]
        self.curve = [CurvePoint.of(numbers) for numbers in trained.facts["curve"]]


def begin(learner: Any, rules: Rules) -> Any:
    """Return the empty table or weights of a learner; raise a ValueError if it cannot learn this.

    In a game that hides something, its class must say that it learns with `imperfect_information`.
    """
    if imperfect_information(rules) and not sees_enough(type(learner)):
        able = ", ".join(name for name, kind in LEARNERS.items() if sees_enough(kind))
        needs = "it needs to see the whole state, and this game hides some of it"
        raise ValueError(f"{learner.name} cannot learn this game: {needs} (those that can: {able})")
    return learner.begin(rules)


def restored(learner: Any, rules: Rules, memory: Memory) -> Any:
    """Return what a learner had learned, given the table in its file."""
    restore = getattr(learner, "restore", None)
    return restore(rules, memory) if restore else memory


def sees_enough(kind: type[Any]) -> bool:
    """Return whether a learner needs no more than what a seat sees."""
    return getattr(kind, "imperfect_information", False)


def settings(learner: Any) -> dict[str, Any]:
    """Return the options of a learner."""
    names = (name for name in options_of(type(learner)) if name not in NOT_LEARNED)
    return {name: getattr(learner, name) for name in names}


def next_point(matches: int) -> int:
    """Return the number of matches at the next point of the curve."""
    point = 0
    while point <= matches:
        point = max(point + FIRST_INTERVAL, point * 5 // 4)
    return point


def is_point(matches: int) -> bool:
    """Return whether there is a point of the curve at this number of matches."""
    return matches == 0 or next_point(matches - 1) == matches
