"""Balance at each level of skill: matches between equals, assessed level by level.

One side may be favoured among beginners and the other among strong players, which a mean over the
levels hides. So each level is assessed separately, with simultaneous confidence intervals.
"""

from typing import Any, NamedTuple

from ludex.lab.report.blocks import Table
from ludex.lab.report.plots import Line, bars
from ludex.lab.run.series import Count, count_facts, hundredths, percent

TOLERANCE = 0.2  # from one half: a level that may be further off is not called even
PERFECT = "perfect play"
JOINT = "the intervals of the levels are widened so that all of them hold at once with 95 %"


class Level(NamedTuple):
    """What the first seat has won between two players of the same strength."""

    name: str
    won: Count
    among: int
    """How many levels are judged together."""

    @property
    def share(self) -> float:
        """The share of the first seat."""
        return self.won.share

    @property
    def distance(self) -> float:
        """How far the share is from even."""
        return round(abs(self.share - 0.5), 9)  # 20 % and 80 % are as far, also in binary numbers

    @property
    def interval(self) -> tuple[float, float]:
        """The interval of the share; those of all levels hold at once with 95 %."""
        return self.won.joint_interval(self.among)

    @property
    def favoured(self) -> int | None:
        """The seat that is favoured, if the interval lies on one side of one half."""
        low, high = self.interval
        return 0 if low > 0.5 else 1 if high < 0.5 else None

    @property
    def even(self) -> bool:
        """Whether one half is in the interval, and nothing that is far from it."""
        low, high = self.interval
        return 0.5 - TOLERANCE <= low <= 0.5 <= high <= 0.5 + TOLERANCE

    @property
    def verdict(self) -> str:
        """The judgement in a word, for programs."""
        if self.favoured is not None:
            return ("first", "second")[self.favoured]
        return "even" if self.even else "unknown"

    def text(self) -> str:
        """Return the share with its interval for people."""
        return percent(self.share, self.interval)

    def facts(self) -> dict[str, Any]:
        """Return the level for programs."""
        joint = {"joint_interval": list(self.interval), "verdict": self.verdict}
        return {"level": self.name, **count_facts(self.won), **joint}


Levels = tuple[Level, ...]


def make_levels(names: list[str], counts: list[Count]) -> Levels:
    """Return levels that are judged together."""
    return tuple(Level(*one, len(names)) for one in zip(names, counts, strict=True))


def worst_level(levels: Levels) -> Level:
    """Return the level whose share is furthest from even; the first among equals."""
    return max(levels, key=lambda one: one.distance)


def level_verdict(levels: Levels) -> str:
    """Return whether all levels are `balanced`, one at least is `unbalanced`, or it is `unknown`.

    One level at which a side is favoured is enough, whatever the others say.
    """
    if any(one.favoured is not None for one in levels):
        return "unbalanced"
    return "balanced" if all(one.even for one in levels) else "unknown"


def verdict_words(levels: Levels, seats: tuple[str, str]) -> str:
    """Return in words at which levels which side is favoured, the worst level first."""
    order = sorted(levels, key=lambda one: -one.distance)
    favoured = [one for one in order if one.favoured is not None]
    even = [one for one in order if one.even]
    unknown = [one for one in order if one not in favoured and one not in even]
    if not favoured and not unknown:
        low, high = min(one.interval[0] for one in even), max(one.interval[1] for one in even)
        return (
            f"Balanced at every level of skill: with 95 % certainty {seats[0]} wins between"
            f" {hundredths(low)} and {hundredths(high)} % at each of them. The furthest from even"
            f" is {even[0].name}, where {seats[0]} wins {even[0].text()}."
        )
    said = []
    if favoured:
        first = favoured[0]
        seat = first.favoured or 0
        rank = ", the worst level of skill," if first is order[0] else ""
        said.append(
            f"Not balanced: at {first.name}{rank} {seats[seat]} is favoured; {seats[0]} wins"
            f" {first.text()} there."
        )
        for one, also in ((seat, "also "), (1 - seat, "")):
            rest = [level for level in favoured[1:] if level.favoured == one]
            if rest:
                said.append(f"{seats[one]} is {also}favoured at {listed(rest)}.")
    if unknown:
        said.append(f"There are too few matches to tell at {listed(unknown)}.")
    if even:
        said.append(f"Neither side is seen to be favoured at {listed(even)}.")
    return " ".join(said)


def listed(levels: list[Level]) -> str:
    """Return levels with their shares in words."""
    return "; ".join(f"{one.name}, {one.text()}" for one in levels)


def worst_text(levels: Levels) -> str:
    """Return the share at the worst level, and which one it is, for a table."""
    worst = worst_level(levels)
    return f"{worst.text()} at {worst.name}"


def sweep_words(several: list[Levels], places: str) -> str:
    """Return in words at how many sets of rules the levels are balanced, each judged by itself."""
    verdicts = [level_verdict(one) for one in several]
    balanced, unbalanced, unknown = map(verdicts.count, ("balanced", "unbalanced", "unknown"))
    return (
        f"Of {len(several):,} {places}, each judged by itself: {balanced:,} balanced at every level"
        f" of skill, {unbalanced:,} not balanced, {unknown:,} with too few matches to tell."
    )


def level_table(levels: Levels, seats: tuple[str, str], value: float | None = None) -> Table:
    """Return the levels as a table, and perfect play among them if its value is known."""
    words = {
        "first": f"{seats[0]} is favoured",
        "second": f"{seats[1]} is favoured",
        "even": "neither side is seen to be favoured",
        "unknown": "too few matches to tell",
    }
    worst = worst_level(levels)
    rows = [
        (
            one.name,
            one.text(),
            str(one.won.matches),
            str(one.won.different),
            words[one.verdict] + ", the worst level" * (one is worst),
        )
        for one in levels
    ]
    facts = [one.facts() for one in levels]
    if value is not None:
        share = (1 + value) / 2
        rows.append((PERFECT, f"{hundredths(share)} % (exact)", "", "", exact_words(value, seats)))
        facts.append({"level": PERFECT, "share": share, "value": value})
    return Table(
        f"points of {seats[0]} between equals, the weakest first; {JOINT}",
        ("both are", f"{seats[0]} wins", "matches", "different", "verdict"),
        rows,
        facts=facts,
    )


def exact_words(value: float, seats: tuple[str, str]) -> str:
    """Return who is favoured by an exact value."""
    if value == 0:
        return "neither side is favoured"
    return f"{seats[0] if value > 0 else seats[1]} is favoured"


def level_plot(levels: Levels, seats: tuple[str, str], value: float | None = None) -> str:
    """Return the share at each level with its interval, and perfect play if it is known."""
    points = [(one.name, one.share, *one.interval) for one in levels]
    if value is not None:
        share = (1 + value) / 2
        points.append((PERFECT, share, share, share))
    names, y, low, high = zip(*points, strict=True)
    return bars(names, [Line("", range(len(points)), y, low, high)], f"points of {seats[0]}")
