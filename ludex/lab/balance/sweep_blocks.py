"""Report blocks for the balance along one rule or across two, and for flips."""

from typing import Any

from ludex.core.rules import Rules, seat_name
from ludex.io.plural import many
from ludex.lab.balance.fairness import Fairness, fairness, level_words
from ludex.lab.balance.levels import JOINT, sweep_words, worst_text
from ludex.lab.balance.maps import place_table, share_map, share_words, winner_map
from ludex.lab.balance.parts import (
    field,
    found_flips,
    levels,
    matches,
    seat_names,
    sweeps,
    variants,
)
from ludex.lab.balance.sweep import (
    Flip,
    Sweep,
    found_text,
    notes,
    pairs_text,
    side,
    tried_text,
    usual,
    value_of,
    verdict_text,
)
from ludex.lab.report.blocks import Block, Heading, Paragraph, Plot, Table
from ludex.lab.report.plots import Line, over, shares
from ludex.lab.run.series import count_facts, percent
from ludex.lab.spec.experiment import Experiment, opening_words
from ludex.lab.spec.task import Known


def along(experiment: Experiment, known: Known) -> list[Block]:
    """Return the balance along one rule."""
    [axis], rules = sweeps(experiment), experiment.variant()
    standard, played = usual(axis.key, rules), matches(experiment) > 0
    rows, fair, facts = [], [], []
    for (value,), changed in variants(experiment):
        row = [value, found_text(known, experiment.game, changed, rules)]
        fact: dict[str, Any] = {axis.key: value, "value": value_of(known, experiment.game, changed)}
        if played:
            one = fairness(field(experiment, changed), known)
            fair.append(one)
            row.append(worst_text(one.levels))
            row += [percent(c.share, c.interval) for c in (one.first, one.second)]
            fact |= one.facts()
        rows.append(tuple(row))
        facts.append(fact)
    first, second = seat_names(experiment)
    columns: tuple[str, ...] = (axis.key, "perfect play")
    result: list[Block] = [Heading(f"Along {axis.key}")]
    if played:
        columns += (f"{first} at the worst level", f"better as {first}", f"better as {second}")
        dotted = " The dotted lines are where the proven winner flips."
        result += [
            Paragraph(
                f"{level_words(levels(experiment))} {many(matches(experiment), 'match')} of each"
                f" pair at each side. {opening_words(experiment)}".rstrip()
                + f" {sweep_words([one.levels for one in fair], 'values')}"
                + dotted * bool(found_flips(experiment, known)[0])
            ),
            Plot(
                "sweep",
                plot(experiment, axis, fair, known),
                f"What {first} wins between equals, at the levels where that is most and least:"
                " both near 50 % is fair. Points with intervals, moved apart a little so that all"
                f" are seen; {JOINT}.",
            ),
        ]
    said = notes(row[1] for row in rows)
    bold = frozenset(place for place, row in enumerate(rows) if row[0] == standard)
    now = f"as it is, {axis.key} is {standard}" if standard else ""
    return [
        *result,
        *([Paragraph(said)] if said else []),
        Table(now, columns, rows, bold, facts),
    ]


def plot(experiment: Experiment, axis: Sweep, fair: list[Fairness], known: Known) -> str:
    """Return the figures of fairness over one rule."""
    rules = experiment.variant()
    x = [float(value) if axis.numeric else place for place, value in enumerate(axis.values)]
    first = seat_name(rules, 0)
    worse = [min((one.first, one.second), key=lambda count: count.share) for one in fair]
    lines = [
        extreme_line(f"{first}, level where it wins most", x, fair, 1),
        extreme_line(f"{first}, level where it wins least", x, fair, -1),
        shares("better player, worse side", x, worse),
    ]
    marked = []
    if axis.numeric:
        for _, flip in found_flips(experiment, known)[0]:
            between = (float(flip.before) + float(flip.after)) / 2
            marked.append((between, f"{flip.before} | {flip.after}"))
    standard = usual(axis.key, rules)
    now = float(standard) if axis.numeric and standard else None
    inside = now if now is not None and x[0] <= now <= x[-1] else None
    words = () if axis.numeric else axis.values
    return over(lines, axis.key, "share of the points", marked, inside, words)


def extreme_line(name: str, x: list[float], fair: list[Fairness], sign: int) -> Line:
    """Return the largest share of all levels over a rule, or with a sign of -1 the least."""
    ends = [max(one.levels, key=lambda level: sign * level.share) for one in fair]
    low, high = ([one.interval[end] for one in ends] for end in (0, 1))
    return Line(name, x, [one.share for one in ends], low, high)


def across(experiment: Experiment, known: Known) -> list[Block]:
    """Return the balance across two rules."""
    first, second = sweeps(experiment)
    result: list[Block] = [Heading(f"Across {first.key} and {second.key}")]
    proven = {
        values: value_of(known, experiment.game, changed)
        for values, changed in variants(experiment)
    }
    if any(value is not None for value in proven.values()):
        result += winners_across(experiment, known, proven)
    if matches(experiment):
        result += shares_across(experiment, known)
    return result


