"""Balance at each level of skill: matches between equals, assessed level by level.

One side may be favoured among beginners and the other among strong players, which a mean over the
levels hides. So each level is assessed separately, with simultaneous confidence intervals.
"""

from typing import Any, NamedTuple

from ludex.lab.report.blocks import Drawing, ReportTable
from ludex.lab.report.plots import Curve, interval_plot
from ludex.lab.run.series import Count, count_facts, percentage, share_text

TOLERANCE = 0.2  # a level is even only if its interval stays within this of one half
PERFECT = "perfect play"
JOINT_NOTE = "the intervals of the levels are widened so that all of them hold at once with 95 %"


class Level(NamedTuple):
    """The results of the first seat between two equal players."""

    name: str
    result: Count
    level_count: int
    """How many levels are assessed together."""

    @property
    def share(self) -> float:
        """The share of the first seat."""
        return self.result.share

    @property
    def distance(self) -> float:
        """The distance of the share from one half."""
        return round(abs(self.share - 0.5), 9)  # so that 20 % and 80 % tie despite rounding errors

    @property
    def interval(self) -> tuple[float, float]:
        """The simultaneous 95 % interval of the share."""
        return self.result.joint_interval(self.level_count)

    @property
    def favoured(self) -> int | None:
        """The favoured seat, if the interval excludes one half."""
        low, high = self.interval
        return 0 if low > 0.5 else 1 if high < 0.5 else None

    @property
    def even(self) -> bool:
        """Whether the interval contains one half and lies within `TOLERANCE` of it."""
        low, high = self.interval
        return 0.5 - TOLERANCE <= low <= 0.5 <= high <= 0.5 + TOLERANCE

    @property
    def verdict(self) -> str:
        """One of `first`, `second`, `even`, `unknown`."""
        if self.favoured is not None:
            return ("first", "second")[self.favoured]
        return "even" if self.even else "unknown"

    def text(self) -> str:
        """Return the share with its interval, for people."""
        return share_text(self.share, self.interval)

    def facts(self) -> dict[str, Any]:
        """Return the level as JSON."""
        joint = {"joint_interval": list(self.interval), "verdict": self.verdict}
        return {"level": self.name, **count_facts(self.result), **joint}


Levels = tuple[Level, ...]


def make_levels(names: list[str], counts: list[Count]) -> Levels:
    """Return levels that are assessed together."""
    return tuple(Level(*one, len(names)) for one in zip(names, counts, strict=True))


def worst_level(levels: Levels) -> Level:
    """Return the level furthest from even; the first among equals."""
    return max(levels, key=lambda one: one.distance)


def level_verdict(levels: Levels) -> str:
    """Return `unbalanced` if any level is, `balanced` if all are even, else `unknown`."""
    if any(one.favoured is not None for one in levels):
        return "unbalanced"
    return "balanced" if all(one.even for one in levels) else "unknown"


def balance_text(levels: Levels, seats: tuple[str, str]) -> str:
    """Say which side is favoured at which levels, the worst level first."""
    order = sorted(levels, key=lambda one: -one.distance)
    favoured = [one for one in order if one.favoured is not None]
    even = [one for one in order if one.even]
    unknown = [one for one in order if one not in favoured and one not in even]
    if not favoured and not unknown:
        low, high = min(one.interval[0] for one in even), max(one.interval[1] for one in even)
        return (
            f"Balanced at every level of skill: with 95 % certainty {seats[0]} wins between"
            f" {percentage(low)} and {percentage(high)} % at each of them. The furthest from even"
            f" is level {even[0].name}, where {seats[0]} wins {even[0].text()}."
        )
    sentences = []
    if favoured:
        first = favoured[0]
        seat = first.favoured or 0
        rank = ", the worst one," if first is order[0] else ""
        sentences.append(
            f"Not balanced: at level {first.name}{rank} {seats[seat]} is favoured; {seats[0]} wins"
            f" {first.text()} there."
        )
        for one, also in ((seat, "also "), (1 - seat, "")):
            rest = [level for level in favoured[1:] if level.favoured == one]
            if rest:
                sentences.append(f"{seats[one]} is {also}favoured {at_levels(rest)}.")
    if unknown:
        sentences.append(f"There are too few matches to tell {at_levels(unknown)}.")
    if even:
        sentences.append(f"Neither side is seen to be favoured {at_levels(even)}.")
    return " ".join(sentences)


def at_levels(levels: list[Level]) -> str:
    """Return levels with their shares as the end of a sentence."""
    listed = "; ".join(f"{one.name}, {one.text()}" for one in levels)
    return f"at these levels: {listed}" if len(levels) > 1 else f"at level {listed}"


def worst_level_text(levels: Levels) -> str:
    """Return the share at the worst level, and its name."""
    worst = worst_level(levels)
    return f"{worst.text()} at level {worst.name}"


def sweep_text(several: list[Levels], places: str) -> str:
    """Say how many of several sets of rules are balanced, each assessed by itself."""
    verdicts = [level_verdict(one) for one in several]
    balanced, unbalanced, unknown = map(verdicts.count, ("balanced", "unbalanced", "unknown"))
    return (
        f"Of {len(several):,} {places}, each judged by itself: {balanced:,} balanced at every level"
        f" of skill, {unbalanced:,} not balanced, {unknown:,} with too few matches to tell."
    )


def level_table(levels: Levels, seats: tuple[str, str], value: float | None = None) -> ReportTable:
    """Return the levels as a table, with perfect play if its value is known."""
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
            str(one.result.matches),
            str(one.result.distinct),
            words[one.verdict] + " (worst level)" * (one is worst),
        )
        for one in levels
    ]
    facts = [one.facts() for one in levels]
    if value is not None:
        share, who = (1 + value) / 2, seats[value < 0] if value else "neither side"
        rows.append((PERFECT, f"{percentage(share)} % (exact)", "", "", f"{who} is favoured"))
        facts.append({"level": PERFECT, "share": share, "value": value})
    return ReportTable(
        f"points of {seats[0]} between equals, the weakest first; {JOINT_NOTE}",
        ("both are", f"{seats[0]} wins", "matches", "distinct matches", "verdict"),
        rows,
        facts=facts,
    )


def level_plot(levels: Levels, seats: tuple[str, str], value: float | None = None) -> Drawing:
    """Plot the share at each level with its interval, and perfect play if known."""
    points = [(one.name, one.share, *one.interval) for one in levels]
    if value is not None:
        share = (1 + value) / 2
        points.append((PERFECT, share, share, share))
    names, *parts = zip(*points, strict=True)
    return interval_plot(names, [Curve("", range(len(points)), *parts)], f"points of {seats[0]}")
