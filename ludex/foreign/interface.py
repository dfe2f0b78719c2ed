"""How somebody's file or folder is an agent. It is looked at, never imported, by the referee."""

import ast
import os
import warnings
from collections.abc import Callable
from pathlib import Path
from typing import NamedTuple

from ludex.reading import nearest

LARGEST = 1 << 20  # bytes of source that are read


def no_names(tree: ast.Module) -> list[str]:
    """Return what may stand behind the path of a file that is one agent: nothing."""
    return []


class Interface(NamedTuple):
    """A way in which Python files are written."""

    name: str
    """By which the host knows how to call it."""
    file: str
    """What counts in a folder."""
    shape: str
    """What such a file has, in words."""
    fits: Callable[[ast.Module], bool]
    game: str = ""
    """The only game that it is for, if it is for one."""
    names: Callable[[ast.Module], list[str]] = no_names
    """What may stand behind the path, as in `./r2d2_hw3.py:QAgent`; the first is the usual one."""


class Submission(NamedTuple):
    """What somebody gave us: the file that is run, and how."""

    path: Path
    """What was named: the file itself or a folder, all of which it may read."""
    file: Path
    interface: str
    """By its name; `PROGRAM` if it speaks the protocol itself."""
    word: str = ""
    """What stands behind the path: which agent of the file, or how it plays."""


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


def methods(tree: ast.Module, method: str, but: str = "") -> list[str]:
    """Return the classes of a module that have a method, but for one, the last class first."""
    return [
        node.name
        for node in reversed(tree.body)
        if isinstance(node, ast.ClassDef)
        and node.name != but
        and any(isinstance(one, ast.FunctionDef) and one.name == method for one in node.body)
    ]


def droid_agents(tree: ast.Module) -> list[str]:
    """Return the agents of a droids file that play without a keyboard."""
    usual = [name for name in ("MinimaxAgent", "QAgent") if defines(tree, name)]
    others = [name for name in methods(tree, "get_best_move") if name not in usual]
    return usual + [name for name in others if name not in ("Agent", "KeyboardAgent")]


AEROPLANE_AGENTS = ("RandomAgent", "ExpectimaxAgent", "MCTSAgent", "RLAgent")


def aeroplane_agents(tree: ast.Module) -> list[str]:
    """Return the agents of an aeroplane file, the last first; the base of all is no agent.

    They have a method `get_action`, or inherit it from another agent.
    """
    agents = [*methods(tree, "get_action", but="AeroplaneChessAgent"), *AEROPLANE_AGENTS]
    own = [node for node in tree.body if isinstance(node, ast.ClassDef)]
    for node in own:  # a class follows those that it is made from
        bases = {base.id for base in node.bases if isinstance(base, ast.Name)}
        bases |= {base.attr for base in node.bases if isinstance(base, ast.Attribute)}
        if bases & set(agents):
            agents.append(node.name)
    return [node.name for node in reversed(own) if node.name in agents]


PROGRAM = ""
DEPTHS = [str(depth) for depth in range(10)]
INTERFACES = (
    Interface(
        "choose",
        "agent.py",
        "a function choose(position, moves, seconds)",
        lambda tree: defines(tree, "choose"),
    ),
    Interface(
        "trap",
        "PlayerAI.py",
        "a class PlayerAI",
        lambda tree: defines(tree, "PlayerAI"),
        "trap",
    ),
    Interface(
        "droids",
        "r2d2_hw3.py",
        "a class QAgent or MinimaxAgent",
        lambda tree: bool(droid_agents(tree)),
        "droids",
        droid_agents,
    ),
    Interface(
        "arena",
        "Megaman_Arena.py",
        "the classes GameState and Game",
        lambda tree: defines(tree, "GameState") and defines(tree, "Game"),
        "arena",
        lambda tree: ["2", *(depth for depth in DEPTHS if depth != "2")],
    ),
    *(
        Interface(
            "aeroplane",
            file,
            "a class with get_action(state, die_v)",
            lambda tree: bool(aeroplane_agents(tree)),
            "aeroplane",
            aeroplane_agents,
        )
        for file in ("MyAgent.py", "Agent.py")
    ),
)


