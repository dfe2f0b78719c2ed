"""Notes about programs, kept in a file beside them."""

import json
import logging
from pathlib import Path

from ludex.io.files import write_text

log = logging.getLogger("ludex.web")


class ProgramNotes:
    """A text for each program that has one, by its name, in a JSON file."""

    def __init__(self, path: Path) -> None:
        self.path = path

    def read(self) -> dict[str, str]:
        """Return all notes; none if the file is missing or damaged."""
        if not self.path.exists():
            return {}
        try:
            found = dict(json.loads(self.path.read_text(encoding="utf-8")))
        except (OSError, ValueError, TypeError) as error:
            log.error("%s cannot be read, and does not count: %s", self.path.name, error)
            return {}
        return {name: text for name, text in found.items() if isinstance(text, str)}

    def set(self, name: str, text: str) -> None:
        """Note a text for a program; an empty one removes its note."""
        others = {one: noted for one, noted in self.read().items() if one != name}
        self.write(others | ({name: text} if text else {}))

    def rename(self, name: str, other: str) -> None:
        """Move the note of a program to its new name, in place of an older note there."""
        self.set(other, self.read().get(name, ""))
        self.set(name, "")

    def write(self, notes: dict[str, str]) -> None:
        """Replace the file, if the notes have changed."""
        if notes != self.read():
            write_text(self.path, json.dumps(notes, indent=2) + "\n")
