"""The parts of a balance experiment: sets of rules, players, and flips."""

import itertools
from typing import Any

from ludex.core.rules import Rules, seat_name
from ludex.lab.balance.fairness import Field, default_levels
from ludex.lab.balance.sweep import Flip, Sweep, flips, read_sweep, with_usual
from ludex.lab.run.truth import provable
from ludex.lab.spec.entrant import Contender
from ludex.lab.spec.experiment import Experiment
from ludex.lab.spec.openings import AUTOMATIC, opening_of
from ludex.lab.spec.task import Known, Task

USUAL = (40, 10, 4)  # matches without a sweep, with one, and with two of what cannot be proven


def usual_matches(rules: Rules, given: dict[str, Any]) -> int:
    """Return how many matches a cell of a win table has, if nobody says."""
    number = len(given["sweep"])
    return 0 if number == 2 and provable(rules) == "proof" else USUAL[number]


def usual_levels(rules: Rules, given: dict[str, Any]) -> list[Contender]:
    """Return who plays, if nobody says; without matches nobody."""
    asked = given["matches"]
    matches = usual_matches(rules, given) if asked == AUTOMATIC else asked
    return default_levels(rules) if matches else []


def levels(experiment: Experiment) -> list[Contender]:
    """Return who plays."""
    told: list[Contender] = experiment.given["levels"]
    return told or default_levels(experiment.variant())


def matches(experiment: Experiment) -> int:
    """Return how many matches a cell of a win table has."""
    asked: int = experiment.given["matches"]
    return usual_matches(experiment.variant(), experiment.given) if asked == AUTOMATIC else asked


def sweeps(experiment: Experiment) -> list[Sweep]:
    """Return the rules that change; each also takes the value that it has."""
    rules, told = experiment.variant(), experiment.given["sweep"].items()
    return [with_usual(read_sweep(key, text, rules), rules) for key, text in told]


def variants(experiment: Experiment) -> list[tuple[tuple[str, ...], dict[str, str]]]:
    """Return the values of all sweeps that go together, and the rules that they make."""
    axes = sweeps(experiment)
    found = []
    for values in itertools.product(*(axis.values for axis in axes)):
        rules = dict(experiment.rules)
        for axis, value in zip(axes, values, strict=True):
            rules |= axis.rules(value)
        found.append((values, rules))
    return found


def seat_names(experiment: Experiment) -> tuple[str, str]:
    """Return what the seats are called."""
    rules = experiment.variant()
    return seat_name(rules, 0), seat_name(rules, 1)


def field(experiment: Experiment, rules: dict[str, str]) -> Field:
    """Return who plays by some rules."""
    return Field(
        experiment.game,
        rules,
        levels(experiment),
        experiment.seed,
        matches(experiment),
        opening_of(experiment.variant(), experiment.given["opening"]),
    )


def found_flips(
    experiment: Experiment, known: Known, along: int = 0
) -> tuple[list[tuple[str, Flip]], list[Task]]:
    """Return where the winner flips along a sweep, for each value of the other if there is one."""
    axes = sweeps(experiment)
    rest = [axis for place, axis in enumerate(axes) if place != along]
    found, asked = [], []
    for value in rest[0].values if rest else ("",):
        others = experiment.rules | (rest[0].rules(value) if rest else {})
        there, missing = flips(experiment.game, others, axes[along], known)
        found += [(value, flip) for flip in there]
        asked += missing
    return found, asked
