"""Measures of balance: side bias at each level of skill, and decisiveness."""

from typing import Any, NamedTuple

from ludex.core.rules import Rules, levels_of, seat_name
from ludex.lab.balance.levels import (
    Level,
    Levels,
    level_verdict,
    make_levels,
    verdict_words,
    worst_level,
)
from ludex.lab.report.blocks import Table
from ludex.lab.run.series import Count, count, count_facts, percent, plus, series
from ludex.lab.spec.entrant import Contender, name_of
from ludex.lab.spec.task import Known, Task

WEAKEST = "random"
CLOCK = "seconds="  # levels with a clock do not play the same way twice
SEARCHER = "mcts:sims=100"  # plays every game, also one that names no levels
ORDER = "Perhaps the levels are not in order of strength: the weakest comes first."


def default_levels(rules: Rules) -> list[Contender]:
    """Return agents from the weakest to the strongest: random, and the levels of the game.

    A game that has none that play alike every time is searched.
    """
    named = [text for text in levels_of(rules).values() if CLOCK not in text]
    if set(named) <= {WEAKEST}:
        named = [SEARCHER]
    return list(dict.fromkeys([WEAKEST, *named]))


class Field(NamedTuple):
    """A set of rules with everyone who plays by them, the weakest first."""

    game: str
    rules: dict[str, str]
    levels: list[Contender]
    seed: int
    matches: int
    """Of each level at the first seat with each at the second."""
    opening: int

    def cell(self, first: int, second: int) -> list[Task]:
        """Return the matches of two levels, each at its seat."""
        pair = [self.levels[first], self.levels[second]]
        return series(self.game, self.rules, pair, self.seed, self.matches, self.opening)

    def tasks(self) -> list[Task]:
        """Return all matches."""
        everyone = range(len(self.levels))
        return [task for a in everyone for b in everyone for task in self.cell(a, b)]

    def table(self, known: Known, seat: int = 0) -> list[list[Count]]:
        """Return what a seat has won, a row for each level at the first seat."""
        everyone = range(len(self.levels))
        return [[count(known, self.cell(a, b), seat) for b in everyone] for a in everyone]

    def names(self) -> list[str]:
        """Return what plots call the levels."""
        return [name_of(one) for one in self.levels]


class Fairness(NamedTuple):
    """How fair a set of rules is."""

    levels: Levels
    """What the first seat has won at each level of skill: near one half at all of them is fair."""
    first: Count
    """What the better player has won at the first seat."""
    second: Count
    """What the better player has won at the second seat."""

    @property
    def equal(self) -> Count:
        """What the first seat has won at equal skill, all levels together."""
        return plus(one.won for one in self.levels)

    @property
    def worst(self) -> Level:
        """The level that is furthest from even."""
        return worst_level(self.levels)

    @property
    def decisiveness(self) -> float:
        """The share of the better player from the side from which it wins less."""
        return min(self.first.share, self.second.share)

    def facts(self) -> dict[str, Any]:
        """Return the figures for programs."""
        counts = {"equal": self.equal, "first": self.first, "second": self.second}
        return {
            **{name: count_facts(count) for name, count in counts.items()},
            "levels": [one.facts() for one in self.levels],
            "worst": self.worst.name,
            "verdict": level_verdict(self.levels),
        }


def fairness(field: Field, known: Known) -> Fairness:
    """Return how fair the rules of a field are."""
    won, lost = field.table(known), field.table(known, seat=1)
    everyone = range(len(field.levels))
    return Fairness(
        make_levels(field.names(), [won[one][one] for one in everyone]),
        plus(won[a][b] for a in everyone for b in everyone if a > b),
        plus(lost[a][b] for a in everyone for b in everyone if b > a),
    )


def level_words(levels: list[Contender]) -> str:
    """Return in words who plays."""
    return f"Levels of skill, the weakest first: {'; '.join(map(name_of, levels))}."


def judgement(fair: Fairness, names: tuple[str, str]) -> str:
    """Return in words what the figures say, and what they do not."""
    said = verdict_words(fair.levels, names)
    better = {name: one.interval for name, one in zip(names, fair[1:], strict=True)}
    unsure = [name for name, (low, high) in better.items() if low <= 0.5 <= high]
    worse = [name for name, (low, high) in better.items() if high < 0.5]
    if worse:
        said += f" As {' and '.join(worse)} the better player loses more often than it wins."
        return f"{said} {ORDER}" if len(worse) + len(unsure) == len(better) else said
    if unsure:
        return f"{said} Whether the better player wins as {' and '.join(unsure)} is not sure."
    return f"{said} The better player wins more often than not from either side."


def figures(fair: Fairness, rules: Rules) -> Table:
    """Return the figures as a table."""
    first, second = seat_name(rules, 0), seat_name(rules, 1)
    rows = [
        (f"{first} at equal skill", fair.equal, "50 %, and at each level by itself"),
        (f"the better player as {first}", fair.first, "well above 50 %: skill decides"),
        (f"the better player as {second}", fair.second, "well above 50 %: skill decides"),
    ]
    return Table(
        "share of the points with 95 % intervals",
        ("who", "share", "matches", "different", "fair is"),
        [
            (who, percent(one.share, one.interval), str(one.matches), str(one.different), wish)
            for who, one, wish in rows
        ],
        facts=[{"who": who, **count_facts(one)} for who, one, _ in rows],
    )
