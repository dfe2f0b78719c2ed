"""Balance: who wins under perfect play, and who wins among people of equal and unequal skill.

Without a sweep it looks at one set of rules, with a sweep at many, and says where the winner flips.
"""

import itertools
import math

from ludex.lab.blocks import Block, Heading, Paragraph, Plot, Table
from ludex.lab.contender import Contender
from ludex.lab.experiment import Experiment, Key, under
from ludex.lab.fairness import Fairness, Field, default_levels, fairness, figures
from ludex.lab.kinds.versus import opening_words, win_map
from ludex.lab.maps import share_map, winner_map
from ludex.lab.plots import over, shares
from ludex.lab.series import AUTOMATIC, opening_of, percent
from ludex.lab.sweep import (
    Flip,
    Sweep,
    flips,
    read_sweep,
    truth_task,
    usual,
    value_of,
    verdict_text,
)
from ludex.lab.task import Known, Task
from ludex.lab.truth import provable
from ludex.rules import Rules, seat_name, seats

KEYS = {
    "levels": Key("contenders", [], "players from the weakest to the strongest; the game's own"),
    "matches": Key(
        "number", AUTOMATIC, "in each cell of a win table; -1 as is usual", scaled=True, low=-1
    ),
    "sweep": Key("values", {}, 'one or two rules, as gamma = "60:140:4"'),
    "opening": Key("number", AUTOMATIC, "random moves before a match; -1 as needed", low=-1),
}
TIMED = False
MOST = 10_000  # sets of rules
USUAL = (40, 10, 4)  # matches without a sweep, with one, and with two of what cannot be proven


def check(experiment: Experiment) -> None:
    """Raise a ValueError if a sweep or a level is none, or rules do not go together."""
    if len(experiment.given["sweep"]) > 2:
        raise ValueError("sweep: expected one or two rules")
    if len(levels(experiment)) < 2:
        raise ValueError("levels: expected two at least, the weakest first")
    if math.prod(len(one.values) for one in sweeps(experiment)) > MOST:
        raise ValueError(f"sweep: more than {MOST:,} sets of rules: take larger steps")
    for values, rules in variants(experiment):
        with under(f"sweep: {', '.join(values)}"):
            number = seats(experiment._replace(rules=rules).variant())
        if number != 2:
            raise ValueError(f"balance is for games of 2 seats, not {number}")


def levels(experiment: Experiment) -> list[Contender]:
    """Return who plays."""
    told: list[Contender] = experiment.given["levels"]
    return told or default_levels(experiment.variant())


def sweeps(experiment: Experiment) -> list[Sweep]:
    """Return the rules that change."""
    rules = experiment.variant()
    return [read_sweep(key, text, rules) for key, text in experiment.given["sweep"].items()]


def matches(experiment: Experiment) -> int:
    """Return how many matches a cell of a win table has."""
    asked: int = experiment.given["matches"]
    if asked != AUTOMATIC:
        return asked
    number = len(experiment.given["sweep"])
    return 0 if number == 2 and provable(experiment.variant()) == "proof" else USUAL[number]


def variants(experiment: Experiment) -> list[tuple[tuple[str, ...], dict[str, str]]]:
    """Return the values of all sweeps that go together, and the rules that they make."""
    axes = sweeps(experiment)
    found = []
    for values in itertools.product(*(axis.values for axis in axes)):
        rules = dict(experiment.rules)
        for axis, value in zip(axes, values, strict=True):
            rules |= axis.rules(value)
        found.append((values, rules))
    return found


def field(experiment: Experiment, rules: dict[str, str]) -> Field:
    """Return who plays by some rules."""
    return Field(
        experiment.game,
        rules,
        levels(experiment),
        experiment.seed,
        matches(experiment),
        opening_of(experiment.variant(), experiment.given["opening"]),
    )


def found_flips(experiment: Experiment, known: Known) -> tuple[list[tuple[str, Flip]], list[Task]]:
    """Return where the winner flips along the first sweep, for each value of the second."""
    first, *rest = sweeps(experiment)
    found, asked = [], []
    for value in rest[0].values if rest else ("",):
        others = experiment.rules | (rest[0].rules(value) if rest else {})
        there, missing = flips(experiment.game, others, first, known)
        found += [(value, flip) for flip in there]
        asked += missing
    return found, asked


def tasks(experiment: Experiment, known: Known) -> list[Task]:
    """Return all proofs and matches, and then those that find the flips."""
    wanted = [truth_task(experiment.game, rules) for _, rules in variants(experiment)]
    if matches(experiment):
        for _, rules in variants(experiment):
            wanted += field(experiment, rules).tasks()
    if sweeps(experiment):
        wanted += found_flips(experiment, known)[1]
    return wanted


def blocks(experiment: Experiment, known: Known) -> list[Block]:
    """Return what is proven, the figures of fairness, and their drawings."""
    axes = sweeps(experiment)
    if not axes:
        return single(experiment, known)
    return [
        *(along if len(axes) == 1 else across)(experiment, known),
        *flip_blocks(experiment, known),
    ]


