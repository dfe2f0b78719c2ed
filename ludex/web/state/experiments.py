"""The experiments on offer, the order to run one, and its progress."""

import functools
from dataclasses import dataclass
from pathlib import Path
from typing import NamedTuple

from ludex.io.schema import load_toml
from ludex.lab.shipped_files import shipped_files
from ludex.web.state.job import JobProgress

SECONDS = "seconds.txt"
"""The file beside a report with the seconds of its experiment, if it was run in one go, and an
estimate of the seconds at full size without starting and compiling."""


def full_seconds(run: float, first_task: float, tasks: int, share: float) -> float:
    """Estimate the seconds of a full experiment from those of a run of this share.

    Until the first task is done, processes start and compile; the others give the rate.
    """
    return (run - first_task) * tasks / (tasks - 1) / share if tasks > 1 else run / share


class ExperimentEntry(NamedTuple):
    """An experiment on offer."""

    name: str
    source: str
    """The argument of `read_experiment`."""
    game: str
    kind: str
    title: str
    about: str
    tasks: int = 0
    """The number known before it starts."""
    timed: bool = False
    state: str = ""
    """Empty, `begun` or `finished`."""
    lacks: str = ""
    """Why it cannot be run here, if it cannot."""


@functools.cache
def shipped_experiments() -> tuple[ExperimentEntry, ...]:
    """Return the experiments that come with Ludex, with the facts in their files alone."""
    found = []
    for name, path in shipped_files().items():
        facts = load_toml(path, str(path))
        words = (facts[key] for key in ("game", "kind", "title", "about"))
        found.append(ExperimentEntry(name, name, *words))
    return tuple(found)


class ExperimentRequest(NamedTuple):
    """An experiment to run, and where to keep the results."""

    source: str
    scale: float
    url: str
    folder: Path
    processes: int = 0
    """0 for one per core."""


@dataclass(frozen=True)
class ExperimentProgress(JobProgress):
    """The progress of an experiment, in tasks."""

    findings: tuple[str, ...] = ()
