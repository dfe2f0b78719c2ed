"""Hides packages from this process and its children, as if they were not installed.

Python imports this at its start where this folder is on PYTHONPATH. What is imported by then, such
as what measures coverage, stays.
"""

import os
import sys
from collections.abc import Sequence
from importlib.machinery import ModuleSpec, PathFinder
from types import ModuleType

HIDDEN = {name for name in os.environ["HIDDEN_PACKAGES"].split() if name not in sys.modules}


class Hiding(PathFinder):
    """Finds what is not hidden."""

    @classmethod
    def find_spec(
        cls, fullname: str, path: Sequence[str] | None = None, target: ModuleType | None = None
    ) -> ModuleSpec | None:
        """Return where a module is, unless it belongs to a hidden package."""
        if fullname.partition(".")[0] in HIDDEN:
            return None
        return super().find_spec(fullname, path, target)


sys.meta_path = [Hiding if finder is PathFinder else finder for finder in sys.meta_path]
