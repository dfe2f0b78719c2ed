"""What the source of a file lacks to be an agent, as messages for its author."""

import ast
import difflib
from collections.abc import Iterable

from ludex.external.source import defines, has_methods


def lacking_classes(tree: ast.Module, *names: str) -> str:
    """Return which classes a file lacks, and whether one of its own is nearly called so."""
    missing = [name for name in names if not defines(tree, name)]
    others = [node.name for node in tree.body if isinstance(node, ast.ClassDef)]
    for name in missing:
        if near := nearly(name, set(others) - set(names)):
            return f"a class {name} (it has a class {near}; did you mean {name!r}?)"
    if len(missing) > 1:
        return f"the classes {' and '.join(missing)}"
    return f"a class {missing[0]}" if missing else ""


def nearly(name: str, others: Iterable[str]) -> str:
    """Return the one of other names that is almost this one, or nothing."""
    plain = {other.lower().replace("_", ""): other for other in others}
    close = difflib.get_close_matches(name.lower(), plain, n=1, cutoff=0.85)
    return plain[close[0]] if close else ""


def lacking_player(tree: ast.Module) -> str:
    """Return what a trap file lacks; what a class may get from elsewhere is not looked for."""
    classes = [node for node in tree.body if isinstance(node, ast.ClassDef)]
    if any(node.name == "PlayerAI" and not node.decorator_list for node in classes):
        # A method may also be given later on, as in `PlayerAI.getTrap = choose_trap`.
        given = {one.attr for one in ast.walk(tree) if isinstance(one, ast.Attribute)}
        missing = [
            name
            for name in ("getMove", "getTrap")
            if name not in given
            and has_methods(tree, "PlayerAI", (name,), bare=("BaseAI",)) is False
        ]
        if missing:
            return " and ".join(f"PlayerAI.{name}(grid)" for name in missing)
    return lacking_classes(tree, "PlayerAI")
