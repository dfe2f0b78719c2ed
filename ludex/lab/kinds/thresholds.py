"""Flips: for each rule alone, the value from which the winner under perfect play changes."""

from itertools import pairwise
from math import inf, isinf
from typing import Any

from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.patches import Patch
from matplotlib.ticker import MaxNLocator

from ludex.core.rules import seats
from ludex.lab.balance import design, sweeps
from ludex.lab.balance.maps import SIDE_COLOURS
from ludex.lab.balance.sweeps import Flip, Sweep, leader
from ludex.lab.report.blocks import Block, Drawing, Heading, Paragraph, Plot, ReportTable
from ludex.lab.report.plots import FAINT, INK, SMALL, fitted_names, is_narrow, make_drawing
from ludex.lab.run.perfect_play import proof_method
from ludex.lab.run.series import percentage
from ludex.lab.spec.experiment import Experiment, Setting
from ludex.lab.spec.task import Known, Task

KEYS = {"sweeps": Setting(dict[str, str], text='rules with their values, as gamma = "60:140:4"')}
TIMED = False


def check(experiment: Experiment) -> None:
    """Raise a ValueError if nothing can be proven, or a sweep is not valid."""
    rules = experiment.variant()
    if seats(rules) != 2 or not proof_method(rules):
        raise ValueError("game: who wins cannot be proven by these rules")
    if not experiment.given["sweeps"]:
        raise ValueError("sweeps: expected one rule at least")
    for sweep in design.sweeps(experiment, "sweeps"):
        if not sweep.numeric:
            listed = ",".join(sweep.values)
            raise ValueError(f"sweeps: {sweep.key} = {listed!r}: expected whole numbers")


def tasks(experiment: Experiment, known: Known) -> list[Task]:
    """Return the proofs along all rules, then those that locate the flips."""
    wanted = [experiment.task("truth")]
    for sweep in design.sweeps(experiment, "sweeps"):
        values = map(sweep.rules, sweep.values)
        wanted += [experiment.with_rules(one).task("truth") for one in values]
        wanted += sweeps.find_flips(experiment, sweep, known)[1]
    return wanted


def blocks(experiment: Experiment, known: Known) -> list[Block]:
    """Report the flips, the smallest change first."""
    rules, axes = experiment.variant(), design.sweeps(experiment, "sweeps")
    now = sweeps.perfect_play(experiment, known)
    found = [
        (axis, sweeps.current_value(axis.key, rules), sweeps.find_flips(experiment, axis, known)[0])
        for axis in axes
    ]
    found.sort(key=lambda one: needed_change(one[1], one[2], now.value))
    rows, facts = [], []
    for sweep, standard, there in found:
        tried = (sweep.key.replace("+", ", "), standard, sweeps.values_text(sweep, standard))
        if not there:
            rows.append((*tried, "none of these", "", ""))
        for flip in sorted(there, key=lambda one: smallest_change(standard, [one])):
            change = needed_change(standard, [flip], now.value)
            between = f"{flip.before} and {flip.after}"
            sides = (sweeps.winner_text(rules, one) for one in (flip.winner, flip.next_winner))
            who = ", then ".join(side.removesuffix(" wins") for side in sides)
            rows.append((*tried, between, who, "" if isinf(change) else f"{percentage(change)} %"))
            change_fact = {"change": None if isinf(change) else change}
            facts.append({"rule": sweep.key, **flip._asdict(), **change_fact})
    proofs = [sweeps.PerfectPlay(experiment, **answer) for answer in known.values()]
    proven = sum(one.value is not None for one in proofs)
    return [
        Heading("Which change of one rule changes the winner"),
        Paragraph(
            f"As it is: {now.text()}. {proven:,} of {len(known):,} sets of rules are proven."
            " Each rule is changed alone; several names share one value. Flips are exact: the two"
            f" values are neighbours. {sweeps.step_caveat(axes)}"
            f" {sweeps.reader_notes(proofs)}".rstrip()
        ),
        Plot(
            "flips",
            strip_plot(experiment, known, [(sweep, standard) for sweep, standard, _ in found]),
            "Who wins under perfect play, over the value of each rule alone; the black line is"
            " the rule as it is.",
        ),
        ReportTable(
            "the smallest change that changes the winner first; a flip further away, which leads"
            " back to who wins now, needs no figure",
            ("rule", "is", "tried", "flips between", "who wins", "change needed"),
            rows,
            facts=facts,
        ),
    ]


