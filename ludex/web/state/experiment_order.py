"""The experiments on offer, the order to run one, and its progress."""

import functools
from pathlib import Path
from typing import NamedTuple

from ludex.io.schema import load_toml
from ludex.lab.reader import shipped


class ExperimentEntry(NamedTuple):
    """An experiment on the shelf."""

    name: str
    source: str
    """What `read_experiment` takes."""
    game: str
    kind: str
    title: str
    about: str
    tasks: int = 0
    """Those that are known before it begins."""
    timed: bool = False
    state: str = ""
    """Whether it was `begun` or is `finished`."""
    lacks: str = ""
    """Why it cannot be run here, if so."""


@functools.cache
def shipped_experiments() -> tuple[ExperimentEntry, ...]:
    """Return the experiments that come with Ludex as their files call them, and no more."""
    found = []
    for name, path in shipped().items():
        facts = load_toml(path, str(path))
        words = (facts[key] for key in ("game", "kind", "title", "about"))
        found.append(ExperimentEntry(name, name, *words))
    return tuple(found)


class ExperimentRequest(NamedTuple):
    """What is to be found out, and where it is kept."""

    source: str
    scale: float
    url: str
    folder: Path
    processes: int = 0


class ExperimentProgress(NamedTuple):
    """How far an experiment is."""

    done: int = 0
    total: int = 0
    first: int = 0
    """How many tasks were known when it began."""
    seconds: float = 0.0
    findings: tuple[str, ...] = ()
    words: str = "starting and compiling …"
    over: bool = False

    def left(self) -> float | None:
        """Return how many seconds the tasks that are known will take; None if nobody can say."""
        if self.over or self.done <= self.first:
            return None
        return self.seconds / (self.done - self.first) * (self.total - self.done)
