"""Depth tables: one decision by several algorithms at increasing depth, with time and nodes."""

from ludex.agents.registry import make_agent
from ludex.core.choice import CLOSE
from ludex.core.play import read
from ludex.io.schema import errors_at
from ludex.lab.report.blocks import Block, Heading, Paragraph, Plot, Table, seconds_text
from ludex.lab.report.plots import Line, two_logs
from ludex.lab.spec.experiment import Experiment, Key
from ludex.lab.spec.task import Known, Task, make_task

KEYS = {
    "agents": Key(list[str], text="algorithms that look ahead, without their depth"),
    "depths": Key(list[float], text="how many decisions they look ahead"),
    "position": Key(str, "", "where; the first position"),
}
TIMED = True


def text_of(agent: str, option: str, value: float) -> str:
    """Return an agent with one more option."""
    return f"{agent}{',' if ':' in agent else ':'}{option}={value:g}"


def check(experiment: Experiment) -> None:
    """Raise a ValueError if an agent or the position is none."""
    rules, given = experiment.variant(), experiment.given
    for agent in given["agents"]:
        for depth in given["depths"]:
            with errors_at("agents"):
                make_agent(text_of(agent, "depth", depth), rules)
    if given["position"]:
        read(rules, given["position"])


def task(experiment: Experiment, agent: str, depth: int) -> Task:
    """Return the decision of an agent that looks so far ahead."""
    return make_task(
        "decision",
        game=experiment.game,
        rules=experiment.rules,
        agent=text_of(agent, "depth", depth),
        position=experiment.given["position"],
        seed=experiment.seed,
    )


def tasks(experiment: Experiment, known: Known) -> list[Task]:
    """Return a decision for each algorithm and depth, the quickest first."""
    given = experiment.given
    return [
        task(experiment, agent, depth) for depth in given["depths"] for agent in given["agents"]
    ]


def blocks(experiment: Experiment, known: Known) -> list[Block]:
    """Return the table, the plot, and whether all algorithms agree."""
    agents, depths = experiment.given["agents"], experiment.given["depths"]
    answers = {(a, d): known[task(experiment, a, d)] for a in agents for d in depths}
    rows = [
        (
            agent,
            str(depth),
            seconds_text(answer["seconds"]),
            f"{answer['nodes']:,}",
            answer["move"],
            "" if answer["value"] is None else f"{answer['value']:+.4f}",
        )
        for (agent, depth), answer in answers.items()
    ]
    apart = [depth for depth in depths if not agree([answers[a, depth] for a in agents])]
    seconds = [Line(a, depths, [answers[a, d]["seconds"] for d in depths]) for a in agents]
    nodes = [Line(a, depths, [max(answers[a, d]["nodes"], 1) for d in depths]) for a in agents]
    words = (
        "All algorithms find the same value at every depth; where moves differ, they are equals."
        if not apart
        else f"The algorithms do not find the same value at depth {', '.join(map(str, apart))}."
    )
    plot = two_logs(seconds, nodes, "depth (decisions ahead)", ("seconds", "nodes"))
    deepest = depths[-1]
    return [
        Heading("Time and nodes by depth"),
        Paragraph(words + gain(agents, answers, deepest)),
        Plot(
            "depths", plot, "Time and nodes of one decision; both axes of height grow by factors."
        ),
        Table(
            "one decision; the time is the median of up to five",
            ("algorithm", "depth", "time", "nodes", "move", "value"),
            rows,
            facts=[{"agent": a, "depth": d, **answer} for (a, d), answer in answers.items()],
        ),
    ]


def agree(answers: list[dict[str, float]]) -> bool:
    """Return whether all answers have the same value."""
    values = [one["value"] for one in answers if one["value"] is not None]
    return not values or max(values) - min(values) < CLOSE


def gain(agents: list[str], answers: dict[tuple[str, int], dict[str, float]], depth: int) -> str:
    """Return what the last algorithm saves against the first, in words."""
    first, last = answers[agents[0], depth], answers[agents[-1], depth]
    if len(agents) < 2 or not last["nodes"] or not first["nodes"]:
        return ""
    nodes, seconds = first["nodes"] / last["nodes"], first["seconds"] / last["seconds"]
    return (
        f" At depth {depth}, {agents[0]} visits {nodes:,.3g} times the nodes of {agents[-1]}"
        f" and takes {seconds:,.3g} times as long."
    )
