"""The most informative rows of a learned table."""

from typing import NamedTuple

from ludex.learn.cfr import CfrLearner, average_strategies
from ludex.learn.checkpoint import Checkpoint
from ludex.learn.hats import HatsLearner
from ludex.learn.insight import hats, top_patterns, top_states
from ludex.learn.net.learner import NetLearner, NetMemory
from ludex.learn.training import Training
from ludex.learn.weights import Weights

FEW = 30  # hats, up to which all are shown
TOP = 12  # rows shown otherwise

BALLS, VALUES, SHARES, WEIGHTS = "balls", "values", "shares", "weights"


class Row(NamedTuple):
    """An observation or pattern, with a number for each action or one weight."""

    seen: str
    visits: int
    numbers: dict[str, float]


class LearnedTable(NamedTuple):
    """Rows, the kind of their numbers, and whether they are complete."""

    kind: str = VALUES
    rows: tuple[Row, ...] = ()
    whole: bool = False


NOTHING_LEARNED = LearnedTable()


def learned_table(training: Training) -> LearnedTable:
    """Return a learner's table: all hats if they are few, else the most visited rows."""
    rules, memory = training.rules, training.memory
    if isinstance(memory, Weights):
        found = top_patterns(rules, memory, TOP)
        rows = [Row(one["pattern"], one["visits"], {"weight": one["weight"]}) for one in found]
        return LearnedTable(WEIGHTS, tuple(rows))
    learner = training.learner
    by_shares = isinstance(learner, CfrLearner | NetLearner)
    if isinstance(memory, NetMemory):
        memory = memory.usual_policies(rules)
    elif by_shares:
        memory = average_strategies(memory)
    trained = Checkpoint(memory, {})
    if not isinstance(learner, HatsLearner):
        found = top_states(rules, trained, TOP)
        kind = SHARES if by_shares else VALUES
        return LearnedTable(kind, tuple(Row(*row.values()) for row in found))
    # Several learn together; the first one plays.
    if int(memory.filled[0]) <= FEW:
        rows = [Row(row["hat"], 0, row["balls"][0]) for row in hats(rules, trained)]
        return LearnedTable(BALLS, tuple(rows), whole=True)
    found = top_states(rules, trained, TOP)
    rows = [Row(row["seen"], row["visits"], row["balls"][0]) for row in found]
    return LearnedTable(BALLS, tuple(rows))
