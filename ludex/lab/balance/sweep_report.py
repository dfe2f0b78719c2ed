"""Report blocks for the balance along one rule or across two, and for flips."""

from collections.abc import Callable

from ludex.core.rules import Rules
from ludex.io.text import many
from ludex.lab.balance import design, sweeps
from ludex.lab.balance.fairness import Fairness, fairness, levels_text
from ludex.lab.balance.levels import JOINT_NOTE, sweep_text, worst_level_text
from ludex.lab.balance.maps import RuleMap, share_map, winner_map
from ludex.lab.balance.sweep_plot import fairness_plot
from ludex.lab.balance.sweeps import Flip, PerfectPlay, Sweep, current_value, winner_text
from ludex.lab.report.blocks import Block, Heading, Paragraph, Plot, ReportTable, make_table
from ludex.lab.run.series import count_facts
from ludex.lab.spec.experiment import Experiment, opening_text
from ludex.lab.spec.task import Known

SIGNS = {None: "?", 1: "1", -1: "2", 0: "="}  # of who is ahead


def one_rule_blocks(experiment: Experiment, known: Known) -> list[Block]:
    """Report the balance along one rule."""
    [axis], rules = design.sweeps(experiment), experiment.variant()
    standard, played = current_value(axis.key, rules), experiment.given["matches"] > 0
    rows, fair, proofs, facts = [], [], [], []
    for (value,), variant in design.variants(experiment):
        proof = sweeps.perfect_play(variant, known)
        row, fact = [value, proof.text()], {axis.key: value, "value": proof.value}
        if played:
            one = fairness(design.round_robin(variant), known)
            fair.append(one)
            row += [worst_level_text(one.levels), one.first.text(), one.second.text()]
            fact |= one.facts()
        rows.append(tuple(row))
        proofs.append(proof)
        facts.append(fact)
    first, second = experiment.seat_names
    columns: tuple[str, ...] = (axis.key, "perfect play")
    result: list[Block] = [Heading(f"Along {axis.key}")]
    if played:
        columns += (f"{first} at the worst level", f"better as {first}", f"better as {second}")
        dotted = " The dotted lines are where the proven winner flips."
        result += [
            Paragraph(
                players_text(experiment, fair, "values")
                + dotted * bool(design.flips_along(experiment, known)[0])
            ),
            Plot(
                "sweep",
                fairness_plot(experiment, axis, fair, known),
                f"What {first} wins between equals, at the levels where that is most and least:"
                " both near 50 % is fair. Points with intervals, moved apart a little so that all"
                f" are seen; {JOINT_NOTE}.",
            ),
        ]
    notes = sweeps.reader_notes(proofs)
    bold = frozenset(place for place, row in enumerate(rows) if row[0] == standard)
    now = f"as it is, {axis.key} is {standard}" if standard else ""
    return [
        *result,
        *([Paragraph(notes)] if notes else []),
        ReportTable(now, columns, rows, bold, facts),
    ]


def players_text(experiment: Experiment, fair: list[Fairness], places: str) -> str:
    """Say who plays, and how many of the sets of rules are balanced."""
    return (
        f"{levels_text(experiment.given['levels'])} {many(experiment.given['matches'], 'match')} of"
        f" each pair at each side. {opening_text(experiment)}".rstrip()
        + f" {sweep_text([one.levels for one in fair], places)}"
    )


def two_rule_blocks(experiment: Experiment, known: Known) -> list[Block]:
    """Report the balance across two rules."""
    rules, (first, second) = experiment.variant(), design.sweeps(experiment)
    standard = (current_value(first.key, rules), current_value(second.key, rules))
    where, variants = RuleMap(first, second, standard), dict(design.variants(experiment))
    proofs = {values: sweeps.perfect_play(variant, known) for values, variant in variants.items()}
    result: list[Block] = [Heading(f"Across {first.key} and {second.key}")]
    if any(proof.value is not None for proof in proofs.values()):
        result += winner_blocks(where, proofs, sweeps.perfect_play(experiment, known))
    if experiment.given["matches"]:
        fair = {
            values: fairness(design.round_robin(variant), known)
            for values, variant in variants.items()
        }
        result += share_blocks(experiment, where, fair)
    return result


