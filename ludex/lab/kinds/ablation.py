"""Ablations: the savings of each part of a search, measured by leaving it out."""

import math
import statistics

import numpy as np

from ludex.agents.registry import make_agent
from ludex.core.choice import CLOSE
from ludex.core.rules import Rules, initial, moves, position, turn
from ludex.core.sampling import playout
from ludex.io.schema import errors_at
from ludex.io.text import seconds_text
from ludex.kernel.bits import members
from ludex.lab.report.blocks import Block, Heading, Paragraph, Plot, make_table
from ludex.lab.report.plots import Curve, interval_plot
from ludex.lab.spec.experiment import Experiment, Setting
from ludex.lab.spec.task import Known, Task
from ludex.stats.student import t_quantile

KEYS = {
    "agents": Setting(list[str], text="the whole search first, then with something left out"),
    "positions": Setting(int, 20, "at which they decide", scaled=True, low=2),
    "plies": Setting(int, 10, "random moves at most that lead to a position"),
}
TIMED = True
BUDGET_OPTIONS = ("depth", "sims")  # of search agents
POSITION_TRIES = 10_000  # in all; a small game may have too few positions
Ratio = tuple[float, float, float]  # a mean with its interval


def check(experiment: Experiment) -> None:
    """Raise a ValueError if an agent is not a search, or if there is only one."""
    if len(experiment.given["agents"]) < 2:
        raise ValueError("agents: expected two at least")
    for text in experiment.given["agents"]:
        with errors_at("agents"):
            agent = make_agent(text, experiment.variant())
            if not any(hasattr(agent, budget) for budget in BUDGET_OPTIONS):
                raise ValueError(f"{text!r} searches nothing, so nothing can be left out")


def positions(experiment: Experiment) -> list[str]:
    """Return distinct random positions with a choice, fewer if not enough are found."""
    rules, found = experiment.variant(), dict[str, None]()
    rng = np.random.default_rng(experiment.seed)
    for _ in range(POSITION_TRIES):
        if len(found) == experiment.given["positions"]:
            break
        text = random_position(rules, rng, experiment.given["plies"])
        if text:
            found[text] = None
    return list(found)


def random_position(rules: Rules, rng: np.random.Generator, plies: int) -> str:
    """Return a position after at most `plies` random moves, or "" if nobody has a choice there."""
    state = playout(rules, initial(rules), rng, int(rng.random() * (plies + 1)))
    mover = turn(rules, state)
    if mover < 0 or len(members(moves(rules, state, mover))) < 2:
        return ""
    return position(rules, state)


def task(experiment: Experiment, agent: str, where: str) -> Task:
    """Return the task of an agent's decision in a position."""
    return experiment.task("decision", agent=agent, position=where, seed=experiment.seed)


def tasks(experiment: Experiment, known: Known) -> list[Task]:
    """Return all decisions."""
    return [
        task(experiment, agent, where)
        for where in positions(experiment)
        for agent in experiment.given["agents"]
    ]


def geometric_ratio(whole: list[float], part: list[float]) -> Ratio:
    """Return the geometric mean of the ratios, with its 95 % interval."""
    logs = [math.log(b / a) for a, b in zip(whole, part, strict=True) if a > 0 and b > 0]
    if len(logs) < 2:
        return math.nan, math.nan, math.nan
    mean, error = statistics.fmean(logs), statistics.stdev(logs) / math.sqrt(len(logs))
    far = t_quantile(len(logs) - 1) * error  # Student's t, because there are few positions
    return math.exp(mean), math.exp(mean - far), math.exp(mean + far)


def blocks(experiment: Experiment, known: Known) -> list[Block]:
    """Report nodes and time of each, absolute and relative to the whole search."""
    agents, where = experiment.given["agents"], positions(experiment)
    answers = {agent: [known[task(experiment, agent, one)] for one in where] for agent in agents}
    whole, totals, facts = answers[agents[0]], {}, []
    for agent, mine in answers.items():
        ratios = {
            key: geometric_ratio([one[key] for one in whole], [one[key] for one in mine])
            for key in ("nodes", "seconds")
        }
        same = sum(
            abs(a["value"] - b["value"]) < CLOSE
            for a, b in zip(whole, mine, strict=True)
            if a["value"] is not None and b["value"] is not None
        )
        totals[agent] = [sum(one[key] for one in mine) for key in ratios]
        facts.append({"agent": agent, **ratios, "same": same})
    lines = [
        Curve(name, range(len(agents)), *zip(*(one[key] for one in facts), strict=True))
        for name, key in (("nodes", "nodes"), ("time", "seconds"))
    ]
    svg = interval_plot(agents, lines, "times as much as the whole search", ratios=True)
    return [
        Heading("What each part saves"),
        Paragraph(
            f"All decide at the same {len(where)} positions, reached by up to"
            f" {experiment.given['plies']} moves at random. The factors are geometric means over"
            " the positions with 95 % intervals."
        ),
        Plot("ablation", svg, f"Nodes and time as a multiple of {agents[0]}."),
        make_table(
            f"against {agents[0]}",
            facts,
            {
                "search": "agent",
                "nodes": lambda one: f"{totals[one['agent']][0]:,}",
                "times the nodes": lambda one: ratio_text(one["nodes"]),
                "time": lambda one: seconds_text(totals[one["agent"]][1]),
                "times the time": lambda one: ratio_text(one["seconds"]),
                "same value": lambda one: f"{one['same']} of {len(where)}",
            },
        ),
    ]


def ratio_text(known: Ratio) -> str:
    """Return a ratio with its interval, for people."""
    mean, low, high = known
    return "" if math.isnan(mean) else f"{mean:.3g} ({low:.3g} to {high:.3g})"
