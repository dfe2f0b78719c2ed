"""The page of the matches: those that are being played, and the latest ones."""

import html

from nicegui import ui

from ludex.classroom.matches import matches_of
from ludex.io.text import many
from ludex.web.classroom.match_table import match_table
from ludex.web.classroom.visit import Visit
from ludex.web.parts import layout
from ludex.web.parts.html_table import table_box

REFRESH = 3.0  # seconds
LISTED = 50


async def show(visit: Visit) -> None:
    """Show the matches, and go on showing new ones."""
    page = MatchesPage(visit)
    await page.refresh()
    visit.repeat(REFRESH, page.refresh)


class MatchesPage:
    """One browser's view of the matches."""

    def __init__(self, visit: Visit) -> None:
        self.visit = visit
        with visit.frame("Matches", "/class/matches"):
            layout.heading("Matches")
            with layout.sheet().style("margin-top: 1rem"):
                layout.heading("Being played", 2)
                self.running = ui.html(sanitize=False)
            with layout.sheet():
                layout.heading("Finished", 2)
                self.finished = table_box("Finished matches")

    async def refresh(self) -> None:
        """Show what has changed."""
        if not await self.visit.still_here():
            return
        rows = await self.visit.read(matches_of, self.visit.person, None, LISTED)
        running = running_html(await self.visit.desk.running.get())
        finished = match_table(rows) if rows else '<p class="lx-soft">None yet.</p>'
        for part, content in ((self.running, running), (self.finished, finished)):
            if part.content != content:
                part.content = content


def running_html(pairs: list[tuple[str, str]]) -> str:
    """Return the pairs that play now."""
    if not pairs:
        return '<p class="lx-soft">Nothing at the moment.</p>'
    items = (f"<li>{html.escape(one)} – {html.escape(other)}</li>" for one, other in pairs)
    words = f"{many(len(pairs), 'pair')} of matches, with swapped seats:"
    return f'{words}<ul class="lx-how">{"".join(items)}</ul>'