def word_fault(game: str, word: str) -> str:
    """Return why a word can stand behind no path of a file for a game, or nothing."""
    own = [one for one in INTERFACES if one.game == game]
    same_in_all = [name for one in own for name in one.names(ast.Module([], []))]
    if same_in_all:
        return "" if word in same_in_all else f"expected one of {', '.join(sorted(same_in_all))}"
    if all(one.names is no_names for one in own):
        return "expected none, for a file of this course is one agent"
    return "" if word.isidentifier() else "expected the name of a class"


def path_and_word(text: str) -> tuple[str, str]:
    """Return the path in the text of an agent, and the word behind it, if any."""
    path, colon, word = text.rpartition(":")
    return (text, "") if not colon or os.path.lexists(os.path.expanduser(text)) else (path, word)


def find_submission(text: str, game: str) -> Submission:
    """Return the agent for a game that a path names; a ValueError says why there is none."""
    named, word = path_and_word(text)
    path = Path(named).expanduser()
    try:
        path = path.resolve(strict=True)
    except (OSError, RuntimeError) as error:
        raise ValueError(f"agent {text!r}: {reason(error)}") from None
    able = tuple(one for one in INTERFACES if one.game in ("", game))
    if not path.is_dir():
        return submission(text, path, path, able, word)
    for interface in able:
        if (path / interface.file).is_file():
            return submission(text, path, inside(text, path, interface.file), (interface,), word)
    if (path / "agent").is_file():
        return submission(text, path, inside(text, path, "agent"), (), word)
    wanted = ", ".join([*(interface.file for interface in able), "agent"])
    raise ValueError(f"agent {text!r}: the folder has none of {wanted}")


def inside(text: str, folder: Path, name: str) -> Path:
    """Return a file of a folder, which must not be a link that leads out of it."""
    file = (folder / name).resolve()
    if not file.is_relative_to(folder):
        raise ValueError(f"agent {text!r}: {name} is a link that leads out of the folder")
    return file


def submission(
    text: str, path: Path, file: Path, interfaces: tuple[Interface, ...], word: str = ""
) -> Submission:
    """Return a file that is written in one of these ways, or that is a program."""
    if not file.is_file():
        raise ValueError(f"agent {text!r}: not a file")
    if file.suffix == ".py":
        tree = parsed(text, file)
        for interface in interfaces:
            if interface.fits(tree):
                return Submission(path, file, interface.name, chosen(text, interface, tree, word))
    if os.access(file, os.X_OK):
        if word:
            raise ValueError(f"agent {text!r}: expected nothing behind the path of a program")
        return Submission(path, file, PROGRAM)
    shapes = " or ".join(interface.shape for interface in interfaces)
    if file.suffix == ".py":
        other = next((one.game for one in INTERFACES if one.fits(tree)), "")
        if other:
            raise ValueError(f"agent {text!r}: {file.name} is for {other}, not for this game")
        raise ValueError(f"agent {text!r}: {file.name} lacks {shapes}, and is not executable")
    raise ValueError(f"agent {text!r}: {file.name} is neither a Python file nor executable")


def chosen(text: str, interface: Interface, tree: ast.Module, word: str) -> str:
    """Return the word behind a path, or the usual one; a ValueError says which there are."""
    names = interface.names(tree)
    if word and word not in names:
        wanted = f"one of {', '.join(names)}" if names else "nothing behind this path"
        raise ValueError(f"agent {text!r}: {word!r}{nearest(word, names)} (expected {wanted})")
    return word or next(iter(names), "")


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
        raise ValueError(f"agent {text!r}: {file.name}{line}: {hinted(error.msg)}") from None
    except (RecursionError, MemoryError):
        raise ValueError(f"agent {text!r}: {file.name} is nested too deeply") from None
    except ValueError as error:  # bytes that are no text
        raise ValueError(f"agent {text!r}: {file.name}: {hinted(str(error))}") from None
    return tree


def hinted(words: str) -> str:
    """Return what is wrong with a source, with a question where its encoding may be the reason."""
    doubtful = any(word in words for word in ("null byte", "unicode", "utf-8", "encoding"))
    return f"{words} (is it saved as UTF-8?)" if doubtful else words


def reason(error: OSError | RuntimeError) -> str:
    """Return why a file cannot be read."""
    return (isinstance(error, OSError) and error.strerror) or str(error)