def needed_change(standard: str, there: list[Flip], now: float | None) -> float:
    """Return the smallest change that changes the current winner."""
    away = [
        flip
        for flip in there
        if leader(flip.winner if lies_below(standard, flip) else flip.next_winner) != leader(now)
    ]
    return smallest_change(standard, away)


def lies_below(standard: str, flip: Flip) -> bool:
    """Return whether a flip lies below the current value."""
    return bool(standard) and float(standard) > float(flip.before)


def smallest_change(standard: str, there: list[Flip]) -> float:
    """Return the smallest change across a flip, relative to the current value."""
    if not there or not standard:
        return inf
    here = float(standard)
    ends = [flip.before if lies_below(standard, flip) else flip.after for flip in there]
    return min(abs(float(end) - here) for end in ends) / max(here, 1.0)


def strip_plot(experiment: Experiment, known: Known, shown: list[tuple[Sweep, str]]) -> Drawing:
    """Plot a strip for each rule, coloured by the winner."""
    first, second = experiment.seat_names
    names = {1: f"{first} wins (striped)", -1: f"{second} wins", 0: "a draw"}

    def draw(figure: Figure) -> None:
        every = figure.subplots(len(shown), 1, squeeze=False)[:, 0]
        seen: set[int] = set()
        for axes, (sweep, standard) in zip(every, shown, strict=True):
            seen |= draw_strip(axes, experiment, known, sweep)
            if standard:
                axes.axvline(int(standard), color="black", linewidth=2.5)
        patches = [
            Patch(edgecolor="white" if sign > 0 else FAINT, label=name, **side_style(sign))
            for sign, name in names.items()
            if sign in seen
        ]
        figure.legend(
            handles=patches,
            loc="outside upper center",
            ncols=1 if is_narrow(figure) else 3,
            frameon=False,
            labelcolor=INK,
        )

    return make_drawing(draw, 0.8 + 0.52 * len(shown), 1.2 + 0.58 * len(shown))


def side_style(sign: int) -> dict[str, Any]:
    """Return colour and pattern of the side that is ahead."""
    return {"facecolor": SIDE_COLOURS[sign + 1], "hatch": "///" if sign > 0 else None}


def draw_strip(axes: Axes, experiment: Experiment, known: Known, sweep: Sweep) -> set[int]:
    """Draw the winner over the values of one rule, and return the signs that occur."""
    low, high = int(sweep.values[0]), int(sweep.values[-1])
    first = sweeps.perfect_play(experiment.with_rules(sweep.rules(str(low))), known).value
    there = sweeps.find_flips(experiment, sweep, known)[0]
    between = ((int(one.before) + int(one.after)) / 2 for one in there)
    edges = [low - 0.5, *between, high + 0.5]
    signs = [leader(value) for value in (first, *(one.next_winner for one in there))]
    for (begin, end), sign in zip(pairwise(edges), signs, strict=True):
        if sign is not None:
            axes.axvspan(begin, end, edgecolor="white", linewidth=0, **side_style(sign))
    axes.set(yticks=[], xlim=(edges[0], edges[-1]), ylim=(0, 1))
    axes.xaxis.set_major_locator(MaxNLocator(8, integer=True, steps=[1, 2, 5, 10]))
    [name] = fitted_names(axes.figure, [sweeps.key_text(sweep.key)])
    axes.set_ylabel(name, rotation=0, ha="right", va="center")
    axes.spines[:].set_visible(False)
    axes.tick_params(labelsize=SMALL)
    return {sign for sign in signs if sign is not None}
