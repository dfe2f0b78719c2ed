"""Mending: a search for the smallest change of rules that balances a game.

It looks for the least of the objective that `cost` states, by the sampler TPE of optuna, which is
an extra. Then the best are confirmed by matches with other seeds, and ranked by these alone.
"""

from typing import NamedTuple

from ludex.games import game_rules
from ludex.lab.blocks import Block, File, Heading, Paragraph, Plot, Table
from ludex.lab.experiment import Experiment, Key
from ludex.lab.fairness import Fairness, Field, fairness, figures
from ludex.lab.kinds.balance import check as check_balance
from ludex.lab.kinds.balance import levels
from ludex.lab.kinds.versus import opening_words, win_map
from ludex.lab.mendplots import cloud, comparison
from ludex.lab.proposals import (
    EACH,
    FAR,
    Range,
    Search,
    chosen,
    cost,
    distance,
    in_words,
    read_ranges,
)
from ludex.lab.series import AUTOMATIC, opening_of, percent
from ludex.lab.sweep import truth_task, value_of, verdict_text
from ludex.lab.task import Known, Task
from ludex.rules import seat_name
from ludex.variant import write_toml

KEYS = {
    "vary": Key("values", None, 'rules that may change, as gamma = "60:140:5"'),
    "trials": Key("number", 60, "sets of rules that are tried", scaled=True, low=6),
    "levels": Key("contenders", [], "players from the weakest to the strongest; the game's own"),
    "matches": Key("number", 6, "in each cell of a win table while searching", scaled=True, low=2),
    "proposals": Key("number", 5, "that are confirmed"),
    "confirm": Key("number", 40, "matches in each cell that confirm", scaled=True, low=4),
    "opening": Key("number", AUTOMATIC, "random moves before a match; -1 as needed", low=-1),
}
TIMED = False
OTHER = 1_000_003  # added to the seed where a proposal is confirmed


class Proposal(NamedTuple):
    """A change of rules, with what confirms it or not."""

    rules: dict[str, str]
    fair: Fairness
    cost: float
    value: float | None

    @property
    def confirmed(self) -> bool:
        """Whether both aims are met by the fresh matches, within their intervals."""
        low, high = self.fair.equal.interval
        return (
            low <= 0.5 <= high
            and min(self.fair.first.interval[0], self.fair.second.interval[0]) > 0.5
        )


def check(experiment: Experiment) -> None:
    """Raise a ValueError if a rule cannot vary, or if the search is not installed."""
    Search.check_installed()
    read_ranges(experiment.given["vary"], experiment.variant())
    check_balance(experiment._replace(given={**experiment.given, "sweep": {}}))


def ranges(experiment: Experiment) -> list[Range]:
    """Return the rules that may change."""
    return read_ranges(experiment.given["vary"], experiment.variant())


def field(experiment: Experiment, rules: dict[str, str], fresh: bool = False) -> Field:
    """Return who plays by some rules, to search or, with other seeds, to confirm."""
    given = experiment.given
    return Field(
        experiment.game,
        dict(sorted((experiment.rules | rules).items())),
        levels(experiment),
        experiment.seed + OTHER * fresh,
        given["confirm"] if fresh else given["matches"],
        opening_of(experiment.variant(), given["opening"]),
    )


def search(experiment: Experiment, known: Known) -> Search:
    """Return the search, gone on as far as what is known allows."""

    def judge(rules: dict[str, str]) -> float | list[Task]:
        players = field(experiment, rules)
        missing = [task for task in players.tasks() if task not in known]
        if missing:
            return missing
        return cost(fairness(players, known), distance(ranges(experiment), rules))

    return Search(ranges(experiment), experiment.given["trials"], experiment.seed, judge)


def tasks(experiment: Experiment, known: Known) -> list[Task]:
    """Return the matches of all trials that are known, and then those that confirm the best."""
    found = search(experiment, known)
    wanted = [task for rules, _ in found.tried for task in field(experiment, rules).tasks()]
    if not found.done:
        return wanted + found.missing
    for rules in ({}, *chosen(found.tried, experiment.given["proposals"])):
        wanted += field(experiment, rules, fresh=True).tasks()
        wanted.append(truth_task(experiment.game, experiment.rules | rules))
    return wanted


