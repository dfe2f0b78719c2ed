"""Take in submissions: each a file, a folder or a zip, copied to a place of its own.

Nothing of a submission is run or trusted here. If it is too large, links elsewhere or is not a
file, it cannot be graded, with a message for the student.
"""

import os
import shutil
import stat
import zipfile
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import IO, NamedTuple

from ludex.core.termination import shorten
from ludex.external.interface import INTERFACES

LARGEST = 20 << 20  # bytes of a submission
MOST = 500  # files of a submission
DEEPEST = 8  # nested folders
CONSOLE_NAMES = ("nuts.py", "game.py")  # of a console program among several files
SKIPPED_FOLDERS = ("__pycache__", ".git", ".venv", "__MACOSX")  # not copied


class Entry(NamedTuple):
    """A submission that was taken in."""

    name: str
    folder: str
    """The folder of the copy that holds the file of the course."""
    fault: str = ""
    """Why it cannot be graded, or nothing."""


class IntakeError(ValueError):
    """A submission that cannot be taken in."""


def take_in(source: Path, course: str, copies: Path, console: bool = False) -> Entry:
    """Copy a submission to the copies, and return it with its fault, if any."""
    names = file_names(course, console)
    place = copies / name_of(source)
    name = place.name
    shutil.rmtree(place, ignore_errors=True)
    place.mkdir(parents=True)
    try:
        if source.is_symlink():
            raise IntakeError("it is a link")
        if source.suffix == ".zip":
            unpack(source, place, Allowance())
        elif source.is_dir():
            copy(source, place, Allowance())
        elif source.is_file():
            if source.suffix != ".py":
                raise IntakeError(f"{source.name} is no Python file; expected {names[0]}")
            with source.open("rb") as stream:
                Allowance().save(stream, place / names[0])
        else:
            raise IntakeError("there is no such file or folder")
        return Entry(name, str(find_program(place).parent if console else find_home(place, names)))
    except Exception as error:  # one broken zip must not stop the others
        shutil.rmtree(place, ignore_errors=True)
        place.mkdir(parents=True)
        words = error.strerror if isinstance(error, OSError) and error.strerror else str(error)
        return Entry(name, str(place), shorten(words) or type(error).__name__)


def name_of(source: Path) -> str:
    """Return the owner of a submission: the name of the file or folder, even for `..`."""
    path = Path(os.path.abspath(source))
    return path.stem if path.suffix in (".zip", ".py") else path.name


def file_names(course: str, console: bool = False) -> Sequence[str]:
    """Return the possible names of the file that counts in a course."""
    if console:
        return CONSOLE_NAMES
    own = [one.file for one in INTERFACES if one.game == course]
    return own + [one.file for one in INTERFACES if not one.game]


def check_sources(sources: list[Path], course: str, alone: bool, console: bool = False) -> None:
    """Refuse missing sources, and the folder of a class in place of its submissions.

    It is taken for one if every source holds several submissions. A single such source among
    others, or with `alone`, is a student's own error.
    """
    for source in sources:
        if not os.path.lexists(source):
            raise ValueError(f"{str(source)!r}: there is no such file or folder")
    names = file_names(course, console)
    held = [folders_with(source, names) if source.is_dir() else [] for source in sources]
    if not alone and all(len(folders) > 1 for folders in held):
        [source, *_], [folders, *_] = sources, held
        raise ValueError(
            f"{str(source)!r} holds {len(folders)} folders with {names[0]}, such as"
            f" {str(folders[0].relative_to(source))!r}: name the submissions themselves,"
            f" {source}/*"
        )


def folders_with(place: Path, names: Sequence[str]) -> list[Path]:
    """Return the folders with a file of the first name that occurs: the topmost ones."""
    if any((place / name).is_file() for name in names):
        return [place]
    for name in names:
        found = []
        for folder, folders, files in os.walk(place):
            folders[:] = sorted(set(folders) - set(SKIPPED_FOLDERS))
            if name in files:
                found.append(Path(folder))
                folders.clear()
        if found:
            return found
    return []


