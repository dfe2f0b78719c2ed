"""Sweeps: a rule takes one value after the other, and flips of the winner are located."""

from collections.abc import Iterable
from itertools import pairwise
from typing import NamedTuple

from ludex.core.choice import CLOSE
from ludex.core.play import value_text
from ludex.core.rules import Rules, Value, rule_values, seat_name
from ludex.core.variants import read_rules, rule_table, single_rules, write_value
from ludex.io.schema import errors_at
from ludex.io.text import first_duplicate, nearest, read_int
from ludex.lab.run.perfect_play import NODES_MAX, STOPPED
from ludex.lab.spec.experiment import Experiment
from ludex.lab.spec.task import Known, Task

VALUES_MAX = 1000  # of a sweep
SWEEP_FORM = "expected LOW:HIGH, LOW:HIGH:STEP or VALUE,VALUE,…"
SCALE_NOTE = (
    "A value lies between -1, a sure loss, and +1, a sure win: it is what is won on average."
)
BUDGET_NOTE = f"Not proven in time: a proof may visit {NODES_MAX:,} nodes, and it would take more."


class Sweep(NamedTuple):
    """A rule, or several joined by + that share a value, and its values as text."""

    key: str
    values: tuple[str, ...]
    step: int = 1
    """Between the requested numbers; the current value may lie in between."""

    def rules(self, value: str) -> dict[str, str]:
        """Return the rules with one of the values."""
        return dict.fromkeys(self.key.split("+"), value)

    @property
    def numeric(self) -> bool:
        """Whether all values are whole numbers."""
        return all(value.lstrip("-").isdigit() for value in self.values)


def key_text(key: str) -> str:
    """Return a key in words; of more than two rules, the first and the number of others."""
    first, *others = key.split("+")
    return f"{first} and {len(others)} more" if len(others) > 1 else key.replace("+", " and ")


def read_sweep(key: str, text: str, rules: Rules, called: str = "sweep") -> Sweep:
    """Parse a sweep; a ValueError says what is wrong, and what there is."""
    table, place = rule_table(rules), f"{called} '{key}={text}'"
    names, values = key.split("+"), read_values(text, place)
    if twice := first_duplicate(names) or first_duplicate(values):
        raise ValueError(f"{place}: {twice} is there twice")
    for one in names:
        if one not in table:
            singles = list(single_rules(rules))
            grids = " and those of its grids" if len(singles) < len(table) else ""
            raise ValueError(
                f"{place}: no rule {one!r}{nearest(one, table)}"
                f" (there are {', '.join(singles)}{grids})"
            )
    sweep = Sweep(key, values)
    if sweep.numeric and len(values) > 1:
        steps = (abs(int(b) - int(a)) for a, b in pairwise(values))
        sweep = sweep._replace(step=max(steps))
    for value in values:
        with errors_at(place):
            read_rules(rules, sweep.rules(value))
    return sweep


def read_values(text: str, place: str) -> tuple[str, ...]:
    """Parse the values of a range or a list."""
    if ":" not in text:
        values = tuple(one.strip() for one in text.split(","))
        if "" in values:
            raise ValueError(f"{place}: an empty value: {SWEEP_FORM}")
        return values
    parts = text.split(":")
    if len(parts) > 3:
        raise ValueError(f"{place}: {SWEEP_FORM}")
    try:
        low, high = (read_int(part.strip(), "", -(10**9), 10**9) for part in parts[:2])
        step = read_int(parts[2].strip(), "", 1, 10**9) if len(parts) == 3 else 1
    except ValueError as error:
        raise ValueError(f"{place}: {SWEEP_FORM}, in whole numbers, the step at least 1") from error
    if low > high:
        raise ValueError(f"{place}: an empty range: {low} is more than {high}")
    if (high - low) // step >= VALUES_MAX:
        raise ValueError(f"{place}: more than {VALUES_MAX} values: take larger steps")
    return tuple(map(str, range(low, high + 1, step)))


def include_current(sweep: Sweep, rules: Rules) -> Sweep:
    """Return a sweep that includes the current value of the rule, if it is in range."""
    now = current_value(sweep.key, rules)
    if not sweep.numeric or not now.isdigit() or now in sweep.values:
        return sweep
    numbers = [int(value) for value in sweep.values]
    if not min(numbers) < int(now) < max(numbers):
        return sweep
    return sweep._replace(values=tuple(map(str, sorted([*numbers, int(now)]))))


