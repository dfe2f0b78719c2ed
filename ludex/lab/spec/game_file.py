"""A game from a file, as an experiment uses it: its path, its contents, and a copy."""

import hashlib
from pathlib import Path

from ludex.core.rules import name_of
from ludex.games import GAMES, OPENSPIEL, find
from ludex.io.files import whole_file


def is_file(game: str) -> bool:
    """Return whether a game is named by a path, as `find` reads it."""
    if game in GAMES or game.startswith(OPENSPIEL):
        return False
    return game.endswith(".py") or "/" in game or Path(game, "__init__.py").exists()


def settled(game: str, folder: Path | None = None) -> str:
    """Return the name of a game, or the whole path of its file or folder.

    A path that lies beside the order, in `folder`, is taken before one from here.
    """
    if folder is not None and game not in GAMES and (folder / game).exists():
        if is_file(str(folder / game)):
            return str((folder / game).resolve())
    return str(Path(game).resolve()) if is_file(game) else game


def short_name(game: str) -> str:
    """Return what a report calls a game."""
    return name_of(find(game))


def beside(game: str) -> str:
    """Return how an order names a game whose copy lies beside it."""
    return f"./{Path(game).name}" if is_file(game) else game


def contents(game: str) -> dict[Path, bytes]:
    """Return the files of a game from outside by where they lie beside its order."""
    if not is_file(game):
        return {}
    path = Path(game)
    if not path.is_dir():
        text = path.with_suffix(".txt")  # how it is played
        return {Path(one.name): one.read_bytes() for one in (path, text) if one.is_file()}
    files = (one for one in sorted(path.rglob("*")) if one.suffix in (".py", ".txt"))
    return {one.relative_to(path.parent): one.read_bytes() for one in files if one.is_file()}


def fingerprint(game: str) -> str:
    """Return the SHA-256 of a game's file, or of those of its folder; nothing for one of ours."""
    files = {path: content for path, content in contents(game).items() if path.suffix == ".py"}
    if len(files) > 1:  # as sha256sum writes them
        lines = (f"{hashlib.sha256(one).hexdigest()}  {path}\n" for path, one in files.items())
        return hashlib.sha256("".join(lines).encode()).hexdigest()
    return "".join(hashlib.sha256(content).hexdigest() for content in files.values())


def copy_beside(game: str, folder: Path) -> None:
    """Put the files of a game from outside beside its order, unless they are there."""
    for path, content in contents(game).items():
        there = folder / path
        if there.is_file() and there.read_bytes() == content:
            continue
        there.parent.mkdir(parents=True, exist_ok=True)
        with whole_file(there) as file:
            file.write(content)
