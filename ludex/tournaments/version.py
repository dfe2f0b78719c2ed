"""The version of Ludex that played and, in a checkout, the commit."""

import functools
import subprocess
from pathlib import Path

import ludex


@functools.cache
def source() -> str:
    """Return the version and the commit, with + if files have changed since."""
    folder = Path(ludex.__file__).parent
    command = ["git", "-C", str(folder), "describe", "--always", "--dirty=+", "--exclude=*"]
    try:
        known = subprocess.run(
            ["git", "-C", str(folder), "ls-files", "--error-unmatch", "__init__.py"],
            capture_output=True,
            check=False,
        )
        if known.returncode:
            return ludex.__version__
        commit = subprocess.run(command, capture_output=True, text=True, check=True).stdout.strip()
    except (OSError, subprocess.CalledProcessError):  # no Git, or not a checkout
        return ludex.__version__
    return f"{ludex.__version__} {commit}"
