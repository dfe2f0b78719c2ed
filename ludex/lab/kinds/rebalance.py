"""Rebalancing: a search for the smallest change of rules that balances a game.

It minimises the objective stated in `cost` with the TPE sampler of optuna, which is an extra. The
best candidates are then confirmed by matches with other seeds, and ranked by these alone.
"""

from typing import Any

from ludex.core.variants import write_toml
from ludex.games import game_rules
from ludex.io.text import many
from ludex.lab.balance.fairness import (
    RoundRobin,
    default_levels,
    fairness,
    fairness_table,
    levels_text,
)
from ludex.lab.balance.levels import (
    JOINT_NOTE,
    TOLERANCE,
    balance_text,
    level_plot,
    level_table,
    worst_level_text,
)
from ludex.lab.balance.parts import levels, seat_names
from ludex.lab.balance.proposals import (
    RANGE_COST,
    RULE_COST,
    Proposal,
    Range,
    RuleSearch,
    best_changes,
    change_cost,
    change_text,
    cost,
    limits_text,
    outcome_text,
    read_ranges,
)
from ludex.lab.balance.rebalance_plots import comparison_plot, trial_plot
from ludex.lab.balance.sweep import proven_value, result_text, truth_task
from ludex.lab.kinds.balance import check as check_balance
from ludex.lab.report.blocks import Block, File, Heading, Paragraph, Plot, Table
from ludex.lab.report.win_table import win_map, win_table
from ludex.lab.spec.entrant import Entrant
from ludex.lab.spec.experiment import OPENING, Experiment, Key, opening_text
from ludex.lab.spec.openings import opening_plies
from ludex.lab.spec.task import Known, Task

KEYS = {
    "vary": Key(dict[str, str], text='rules that may change, as gamma = "60:140:5"'),
    "trials": Key(int, 60, "sets of rules that are tried", scaled=True, low=6),
    "levels": Key(
        list[Entrant],
        [],
        "players from the weakest to the strongest; the game's own",
        automatic=lambda rules, given: default_levels(rules),
    ),
    "matches": Key(int, 6, "in each cell of a win table while searching", scaled=True, low=2),
    "proposals": Key(int, 5, "that are confirmed"),
    "confirm": Key(int, 40, "matches in each cell that confirm", scaled=True, low=4),
    "opening": OPENING,
}
TIMED = False
CONFIRM_OFFSET = 1_000_003  # added to the seed to confirm a proposal


def check(experiment: Experiment) -> None:
    """Raise a ValueError if a rule cannot vary."""
    read_ranges(experiment.given["vary"], experiment.variant())
    check_balance(experiment._replace(given={**experiment.given, "sweep": {}}))


def ranges(experiment: Experiment) -> list[Range]:
    """Return the rules that may change."""
    return read_ranges(experiment.given["vary"], experiment.variant())


def round_robin(experiment: Experiment, rules: dict[str, str], fresh: bool = False) -> RoundRobin:
    """Return the round robin by some rules, to search or, with other seeds, to confirm."""
    given = experiment.given
    return RoundRobin(
        experiment.game,
        dict(sorted((experiment.rules | rules).items())),
        levels(experiment),
        experiment.seed + CONFIRM_OFFSET * fresh,
        given["confirm"] if fresh else given["matches"],
        opening_plies(experiment.variant(), given["opening"]),
    )


def search_rules(experiment: Experiment, known: Known) -> RuleSearch:
    """Search as far as the known results allow."""
    varied = ranges(experiment)

    def judge(rules: dict[str, str]) -> float | list[Task]:
        players = round_robin(experiment, rules)
        missing = [task for task in players.tasks() if task not in known]
        if missing:
            return missing
        return cost(fairness(players, known), change_cost(varied, rules))

    return RuleSearch(varied, experiment.given["trials"], experiment.seed, judge)


def tasks(experiment: Experiment, known: Known) -> list[Task]:
    """Return the matches of all trials so far, then those that confirm the best."""
    found = search_rules(experiment, known)
    wanted = [task for rules, _ in found.tried for task in round_robin(experiment, rules).tasks()]
    if not found.done:
        return wanted + found.missing
    for rules in ({}, *best_changes(found.tried, experiment.given["proposals"])):
        wanted += round_robin(experiment, rules, fresh=True).tasks()
        wanted.append(truth_task(experiment.game, experiment.rules | rules))
    return wanted


def confirm(experiment: Experiment, known: Known, rules: dict[str, str]) -> Proposal:
    """Return a change of rules with the evidence of the fresh matches."""
    fair = fairness(round_robin(experiment, rules, fresh=True), known)
    return Proposal(rules, fair, change_cost(ranges(experiment), rules))


