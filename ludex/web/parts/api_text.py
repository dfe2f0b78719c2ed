"""The reference of a public name as Markdown, from its docstring and its signature."""

import importlib
import inspect
import re
from collections.abc import Iterator
from typing import Any

QUALIFIED = re.compile(r"\b(?:ludex|collections|pathlib|types|typing)(?:\.\w+)*\.(?=\w)")
"""What stands before the name of a type."""
QUOTED_TYPE = re.compile(r"(: |-> )'([^']*)'")


def api_text(found: re.Match[str]) -> str:
    """Return the section of a function or class that a directive names."""
    module, _, name = found[1].rpartition(".")
    thing = getattr(importlib.import_module(module), name)
    return "\n\n".join([f"### {name}", *parts(thing, name)])


def parts(thing: Any, name: str) -> Iterator[str]:
    """Yield the signature of a function, the docstring, and the members of a class."""
    if not inspect.isclass(thing):
        yield f"```python\n{signature(thing, name)}\n```"
    yield inspect.getdoc(thing) or ""
    if inspect.isclass(thing):
        yield "\n".join(member_line(key, one) for key, one in public_members(thing).items())


def public_members(kind: type[Any]) -> dict[str, Any]:
    """Return the public members of a class that Ludex defines; those of base classes come first."""
    ours = [one for one in reversed(kind.__mro__) if one.__module__.startswith("ludex.")]
    members = {name: one for each in ours for name, one in vars(each).items()}
    return {name: one for name, one in members.items() if not name.startswith("_")}


def member_line(name: str, member: Any) -> str:
    """Return an item of a list: a member, and the first line of what it says about itself."""
    function = getattr(member, "__func__", member)
    shown = signature(function, name) if inspect.isfunction(function) else name
    words = str(member.__doc__ or "").partition("\n")[0]
    is_own = member.__doc__ != type(member).__doc__ and not words.startswith("Alias for field")
    return f"- `{shown}`{f': {words}' if words and is_own else ''}"


def signature(function: Any, name: str) -> str:
    """Return how a function is called, with the short names of types."""
    text = QUALIFIED.sub("", f"{name}{inspect.signature(function)}")
    return re.sub(r"\((?:self|cls)(?:, )?", "(", QUOTED_TYPE.sub(r"\1\2", text), count=1)