def values_text(sweep: Sweep, now: str = "") -> str:
    """Return the values of a sweep in words, with the current one if it lies between steps."""
    if not sweep.numeric or len(sweep.values) < 2:
        return ", ".join(sweep.values)
    low, high = int(sweep.values[0]), int(sweep.values[-1])
    even = list(map(str, range(low, high + 1, sweep.step)))
    rest = [value for value in sweep.values if value not in even]
    if rest not in ([], [now]) or len(sweep.values) != len(even) + len(rest):
        return ", ".join(sweep.values)
    steps = "" if sweep.step == 1 else f" in steps of {sweep.step}"
    return f"{low} to {high}{steps}" + (f", and {now}" if rest else "")


def step_caveat(several: list[Sweep]) -> str:
    """Return what steps larger than one may miss, if there are any."""
    if all(sweep.step == 1 for sweep in several):
        return ""
    return (
        "Where there are steps, a flip within one is found if its two ends differ; two that"
        " cancel each other within a step are not."
    )


def current_value(key: str, rules: Rules) -> str:
    """Return the value of a rule in some rules; of several, if they are equal, else nothing."""
    values: dict[str, Value] = rule_values(rules)
    texts = {write_value(rule_table(rules)[one], values[one]) for one in key.split("+")}
    return texts.pop() if len(texts) == 1 else ""


# Who wins under perfect play. ---------------------------------------------------------------------


class PerfectPlay(NamedTuple):
    """What is known about the winner by the rules of an experiment."""

    experiment: Experiment
    value: float | None
    """To seat 0; None if it is not proven."""
    how: str

    def text(self) -> str:
        """Say who wins, as far as proven."""
        if self.how == STOPPED:
            return "not proven in time"
        return winner_text(self.experiment.variant(), self.value)


def perfect_play(experiment: Experiment, known: Known) -> PerfectPlay:
    """Return what is known about the winner by the rules of an experiment."""
    return PerfectPlay(experiment, **known[experiment.task("truth")])


def winner_text(rules: Rules, value: float | None) -> str:
    """Say who wins."""
    if value is None:
        return "not proven"
    if not is_exact(value):
        return value_text(rules, value, 0, ".4f")
    return "a draw" if abs(value) < CLOSE else f"{seat_name(rules, int(value < 0))} wins"


def is_exact(value: float) -> bool:
    """Return whether a value is a sure win, draw or loss."""
    return abs(value - round(value)) < CLOSE


def leader(value: float | None) -> int | None:
    """Return the sign of a value: 1 if seat 0 is ahead, -1 if seat 1 is, 0 for a draw."""
    return None if value is None else (value > CLOSE) - (value < -CLOSE)


def reader_notes(proofs: Iterable[PerfectPlay]) -> str:
    """Return the notes that explain what some proofs say."""
    several = list(proofs)
    scale = any(one.value is not None and not is_exact(one.value) for one in several)
    budget = any(one.how == STOPPED for one in several)
    return " ".join([SCALE_NOTE] * scale + [BUDGET_NOTE] * budget)


class Flip(NamedTuple):
    """Two values of a rule between which the winner changes."""

    before: str
    after: str
    winner: float
    """The value to seat 0 before the flip."""
    next_winner: float


def find_flips(experiment: Experiment, sweep: Sweep, known: Known) -> tuple[list[Flip], list[Task]]:
    """Return the flips along a sweep, and the missing tasks.

    Between numbers that are not neighbours, a flip is located by bisection; of several between
    the same two values, one is found.
    """
    found, asked = [], []

    def look_up(value: str) -> tuple[Task, float | None, bool]:
        task = experiment.with_rules(sweep.rules(value)).task("truth")
        return task, known[task]["value"] if task in known else None, task in known

    for before, after in pairwise(sweep.values):
        while True:
            ends = [look_up(before), look_up(after)]
            missing = [task for task, _, there in ends if not there]
            low, high = ends[0][1], ends[1][1]
            if missing or low is None or high is None or leader(low) == leader(high):
                asked += missing
                break
            middle = str((int(before) + int(after)) // 2) if sweep.numeric else before
            if middle == before:
                found.append(Flip(before, after, low, high))
                break
            task, value, there = look_up(middle)
            if not there:
                asked.append(task)
                break
            if leader(value) == leader(low):
                before = middle
            else:
                after = middle
    return found, asked