def single(experiment: Experiment, known: Known) -> list[Block]:
    """Return the balance of one set of rules."""
    rules = experiment.variant()
    value = value_of(known, experiment.game, experiment.rules)
    proven = verdict_text(rules, value)
    players = field(experiment, experiment.rules)
    names = (seat_name(rules, 0), seat_name(rules, 1))
    result: list[Block] = [
        Heading("Under perfect play"),
        Paragraph(
            f"Proven: {proven}."
            if value is not None
            else "Not proven: the game is too big to be solved here, and chance or choosing at"
            " once keep it from being proven otherwise."
        ),
    ]
    if matches(experiment):
        result += [
            Heading("Among players"),
            Paragraph(
                f"{len(players.levels)} levels of skill, {players.matches} matches in each cell."
                f" {opening_words(experiment)}"
            ),
            figures(fairness(players, known), rules),
            Plot(
                "levels",
                win_map(players.names(), players.table(known), names),
                f"What {names[0]} wins in percent, with 95 % intervals: purple is good for"
                f" {names[0]}, orange for {names[1]}. Equal skill is on the diagonal.",
            ),
        ]
    return result


def along(experiment: Experiment, known: Known) -> list[Block]:
    """Return the balance along one rule."""
    [axis], rules = sweeps(experiment), experiment.variant()
    standard, played = usual(axis.key, rules), matches(experiment) > 0
    rows, fair = [], []
    for (value,), changed in variants(experiment):
        proven = verdict_text(rules, value_of(known, experiment.game, changed))
        row = [value, proven]
        if played:
            one = fairness(field(experiment, changed), known)
            fair.append(one)
            row += [percent(c.share, c.interval) for c in (one.equal, one.first, one.second)]
        rows.append(tuple(row))
    first, second = seat_name(rules, 0), seat_name(rules, 1)
    columns: tuple[str, ...] = (axis.key, "perfect play")
    result: list[Block] = [Heading(f"Along {axis.key}")]
    if played:
        columns += (f"{first} at equal skill", f"better as {first}", f"better as {second}")
        result += [
            Paragraph(
                f"{len(levels(experiment))} levels of skill, {matches(experiment)} matches of"
                f" each pair at each side. {opening_words(experiment)} The dotted lines are"
                " where the proven winner flips."
            ),
            Plot("sweep", plot(experiment, axis, fair, known), "Points with 95 % intervals."),
        ]
    bold = frozenset(place for place, row in enumerate(rows) if row[0] == standard)
    return [
        *result,
        Table(f"as it is, {axis.key} is {standard}", columns, rows, bold),
    ]


def plot(experiment: Experiment, axis: Sweep, fair: list[Fairness], known: Known) -> str:
    """Return the figures of fairness over one rule."""
    rules = experiment.variant()
    x = [float(value) if axis.numeric else place for place, value in enumerate(axis.values)]
    names = (f"{seat_name(rules, 0)} at equal skill", "better player, worse side")
    worse = [min((one.first, one.second), key=lambda count: count.share) for one in fair]
    lines = [
        shares(name, x, counts)
        for name, counts in zip(names, ([one.equal for one in fair], worse), strict=True)
    ]
    marked = []
    if axis.numeric:
        for _, flip in found_flips(experiment, known)[0]:
            between = (float(flip.before) + float(flip.after)) / 2
            marked.append((between, f"{flip.before} | {flip.after}"))
    standard = usual(axis.key, rules)
    now = float(standard) if axis.numeric and standard else None
    inside = now if now is not None and x[0] <= now <= x[-1] else None
    return over(lines, axis.key, "share of the points", marked, inside)


def across(experiment: Experiment, known: Known) -> list[Block]:
    """Return the balance across two rules."""
    first, second = sweeps(experiment)
    rules = experiment.variant()
    proven = {
        values: value_of(known, experiment.game, changed)
        for values, changed in variants(experiment)
    }
    names = (seat_name(rules, 0), seat_name(rules, 1))
    standard = (usual(first.key, rules), usual(second.key, rules))
    result: list[Block] = [Heading(f"Across {first.key} and {second.key}")]
    if any(value is not None for value in proven.values()):
        won = [sum(v is not None and s * v > 0 for v in proven.values()) for s in (1, -1)]
        result += [
            Paragraph(
                f"{sum(v is not None for v in proven.values()):,} of {len(proven):,} sets of rules"
                f" are proven: {names[0]} wins by {won[0]:,}, {names[1]} by {won[1]:,} of them."
            ),
            Plot(
                "winners",
                winner_map(first, second, proven, names, standard),
                "Who wins under perfect play; the cross is the game as it is.",
            ),
        ]
    if matches(experiment):
        even = {
            values: fairness(field(experiment, changed), known).equal.share
            for values, changed in variants(experiment)
        }
        result.append(
            Plot(
                "shares",
                share_map(first, second, even, names[0], standard),
                f"What {names[0]} wins at equal skill; white is fair.",
            )
        )
    return result


def flip_blocks(experiment: Experiment, known: Known) -> list[Block]:
    """Return where the winner flips."""
    axes, rules = sweeps(experiment), experiment.variant()
    found = found_flips(experiment, known)[0]
    return [
        Heading("Where the winner flips"),
        flip_table(axes, found, rules)
        if found
        else Paragraph("Nowhere in this range, as far as it is proven."),
    ]


def flip_table(axes: list[Sweep], found: list[tuple[str, Flip]], rules: Rules) -> Table:
    """Return the flips as a table."""
    first, *rest = axes
    columns = (
        *(axis.key for axis in rest),
        f"{first.key} up to",
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
    return Table("proven at both values, which are neighbours", columns, rows)
