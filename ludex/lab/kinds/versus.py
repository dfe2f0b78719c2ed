"""A round robin from either seat: depth against depth, or any other agents."""

import itertools

import numpy as np

from ludex.core.rules import seat_name
from ludex.io.text import many
from ludex.lab.balance.fairness import RoundRobin
from ludex.lab.kinds import agents as table
from ludex.lab.report.blocks import Block, Heading, Paragraph, Plot, Table, seconds_text
from ludex.lab.report.win_table import win_map, win_table
from ludex.lab.run.series import Count, count_facts, sum_counts
from ludex.lab.spec.entrant import Entrant
from ludex.lab.spec.experiment import OPENING, Experiment, Key, opening_text
from ludex.lab.spec.openings import opening_plies
from ludex.lab.spec.task import Known, Task
from ludex.stats.ratings import PRIOR, Rating, rate_group

KEYS = {
    "agents": Key(list[Entrant], text="who meet"),
    "matches": Key(int, 20, "of each agent at the first seat with each", scaled=True),
    "opening": OPENING,
}
TIMED = False
check = table.check


def round_robin(experiment: Experiment) -> RoundRobin:
    """Return the round robin."""
    given, common = experiment.given, (experiment.game, experiment.rules)
    opening = opening_plies(experiment.variant(), given["opening"])
    return RoundRobin(*common, given["agents"], experiment.seed, given["matches"], opening)


def tasks(experiment: Experiment, known: Known) -> list[Task]:
    """Return all matches."""
    return round_robin(experiment).tasks()


def rate_agents(won: list[list[Count]], lost: list[list[Count]]) -> list[Rating]:
    """Return ratings, weighting each pair by its effective number of matches."""
    taken = np.zeros((len(won), len(won)))
    for a, b in itertools.permutations(range(len(won)), 2):
        met = sum_counts([won[a][b], lost[b][a]])
        taken[a, b] = met.effective_size * met.share
    return rate_group(taken, list(range(len(won))), 0, PRIOR, None)


def blocks(experiment: Experiment, known: Known) -> list[Block]:
    """Report the table by seats and the ratings."""
    players, rules = round_robin(experiment), experiment.variant()
    names = players.names()
    seats = (seat_name(rules, 0), seat_name(rules, 1))
    won, lost = players.table(known), players.table(known, seat=1)
    everyone = range(len(names))
    rows, facts = [], []
    for one in rate_agents(won, lost):
        others = [other for other in everyone if other != one.agent]
        mine = sum_counts(c for o in others for c in (won[one.agent][o], lost[o][one.agent]))
        facts.append(
            {
                "agent": names[one.agent],
                "elo": one.elo,
                "elo_interval": [one.low, one.high],
                **count_facts(mine),
                "seconds": mine.mean_seconds,
            }
        )
        rows.append(
            (
                names[one.agent],
                f"{one.elo:+.0f}",
                f"{one.low:+.0f} to {one.high:+.0f}",
                mine.text(),
                seconds_text(mine.mean_seconds),
            )
        )
    return [
        Heading("Who beats whom, from which side"),
        Paragraph(
            f"{many(experiment.given['matches'], 'match')} in each cell."
            f" {opening_text(experiment)}"
            " A number is the share of the points of the first seat in percent, a draw one half;"
            " below it is its 95 % interval."
        ),
        Plot(
            "sides",
            win_map(names, won, seats),
            f"Orange is good for {seats[1]}, purple for {seats[0]}.",
        ),
        win_table(names, won, seats),
        Heading("Ratings"),
        Table(
            "Elo of all matches together, from as many as they amount to, the mean 0; points"
            " against others at both seats; a decision takes longer where tasks run side by side",
            ("agent", "Elo", "95 % interval", "share", "a decision"),
            rows,
            facts=facts,
        ),
    ]
