"""The kinds of experiments: the keys of each, its tasks, and its report."""

import importlib.util
from typing import Protocol

from ludex.lab.kinds import (
    ablation,
    agents,
    balance,
    depths,
    learning,
    rebalance,
    strength,
    thresholds,
    versus,
)
from ludex.lab.report.blocks import Block
from ludex.lab.spec.experiment import Experiment, Setting
from ludex.lab.spec.task import Known, Task


class Kind(Protocol):
    """The interface of a module for one kind of experiment."""

    KEYS: dict[str, Setting]
    TIMED: bool
    """Whether it measures time, so that tasks run one at a time."""

    def check(self, experiment: Experiment) -> None:
        """Raise a ValueError if the experiment is not valid."""

    def tasks(self, experiment: Experiment, known: Known) -> list[Task]:
        """Return all tasks known to be needed, given the results so far."""

    def blocks(self, experiment: Experiment, known: Known) -> list[Block]:
        """Return the report, once all results are known."""


KINDS: dict[str, Kind] = {
    "depths": depths,
    "agents": agents,
    "versus": versus,
    "strength": strength,
    "learning": learning,
    "ablation": ablation,
    "balance": balance,
    "flips": thresholds,
    "mend": rebalance,
}
EXTRAS = {"mend": ("lab", "optuna")}
"""The extra that a kind requires, and the package by which to detect it."""


def missing_extra(kind: str) -> str:
    """Return the missing extra that a kind requires, if any."""
    extra, package = EXTRAS.get(kind, ("", ""))
    return extra if extra and importlib.util.find_spec(package) is None else ""


def require_extra(experiment: Experiment) -> None:
    """Raise a ValueError that says what to install if an extra is missing."""
    extra = missing_extra(experiment.kind)
    if extra:
        raise ValueError(
            f"{experiment.name}: an experiment of the kind {experiment.kind!r} needs the extra"
            f" {extra}: pip install 'ludex[{extra}]'"
        )
