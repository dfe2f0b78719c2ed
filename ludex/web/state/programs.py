"""Programs of visitors, which play in the sandbox: uploaded, typed, or named at the start."""

import itertools
import re
from pathlib import Path

from ludex.external import sandbox
from ludex.external.agent import names_file
from ludex.external.interface import find_submission
from ludex.io.files import write_text
from ludex.io.keys import Refused, key_hash, key_matches
from ludex.io.text import nearest
from ludex.match.record import now
from ludex.web.state import limits
from ludex.web.state.access import HOST, Visitor
from ludex.web.state.program_notes import ProgramNotes
from ludex.web.state.public_text import public_agent

PREFIX = "program:"  # of the texts of such agents
GIVEN = "was named at the start of the server and stays as it is"
NAME = re.compile(r"[A-Za-z0-9][\w.+-]{0,58}\.py")


def is_program(text: str) -> bool:
    """Return whether an agent's text is that of a program, by its name or path."""
    return text.startswith(PREFIX) or names_file(text)


def file_name(text: str) -> str:
    """Return the name of a Python file as typed, with its ending."""
    name = text.strip()
    return name if name.endswith(".py") or not name else f"{name}.py"


class Programs:
    """The programs in a folder of the server, and files that whoever started it has named."""

    def __init__(self, folder: Path, files: tuple[str, ...] = ()) -> None:
        self.folder = folder
        self.tried = ProgramNotes(folder / "tried.json")
        """The game that each program was last tried with."""
        self.owners = ProgramNotes(folder / "owners.json")
        """The hash of the key of whoever has saved a program; none if it is the host's."""
        self.since = ProgramNotes(folder / "since.json")
        """When each program got its name, which may have been another's before."""
        self.given = {Path(file).name: Path(file).resolve() for file in files}
        for file, path in self.given.items():
            if not path.exists():
                raise ValueError(f"--agent {file}: there is no such file")
            try:
                find_submission(str(path), None)
            except ValueError as error:
                words = str(error).removeprefix(f"agent {str(path)!r}: ")
                raise ValueError(f"--agent {file}: {words}") from None

    def paths(self) -> dict[str, Path]:
        """Return the path of every program by its name."""
        return {path.name: path for path in sorted(self.folder.glob("*.py"))} | self.given

    def agents(self, game: str = "") -> list[str]:
        """Return the texts of the programs as agents, those tried with other games last."""
        tried = self.tried.read()
        names = sorted(self.paths(), key=lambda name: tried.get(name, game) != game)
        return [f"{PREFIX}{name}" for name in names]

    def resolve(self, text: str) -> str:
        """Return an agent's text with the path of its program."""
        name, colon, word = text.removeprefix(PREFIX).partition(":")
        paths = self.paths()
        if name not in paths:
            raise ValueError(f"no program {name[:60]!r} here{nearest(name, paths)}")
        return f"{paths[name]}{colon}{word}"

    def public_text(self, text: str) -> str:
        """Return an agent's text as visitors write it; the inverse of `resolve`."""
        for name, path in self.paths().items():
            if text == str(path) or text.startswith(f"{path}:"):
                return f"{PREFIX}{name}{text.removeprefix(str(path))}"
        return public_agent(text)

    def may_read(self, text: str, visitor: Visitor, when: str) -> bool:
        """Return whether a visitor may read what an agent said in a match that began at a time.

        Programs may say something of their source; other agents have no secrets.
        """
        if visitor.on_server or not is_program(text):
            return True
        known = self.public_text(text)
        name = known.removeprefix(PREFIX).partition(":")[0]
        since = self.since.read().get(name, "")
        own = known.startswith(PREFIX) and self.is_own(name, visitor)
        return own and bool(since) and since <= when

    def content(self, name: str) -> str | None:
        """Return the source of a program; None if there is none, or if it is not Python."""
        path = self.paths().get(name)
        if path is None or not path.is_file() or path.suffix != ".py":
            return None
        return path.read_text(encoding="utf-8", errors="replace")

    def unused_name(self, name: str) -> str:
        """Return a file name, with a number if there is a program of this name."""
        stem = name.removesuffix(".py")
        numbered = (f"{stem}-{number}.py" for number in itertools.count(2))
        names = itertools.chain([f"{stem}.py"], numbered)
        return next(one for one in names if one not in self.paths())

    def own_name(self, name: str, visitor: Visitor) -> str:
        """Return a file name, with a number if the program of this name is somebody else's.

        A visitor who has saved a program in this way gets its name again.
        """
        if name not in self.paths() or self.may_change(name, visitor):
            return name
        saved = [one for one in self.paths() if self.is_own(one, visitor)]
        numbered = re.compile(re.escape(name.removesuffix(".py")) + r"-[0-9]+\.py")
        return next(filter(numbered.fullmatch, saved), self.unused_name(name))

    def is_own(self, name: str, visitor: Visitor) -> bool:
        """Return whether a visitor has saved a program; all without an owner are the host's."""
        owner = self.owners.read().get(name, "")
        if not owner or name in self.given:
            return visitor.on_server
        return bool(visitor.key) and key_matches(owner, key_hash(visitor.key))

    def may_change(self, name: str, visitor: Visitor) -> bool:
        """Return whether a visitor may replace, rename or delete a program."""
        return name not in self.given and (visitor.on_server or self.is_own(name, visitor))

    def save(self, name: str, content: str, visitor: Visitor = HOST) -> str:
        """Keep a program, in place of an older one of this name, and return the agent's text.

        A new program belongs to the visitor; one that is replaced keeps its owner.
        """
        self.check_name(name, visitor)
        if not sandbox.is_enabled():
            raise ValueError("this machine has no sandbox, so it runs no programs of visitors")
        if len(content.encode()) > limits.BODY:
            raise ValueError(f"{name}: expected at most {limits.BODY // 1024} KiB")
        if name not in self.paths():
            self.check_room(visitor)
        self.folder.mkdir(parents=True, exist_ok=True)
        if name not in self.paths():
            self.owners.set(name, "" if visitor.on_server else key_hash(visitor.key))
            self.since.set(name, now())
        write_text(self.folder / name, content)
        (self.folder / name).chmod(0o644)  # the sandbox runs it as another user
        return f"{PREFIX}{name}"

    def check_room(self, visitor: Visitor) -> None:
        """Raise a ValueError if there is no room for one more program of a visitor."""
        own = sum(self.is_own(name, visitor) for name in self.paths())
        if not visitor.on_server and own >= limits.SAVED_PROGRAMS:
            raise ValueError(f"you have {own} programs already: delete or replace one of them")
        if len(self.paths()) >= limits.PROGRAMS:
            raise ValueError(f"there are {limits.PROGRAMS} programs already: no room for more")

    def check_name(self, name: str, visitor: Visitor = HOST) -> None:
        """Raise a ValueError unless a visitor may save a program under this name."""
        if not NAME.fullmatch(name):
            raise ValueError(f"{name[:60]!r}: expected the name of a Python file, such as mine.py")
        if name not in self.paths() or self.may_change(name, visitor):
            return
        reason = GIVEN if name in self.given else "is taken by somebody else's program"
        raise Refused(f"{name} {reason}; choose another name, such as {self.unused_name(name)}")

    def rename(self, name: str, other: str, visitor: Visitor = HOST) -> None:
        """Give a program a name that no other program has."""
        path = self.find_to_change(name, visitor)
        self.check_name(other, visitor)
        if other in self.paths():
            raise ValueError(f"there is a program {other} already")
        path.rename(self.folder / other)
        self.tried.rename(name, other)
        self.owners.rename(name, other)
        self.since.set(name, "")
        self.since.set(other, now())

    def delete(self, name: str, visitor: Visitor = HOST) -> None:
        """Delete a program."""
        self.find_to_change(name, visitor).unlink()
        self.tried.set(name, "")
        self.owners.set(name, "")
        self.since.set(name, "")

    def find_to_change(self, name: str, visitor: Visitor) -> Path:
        """Return the path of a program that a visitor may change, or raise a ValueError."""
        if name not in self.paths():
            raise ValueError(f"there is no program {name} any more")
        if not self.may_change(name, visitor):
            reason = GIVEN if name in self.given else "can only be changed by whoever saved it"
            raise Refused(f"{name} {reason}")
        return self.folder / name
