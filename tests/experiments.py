"""Experiments of tests: a small order of each kind, and what comes of it."""

from typing import Any

from ludex.lab.experiment_file import make_experiment
from ludex.lab.page import report_blocks
from ludex.lab.report.blocks import ReportTable
from ludex.lab.run.series import Count
from ludex.lab.runner import LabOutcome, run
from ludex.store.notebook import Notebook
from ludex.workers.pool import Pool

DEPTHS: dict[str, Any] = {
    "kind": "depths",
    "game": "nuts",
    "agents": ["minimax", "alphabeta"],
    "depths": [1, 3],
}
AGENTS: dict[str, Any] = {
    "kind": "agents",
    "game": "nuts",
    "agents": ["minimax:depth=4", {"learner": "hats", "matches": 50}],
    "opponents": ["random"],
    "matches": 12,
    "rules": {"nuts": 10},
}
LEARNING: dict[str, Any] = {
    "kind": "learning",
    "game": "nuts",
    "learners": ["hats"],
    "matches": 250,
    "seeds": 3,
    "rules": {"nuts": 10},
}
VERSUS: dict[str, Any] = {
    "kind": "versus",
    "game": "nuts",
    "agents": ["random", "minimax:depth=3"],
    "matches": 6,
    "rules": {"nuts": 10},
}
STRENGTH: dict[str, Any] = {
    "kind": "strength",
    "game": "nuts",
    "agents": ["minimax"],
    "option": "depth",
    "values": [1, 4],
    "opponents": ["random"],
    "matches": 8,
    "rules": {"nuts": 10},
}
ABLATION: dict[str, Any] = {
    "kind": "ablation",
    "game": "nuts",
    "agents": ["alphabeta:depth=6", "minimax:depth=6"],
    "positions": 5,
}
ORDERS = {one["kind"]: one for one in (DEPTHS, AGENTS, LEARNING, VERSUS, STRENGTH, ABLATION)}


HERE = Pool(1)  # this process


def outcome_of(told: dict[str, Any], notebook: Notebook) -> LabOutcome:
    return run(make_experiment("trial", told), notebook, HERE)


def ways(number: int) -> frozenset[tuple[int, str]]:
    """Return the lines of so many matches that all went differently."""
    return frozenset((0, str(one)) for one in range(number))


def won(lost: int, different: int, groups: int = 3) -> Count:
    """Return 40 matches of a few beginnings, of which the first were lost."""
    starts = {
        str(group): (
            float(sum(n >= lost for n in range(group, 40, groups))),
            len(range(group, 40, groups)),
        )
        for group in range(groups)
    }
    return Count(40 - lost, 0, lost, lines=ways(different), starts=starts)


def shares(*wins: int, matches: int = 100) -> list[Count]:
    """Return counts of so many different matches each, of which so many were won."""
    return [
        Count(
            number,
            0,
            matches - number,
            lines=ways(matches),
            starts={str(n): (float(n < number), 1) for n in range(matches)},
        )
        for number in wins
    ]


def tables(outcome: LabOutcome) -> list[ReportTable]:
    return [block for block in report_blocks(outcome) if isinstance(block, ReportTable)]
