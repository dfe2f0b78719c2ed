"""Agent tables: the results of agents against opponents, and their thinking time."""

from ludex.core.rules import seat_name, seats
from ludex.io.plural import many
from ludex.lab.report.blocks import Block, Heading, Paragraph, Plot, Table, seconds_text
from ludex.lab.report.plots import bars, shares
from ludex.lab.run.series import Count, count, count_facts, percent, plus, series
from ludex.lab.spec.entrant import Contender, name_of
from ludex.lab.spec.experiment import OPENING, Experiment, Key
from ludex.lab.spec.openings import opening_of
from ludex.lab.spec.task import Known, Task

KEYS = {
    "agents": Key(list[Contender], text="who is measured"),
    "opponents": Key(list[Contender], text="against whom"),
    "matches": Key(int, 100, "of each agent against each opponent", scaled=True, low=2),
    "seats": Key(str, "both", "where the agents sit", words=("both", "first")),
    "opening": OPENING,
}
TIMED = True


def check(experiment: Experiment) -> None:
    """Raise a ValueError if the game is not for two."""
    number = seats(experiment.variant())
    if number != 2:
        raise ValueError(f"an agent table is for games of 2 seats, not {number}")


def sides(experiment: Experiment, agent: Contender, opponent: Contender) -> list[list[Task]]:
    """Return the series of an agent at the first seat and, if it sits there too, at the second.

    Whoever meets itself has other luck at the second seat: of the same matches, seen from both
    sides, one half would be won whatever happens.
    """
    given = experiment.given
    opening = opening_of(experiment.variant(), given["opening"])
    both = given["seats"] == "both"
    matches = given["matches"] // 2 if both else given["matches"]
    common, itself = (experiment.seed, matches, opening), agent == opponent
    orders = [[agent, opponent], [opponent, agent]]
    return [
        series(experiment.game, experiment.rules, order, *common, matches * seat * itself)
        for seat, order in enumerate(orders[: 2 if both else 1])
    ]


def tasks(experiment: Experiment, known: Known) -> list[Task]:
    """Return all matches."""
    given = experiment.given
    return [
        task
        for agent in given["agents"]
        for opponent in given["opponents"]
        for side in sides(experiment, agent, opponent)
        for task in side
    ]


def result(experiment: Experiment, known: Known, agent: Contender, opponent: Contender) -> Count:
    """Return what an agent has won against an opponent."""
    series_of = sides(experiment, agent, opponent)
    return plus(count(known, tasks, seat) for seat, tasks in enumerate(series_of))


def blocks(experiment: Experiment, known: Known) -> list[Block]:
    """Return who won how often, and how long they thought."""
    agents, opponents = experiment.given["agents"], experiment.given["opponents"]
    results = [[result(experiment, known, a, o) for o in opponents] for a in agents]
    return [
        Heading("Who wins"),
        Paragraph(seating(experiment)),
        *wins(agents, opponents, results),
        Heading("How long they think"),
        paces(agents, [plus(row) for row in results]),
    ]


def wins(
    agents: list[Contender], opponents: list[Contender], results: list[list[Count]]
) -> list[Block]:
    """Return what each agent has won against each opponent, as a plot and as a table."""
    names = [name_of(one) for one in agents]
    lines = [
        shares(f"against {name_of(opponent)}", range(len(agents)), [row[column] for row in results])
        for column, opponent in enumerate(opponents)
    ]
    pairs = [
        (name, name_of(opponent), one)
        for name, row in zip(names, results, strict=True)
        for opponent, one in zip(opponents, row, strict=True)
    ]
    rows = [
        (
            name,
            opponent,
            f"{one.wins}-{one.draws}-{one.losses}",
            percent(one.share, one.interval),
            str(one.different),
        )
        for name, opponent, one in pairs
    ]
    return [
        Plot("wins", bars(names, lines, "share of the points"), "Points with 95 % intervals."),
        Table(
            "won, drawn and lost; the share of the points, a draw one half, with 95 % intervals",
            ("agent", "opponent", "won-drawn-lost", "share", "different matches"),
            rows,
            facts=[
                {"agent": name, "opponent": opponent, **count_facts(one)}
                for name, opponent, one in pairs
            ],
        ),
    ]


def paces(agents: list[Contender], totals: list[Count]) -> Table:
    """Return how long each agent thinks."""
    named = [(name_of(agent), one) for agent, one in zip(agents, totals, strict=True)]
    rows = [
        (
            name,
            seconds_text(one.mean_seconds),
            seconds_text(one.seconds / one.matches),
            f"{one.decisions / one.matches:.1f}",
        )
        for name, one in named
    ]
    facts = [
        {
            "agent": name,
            "seconds": one.mean_seconds,
            "seconds_match": one.seconds / one.matches,
            "decisions": one.decisions / one.matches,
        }
        for name, one in named
    ]
    columns = ("agent", "a decision", "a match", "decisions in a match")
    return Table("on average", columns, rows, facts=facts)


def seating(experiment: Experiment) -> str:
    """Return in words who sits where, and how matches begin."""
    rules = experiment.variant()
    opening = opening_of(rules, experiment.given["opening"])
    first, matches = experiment.given["seats"] == "first", experiment.given["matches"]
    played = many(matches if first else matches // 2 * 2, "match")
    words = f"Each agent plays {played} against each opponent"
    if first:
        words += f", always as {seat_name(rules, 0)}."
    else:
        words += ", half of them at either seat, with the same luck."
        if any(one in experiment.given["opponents"] for one in experiment.given["agents"]):
            words += " Who meets itself has other luck at the second seat."
    if opening:
        words += (
            f" Each begins with {many(opening, 'move')} at random, because nothing else"
            " in this game is left to chance."
        )
    return words
