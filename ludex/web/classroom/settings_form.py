"""The settings of a class as a form: the deadline, the clock, who may watch, and limits."""

from typing import Any

from nicegui import ui

from ludex.classroom.classroom import Classroom
from ludex.classroom.settings import GAME_CLOCK, NO_DEADLINE, plain_time
from ludex.web.classroom.rights import INSTRUCT
from ludex.web.classroom.visit import Visit
from ludex.web.parts import layout

NUMBERS = {
    "daily": "hand-ins within 24 hours",
    "matches": "matches of a program",
    "kibibytes": "KiB of a hand-in",
    "files": "files of a hand-in",
}


class SettingsForm:
    """Fields for what an instructor changes most often; the command line has all settings."""

    def __init__(self, visit: Visit) -> None:
        self.visit = visit
        settings = visit.classroom.settings
        with layout.sheet():
            layout.heading("Settings", 2)
            with layout.row():
                label = "deadline in UTC, such as 2026-12-01 18:00, or none"
                self.deadline = text_field(label, deadline_text(settings.deadline))
                label = "clock, such as turn=2, or game for the game's own"
                self.clock = text_field(label, settings.clock or GAME_CLOCK)
                self.numbers = {
                    name: layout.number_field(words, str(getattr(settings, name)))
                    for name, words in NUMBERS.items()
                }
            with layout.row("0.6rem"):
                self.guests = ui.checkbox("Everybody may watch, without a token")
                self.guests.value = settings.guests
                layout.secondary("Save", self.save, "save", "Save the settings")

    async def save(self) -> None:
        """Change the settings."""
        with layout.errors_shown():
            await self.visit.act(INSTRUCT)
            changes: dict[str, Any] = {"deadline": str(self.deadline.value or "").strip()}
            changes["clock"] = str(self.clock.value or "").strip()
            changes["guests"] = bool(self.guests.value)
            changes |= {name: number(name, field.value) for name, field in self.numbers.items()}
            await self.visit.read(change, changes)
            self.deadline.value = deadline_text(self.visit.classroom.settings.deadline)
            layout.notify("Saved", type="positive")


def deadline_text(deadline: str) -> str:
    """Return a deadline as it is typed, `none` if there is none."""
    return plain_time(deadline) if deadline else NO_DEADLINE


def text_field(label: str, value: str) -> ui.input:
    """Return a field that is wide enough for its label."""
    made = ui.input(label, value=value).props("outlined dense")
    return made.style("min-width: 20rem; max-width: 100%")


def number(name: str, text: Any) -> int:
    """Return a whole number that was typed."""
    given = str(text or "").strip()
    if not given.isascii() or not given.isdigit() or len(given) > 9:
        raise ValueError(f"{NUMBERS[name]} {given[:20]!r}: expected a whole number")
    return int(given)


def change(classroom: Classroom, changes: dict[str, Any]) -> None:
    """Change some settings of a class."""
    classroom.change(**changes)
