"""Matches in a list: who played, the result and the ending."""

import html

from ludex.classroom.matches import MatchRow, SeatResult
from ludex.core.termination import BY_RULES, TRUNCATED
from ludex.web.classroom.links import match_address, program_link
from ludex.web.parts import layout
from ludex.web.parts.html_table import html_table

HEAD = ("players", "result", "ended")
FINAL = ' <span class="lx-badge">final</span>'
TOO_LONG = "stopped, as it was too long"


def match_table(rows: list[MatchRow]) -> str:
    """Return matches as a table with links."""
    return html_table(HEAD, [cells(row) for row in rows], "lx-matches")


def cells(row: MatchRow) -> tuple[str, ...]:
    """Return the cells of a match."""
    players = " – ".join(program_link(one.program, one.name) for one in row.seats)
    kind = FINAL if row.final else ""
    address = match_address(row.job, row.number)
    result = f'<a href="{address}">{html.escape(result_text(row.seats))}</a>'
    return (players + kind, result + ending_html(row), html.escape(layout.ago(row.ended)))


def result_text(seats: tuple[SeatResult, ...]) -> str:
    """Return who won."""
    best = max(one.returns for one in seats)
    winners = [one.name for one in seats if one.returns == best]
    return f"{winners[0]} wins" if len(winners) == 1 else "a draw"


def ending_html(row: MatchRow) -> str:
    """Return how a match ended, unless it was by the rules."""
    if row.ending == BY_RULES:
        return ""
    ending = ending_text(row.ending)
    words = f"{ending}: {row.words}" if row.words else ending
    return f'<div class="lx-small lx-soft">{html.escape(words)}</div>'


def ending_text(ending: str) -> str:
    """Return how a match ended, for people."""
    return TOO_LONG if ending == TRUNCATED else ending.lower().replace("_", " ")
