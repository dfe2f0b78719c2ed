"""Everyone against everyone, from either seat: depth against depth, or any other agents."""

from ludex.lab.blocks import Block, Heading, Paragraph, Plot, Table, seconds_text
from ludex.lab.experiment import Experiment, Key
from ludex.lab.fairness import Field
from ludex.lab.kinds import agents as table
from ludex.lab.plots import heat_map
from ludex.lab.series import AUTOMATIC, Count, opening_of, percent, plus
from ludex.lab.task import Known, Task
from ludex.rules import seat_name
from ludex.stats import ratings

KEYS = {
    "agents": Key("contenders", None, "who meet"),
    "matches": Key("number", 20, "of each agent at the first seat with each", scaled=True),
    "opening": Key("number", AUTOMATIC, "random moves before a match; -1 as needed", low=-1),
}
TIMED = False
SMALL = 6  # agents for whose cells there is room for intervals


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


def win_map(names: list[str], won: list[list[Count]], seats: tuple[str, str]) -> str:
    """Return what the first seat has won as a heat map."""
    small = len(names) <= SMALL
    texts = [
        [
            f"{100 * one.share:.0f}"
            + (f"\n{100 * one.interval[0]:.0f}–{100 * one.interval[1]:.0f}" if small else "")
            for one in row
        ]
        for row in won
    ]
    shares = [[one.share for one in row] for row in won]
    labels = (f"{seats[1]} is", f"{seats[0]} is", f"points of {seats[0]}")
    return heat_map(names, names, shares, texts, labels)


def blocks(experiment: Experiment, known: Known) -> list[Block]:
    """Return the table by sides and the ratings."""
    players, rules = field(experiment), experiment.variant()
    names = players.names()
    seats = (seat_name(rules, 0), seat_name(rules, 1))
    won, lost = players.table(known), players.table(known, seat=1)
    everyone = range(len(names))
    results = [
        ((first, second), tuple(returns))
        for first in everyone
        for second in everyone
        for task in players.cell(first, second)
        for returns in known[task]["returns"]
        if first != second
    ]
    rated = []
    for one in ratings(results, len(names)):
        others = [other for other in everyone if other != one.agent]
        mine = plus([*(won[one.agent][o] for o in others), *(lost[o][one.agent] for o in others)])
        rated.append(
            (
                names[one.agent],
                f"{one.elo:+.0f}",
                f"{one.low:+.0f} to {one.high:+.0f}",
                percent(mine.share, mine.interval),
                seconds_text(mine.pace),
            )
        )
    return [
        Heading("Who beats whom, from which side"),
        Paragraph(
            f"{experiment.given['matches']} matches in each cell."
            f" {opening_words(experiment)}"
            " A number is the share of the points of the first seat in percent, a draw one half;"
            " below it is its 95 % interval."
        ),
        Plot(
            "sides",
            win_map(names, won, seats),
            f"Orange is good for {seats[1]}, purple for {seats[0]}.",
        ),
        Heading("Ratings"),
        Table(
            "Elo of all matches together, their mean is 0; points against others at both seats",
            ("agent", "Elo", "95 % interval", "share", "a decision"),
            rated,
        ),
    ]


def opening_words(experiment: Experiment) -> str:
    """Return in words how matches begin."""
    opening = opening_of(experiment.variant(), experiment.given["opening"])
    if not opening:
        return ""
    return (
        f"Each match begins with {opening} moves at random, the same for all pairs, because"
        " nothing else in this game is left to chance; intervals allow for matches with the same"
        " beginning being alike."
    )
