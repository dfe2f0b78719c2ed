"""Rebalancing: a search for the smallest change of rules that balances a game.

It minimises the objective stated in `cost` with the TPE sampler of optuna, which is an extra. The
best candidates are then confirmed by matches with other seeds, and ranked by these alone.
"""

from typing import Any

from ludex.core.variants import write_toml
from ludex.io.text import many
from ludex.lab.balance import design, levels, proposals, sweeps
from ludex.lab.balance.fairness import RoundRobin, fairness, fairness_table, levels_text
from ludex.lab.balance.proposals import Proposal, change_text, limits_text, outcome_text
from ludex.lab.kinds.balance import check as check_balance
from ludex.lab.report.blocks import Block, File, Heading, Paragraph, Plot, ReportTable, make_table
from ludex.lab.report.win_table import win_blocks
from ludex.lab.spec.experiment import OPENING, Experiment, Setting, opening_text
from ludex.lab.spec.task import Known, Task

KEYS = {
    "vary": Setting(dict[str, str], text='rules that may change, as gamma = "60:140:5"'),
    "trials": Setting(int, 60, "sets of rules that are tried", scaled=True, low=6),
    "levels": design.LEVELS,
    "matches": Setting(int, 6, "in each cell of a win table while searching", scaled=True, low=2),
    "proposals": Setting(int, 5, "that are confirmed"),
    "confirm": Setting(int, 40, "matches in each cell that confirm", scaled=True, low=4),
    "opening": OPENING,
    "device": design.DEVICE,
}
TIMED = False
CONFIRM_OFFSET = 1_000_003  # added to the seed to confirm a proposal


def check(experiment: Experiment) -> None:
    """Raise a ValueError if a rule cannot vary."""
    ranges(experiment)
    check_balance(experiment._replace(given={**experiment.given, "sweep": {}}))


def ranges(experiment: Experiment) -> list[proposals.Range]:
    """Return the rules that may change."""
    return proposals.read_ranges(experiment.given["vary"], experiment.variant())


def round_robin(experiment: Experiment, rules: dict[str, str], fresh: bool = False) -> RoundRobin:
    """Return the round robin by some rules, to search or, with other seeds, to confirm."""
    players = design.round_robin(experiment.with_rules(rules))
    if not fresh:
        return players
    again = players.experiment._replace(seed=experiment.seed + CONFIRM_OFFSET)
    return players._replace(experiment=again, matches=experiment.given["confirm"])


def search_rules(experiment: Experiment, known: Known) -> tuple[proposals.Tried, list[Task]]:
    """Search as far as the known results allow."""
    varied = ranges(experiment)

    def cost_of(rules: dict[str, str]) -> float | list[Task]:
        players = round_robin(experiment, rules)
        missing = [task for task in players.tasks() if task not in known]
        if missing:
            return missing
        return proposals.cost(fairness(players, known), proposals.change_cost(varied, rules))

    return proposals.search_rules(varied, experiment.given["trials"], experiment.seed, cost_of)


def tasks(experiment: Experiment, known: Known) -> list[Task]:
    """Return the matches of all trials so far, then those that confirm the best."""
    tried, missing = search_rules(experiment, known)
    wanted = [task for rules, _ in tried for task in round_robin(experiment, rules).tasks()]
    if missing:
        return wanted + missing
    for rules in ({}, *proposals.best_changes(tried, experiment.given["proposals"])):
        wanted += round_robin(experiment, rules, fresh=True).tasks()
        wanted.append(experiment.with_rules(rules).task("truth"))
    return wanted


def confirm(experiment: Experiment, known: Known, rules: dict[str, str]) -> Proposal:
    """Return a change of rules with the evidence of the fresh matches."""
    fair = fairness(round_robin(experiment, rules, fresh=True), known)
    return Proposal(rules, fair, proposals.change_cost(ranges(experiment), rules))


def blocks(experiment: Experiment, known: Known) -> list[Block]:
    """Report the ranked proposals with their evidence, and a file of rules for each."""
    tried, _ = search_rules(experiment, known)
    now = confirm(experiment, known, {})._replace(rank=proposals.AS_IT_IS)
    best = [
        confirm(experiment, known, rules)
        for rules in proposals.best_changes(tried, experiment.given["proposals"])
    ]
    best.sort(key=lambda one: (not one.confirmed, one.cost))
    better = [one for one in best if one.unfairness < now.unfairness]
    better = [one._replace(rank=str(place)) for place, one in enumerate(better, start=1)]
    rest = [one for one in best if one.unfairness >= now.unfairness]
    result = [
        *objective_blocks(experiment, len(tried)),
        *ranking_blocks(experiment, known, now, better, rest),
        Plot(
            "trials",
            proposals.trial_plot(tried),
            "The cost of each trial, and the least so far, by the matches of the search; that of"
            " the rules as they are is not the one in the table, which is by the fresh matches.",
        ),
    ]
    for one in better:
        result += evidence_blocks(experiment, known, one)
    return result


