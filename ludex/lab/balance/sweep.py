"""Sweeps: a rule takes one value after the other, and flips of the winner are located."""

from collections.abc import Iterable
from itertools import pairwise
from typing import NamedTuple

from ludex.core.choice import CLOSE
from ludex.core.rules import Rules, Value, rule_values, seat_name
from ludex.core.variants import read_rules, rule_table, single_rules, write_value
from ludex.io.schema import errors_at
from ludex.io.text import nearest, read_int
from ludex.lab.run.truth import NODES_MAX, STOPPED
from ludex.lab.spec.task import Known, Task, make_task

VALUES_MAX = 1000  # of a sweep
SWEEP_FORM = "expected LOW:HIGH, LOW:HIGH:STEP or VALUE,VALUE,…"
SCALE_NOTE = (
    "A worth lies between -1, a sure loss, and +1, a sure win: it is what is won on average."
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
    names = key.split("+")
    for one in names:
        if names.count(one) > 1:
            raise ValueError(f"{place}: {one} is there twice")
        if one not in table:
            singles = list(single_rules(rules))
            grids = " and those of its grids" if len(singles) < len(table) else ""
            raise ValueError(
                f"{place}: no rule {one!r}{nearest(one, table)}"
                f" (there are {', '.join(singles)}{grids})"
            )
    values = read_values(text, place)
    for one in values:
        if values.count(one) > 1:
            raise ValueError(f"{place}: {one} is there twice")
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


def truth_task(game: str, rules: dict[str, str]) -> Task:
    """Return the task of finding the winner by some rules."""
    return make_task("truth", game=game, rules=dict(sorted(rules.items())))


def proven_value(known: Known, game: str, rules: dict[str, str]) -> float | None:
    """Return the proven value of some rules, if any."""
    value: float | None = known[truth_task(game, rules)]["value"]
    return value


def result_text(known: Known, game: str, told: dict[str, str], rules: Rules) -> str:
    """Say who wins by some rules, as far as proven."""
    answer = known[truth_task(game, told)]
    if answer["how"] == STOPPED:
        return "not proven in time"
    return winner_text(rules, answer["value"])


def winner_text(rules: Rules, value: float | None) -> str:
    """Say who wins."""
    if value is None:
        return "not proven"
    if abs(value) < CLOSE:
        return "a draw"
    if abs(abs(value) - 1.0) < CLOSE:
        return f"{seat_name(rules, 0 if value > 0 else 1)} wins"
    return f"worth {value:+.4f} to {seat_name(rules, 0)}"


def leader(value: float | None) -> int | None:
    """Return the sign of a value: 1 if seat 0 is ahead, -1 if seat 1 is, 0 for a draw."""
    return None if value is None else (value > CLOSE) - (value < -CLOSE)


def reader_notes(texts: Iterable[str]) -> str:
    """Return the notes that explain some verdicts."""
    said = " ".join(texts)
    return " ".join([SCALE_NOTE] * ("worth" in said) + [BUDGET_NOTE] * ("in time" in said))


class Flip(NamedTuple):
    """Two values of a rule between which the winner changes."""

    before: str
    after: str
    winner: float
    """The value to seat 0 before the flip."""
    next_winner: float


def find_flips(
    game: str, others: dict[str, str], sweep: Sweep, known: Known
) -> tuple[list[Flip], list[Task]]:
    """Return the flips along a sweep, and the missing tasks.

    Between numbers that are not neighbours, a flip is located by bisection; of several between
    the same two values, one is found.
    """
    found, asked = [], []

    def worth(value: str) -> tuple[Task, float | None, bool]:
        task = truth_task(game, {**others, **sweep.rules(value)})
        return task, known[task]["value"] if task in known else None, task in known

    for before, after in pairwise(sweep.values):
        while True:
            ends = [worth(before), worth(after)]
            missing = [task for task, _, there in ends if not there]
            low, high = ends[0][1], ends[1][1]
            if missing or low is None or high is None or leader(low) == leader(high):
                asked += missing
                break
            middle = str((int(before) + int(after)) // 2) if sweep.numeric else before
            if middle == before:
                found.append(Flip(before, after, low, high))
                break
            task, value, there = worth(middle)
            if not there:
                asked.append(task)
                break
            if leader(value) == leader(low):
                before = middle
            else:
                after = middle
    return found, asked
