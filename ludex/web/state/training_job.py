"""A training in its own process, which reports its progress and stops on request."""

import contextlib
import json
import time
from collections.abc import Iterable
from dataclasses import dataclass, replace
from multiprocessing.connection import Connection
from pathlib import Path
from typing import Any, NamedTuple

from ludex.agents.training import make_training, read_learner
from ludex.analysis.decision_sample import known_decisions
from ludex.io.array_file import contents
from ludex.io.files import write_text
from ludex.learn.checkpoint import LEARNED, LEARNED_ARRAYS, load
from ludex.learn.curve_point import CurvePoint
from ludex.learn.net.learner import NetMemory
from ludex.learn.qtable import QLearner
from ludex.learn.table import entries
from ludex.learn.td import TdLearner
from ludex.learn.training import LEARNERS, Training, restored, settings
from ludex.learn.weights import Weights, as_arrays
from ludex.web.state import limits
from ludex.web.state.catalogue import Texts, rules_from, texts_of
from ludex.web.state.job import REPORT_INTERVAL, JobProgress, ProcessJob, Stopped
from ludex.web.state.learned_table import NOTHING_LEARNED, LearnedTable, learned_table

Curve = tuple[tuple[int, float, float, float, float | None], ...]
"""Matches, share of the points, its confidence interval, and the share of best moves if known."""

TABLE_INTERVAL = 1.0  # seconds between two extracts of the learned table
TABLE_COST = 10  # durations of an extract that pass before the next
TABLE_INTERVAL_MAX = 3.0  # seconds; the first extract may compile for long
FAILED = "failed: "  # prefix of the words of a failed training
JOURNAL = ".running.json"  # suffix of the file about a running training, beside its own


class TrainingRequest(NamedTuple):
    """A training to run."""

    source: str
    texts: Texts
    learner: str
    against: str
    matches: int
    """The number of matches to train up to, with those of its file."""
    seed: int
    path: Path = Path()
    most: int | None = None
    """The bytes that it may learn; None for any number."""


@dataclass(frozen=True)
class TrainingProgress(JobProgress):
    """The progress of a training, in matches."""

    states: int = 0
    """States or patterns that are known."""
    curve: Curve = ()
    known: LearnedTable = NOTHING_LEARNED

    @property
    def failed(self) -> bool:
        """Whether it failed."""
        return self.words.startswith(FAILED)


def run_training(pipe: Connection, request: TrainingRequest) -> None:
    """Train in this process until done or asked to stop."""
    began, sent, looks = time.monotonic(), 0.0, 0.0
    counted: tuple[int, float] | None = None  # the first matches, for which all was compiled
    known = NOTHING_LEARNED

    def progress(training: Training, words: str, over: bool = False) -> TrainingProgress:
        nonlocal known, looks
        now = time.monotonic()
        if over or now > looks:
            known = learned_table(training)
            after = time.monotonic()
            looks = after + min(max(TABLE_INTERVAL, TABLE_COST * (after - now)), TABLE_INTERVAL_MAX)
        states, curve = learned_count(training.memory), curve_of(training.curve)
        first, since = counted or (training.matches, now)
        counts = training.matches, request.matches, first, now - since
        return TrainingProgress(*counts, words, over, states, curve, known)

    def tell(training: Training) -> None:
        nonlocal sent, counted
        if counted is None:
            counted = training.matches, time.monotonic()
        if pipe.poll() or time.monotonic() > began + limits.LEARNING:
            raise Stopped("stopped")
        if request.most is not None and learned_bytes(training.memory) >= request.most:
            raise Stopped(f"stopped at {request.most // 1024**2} MiB, the most for a visitor")
        if time.monotonic() - sent > REPORT_INTERVAL:
            sent = time.monotonic()
            pipe.send(progress(training, "learning"))

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
        training.sample = known_decisions(rules)
        began = time.monotonic()
        try:
            training.run(request.path, request.matches, None, tell)
            words = "done"
        except Stopped as stop:
            words = str(stop)
            if training.resumable():
                training.save(request.path)
        pipe.send(progress(training, words, True))
    except Exception as error:
        pipe.send(TrainingProgress(words=f"{FAILED}{error}", over=True))


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
    learner = LEARNERS[owner["learner"]](**facts["options"])
    training = Training(rules, learner, seed, against)
    training.memory = restored(learner, rules, trained.memory)
    request = TrainingRequest(source, texts_of(rules), text, against, matches, seed, path)
    curve = curve_of(map(CurvePoint.of, facts["curve"]))
    states, known = learned_count(training.memory), learned_table(training)
    return request, TrainingProgress(matches, 0, 0, 0.0, "kept", True, states, curve, known)


