"""Report blocks for the balance along one rule or across two, and for flips."""

from typing import Any

from ludex.core.rules import Rules, seat_name
from ludex.io.text import many
from ludex.lab.balance.fairness import Fairness, fairness, levels_text
from ludex.lab.balance.levels import JOINT_NOTE, sweep_text, worst_level_text
from ludex.lab.balance.maps import map_caption, map_table, share_map, winner_map
from ludex.lab.balance.parts import (
    flips_along,
    levels,
    matches,
    round_robin,
    seat_names,
    sweeps,
    variants,
)
from ludex.lab.balance.sweep import (
    Flip,
    Sweep,
    current_value,
    leader,
    proven_value,
    reader_notes,
    result_text,
    step_caveat,
    values_text,
    winner_text,
)
from ludex.lab.report.blocks import Block, Heading, Paragraph, Plot, Table
from ludex.lab.report.plots import Line, share_line, sweep_plot
from ludex.lab.run.series import count_facts
from ludex.lab.spec.experiment import Experiment, opening_text
from ludex.lab.spec.task import Known


def one_rule_blocks(experiment: Experiment, known: Known) -> list[Block]:
    """Report the balance along one rule."""
    [axis], rules = sweeps(experiment), experiment.variant()
    standard, played = current_value(axis.key, rules), matches(experiment) > 0
    rows, fair, facts = [], [], []
    for (value,), changed in variants(experiment):
        row = [value, result_text(known, experiment.game, changed, rules)]
        proven = proven_value(known, experiment.game, changed)
        fact: dict[str, Any] = {axis.key: value, "value": proven}
        if played:
            one = fairness(round_robin(experiment, changed), known)
            fair.append(one)
            row.append(worst_level_text(one.levels))
            row += [c.text() for c in (one.first, one.second)]
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
                players_text(experiment, fair, "values")
                + dotted * bool(flips_along(experiment, known)[0])
            ),
            Plot(
                "sweep",
                fairness_plot(experiment, axis, fair, known),
                f"What {first} wins between equals, at the levels where that is most and least:"
                " both near 50 % is fair. Points with intervals, moved apart a little so that all"
                f" are seen; {JOINT_NOTE}.",
            ),
        ]
    said = reader_notes(row[1] for row in rows)
    bold = frozenset(place for place, row in enumerate(rows) if row[0] == standard)
    now = f"as it is, {axis.key} is {standard}" if standard else ""
    return [*result, *([Paragraph(said)] if said else []), Table(now, columns, rows, bold, facts)]


def players_text(experiment: Experiment, fair: list[Fairness], places: str) -> str:
    """Say who plays, and how many of the sets of rules are balanced."""
    return (
        f"{levels_text(levels(experiment))} {many(matches(experiment), 'match')} of each pair at"
        f" each side. {opening_text(experiment)}".rstrip()
        + f" {sweep_text([one.levels for one in fair], places)}"
    )


def fairness_plot(experiment: Experiment, axis: Sweep, fair: list[Fairness], known: Known) -> str:
    """Plot the balance over one rule."""
    rules = experiment.variant()
    x = [float(value) if axis.numeric else place for place, value in enumerate(axis.values)]
    first = seat_name(rules, 0)
    worse = [min((one.first, one.second), key=lambda count: count.share) for one in fair]
    lines = [
        extreme_line(f"{first}, level where it wins most", x, fair, 1),
        extreme_line(f"{first}, level where it wins least", x, fair, -1),
        share_line("better player, worse side", x, worse),
    ]
    marked = []
    if axis.numeric:
        for _, flip in flips_along(experiment, known)[0]:
            between = (float(flip.before) + float(flip.after)) / 2
            marked.append((between, f"{flip.before} | {flip.after}"))
    standard = current_value(axis.key, rules)
    now = float(standard) if axis.numeric and standard else None
    inside = now if now is not None and x[0] <= now <= x[-1] else None
    words = () if axis.numeric else axis.values
    return sweep_plot(lines, axis.key, "share of the points", marked, inside, words)


def extreme_line(name: str, x: list[float], fair: list[Fairness], sign: int) -> Line:
    """Return the largest share of all levels over a rule, or the least if `sign` is -1."""
    ends = [max(one.levels, key=lambda level: sign * level.share) for one in fair]
    low, high = ([one.interval[end] for one in ends] for end in (0, 1))
    return Line(name, x, [one.share for one in ends], low, high)


