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
from ludex.lab.spec.experiment import Experiment, Key
from ludex.lab.spec.task import Known, Task


class Kind(Protocol):
    """A module that knows one kind of experiment."""

    KEYS: dict[str, Key]
    TIMED: bool
    """Whether it measures time, so that its tasks must not disturb one another."""

    def check(self, experiment: Experiment) -> None:
        """Raise a ValueError if the experiment cannot be done."""

    def tasks(self, experiment: Experiment, known: Known) -> list[Task]:
        """Return all tasks that are known to be needed, given what is known already."""

    def blocks(self, experiment: Experiment, known: Known) -> list[Block]:
        """Return what is reported when all is known."""


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
"""The extra, and the package it brings, of each kind that does not run without one."""


def missing_extra(kind: str) -> str:
    """Return the extra that must be installed before experiments of a kind can run, if any."""
    extra, package = EXTRAS.get(kind, ("", ""))
    return extra if extra and importlib.util.find_spec(package) is None else ""


def require_extra(experiment: Experiment) -> None:
    """Raise a ValueError that says what to install if an experiment cannot run without it."""
    extra = missing_extra(experiment.kind)
    if extra:
        raise ValueError(
            f"{experiment.name}: an experiment of the kind {experiment.kind!r} needs the extra"
            f" {extra}: pip install 'ludex[{extra}]'"
        )
