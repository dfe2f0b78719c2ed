"""Games typed into a notebook or script: every definition is a module of its own.

Compiled code and dispatch know a game by the class of its rules. A copy of this class for each
definition makes sure that no function of an older one is used.
"""

import hashlib
import marshal
import sys
from types import CodeType, FunctionType, ModuleType
from typing import Any

from ludex.core.rules import DECLARED


def is_typed(game: ModuleType) -> bool:
    """Return whether a module was typed into a notebook or is the script that runs."""
    own = hasattr(game, "NAME") or getattr(game, "__file__", None)
    return game.__name__ == "__main__" or not own


def snapshot(rules: type[Any]) -> ModuleType:
    """Return a module with the present definition of the game of a typed rules class.

    It has all that the functions of the game use. The same definition gives the same module,
    which the caller adds to `sys.modules`.
    """
    kind, origin = rules.__qualname__, sys.modules[rules.__module__]
    stem, space, digest = kind.removesuffix("Rules"), vars(origin), hashlib.sha256()
    parts: dict[str, Any] = {}
    waiting = [*DECLARED, stem, kind]
    while waiting:
        name = waiting.pop()
        if name in space and name not in parts:
            parts[name] = space[name]
            part = getattr(space[name], "py_func", space[name])
            if isinstance(part, FunctionType):
                waiting += names_in(part.__code__)
            digest.update(repr((name, content(part))).encode())
    # A new class of states needs a new module: code compiled for the old one returns the old one.
    name = f"ludex_game_{digest.hexdigest()[:12]}_{id(parts.get(stem)):x}_{stem}"
    if name in sys.modules:
        return sys.modules[name]
    module = ModuleType(name, origin.__doc__)
    own = type(kind, rules.__bases__, {**vars(rules), "__module__": name})
    facts = {"NAME": stem, "DEFINITION": digest.hexdigest(), "TYPED_IN": origin.__name__}
    vars(module).update(facts | parts | {kind: own})
    return module


def names_in(code: CodeType) -> list[str]:
    """Return the names of globals and attributes in a function and those inside it."""
    inner = (names_in(one) for one in code.co_consts if isinstance(one, CodeType))
    return sum(inner, list(code.co_names))


def content(part: Any) -> Any:
    """Return what makes up a function, a NamedTuple or a value; its `repr` distinguishes it."""
    if isinstance(part, FunctionType):
        cells = [cell.cell_contents for cell in part.__closure__ or ()]
        return marshal.dumps(part.__code__, 2), part.__defaults__, cells
    if isinstance(part, type):
        return getattr(part, "_fields", part), getattr(part, "_field_defaults", None)
    return part.tobytes() if hasattr(part, "tobytes") else part
