"""Measures of balance: side bias at each level of skill, and decisiveness."""

from typing import Any, NamedTuple

from ludex.core.rules import Rules, imperfect_information, levels_of
from ludex.lab.balance.levels import (
    Level,
    Levels,
    balance_text,
    level_verdict,
    make_levels,
    worst_level,
)
from ludex.lab.report.blocks import ReportTable
from ludex.lab.run.series import Count, count_facts, count_results, series_tasks, sum_counts
from ludex.lab.spec.entrant import Entrant, entrant_name
from ludex.lab.spec.experiment import Experiment
from ludex.lab.spec.task import Known, Task

WEAKEST = "random"
TIME_OPTION = "seconds="  # play under a clock is not reproducible
SEARCHER = "mcts:sims=100"  # for games without levels
HIDDEN_SEARCHER = "ismcts:sims=100"  # for those that hide something
ORDER_HINT = "Perhaps the levels are not in order of strength: the weakest comes first."


def default_levels(rules: Rules) -> list[Entrant]:
    """Return `random` and the reproducible levels of the game, else a search; the weakest first."""
    named = [text for text in levels_of(rules).values() if TIME_OPTION not in text]
    if set(named) <= {WEAKEST}:
        named = [HIDDEN_SEARCHER if imperfect_information(rules) else SEARCHER]
    return list(dict.fromkeys([WEAKEST, *named]))


class RoundRobin(NamedTuple):
    """Every level at the first seat against every level at the second."""

    experiment: Experiment
    """Whose rules and seed they play by."""
    levels: list[Entrant]
    matches: int
    """Of each ordered pair of levels."""

    def cell(self, first: int, second: int) -> list[Task]:
        """Return the tasks of an ordered pair of levels."""
        pair = [self.levels[first], self.levels[second]]
        return series_tasks(self.experiment, pair, self.matches)

    def tasks(self) -> list[Task]:
        """Return the tasks of all pairs."""
        everyone = range(len(self.levels))
        return [task for a in everyone for b in everyone for task in self.cell(a, b)]

    def table(self, known: Known, seat: int = 0) -> list[list[Count]]:
        """Return the results of a seat, one row per level at the first seat."""
        everyone = range(len(self.levels))
        return [[count_results(known, self.cell(a, b), seat) for b in everyone] for a in everyone]

    def names(self) -> list[str]:
        """Return the display names of the levels."""
        return [entrant_name(one) for one in self.levels]


class Fairness(NamedTuple):
    """The balance of one set of rules."""

    levels: Levels
    """Results of the first seat between equals; near one half at every level is fair."""
    first: Count
    """Results of the stronger player at the first seat."""
    second: Count
    """Results of the stronger player at the second seat."""

    @property
    def equal(self) -> Count:
        """Results of the first seat between equals, over all levels."""
        return sum_counts(one.result for one in self.levels)

    @property
    def worst(self) -> Level:
        """The level furthest from even."""
        return worst_level(self.levels)

    @property
    def decisiveness(self) -> float:
        """The share of the stronger player from its worse side."""
        return min(self.first.share, self.second.share)

    def facts(self) -> dict[str, Any]:
        """Return the figures as JSON."""
        counts = {"equal": self.equal, "first": self.first, "second": self.second}
        return {
            **{name: count_facts(count) for name, count in counts.items()},
            "levels": [one.facts() for one in self.levels],
            "worst": self.worst.name,
            "verdict": level_verdict(self.levels),
        }


def fairness(players: RoundRobin, known: Known) -> Fairness:
    """Measure the balance of a set of rules."""
    won, lost = players.table(known), players.table(known, seat=1)
    everyone = range(len(players.levels))
    return Fairness(
        make_levels(players.names(), [won[one][one] for one in everyone]),
        sum_counts(won[a][b] for a in everyone for b in everyone if a > b),
        sum_counts(lost[a][b] for a in everyone for b in everyone if b > a),
    )


def levels_text(levels: list[Entrant]) -> str:
    """List the levels in a sentence."""
    return f"Levels of skill, the weakest first: {'; '.join(map(entrant_name, levels))}."


def fairness_text(fair: Fairness, names: tuple[str, str]) -> str:
    """Explain the figures, and their uncertainty, in words."""
    text = balance_text(fair.levels, names)
    better = {name: one.interval for name, one in zip(names, fair[1:], strict=True)}
    unsure = [name for name, (low, high) in better.items() if low <= 0.5 <= high]
    worse = [name for name, (low, high) in better.items() if high < 0.5]
    if worse:
        text += f" As {' and '.join(worse)} the better player loses more often than it wins."
        return f"{text} {ORDER_HINT}" if len(worse) + len(unsure) == len(better) else text
    if unsure:
        sides = " or ".join(f"as {name}" for name in unsure)
        return f"{text} It is not certain that the better player wins more often than not {sides}."
    return f"{text} The better player wins more often than not from either side."


def fairness_table(fair: Fairness, names: tuple[str, str]) -> ReportTable:
    """Return the figures as a table."""
    first, second = names
    rows = [
        (f"{first} at equal skill", fair.equal, "50 %, and at each level by itself"),
        (f"the better player as {first}", fair.first, "well above 50 %: skill decides"),
        (f"the better player as {second}", fair.second, "well above 50 %: skill decides"),
    ]
    return ReportTable(
        "share of the points with 95 % intervals",
        ("who", "share", "matches", "distinct matches", "fair is"),
        [(who, one.text(), str(one.matches), str(one.distinct), wish) for who, one, wish in rows],
        facts=[{"who": who, **count_facts(one)} for who, one, _ in rows],
    )