def two_rule_blocks(experiment: Experiment, known: Known) -> list[Block]:
    """Report the balance across two rules."""
    first, second = sweeps(experiment)
    result: list[Block] = [Heading(f"Across {first.key} and {second.key}")]
    proven = {
        values: proven_value(known, experiment.game, changed)
        for values, changed in variants(experiment)
    }
    if any(value is not None for value in proven.values()):
        result += winner_blocks(experiment, known, proven)
    if matches(experiment):
        result += share_blocks(experiment, known)
    return result


def current_values(experiment: Experiment) -> tuple[str, str]:
    """Return the current values of the two swept rules."""
    first, second = (current_value(one.key, experiment.variant()) for one in sweeps(experiment))
    return first, second


def winner_blocks(
    experiment: Experiment, known: Known, proven: dict[tuple[str, ...], float | None]
) -> list[Block]:
    """Report the winner under perfect play across two rules."""
    first, second = sweeps(experiment)
    rules, names = experiment.variant(), seat_names(experiment)
    standard = current_values(experiment)
    texts = [result_text(known, experiment.game, told, rules) for _, told in variants(experiment)]
    won = [sum(v is not None and s * v > 0 for v in proven.values()) for s in (1, -1)]
    now = result_text(known, experiment.game, experiment.rules, rules)
    return [
        Paragraph(
            f"{sum(v is not None for v in proven.values()):,} of {len(proven):,} sets of rules"
            f" are proven: {names[0]} wins by {won[0]:,}, {names[1]} by {won[1]:,} of them."
            f" As it is, with {first.key} {standard[0]} and {second.key} {standard[1]}:"
            f" {now}. {reader_notes(texts)}".rstrip()
        ),
        Plot(
            "winners",
            winner_map(first, second, proven, names, standard),
            "Who wins under perfect play; the cross is the game as it is.",
        ),
        map_table(
            f"the same as a table: 1 where {names[0]} wins, 2 where {names[1]} does, = a draw",
            first,
            second,
            {values: leader_text(value) for values, value in proven.items()},
            {values: {"value": value} for values, value in proven.items()},
        ),
    ]


def share_blocks(experiment: Experiment, known: Known) -> list[Block]:
    """Report the share of the first seat at the worst level across two rules."""
    first, second = sweeps(experiment)
    name, standard = seat_names(experiment)[0], current_values(experiment)
    fair = {
        values: fairness(round_robin(experiment, changed), known)
        for values, changed in variants(experiment)
    }
    drawn = {values: one.worst.share for values, one in fair.items()}
    return [
        Paragraph(players_text(experiment, list(fair.values()), "pairs of values")),
        Plot(
            "shares",
            share_map(first, second, drawn, name, standard),
            f"What {name} wins between equals at the level furthest from even,"
            f" {map_caption(first, second)}",
        ),
        map_table(
            f"the same as a table: what {name} wins between equals at the worst level;"
            f" {JOINT_NOTE}",
            first,
            second,
            {values: worst_level_text(one.levels) for values, one in fair.items()},
            {values: count_facts(one.equal) | one.facts() for values, one in fair.items()},
        ),
    ]


def leader_text(value: float | None) -> str:
    """Return the winner by a value as one character."""
    return {None: "?", 1: "1", -1: "2", 0: "="}[leader(value)]


def flip_blocks(experiment: Experiment, known: Known) -> list[Block]:
    """Report the flips along each of the rules."""
    axes, rules = sweeps(experiment), experiment.variant()
    result: list[Block] = [Heading("Where the winner flips")]
    for place, axis in enumerate(axes):
        found = flips_along(experiment, known, place)[0]
        tried = f"{axis.key}: {values_text(axis, current_value(axis.key, rules))}"
        if found:
            result.append(flip_table(axis, axes[:place] + axes[place + 1 :], found, rules))
        else:
            result.append(Paragraph(f"None between the values tried, as far as proven ({tried})."))
    unsaid = step_caveat(axes)
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
            winner_text(rules, flip.winner),
            flip.after,
            winner_text(rules, flip.next_winner),
        )
        for value, flip in found
    ]
    facts = [
        {other.key: value for other in rest} | {"rule": axis.key, **flip._asdict()}
        for value, flip in found
    ]
    tried = values_text(axis, current_value(axis.key, rules))
    kind = "neighbours" if axis.numeric else "next to each other in what was tried"
    caption = f"proven at both values, which are {kind}; tried: {tried}"
    return Table(caption, columns, rows, facts=facts)
