"""Find the agent in a file or folder. The referee inspects it but never imports it."""

import ast
import os
import warnings
from collections.abc import Callable
from pathlib import Path
from typing import NamedTuple

from ludex.external import source
from ludex.io.schema import errors_at
from ludex.io.text import nearest

LARGEST_SOURCE = 1 << 20  # bytes
TEST_PLAYERS = "test_players"  # a folder whose files belong to the folder above


class Interface(NamedTuple):
    """A form of Python file that can be run as an agent."""

    name: str
    """By which the host finds the adapter."""
    file: str
    """The file that counts in a folder."""
    shape: str
    """What such a file defines, in words."""
    lacks: Callable[[ast.Module], str]
    """Returns in words what a file lacks: all of the shape, a part of it, or nothing."""
    methods: tuple[str, ...]
    """The methods of an agent class."""
    usual: dict[str, str]
    """Words that may follow the path, the default first, with the name that each requires."""
    game: str = ""
    """The only game that it is for, or "" for any."""
    bases: tuple[str, ...] = ()
    """Classes with these methods that are not agents."""
    known: tuple[str, ...] = ()
    """Agents of the course's handout, from which other classes may inherit."""
    depths: tuple[str, ...] = ()
    """Search depths that may follow the name of a class."""

    def names(self, tree: ast.Module) -> list[str]:
        """Return the words that may follow the path of a file, as in `./r2d2_hw3.py:QAgent`."""
        usual = [word for word, needed in self.usual.items() if source.defines(tree, needed)]
        classes = source.classes_with(tree, *self.methods, known=self.known)
        others = [name for name in classes if name not in (*usual, *self.bases)]
        return usual + others + [f"{name}:{depth}" for name in others for depth in self.depths]


class Submission(NamedTuple):
    """An external program: the file that is run, and how."""

    path: Path
    """The named file or folder, all of which it may read."""
    file: Path
    interface: str
    """By its name; `PROGRAM` if it speaks the protocol itself."""
    word: str = ""
    """What follows the path: which agent of the file, or how it plays."""


def lacking_agent(tree: ast.Module) -> str:
    """Return what a droids file lacks."""
    if DROIDS.names(tree):
        return ""
    found = source.lacking_classes(tree, "QAgent", "MinimaxAgent")
    return found if "did you mean" in found else "a class QAgent or MinimaxAgent"


PROGRAM = ""
CONSOLE = "console"  # a Python file for a terminal; it is run with a seed as the word
FIRST_DEPTH = "2"  # the default of arena files
DEPTHS = (FIRST_DEPTH, *(str(depth) for depth in range(10) if str(depth) != FIRST_DEPTH))
CHOOSE: Interface = Interface(
    "choose",
    "agent.py",
    "a function choose(position, moves, seconds)",
    lambda tree: "" if source.defines(tree, "choose") else CHOOSE.shape,
    ("choose",),
    {"": "choose"},
)
TRAP = Interface(
    "trap",
    "PlayerAI.py",
    "a class PlayerAI",
    source.lacking_player,
    ("getMove", "getTrap"),
    {"PlayerAI": "PlayerAI"},
    "trap",
)
DROIDS = Interface(
    "droids",
    "r2d2_hw3.py",
    "a class QAgent or MinimaxAgent",
    lacking_agent,
    ("get_best_move",),
    {"MinimaxAgent": "MinimaxAgent", "QAgent": "QAgent"},
    "droids",
    bases=("Agent", "KeyboardAgent"),
)
ARENA = Interface(
    "arena",
    "Megaman_Arena.py",
    "the classes GameState and Game",
    lambda tree: source.lacking_classes(tree, "GameState", "Game"),
    ("actions", "result"),
    dict.fromkeys(DEPTHS, "Game"),
    "arena",
    depths=DEPTHS,
)
AEROPLANE: Interface = Interface(
    "aeroplane",
    "MyAgent.py",
    "a class with get_action(state, die_v)",
    lambda tree: "" if AEROPLANE.names(tree) else AEROPLANE.shape,
    ("get_action",),
    {},
    "aeroplane",
    bases=("AeroplaneChessAgent",),
    known=("RandomAgent", "ExpectimaxAgent", "MCTSAgent", "RLAgent"),
)
INTERFACES = (CHOOSE, TRAP, DROIDS, ARENA, AEROPLANE, AEROPLANE._replace(file="Agent.py"))


def word_fault(game: str, word: str) -> str:
    """Return why a word cannot follow the path of any file for a game, or ""."""
    name, colon, depth = word.partition(":")
    depths = next((one.depths for one in INTERFACES if one.game == game), ())
    if word in depths or (name.isidentifier() and (depth in depths or not colon)):
        return ""
    if not depths:
        return "expected the name of a class"
    low, high = min(depths), max(depths)
    return f"expected a depth from {low} to {high}, the name of a class, or NAME:DEPTH"


def path_and_word(text: str) -> tuple[str, str]:
    """Return the path in the text of an agent, and the word that follows it, if any."""
    path = text
    words: list[str] = []
    while ":" in path and not os.path.lexists(os.path.expanduser(path)):
        path, _, word = path.rpartition(":")
        words.insert(0, word)
    return path, ":".join(words)


def submission_root(path: Path) -> Path:
    """Return what the agent at a path may read: its folder, or the file itself.

    A student's test opponent, in `test_players`, belongs to the folder above if that is a
    submission: if it has the file that counts in some course.
    """
    above = path.parent.parent
    if path.parent.name != TEST_PLAYERS or not path.is_file():
        return path
    return above if any((above / one.file).is_file() for one in INTERFACES) else path


