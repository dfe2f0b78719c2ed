"""The parts of a balance experiment: sets of rules, players, and flips."""

import itertools
from typing import Any

from ludex.core.rules import Rules
from ludex.lab.balance.fairness import RoundRobin, default_levels
from ludex.lab.balance.sweeps import Flip, Sweep, find_flips, include_current, read_sweep
from ludex.lab.run.perfect_play import proof_method
from ludex.lab.spec.entrant import Entrant
from ludex.lab.spec.experiment import Experiment, Setting
from ludex.lab.spec.openings import AUTOMATIC
from ludex.lab.spec.task import Known, Task

AUTO_MATCHES = (40, 10, 4)  # without a sweep, with one, with two that cannot be proven


def auto_matches(rules: Rules, given: dict[str, Any]) -> int:
    """Return the default number of matches per cell of a win table."""
    number = min(len(given["sweep"]), 2)
    return 0 if number == 2 and proof_method(rules) == "proof" else AUTO_MATCHES[number]


def auto_levels(rules: Rules, given: dict[str, Any]) -> list[Entrant]:
    """Return the default levels, none if there are no matches."""
    asked = given["matches"]
    matches = auto_matches(rules, given) if asked == AUTOMATIC else asked
    return default_levels(rules) if matches else []


LEVELS = Setting(
    list[Entrant],
    [],
    "players from the weakest to the strongest; the game's own",
    automatic=auto_levels,
)

DEVICE = Setting(
    bool, False, "random, casual and greedy play on a device: in compiled code, all at once", low=0
)


def sweeps(experiment: Experiment, key: str = "sweep") -> list[Sweep]:
    """Return the swept rules; each includes its current value."""
    rules, texts = experiment.variant(), experiment.given[key].items()
    return [include_current(read_sweep(key, text, rules), rules) for key, text in texts]


def variants(experiment: Experiment) -> list[tuple[tuple[str, ...], Experiment]]:
    """Return every combination of swept values, with the experiment by the rules it makes."""
    axes = sweeps(experiment)
    found = []
    for values in itertools.product(*(axis.values for axis in axes)):
        variant = experiment
        for axis, value in zip(axes, values, strict=True):
            variant = variant.with_rules(axis.rules(value))
        found.append((values, variant))
    return found


def round_robin(experiment: Experiment, key: str = "levels") -> RoundRobin:
    """Return the round robin of the entrants that a key lists."""
    return RoundRobin(experiment, experiment.given[key], experiment.given["matches"])


def flips_along(
    experiment: Experiment, known: Known, along: int = 0
) -> tuple[list[tuple[str, Flip]], list[Task]]:
    """Return the flips along a sweep, for each value of the other one, and the missing tasks."""
    axes = sweeps(experiment)
    rest = [axis for place, axis in enumerate(axes) if place != along]
    found, asked = [], []
    for value in rest[0].values if rest else ("",):
        variant = experiment.with_rules(rest[0].rules(value)) if rest else experiment
        there, missing = find_flips(variant, axes[along], known)
        found += [(value, flip) for flip in there]
        asked += missing
    return found, asked
