"""Balance: the winner under perfect play, and between players of equal and unequal skill.

Without a sweep it examines one set of rules, with a sweep many, and locates flips of the winner.
"""

import math

from ludex.core.rules import Rules, seats
from ludex.io.plural import many
from ludex.io.schema import errors_at
from ludex.lab.balance.fairness import fairness, figures, judgement, level_words
from ludex.lab.balance.levels import JOINT, level_plot, level_table
from ludex.lab.balance.parts import (
    field,
    found_flips,
    levels,
    matches,
    seat_names,
    sweeps,
    usual_levels,
    usual_matches,
    variants,
)
from ludex.lab.balance.sweep import LIMIT, found_text, notes, truth_task, value_of
from ludex.lab.balance.sweep_blocks import across, along, flip_blocks
from ludex.lab.report.blocks import Block, Heading, Paragraph, Plot
from ludex.lab.report.win_table import win_map, win_table
from ludex.lab.run.truth import provable
from ludex.lab.spec.entrant import Contender
from ludex.lab.spec.experiment import OPENING, Experiment, Key, opening_words
from ludex.lab.spec.openings import AUTOMATIC
from ludex.lab.spec.task import Known, Task

KEYS = {
    "levels": Key(
        list[Contender],
        [],
        "players from the weakest to the strongest; the game's own",
        usual=usual_levels,
    ),
    "matches": Key(
        int,
        AUTOMATIC,
        "in each cell of a win table; -1 as is usual",
        scaled=True,
        low=-1,
        usual=usual_matches,
    ),
    "sweep": Key(dict[str, str], {}, 'one or two rules, as gamma = "60:140:4"'),
    "opening": OPENING,
}
TIMED = False
MOST = 10_000  # sets of rules


def check(experiment: Experiment) -> None:
    """Raise a ValueError if a sweep or a level is none, or rules do not go together."""
    if len(experiment.given["sweep"]) > 2:
        raise ValueError("sweep: expected one or two rules")
    axes = sweeps(experiment)
    if len(axes) == 2 and set(axes[0].key.split("+")) & set(axes[1].key.split("+")):
        raise ValueError(f"sweep: {axes[0].key} and {axes[1].key} are not different rules")
    if matches(experiment) and len(levels(experiment)) < 2:
        raise ValueError("levels: expected two at least, the weakest first (--level)")
    if math.prod(len(one.values) for one in axes) > MOST:
        raise ValueError(f"sweep: more than {MOST:,} sets of rules: take larger steps")
    for values, rules in variants(experiment):
        with errors_at(f"sweep: {', '.join(values)}"):
            number = seats(experiment._replace(rules=rules).variant())
        if number != 2:
            raise ValueError(f"balance is for games of 2 seats, not {number}")


def tasks(experiment: Experiment, known: Known) -> list[Task]:
    """Return all proofs and matches, and then those that find the flips."""
    wanted = [truth_task(experiment.game, experiment.rules)] if len(sweeps(experiment)) > 1 else []
    wanted += [truth_task(experiment.game, rules) for _, rules in variants(experiment)]
    if matches(experiment):
        for _, rules in variants(experiment):
            wanted += field(experiment, rules).tasks()
    for along_axis in range(len(sweeps(experiment))):
        wanted += found_flips(experiment, known, along_axis)[1]
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
    rules, names = experiment.variant(), seat_names(experiment)
    proven = found_text(known, experiment.game, experiment.rules, rules)
    result: list[Block] = [Heading("Under perfect play"), Paragraph(proof_words(proven, rules))]
    if matches(experiment):
        players = field(experiment, experiment.rules)
        fair, won = fairness(players, known), players.table(known)
        value = value_of(known, experiment.game, experiment.rules)
        beside = "" if value is None else f" Under perfect play: {proven}."
        result += [
            Heading("Among players"),
            Paragraph(judgement(fair, names) + beside),
            Plot(
                "equals",
                level_plot(fair.levels, names, value),
                f"What {names[0]} wins between equals, the weakest at the top; 50 % at every level"
                f" is fair, and {JOINT}.",
            ),
            Paragraph(
                f"{level_words(players.levels)} {many(players.matches, 'match')} in each cell."
                f" {opening_words(experiment)}"
            ),
            figures(fair, rules),
            level_table(fair.levels, names, value),
            Plot(
                "levels",
                win_map(players.names(), won, names),
                f"What {names[0]} wins in percent, with 95 % intervals: purple is good for"
                f" {names[0]}, orange for {names[1]}. Equal skill is on the diagonal.",
            ),
            win_table(players.names(), won, names),
        ]
    return result


def proof_words(proven: str, rules: Rules) -> str:
    """Return in words what is proven of one set of rules, or why nothing is."""
    if not proven.startswith("not proven"):
        return f"Proven: {proven}. {notes([proven])}".strip()
    if provable(rules) == "proof":
        return LIMIT if "in time" in proven else "Not proven: it has lines that are too long."
    return (
        "Not proven: the game is too big to be solved here, and chance or choosing at once keep"
        " it from being proven otherwise."
    )