def find_submission(text: str, game: str | None) -> Submission:
    """Return the agent that a text names, for a game or any; raise ValueError if there is none."""
    named, word = path_and_word(text)
    path = Path(named).expanduser()
    with errors_at(f"agent {text!r}"):
        try:
            path = path.resolve(strict=True)
        except (OSError, RuntimeError) as error:
            raise ValueError(error_reason(error)) from None
        able = tuple(one for one in INTERFACES if game is None or one.game in ("", game))
        if not path.is_dir():
            return make_submission(submission_root(path), path, able, word)
        for interface in able:
            if (path / interface.file).is_file():
                return make_submission(path, file_in(path, interface.file), (interface,), word)
        if (path / "agent").is_file():
            return make_submission(path, file_in(path, "agent"), (), word)
        wanted = ", ".join([*(interface.file for interface in able), "agent"])
        raise ValueError(f"the folder has none of {wanted}")


def file_in(folder: Path, name: str) -> Path:
    """Return a file of a folder; refuse a link that leads out of it."""
    file = (folder / name).resolve()
    if not file.is_relative_to(folder):
        raise ValueError(f"{name} is a link that leads out of the folder")
    return file


def make_submission(
    path: Path, file: Path, interfaces: tuple[Interface, ...], word: str
) -> Submission:
    """Return the submission in a file that has one of these interfaces, or is a program."""
    if not file.is_file():
        raise ValueError("not a file")
    if file.suffix == ".py":
        tree = parse_source(file)
        for interface in fitting_interfaces(interfaces, tree, word):
            return Submission(path, file, interface.name, resolve_word(interface, tree, word))
    if os.access(file, os.X_OK):
        if word:
            raise ValueError("expected nothing behind the path of a program")
        return Submission(path, file, PROGRAM)
    if file.suffix == ".py":
        other = next((one.game for one in INTERFACES if not one.lacks(tree)), "")
        if other:
            raise ValueError(f"{file.name} is for {other}, not for this game")
        lacking = [(one.shape, one.lacks(tree)) for one in interfaces]
        # If it has a part of some shape, only the rest of that one is reported.
        parts = [lacks for shape, lacks in lacking if lacks != shape]
        words = " or ".join(dict.fromkeys(parts or [shape for shape, _ in lacking]))
        raise ValueError(f"{file.name} lacks {words}")
    raise ValueError(f"{file.name} is neither a Python file nor executable")


def fitting_interfaces(
    interfaces: tuple[Interface, ...], tree: ast.Module, word: str
) -> list[Interface]:
    """Return the interfaces that a file has, the likeliest first.

    A word decides: it names a class that has the methods, or else may inherit them.
    """
    fitting = [one for one in interfaces if not one.lacks(tree)]
    if not word:
        return fitting
    naming = [one for one in interfaces if word in one.names(tree)]
    naming += [one for one in reversed(interfaces) if may_inherit(one, tree, word)]
    return naming or fitting or [one for one in interfaces if one.names(tree)]


def may_inherit(interface: Interface, tree: ast.Module, word: str) -> bool:
    """Return whether a word names a class that may inherit the methods from elsewhere."""
    name, colon, depth = word.partition(":")
    if (colon and depth not in interface.depths) or not source.defines(tree, name):
        return False
    return source.has_methods(tree, name, interface.methods) is None


def resolve_word(interface: Interface, tree: ast.Module, word: str) -> str:
    """Return the word that follows a path, or the default; a ValueError lists the words."""
    names = interface.names(tree)
    if word and word not in names and not may_inherit(interface, tree, word):
        single = [name for name in names if name and ":" not in name]
        wanted = f"one of {', '.join(single)}" if single else "nothing behind this path"
        near = source.similar_name(word, names) if word in interface.usual.values() else ""
        if near:  # the file has it, spelled differently
            said = f"it has a class {near}; did you mean {word!r}?"
            raise ValueError(f"no class {word} ({said})")
        raise ValueError(f"{word!r}{nearest(word, single)} (expected {wanted})")
    return word or next(iter(names), "")


def parse_source(file: Path) -> ast.Module:
    """Parse and compile the source of a file, without running it, and return its tree."""
    try:
        with file.open("rb") as stream:
            content = stream.read(LARGEST_SOURCE + 1)
    except OSError as error:
        raise ValueError(error_reason(error)) from None
    if len(content) > LARGEST_SOURCE:
        raise ValueError(f"{file.name} is larger than {LARGEST_SOURCE} bytes")
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")  # they are for its author
            tree = ast.parse(content, file.name)
            compile(tree, file.name, "exec", dont_inherit=True)
    except SyntaxError as error:
        line = f" line {error.lineno}" if error.lineno else ""
        raise ValueError(f"{file.name}{line}: {add_hint(error.msg)}") from None
    except (RecursionError, MemoryError):
        raise ValueError(f"{file.name} is nested too deeply") from None
    except ValueError as error:  # not text
        raise ValueError(f"{file.name}: {add_hint(str(error))}") from None
    return tree


def add_hint(words: str) -> str:
    """Return an error message, with a hint if the encoding may be the reason."""
    doubtful = any(word in words for word in ("null byte", "unicode", "utf-8", "encoding"))
    return f"{words} (is it saved as UTF-8?)" if doubtful else words


def error_reason(error: OSError | RuntimeError) -> str:
    """Return why a file cannot be read."""
    return (isinstance(error, OSError) and error.strerror) or str(error)
