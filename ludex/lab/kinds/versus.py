"""A round robin from either seat: depth against depth, or any other agents."""

import itertools

import numpy as np

from ludex.core.rules import seat_name
from ludex.io.plural import many
from ludex.lab.balance.fairness import Field
from ludex.lab.kinds import agents as table
from ludex.lab.report.blocks import Block, Heading, Paragraph, Plot, Table, seconds_text
from ludex.lab.report.win_table import win_map, win_table
from ludex.lab.run.series import Count, count_facts, percent, plus
from ludex.lab.spec.entrant import Contender
from ludex.lab.spec.experiment import OPENING, Experiment, Key, opening_words
from ludex.lab.spec.openings import opening_of
from ludex.lab.spec.task import Known, Task
from ludex.stats.ratings import PRIOR, Rating, rate_group

KEYS = {
    "agents": Key(list[Contender], text="who meet"),
    "matches": Key(int, 20, "of each agent at the first seat with each", scaled=True),
    "opening": OPENING,
}
TIMED = False


def check(experiment: Experiment) -> None:
    """Raise a ValueError if the game is not for two."""
    table.check(experiment)


def field(experiment: Experiment) -> Field:
    """Return who meet."""
    given = experiment.given
    opening = opening_of(experiment.variant(), given["opening"])
    return Field(
        experiment.game,
        experiment.rules,
        given["agents"],
        experiment.seed,
        given["matches"],
        opening,
    )


def tasks(experiment: Experiment, known: Known) -> list[Task]:
    """Return all matches."""
    return field(experiment).tasks()


def rated(won: list[list[Count]], lost: list[list[Count]]) -> list[Rating]:
    """Return ratings from as many matches of each pair as theirs amount to."""
    taken = np.zeros((len(won), len(won)))
    for a, b in itertools.permutations(range(len(won)), 2):
        met = plus([won[a][b], lost[b][a]])
        taken[a, b] = met.weight * met.share
    return rate_group(taken, list(range(len(won))), 0, PRIOR, None)


def blocks(experiment: Experiment, known: Known) -> list[Block]:
    """Return the table by sides and the ratings."""
    players, rules = field(experiment), experiment.variant()
    names = players.names()
    seats = (seat_name(rules, 0), seat_name(rules, 1))
    won, lost = players.table(known), players.table(known, seat=1)
    everyone = range(len(names))
    rows, facts = [], []
    for one in rated(won, lost):
        others = [other for other in everyone if other != one.agent]
        mine = plus([*(won[one.agent][o] for o in others), *(lost[o][one.agent] for o in others)])
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
                percent(mine.share, mine.interval),
                seconds_text(mine.mean_seconds),
            )
        )
    return [
        Heading("Who beats whom, from which side"),
        Paragraph(
            f"{many(experiment.given['matches'], 'match')} in each cell."
            f" {opening_words(experiment)}"
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
