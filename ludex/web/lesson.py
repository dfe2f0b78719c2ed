"""A training in a process of its own, which tells how it gets on and stops when it is asked to."""

import signal
import threading
import time
from multiprocessing import get_context
from multiprocessing.connection import Connection
from pathlib import Path
from typing import Any, NamedTuple

from ludex.learn.learned import ARRAYS
from ludex.learn.qtable import QLearner
from ludex.learn.training import Training
from ludex.stats import wilson
from ludex.tuition import read_learner, training_of
from ludex.vault import contents
from ludex.web import limits
from ludex.web.catalogue import Texts, rules_from
from ludex.web.key import Refused, fits, new_key

Curve = list[tuple[int, float, float, float]]
"""Matches, the share of the points, and the ends of its interval."""

TELLING = 0.25  # seconds between two reports


class Wanted(NamedTuple):
    """What is to be learned."""

    source: str
    texts: Texts
    learner: str
    against: str
    matches: int
    seed: int
    path: Path


class Report(NamedTuple):
    """How far a training is."""

    matches: int = 0
    states: int = 0
    speed: float = 0.0
    curve: Curve = []  # noqa: RUF012 (it is replaced, never changed)
    words: str = "starting and compiling …"
    done: bool = False


class Stopped(Exception):
    """Somebody has asked it to stop, or its time is over."""


def learn(pipe: Connection, wanted: Wanted) -> None:
    """Learn, in a process of its own, until there is enough of it or somebody asks to stop."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    began, told = time.monotonic(), 0.0

    def report(training: Training, words: str, done: bool = False) -> Report:
        spent = max(time.monotonic() - began, 1e-9)
        curve = [
            (matches, tally.share, *wilson(tally.share, sum(tally)))
            for matches, tally in training.curve
        ]
        states = int(training.memory.filled[0])
        speed = (training.matches - first) / spent
        return Report(training.matches, states, speed, curve, words, done)

    def tell(training: Training) -> None:
        nonlocal told
        if pipe.poll() or time.monotonic() > began + limits.LEARNING:
            raise Stopped
        if time.monotonic() - told > TELLING:
            told = time.monotonic()
            pipe.send(report(training, "learning"))

    first = 0
    try:
        rules = rules_from(wanted.source, wanted.texts)
        seed = wanted.seed
        if wanted.path.exists():
            seed = int(contents(wanted.path, ARRAYS)[1]["facts"]["seed"])
        name, _ = read_learner(wanted.learner)
        against = wanted.against if name == QLearner.name else None
        training = training_of(rules, wanted.learner, against, seed)
        if wanted.path.exists():
            training.resume(wanted.path)
            first = training.matches
        try:
            training.run(wanted.path, first + wanted.matches, None, tell)
            words = "done"
        except Stopped:
            words = "stopped"
            if training.resumable():
                training.save(wanted.path)
        pipe.send(report(training, words, True))
    except Exception as error:
        pipe.send(Report(words=f"failed: {error}", done=True))


class Lesson:
    """A training as the server sees it."""

    def __init__(self, name: str, game: str, wanted: Wanted) -> None:
        self.name, self.game, self.wanted = name, game, wanted
        self.report = Report()
        self.key = new_key()
        self.process: Any = None
        self.pipe: Any = None

    @property
    def running(self) -> bool:
        """Whether it goes on."""
        return self.process is not None and not self.report.done

    @property
    def agent(self) -> str:
        """The agent that plays what was learned."""
        return f"{self.wanted.learner.partition(':')[0]}:file={self.name}"

    def start(self) -> None:
        """Start the process, or go on with what was learned."""
        self.wanted.path.parent.mkdir(parents=True, exist_ok=True)
        context = get_context("spawn")
        self.report = self.report._replace(words="starting and compiling …", done=False)
        self.pipe, other = context.Pipe()
        self.process = context.Process(target=learn, args=(other, self.wanted), daemon=True)
        self.process.start()
        other.close()
        threading.Thread(target=self.listen, args=(self.pipe, self.process), daemon=True).start()

    def listen(self, pipe: Connection, process: Any) -> None:
        """Take in reports until the process has ended."""
        try:
            while not self.report.done:
                self.report = pipe.recv()
        except (EOFError, OSError):
            said = self.report.words
            words = said if self.report.done else "its process has ended"
            self.report = self.report._replace(done=True, words=words)
        process.join()

    def stop(self, key: str) -> None:
        """Ask it to stop, if the key is that of whoever started it."""
        self.check(key)
        self.halt()

    def go_on(self, key: str) -> None:
        """Learn as many matches again, if the key is that of whoever started it."""
        self.check(key)
        if not self.running:
            self.start()

    def check(self, key: str) -> None:
        """Refuse a key that is not that of whoever started it."""
        if not fits(self.key, key):
            raise Refused("only the browser that started it may stop it, or let it go on")

    def halt(self, at_once: bool = False) -> None:
        """Ask it to stop, or end its process."""
        if self.process is None:
            return
        try:
            self.pipe.send("stop")
        except OSError:  # the process has ended by itself, and nobody is left to be asked
            pass
        if at_once:
            self.process.terminate()
