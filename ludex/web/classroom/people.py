"""The page of an instructor: people and their links, settings, the final, and what went wrong."""

import html
from typing import Any

from nicegui import ui

from ludex.classroom.finals import start_final
from ludex.classroom.jobs import failed_jobs
from ludex.classroom.people import (
    ROLES,
    STUDENT,
    NewPerson,
    Person,
    add_people,
    link,
    people_in_file,
    people_of,
    renew_token,
    set_active,
    set_extension,
    write_links,
)
from ludex.classroom.programs import names_of
from ludex.classroom.settings import time_text
from ludex.io.text import many
from ludex.web.classroom.downloads import FILES
from ludex.web.classroom.rights import INSTRUCT
from ludex.web.classroom.settings_form import SettingsForm, deadline_text
from ludex.web.classroom.visit import Visit
from ludex.web.parts import layout
from ludex.web.parts.dialogs import ask, ask_text
from ludex.web.parts.html_table import html_table, table_box
from ludex.web.parts.upload import file_button

HEAD = ("name", "role", "reference", "deadline")
LOCKED = ' <span class="lx-badge">locked out</span>'
ONCE = "Send each link to its owner alone. It is shown once: only a hash of its token is kept."


async def show(visit: Visit) -> None:
    """Show the people of a class, and what an instructor can do."""
    page = PeoplePage(visit)
    await page.refresh()


