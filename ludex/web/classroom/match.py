"""The page of a match: its replay with the mistakes, and the output of one's own program."""

import html

from nicegui import ui

from ludex.classroom.matches import analysis_of, record_for
from ludex.classroom.programs import Program
from ludex.core.rules import seat_name, title
from ludex.match.record import Record
from ludex.match.session import Match
from ludex.web.classroom.links import program_link
from ludex.web.classroom.replay import Replay
from ludex.web.classroom.visit import Visit
from ludex.web.parts import layout
from ludex.web.state.public_text import hide_paths


async def show(visit: Visit) -> None:
    """Show a match from the ply of the address on."""
    job, number = visit.number("job"), visit.number("number")
    start = visit.number("ply") if visit.query.get("ply") else 0
    record, players = await visit.read(record_for, visit.person, job, number)
    found = await visit.read(analysis_of, job, number)
    match = Match.from_record(record)
    replay = Replay(match, [one.name for one in players], found, start)
    name = title(match.rules)
    with visit.frame(f"{' – '.join(replay.names)}", "/class/matches"):
        with layout.div("lx-title"):
            layout.heading(name)
            ui.html(players_html(match, players), sanitize=False).classes("lx-soft")
        with layout.div("lx-play lx-viewer"):
            with layout.div():
                replay.add_board()
            with layout.div("lx-side"):
                with layout.sheet():
                    replay.add_words()
                with layout.sheet():
                    layout.heading("Moves", 2)
                    replay.add_moves()
            with layout.div("lx-below"):
                add_output(record, players)
    replay.show()


def players_html(match: Match, players: list[Program]) -> str:
    """Return who plays at which seat, with links."""
    return ", ".join(
        f"{html.escape(seat_name(match.rules, seat))}: {program_link(one.id, one.name)}"
        for seat, one in enumerate(players)
    )


def add_output(record: Record, players: list[Program]) -> None:
    """Add the output that the viewer may read."""
    texts = [
        f"<h2>What {html.escape(one.name)} printed</h2>"
        f'<pre class="lx-output" tabindex="0">{html.escape(hide_paths(text))}</pre>'
        for one, text in zip(players, record.output or ("",) * len(players), strict=True)
        if text
    ]
    if texts:
        with layout.sheet():
            ui.html("".join(texts), sanitize=False)
            layout.note("Only the owner of a program and instructors see this.")
