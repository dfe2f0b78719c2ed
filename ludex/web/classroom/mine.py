"""The page of one's own programs: hand in, and see what became of each version."""

import html
from datetime import UTC, datetime, timedelta
from pathlib import Path

from nicegui import ui

from ludex.classroom.classroom import Classroom
from ludex.classroom.people import Person
from ludex.classroom.programs import (
    CheckResult,
    Program,
    check_quota,
    check_result,
    deadline_of,
    programs_of,
    withdraw,
)
from ludex.classroom.settings import WHEN, time_text
from ludex.core.rules import Rules
from ludex.io.keys import Refused
from ludex.io.text import many
from ludex.web.classroom.check import check_html, state_text
from ludex.web.classroom.links import program_link
from ludex.web.classroom.rights import HAND_IN
from ludex.web.classroom.task import add_task
from ludex.web.classroom.visit import Visit
from ludex.web.parts import layout
from ludex.web.parts.dialogs import ask

REFRESH = 2.0  # seconds
LISTED = 30  # versions
SCRIPT = Path(__file__).with_name("hand_in.js").read_text(encoding="utf-8")
LEAD = "The newest valid version plays; all versions are kept."


def share_script() -> None:
    """Add the script to all pages at once, so that no session holds a copy."""
    ui.add_head_html(f"<script>{SCRIPT}</script>", shared=True)


async def show(visit: Visit) -> None:
    """Show one's own programs, and go on showing what becomes of them."""
    page = MinePage(visit, await visit.read(read_rules))
    await page.refresh()
    visit.repeat(REFRESH, page.refresh)


class MinePage:
    """One browser's view of its owner's programs."""

    def __init__(self, visit: Visit, rules: Rules) -> None:
        self.visit = visit
        settings = visit.classroom.settings
        with visit.frame("My programs", "/class/mine", LEAD):
            with layout.sheet().style("margin-top: 1rem"):
                layout.heading("Hand in", 2)
                words = f"A Python file, a zip or a folder, of at most {settings.kibibytes} KiB"
                ui.label(f"{words} and {many(settings.files, 'file')}.")
                self.quota = layout.note()
                with layout.row("0.7rem"):
                    self.buttons = [self.button("A file", False), self.button("A folder", True)]
                    self.withdraw = layout.secondary("Withdraw the one that plays", self.take_back)
                ui.label().classes("lx-hand-in").props('role="status"')
            add_task(rules, settings)
            self.list = ui.html(sanitize=False).style("margin-top: 1rem")
        self.playing: Program | None = None

    def button(self, text: str, folder: bool) -> ui.button:
        """Add a button that asks the browser for a file or a folder, and sends it."""
        most = self.visit.classroom.settings.kibibytes << 10
        made = ui.button(text, icon="folder" if folder else "upload_file", color=None)
        made.props("no-caps " + ("flat" if folder else "unelevated"))
        made.classes("lx-second" if folder else "lx-first")
        return made.on("click", js_handler=f"() => lx.pick({str(folder).lower()}, {most})")

    async def refresh(self) -> None:
        """Show what has changed."""
        if not await self.visit.still_here() or self.visit.person is None:
            return
        person = self.visit.person
        own = await self.visit.read(read_own, person)
        self.playing = next((one for one, _ in own if one.playing), None)
        refusal = await self.visit.read(refusal_of, person)
        self.quota.text = quota_text(self.visit.classroom, person, [one for one, _ in own], refusal)
        for button in self.buttons:
            button.set_enabled(not refusal)
        self.withdraw.set_visibility(self.playing is not None)
        content = "".join(version_html(*one) for one in own)
        if content != self.list.content:
            self.list.content = content

    async def take_back(self) -> None:
        """Take the program that plays off the ladder, if that is confirmed."""
        program = self.playing
        words = "Its matches stay. The version before it does not come back."
        if program and await ask(f"Withdraw {program.name}?", words, "Withdraw"):
            with layout.errors_shown():
                person = await self.visit.act(HAND_IN)
                await self.visit.read(withdraw, program, person)
                await self.refresh()


def read_rules(classroom: Classroom) -> Rules:
    """Return the rules of the game that a class plays."""
    return classroom.settings.make_rules()


def read_own(classroom: Classroom, person: Person) -> list[tuple[Program, CheckResult]]:
    """Return the newest versions of somebody's program with their checks."""
    own = programs_of(classroom, person.id)[:LISTED]
    return [(one, check_result(classroom, one, person)) for one in own]


def refusal_of(classroom: Classroom, person: Person) -> str:
    """Return why somebody may not hand in now; empty if they may."""
    try:
        check_quota(classroom, person)
    except Refused as error:
        return str(error)
    return ""


def quota_text(classroom: Classroom, person: Person, own: list[Program], refusal: str) -> str:
    """Return how often, and until when, somebody may hand in."""
    day = (datetime.now(UTC) - timedelta(days=1)).strftime(WHEN)
    recent = sum(one.began > day for one in own)
    daily = classroom.settings.daily
    words = f"{recent} of {daily} hand-ins within 24 hours"
    if refusal:
        return f"{words}. Not now: {refusal}."
    deadline = deadline_of(classroom, person)
    until = f"the deadline is {time_text(deadline)}" if deadline else "there is no deadline"
    return f"{words}; {until}."


def version_html(program: Program, found: CheckResult) -> str:
    """Return a version as a section."""
    look = " lx-now-plays" * program.playing
    when = html.escape(layout.ago(program.began))
    return (
        f'<section class="lx-sheet lx-version{look}"><h2>{program_link(program.id, program.name)} '
        f'<span class="lx-badge lx-{program.state}">{state_text(program)}</span></h2>'
        f'<p class="lx-soft lx-small">handed in {when}</p>{check_html(found)}</section>'
    )
