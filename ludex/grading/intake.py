"""Take in submissions: each a file, a folder or a zip, copied to a place of its own.

Nothing of a submission is run or trusted here. If it is too large, links elsewhere or is not a
file, it cannot be graded, with a message for the student.
"""

import os
import shutil
import stat
import zipfile
from collections.abc import Iterator
from pathlib import Path
from typing import BinaryIO, NamedTuple

from ludex.core.termination import shorten
from ludex.external.interface import INTERFACES

LARGEST = 20 << 20  # bytes of a submission
MOST = 500  # files of a submission
DEEPEST = 8  # folders in one another
CONSOLE_NAMES = ("nuts.py", "game.py")  # of a program that is no agent, if there are several files
UNSEEN = ("__pycache__", ".git", ".venv", "__MACOSX")  # folders that are left out


class Entry(NamedTuple):
    """A submission of somebody."""

    name: str
    folder: str
    """Where its copy is; the file of the course is in it."""
    fault: str = ""
    """Why it cannot be graded, or nothing."""


class Bad(ValueError):
    """A submission that cannot be taken in."""


def take_in(source: Path, course: str, shelf: Path, console: bool = False) -> Entry:
    """Copy a submission to a shelf, and return it; what is wrong with it is said there."""
    names = file_names(course, console)
    place = shelf / name_of(source)
    name = place.name
    shutil.rmtree(place, ignore_errors=True)
    place.mkdir(parents=True)
    try:
        if source.is_symlink():
            raise Bad("it is a link")
        if source.suffix == ".zip":
            unpack(source, place)
        elif source.is_dir():
            copy(source, place)
        elif source.is_file():
            if source.suffix != ".py":
                raise Bad(f"{source.name} is no Python file; expected {names[0]}")
            copy_file(source, place / names[0])
        else:
            raise Bad("there is no such file or folder")
        return Entry(name, str(program(place).parent if console else home(place, course)))
    except Exception as error:  # a zip can be broken in many ways, and none may stop the others
        shutil.rmtree(place, ignore_errors=True)
        place.mkdir(parents=True)
        words = error.strerror if isinstance(error, OSError) and error.strerror else str(error)
        return Entry(name, str(place), shorten(words) or type(error).__name__)


def name_of(source: Path) -> str:
    """Return whose a submission is: the name of the file or folder, also where it is `..`."""
    path = Path(os.path.abspath(source))
    return path.stem if path.suffix in (".zip", ".py") else path.name


def file_names(course: str, console: bool = False) -> list[str]:
    """Return what the file that counts may be called in a course."""
    if console:
        return list(CONSOLE_NAMES)
    own = [one.file for one in INTERFACES if one.game == course]
    return own + [one.file for one in INTERFACES if not one.game]


def look_at(sources: list[Path], course: str, alone: bool, console: bool = False) -> None:
    """Refuse what was not meant as submissions: what is not there, and the folder of a class.

    Where all look as if each held several submissions, it is the class that was named. Among
    others such a one is somebody's own confusion, and so it is where there is only one person.
    """
    for source in sources:
        if not os.path.lexists(source):
            raise ValueError(f"{str(source)!r}: there is no such file or folder")
    names = file_names(course, console)
    held = [homes(source, course, console) if source.is_dir() else [] for source in sources]
    if not alone and all(len(folders) > 1 for folders in held):
        [source, *_], [folders, *_] = sources, held
        raise ValueError(
            f"{str(source)!r} holds {len(folders)} folders with {names[0]}, such as"
            f" {str(folders[0].relative_to(source))!r}: name the submissions themselves,"
            f" {source}/*"
        )


def homes(place: Path, course: str, console: bool = False) -> list[Path]:
    """Return the folders that may be meant: the place itself, or the uppermost ones in it.

    The file of the course is in each, or one of its other files where that is nowhere.
    """
    names = file_names(course, console)
    if any((place / name).is_file() for name in names):
        return [place]
    for name in names:
        found = []
        for folder, folders, files in os.walk(place):
            folders[:] = sorted(set(folders) - set(UNSEEN))
            if name in files:
                found.append(Path(folder))
                folders.clear()
        if found:
            return found
    return []


