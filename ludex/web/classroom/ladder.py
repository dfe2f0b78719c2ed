"""The page of the ladder: ranks, ratings with error bars, and how they came about."""

import html

from nicegui import ui

from ludex.classroom.ladder import Row, rating_history
from ludex.classroom.programs import deadline_of
from ludex.classroom.settings import time_text
from ludex.io.text import many, signed
from ludex.web.classroom.charts import UNKNOWN, Line, Scale, history_chart, interval_bar, scale_of
from ludex.web.classroom.desk import Ladder
from ludex.web.classroom.links import program_address, program_link
from ludex.web.classroom.visit import Visit
from ludex.web.parts import layout
from ludex.web.parts.html_table import html_table, table_box

REFRESH = 2.0  # seconds; what has not changed is not sent
HEAD = ("", "program", "Elo", "95 % interval", "places", "matches")
LEAD = (
    "Ratings follow from all matches together, with 95 % intervals; house agents are anchors of"
    " known strength. A new rank begins at the first program that is certainly worse than one of"
    " those above it that share a rank."
)


async def show(visit: Visit) -> None:
    """Show the ladder, and go on showing what has changed."""
    page = LadderPage(visit)
    await page.refresh()
    visit.repeat(REFRESH, page.refresh)


class LadderPage:
    """One browser's view of the ladder."""

    def __init__(self, visit: Visit) -> None:
        self.visit, self.shown = visit, -1
        with visit.frame("Ladder", "/class", LEAD):
            self.numbers = layout.note().style("margin: 0.6rem 0 0.9rem")
            with layout.sheet():
                self.table = table_box("Ladder")
            with layout.sheet():
                layout.heading("History", 2)
                self.chart = ui.html(sanitize=False)

    async def refresh(self) -> None:
        """Show the ladder, if it has changed."""
        visit = self.visit
        if not await visit.still_here():
            return
        ladder = await visit.desk.ladder.get()
        if visit.desk.ladder.version == self.shown:
            return
        self.shown = visit.desk.ladder.version
        own = visit.person.id if visit.person else None
        self.numbers.text = numbers_text(ladder, deadline_of(visit.classroom, visit.person))
        self.table.content = ladder_table(ladder.rows, own)
        mine = next((row for row in ladder.rows if own and row.program.person == own), None)
        history = ladder.history
        if mine and mine.program.id not in history:
            past = await visit.read(rating_history, mine.program.id)
            history = {mine.program.id: past, **history}
        names = {row.program.id: row.program.name for row in ladder.rows}
        self.chart.content = history_chart(
            [
                Line(names[one], past, program_address(one), bool(mine and one == mine.program.id))
                for one, past in history.items()
            ]
        )


def numbers_text(ladder: Ladder, deadline: str) -> str:
    """Return how much there is on the ladder, and until when programs are taken."""
    people = sum(row.program.person is not None for row in ladder.rows)
    played = max((past[-1].played for past in ladder.history.values() if past), default=0)
    words = f"{many(people, 'program')} of the class, {many(played, 'match')} rated"
    return f"{words} · hand in until {time_text(deadline)}" if deadline else words


def ladder_table(rows: list[Row], own: int | None) -> str:
    """Return the ladder as a table, in which the rows of a person are marked."""
    rated = [row for row in rows if row.matches]
    scale = scale_of(
        [row.elo for row in rated], [end for row in rated for end in (row.low, row.high)]
    )
    looks = ["lx-played" if own and row.program.person == own else "" for row in rows]
    return html_table(HEAD, [cells(row, scale) for row in rows], "lx-ladder", False, looks)


def cells(row: Row, scale: Scale) -> tuple[str, ...]:
    """Return the cells of a program."""
    name = program_link(row.program.id, row.program.name, row.program.person is None)
    if not row.matches:
        return ("", name, "–", UNKNOWN, "", "0")
    places = f"{row.best} to {row.worst}" if row.best != row.worst else str(row.best)
    bar = interval_bar(scale, row.elo, row.low, row.high)
    elo = html.escape(signed(row.elo, 0))
    return (str(row.rank), name, f"<b>{elo}</b>", bar, places, str(row.matches))
