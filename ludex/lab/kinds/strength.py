"""Budget against strength: the gain of an agent from a larger budget."""

import itertools

from ludex.agents.registry import make_agent
from ludex.io.schema import errors_at
from ludex.lab.kinds import agents as table
from ludex.lab.kinds.depths import with_option
from ludex.lab.report.blocks import Block, Heading, Paragraph, Plot, make_table, seconds_cell
from ludex.lab.report.plots import share_line, time_plot
from ludex.lab.run.series import count_facts, record_cell, share_cell
from ludex.lab.spec.entrant import Entrant, entrant_name
from ludex.lab.spec.experiment import OPENING, Experiment, Setting
from ludex.lab.spec.task import Known, Task

KEYS = {
    "agents": Setting(list[str], text="without their budgets"),
    "option": Setting(str, text="the budget", words=("depth", "sims", "seconds")),
    "values": Setting(list[float], text="how large it is"),
    "opponents": Setting(list[Entrant], text="against whom"),
    "matches": Setting(int, 100, "of each agent and budget", scaled=True, low=2),
    "opening": OPENING,
}
TIMED = True
SECONDS_MIN = 1e-7  # a logarithmic axis has no 0


def check(experiment: Experiment) -> None:
    """Raise a ValueError if an agent does not have the budget option."""
    table.check(agent_table(experiment))
    for text in agent_table(experiment).given["agents"]:
        with errors_at("agents"):
            make_agent(text, experiment.variant())


def agent_table(experiment: Experiment) -> Experiment:
    """Return the experiment as a table of agents, one for each budget."""
    given = experiment.given
    texts = [
        with_option(agent, given["option"], value)
        for agent in given["agents"]
        for value in given["values"]
    ]
    return experiment._replace(given={**given, "agents": texts, "seats": "both"})


def tasks(experiment: Experiment, known: Known) -> list[Task]:
    """Return all matches."""
    return table.tasks(agent_table(experiment), known)


def blocks(experiment: Experiment, known: Known) -> list[Block]:
    """Report the share over the time of a decision, for each agent and opponent."""
    given, order = experiment.given, agent_table(experiment)
    option, opponents = given["option"], given["opponents"]
    lines, facts = [], []

    def name(agent: str, opponent: str) -> str:
        return agent if len(opponents) == 1 else f"{agent} against {opponent}"

    for agent, opponent in itertools.product(given["agents"], opponents):
        texts = [with_option(agent, option, value) for value in given["values"]]
        won = [table.result(order, known, text, opponent) for text in texts]
        x = [max(one.mean_seconds, SECONDS_MIN) for one in won]
        texts = [f"{value:g}" for value in given["values"]]
        lines.append(share_line(name(agent, entrant_name(opponent)), x, won, texts))
        facts += [
            {"agent": agent, "opponent": entrant_name(opponent), option: value, **count_facts(one)}
            | {"seconds": one.mean_seconds}
            for value, one in zip(given["values"], won, strict=True)
        ]
    against = f" against {entrant_name(opponents[0])}" if len(opponents) == 1 else ""
    return [
        Heading("Time and strength"),
        Paragraph(table.seating_text(order)),
        Plot(
            "strength",
            time_plot(lines, f"points{against}"),
            f"Points with 95 % intervals; the numbers are {option}.",
        ),
        make_table(
            "won, drawn and lost, and the share of the points with 95 % intervals",
            facts,
            {
                "agent": lambda one: name(one["agent"], one["opponent"]),
                option: lambda one: f"{one[option]:g}",
                "a decision": seconds_cell,
                "won-drawn-lost": record_cell,
                "share": share_cell,
            },
        ),
    ]
