"""An autograder for Gradescope: a zip with Ludex itself, an assignment and two scripts."""

import os
import re
import shlex
import zipfile
from collections.abc import Iterator
from importlib.metadata import requires
from pathlib import Path

import ludex
from ludex.external.agent import names_file
from ludex.external.interface import submission_root
from ludex.external.packages import PACKAGES
from ludex.external.paths import named_paths
from ludex.grading.assignment import MATCHES, SESSION, Assignment
from ludex.grading.validation import validate
from ludex.io.files import atomic_file

HERE = Path(__file__).parent
SCRIPTS = ("setup.sh", "run_autograder")
ASSIGNMENT, NEEDED, WARM, FIRST = "assignment.toml", "requirements.txt", "warm.sh", "first.py"
OURS = (*SCRIPTS, ASSIGNMENT, NEEDED, WARM, FIRST, "ludex")
PLAYER = "def choose(position, moves, seconds):\n    return moves[0]\n"
UNNEEDED = {"fastapi", "matplotlib", "nicegui", "pydantic", "starlette", "uvicorn"}
SOURCES = {".py", ".html", ".toml", ".npz", ".md", ".sh", ".txt"}
WHEN = (2020, 1, 1, 0, 0, 0)  # the same zip for the same content


def write_zip(assignment: Path, target: Path) -> None:
    """Write the autograder of an assignment."""
    given = validate(assignment, run=False)
    beside = dict(files_beside(given, Path(os.path.abspath(assignment)).parent))
    house = Path(ludex.__file__).parent
    with atomic_file(target) as file, zipfile.ZipFile(file, "w", zipfile.ZIP_DEFLATED) as packed:
        for name in SCRIPTS:
            add(packed, name, (HERE / name).read_text(encoding="utf-8"), 0o755)
        add(packed, ASSIGNMENT, assignment.read_text(encoding="utf-8"))
        add(packed, NEEDED, "".join(f"{one}\n" for one in our_requirements()))
        add(packed, WARM, warm_up_script(given), 0o755)
        add(packed, FIRST, PLAYER)
        for inside, own in beside.items():
            add(packed, inside, own.read_bytes(), 0o755 if os.access(own, os.X_OK) else 0o644)
        for source in sorted(house.rglob("*")):
            within = source.relative_to(house.parent)
            if source.is_file() and (source.suffix in SOURCES or source.name in SCRIPTS):
                if "__pycache__" not in within.parts:
                    add(packed, str(within), source.read_bytes())


def files_beside(given: Assignment, folder: Path) -> Iterator[tuple[str, Path]]:
    """Yield the files of opponents, with their paths relative to the assignment."""
    for number, test in enumerate(given.tests, start=1):
        for named in named_paths(test.opponent) if test.kind in (MATCHES, SESSION) else ():
            path = submission_root(named)
            if not path.is_relative_to(folder) or path == folder:
                raise ValueError(
                    f"test {number}: opponent {str(path)!r}: expected something in the folder of"
                    f" the assignment, {str(folder)!r}, so that the zip can have it"
                )
            if path.relative_to(folder).parts[0] in OURS:
                raise ValueError(
                    f"test {number}: opponent {str(path)!r}: the zip has another thing of this name"
                )
            for file in sorted(path.rglob("*")) if path.is_dir() else [path]:
                if file.is_file() and "__pycache__" not in file.parts:
                    yield str(file.relative_to(folder)), file


def add(packed: zipfile.ZipFile, name: str, data: str | bytes, mode: int = 0o644) -> None:
    """Add a file to the zip."""
    info = zipfile.ZipInfo(name, WHEN)
    info.compress_type = zipfile.ZIP_DEFLATED
    info.external_attr = mode << 16
    packed.writestr(info, data)


def our_requirements() -> list[str]:
    """Return the packages that grading requires."""
    found = [one for one in requires("ludex") or [] if "extra ==" not in one]
    return sorted(one for one in found if re.split(r"[^\w-]", one)[0] not in UNNEEDED)


def warm_up_script(given: Assignment) -> str:
    """Return a script that plays every opponent once, so that everything is compiled."""
    played = [one.opponent for one in given.tests if one.kind in (MATCHES, SESSION)]
    ours = [opponent for opponent in dict.fromkeys(played) if not names_file(opponent)]
    options = [f"--rule {shlex.quote(f'{key}={value}')}" for key, value in given.rules]
    if given.clock:
        options.append(f"--clock {shlex.quote(given.clock)}")
    options.append("--matches 2 --processes 1 --no-store --seed 1 --unsafe")
    # The first match installs the packages for all submissions.
    named = shlex.quote(" ".join(given.packages))
    first = ["set -e", f"export {PACKAGES}={named}"] if given.packages else []
    lines = [
        " ".join(['"$1" -m ludex match', given.course, f"./{FIRST}", shlex.quote(one), *options])
        for one in (ours or ["random"])
    ]
    return "\n".join(["#!/bin/sh", 'cd "$(dirname "$0")"', *first, *lines, ""])
