"""Time against strength: what an agent gains by a larger budget."""

from ludex.agents import make_agent
from ludex.lab.blocks import Block, Heading, Paragraph, Plot, Table, seconds_text
from ludex.lab.experiment import Experiment, Key
from ludex.lab.kinds import agents as table
from ludex.lab.kinds.depths import text_of
from ludex.lab.plots import Line, against_time
from ludex.lab.series import AUTOMATIC, Count, percent
from ludex.lab.task import Known, Task

KEYS = {
    "agents": Key("texts", None, "without their budgets"),
    "option": Key("text", None, "the budget", words=("depth", "sims", "seconds")),
    "values": Key("numbers", None, "how large it is"),
    "opponents": Key("contenders", None, "against whom"),
    "matches": Key("number", 100, "of each agent and budget", scaled=True, low=2),
    "opening": Key("number", AUTOMATIC, "random moves before a match; -1 as needed", low=-1),
}
TIMED = True


def check(experiment: Experiment) -> None:
    """Raise a ValueError if an agent does not have the budget."""
    table.check(as_table(experiment))
    for text in as_table(experiment).given["agents"]:
        try:
            make_agent(text, experiment.variant())
        except ValueError as error:
            raise ValueError(f"agents: {error}") from error


def as_table(experiment: Experiment) -> Experiment:
    """Return the table of agents that this is."""
    given = experiment.given
    texts = [
        text_of(agent, given["option"], value)
        for agent in given["agents"]
        for value in given["values"]
    ]
    return experiment._replace(given={**given, "agents": texts, "seats": "both"})


def tasks(experiment: Experiment, known: Known) -> list[Task]:
    """Return all matches."""
    return table.tasks(as_table(experiment), known)


def blocks(experiment: Experiment, known: Known) -> list[Block]:
    """Return the share of the points over the time of a decision."""
    given, order = experiment.given, as_table(experiment)
    option, opponent = given["option"], given["opponents"][0]
    lines, rows = [], []
    for agent in given["agents"]:
        won: list[Count] = []
        for value in given["values"]:
            text = text_of(agent, option, value)
            one = table.result(order, known, text, opponent)
            won.append(one)
            rows.append(
                (
                    agent,
                    f"{value:g}",
                    seconds_text(one.pace),
                    f"{one.wins}-{one.draws}-{one.losses}",
                    percent(one.share, one.interval),
                )
            )
        lines.append(
            Line(
                agent,
                [max(one.pace, 1e-7) for one in won],
                [one.share for one in won],
                [one.interval[0] for one in won],
                [one.interval[1] for one in won],
                [f"{value:g}" for value in given["values"]],
            )
        )
    drawn = against_time(lines, f"points against {opponent}")
    return [
        Heading("Time and strength"),
        Paragraph(table.seating(order)),
        Plot("strength", drawn, f"Points with 95 % intervals; the numbers are {option}."),
        Table(
            "won, drawn and lost, and the share of the points with 95 % intervals",
            ("agent", option, "a decision", "won-drawn-lost", "share"),
            rows,
        ),
    ]