class PeoplePage:
    """One instructor's view of the class."""

    def __init__(self, visit: Visit) -> None:
        self.visit = visit
        base = ui.context.client.request.base_url
        self.address = str(base).rstrip("/")
        with visit.frame("People", "/class/people"):
            layout.heading("People")
            self.links = layout.div().props('role="status"')
            with layout.sheet().style("margin-top: 1rem"):
                self.table = table_box("People")
                self.add_changes()
            self.add_newcomers()
            SettingsForm(visit)
            self.add_final()
            with layout.sheet():
                layout.heading("Results", 2)
                with layout.row():
                    layout.secondary("Table (CSV)", f"{FILES}/class.csv", "download")
                    layout.secondary("Gradescope", f"{FILES}/gradescope.json", "download")
            with layout.sheet():
                layout.heading("Failed jobs", 2)
                self.failed = table_box("Failed jobs")

    def add_changes(self) -> None:
        """Add what can be done with somebody."""
        with layout.row("0.9rem"):
            self.who = ui.select({}, label="person").props("outlined dense")
            self.who.style("min-width: 11rem")
            layout.secondary("New link", self.renew, "link")
            layout.secondary("Lock or unlock", self.lock, "lock")
            layout.secondary("Extend the deadline", self.extend, "event")

    def add_newcomers(self) -> None:
        """Add the form for new people."""
        with layout.sheet():
            layout.heading("Add people", 2)
            with layout.row():
                self.name = ui.input("name").props("outlined dense")
                self.role = ui.select(list(ROLES), value=STUDENT, label="role")
                self.role.props("outlined dense").style("min-width: 8rem")
                self.reference = ui.input("reference").props("outlined dense")
                layout.secondary("Add", self.add_one, "person_add")
                file_button("From a CSV file", self.add_file)
            layout.note('A file has a column "name" and, if you like, "role" and "reference".')

    def add_final(self) -> None:
        """Add the form that starts a final."""
        with layout.sheet():
            layout.heading("Start the final", 2)
            layout.note("It freezes the programs that play now, and everybody plays everybody.")
            with layout.row("0.6rem"):
                self.title = ui.input("name of the final", value="final").props("outlined dense")
                self.matches = layout.number_field("matches of each two", "20")
                layout.secondary("Start", self.start, "emoji_events", "Start the final")

    async def refresh(self) -> None:
        """Show who is there, and what failed."""
        self.known = {one.id: one for one in await self.visit.read(people_of)}
        names = {one.id: one.name for one in self.known.values()}
        self.who.set_options(names, value=self.who.value if self.who.value in names else None)
        self.table.content = html_table(HEAD, [cells(one) for one in self.known.values()])
        jobs, programs = await self.visit.read(failed_jobs), await self.visit.read(names_of)
        rows = [
            tuple(map(html.escape, (one.kind, programs.get(one.one, str(one.one)), one.reason)))
            for one in jobs
        ]
        none = '<p class="lx-soft">None.</p>'
        self.failed.content = html_table(("job", "program", "reason"), rows) if rows else none

    async def chosen(self) -> Person:
        """Return the person that was chosen, for an instructor; a ValueError if nobody was."""
        await self.visit.act(INSTRUCT)
        if self.who.value not in self.known:
            raise ValueError("choose a person first")
        return self.known[self.who.value]

    async def changed(self) -> None:
        """Let the changes have an effect at once, and show them."""
        self.visit.desk.forget_people()
        await self.refresh()

    async def renew(self) -> None:
        """Make a new link of the person that was chosen."""
        with layout.errors_shown():
            person = await self.chosen()
            words = "The old one is void then, and they are logged out everywhere."
            if await ask(f"A new link for {person.name}?", words, "Make it"):
                await self.visit.act(INSTRUCT)
                token = await self.visit.read(renew_token, person.id)
                self.show_links([(person, token)])
                await self.changed()

    async def lock(self) -> None:
        """Lock the person that was chosen out, or let them in again."""
        with layout.errors_shown():
            person = await self.chosen()
            if self.visit.person and person.id == self.visit.person.id:
                raise ValueError("you cannot lock yourself out")
            await self.visit.read(set_active, person.id, not person.active)
            await self.changed()

    async def extend(self) -> None:
        """Ask for a deadline of the person that was chosen."""
        with layout.errors_shown():
            person = await self.chosen()

            def take(text: str) -> None:
                set_extension(self.visit.classroom, person.id, text)

            question = f"A deadline for {person.name}"
            label = "in UTC, such as 2026-12-03 18:00, or none"
            if await ask_text(question, label, deadline_text(person.extension), "Set", take):
                await self.changed()

    async def add_one(self) -> None:
        """Add the person of the form."""
        given = NewPerson(self.name.value or "", self.role.value, self.reference.value or "")
        await self.add([given])

    async def add_file(self, name: str, content: bytes) -> None:
        """Add the people in a file."""
        with layout.errors_shown():
            await self.add(people_in_file(name, content))

    async def add(self, given: list[NewPerson]) -> None:
        """Add people, and show their links."""
        with layout.errors_shown():
            await self.visit.act(INSTRUCT)
            self.show_links(await self.visit.read(add_people, given))
            self.name.value = self.reference.value = ""
            await self.changed()

    def show_links(self, made: list[tuple[Person, str]]) -> None:
        """Show links once, with a button that saves them."""
        text = write_links(made, self.address)
        rows = [
            (html.escape(one.name), f"<code>{html.escape(link(self.address, token))}</code>")
            for one, token in made
        ]
        self.links.clear()
        with self.links, layout.sheet().style("margin-top: 1rem"):
            layout.heading(f"{many(len(made), 'new link')}", 2)
            layout.note(ONCE)
            table_box("New links", html_table(("name", "link"), rows))
            with layout.row("0.6rem"):
                save: Any = lambda: ui.download.content(text, "links.csv")  # noqa: E731
                layout.secondary("Save as CSV", save, "download")
                layout.secondary("Hide", self.links.clear)

    async def start(self) -> None:
        """Start a final, if that is confirmed."""
        with layout.errors_shown():
            await self.visit.act(INSTRUCT)
            name, count = str(self.title.value or ""), str(self.matches.value or "")
            if not count.isascii() or not count.isdigit():
                raise ValueError(f"matches {count!r}: expected an even number")
            words = "The programs that play now are frozen for it. The ladder goes on."
            if await ask(f"Start {name}?", words, "Start"):
                await self.visit.act(INSTRUCT)
                await self.visit.read(start_final, name, int(count))
                ui.navigate.to("/class/final")


def cells(person: Person) -> tuple[str, ...]:
    """Return the cells of a person."""
    until = time_text(person.extension) if person.extension else ""
    name, *facts = map(html.escape, (person.name, person.role, person.reference, until))
    return (name + LOCKED * (not person.active), *facts)
