"""Changes of rules: their range and cost, the proposals, and the search."""

from collections.abc import Callable
from itertools import accumulate
from typing import Any, NamedTuple

from matplotlib.figure import Figure

from ludex.core.rules import Rules
from ludex.io.text import first_duplicate, many
from ludex.lab.balance.fairness import Fairness
from ludex.lab.balance.levels import level_verdict, worst_level_text
from ludex.lab.balance.sweeps import current_value, key_text, read_sweep
from ludex.lab.report.blocks import Drawing
from ludex.lab.report.plots import (
    COLOURS,
    INK,
    interval_plot,
    legend_below,
    make_drawing,
    share_line,
)
from ludex.lab.spec.task import Task

BATCH = 6  # trials per round, which run in parallel
RANGE_COST, RULE_COST = 0.25, 0.05  # of a change over the whole range, and per changed rule
RETRY_FACTOR = 10  # samples per trial at most, because samples repeat
AS_IT_IS = "as it is"  # the rank of no change
STARTUP_TRIALS = 3 * BATCH  # drawn at random


class Range(NamedTuple):
    """A rule that may change, from low to high in steps, and its current value."""

    key: str
    low: int
    high: int
    step: int
    standard: int

    def change(self, rules: dict[str, str]) -> int | None:
        """Return the value that some changed rules have, if they have one."""
        value = rules.get(self.key.split("+")[0])
        return None if value is None else int(value)


def read_ranges(given: dict[str, str], rules: Rules) -> list[Range]:
    """Parse ranges of rules; a ValueError names the faulty one."""
    if not given:
        raise ValueError("vary: expected one rule at least")
    if twice := first_duplicate([one for key in given for one in key.split("+")]):
        raise ValueError(f"vary: {twice} is there twice")
    found = []
    for key, text in given.items():
        sweep = read_sweep(key, text, rules, "vary")
        standard = current_value(key, rules)
        if not sweep.numeric or len(sweep.values) < 2 or ":" not in text:
            raise ValueError(f"vary: {key} = {text!r}: expected LOW:HIGH or LOW:HIGH:STEP")
        if not standard.isdigit():
            raise ValueError(f"vary: {key}: expected a number, or several that are equal")
        values = [int(value) for value in sweep.values]
        step = values[1] - values[0]
        found.append(Range(key, values[0], values[-1], step, int(standard)))
    return found


def changed_rules(ranges: list[Range], values: dict[str, int]) -> dict[str, str]:
    """Return the rules that differ from the current ones."""
    return {
        one: str(values[known.key])
        for known in ranges
        if values[known.key] != known.standard
        for one in known.key.split("+")
    }


def change_text(ranges: list[Range], rules: dict[str, str], was: bool = False) -> str:
    """Return a change of rules in words, optionally with the old values."""
    changes = [
        f"{key_text(one.key)} {one.change(rules)}" + f" (was {one.standard})" * was
        for one in ranges
        if one.change(rules) is not None
    ]
    return ", ".join(changes) or "none"


def change_cost(ranges: list[Range], rules: dict[str, str]) -> float:
    """Return the cost of a change, by its size and the number of changed rules."""
    total = 0.0
    for one in ranges:
        value = one.change(rules)
        if value is not None:
            total += RANGE_COST * abs(value - one.standard) / (one.high - one.low) + RULE_COST
    return total


def cost(fair: Fairness, far: float) -> float:
    """Return the objective: bias at the worst level, lack of decisiveness, size of the change."""
    return 2 * fair.worst.distance + (1.0 - fair.decisiveness) + far


class Proposal(NamedTuple):
    """A change of rules with its evidence."""

    rules: dict[str, str]
    fair: Fairness
    change_cost: float
    """The cost of the change itself."""
    rank: str = "–"
    """Its place among the proposals, or `AS_IT_IS`."""

    @property
    def unfairness(self) -> float:
        """The objective without the cost of the change."""
        return cost(self.fair, 0.0)

    @property
    def cost(self) -> float:
        """The objective, with the cost of the change."""
        return cost(self.fair, self.change_cost)

    @property
    def confirmed(self) -> bool:
        """Whether the fresh matches confirm both balance and decisiveness."""
        better = min(self.fair.first.interval[0], self.fair.second.interval[0])
        return level_verdict(self.fair.levels) == "balanced" and better > 0.5


def outcome_text(now: Proposal, better: list[Proposal], rest: list[Proposal]) -> str:
    """Summarise the outcome of a search."""
    sure = sum(one.confirmed for one in better)
    if not better:
        text = "Nothing better balanced than the rules as they are was found."
    elif not sure:
        text = (
            f"{many(len(better), 'change')} came out less unfair than the rules as they are, but"
            " none is confirmed."
        )
    else:
        verb = "is" if sure == 1 else "are"
        text = (
            f"{many(sure, 'change')} {verb} less unfair than the rules as they are and confirmed."
        )
    if now.confirmed:
        text += " The rules as they are pass the same test of balance."
    if any(one.cost >= now.cost for one in better):
        text += (
            " One that changes much may cost more than no change at all, and is better balanced"
            " still."
        )
    if rest:
        text += " Without a rank: what looked good in the search and is not less unfair."
    return text