def objective_blocks(experiment: Experiment, trials: int) -> list[Block]:
    """Explain the objective and the method."""
    return [
        Heading("What was looked for"),
        Paragraph(
            "The least cost: what is unfair, which is twice the distance from one half of the"
            " share between equals at the worst level of skill, and what the better player loses"
            f" from the side from which it wins less; plus {proposals.RANGE_COST:g} of the change"
            f" of each rule as a share of its range, plus {proposals.RULE_COST:g} for each rule"
            " that changes."
        ),
        Paragraph(
            f"{levels_text(experiment.given['levels'])} {trials} sets of rules were tried"
            f" with {many(experiment.given['matches'], 'match')} in each cell of a win table;"
            " the best were then played again with"
            f" {many(experiment.given['confirm'], 'match')} in each cell from other seeds, and only"
            f" these count below. {opening_text(experiment)}"
        ),
    ]


def ranking_blocks(
    experiment: Experiment,
    known: Known,
    now: Proposal,
    better: list[Proposal],
    rest: list[Proposal],
) -> list[Block]:
    """Compare the current rules and the proposals, the best first."""
    names = experiment.seat_names
    return [
        Heading("Proposals"),
        Paragraph(f"{outcome_text(now, better, rest)} {limits_text(now, better, names)}"),
        proposal_table(experiment, known, [now, *better, *rest]),
        Plot(
            "proposals",
            proposals.comparison_plot([now, *better], names),
            "The rules as they are and the proposals that have a rank, confirmed or not, by fresh"
            " matches with 95 % intervals; fair is 50 % at the worst level of skill, and far to the"
            " right for the better player.",
        ),
    ]


def proposal_table(experiment: Experiment, known: Known, shown: list[Proposal]) -> ReportTable:
    """Return the current rules and the proposals as a table, with the confirmed ones in bold."""
    names, varied = experiment.seat_names, ranges(experiment)

    def proven(one: Proposal) -> str:
        text = sweeps.perfect_play(experiment.with_rules(one.rules), known).text()
        return text.removesuffix(" wins")

    table = make_table(
        "a proposal is less unfair than the rules as they are; it is confirmed if at every"
        " level of skill the interval between equals has 50 % in it and nothing that is more"
        f" than {100 * levels.TOLERANCE:.0f} points from it, and the better player's intervals lie"
        f" above 50 % from both sides; {levels.JOINT_NOTE}",
        shown,
        {
            "rank": lambda one: one.rank,
            "change": lambda one: change_text(varied, one.rules, was=True),
            f"{names[0]} at the worst level": lambda one: levels.worst_level_text(one.fair.levels),
            f"better as {names[0]}": lambda one: one.fair.first.text(),
            f"better as {names[1]}": lambda one: one.fair.second.text(),
            "perfect play": proven,
            "unfair": lambda one: f"{one.unfairness:.2f}",
            "cost": lambda one: f"{one.cost:.2f}",
            "confirmed": lambda one: "yes" if one.confirmed else "no",
        },
        [proposal_facts(experiment, known, one) for one in shown],
    )
    ranked = enumerate(shown)
    return table._replace(
        bold=frozenset(place for place, one in ranked if one.rank.isdigit() and one.confirmed)
    )


def proposal_facts(experiment: Experiment, known: Known, one: Proposal) -> dict[str, Any]:
    """Return a proposal as JSON."""
    return {
        "rank": int(one.rank) if one.rank.isdigit() else None,
        "rules": one.rules,
        **one.fair.facts(),
        "value": sweeps.perfect_play(experiment.with_rules(one.rules), known).value,
        "unfair": one.unfairness,
        "cost": one.cost,
        "confirmed": one.confirmed,
    }


def evidence_blocks(experiment: Experiment, known: Known, one: Proposal) -> list[Block]:
    """Report the evidence for a proposal, and its rules as a file."""
    names, variant = experiment.seat_names, experiment.with_rules(one.rules)
    value, rules = sweeps.perfect_play(variant, known).value, variant.variant()
    players = round_robin(experiment, one.rules, fresh=True)
    return [
        Heading(f"Proposal {one.rank}: {change_text(ranges(experiment), one.rules)}"),
        Paragraph(levels.balance_text(one.fair.levels, names)),
        fairness_table(one.fair, names),
        Plot(
            f"proposal-{one.rank}-equals",
            levels.level_plot(one.fair.levels, names, value),
            f"What {names[0]} wins between equals, the weakest at the top; {levels.JOINT_NOTE}.",
        ),
        levels.level_table(one.fair.levels, names, value),
        *win_blocks(f"proposal-{one.rank}", players.names(), players.table(known), names),
        File(f"proposal-{one.rank}.toml", write_toml(type(rules)(), rules)),
    ]
