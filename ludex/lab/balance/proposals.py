"""Changes of rules: their range and cost, the proposals, and the search."""

from collections.abc import Callable
from typing import Any, NamedTuple

from ludex.core.rules import Rules
from ludex.io.plural import many
from ludex.lab.balance.fairness import Fairness
from ludex.lab.balance.levels import level_verdict, worst_text
from ludex.lab.balance.sweep import key_text, read_sweep, usual
from ludex.lab.spec.task import Task

BATCH = 6  # trials that are asked for at once, so that processes have work
FAR, EACH = 0.25, 0.05  # the cost of a whole range, and of one more rule that changes
PATIENCE = 10  # times as many are asked for at most, because some come again
SETS = 6  # of the first trials, which are drawn at random


class Range(NamedTuple):
    """A rule that may change, from low to high in steps, and what it is."""

    key: str
    low: int
    high: int
    step: int
    standard: int


def read_ranges(told: dict[str, str], rules: Rules) -> list[Range]:
    """Return the ranges that texts say; a ValueError names what is wrong."""
    if not told:
        raise ValueError("vary: expected one rule at least")
    found = []
    names = [one for key in told for one in key.split("+")]
    for one in names:
        if names.count(one) > 1:
            raise ValueError(f"vary: {one} is there twice")
    for key, text in told.items():
        sweep = read_sweep(key, text, rules, "vary")
        standard = usual(key, rules)
        if not sweep.numeric or len(sweep.values) < 2 or ":" not in text:
            raise ValueError(f"vary: {key} = {text!r}: expected LOW:HIGH or LOW:HIGH:STEP")
        if not standard.isdigit():
            raise ValueError(f"vary: {key}: expected a number, or several that are equal")
        values = [int(value) for value in sweep.values]
        step = values[1] - values[0]
        found.append(Range(key, values[0], values[-1], step, int(standard)))
    return found


def rules_of(ranges: list[Range], values: dict[str, int]) -> dict[str, str]:
    """Return the rules that differ from those that are."""
    return {
        one: str(values[known.key])
        for known in ranges
        if values[known.key] != known.standard
        for one in known.key.split("+")
    }


def in_words(ranges: list[Range], rules: dict[str, str], was: bool = False) -> str:
    """Return a change of rules in words, with what they were if asked for."""
    told = []
    for known in ranges:
        value = rules.get(known.key.split("+")[0])
        if value is not None:
            before = f" (was {known.standard})" if was else ""
            told.append(f"{key_text(known.key)} {value}{before}")
    return ", ".join(told) or "none"


def distance(ranges: list[Range], rules: dict[str, str]) -> float:
    """Return how much a change costs: by how far rules change, and by how many of them."""
    total = 0.0
    for known in ranges:
        told = rules.get(known.key.split("+")[0])
        if told is not None:
            total += FAR * abs(int(told) - known.standard) / (known.high - known.low) + EACH
    return total


def cost(fair: Fairness, far: float) -> float:
    """Return the objective: unfair at the worst level, undecided by skill, far from the rules."""
    return 2 * fair.worst.distance + (1.0 - fair.decisiveness) + far


class Proposal(NamedTuple):
    """A change of rules, with what confirms it or not."""

    rules: dict[str, str]
    fair: Fairness
    far: float
    """What the change itself costs."""

    @property
    def unfair(self) -> float:
        """How far it is from balance, whatever the change costs."""
        return cost(self.fair, 0.0)

    @property
    def cost(self) -> float:
        """The objective: unfairness and change together."""
        return cost(self.fair, self.far)

    @property
    def confirmed(self) -> bool:
        """Whether both aims are met by the fresh matches, within intervals that say enough."""
        better = min(self.fair.first.interval[0], self.fair.second.interval[0])
        return level_verdict(self.fair.levels) == "balanced" and better > 0.5


def outcome_words(now: Proposal, better: list[Proposal], rest: list[Proposal]) -> str:
    """Return in words what the search has come to."""
    sure = sum(one.confirmed for one in better)
    if not better:
        said = "Nothing better balanced than the rules as they are was found."
    elif not sure:
        said = (
            f"{many(len(better), 'change')} came out less unfair than the rules as they are, but"
            " none is confirmed."
        )
    else:
        verb = "is" if sure == 1 else "are"
        said = (
            f"{many(sure, 'change')} {verb} less unfair than the rules as they are and confirmed."
        )
    if now.confirmed:
        said += " The rules as they are pass the same test of balance."
    if any(one.cost >= now.cost for one in better):
        said += (
            " One that changes much may cost more than no change at all, and is better balanced"
            " still."
        )
    if rest:
        said += " Without a rank: what looked good in the search and is not less unfair."
    return said


def limit_words(now: Proposal, better: list[Proposal], seats: tuple[str, str]) -> str:
    """Return in words which level of skill keeps the rules, and the best change, from even."""
    worst = worst_text(now.fair.levels)
    said = f"The worst level by the rules as they are: {seats[0]} wins {worst}"
    if better:
        said += f"; by proposal 1: {worst_text(better[0].fair.levels)}"
    return f"{said}."


Judge = Callable[[dict[str, str]], float | list[Task]]
"""Returns the cost of some rules, or what must be known before it can be told."""


class Search:
    """A search that is made anew each time and goes as far as what is known allows.

    The same seed and the same costs lead it the same way, so that nothing of it need be kept.
    """

    def __init__(self, ranges: list[Range], trials: int, seed: int, judge: Judge) -> None:
        import optuna

        optuna.logging.set_verbosity(optuna.logging.ERROR)
        sampler = optuna.samplers.TPESampler(seed=seed, n_startup_trials=SETS * BATCH // 2)
        study = optuna.create_study(sampler=sampler)
        study.enqueue_trial({f"change {one.key}": False for one in ranges})  # as it is
        self.tried: list[tuple[dict[str, str], float]] = []
        self.missing: list[Task] = []
        costs: dict[str, float] = {}
        for _ in range(PATIENCE * trials // BATCH):
            if len(self.tried) >= trials or self.missing:
                break
            asked = [study.ask() for _ in range(BATCH)]
            several = [(trial, rules_of(ranges, suggested(trial, ranges))) for trial in asked]
            judged = [judge(rules) for _, rules in several]
            self.missing = [task for one in judged if isinstance(one, list) for task in one]
            if not self.missing:
                for (trial, rules), value in zip(several, judged, strict=True):
                    assert not isinstance(value, list)
                    study.tell(trial, value)
                    if str(rules) not in costs and len(costs) < trials:
                        costs[str(rules)] = value
                        self.tried.append((rules, value))
        self.done = not self.missing


def suggested(trial: Any, ranges: list[Range]) -> dict[str, int]:
    """Return the values that a trial tries; a rule may also stay as it is."""
    values = {}
    for one in ranges:
        values[one.key] = one.standard
        if trial.suggest_categorical(f"change {one.key}", [False, True]):
            values[one.key] = trial.suggest_int(one.key, one.low, one.high, step=one.step)
    return values


def chosen(tried: list[tuple[dict[str, str], float]], number: int) -> list[dict[str, str]]:
    """Return the best changes: first the best of each set of rules, then the next best."""
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
