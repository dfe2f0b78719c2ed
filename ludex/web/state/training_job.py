"""A training in its own process, which reports its progress and stops on request."""

import threading
import time
from multiprocessing.connection import Connection
from pathlib import Path
from typing import Any, NamedTuple

from ludex.agents.training import read_learner, training_of
from ludex.io.array_file import contents
from ludex.learn.checkpoint import ARRAYS, LEARNED, load
from ludex.learn.evaluation import Tally
from ludex.learn.qtable import QLearner
from ludex.learn.table import Memory
from ludex.learn.td import TdLearner
from ludex.learn.training import LEARNERS, Training, settings
from ludex.learn.weights import Weights, weights_of
from ludex.stats import wilson
from ludex.web.state import limits
from ludex.web.state.access import Refused, fits, new_key
from ludex.web.state.catalogue import Texts, rules_from, texts_of
from ludex.web.state.learned_table import Knowledge, knowledge
from ludex.workers.process import start_process

Curve = list[tuple[int, float, float, float]]
"""Matches, the share of the points, and the ends of its interval."""

TELLING = 0.25  # seconds between two reports
LOOKING = 1.0  # seconds between two looks at what is known
COURTESY = 10  # times as long as the last look took should pass before the next
SELDOM = 3.0  # seconds, after which one looks in any case; the first look may compile
FAILED = "failed: "  # how the words of a training begin of which nothing came


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
    first: int = 0
    """How many matches were known when it began."""
    goal: int = 0
    """How many it will end with; 0 before that is known."""
    known: Knowledge = Knowledge()

    @property
    def failed(self) -> bool:
        """Whether nothing came of it."""
        return self.words.startswith(FAILED)

    def share(self) -> float:
        """Return how much of it is done, from 0 to 1."""
        return (self.matches - self.first) / max(self.goal - self.first, 1)

    def left(self) -> float | None:
        """Return how many seconds it will take yet; None if nobody can say."""
        if self.done or self.speed <= 0.0 or not self.goal:
            return None
        return (self.goal - self.matches) / self.speed


class Stopped(Exception):
    """Somebody has asked it to stop, or its time is over."""


def learn(pipe: Connection, wanted: Wanted) -> None:
    """Learn, in a process of its own, until there is enough of it or somebody asks to stop."""
    began, told, looks = time.monotonic(), 0.0, 0.0
    known = Knowledge()

    def report(training: Training, words: str, done: bool = False) -> Report:
        nonlocal known, looks
        now = time.monotonic()
        if done or now > looks:
            known = knowledge(training)
            after = time.monotonic()
            looks = after + min(max(LOOKING, COURTESY * (after - now)), SELDOM)
        spent = max(time.monotonic() - began, 1e-9)
        curve = [
            (matches, tally.share, *wilson(tally.share, sum(tally)))
            for matches, tally in training.curve
        ]
        states = seen_in(training.memory)
        speed = (training.matches - first) / spent
        goal = first + wanted.matches
        return Report(training.matches, states, speed, curve, words, done, first, goal, known)

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
        began = time.monotonic()
        try:
            training.run(wanted.path, first + wanted.matches, None, tell)
            words = "done"
        except Stopped:
            words = "stopped"
            if training.resumable():
                training.save(wanted.path)
        pipe.send(report(training, words, True))
    except Exception as error:
        pipe.send(Report(words=f"{FAILED}{error}", done=True))


def agent_of(learner: str, name: str) -> str:
    """Return the agent that plays what a learner has left in the file of a training."""
    if learner == TdLearner.name:  # an estimate, for a search
        return f"expectiminimax:depth=2,estimate={LEARNED}:{name}"
    return f"{learner}:file={name}"


def kept(source: str, path: Path) -> tuple[Wanted, Report]:
    """Return what was to be learned in a training that is over, and how far it came.

    A ValueError says why its file cannot be used.
    """
    owner = contents(path, ARRAYS)[1]["owner"]
    rules = rules_from(source, tuple(owner["rules"].items()))
    trained = load(path, owner["learner"], rules)
    facts = trained.facts
    usual = settings(LEARNERS[owner["learner"]]())
    given = {name: value for name, value in facts["options"].items() if value != usual[name]}
    options = ",".join(f"{name}={value}" for name, value in given.items())
    text = f"{owner['learner']}:{options}" if options else owner["learner"]
    seed, against, matches = int(facts["seed"]), facts["against"], int(facts["matches"])
    training = Training(rules, LEARNERS[owner["learner"]](), seed, against)
    by_weights = isinstance(training.memory, Weights)
    training.memory = weights_of(rules, trained.memory) if by_weights else trained.memory
    wanted = Wanted(source, texts_of(rules), text, against, matches, seed, path)
    curve = [
        (at, Tally(*tally).share, *wilson(Tally(*tally).share, sum(tally)))
        for at, *tally in facts["curve"]
    ]
    states, known = seen_in(training.memory), knowledge(training)
    return wanted, Report(matches, states, 0.0, curve, "kept", True, known=known)


def seen_in(memory: Memory | Weights) -> int:
    """Return how many states, or patterns, something was learned about."""
    if isinstance(memory, Weights):
        return int((memory.visits > 0).sum())
    return int(memory.filled[0])


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
        return agent_of(self.wanted.learner.partition(":")[0], self.name)

    def start(self) -> None:
        """Start the process, or go on with what was learned."""
        self.wanted.path.parent.mkdir(parents=True, exist_ok=True)
        self.report = self.report._replace(words="starting and compiling …", done=False)
        self.process, self.pipe = start_process(learn, self.wanted)
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
