"""Who may do what in a class, by the address that is asked for."""

from nicegui import __version__ as NICEGUI

from ludex.classroom.people import GUEST, Person
from ludex.classroom.settings import Settings

WATCH, HAND_IN, INSTRUCT = "watch", "hand in", "instruct"
"""What somebody may do; an empty text stands for what everybody may."""
RIGHTS = {
    "/class/enter": "",
    "/class/leave": "",
    "/health": "",
    "/favicon.ico": "",
    f"/_nicegui/{NICEGUI}": "",  # scripts and styles, which are the same for everybody
    "/class/people": INSTRUCT,
    "/class/files": INSTRUCT,
    "/class/mine": HAND_IN,
    "/api/class/programs": HAND_IN,
}
"""The rights that addresses need, and all addresses below them; others need `WATCH`."""

REFUSALS = {
    WATCH: "only people of this class may watch",
    HAND_IN: "only students and instructors may hand in",
    INSTRUCT: "this is for instructors only",
}
"""What somebody reads who lacks a right."""


def right_for(path: str) -> str:
    """Return the right that an address needs."""
    found = [one for one in RIGHTS if path == one or path.startswith(f"{one}/")]
    return RIGHTS[max(found, key=len)] if found else WATCH


def allows(person: Person | None, right: str, settings: Settings) -> bool:
    """Return whether somebody, or None for a stranger, has a right."""
    if right == INSTRUCT:
        return person is not None and person.instructs
    if right == HAND_IN:
        return person is not None and person.role != GUEST
    return not right or person is not None or settings.guests
