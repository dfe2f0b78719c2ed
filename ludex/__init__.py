"""Ludex: a laboratory for small games, with rules written once and compiled.

>>> import ludex
>>> nuts = ludex.load("nuts", nuts=10)
>>> match = nuts.new_match(seed=1)
>>> match.push("take 2")
>>> match.legal_moves()
['take 1', 'take 2', 'take 3']
"""

from typing import Any

__version__ = "0.1.0"

# __init__.pyi lists the public names, one to a line. `import ludex` itself imports nothing.
with open(f"{__file__}i", encoding="utf-8") as stub:
    PLACES = {line.split()[3]: line.split()[1] for line in stub if line.startswith("from ")}
__all__ = sorted(PLACES)


def __getattr__(name: str) -> Any:
    """Return a public name, whose module is imported when it is first used."""
    if name not in PLACES:
        raise AttributeError(f"module 'ludex' has no attribute {name!r}")
    import importlib

    value = getattr(importlib.import_module(PLACES[name]), name)
    globals()[name] = value
    return value


def __dir__() -> list[str]:
    """Return the public names, so that an editor offers them."""
    return [*__all__, "__version__"]
