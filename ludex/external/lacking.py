"""What the source of a file lacks to be an agent, as messages for its author."""

import ast
import difflib
from collections.abc import Iterable

from ludex.external.source import defines, has_methods


def lacking_classes(tree: ast.Module, *names: str) -> str:
    """Return which classes a file lacks, suggesting one of a similar name; "" if none."""
    missing = [name for name in names if not defines(tree, name)]
    others = [node.name for node in tree.body if isinstance(node, ast.ClassDef)]
    for name in missing:
        if near := similar_name(name, set(others) - set(names)):
            return f"a class {name} (it has a class {near}; did you mean {name!r}?)"
    if len(missing) > 1:
        return f"the classes {' and '.join(missing)}"
    return f"a class {missing[0]}" if missing else ""


def similar_name(name: str, others: Iterable[str]) -> str:
    """Return the most similar of other names, or ""."""
    plain = {other.lower().replace("_", ""): other for other in others}
    close = difflib.get_close_matches(name.lower(), plain, n=1, cutoff=0.85)
    return plain[close[0]] if close else ""


def lacking_player(tree: ast.Module) -> str:
    """Return what a trap file lacks; methods that may be inherited elsewhere are assumed."""
    classes = [node for node in tree.body if isinstance(node, ast.ClassDef)]
    if any(node.name == "PlayerAI" and not node.decorator_list for node in classes):
        # A method may also be assigned later, as in `PlayerAI.getTrap = choose_trap`.
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