def usual_place(experiment: Experiment) -> tuple[str, str]:
    """Return the values of the two swept rules in the game as it is."""
    first, second = sweeps(experiment)
    rules = experiment.variant()
    return usual(first.key, rules), usual(second.key, rules)


def winners_across(
    experiment: Experiment, known: Known, proven: dict[tuple[str, ...], float | None]
) -> list[Block]:
    """Return who wins under perfect play across two rules."""
    first, second = sweeps(experiment)
    rules, names, standard = experiment.variant(), seat_names(experiment), usual_place(experiment)
    texts = [found_text(known, experiment.game, told, rules) for _, told in variants(experiment)]
    won = [sum(v is not None and s * v > 0 for v in proven.values()) for s in (1, -1)]
    now = found_text(known, experiment.game, experiment.rules, rules)
    return [
        Paragraph(
            f"{sum(v is not None for v in proven.values()):,} of {len(proven):,} sets of rules"
            f" are proven: {names[0]} wins by {won[0]:,}, {names[1]} by {won[1]:,} of them."
            f" As it is, with {first.key} {standard[0]} and {second.key} {standard[1]}:"
            f" {now}. {notes(texts)}".rstrip()
        ),
        Plot(
            "winners",
            winner_map(first, second, proven, names, standard),
            "Who wins under perfect play; the cross is the game as it is.",
        ),
        place_table(
            f"the same as a table: 1 where {names[0]} wins, 2 where {names[1]} does, = a draw",
            first,
            second,
            {values: side_text(value) for values, value in proven.items()},
            {values: {"value": value} for values, value in proven.items()},
        ),
    ]


def shares_across(experiment: Experiment, known: Known) -> list[Block]:
    """Return what the first seat wins at the worst level across two rules."""
    first, second = sweeps(experiment)
    name, standard = seat_names(experiment)[0], usual_place(experiment)
    fair = {
        values: fairness(field(experiment, changed), known)
        for values, changed in variants(experiment)
    }
    drawn = {values: one.worst.share for values, one in fair.items()}
    return [
        Paragraph(
            f"{level_words(levels(experiment))} {many(matches(experiment), 'match')} of each"
            f" pair at each side. {opening_words(experiment)}".rstrip()
            + f" {sweep_words([one.levels for one in fair.values()], 'pairs of values')}"
        ),
        Plot(
            "shares",
            share_map(first, second, drawn, name, standard),
            f"What {name} wins between equals at the level furthest from even,"
            f" {share_words(first, second)}",
        ),
        place_table(
            f"the same as a table: what {name} wins between equals at the worst level; {JOINT}",
            first,
            second,
            {values: worst_text(one.levels) for values, one in fair.items()},
            {values: count_facts(one.equal) | one.facts() for values, one in fair.items()},
        ),
    ]


def side_text(value: float | None) -> str:
    """Return who is ahead by a value in one letter."""
    return {None: "?", 1: "1", -1: "2", 0: "="}[side(value)]


def flip_blocks(experiment: Experiment, known: Known) -> list[Block]:
    """Return where the winner flips, along each of the rules."""
    axes, rules = sweeps(experiment), experiment.variant()
    result: list[Block] = [Heading("Where the winner flips")]
    for place, axis in enumerate(axes):
        found = found_flips(experiment, known, place)[0]
        tried = f"{axis.key}: {tried_text(axis, usual(axis.key, rules))}"
        if found:
            result.append(flip_table(axis, axes[:place] + axes[place + 1 :], found, rules))
        else:
            result.append(Paragraph(f"None between the values tried, as far as proven ({tried})."))
    unsaid = pairs_text(axes)
    return [*result, Paragraph(unsaid)] if unsaid else result


def flip_table(
    axis: Sweep, rest: list[Sweep], found: list[tuple[str, Flip]], rules: Rules
) -> Table:
    """Return the flips along one rule as a table."""
    columns = (
        *(other.key for other in rest),
        f"{axis.key} up to",
        "perfect play",
        "from",
        "perfect play then",
    )
    rows = [
        (
            *([value] if rest else []),
            flip.before,
            verdict_text(rules, flip.winner),
            flip.after,
            verdict_text(rules, flip.next_winner),
        )
        for value, flip in found
    ]
    facts = [
        {other.key: value for other in rest} | {"rule": axis.key, **flip._asdict()}
        for value, flip in found
    ]
    tried = tried_text(axis, usual(axis.key, rules))
    kind = "neighbours" if axis.numeric else "next to each other in what was tried"
    caption = f"proven at both values, which are {kind}; tried: {tried}"
    return Table(caption, columns, rows, facts=facts)