def confirmed(experiment: Experiment, known: Known, rules: dict[str, str]) -> Proposal:
    """Return a change of rules with what fresh matches say about it."""
    fair = fairness(field(experiment, rules, fresh=True), known)
    far = distance(ranges(experiment), rules)
    value = value_of(known, experiment.game, experiment.rules | rules)
    return Proposal(rules, fair, cost(fair, far), value)


def blocks(experiment: Experiment, known: Known) -> list[Block]:
    """Return the ranked proposals with their evidence, and a file of rules for each."""
    found = search(experiment, known)
    now = confirmed(experiment, known, {})
    best = [
        confirmed(experiment, known, rules)
        for rules in chosen(found.tried, experiment.given["proposals"])
    ]
    best.sort(key=lambda one: (not one.confirmed, one.cost))
    result = [
        *aims(experiment, found),
        *ranked(experiment, now, best),
        Plot("trials", cloud(found.tried), "The cost of each trial, and the least so far."),
    ]
    for place, one in enumerate(best, start=1):
        result += evidence(experiment, known, place, one)
    return result


def sides(experiment: Experiment) -> tuple[str, str]:
    """Return what the seats are called."""
    rules = experiment.variant()
    return seat_name(rules, 0), seat_name(rules, 1)


def aims(experiment: Experiment, found: Search) -> list[Block]:
    """Return in words what was looked for, and how."""
    return [
        Heading("What was looked for"),
        Paragraph(
            "The least of: twice the distance of the share at equal skill from one half, plus what"
            " the better player loses from the side from which it wins less, plus"
            f" {FAR:g} of the change of each rule as a share of its range, plus {EACH:g} for each"
            " rule that changes."
        ),
        Paragraph(
            f"{len(found.tried)} sets of rules were tried with {experiment.given['matches']}"
            f" matches in each cell of {len(levels(experiment))} levels of skill; the best were"
            f" then confirmed with {experiment.given['confirm']} matches in each cell from other"
            f" seeds, and only these count below. {opening_words(experiment)}"
        ),
    ]


def ranked(experiment: Experiment, now: Proposal, best: list[Proposal]) -> list[Block]:
    """Return the rules as they are and the proposals, the best first, side by side."""
    names = sides(experiment)
    shown = [("as it is", now), *((str(place), one) for place, one in enumerate(best, start=1))]
    return [
        Heading("Proposals"),
        Table(
            "confirmed: the interval at equal skill has 50 % in it, and the better player's"
            " intervals lie above 50 % from both sides",
            (
                "rank",
                "change",
                f"{names[0]} at equal skill",
                f"better as {names[0]}",
                f"better as {names[1]}",
                "perfect play",
                "cost",
                "confirmed",
            ),
            [row(experiment, rank, one) for rank, one in shown],
            frozenset(place for place, one in enumerate(best, start=1) if one.confirmed),
        ),
        Plot(
            "proposals",
            comparison([(rank, one.fair) for rank, one in shown], names),
            "Fresh matches with 95 % intervals; fair is 50 % at equal skill, and far to the right"
            " for the better player.",
        ),
    ]


def evidence(experiment: Experiment, known: Known, place: int, one: Proposal) -> list[Block]:
    """Return what speaks for a proposal, and its rules as a file."""
    standard, names = experiment.variant(), sides(experiment)
    players = field(experiment, one.rules, fresh=True)
    rules = game_rules(experiment.game, experiment.rules | one.rules)
    return [
        Heading(f"Proposal {place}: {in_words(ranges(experiment), one.rules)}"),
        figures(one.fair, standard),
        Plot(
            f"proposal-{place}",
            win_map(players.names(), players.table(known), names),
            f"What {names[0]} wins in percent, with 95 % intervals.",
        ),
        File(f"proposal-{place}.toml", write_toml(type(standard)(), rules)),
    ]


def row(experiment: Experiment, rank: str, one: Proposal) -> tuple[str, ...]:
    """Return a proposal as a row of a table."""
    standard = experiment.variant()
    change = in_words(ranges(experiment), one.rules, was=True)
    fair = one.fair
    shares = [percent(c.share, c.interval) for c in (fair.equal, fair.first, fair.second)]
    verdict = verdict_text(standard, one.value).removesuffix(" wins")
    return (
        rank,
        change,
        *shares,
        verdict,
        f"{one.cost:.2f}",
        "yes" if one.confirmed else "no",
    )
