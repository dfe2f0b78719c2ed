"""Budget against strength: the gain of an agent from a larger budget."""

import itertools

from ludex.agents.registry import make_agent
from ludex.io.schema import errors_at
from ludex.lab.kinds import agents as table
from ludex.lab.kinds.depths import text_of
from ludex.lab.report.blocks import Block, Heading, Paragraph, Plot, Table, seconds_text
from ludex.lab.report.plots import against_time, shares
from ludex.lab.run.series import count_facts, percent
from ludex.lab.spec.entrant import Contender, name_of
from ludex.lab.spec.experiment import OPENING, Experiment, Key
from ludex.lab.spec.task import Known, Task

KEYS = {
    "agents": Key(list[str], text="without their budgets"),
    "option": Key(str, text="the budget", words=("depth", "sims", "seconds")),
    "values": Key(list[float], text="how large it is"),
    "opponents": Key(list[Contender], text="against whom"),
    "matches": Key(int, 100, "of each agent and budget", scaled=True, low=2),
    "opening": OPENING,
}
TIMED = True
LEAST = 1e-7  # seconds, because a logarithmic axis has no 0


def check(experiment: Experiment) -> None:
    """Raise a ValueError if an agent does not have the budget."""
    table.check(as_table(experiment))
    for text in as_table(experiment).given["agents"]:
        with errors_at("agents"):
            make_agent(text, experiment.variant())


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
    """Return the share of the points over the time of a decision, for each agent and opponent."""
    given, order = experiment.given, as_table(experiment)
    option, opponents = given["option"], given["opponents"]
    values = [f"{value:g}" for value in given["values"]]
    lines, rows, facts = [], [], []
    for agent, opponent in itertools.product(given["agents"], opponents):
        texts = [text_of(agent, option, value) for value in given["values"]]
        won = [table.result(order, known, text, opponent) for text in texts]
        name = agent if len(opponents) == 1 else f"{agent} against {name_of(opponent)}"
        lines.append(shares(name, [max(one.mean_seconds, LEAST) for one in won], won, values))
        facts += [
            {"agent": agent, "opponent": name_of(opponent), option: value, **count_facts(one)}
            | {"seconds": one.mean_seconds}
            for value, one in zip(given["values"], won, strict=True)
        ]
        rows += [
            (
                name,
                value,
                seconds_text(one.mean_seconds),
                f"{one.wins}-{one.draws}-{one.losses}",
                percent(one.share, one.interval),
            )
            for value, one in zip(values, won, strict=True)
        ]
    against = f" against {name_of(opponents[0])}" if len(opponents) == 1 else ""
    return [
        Heading("Time and strength"),
        Paragraph(table.seating(order)),
        Plot(
            "strength",
            against_time(lines, f"points{against}"),
            f"Points with 95 % intervals; the numbers are {option}.",
        ),
        Table(
            "won, drawn and lost, and the share of the points with 95 % intervals",
            ("agent", option, "a decision", "won-drawn-lost", "share"),
            rows,
            facts=facts,
        ),
    ]
