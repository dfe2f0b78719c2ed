"""The experiments on offer, the order to run one, and its progress."""

import contextlib
import functools
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import NamedTuple

from ludex.io.schema import load_toml
from ludex.lab.shipped_files import shipped_files
from ludex.web.state.job import JobProgress

SIZES = {"hundredth": 0.01, "tenth": 0.1, "whole": 1.0}
"""The share of an experiment to run, by name."""
SECONDS = "seconds.txt"
"""The file beside a report with the `Seconds` of its experiment, if all of them are known."""
SECONDS_SO_FAR = "seconds-so-far.txt"
"""The file with the `Seconds` of an experiment that was stopped."""
ENOUGH_SHARE, ENOUGH_TASKS = 0.1, 3  # of the tasks of a run, to estimate the time left


class Seconds(NamedTuple):
    """How long an experiment takes."""

    run: float = 0.0
    """All in all."""
    full: float = 0.0
    """An estimate of those of its tasks at full size, without compilation."""
    work: float = 0.0
    """Those of its tasks at its size, without compilation."""

    def plus(self, other: "Seconds") -> "Seconds":
        """Return the sum of two runs."""
        return Seconds(*(a + b for a, b in zip(self, other, strict=True)))

    def text(self) -> str:
        """Return them as the content of a file."""
        return " ".join(f"{one:.3g}" for one in self)


def read_seconds(path: Path) -> Seconds | None:
    """Return the seconds in a file; None if there are none."""
    with contextlib.suppress(OSError, TypeError, ValueError):
        return Seconds(*(float(one) for one in path.read_text(encoding="utf-8").split()))
    return None


class SizeDetails(NamedTuple):
    """An experiment at one size."""

    tasks: int
    """The number known before it starts, or all of them once it is finished."""
    share: float
    """The share of the full experiment that this size really is."""
    state: str = ""
    """Empty, `begun` or `finished`."""


class ExperimentEntry(NamedTuple):
    """An experiment on offer."""

    name: str
    source: str
    """The argument of `read_experiment`."""
    game: str
    kind: str
    title: str
    about: str
    sizes: Mapping[str, SizeDetails] = {}
    """The details by size; empty until they are loaded."""
    timed: bool = False
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
    fresh: bool = False
    """Whether to replace the stored results."""


@dataclass(frozen=True)
class ExperimentProgress(JobProgress):
    """The progress of an experiment, in tasks."""

    findings: tuple[str, ...] = ()
    work: float = 0.0
    """The seconds of the tasks that this run has done, without compilation."""

    def left(self) -> float | None:
        """Return an estimate of the seconds left; None until enough tasks are done."""
        done, left = self.done - self.first, self.total - self.done
        if self.over or left <= 0 or done < max(ENOUGH_TASKS, ENOUGH_SHARE * (done + left)):
            return None
        return self.work / done * left
