"""What a Python file defines or lacks, as far as static inspection can tell."""

import ast
import difflib
from collections.abc import Iterable


def defines(tree: ast.Module, name: str) -> bool:
    """Return whether a module binds a name at its top level."""
    for node in tree.body:
        if isinstance(node, ast.FunctionDef | ast.ClassDef):
            bound = {node.name}
        elif isinstance(node, ast.Import | ast.ImportFrom):
            bound = {alias.asname or alias.name for alias in node.names}
        elif isinstance(node, ast.Assign):
            bound = {target.id for target in node.targets if isinstance(target, ast.Name)}
        else:
            continue
        if name in bound:
            return True
    return False


def own_methods(node: ast.ClassDef) -> set[str]:
    """Return the names of functions and values in a class body."""
    found = set()
    todo: list[ast.AST] = [*node.body]
    for part in todo:  # grows by the bodies of `if` and `try`
        if isinstance(part, ast.FunctionDef | ast.AsyncFunctionDef):
            found.add(part.name)
        elif isinstance(part, ast.Assign):
            found |= {target.id for target in part.targets if isinstance(target, ast.Name)}
        elif not isinstance(part, ast.ClassDef | ast.expr):
            todo += ast.iter_child_nodes(part)
    return found


def base_name(base: ast.expr) -> str:
    """Return the last part of a base class's name, such as `Agent` in `module.Agent`, or ""."""
    if isinstance(base, ast.Attribute):
        return base.attr
    return base.id if isinstance(base, ast.Name) else ""


def has_methods(
    tree: ast.Module,
    name: str,
    methods: tuple[str, ...],
    known: tuple[str, ...] = (),
    bare: tuple[str, ...] = (),
) -> bool | None:
    """Return whether a class of a module has methods, its own or inherited.

    Of the bases defined elsewhere, those in `known` have all of them and those in `bare` none.
    None means that it may inherit them from another such base.
    """
    classes = {node.name: node for node in tree.body if isinstance(node, ast.ClassDef)}
    lacking, todo, elsewhere = set(methods), [name], False
    for one in todo:  # grows by the bases
        node = classes.pop(one, None)  # each once, even if bases form a circle
        if node is None:
            lacking -= set(methods if one in known else ())
            elsewhere |= one not in ("object", *bare)
            continue
        lacking -= own_methods(node)
        todo += map(base_name, node.bases)
    return None if lacking and elsewhere else not lacking


def classes_with(tree: ast.Module, *methods: str, known: tuple[str, ...] = ()) -> list[str]:
    """Return the classes that define the methods, the last first, then those that inherit them."""
    classes = [node for node in reversed(tree.body) if isinstance(node, ast.ClassDef)]
    found = [node for node in classes if has_methods(tree, node.name, methods, known)]
    found.sort(key=lambda node: not set(methods) <= own_methods(node))
    return [node.name for node in found]


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
