"""How somebody's file or folder is an agent. It is looked at, never imported, by the referee."""

import ast
import os
import warnings
from collections.abc import Callable
from pathlib import Path
from typing import NamedTuple

LARGEST = 1 << 20  # bytes of source that are read


class Interface(NamedTuple):
    """A way in which Python files are written."""

    name: str
    """By which the host knows how to call it."""
    file: str
    """What counts in a folder."""
    shape: str
    """What such a file has, in words."""
    fits: Callable[[ast.Module], bool]


class Submission(NamedTuple):
    """What somebody gave us: the file that is run, and how."""

    path: Path
    """What was named: the file itself or a folder, all of which it may read."""
    file: Path
    interface: str
    """By its name; `PROGRAM` if it speaks the protocol itself."""


def defines(tree: ast.Module, name: str) -> bool:
    """Return whether a module gives a name at its top, by whatever statement."""
    for node in tree.body:
        if isinstance(node, ast.FunctionDef | ast.ClassDef):
            given = {node.name}
        elif isinstance(node, ast.Import | ast.ImportFrom):
            given = {alias.asname or alias.name for alias in node.names}
        elif isinstance(node, ast.Assign):
            given = {target.id for target in node.targets if isinstance(target, ast.Name)}
        else:
            continue
        if name in given:
            return True
    return False


PROGRAM = ""
INTERFACES = (
    Interface(
        "choose",
        "agent.py",
        "a function choose(position, moves, seconds)",
        lambda tree: defines(tree, "choose"),
    ),
)


def find_submission(text: str) -> Submission:
    """Return what a path names; a ValueError says in one line why it is no agent."""
    path = Path(text).expanduser()
    try:
        path = path.resolve(strict=True)
    except (OSError, RuntimeError) as error:
        raise ValueError(f"agent {text!r}: {reason(error)}") from None
    if not path.is_dir():
        return submission(text, path, path, INTERFACES)
    for interface in INTERFACES:
        if (path / interface.file).is_file():
            return submission(text, path, inside(text, path, interface.file), (interface,))
    if (path / "agent").is_file():
        return submission(text, path, inside(text, path, "agent"), ())
    wanted = ", ".join([*(interface.file for interface in INTERFACES), "agent"])
    raise ValueError(f"agent {text!r}: the folder has none of {wanted}")


def inside(text: str, folder: Path, name: str) -> Path:
    """Return a file of a folder, which must not be a link that leads out of it."""
    file = (folder / name).resolve()
    if not file.is_relative_to(folder):
        raise ValueError(f"agent {text!r}: {name} is a link that leads out of the folder")
    return file


def submission(text: str, path: Path, file: Path, interfaces: tuple[Interface, ...]) -> Submission:
    """Return a file that is written in one of these ways, or that is a program."""
    if not file.is_file():
        raise ValueError(f"agent {text!r}: not a file")
    if file.suffix == ".py":
        tree = parsed(text, file)
        for interface in interfaces:
            if interface.fits(tree):
                return Submission(path, file, interface.name)
    if os.access(file, os.X_OK):
        return Submission(path, file, PROGRAM)
    shapes = " or ".join(interface.shape for interface in interfaces)
    if file.suffix == ".py":
        raise ValueError(f"agent {text!r}: {file.name} lacks {shapes}, and is not executable")
    raise ValueError(f"agent {text!r}: {file.name} is neither a Python file nor executable")


def parsed(text: str, file: Path) -> ast.Module:
    """Return the source of a file as a tree, after it was compiled but not run."""
    try:
        with file.open("rb") as stream:
            source = stream.read(LARGEST + 1)
    except OSError as error:
        raise ValueError(f"agent {text!r}: {reason(error)}") from None
    if len(source) > LARGEST:
        raise ValueError(f"agent {text!r}: {file.name} is larger than {LARGEST} bytes")
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")  # they concern whoever wrote it
            tree = ast.parse(source, file.name)
            compile(tree, file.name, "exec", dont_inherit=True)
    except SyntaxError as error:
        line = f" line {error.lineno}" if error.lineno else ""
        raise ValueError(f"agent {text!r}: {file.name}{line}: {error.msg}") from None
    except (RecursionError, MemoryError):
        raise ValueError(f"agent {text!r}: {file.name} is nested too deeply") from None
    except ValueError as error:  # bytes that are no text
        raise ValueError(f"agent {text!r}: {file.name}: {error}") from None
    return tree


def reason(error: OSError | RuntimeError) -> str:
    """Return why a file cannot be read."""
    return (isinstance(error, OSError) and error.strerror) or str(error)
