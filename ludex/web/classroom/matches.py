"""The page of the matches: those that are being played, and the latest ones."""

from nicegui import ui

from ludex.classroom.matches import matches_of
from ludex.io.text import many
from ludex.web.classroom.desk import Running
from ludex.web.classroom.links import program_link
from ludex.web.classroom.match_table import FINAL, match_table
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


def running_html(running: Running) -> str:
    """Return what is being worked on: pairs of programs that play, checks and analyses."""
    lines = []
    if running.pairs:
        items = (
            f"<li>{program_link(*one)} – {program_link(*other)}{FINAL * final}</li>"
            for one, other, final in running.pairs
        )
        words = f"{many(len(running.pairs), 'pair')} of matches, with swapped seats:"
        lines.append(f'{words}<ul class="lx-how">{"".join(items)}</ul>')
    for count, what, act in (
        (running.checks, "program", "checked"),
        (running.analyses, "lost match", "analysed"),
    ):
        if count:
            verb = "is" if count == 1 else "are"
            lines.append(f'<p class="lx-soft">{many(count, what)} {verb} being {act}.</p>')
    return "".join(lines) or '<p class="lx-soft">Nothing at the moment.</p>'
