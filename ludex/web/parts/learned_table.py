"""A learned table as HTML."""

import html

from ludex.io.text import signed
from ludex.web.parts.html_table import html_table
from ludex.web.state.learned_table import BALLS, SHARES, VALUES, WEIGHTS, LearnedTable, Row

COLUMNS = 5  # actions, up to which each has a column; beyond, the best are named
BEST = 4
LONG = 12  # letters, beyond which the first column gets more room
CAPTIONS = {
    BALLS: "How many balls of each action are in a hat, and so how likely it is drawn.",
    VALUES: "What each action is worth to whoever chooses, from -1 to 1, as far as it has learned.",
    SHARES: "How likely each action is, on average over the training.",
    WEIGHTS: "The patterns that say most, for (+) or against (-) whoever sees them.",
}
FIRST = {BALLS: "hat", VALUES: "what it sees", SHARES: "what it sees", WEIGHTS: "pattern"}


def table_html(known: LearnedTable) -> str:
    """Return the table as HTML."""
    if not known.rows:
        return '<p class="lx-soft">Nothing is known yet.</p>'
    names = list(dict.fromkeys(name for row in known.rows for name in row.numbers))
    wide = len(names) > COLUMNS
    counted = any(row.visits for row in known.rows)
    head = [FIRST[known.kind], *(["visits"] if counted else [])]
    head += ["best"] if wide else map(html.escape, names)
    rows = []
    for row in known.rows:
        cells = [html.escape(row.seen or "all of it"), *([f"{row.visits:,}"] if counted else [])]
        if wide:
            order = sorted(row.numbers, key=lambda name: -row.numbers[name])[:BEST]
            best = (f"{html.escape(name)} {cell_html(known.kind, row, name)}" for name in order)
            cells.append("".join(f"<div>{one}</div>" for one in best))
        else:
            cells += [cell_html(known.kind, row, name) for name in names]
        rows.append(cells)
    long = " lx-long" if max(len(row.seen) for row in known.rows) > LONG else ""
    more = "" if known.whole or known.kind == WEIGHTS else " Those that were seen most."
    return (
        f'<p class="lx-soft lx-small">{CAPTIONS[known.kind]}{more}</p>'
        f'<div class="lx-scroll lx-wide" tabindex="0" role="region" aria-label="What it knows">'
        f"{html_table(head, rows, f'lx-known-table{long}')}</div>"
    )


def cell_html(kind: str, row: Row, name: str) -> str:
    """Return a number with a bar behind it for its share, or its value."""
    if name not in row.numbers:
        return ""
    value = row.numbers[name]
    low, high = min(row.numbers.values()), max(row.numbers.values())
    best = ' class="lx-top"' if value == high and (high > low or len(row.numbers) == 1) else ""
    if kind in (BALLS, SHARES):
        share = value / sum(row.numbers.values())
        words = f"{value:,}" if kind == BALLS else f"{100 * value:.1f} %"
    else:
        share, words = min(max((value + 1) / 2, 0), 1), signed(value)
    return f'<span{best} style="--share:{100 * share:.0f}%">{words}</span>'
