"""Agent tables: the results of agents against opponents, and their thinking time."""

from ludex.core.rules import seat_name, seats
from ludex.io.text import many
from ludex.lab.report.blocks import Block, Heading, Paragraph, Plot, Table, seconds_text
from ludex.lab.report.plots import share_line, share_plot
from ludex.lab.run.series import Count, count_facts, count_results, series_tasks, sum_counts
from ludex.lab.spec.entrant import Entrant, entrant_name
from ludex.lab.spec.experiment import OPENING, Experiment, Key
from ludex.lab.spec.openings import opening_plies
from ludex.lab.spec.task import Known, Task

KEYS = {
    "agents": Key(list[Entrant], text="who is measured"),
    "opponents": Key(list[Entrant], text="against whom"),
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


def series_by_seat(experiment: Experiment, agent: Entrant, opponent: Entrant) -> list[list[Task]]:
    """Return the series of an agent at the first seat and, if asked for, at the second.

    An agent against itself has other seeds at the second seat: the same matches seen from both
    sides would always give one half.
    """
    given = experiment.given
    opening = opening_plies(experiment.variant(), given["opening"])
    both = given["seats"] == "both"
    matches = given["matches"] // 2 if both else given["matches"]
    common, itself = (experiment.seed, matches, opening), agent == opponent
    orders = [[agent, opponent], [opponent, agent]]
    return [
        series_tasks(experiment.game, experiment.rules, order, *common, matches * seat * itself)
        for seat, order in enumerate(orders[: 2 if both else 1])
    ]


def tasks(experiment: Experiment, known: Known) -> list[Task]:
    """Return all matches."""
    given = experiment.given
    return [
        task
        for agent in given["agents"]
        for opponent in given["opponents"]
        for side in series_by_seat(experiment, agent, opponent)
        for task in side
    ]


def result(experiment: Experiment, known: Known, agent: Entrant, opponent: Entrant) -> Count:
    """Return the results of an agent against an opponent."""
    series_of = series_by_seat(experiment, agent, opponent)
    return sum_counts(count_results(known, tasks, seat) for seat, tasks in enumerate(series_of))


def blocks(experiment: Experiment, known: Known) -> list[Block]:
    """Report the results, and the thinking time."""
    agents, opponents = experiment.given["agents"], experiment.given["opponents"]
    results = [[result(experiment, known, a, o) for o in opponents] for a in agents]
    return [
        Heading("Who wins"),
        Paragraph(seating_text(experiment)),
        *result_blocks(agents, opponents, results),
        Heading("How long they think"),
        time_table(agents, [sum_counts(row) for row in results]),
    ]


def result_blocks(
    agents: list[Entrant], opponents: list[Entrant], results: list[list[Count]]
) -> list[Block]:
    """Report the results of each agent against each opponent, as a plot and a table."""
    names = [entrant_name(one) for one in agents]
    lines = [
        share_line(f"against {entrant_name(opponent)}", range(len(agents)), column)
        for opponent, column in zip(opponents, zip(*results, strict=True), strict=True)
    ]
    pairs = [
        (name, entrant_name(opponent), one)
        for name, row in zip(names, results, strict=True)
        for opponent, one in zip(opponents, row, strict=True)
    ]
    rows = [
        (name, opponent, one.record(), one.text(), str(one.distinct))
        for name, opponent, one in pairs
    ]
    svg = share_plot(names, lines, "share of the points")
    return [
        Plot("wins", svg, "Points with 95 % intervals."),
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


def time_table(agents: list[Entrant], totals: list[Count]) -> Table:
    """Return the thinking time of each agent."""
    named = [(entrant_name(agent), one) for agent, one in zip(agents, totals, strict=True)]
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


def seating_text(experiment: Experiment) -> str:
    """Describe the seating, and how matches begin."""
    rules = experiment.variant()
    opening = opening_plies(rules, experiment.given["opening"])
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
