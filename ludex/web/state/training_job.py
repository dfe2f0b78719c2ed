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
from ludex.web.state.access import Refused, key_matches, new_key
from ludex.web.state.catalogue import Texts, rules_from, texts_of
from ludex.web.state.learned_table import LearnedTable, learned_table
from ludex.workers.process import start_process

Curve = list[tuple[int, float, float, float]]
"""Matches, the share of the points, and the ends of its interval."""

REPORT_INTERVAL = 0.25  # seconds between two reports
TABLE_INTERVAL = 1.0  # seconds between two looks at what is known
TABLE_COST = 10  # times as long as the last look took should pass before the next
TABLE_INTERVAL_MAX = 3.0  # seconds, after which one looks in any case; the first look may compile
FAILED = "failed: "  # how the words of a training begin of which nothing came


class TrainingRequest(NamedTuple):
    """What is to be learned."""

    source: str
    texts: Texts
    learner: str
    against: str
    matches: int
    seed: int
    path: Path


class TrainingProgress(NamedTuple):
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
    known: LearnedTable = LearnedTable()

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


def run_training(pipe: Connection, request: TrainingRequest) -> None:
    """Learn, in a process of its own, until there is enough of it or somebody asks to stop."""
    began, told, looks = time.monotonic(), 0.0, 0.0
    known = LearnedTable()

    def progress(training: Training, words: str, done: bool = False) -> TrainingProgress:
        nonlocal known, looks
        now = time.monotonic()
        if done or now > looks:
            known = learned_table(training)
            after = time.monotonic()
            looks = after + min(max(TABLE_INTERVAL, TABLE_COST * (after - now)), TABLE_INTERVAL_MAX)
        spent = max(time.monotonic() - began, 1e-9)
        curve = [
            (matches, tally.share, *wilson(tally.share, sum(tally)))
            for matches, tally in training.curve
        ]
        states = learned_count(training.memory)
        speed = (training.matches - first) / spent
        goal = first + request.matches
        return TrainingProgress(
            training.matches, states, speed, curve, words, done, first, goal, known
        )

    def tell(training: Training) -> None:
        nonlocal told
        if pipe.poll() or time.monotonic() > began + limits.LEARNING:
            raise Stopped
        if time.monotonic() - told > REPORT_INTERVAL:
            told = time.monotonic()
            pipe.send(progress(training, "learning"))

    first = 0
    try:
        rules = rules_from(request.source, request.texts)
        seed = request.seed
        if request.path.exists():
            seed = int(contents(request.path, ARRAYS)[1]["facts"]["seed"])
        name, _ = read_learner(request.learner)
        against = request.against if name == QLearner.name else None
        training = training_of(rules, request.learner, against, seed)
        if request.path.exists():
            training.resume(request.path)
            first = training.matches
        began = time.monotonic()
        try:
            training.run(request.path, first + request.matches, None, tell)
            words = "done"
        except Stopped:
            words = "stopped"
            if training.resumable():
                training.save(request.path)
        pipe.send(progress(training, words, True))
    except Exception as error:
        pipe.send(TrainingProgress(words=f"{FAILED}{error}", done=True))


def agent_of(learner: str, name: str) -> str:
    """Return the agent that plays what a learner has left in the file of a training."""
    if learner == TdLearner.name:  # an estimate, for a search
        return f"expectiminimax:depth=2,estimate={LEARNED}:{name}"
    return f"{learner}:file={name}"


def load_training(source: str, path: Path) -> tuple[TrainingRequest, TrainingProgress]:
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
    request = TrainingRequest(source, texts_of(rules), text, against, matches, seed, path)
    curve = [
        (at, Tally(*tally).share, *wilson(Tally(*tally).share, sum(tally)))
        for at, *tally in facts["curve"]
    ]
    states, known = learned_count(training.memory), learned_table(training)
    return request, TrainingProgress(matches, states, 0.0, curve, "kept", True, known=known)


def learned_count(memory: Memory | Weights) -> int:
    """Return how many states, or patterns, something was learned about."""
    if isinstance(memory, Weights):
        return int((memory.visits > 0).sum())
    return int(memory.filled[0])


class TrainingJob:
    """A training as the server sees it."""

    def __init__(self, name: str, game: str, request: TrainingRequest) -> None:
        self.name, self.game, self.request = name, game, request
        self.progress = TrainingProgress()
        self.key = new_key()
        self.process: Any = None
        self.pipe: Any = None

    @property
    def running(self) -> bool:
        """Whether it goes on."""
        return self.process is not None and not self.progress.done

    @property
    def agent(self) -> str:
        """The agent that plays what was learned."""
        return agent_of(self.request.learner.partition(":")[0], self.name)

    def start(self) -> None:
        """Start the process, or go on with what was learned."""
        self.request.path.parent.mkdir(parents=True, exist_ok=True)
        self.progress = self.progress._replace(words="starting and compiling …", done=False)
        self.process, self.pipe = start_process(run_training, self.request)
        threading.Thread(target=self.listen, args=(self.pipe, self.process), daemon=True).start()

    def listen(self, pipe: Connection, process: Any) -> None:
        """Take in reports until the process has ended."""
        try:
            while not self.progress.done:
                self.progress = pipe.recv()
        except (EOFError, OSError):
            said = self.progress.words
            words = said if self.progress.done else "its process has ended"
            self.progress = self.progress._replace(done=True, words=words)
        process.join()

    def stop(self, key: str) -> None:
        """Ask it to stop, if the key is that of whoever started it."""
        self.check(key)
        self.halt()

    def resume(self, key: str) -> None:
        """Learn as many matches again, if the key is that of whoever started it."""
        self.check(key)
        if not self.running:
            self.start()

    def check(self, key: str) -> None:
        """Refuse a key that is not that of whoever started it."""
        if not key_matches(self.key, key):
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