def blocks(experiment: Experiment, known: Known) -> list[Block]:
    """Report the ranked proposals with their evidence, and a file of rules for each."""
    found = search_rules(experiment, known)
    now = confirm(experiment, known, {})
    best = [
        confirm(experiment, known, rules)
        for rules in best_changes(found.tried, experiment.given["proposals"])
    ]
    best.sort(key=lambda one: (not one.confirmed, one.cost))
    better = [one for one in best if one.unfairness < now.unfairness]
    rest = [one for one in best if one.unfairness >= now.unfairness]
    result = [
        *objective_blocks(experiment, found),
        *ranking_blocks(experiment, known, now, better, rest),
        Plot(
            "trials",
            trial_plot(found.tried),
            "The cost of each trial, and the least so far, by the matches of the search; that of"
            " the rules as they are is not the one in the table, which is by the fresh matches.",
        ),
    ]
    for place, one in enumerate(better, start=1):
        result += evidence_blocks(experiment, known, place, one)
    return result


def objective_blocks(experiment: Experiment, found: RuleSearch) -> list[Block]:
    """Explain the objective and the method."""
    return [
        Heading("What was looked for"),
        Paragraph(
            "The least cost: what is unfair, which is twice the distance from one half of the"
            " share between equals at the worst level of skill, and what the better player loses"
            f" from the side from which it wins less; plus {RANGE_COST:g} of the change of each"
            f" rule as a share of its range, plus {RULE_COST:g} for each rule that changes."
        ),
        Paragraph(
            f"{levels_text(levels(experiment))} {len(found.tried)} sets of rules were tried with"
            f" {many(experiment.given['matches'], 'match')} in each cell of a win table; the best"
            f" were then played again with {many(experiment.given['confirm'], 'match')} in each"
            f" cell from other seeds, and only these count below. {opening_text(experiment)}"
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
    names = seat_names(experiment)
    proposals = [(str(place), one) for place, one in enumerate(better, start=1)]
    shown = [("as it is", now), *proposals, *(("–", one) for one in rest)]
    drawn = [("as it is", now), *proposals]
    return [
        Heading("Proposals"),
        Paragraph(f"{outcome_text(now, better, rest)} {limits_text(now, better, names)}"),
        Table(
            "a proposal is less unfair than the rules as they are; it is confirmed if at every"
            " level of skill the interval between equals has 50 % in it and nothing that is more"
            f" than {100 * TOLERANCE:.0f} points from it, and the better player's intervals lie"
            f" above 50 % from both sides; {JOINT_NOTE}",
            (
                "rank",
                "change",
                f"{names[0]} at the worst level",
                f"better as {names[0]}",
                f"better as {names[1]}",
                "perfect play",
                "unfair",
                "cost",
                "confirmed",
            ),
            [proposal_row(experiment, known, rank, one) for rank, one in shown],
            frozenset(place for place, one in enumerate(better, start=1) if one.confirmed),
            [proposal_facts(experiment, known, rank, one) for rank, one in shown],
        ),
        Plot(
            "proposals",
            comparison_plot([(rank, one.fair) for rank, one in drawn], names),
            "The rules as they are and the proposals that have a rank, confirmed or not, by fresh"
            " matches with 95 % intervals; fair is 50 % at the worst level of skill, and far to the"
            " right for the better player.",
        ),
    ]


def evidence_blocks(experiment: Experiment, known: Known, place: int, one: Proposal) -> list[Block]:
    """Report the evidence for a proposal, and its rules as a file."""
    standard, names = experiment.variant(), seat_names(experiment)
    players = round_robin(experiment, one.rules, fresh=True)
    won = players.table(known)
    value = proven_value(known, experiment.game, experiment.rules | one.rules)
    rules = game_rules(experiment.game, experiment.rules | one.rules)
    return [
        Heading(f"Proposal {place}: {change_text(ranges(experiment), one.rules)}"),
        Paragraph(balance_text(one.fair.levels, names)),
        fairness_table(one.fair, standard),
        Plot(
            f"proposal-{place}-equals",
            level_plot(one.fair.levels, names, value),
            f"What {names[0]} wins between equals, the weakest at the top; {JOINT_NOTE}.",
        ),
        level_table(one.fair.levels, names, value),
        Plot(
            f"proposal-{place}",
            win_map(players.names(), won, names),
            f"What {names[0]} wins in percent, with 95 % intervals.",
        ),
        win_table(players.names(), won, names),
        File(f"proposal-{place}.toml", write_toml(type(standard)(), rules)),
    ]


def proposal_facts(
    experiment: Experiment, known: Known, rank: str, one: Proposal
) -> dict[str, Any]:
    """Return a proposal as JSON."""
    return {
        "rank": int(rank) if rank.isdigit() else None,
        "rules": one.rules,
        **one.fair.facts(),
        "value": proven_value(known, experiment.game, experiment.rules | one.rules),
        "unfair": one.unfairness,
        "cost": one.cost,
        "confirmed": one.confirmed,
    }


def proposal_row(experiment: Experiment, known: Known, rank: str, one: Proposal) -> tuple[str, ...]:
    """Return a proposal as a row of a table."""
    standard = experiment.variant()
    change = change_text(ranges(experiment), one.rules, was=True)
    fair = one.fair
    shares = [c.text() for c in (fair.first, fair.second)]
    verdict = result_text(known, experiment.game, experiment.rules | one.rules, standard)
    return (
        rank,
        change,
        worst_level_text(fair.levels),
        *shares,
        verdict.removesuffix(" wins"),
        f"{one.unfairness:.2f}",
        f"{one.cost:.2f}",
        "yes" if one.confirmed else "no",
    )
