"""Balance: the winner under perfect play, and between players of equal and unequal skill.

Without a sweep it examines one set of rules, with a sweep many, and locates flips of the winner.
"""

import math

from ludex.core.rules import Rules, seats
from ludex.io.schema import errors_at
from ludex.io.text import many
from ludex.lab.balance.fairness import fairness, fairness_table, fairness_text, levels_text
from ludex.lab.balance.levels import JOINT_NOTE, level_plot, level_table
from ludex.lab.balance.parts import (
    auto_levels,
    auto_matches,
    flips_along,
    levels,
    matches,
    round_robin,
    seat_names,
    sweeps,
    variants,
)
from ludex.lab.balance.sweep import BUDGET_NOTE, proven_value, reader_notes, result_text, truth_task
from ludex.lab.balance.sweep_blocks import flip_blocks, one_rule_blocks, two_rule_blocks
from ludex.lab.report.blocks import Block, Heading, Paragraph, Plot
from ludex.lab.report.win_table import win_map, win_table
from ludex.lab.run.truth import proof_method
from ludex.lab.spec.entrant import Entrant
from ludex.lab.spec.experiment import OPENING, Experiment, Key, opening_text
from ludex.lab.spec.openings import AUTOMATIC
from ludex.lab.spec.task import Known, Task

KEYS = {
    "levels": Key(
        list[Entrant],
        [],
        "players from the weakest to the strongest; the game's own",
        automatic=auto_levels,
    ),
    "matches": Key(
        int,
        AUTOMATIC,
        "in each cell of a win table; -1 as is usual",
        scaled=True,
        low=-1,
        automatic=auto_matches,
    ),
    "sweep": Key(dict[str, str], {}, 'one or two rules, as gamma = "60:140:4"'),
    "opening": OPENING,
}
TIMED = False
RULE_SETS_MAX = 10_000  # sets of rules


def check(experiment: Experiment) -> None:
    """Raise a ValueError if a sweep, the levels or a set of rules is not valid."""
    if len(experiment.given["sweep"]) > 2:
        raise ValueError("sweep: expected one or two rules")
    axes = sweeps(experiment)
    if len(axes) == 2 and set(axes[0].key.split("+")) & set(axes[1].key.split("+")):
        raise ValueError(f"sweep: {axes[0].key} and {axes[1].key} are not different rules")
    if matches(experiment) and len(levels(experiment)) < 2:
        raise ValueError("levels: expected two at least, the weakest first (--level)")
    if math.prod(len(one.values) for one in axes) > RULE_SETS_MAX:
        raise ValueError(f"sweep: more than {RULE_SETS_MAX:,} sets of rules: take larger steps")
    for values, rules in variants(experiment):
        with errors_at(f"sweep: {', '.join(values)}"):
            number = seats(experiment._replace(rules=rules).variant())
        if number != 2:
            raise ValueError(f"balance is for games of 2 seats, not {number}")


def tasks(experiment: Experiment, known: Known) -> list[Task]:
    """Return all proofs and matches, then those that locate the flips."""
    wanted = [truth_task(experiment.game, experiment.rules)] if len(sweeps(experiment)) > 1 else []
    wanted += [truth_task(experiment.game, rules) for _, rules in variants(experiment)]
    if matches(experiment):
        for _, rules in variants(experiment):
            wanted += round_robin(experiment, rules).tasks()
    for along_axis in range(len(sweeps(experiment))):
        wanted += flips_along(experiment, known, along_axis)[1]
    return wanted


def blocks(experiment: Experiment, known: Known) -> list[Block]:
    """Report what is proven, and the balance among players."""
    axes = sweeps(experiment)
    if not axes:
        return rule_set_blocks(experiment, known)
    return [
        *(one_rule_blocks if len(axes) == 1 else two_rule_blocks)(experiment, known),
        *flip_blocks(experiment, known),
    ]


def rule_set_blocks(experiment: Experiment, known: Known) -> list[Block]:
    """Report the balance of one set of rules."""
    rules, names = experiment.variant(), seat_names(experiment)
    proven = result_text(known, experiment.game, experiment.rules, rules)
    result: list[Block] = [Heading("Under perfect play"), Paragraph(proof_text(proven, rules))]
    if matches(experiment):
        players = round_robin(experiment, experiment.rules)
        fair, won = fairness(players, known), players.table(known)
        value = proven_value(known, experiment.game, experiment.rules)
        beside = "" if value is None else f" Under perfect play: {proven}."
        result += [
            Heading("Among players"),
            Paragraph(fairness_text(fair, names) + beside),
            Plot(
                "equals",
                level_plot(fair.levels, names, value),
                f"What {names[0]} wins between equals, the weakest at the top; 50 % at every level"
                f" is fair, and {JOINT_NOTE}.",
            ),
            Paragraph(
                f"{levels_text(players.levels)} {many(players.matches, 'match')} in each cell."
                f" {opening_text(experiment)}"
            ),
            fairness_table(fair, rules),
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


def proof_text(proven: str, rules: Rules) -> str:
    """Say what is proven of one set of rules, or why nothing is."""
    if not proven.startswith("not proven"):
        return f"Proven: {proven}. {reader_notes([proven])}".strip()
    if proof_method(rules) == "proof":
        return BUDGET_NOTE if "in time" in proven else "Not proven: it has lines that are too long."
    return (
        "Not proven: the game is too big to be solved here, and chance or choosing at once keep"
        " it from being proven otherwise."
    )