def curve_of(points: Iterable[CurvePoint]) -> Curve:
    """Return the points of a learning curve."""
    return tuple(
        (matches, tally.share, *tally.interval, accuracy.best if accuracy else None)
        for matches, tally, accuracy in points
    )


def learned_count(memory: Any) -> int:
    """Return the number of states, patterns or parameters learned."""
    return len(memory) if isinstance(memory, NetMemory) else len(as_arrays(memory)[0])


def learned_bytes(memory: Any) -> int:
    """Return the size of what was learned, as it is saved."""
    if isinstance(memory, NetMemory):
        return memory.nbytes
    arrays = memory if isinstance(memory, Weights) else entries(memory)
    return sum(one.nbytes for one in arrays)


class TrainingJob(ProcessJob):
    """A training's process, seen from the server."""

    progress: TrainingProgress

    def __init__(self, name: str, game: str, request: TrainingRequest) -> None:
        super().__init__(TrainingProgress())
        self.name, self.game, self.request = name, game, request
        self.interrupted = False
        """Whether it was running when the server stopped."""

    @property
    def journal(self) -> Path:
        """The file from which a restarted server goes on, which is there while it runs."""
        return self.request.path.with_suffix(JOURNAL)

    @property
    def agent(self) -> str:
        """The agent that plays from it."""
        return agent_of(self.request.learner.partition(":")[0], self.name)

    def start(self) -> None:
        """Start the process, which resumes from the file if there is one."""
        self.request.path.parent.mkdir(parents=True, exist_ok=True)
        if not self.journal.exists():  # else its age counts from the first start
            write_text(self.journal, self.journal_text())
            self.journal.chmod(0o600)  # it has the key
        self.launch(run_training, self.request)

    def journal_text(self) -> str:
        """Return all but the file that a restarted server has to know."""
        facts = self.request._asdict() | {"game": self.game, "key": self.key}
        del facts["path"]
        return json.dumps(facts | {"opener": self.opener})

    def listen(self, process: Any, pipe: Any) -> None:
        """Receive progress until the process ends; then there is nothing to go on with."""
        super().listen(process, pipe)
        if not self.interrupted:
            self.journal.unlink(missing_ok=True)

    def halt(self, at_once: bool = False) -> None:
        """Ask it to stop; or kill its process, because the server stops."""
        self.interrupted = at_once
        super().halt(at_once)

    @property
    def left(self) -> int:
        """The number of matches left of those asked for."""
        return max(self.request.matches - self.progress.done, 0)

    def resume(self, key: str, more: int = 0) -> None:
        """Train the matches left, or so many more than are done, if the key is right."""
        self.check(key)
        if self.running:
            return
        if more:
            self.request = self.request._replace(matches=self.progress.done + more)
            self.progress = replace(self.progress, total=self.request.matches)
        self.start()

    def ask_to_stop(self) -> None:
        """Send its process the request to stop, which it obeys between two matches."""
        with contextlib.suppress(OSError):  # the process has already ended
            self.pipe.send("stop")


def interrupted_training(journal: Path) -> TrainingJob:
    """Return the training of a journal, which is not started yet."""
    facts = json.loads(journal.read_text(encoding="utf-8"))
    name = journal.name.removesuffix(JOURNAL)
    texts = tuple((rule, text) for rule, text in facts.pop("texts"))
    game, key, opener = (facts.pop(one) for one in ("game", "key", "opener"))
    path = journal.with_name(f"{name}.npz")
    job = TrainingJob(name, game, TrainingRequest(texts=texts, path=path, **facts))
    job.key, job.opener = key, opener
    return job
