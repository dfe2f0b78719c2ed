"""Depth tables: one decision by several algorithms at increasing depth, with time and nodes."""

from ludex.agents.registry import make_agent
from ludex.core.choice import CLOSE
from ludex.core.play import read_state
from ludex.io.schema import errors_at
from ludex.io.text import signed
from ludex.lab.report.blocks import Block, Heading, Paragraph, Plot, make_table, seconds_cell
from ludex.lab.report.plots import Curve, depth_plots
from ludex.lab.spec.experiment import Experiment, Setting
from ludex.lab.spec.task import Answer, Known, Task

KEYS = {
    "agents": Setting(list[str], text="algorithms that look ahead, without their depth"),
    "depths": Setting(list[float], text="how many decisions they look ahead"),
    "position": Setting(str, "", "where; the first position"),
}
TIMED = True


def with_option(agent: str, option: str, value: float) -> str:
    """Return the text of an agent with one more option."""
    return f"{agent}{',' if ':' in agent else ':'}{option}={value:g}"


def check(experiment: Experiment) -> None:
    """Raise a ValueError if an agent or the position is not valid."""
    rules, given = experiment.variant(), experiment.given
    for agent in given["agents"]:
        for depth in given["depths"]:
            with errors_at("agents"):
                make_agent(with_option(agent, "depth", depth), rules)
    if given["position"]:
        read_state(rules, given["position"])


def task(experiment: Experiment, agent: str, depth: int) -> Task:
    """Return the task of an agent's decision at a depth."""
    text, position = with_option(agent, "depth", depth), experiment.given["position"]
    return experiment.task("decision", agent=text, position=position, seed=experiment.seed)


def tasks(experiment: Experiment, known: Known) -> list[Task]:
    """Return a decision for each algorithm and depth, the shallowest first."""
    given = experiment.given
    return [
        task(experiment, agent, depth) for depth in given["depths"] for agent in given["agents"]
    ]


def blocks(experiment: Experiment, known: Known) -> list[Block]:
    """Report time and nodes, and whether all algorithms agree."""
    agents, depths = experiment.given["agents"], experiment.given["depths"]
    answers = {(a, d): known[task(experiment, a, d)] for a in agents for d in depths}
    apart = [depth for depth in depths if not values_agree([answers[a, depth] for a in agents])]
    seconds = [Curve(a, depths, [answers[a, d]["seconds"] for d in depths]) for a in agents]
    nodes = [Curve(a, depths, [max(answers[a, d]["nodes"], 1) for d in depths]) for a in agents]
    words = (
        "All algorithms find the same value at every depth; where moves differ, they are equals."
        if not apart
        else f"The algorithms do not find the same value at depth {', '.join(map(str, apart))}."
    )
    plot = depth_plots(seconds, nodes, ("seconds", "nodes"))
    deepest = depths[-1]
    ends = answers[agents[0], deepest], answers[agents[-1], deepest]
    return [
        Heading("Time and nodes by depth"),
        Paragraph(words + gain_text(agents, *ends, deepest)),
        Plot(
            "depths", plot, "Time and nodes of one decision; both axes of height grow by factors."
        ),
        make_table(
            "one decision; the time is the median of up to five",
            [{"agent": a, "depth": d, **answer} for (a, d), answer in answers.items()],
            {
                "algorithm": "agent",
                "depth": "depth",
                "time": seconds_cell,
                "nodes": lambda one: f"{one['nodes']:,}",
                "move": "move",
                "value": lambda one: signed(one["value"], 4),
            },
        ),
    ]


def values_agree(answers: list[dict[str, float]]) -> bool:
    """Return whether all answers have the same value."""
    values = [one["value"] for one in answers if one["value"] is not None]
    return not values or max(values) - min(values) < CLOSE


def gain_text(agents: list[str], first: Answer, last: Answer, depth: int) -> str:
    """Say what the last algorithm saves against the first."""
    if len(agents) < 2 or not last["nodes"] or not first["nodes"]:
        return ""
    nodes, seconds = first["nodes"] / last["nodes"], first["seconds"] / last["seconds"]
    return (
        f" At depth {depth}, {agents[0]} visits {nodes:,.3g} times the nodes of {agents[-1]}"
        f" and takes {seconds:,.3g} times as long."
    )
