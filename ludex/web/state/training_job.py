"""A training in its own process, which reports its progress and stops on request."""

import threading
import time
from multiprocessing.connection import Connection
from pathlib import Path
from typing import Any, NamedTuple

from ludex.agents.training import make_training, read_learner
from ludex.io.array_file import contents
from ludex.learn.checkpoint import LEARNED, LEARNED_ARRAYS, load
from ludex.learn.qtable import QLearner
from ludex.learn.table import Memory
from ludex.learn.td import TdLearner
from ludex.learn.training import LEARNERS, Training, settings
from ludex.learn.weights import Weights, weights_of
from ludex.stats import Tally
from ludex.web.state import limits
from ludex.web.state.access import Refused, key_matches, new_key
from ludex.web.state.catalogue import Texts, rules_from, texts_of
from ludex.web.state.learned_table import LearnedTable, learned_table
from ludex.workers.process import start_process

Curve = list[tuple[int, float, float, float]]
"""Matches, share of the points, and its confidence interval."""

REPORT_INTERVAL = 0.25  # seconds between two reports
TABLE_INTERVAL = 1.0  # seconds between two extracts of the learned table
TABLE_COST = 10  # durations of an extract that pass before the next
TABLE_INTERVAL_MAX = 3.0  # seconds; the first extract may compile for long
FAILED = "failed: "  # prefix of the words of a failed training


class TrainingRequest(NamedTuple):
    """A training to run."""

    source: str
    texts: Texts
    learner: str
    against: str
    matches: int
    seed: int
    path: Path


class TrainingProgress(NamedTuple):
    """The progress of a training."""

    matches: int = 0
    states: int = 0
    speed: float = 0.0
    curve: Curve = []  # noqa: RUF012 (it is replaced, never changed)
    words: str = "starting and compiling …"
    done: bool = False
    first: int = 0
    """Matches that were played when it started."""
    goal: int = 0
    """Matches at its end; 0 if unknown."""
    known: LearnedTable = LearnedTable()

    @property
    def failed(self) -> bool:
        """Whether it failed."""
        return self.words.startswith(FAILED)

    def share(self) -> float:
        """Return the share done, from 0 to 1."""
        return (self.matches - self.first) / max(self.goal - self.first, 1)

    def left(self) -> float | None:
        """Return an estimate of the seconds left; None if unknown."""
        if self.done or self.speed <= 0.0 or not self.goal:
            return None
        return (self.goal - self.matches) / self.speed


class Stopped(Exception):
    """The training was asked to stop, or its time is up."""


def run_training(pipe: Connection, request: TrainingRequest) -> None:
    """Train in this process until done or asked to stop."""
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
        curve = [(matches, tally.share, *tally.interval) for matches, tally in training.curve]
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
            seed = int(contents(request.path, LEARNED_ARRAYS)[1]["facts"]["seed"])
        name, _ = read_learner(request.learner)
        against = request.against if name == QLearner.name else None
        training = make_training(rules, request.learner, against, seed)
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
    """Return the agent that plays from a training."""
    if learner == TdLearner.name:  # learns an estimate for a search
        return f"expectiminimax:depth=2,estimate={LEARNED}:{name}"
    return f"{learner}:file={name}"


def load_training(source: str, path: Path) -> tuple[TrainingRequest, TrainingProgress]:
    """Load a finished training; raise a ValueError if its file cannot be used."""
    owner = contents(path, LEARNED_ARRAYS)[1]["owner"]
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
    tallies = [(at, Tally(*counts)) for at, *counts in facts["curve"]]
    curve = [(at, tally.share, *tally.interval) for at, tally in tallies]
    states, known = learned_count(training.memory), learned_table(training)
    return request, TrainingProgress(matches, states, 0.0, curve, "kept", True, known=known)


def learned_count(memory: Memory | Weights) -> int:
    """Return the number of states or patterns learned."""
    if isinstance(memory, Weights):
        return int((memory.visits > 0).sum())
    return int(memory.filled[0])


class TrainingJob:
    """A training's process, seen from the server."""

    def __init__(self, name: str, game: str, request: TrainingRequest) -> None:
        self.name, self.game, self.request = name, game, request
        self.progress = TrainingProgress()
        self.key = new_key()
        self.process: Any = None
        self.pipe: Any = None

    @property
    def running(self) -> bool:
        """Whether it is running."""
        return self.process is not None and not self.progress.done

    @property
    def agent(self) -> str:
        """The agent that plays from it."""
        return agent_of(self.request.learner.partition(":")[0], self.name)

    def start(self) -> None:
        """Start the process, which resumes from the file if there is one."""
        self.request.path.parent.mkdir(parents=True, exist_ok=True)
        self.progress = self.progress._replace(words="starting and compiling …", done=False)
        self.process, self.pipe = start_process(run_training, self.request)
        threading.Thread(target=self.listen, args=(self.pipe, self.process), daemon=True).start()

    def listen(self, pipe: Connection, process: Any) -> None:
        """Receive progress until the process ends."""
        try:
            while not self.progress.done:
                self.progress = pipe.recv()
        except (EOFError, OSError):
            said = self.progress.words
            words = said if self.progress.done else "its process has ended"
            self.progress = self.progress._replace(done=True, words=words)
        process.join()

    def stop(self, key: str) -> None:
        """Ask it to stop, if the key is right."""
        self.check(key)
        self.halt()

    def resume(self, key: str) -> None:
        """Train for as many matches again, if the key is right."""
        self.check(key)
        if not self.running:
            self.start()

    def check(self, key: str) -> None:
        """Raise Refused if the key is wrong."""
        if not key_matches(self.key, key):
            raise Refused("only the browser that started it may stop it, or let it go on")

    def halt(self, at_once: bool = False) -> None:
        """Ask it to stop, or kill its process."""
        if self.process is None:
            return
        try:
            self.pipe.send("stop")
        except OSError:  # the process has already ended
            pass
        if at_once:
            self.process.terminate()
