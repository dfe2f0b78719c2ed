"""Agent tables: the results of agents against opponents, and their thinking time."""

from ludex.core.rules import seats
from ludex.io.text import many, seconds_text
from ludex.lab.report.blocks import (
    Block,
    Heading,
    Paragraph,
    Plot,
    ReportTable,
    make_table,
    seconds_cell,
)
from ludex.lab.report.plots import interval_plot, share_line
from ludex.lab.run import series
from ludex.lab.run.series import Count, count_results, series_tasks, sum_counts
from ludex.lab.spec.entrant import Entrant, entrant_name
from ludex.lab.spec.experiment import OPENING, Experiment, Setting
from ludex.lab.spec.task import Known, Task

KEYS = {
    "agents": Setting(list[Entrant], text="who is measured"),
    "opponents": Setting(list[Entrant], text="against whom"),
    "matches": Setting(int, 100, "of each agent against each opponent", scaled=True, low=2),
    "seats": Setting(str, "both", "where the agents sit", words=("both", "first")),
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
    both = given["seats"] == "both"
    matches = given["matches"] // 2 if both else given["matches"]
    orders = [[agent, opponent], [opponent, agent]]
    return [
        series_tasks(experiment, order, matches, matches * seat * (agent == opponent))
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
    names, others = list(map(entrant_name, agents)), list(map(entrant_name, opponents))
    lines = [
        share_line(f"against {other}", range(len(agents)), column)
        for other, column in zip(others, zip(*results, strict=True), strict=True)
    ]
    facts = [
        {"agent": name, "opponent": other, **series.count_facts(one)}
        for name, row in zip(names, results, strict=True)
        for other, one in zip(others, row, strict=True)
    ]
    svg = interval_plot(names, lines, "share of the points")
    return [
        Plot("wins", svg, "Points with 95 % intervals."),
        make_table(
            "won, drawn and lost; the share of the points, a draw one half, with 95 % intervals",
            facts,
            {
                "agent": "agent",
                "opponent": "opponent",
                "won-drawn-lost": series.record_cell,
                "share": series.share_cell,
                "distinct matches": "different",
            },
        ),
    ]


def time_table(agents: list[Entrant], totals: list[Count]) -> ReportTable:
    """Return the thinking time of each agent."""
    facts = [
        {
            "agent": entrant_name(agent),
            "seconds": one.mean_seconds,
            "seconds_match": one.seconds / one.matches,
            "decisions": one.decisions / one.matches,
        }
        for agent, one in zip(agents, totals, strict=True)
    ]
    return make_table(
        "on average",
        facts,
        {
            "agent": "agent",
            "a decision": seconds_cell,
            "a match": lambda one: seconds_text(one["seconds_match"]),
            "decisions in a match": lambda one: f"{one['decisions']:.1f}",
        },
    )


def seating_text(experiment: Experiment) -> str:
    """Describe the seating, and how matches begin."""
    first, matches = experiment.given["seats"] == "first", experiment.given["matches"]
    played = many(matches if first else matches // 2 * 2, "match")
    words = f"Each agent plays {played} against each opponent"
    if first:
        words += f", always as {experiment.seat_names[0]}."
    else:
        words += ", half of them at either seat, with the same luck."
        if any(one in experiment.given["opponents"] for one in experiment.given["agents"]):
            words += " Who meets itself has other luck at the second seat."
    if opening := experiment.given["opening"]:
        words += (
            f" Each begins with {many(opening, 'move')} at random, because nothing else"
            " in this game is left to chance."
        )
    return words
