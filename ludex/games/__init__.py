"""The games: the table of included ones, and loading of others."""

import hashlib
import importlib
import re
import sys
import traceback
from collections.abc import Mapping
from importlib import machinery
from importlib.metadata import EntryPoint, entry_points
from importlib.util import module_from_spec, spec_from_file_location
from pathlib import Path
from types import ModuleType
from typing import Any

from ludex.core.limits import seats_faults, size_faults, state_faults
from ludex.core.rules import REQUIRED, Rules, answers, game_of, initial, name_of, rule_values, title
from ludex.core.variants import read_rules, rule_table, write_value
from ludex.games.snapshot import is_typed, snapshot
from ludex.io.text import nearest
from ludex.kernel.jit import game_hash

GAMES = ("nuts", "arena", "aeroplane", "trap", "droids")

# The prefix of names of OpenSpiel games.
OPENSPIEL = "openspiel:"

# The user's own modules, by their sources.
ADOPTED: dict[str, ModuleType] = {}


def adopt(given: ModuleType | type[Any] | Rules) -> Rules:
    """Return the rules of a game given as a module, a class of rules or rules.

    `find` then finds the game by its source. One typed into a notebook is as it is defined now.
    """
    if isinstance(given, ModuleType):
        given = rules_class(complete_game(given, f"the module {given.__name__!r}"))
    kind, values = (given, ()) if isinstance(given, type) else (type(given), given)
    name, game = kind.__qualname__, sys.modules[kind.__module__]
    if not (name.endswith("Rules") and hasattr(kind, "_fields")):
        wanted = f"{name}Rules" if hasattr(game, f"{name}Rules") else "a NamedTuple named XRules"
        raise ValueError(f"{name} is not the class of a game's rules: expected {wanted}")
    game = complete_game(snapshot(kind) if is_typed(game) else game, f"the game of {name}")
    sys.modules[game.__name__] = ADOPTED[source_of(game)] = game
    return playable(rules_class(game)(*values), f"the game of {name}")


def source_of(game: ModuleType) -> str:
    """Return the text by which `find` finds a game: its name, or the path of its file or folder."""
    file = getattr(game, "__file__", None)
    if game.__name__.startswith("ludex.games.") or hasattr(game, "NAME"):
        return name_of(game)
    for entry in entry_points(group="ludex.games", module=game.__name__):
        return entry.name
    path = Path(file).resolve() if file else None
    if path is None:
        return game.__name__
    return str(path.parent if path.name == "__init__.py" else path)


def installed_games() -> dict[str, EntryPoint]:
    """Return the games of installed packages, from the entry point group `ludex.games`."""
    return {entry.name: entry for entry in entry_points(group="ludex.games")}


def all_names() -> list[str]:
    """Return the names of the included games and of installed ones."""
    return [*GAMES, *(name for name in installed_games() if name not in GAMES)]


def find(name: str) -> ModuleType:
    """Return a game by its name, or from a file or folder by its path."""
    if name in ADOPTED:
        return ADOPTED[name]
    if name in GAMES:
        return importlib.import_module(f"ludex.games.{name}")
    if name.startswith(OPENSPIEL):
        from ludex.games.openspiel import find_spiel

        return find_spiel(name)
    if is_path(name):
        return load(Path(name))
    offered = installed_games()
    if name in offered:
        shown = f"the installed game {name!r}"
        try:
            module = offered[name].load()
        except (Exception, SystemExit) as error:
            why = f"{type(error).__name__}: {error}"
            raise ValueError(f"{shown} does not import: {why}") from error
        return complete_game(module, shown)
    names = all_names()
    raise ValueError(
        f"no game {name!r}{nearest(name, names)}"
        f" (there are {', '.join(names)}, or a path ./FILE.py)"
    )


def is_path(name: str) -> bool:
    """Return whether a game is named by the path of its file or folder."""
    if name in GAMES or name.startswith(OPENSPIEL):
        return False
    return name.endswith(".py") or "/" in name or Path(name, "__init__.py").exists()


class UncachedLoader(machinery.SourceFileLoader):
    """Loads a file without bytecode, which is stale if the file was rewritten within a second."""

    def path_stats(self, path: Any) -> Mapping[str, Any]:
        """Raise an OSError, so that bytecode is neither read nor written."""
        raise OSError


def load(path: Path) -> ModuleType:
    """Return the game in a file, or in a folder with an `__init__.py`.

    Its module is named by its path and content, so that an edited file is another game.
    """
    file = (path / "__init__.py" if path.is_dir() else path).resolve()
    if not file.is_file():
        raise ValueError(f"no game file {str(path)!r}")
    if file.suffix != ".py":
        raise ValueError(f"{str(path)!r} is not a Python file")
    sources = sorted(file.parent.rglob("*.py")) if path.is_dir() else [file]
    digest = hashlib.sha256(str(file).encode())
    for source in sources:
        digest.update(source.read_bytes())
    stem = re.sub(r"\W", "_", path.resolve().stem)
    name = f"ludex_game_{digest.hexdigest()[:12]}_{stem}"
    if name in sys.modules:
        return sys.modules[name]
    for folder in {str(source.parent) for source in sources if path.is_dir()}:
        compiled = machinery.ExtensionFileLoader, machinery.EXTENSION_SUFFIXES
        finder = machinery.FileFinder(folder, compiled, (UncachedLoader, [".py"]))
        sys.path_importer_cache[folder] = finder
    spec = spec_from_file_location(name, file, loader=UncachedLoader(name, str(file)))
    assert spec is not None and spec.loader is not None
    module = sys.modules[name] = module_from_spec(spec)
    try:
        spec.loader.exec_module(module)
    except (Exception, SystemExit) as error:
        del sys.modules[name]
        raise ValueError(f"{str(path)!r} does not import: {import_error(error, file)}") from error
    try:
        return complete_game(module, repr(str(path)))
    except ValueError:
        del sys.modules[name]
        raise


