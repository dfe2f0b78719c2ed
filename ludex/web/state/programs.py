"""Programs of visitors, which play in the sandbox: uploaded, typed, or named at the start."""

import re
from pathlib import Path

from ludex.external import sandbox
from ludex.io.files import write_text
from ludex.io.text import nearest
from ludex.web.state import limits

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

    def paths(self) -> dict[str, Path]:
        """Return the path of every program by its name."""
        return {path.name: path for path in sorted(self.folder.glob("*.py"))} | self.given

    def agents(self) -> list[str]:
        """Return the texts of the programs as agents."""
        return [f"{PREFIX}{name}" for name in self.paths()]

    def resolve(self, text: str) -> str:
        """Return an agent's text with the path of its program."""
        name, colon, word = text.removeprefix(PREFIX).partition(":")
        paths = self.paths()
        if name not in paths:
            raise ValueError(f"no program {name[:60]!r} here{nearest(name, paths)}")
        return f"{paths[name]}{colon}{word}"

    def save(self, name: str, content: str) -> str:
        """Keep a program, in place of an older one of this name, and return the agent's text."""
        if not NAME.fullmatch(name):
            raise ValueError(f"{name[:60]!r}: expected the name of a Python file, such as mine.py")
        if name in self.given:
            raise ValueError(f"{name} was named at the start of the server and stays as it is")
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