def find_program(place: Path) -> Path:
    """Return the console program of a submission: a file of a known name, or the only Python file.

    An `agent.py` beside it does not count.
    """
    if folders_with(place, CONSOLE_NAMES):
        folder = find_home(place, CONSOLE_NAMES)
        return next(folder / name for name in CONSOLE_NAMES if (folder / name).is_file())
    files = sorted(place.rglob("*.py"))
    found = [file for file in files if file.name != "agent.py"] or files
    if len(found) == 1:
        return found[0]
    if found:
        some = ", ".join(str(file.relative_to(place)) for file in found[:3])
        raise IntakeError(
            f"there is more than one Python file in it ({some}{', …' * (len(found) > 3)}):"
            f" expected the program to be called {CONSOLE_NAMES[0]}"
        )
    return find_home(place, CONSOLE_NAMES) / CONSOLE_NAMES[0]  # raises the error


def find_home(place: Path, names: Sequence[str]) -> Path:
    """Return the only folder with a file of these names, or raise an IntakeError."""
    found, name = folders_with(place, names), names[0]
    if len(found) > 1:
        where = ", ".join(str(folder.relative_to(place)) for folder in found[:3])
        raise IntakeError(
            f"there is more than one {name} in it ({where}{', …' * (len(found) > 3)})"
        )
    if found:
        [folder] = found
        own = next(folder / name for name in names if (folder / name).is_file())
        if not own.stat().st_size:
            raise IntakeError(f"{own.name} is empty")
        return folder
    if not any(place.rglob("*")):
        raise IntakeError("it is empty")
    raise IntakeError(f"there is no {name} in it")


class Allowance:
    """The remaining size limits of a submission: so many bytes and files, or the usual ones."""

    def __init__(self, largest: int | None = None, most: int | None = None) -> None:
        self.largest = self.left = LARGEST if largest is None else largest
        self.most = self.files = MOST if most is None else most

    def save(self, stream: IO[bytes], target: Path) -> None:
        """Write a file of the submission, readable to all and not executable."""
        self.files -= 1
        if self.files < 0:
            raise IntakeError(f"it has more than {self.most} files")
        target.parent.mkdir(parents=True, exist_ok=True)
        with target.open("wb") as file:
            while some := stream.read(1 << 16):
                self.left -= len(some)
                if self.left < 0:
                    raise IntakeError(f"it is larger than {size_text(self.largest)}")
                file.write(some)
        target.chmod(0o644)


def size_text(size: int) -> str:
    """Return a number of bytes as MiB, or KiB if it is none of these."""
    return f"{size >> 10} KiB" if size % (1 << 20) else f"{size >> 20} MiB"


def copy(source: Path, place: Path, allowance: Allowance) -> None:
    """Copy a folder within the size limits."""
    for file, inside in files_of(source, ()):
        with file.open("rb") as stream:
            allowance.save(stream, place.joinpath(*inside))


def files_of(folder: Path, inside: tuple[str, ...]) -> Iterator[tuple[Path, tuple[str, ...]]]:
    """Yield the files below a folder; refuse links and special files."""
    if len(inside) > DEEPEST:
        raise IntakeError(f"its folders are more than {DEEPEST} deep")
    for one in sorted(folder.iterdir()):
        here = (*inside, one.name)
        kind = one.lstat().st_mode
        if stat.S_ISLNK(kind):
            raise IntakeError(f"{'/'.join(here)} is a link, and links are not followed")
        if stat.S_ISDIR(kind):
            if one.name not in SKIPPED_FOLDERS:
                yield from files_of(one, here)
        elif stat.S_ISREG(kind):
            yield one, here
        else:
            raise IntakeError(f"{'/'.join(here)} is not a file")


def unpack(source: Path | IO[bytes], place: Path, allowance: Allowance) -> None:
    """Unpack a zip, without trusting the sizes and paths in it."""
    with zipfile.ZipFile(source) as packed:
        for one in packed.infolist():
            parts = Path(one.filename.replace("\\", "/")).parts
            if one.is_dir() or set(parts) & set(SKIPPED_FOLDERS):
                continue
            if stat.S_ISLNK(one.external_attr >> 16):
                raise IntakeError(f"{one.filename} is a link, and links are not followed")
            if not parts or ".." in parts or Path(*parts).is_absolute():
                raise IntakeError(f"{one.filename!r} leads out of the folder")
            if not one.filename.isprintable():
                raise IntakeError(f"{one.filename!r} is no name of a file")
            if len(parts) > DEEPEST:
                raise IntakeError(f"its folders are more than {DEEPEST} deep")
            with packed.open(one) as stream:
                allowance.save(stream, place.joinpath(*parts))
