"""An autograder for Gradescope: a zip with Ludex itself, an assignment and two scripts."""

import re
import zipfile
from importlib.metadata import requires
from pathlib import Path

import ludex
from ludex.files import whole_file
from ludex.grade.assignment import EXAMPLES, TOURNAMENT, Assignment, read

HERE = Path(__file__).parent
SCRIPTS = ("setup.sh", "run_autograder")
UNNEEDED = {"fastapi", "matplotlib", "nicegui", "pydantic", "uvicorn"}
SOURCES = {".py", ".html", ".toml", ".npz", ".md", ".sh"}
WHEN = (2020, 1, 1, 0, 0, 0)  # the same zip for the same content


def write_zip(assignment: Path, target: Path) -> None:
    """Write the autograder of an assignment."""
    given = read(assignment)
    house = Path(ludex.__file__).parent
    with whole_file(target) as file, zipfile.ZipFile(file, "w", zipfile.ZIP_DEFLATED) as packed:
        for name in SCRIPTS:
            add(packed, name, (HERE / name).read_text(encoding="utf-8"), 0o755)
        add(packed, "assignment.toml", assignment.read_text(encoding="utf-8"))
        add(packed, "requirements.txt", "".join(f"{one}\n" for one in needed()))
        add(packed, "warm.sh", warm(given), 0o755)
        for source in sorted(house.rglob("*")):
            inside = source.relative_to(house.parent)
            if source.is_file() and (source.suffix in SOURCES or source.name in SCRIPTS):
                if "__pycache__" not in inside.parts:
                    add(packed, str(inside), source.read_bytes())


def add(packed: zipfile.ZipFile, name: str, data: str | bytes, mode: int = 0o644) -> None:
    """Add a file."""
    info = zipfile.ZipInfo(name, WHEN)
    info.compress_type = zipfile.ZIP_DEFLATED
    info.external_attr = mode << 16
    packed.writestr(info, data)


def needed() -> list[str]:
    """Return the packages without which nothing can be graded."""
    found = [one for one in requires("ludex") or [] if "extra ==" not in one]
    return sorted(one for one in found if re.split(r"[^\w-]", one)[0] not in UNNEEDED)


def warm(given: Assignment) -> str:
    """Return a script that lets every opponent play, so that all it needs is compiled."""
    played = [one for one in given.tests if one.kind not in (EXAMPLES, TOURNAMENT)]
    rules = "".join(f" --rule {key}={value}" for key, value in given.rules)
    lines = [
        f'"$1" -m ludex match {given.course} random {opponent}{rules}'
        " --matches 2 --processes 1 --no-store --seed 1"
        for opponent in dict.fromkeys(one.opponent for one in played)
    ]
    return "\n".join(["#!/bin/sh", *lines, ""])