def limits_text(now: Proposal, better: list[Proposal], seats: tuple[str, str]) -> str:
    """Name the worst level by the current rules, and by the best proposal."""
    worst = worst_level_text(now.fair.levels)
    text = f"The worst level by the rules as they are: {seats[0]} wins {worst}"
    if better:
        text += f"; by proposal 1: {worst_level_text(better[0].fair.levels)}"
    return f"{text}."


Tried = list[tuple[dict[str, str], float]]
"""Changes of rules, and the cost of each."""
CostFunction = Callable[[dict[str, str]], float | list[Task]]
"""Returns the cost of some rules, or the tasks that are missing to compute it."""


def search_rules(
    ranges: list[Range], trials: int, seed: int, cost_of: CostFunction
) -> tuple[Tried, list[Task]]:
    """Search by optuna as far as the results allow; return what was tried, and missing tasks.

    It is deterministic given the seed and the results, and is repeated rather than stored.
    """
    import optuna

    optuna.logging.set_verbosity(optuna.logging.ERROR)
    sampler = optuna.samplers.TPESampler(seed=seed, n_startup_trials=STARTUP_TRIALS)
    study = optuna.create_study(sampler=sampler)
    study.enqueue_trial({f"change {one.key}": False for one in ranges})  # the current rules
    tried: Tried = []
    for _ in range(RETRY_FACTOR * trials // BATCH):
        if len(tried) >= trials:
            break
        asked = [study.ask() for _ in range(BATCH)]
        changes = [changed_rules(ranges, suggest_values(trial, ranges)) for trial in asked]
        costs = [cost_of(rules) for rules in changes]
        if missing := [task for one in costs if isinstance(one, list) for task in one]:
            return tried, missing
        for trial, rules, value in zip(asked, changes, costs, strict=True):
            assert not isinstance(value, list)
            study.tell(trial, value)
            if len(tried) < trials and all(rules != known for known, _ in tried):
                tried.append((rules, value))
    return tried, []


def suggest_values(trial: Any, ranges: list[Range]) -> dict[str, int]:
    """Return the values of a trial, in which rules may keep their current value."""
    values = {}
    for one in ranges:
        values[one.key] = one.standard
        if trial.suggest_categorical(f"change {one.key}", [False, True]):
            values[one.key] = trial.suggest_int(one.key, one.low, one.high, step=one.step)
    return values


def best_changes(tried: Tried, number: int) -> list[dict[str, str]]:
    """Return the best changes: first the best for each set of changed rules, then the others."""
    order = sorted(range(len(tried)), key=lambda place: (tried[place][1], place))
    kinds: dict[tuple[str, ...], dict[str, str]] = {}
    rest: list[dict[str, str]] = []
    for place in order:
        rules = tried[place][0]
        if not rules:
            continue
        if tuple(sorted(rules)) not in kinds:
            kinds[tuple(sorted(rules))] = rules
        elif rules not in rest and rules not in kinds.values():
            rest.append(rules)
    return [*kinds.values(), *rest][:number]


def comparison_plot(shown: list[Proposal], names: tuple[str, str]) -> Drawing:
    """Plot the three figures of several sets of rules."""
    x = range(len(shown))
    lines = [
        share_line(f"{names[0]} at the worst level", x, [one.fair.worst for one in shown]),
        share_line(f"better player as {names[0]}", x, [one.fair.first for one in shown]),
        share_line(f"better player as {names[1]}", x, [one.fair.second for one in shown]),
    ]
    rows = [one.rank if one.rank == AS_IT_IS else f"proposal {one.rank}" for one in shown]
    return interval_plot(rows, lines, "share of the points")


def trial_plot(tried: Tried) -> Drawing:
    """Plot the cost of each trial, and the least so far."""
    costs = [value for _, value in tried]

    def draw(figure: Figure) -> None:
        axes = figure.subplots()
        places = range(1, len(costs) + 1)
        axes.plot(places, costs, "o", color=COLOURS[0], markersize=5, label="a trial")
        least = list(accumulate(costs, min))
        axes.step(places, least, where="post", color=INK, label="the least so far")
        axes.axhline(costs[0], color=COLOURS[1], linestyle="--", label="the rules as they are")
        axes.set(xlabel="trial", ylabel="cost", ylim=(0, None))
        axes.grid(alpha=0.25)
        legend_below(figure, axes)

    return make_drawing(draw, 3.6)
