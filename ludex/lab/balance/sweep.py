"""Sweeps: a rule takes one value after the other, and flips of the winner are located."""

from collections.abc import Iterable
from itertools import pairwise
from typing import NamedTuple

from ludex.core.choice import CLOSE
from ludex.core.rules import Rules, Value, rule_values, seat_name
from ludex.core.variants import read_rules, rule_table, single_rules, write_value
from ludex.io.parsing import nearest, read_int
from ludex.io.schema import errors_at
from ludex.lab.run.truth import MOST_NODES, STOPPED
from ludex.lab.spec.task import Known, Task, make_task

MOST = 1000  # values of a sweep
FORM = "expected LOW:HIGH, LOW:HIGH:STEP or VALUE,VALUE,…"
SCALE = "A worth lies between -1, a sure loss, and +1, a sure win: it is what is won on average."
LIMIT = f"Not proven in time: a proof may visit {MOST_NODES:,} nodes, and it would take more."


class Sweep(NamedTuple):
    """A rule, or several joined by + that are always equal, and its values as text."""

    key: str
    values: tuple[str, ...]
    step: int = 1
    """Between whole numbers that were asked for; the rule as it is may come in between."""

    def rules(self, value: str) -> dict[str, str]:
        """Return the rules that one of the values stands for."""
        return dict.fromkeys(self.key.split("+"), value)

    @property
    def numeric(self) -> bool:
        """Whether there are whole numbers between its values."""
        return all(value.lstrip("-").isdigit() for value in self.values)


def key_text(key: str) -> str:
    """Return a key in words; of more than two rules the first, and how many are with it."""
    first, *others = key.split("+")
    return f"{first} and {len(others)} more" if len(others) > 1 else key.replace("+", " and ")


def read_sweep(key: str, text: str, rules: Rules, called: str = "sweep") -> Sweep:
    """Return the sweep that a text says; a ValueError names what is wrong and what there is."""
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
    """Return the values of a range or a list."""
    if ":" not in text:
        values = tuple(one.strip() for one in text.split(","))
        if "" in values:
            raise ValueError(f"{place}: an empty value: {FORM}")
        return values
    parts = text.split(":")
    if len(parts) > 3:
        raise ValueError(f"{place}: {FORM}")
    try:
        low, high = (read_int(part.strip(), "", -(10**9), 10**9) for part in parts[:2])
        step = read_int(parts[2].strip(), "", 1, 10**9) if len(parts) == 3 else 1
    except ValueError as error:
        raise ValueError(f"{place}: {FORM}, in whole numbers, the step at least 1") from error
    if low > high:
        raise ValueError(f"{place}: an empty range: {low} is more than {high}")
    if (high - low) // step >= MOST:
        raise ValueError(f"{place}: more than {MOST} values: take larger steps")
    return tuple(map(str, range(low, high + 1, step)))


def with_usual(sweep: Sweep, rules: Rules) -> Sweep:
    """Return a sweep among whose values is the one that the rule has, if it lies between them."""
    now = usual(sweep.key, rules)
    if not sweep.numeric or not now.isdigit() or now in sweep.values:
        return sweep
    numbers = [int(value) for value in sweep.values]
    if not min(numbers) < int(now) < max(numbers):
        return sweep
    return sweep._replace(values=tuple(map(str, sorted([*numbers, int(now)]))))


def tried_text(sweep: Sweep, now: str = "") -> str:
    """Return in words which values were tried, and that of the rule as it is."""
    if not sweep.numeric or len(sweep.values) < 2:
        return ", ".join(sweep.values)
    low, high = int(sweep.values[0]), int(sweep.values[-1])
    even = list(map(str, range(low, high + 1, sweep.step)))
    rest = [value for value in sweep.values if value not in even]
    if rest not in ([], [now]) or len(sweep.values) != len(even) + len(rest):
        return ", ".join(sweep.values)
    steps = "" if sweep.step == 1 else f" in steps of {sweep.step}"
    return f"{low} to {high}{steps}" + (f", and {now}" if rest else "")


def pairs_text(several: list[Sweep]) -> str:
    """Return what the values that were tried do not say, or nothing if they were all."""
    if all(sweep.step == 1 for sweep in several):
        return ""
    return (
        "Where there are steps, a flip within one is found if its two ends differ; two that"
        " cancel each other within a step are not."
    )


def usual(key: str, rules: Rules) -> str:
    """Return the value of a rule in some rules; of several, if they are equal."""
    values: dict[str, Value] = rule_values(rules)
    texts = {write_value(rule_table(rules)[one], values[one]) for one in key.split("+")}
    return texts.pop() if len(texts) == 1 else ""


# Who wins under perfect play. ---------------------------------------------------------------------


def truth_task(game: str, rules: dict[str, str]) -> Task:
    """Return the question who wins by some rules."""
    return make_task("truth", game=game, rules=dict(sorted(rules.items())))


def value_of(known: Known, game: str, rules: dict[str, str]) -> float | None:
    """Return what is proven of some rules, if something is."""
    value: float | None = known[truth_task(game, rules)]["value"]
    return value


def found_text(known: Known, game: str, told: dict[str, str], rules: Rules) -> str:
    """Return in words who wins by some rules, as far as it is proven."""
    answer = known[truth_task(game, told)]
    if answer["how"] == STOPPED:
        return "not proven in time"
    return verdict_text(rules, answer["value"])


def verdict_text(rules: Rules, value: float | None) -> str:
    """Return in words who wins."""
    if value is None:
        return "not proven"
    if abs(value) < CLOSE:
        return "a draw"
    if abs(abs(value) - 1.0) < CLOSE:
        return f"{seat_name(rules, 0 if value > 0 else 1)} wins"
    return f"worth {value:+.4f} to {seat_name(rules, 0)}"


def side(value: float | None) -> int | None:
    """Return who is ahead by a value: 1 for seat 0, -1 for the other, 0 for nobody."""
    return None if value is None else (value > CLOSE) - (value < -CLOSE)


def notes(texts: Iterable[str]) -> str:
    """Return what a reader of some verdicts must know."""
    said = " ".join(texts)
    return " ".join([SCALE] * ("worth" in said) + [LIMIT] * ("in time" in said))


class Flip(NamedTuple):
    """Two values of a rule between which the winner changes."""

    before: str
    after: str
    winner: float
    """Worth to seat 0 with the value before."""
    next_winner: float


def flips(
    game: str, others: dict[str, str], sweep: Sweep, known: Known
) -> tuple[list[Flip], list[Task]]:
    """Return where the winner changes along a sweep, and what is still to be asked.

    Between whole numbers that are further apart than one, the change is looked for by halving.
    If there are several, one of them is found.
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
            if missing or low is None or high is None or side(low) == side(high):
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
            if side(value) == side(low):
                before = middle
            else:
                after = middle
    return found, asked
