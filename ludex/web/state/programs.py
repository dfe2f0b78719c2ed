"""Programs of visitors, which play in the sandbox: uploaded, typed, or named at the start."""

import itertools
import json
import re
from pathlib import Path

from ludex.external import sandbox
from ludex.external.interface import find_submission
from ludex.io.files import write_text
from ludex.io.text import nearest
from ludex.web.state import limits
from ludex.web.state.public_text import public_agent

PREFIX = "program:"  # of the texts of such agents
NAME = re.compile(r"[A-Za-z0-9][\w.+-]{0,58}\.py")


class Programs:
    """The programs in a folder of the server, and files that whoever started it has named."""

    def __init__(self, folder: Path, files: tuple[str, ...] = ()) -> None:
        self.folder = folder
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
        tried = self.tried_games()
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

    def save(self, name: str, content: str) -> str:
        """Keep a program, in place of an older one of this name, and return the agent's text."""
        self.check_name(name)
        if not sandbox.is_enabled():
            raise ValueError("this machine has no sandbox, so it runs no programs of visitors")
        if len(content.encode()) > limits.BODY:
            raise ValueError(f"{name}: expected at most {limits.BODY // 1024} KiB")
        if name not in self.paths() and len(self.paths()) >= limits.PROGRAMS:
            raise ValueError(f"there are {limits.PROGRAMS} programs already: no room for more")
        self.folder.mkdir(parents=True, exist_ok=True)
        write_text(self.folder / name, content)
        (self.folder / name).chmod(0o644)  # the sandbox runs it as another user
        return f"{PREFIX}{name}"

    def check_name(self, name: str) -> None:
        """Raise a ValueError unless a program of this name may be written."""
        if not NAME.fullmatch(name):
            raise ValueError(f"{name[:60]!r}: expected the name of a Python file, such as mine.py")
        if name in self.given:
            raise ValueError(f"{name} was named at the start of the server and stays as it is")

    def rename(self, name: str, other: str) -> None:
        """Give a program a name that no other program has."""
        self.find_own(name)
        self.check_name(other)
        if other in self.paths():
            raise ValueError(f"there is a program {other} already")
        tried = self.tried_games()
        self.find_own(name).rename(self.folder / other)
        self.write_tried({other if one == name else one: game for one, game in tried.items()})

    def delete(self, name: str) -> None:
        """Delete a program."""
        tried = self.tried_games()
        self.find_own(name).unlink()
        self.write_tried({one: game for one, game in tried.items() if one != name})

    def find_own(self, name: str) -> Path:
        """Return the path of a program that may be changed, or raise a ValueError."""
        self.check_name(name)
        if name not in self.paths():
            raise ValueError(f"there is no program {name} any more")
        return self.folder / name

    # The games that programs were tried with are noted beside them. ----------------------------

    def tried_games(self) -> dict[str, str]:
        """Return the game that each program was last tried with, by its name."""
        try:
            found = json.loads((self.folder / "tried.json").read_text(encoding="utf-8"))
        except (OSError, ValueError):
            return {}
        return found if isinstance(found, dict) else {}

    def note_tried(self, name: str, game: str) -> None:
        """Note that a program was tried with a game."""
        self.write_tried(self.tried_games() | {name: game})

    def write_tried(self, games: dict[str, str]) -> None:
        """Note which programs were tried with which games."""
        write_text(self.folder / "tried.json", json.dumps(games, indent=2) + "\n")
