"""The handout of a course: a folder to complete, with all modules it needs and a README."""

import shutil
from pathlib import Path

from ludex import external
from ludex.io.text import nearest

HERE = Path(__file__).parent / "skeletons"
PROVIDED = Path(external.__file__).parent / "provided"
COURSES = ("nuts", "arena", "aeroplane", "trap", "droids")


def write_handout(course: str, folder: "str | Path") -> list[str]:
    """Write the handout of a course into a new or empty folder, and return its file names.

    A ValueError suggests the nearest course, or names a folder that is neither.
    """
    if course not in COURSES:
        known = ", ".join(COURSES)
        raise ValueError(f"no course {course!r}{nearest(course, COURSES)} (there are {known})")
    folder = Path(folder)
    if folder.exists() and (not folder.is_dir() or any(folder.iterdir())):
        raise ValueError(f"{str(folder)!r}: expected a new or an empty folder")
    folder.mkdir(parents=True, exist_ok=True)
    for place in (PROVIDED / course, HERE / course):
        for file in (*place.glob("*.py"), *place.glob("*.md")):
            shutil.copyfile(file, folder / file.name)
    return sorted(file.name for file in folder.iterdir())
