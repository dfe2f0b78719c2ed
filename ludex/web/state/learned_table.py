"""The most informative rows of a learned table, as HTML."""

import html
from typing import Any, NamedTuple

from ludex.learn.checkpoint import Checkpoint
from ludex.learn.hats import HatsLearner
from ludex.learn.insight import hats, top_patterns, top_states
from ludex.learn.training import Training
from ludex.learn.weights import Weights

FEW = 30  # hats, up to which all are shown
TOP = 12  # rows shown otherwise
COLUMNS = 5  # actions, up to which each has a column; beyond, the best are named
BEST = 4
LONG = 12  # letters, beyond which the first column gets more room

BALLS, VALUES, WEIGHTS = "balls", "values", "weights"


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


def learned_table(training: Training) -> LearnedTable:
    """Return a learner's table: all hats if they are few, else the most visited rows."""
    rules, memory = training.rules, training.memory
    if isinstance(memory, Weights):
        found = top_patterns(rules, memory, TOP)
        rows = [Row(one["pattern"], one["visits"], {"weight": one["weight"]}) for one in found]
        return LearnedTable(WEIGHTS, tuple(rows))
    trained, learner = Checkpoint(memory, {}), training.learner
    if not isinstance(learner, HatsLearner):
        found = top_states(rules, trained, TOP)
        return LearnedTable(VALUES, tuple(Row(*row.values()) for row in found))
    # Several learn together; the first one plays.
    if int(memory.filled[0]) <= FEW:
        found = hats(rules, trained)
        return LearnedTable(
            BALLS, tuple(Row(row["hat"], 0, row["balls"][0]) for row in found), True
        )
    found = top_states(rules, trained, TOP)
    rows = [Row(row["seen"], row["visits"], row["balls"][0]) for row in found]
    return LearnedTable(BALLS, tuple(rows))


CAPTIONS = {
    BALLS: "How many balls of each action are in a hat, and so how likely it is drawn.",
    VALUES: "What each action is worth to whoever chooses, from -1 to 1, as far as it has learned.",
    WEIGHTS: "The patterns that say most, for (+) or against (-) whoever sees them.",
}
FIRST = {BALLS: "hat", VALUES: "what it sees", WEIGHTS: "pattern"}


def table_html(known: LearnedTable) -> str:
    """Return the table as HTML."""
    if not known.rows:
        return '<p class="lx-soft">Nothing is known yet.</p>'
    names = list(dict.fromkeys(name for row in known.rows for name in row.numbers))
    columns = len(names) <= COLUMNS
    counted = any(row.visits for row in known.rows)
    head = f"<th>{FIRST[known.kind]}</th>" + ("<th>visits</th>" if counted else "")
    head += (
        "".join(f"<th>{html.escape(name)}</th>" for name in names) if columns else "<th>best</th>"
    )
    body = ""
    for row in known.rows:
        cells = f"<td>{html.escape(row.seen or 'all of it')}</td>"
        cells += f"<td>{row.visits:,}</td>" if counted else ""
        if columns:
            cells += "".join(f"<td>{cell_html(known.kind, row, name)}</td>" for name in names)
        else:
            order = sorted(row.numbers, key=lambda name: -row.numbers[name])[:BEST]
            said = (f"{html.escape(name)} {cell_html(known.kind, row, name)}" for name in order)
            cells += f"<td>{''.join(f'<div>{one}</div>' for one in said)}</td>"
        body += f"<tr>{cells}</tr>"
    long = " lx-long" if max(len(row.seen) for row in known.rows) > LONG else ""
    more = "" if known.whole or known.kind == WEIGHTS else " Those that were seen most."
    return (
        f'<p class="lx-soft lx-small">{CAPTIONS[known.kind]}{more}</p>'
        f'<div class="lx-scroll lx-wide" tabindex="0" role="region" aria-label="What it knows">'
        f'<table class="lx-table lx-known-table{long}"><tr>{head}</tr>{body}</table></div>'
    )


def cell_html(kind: str, row: Row, name: str) -> str:
    """Return a number with a bar behind it for its share of the balls, or its value."""
    if name not in row.numbers:
        return ""
    value: Any = row.numbers[name]
    low, high = min(row.numbers.values()), max(row.numbers.values())
    best = ' class="lx-top"' if value == high and (high > low or len(row.numbers) == 1) else ""
    share = value / sum(row.numbers.values()) if kind == BALLS else min(max((value + 1) / 2, 0), 1)
    said = f"{value:,}" if kind == BALLS else f"{value + 0.0:+.3f}"
    return f'<span{best} style="--share:{100 * share:.0f}%">{said}</span>'
