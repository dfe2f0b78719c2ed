"""The version of Ludex that played and, in a checkout, the commit."""

import functools
import subprocess
from pathlib import Path
from typing import Any

import ludex


@functools.cache
def source() -> str:
    """Return the version and the commit, with + if files have changed since."""
    git = ["git", "-C", str(Path(ludex.__file__).parent)]
    describe = ["describe", "--always", "--dirty=+", "--exclude=*"]
    quietly: Any = {"capture_output": True, "text": True, "check": True}
    try:
        subprocess.run([*git, "ls-files", "--error-unmatch", "__init__.py"], **quietly)
        commit = subprocess.run([*git, *describe], **quietly).stdout.strip()
    except (OSError, subprocess.CalledProcessError):  # no Git, or not a checkout
        return ludex.__version__
    return f"{ludex.__version__} {commit}"
