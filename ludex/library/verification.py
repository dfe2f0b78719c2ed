"""Verification of kept solutions: of a game by its rules, or of a file that names its game."""

import ast
from pathlib import Path
from typing import Any

from ludex import games
from ludex.core.play import read_state
from ludex.core.rules import Rules, State, imperfect_information, name_of, position
from ludex.io.array_file import Unusable, owner_of
from ludex.library.game import load
from ludex.library.progress import Tell, show_progress
from ludex.solve.solution_file import identity, path_of
from ludex.solve.verification.verification import Verification, verify_file

SUFFIX, UNFINISHED = ".npz", ".part.npz"
WRITER = "ludex solve"


def verify(
    game: Any, position: str | None = None, file: str | Path | None = None, progress: bool = True
) -> Verification:
    """Verify a kept solution by the rules of its game, without any code of the solver.

    It is the solution that `solve` has kept of the game from a position on, or `file`, which must
    be one. Instead of a game, the path of a file can be given, which names its game and rules.
    `fault` says what is wrong, if anything is.
    """
    with show_progress(progress) as tell:
        if is_file(game):
            return verify_named(Path(game), tell)
        chosen = load(game)
        return verify_kept(chosen.rules, chosen.state_at(position), file, tell)


def is_file(text: Any) -> bool:
    """Return whether this is the path of a solution, and not a game."""
    return isinstance(text, str | Path) and str(text).endswith(SUFFIX)


def verify_kept(rules: Rules, first: State, file: str | Path | None, tell: Tell) -> Verification:
    """Verify the kept solution of a game from a first state on, or what a file has of it."""
    if imperfect_information(rules):
        raise ValueError(f"{name_of(rules)} hides something: its equilibrium has a proven gap")
    path = path_of(rules, first) if file is None else Path(file)
    if file is None and not path.exists():
        place = position(rules, first)
        raise ValueError(
            f"no solution of {name_of(rules)} from {place!r} is kept: run ludex solve first"
        )
    return verify_file(path, rules, first, tell)


def verify_named(path: Path, tell: Tell) -> Verification:
    """Verify a file by the game, rules and position that it names."""
    try:
        rules, first = named_start(path)
    except Unusable as error:
        return Verification(str(path), "", "", fault=str(error))
    return verify_file(path, rules, first, tell)


def named_start(path: Path) -> tuple[Rules, State]:
    """Return the rules and first state that a file names; raise Unusable if that is not enough."""
    if path.name.endswith(UNFINISHED):
        raise Unusable(f"{path} is not finished: {WRITER} goes on from there")
    owner = owner_of(path, WRITER)
    if "equilibrium" in owner:
        raise Unusable(f"{path} is an equilibrium, which has a proven gap instead of values")
    name = str(owner.get("game"))
    try:
        game = games.find(name)
    except ValueError:
        why = f"is of {name!r}, a game from outside: verify it as a file of that game"
        raise Unusable(f"{path} {why}") from None
    try:
        numbers = ast.literal_eval(owner["rules"])
        rules = games.playable(games.rules_class(game)(*numbers), repr(name))
        first = read_state(rules, owner["start"])
        named = identity(rules, first)
    except (ValueError, TypeError, KeyError, SyntaxError) as error:
        raise Unusable(f"{path} names no rules and position of {name}: {error}") from None
    if named != owner:
        raise Unusable(f"{path} belongs to another version of {name}, or to one from outside")
    return rules, first
