"""The expected name of a submitted folder, and its text file on contributions."""

import re
from pathlib import Path

from ludex.core.termination import shorten
from ludex.grading.assignment import Assignment
from ludex.grading.intake import Entry


def warnings(entry: Entry, given: Assignment, place: Path, alone: bool) -> list[str]:
    """Return deviations from the expected names, which cost no points.

    `place` is the root of the submission's copy. With `alone`, as on Gradescope, the files may
    come without their folder.
    """
    if entry.fault or not (given.folder or given.contributions):
        return []
    folder = Path(entry.folder)
    inside = folder.relative_to(place).parts
    name = inside[0] if inside else entry.name
    flat = alone and not inside
    found = []
    if given.folder and not flat and not re.fullmatch(given.folder, name):
        wanted = f"such as {given.folder_like!r}" if given.folder_like else f"like {given.folder!r}"
        found.append(f"the folder is called {name!r}: expected a name {wanted}")
    if given.contributions:
        texts = sorted({*place.glob("*.txt"), *folder.glob("*.txt")})
        fits = given.folder or ".*" if flat else re.escape(name)
        named = [file for file in texts if re.fullmatch(fits, file.stem)]
        if not named:
            wanted = "a text file named as the folder" if flat else f"{name}.txt"
            others = f" (there is {texts[0].name})" if texts else ""
            found.append(f"{wanted} with everybody's contribution is missing{others}")
        elif not any(file.read_bytes().strip() for file in named):
            found.append(f"{named[0].name} is empty: expected everybody's contribution")
    return [shorten(one) for one in found]
