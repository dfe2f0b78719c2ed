"""A game from a file, as an experiment uses it: its path, its contents, and a copy."""

import hashlib
from pathlib import Path

from ludex.core.rules import name_of
from ludex.games import GAMES, find, is_path
from ludex.io.files import atomic_file


def resolve_game(game: str, folder: Path | None = None) -> str:
    """Return the name of a game, or the absolute path of its file or folder.

    Paths relative to `folder` take precedence over those relative to the working directory.
    """
    if folder is not None and game not in GAMES and (folder / game).exists():
        if is_path(str(folder / game)):
            return str((folder / game).resolve())
    return str(Path(game).resolve()) if is_path(game) else game


def short_name(game: str) -> str:
    """Return the display name of a game."""
    return name_of(find(game))


def game_files(game: str) -> dict[Path, bytes]:
    """Return the files of an external game by their relative paths."""
    if not is_path(game):
        return {}
    path = Path(game)
    if not path.is_dir():
        text = path.with_suffix(".txt")  # the instructions
        return {Path(one.name): one.read_bytes() for one in (path, text) if one.is_file()}
    files = (one for one in sorted(path.rglob("*")) if one.suffix in (".py", ".txt"))
    return {one.relative_to(path.parent): one.read_bytes() for one in files if one.is_file()}


def fingerprint(game: str) -> str:
    """Return the SHA-256 of an external game's file or folder, "" for built-in games."""
    files = {path: content for path, content in game_files(game).items() if path.suffix == ".py"}
    if len(files) > 1:  # as sha256sum writes them
        lines = (f"{hashlib.sha256(one).hexdigest()}  {path}\n" for path, one in files.items())
        return hashlib.sha256("".join(lines).encode()).hexdigest()
    return "".join(hashlib.sha256(content).hexdigest() for content in files.values())


def copy_files(game: str, folder: Path) -> None:
    """Copy the files of an external game into a folder, unless they are there."""
    for path, content in game_files(game).items():
        there = folder / path
        if there.is_file() and there.read_bytes() == content:
            continue
        there.parent.mkdir(parents=True, exist_ok=True)
        with atomic_file(there) as file:
            file.write(content)
