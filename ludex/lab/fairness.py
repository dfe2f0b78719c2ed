"""Two figures of balance: side bias at equal skill, and how surely the better player wins."""

from typing import NamedTuple

from ludex.agents import levels_of
from ludex.lab.blocks import Table
from ludex.lab.contender import Contender, name_of
from ludex.lab.series import Count, count, count_facts, percent, plus, series
from ludex.lab.task import Known, Task
from ludex.rules import Rules, game_of, seat_name

WEAKEST = "random"
CLOCK = "seconds="  # levels with a clock do not play the same way twice
SEARCHER = "mcts:sims=100"  # plays every game, also one that names no levels
NARROW = 0.2  # a wider interval at equal skill, of the share, says too little
ORDER = "Perhaps the levels are not in order of strength: the weakest comes first."


def default_levels(rules: Rules) -> list[Contender]:
    """Return agents from the weakest to the strongest: random, and the levels of the game.

    A game that has none that play alike every time is searched.
    """
    named = [text for text in levels_of(game_of(rules)).values() if CLOCK not in text]
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

    equal: Count
    """What the first seat has won at equal skill: near one half is fair."""
    first: Count
    """What the better player has won at the first seat."""
    second: Count
    """What the better player has won at the second seat."""

    @property
    def bias(self) -> float:
        """By how much the first seat is favoured at equal skill, from -1 to 1."""
        return 2 * self.equal.share - 1

    @property
    def decisiveness(self) -> float:
        """The share of the better player from the side from which it wins less."""
        return min(self.first.share, self.second.share)


def fairness(field: Field, known: Known) -> Fairness:
    """Return how fair the rules of a field are."""
    won, lost = field.table(known), field.table(known, seat=1)
    everyone = range(len(field.levels))
    return Fairness(
        plus(won[one][one] for one in everyone),
        plus(won[a][b] for a in everyone for b in everyone if a > b),
        plus(lost[a][b] for a in everyone for b in everyone if b > a),
    )


def level_words(levels: list[Contender]) -> str:
    """Return in words who plays."""
    return f"Levels of skill, the weakest first: {'; '.join(map(name_of, levels))}."


def too_few(equal: Count) -> bool:
    """Return whether matches at equal skill leave open whether a side is favoured."""
    low, high = equal.interval
    return low <= 0.5 <= high and high - low > NARROW


def doubt_words(several: list[Count], places: str) -> str:
    """Return a further sentence on how many sets of rules had too few matches, if any had."""
    number = sum(map(too_few, several))
    if not number:
        return ""
    where = f"all {len(several):,}" if number == len(several) else f"{number:,} of {len(several):,}"
    return (
        f" At {where} {places} there are too few matches to tell whether a side is favoured at"
        " equal skill."
    )


def judgement(fair: Fairness, names: tuple[str, str]) -> str:
    """Return in words what the figures say, and what they do not."""
    low, high = fair.equal.interval
    if low > 0.5 or high < 0.5:
        said = f"At equal skill {names[0] if low > 0.5 else names[1]} is favoured."
    elif too_few(fair.equal):
        said = "There are too few matches to tell whether a side is favoured at equal skill."
    else:
        said = "At equal skill neither side is seen to be favoured."
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
        (f"{first} at equal skill", fair.equal, "50 %: neither side is favoured"),
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
