"""The handout of a course: a folder to complete, with all modules it needs and a README."""

import shutil
from pathlib import Path

from ludex import external
from ludex.io.text import nearest

HERE = Path(__file__).parent / "skeletons"
PROVIDED = Path(external.__file__).parent / "provided"
COURSES = ("nuts", "arena", "aeroplane", "trap", "droids")


def handout_files(course: str) -> dict[str, Path]:
    """Return the files of a handout by name; a ValueError suggests the nearest course."""
    if course not in COURSES:
        known = ", ".join(COURSES)
        raise ValueError(f"no course {course!r}{nearest(course, COURSES)} (there are {known})")
    places = (PROVIDED / course, HERE / course)
    return {
        file.name: file
        for place in places
        if place.is_dir()
        for file in sorted(place.iterdir())
        if file.suffix in (".py", ".md")
    }


def write_handout(course: str, folder: "str | Path") -> list[str]:
    """Write the handout of a course into a new or empty folder, and return its file names."""
    files, folder = handout_files(course), Path(folder)
    if folder.exists() and (not folder.is_dir() or any(folder.iterdir())):
        raise ValueError(f"{str(folder)!r}: expected a new or an empty folder")
    folder.mkdir(parents=True, exist_ok=True)
    for name, file in files.items():
        shutil.copyfile(file, folder / name)
    return sorted(files)
