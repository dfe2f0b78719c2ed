"""The page of the final: its table, the frozen versions, and the files for instructors."""

from nicegui import ui

from ludex.classroom.classroom import Classroom
from ludex.classroom.finals import Final, FinalRow, cancel_final, final_table, finals_of, find_final
from ludex.classroom.programs import Program, programs_of
from ludex.io.text import many, signed
from ludex.web.classroom.charts import UNKNOWN, interval_bar, scale_of
from ludex.web.classroom.downloads import FILES
from ludex.web.classroom.links import program_link
from ludex.web.classroom.rights import INSTRUCT
from ludex.web.classroom.visit import Visit
from ludex.web.parts import layout
from ludex.web.parts.dialogs import ask
from ludex.web.parts.html_table import html_table, table_box
from ludex.web.parts.job_view import bar

REFRESH = 5.0  # seconds
HEAD = ("", "program", "points", "matches", "Elo", "95 % interval")


async def show(visit: Visit) -> None:
    """Show a final, by default the newest, and go on showing it while it is played."""
    all_of_them = await visit.read(finals_of)
    if not all_of_them:
        with visit.frame("Final", "/class/final"):
            layout.heading("Final")
            layout.lead("There has been none yet: an instructor starts it.")
        return
    number = visit.number("final") if visit.query.get("final") else None
    page = FinalPage(visit, await visit.read(find_final, number), all_of_them)
    await page.refresh()
    page.timer = visit.repeat(REFRESH, page.refresh)
    page.timer.active = not page.final.ended


class FinalPage:
    """One browser's view of a final."""

    timer: ui.timer | None = None

    def __init__(self, visit: Visit, final: Final, others: list[Final]) -> None:
        self.visit, self.final = visit, final
        with visit.frame(final.name, "/class/final"):
            layout.heading(final.name)
            layout.lead(
                "Everybody plays everybody with the versions that were frozen at its start;"
                " points decide, and equal points share a rank."
            )
            self.progress = ui.html(sanitize=False).style("margin: 0.9rem 0")
            self.files, self.stop = layout.row("0.5rem"), layout.row("0.5rem")
            if visit.person and visit.person.instructs:
                with self.files:
                    file = f"{FILES}/final/{final.id}"
                    layout.secondary("Bundle to play it again", file, "download")
                with self.stop:
                    layout.secondary("Cancel the final", self.cancel, "cancel")
            with layout.sheet().style("margin-top: 1rem"):
                self.table = table_box("Table of the final")
            with layout.row("1rem").style("column-gap: 1.4rem"):
                for one in others:
                    if one.id != final.id:
                        words = f"{one.name}, {layout.date_text(one.began)}"
                        ui.link(words + ", cancelled" * one.cancelled, address(one.id))

    async def refresh(self) -> None:
        """Show the table as it is now."""
        if not await self.visit.still_here():
            return
        self.final = await self.visit.read(find_final, self.final.id)
        rows, players = await self.visit.read(read_table, self.final)
        played = f"{self.final.played} of {many(self.final.total, 'match')}"
        share = self.final.played / max(self.final.total, 1)
        self.progress.content = "" if self.final.ended else f"<p>{played} played</p>{bar(share)}"
        if self.final.cancelled:
            self.progress.content = f"<p>Cancelled after {played}; it counts for no results.</p>"
        own = self.visit.person.id if self.visit.person else None
        self.files.set_visibility(bool(self.final.ended) and not self.final.cancelled)
        self.stop.set_visibility(not self.final.ended)
        self.table.content = table_html(rows, players, own)
        if self.timer is not None:
            self.timer.active = not self.final.ended

    async def cancel(self) -> None:
        """Cancel the final, if that is confirmed."""
        with layout.errors_shown():
            await self.visit.act(INSTRUCT)
            words = "The matches that were played stay, but count for no results."
            no = "Let it go on"
            if await ask(f"Cancel {self.final.name}?", words, "Cancel it", no=no):
                await self.visit.act(INSTRUCT)
                await self.visit.read(cancel_final, self.final.id)
                await self.refresh()


def address(final: int) -> str:
    """Return the address of a final."""
    return f"/class/final/{final}"


def read_table(classroom: Classroom, final: Final) -> tuple[list[FinalRow], dict[int, Program]]:
    """Return the table of a final, and its programs by number."""
    return final_table(classroom, final), {one.id: one for one in programs_of(classroom)}


def table_html(rows: list[FinalRow], players: dict[int, Program], own: int | None) -> str:
    """Return the table of a final, in which the rows of a person are marked."""
    ends = [end for row in rows for end in (row.low, row.high)]
    scale = scale_of([row.elo for row in rows], ends)
    looks = ["lx-played" if own and players[row.program].person == own else "" for row in rows]
    cells = [
        (
            str(row.rank),
            program_link(one.id, one.name, one.person is None),
            f"<b>{row.points:g}</b>",
            str(row.matches),
            signed(row.elo, 0) if row.matches else "–",
            interval_bar(scale, row.elo, row.low, row.high) if row.matches else UNKNOWN,
        )
        for row in rows
        for one in [players[row.program]]
    ]
    return html_table(HEAD, cells, "lx-final", False, looks)