def program(place: Path) -> Path:
    """Return the console program in a submission: the only Python file, or one of a known name.

    An `agent.py` beside it is no such program.
    """
    if homes(place, "", console=True):
        folder = home(place, "", console=True)
        return next(folder / name for name in CONSOLE_NAMES if (folder / name).is_file())
    files = sorted(place.rglob("*.py"))
    found = [file for file in files if file.name != "agent.py"] or files
    if len(found) == 1:
        return found[0]
    if found:
        some = ", ".join(str(file.relative_to(place)) for file in found[:3])
        raise Bad(
            f"there is more than one Python file in it ({some}{', …' * (len(found) > 3)}):"
            f" expected the program to be called {CONSOLE_NAMES[0]}"
        )
    return home(place, "", console=True) / CONSOLE_NAMES[0]  # which says what is wrong


def home(place: Path, course: str, console: bool = False) -> Path:
    """Return the folder in which the file of the course is; there must be only one."""
    found = homes(place, course, console)
    names = file_names(course, console)
    name = names[0]
    if len(found) > 1:
        where = ", ".join(str(folder.relative_to(place)) for folder in found[:3])
        raise Bad(f"there is more than one {name} in it ({where}{', …' * (len(found) > 3)})")
    if found:
        [folder] = found
        own = next(folder / name for name in names if (folder / name).is_file())
        if not own.stat().st_size:
            raise Bad(f"{own.name} is empty")
        return folder
    if not any(place.rglob("*")):
        raise Bad("it is empty")
    raise Bad(f"there is no {name} in it")


class Allowance:
    """What a submission may still have."""

    def __init__(self) -> None:
        self.left, self.files = LARGEST, MOST

    def file(self, size: int) -> None:
        """Take note of another file."""
        self.files -= 1
        self.bytes(size)
        if self.files < 0:
            raise Bad(f"it has more than {MOST} files")

    def bytes(self, size: int) -> None:
        """Take note of so many bytes."""
        self.left -= size
        if self.left < 0:
            raise Bad(f"it is larger than {LARGEST >> 20} MiB")


def copy(source: Path, place: Path) -> None:
    """Copy a folder without links and anything that is no file."""
    allowance = Allowance()
    for file, inside in files_of(source, ()):
        allowance.file(file.stat().st_size)
        copy_file(file, place.joinpath(*inside))


def files_of(folder: Path, inside: tuple[str, ...]) -> Iterator[tuple[Path, tuple[str, ...]]]:
    """Yield the files of a folder and of those in it; a link that leads out of it is refused."""
    if len(inside) > DEEPEST:
        raise Bad(f"its folders are more than {DEEPEST} deep")
    for one in sorted(folder.iterdir()):
        here = (*inside, one.name)
        kind = one.lstat().st_mode
        if stat.S_ISLNK(kind):
            raise Bad(f"{'/'.join(here)} is a link, and links are not followed")
        if stat.S_ISDIR(kind):
            if one.name not in UNSEEN:
                yield from files_of(one, here)
        elif stat.S_ISREG(kind):
            yield one, here
        else:
            raise Bad(f"{'/'.join(here)} is not a file")


def copy_file(source: Path, target: Path) -> None:
    """Copy a file so that everybody can read it and nobody runs it."""
    if source.stat().st_size > LARGEST:
        raise Bad(f"it is larger than {LARGEST >> 20} MiB")
    target.parent.mkdir(parents=True, exist_ok=True)
    shutil.copyfile(source, target)
    target.chmod(0o644)


def unpack(source: Path, place: Path) -> None:
    """Unpack a zip; what it says about itself is not believed."""
    allowance = Allowance()
    with zipfile.ZipFile(source) as packed:
        for one in packed.infolist():
            parts = Path(one.filename.replace("\\", "/")).parts
            if one.is_dir() or set(parts) & set(UNSEEN):
                continue
            if stat.S_ISLNK(one.external_attr >> 16):
                raise Bad(f"{one.filename} is a link, and links are not followed")
            if not parts or ".." in parts or Path(one.filename).is_absolute():
                raise Bad(f"{one.filename!r} leads out of the folder")
            if len(parts) > DEEPEST:
                raise Bad(f"its folders are more than {DEEPEST} deep")
            allowance.file(0)
            target = place.joinpath(*parts)
            target.parent.mkdir(parents=True, exist_ok=True)
            with packed.open(one) as stream, target.open("wb") as file:
                pour(stream, file, allowance)  # type: ignore[arg-type]
            target.chmod(0o644)


def pour(stream: BinaryIO, file: BinaryIO, allowance: Allowance) -> None:
    """Copy bytes as long as there may be more of them."""
    while some := stream.read(1 << 16):
        allowance.bytes(len(some))
        file.write(some)
