"""A round robin from either seat: depth against depth, or any other agents."""

import itertools

import numpy as np

from ludex.io.text import many
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
    caption = f"Orange is good for {seats[1]}, purple for {seats[0]}."
    return [
        Heading("Who beats whom, from which side"),
        Paragraph(
            f"{many(experiment.given['matches'], 'match')} in each cell."
            f" {opening_text(experiment)}"
            " A number is the share of the points of the first seat in percent, a draw one half;"
            " below it is its 95 % interval."
        ),
        *win_blocks("sides", names, won, seats, caption),
        Heading("Ratings"),
        make_table(
            "Elo of all matches together, from as many as they amount to, the mean 0; points"
            " against others at both seats; a decision takes longer where tasks run side by side",
            facts,
            {
                "agent": "agent",
                "Elo": lambda one: f"{one['elo']:+.0f}",
                "95 % interval": lambda one: "{:+.0f} to {:+.0f}".format(*one["elo_interval"]),
                "share": share_cell,
                "a decision": seconds_cell,
            },
        ),
    ]