def winner_blocks(
    where: RuleMap, proofs: dict[tuple[str, ...], PerfectPlay], now: PerfectPlay
) -> list[Block]:
    """Report the winner under perfect play across two rules."""
    (first, second, standard), names = where, now.experiment.seat_names
    leaders = {values: sweeps.leader(proof.value) for values, proof in proofs.items()}
    signs = list(leaders.values())
    return [
        Paragraph(
            f"{len(signs) - signs.count(None):,} of {len(signs):,} sets of rules are proven:"
            f" {names[0]} wins by {signs.count(1):,}, {names[1]} by {signs.count(-1):,} of them."
            f" As it is, with {first.key} {standard[0]} and {second.key} {standard[1]}:"
            f" {now.text()}. {sweeps.reader_notes(proofs.values())}".rstrip()
        ),
        Plot(
            "winners",
            winner_map(where, leaders, names),
            "Who wins under perfect play; the cross is the game as it is.",
        ),
        where.table(
            f"the same as a table: 1 where {names[0]} wins, 2 where {names[1]} does, = a draw",
            {values: SIGNS[leader] for values, leader in leaders.items()},
            {values: {"value": proof.value} for values, proof in proofs.items()},
        ),
    ]


def share_blocks(
    experiment: Experiment, where: RuleMap, fair: dict[tuple[str, ...], Fairness]
) -> list[Block]:
    """Report the share of the first seat at the worst level across two rules."""
    name = experiment.seat_names[0]
    shares = {values: one.worst.share for values, one in fair.items()}
    return [
        Paragraph(players_text(experiment, list(fair.values()), "pairs of values")),
        Plot(
            "shares",
            share_map(where, shares, name),
            f"What {name} wins between equals at the level furthest from even, {where.caption()}",
        ),
        where.table(
            f"the same as a table: what {name} wins between equals at the worst level;"
            f" {JOINT_NOTE}",
            {values: worst_level_text(one.levels) for values, one in fair.items()},
            {values: count_facts(one.equal) | one.facts() for values, one in fair.items()},
        ),
    ]


def flip_blocks(experiment: Experiment, known: Known) -> list[Block]:
    """Report the flips along each of the rules."""
    axes, rules = design.sweeps(experiment), experiment.variant()
    result: list[Block] = [Heading("Where the winner flips")]
    for place, axis in enumerate(axes):
        found = design.flips_along(experiment, known, place)[0]
        tried = f"{axis.key}: {sweeps.values_text(axis, current_value(axis.key, rules))}"
        if found:
            result.append(flip_table(axis, axes[:place] + axes[place + 1 :], found, rules))
        else:
            result.append(Paragraph(f"None between the values tried, as far as proven ({tried})."))
    unnotes = sweeps.step_caveat(axes)
    return [*result, Paragraph(unnotes)] if unnotes else result


def flip_table(
    axis: Sweep, rest: list[Sweep], found: list[tuple[str, Flip]], rules: Rules
) -> ReportTable:
    """Return the flips along one rule as a table."""
    columns: dict[str, Callable[[tuple[str, Flip]], str]] = {
        **{other.key: lambda one: one[0] for other in rest},
        f"{axis.key} up to": lambda one: one[1].before,
        "perfect play": lambda one: winner_text(rules, one[1].winner),
        "from": lambda one: one[1].after,
        "perfect play then": lambda one: winner_text(rules, one[1].next_winner),
    }
    facts = [
        {other.key: value for other in rest} | {"rule": axis.key, **flip._asdict()}
        for value, flip in found
    ]
    tried = sweeps.values_text(axis, current_value(axis.key, rules))
    kind = "neighbours" if axis.numeric else "next to each other in what was tried"
    caption = f"proven at both values, which are {kind}; tried: {tried}"
    return make_table(caption, found, columns, facts)
