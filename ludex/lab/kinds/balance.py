"""Balance: the winner under perfect play, and between players of equal and unequal skill.

Without a sweep it examines one set of rules, with a sweep many, and locates flips of the winner.
"""

import math

from ludex.core.rules import seats
from ludex.io.schema import errors_at
from ludex.io.text import many
from ludex.lab.balance import design, sweeps
from ludex.lab.balance.fairness import fairness, fairness_table, fairness_text, levels_text
from ludex.lab.balance.levels import JOINT_NOTE, level_plot, level_table
from ludex.lab.balance.sweep_report import flip_blocks, one_rule_blocks, two_rule_blocks
from ludex.lab.report.blocks import Block, Heading, Paragraph, Plot
from ludex.lab.report.win_table import win_blocks
from ludex.lab.run.perfect_play import proof_method
from ludex.lab.spec.experiment import OPENING, Experiment, Setting, opening_text
from ludex.lab.spec.openings import AUTOMATIC
from ludex.lab.spec.task import Known, Task

KEYS = {
    "levels": design.LEVELS,
    "matches": Setting(
        int,
        AUTOMATIC,
        "in each cell of a win table; -1 as is usual",
        scaled=True,
        low=-1,
        automatic=design.auto_matches,
    ),
    "sweep": Setting(dict[str, str], {}, 'one or two rules, as gamma = "60:140:4"'),
    "opening": OPENING,
    "device": design.DEVICE,
}
TIMED = False
RULE_SETS_MAX = 10_000  # sets of rules


def check(experiment: Experiment) -> None:
    """Raise a ValueError if a sweep, the levels or a set of rules is not valid."""
    if len(experiment.given["sweep"]) > 2:
        raise ValueError("sweep: expected one or two rules")
    axes = design.sweeps(experiment)
    if len(axes) == 2 and set(axes[0].key.split("+")) & set(axes[1].key.split("+")):
        raise ValueError(f"sweep: {axes[0].key} and {axes[1].key} are not different rules")
    if experiment.given["matches"] and len(experiment.given["levels"]) < 2:
        raise ValueError("levels: expected two at least, the weakest first (--level)")
    if math.prod(len(one.values) for one in axes) > RULE_SETS_MAX:
        raise ValueError(f"sweep: more than {RULE_SETS_MAX:,} sets of rules: take larger steps")
    for values, variant in design.variants(experiment):
        with errors_at(f"sweep: {', '.join(values)}"):
            number = seats(variant.variant())
        if number != 2:
            raise ValueError(f"balance is for games of 2 seats, not {number}")


def tasks(experiment: Experiment, known: Known) -> list[Task]:
    """Return the proof and the matches of each set of rules, then what locates the flips."""
    axes, variants = design.sweeps(experiment), [one for _, one in design.variants(experiment)]
    wanted = [experiment.task("truth")] if len(axes) > 1 else []
    for variant in variants:  # one after another, so that the time left can be estimated
        wanted.append(variant.task("truth"))
        if experiment.given["matches"]:
            wanted += design.round_robin(variant).tasks()
    for along_axis in range(len(axes)):
        wanted += design.flips_along(experiment, known, along_axis)[1]
    return wanted


def blocks(experiment: Experiment, known: Known) -> list[Block]:
    """Report what is proven, and the balance among players."""
    axes = design.sweeps(experiment)
    if not axes:
        return rule_set_blocks(experiment, known)
    return [
        *(one_rule_blocks if len(axes) == 1 else two_rule_blocks)(experiment, known),
        *flip_blocks(experiment, known),
    ]


def rule_set_blocks(experiment: Experiment, known: Known) -> list[Block]:
    """Report the balance of one set of rules."""
    names = experiment.seat_names
    proof = sweeps.perfect_play(experiment, known)
    result: list[Block] = [Heading("Under perfect play"), Paragraph(proof_text(proof))]
    if experiment.given["matches"]:
        players = design.round_robin(experiment)
        fair = fairness(players, known)
        beside = "" if proof.value is None else f" Under perfect play: {proof.text()}."
        result += [
            Heading("Among players"),
            Paragraph(fairness_text(fair, names) + beside),
            Plot(
                "equals",
                level_plot(fair.levels, names, proof.value),
                f"What {names[0]} wins between equals, the weakest at the top; 50 % at every level"
                f" is fair, and {JOINT_NOTE}.",
            ),
            Paragraph(
                f"{levels_text(players.levels)} {many(players.matches, 'match')} in each cell."
                f" {opening_text(experiment)}"
            ),
            fairness_table(fair, names),
            level_table(fair.levels, names, proof.value),
            *win_blocks(
                "levels",
                players.names(),
                players.table(known),
                names,
                f"Purple is good for {names[0]}, orange for {names[1]}. Equal skill is on the"
                " diagonal.",
            ),
        ]
    return result


def proof_text(proof: sweeps.PerfectPlay) -> str:
    """Say what is proven of one set of rules, or why nothing is."""
    notes = sweeps.reader_notes([proof])
    if proof.value is not None:
        return f"Proven: {proof.text()}. {notes}".strip()
    if proof_method(proof.experiment.variant()) == "proof":
        return notes or "Not proven: it has lines that are too long."
    return (
        "Not proven: the game is too big to be solved here, and chance or choosing at once keep"
        " it from being proven otherwise."
    )