def import_error(error: BaseException, file: Path) -> str:
    """Return an error in one line, with the line of the file that raised it."""
    if isinstance(error, SyntaxError):
        return f"line {error.lineno}: {error.msg}" if error.lineno else str(error.msg)
    lines = [
        frame.lineno
        for frame in traceback.extract_tb(error.__traceback__)
        if frame.filename == str(file)
    ]
    where = f"line {lines[-1]}: " if lines else ""
    return f"{where}{type(error).__name__}: {error}"


def complete_game(game: ModuleType, shown: str) -> ModuleType:
    """Prepare a game from outside, and return the game; a ValueError says what it lacks.

    Compiled code distinguishes classes by `__name__` only, so it names module and sources, too: a
    copy of a game, or one that was edited and loaded again, must not be taken for the original.
    """
    lacks = missing_parts(game)
    if lacks:
        raise ValueError(f"{shown} is not a game yet: it lacks {', '.join(lacks)}")
    for fault in size_faults(game):
        raise ValueError(f"{shown} cannot be played: {fault}")
    outside = not game.__name__.startswith("ludex.games.")
    for kind in (rules_class(game), state_class(game)) if outside else ():
        edition = game_hash(kind)[:8] if getattr(game, "__file__", None) else ""
        kind.__name__ = re.sub(r"\W", "_", f"{game.__name__}.{kind.__qualname__}.{edition}")
        kind.__repr__ = show_tuple  # type: ignore[assignment]
    return game


def show_tuple(value: Any) -> str:
    """Return a NamedTuple with the name that its author gave it."""
    fields = ", ".join(f"{name}={part!r}" for name, part in value._asdict().items())
    return f"{type(value).__qualname__}({fields})"


def missing_parts(game: ModuleType) -> list[str]:
    """Return what a module lacks to be a game."""
    lacks = [f"{name}()" for name in REQUIRED if not answers(game, name)]
    if not answers(game, "legal") and not answers(game, "moves"):
        lacks.append("legal() or moves()")
    if not isinstance(getattr(game, "ACTIONS", None), int):
        lacks.append("ACTIONS")
    if hasattr(game, "chance") and not isinstance(getattr(game, "OUTCOMES", None), int):
        lacks.append("OUTCOMES")
    kinds = tuples(game)
    rules = [name for name in kinds if name.endswith("Rules")]
    if len(rules) != 1:
        lacks.append("one NamedTuple of rules named XRules")
    elif set(kinds[rules[0]]._fields) - set(kinds[rules[0]]._field_defaults):
        lacks.append(f"a default for every rule in {rules[0]}")
    elif rules[0].removesuffix("Rules") not in kinds:
        lacks.append(f"a NamedTuple of a state named {rules[0].removesuffix('Rules')}")
    return lacks


def tuples(game: ModuleType) -> dict[str, type[Any]]:
    """Return the NamedTuples that a module defines."""
    return {
        kind.__qualname__: kind
        for kind in vars(game).values()
        if isinstance(kind, type)
        and issubclass(kind, tuple)
        and hasattr(kind, "_fields")
        and kind.__module__ in (game.__name__, getattr(game, "TYPED_IN", None))
    }


def rules_class(game: ModuleType) -> type[Any]:
    """Return the class of a game's rules."""
    return next(kind for name, kind in tuples(game).items() if name.endswith("Rules"))


def game_rules(name: str, texts: Mapping[str, str] | None = None) -> Rules:
    """Return the rules of a game by its name or path, changed by values given as text."""
    return playable(read_rules(rules_class(find(name))(), texts or {}), repr(name))


def playable(rules: Rules, shown: str) -> Rules:
    """Return rules; a ValueError says if their seats or initial state are not those of a game."""
    try:
        faults = [*seats_faults(rules)]
        faults += (f"initial returned {fault}" for fault in state_faults(rules, initial(rules)))
    except Exception:  # an error of the game itself, which `ludex check` locates
        return rules
    if faults:
        raise ValueError(f"{shown} cannot be played: {faults[0]}")
    return rules


def state_class(game: ModuleType) -> type[Any]:
    """Return the class of a game's states."""
    return tuples(game)[rules_class(game).__qualname__.removesuffix("Rules")]


def summary(game: ModuleType) -> str:
    """Return the first line of a game's docstring, without its title."""
    first = (game.__doc__ or "").strip().partition("\n")[0]
    return first.removeprefix(f"{title(game)}: ")


def how_to_play(rules: Rules) -> list[str]:
    """Return how a game is played, sentence by sentence, with the values of the rules.

    The text comes from a file beside the game with its name, or else from its docstring; rules in
    braces are replaced by their values.
    """
    game = game_of(rules)
    file = Path(getattr(game, "__file__", None) or game.__name__).with_name(f"{name_of(game)}.txt")
    if not file.is_file():
        text = summary(game)
        return [text[:1].upper() + text[1:]] if text else []
    values, table = rule_values(rules), rule_table(rules)
    texts = {key: write_value(rule, values[key]) for key, rule in table.items()}
    text = file.read_text(encoding="utf-8")
    return re.sub(r"\{([\w-]+)\}", lambda key: texts.get(key[1], key[0]), text).splitlines()
