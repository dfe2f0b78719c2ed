"""A round robin from either seat: depth against depth, or any other agents."""

import itertools

import numpy as np

from ludex.io.text import many, signed
from ludex.lab.balance.design import round_robin
from ludex.lab.kinds import agents as table
from ludex.lab.report.blocks import Block, Heading, Paragraph, make_table, seconds_cell
from ludex.lab.report.win_table import win_blocks
from ludex.lab.run.series import Count, count_facts, share_cell, sum_counts
from ludex.lab.spec.entrant import Entrant
from ludex.lab.spec.experiment import OPENING, Experiment, Setting, opening_text
from ludex.lab.spec.task import Known, Task
from ludex.stats.ratings import PRIOR, Rating, rate_group

KEYS = {
    "agents": Setting(list[Entrant], text="who meet"),
    "matches": Setting(int, 20, "of each agent at the first seat with each", scaled=True),
    "opening": OPENING,
}
TIMED = False
check = table.check


def tasks(experiment: Experiment, known: Known) -> list[Task]:
    """Return all matches."""
    return round_robin(experiment, "agents").tasks()


def rate_agents(won: list[list[Count]], lost: list[list[Count]]) -> list[Rating]:
    """Return ratings, weighting each pair by its effective number of matches."""
    taken = np.zeros((len(won), len(won)))
    for a, b in itertools.permutations(range(len(won)), 2):
        met = sum_counts([won[a][b], lost[b][a]])
        taken[a, b] = met.effective_size * met.share
    return rate_group(taken, list(range(len(won))), 0, PRIOR, None)


def blocks(experiment: Experiment, known: Known) -> list[Block]:
    """Report the table by seats and the ratings."""
    players, seats = round_robin(experiment, "agents"), experiment.seat_names
    names = players.names()
    won, lost = players.table(known), players.table(known, seat=1)
    everyone = range(len(names))
    facts = []
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
    colours = f"Purple is good for {seats[0]}, orange for {seats[1]}."
    return [
        Heading("Who beats whom, from which side"),
        Paragraph(
            f"{many(experiment.given['matches'], 'match')} in each cell."
            f" {opening_text(experiment)}"
            " A draw counts as half a win."
        ),
        *win_blocks("sides", names, won, seats, colours),
        Heading("Ratings"),
        make_table(
            "Elo with a mean of 0, each pair weighted by its effective number of independent"
            " matches; share of the points against the others from both seats; decisions take"
            " longer when tasks run in parallel",
            facts,
            {
                "agent": "agent",
                "Elo": lambda one: signed(one["elo"], 0),
                "95 % interval": lambda one: " to ".join(
                    signed(end, 0) for end in one["elo_interval"]
                ),
                "share": share_cell,
                "a decision": seconds_cell,
            },
        ),
    ]
